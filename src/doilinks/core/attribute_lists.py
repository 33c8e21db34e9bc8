"""Attribute lists after a link, by which some Markdown hosts add attributes to it.

An author writes ``10.1000/182{.note}`` to set a class. A name may also come from a list of
references, whose author must not get a script into the page: ``10.1000/a{onclick=…}``.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["may_harm"]

# Hosts read lists by different rules, but all of them read a list of this form in the same way. A
# value contains no backslash, which escapes a quote in one host only, and no control character,
# which may stand for a tag in Python-Markdown; there, a number between two of these is an escaped
# character.
_CHARACTERS: Final = r"(?:[^\\{}\x00-\x1f\x7f%s]|\x02[0-9]++\x03)*+"
# Types of links that do no more than describe it, or cut it off from this page. "opener" is not
# among them: it lets the linked page send this page elsewhere.
# Source: https://html.spec.whatwg.org/multipage/links.html#linkTypes
_REL: Final = (
    "(?:author|bookmark|external|help|license|nofollow|noopener|noreferrer|sponsored|tag|ugc)"
)
# In a window with a name, the linked page would have this page as its opener.
# Source: https://html.spec.whatwg.org/multipage/links.html#get-an-element's-noopener
_TARGET: Final = "_(?:blank|parent|self|top)"
_LIST: Final = rf"""\{{:?[ ]*+(?:
    (?: [.\#][\w:-]++
      | (?:class|hreflang|id|lang|title)=(?:"{_CHARACTERS % '"'}"|'{_CHARACTERS % "'"}'|[\w-]++)
      | rel=(?:"{_REL}(?:[ ]{_REL})*+"|'{_REL}(?:[ ]{_REL})*+'|{_REL})
      | target=(?:"{_TARGET}"|'{_TARGET}'|{_TARGET})
    )(?=[ }}])[ ]*+)++\}}"""
# A list may be followed by another list for the same link.
_HARMLESS: Final = re.compile(rf"(?:{_LIST})++(?!\{{)", re.VERBOSE)


def may_harm(source: str, end: int = 0) -> bool:
    """Tell whether an attribute list right after a link might do more than describe the link.

    Harmless are ``.class``, ``#id``, ``title``, ``lang`` and ``hreflang``, ``rel`` and ``target``
    as far as they give the linked page no access to this page.

    :param end: the offset at which the link ends

    >>> [may_harm(text, 11) for text in ("10.1000/182{.note}", "10.1000/182{onclick=x}")]
    [False, True]
    """
    return source.startswith("{", end) and not _HARMLESS.match(source, end)
