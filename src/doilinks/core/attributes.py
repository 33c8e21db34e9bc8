"""Attribute lists behind a name, which some Markdown hosts give to the link that stands before.

``10.1000/182{.note}`` is how an author of these sets a class. A name may come from a list of
references, however, whose author must not get a script into the page: ``10.1000/a{onclick=…}``.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["may_harm"]

_LONGEST: Final = 1000  # characters of a list
_HARMLESS: Final = re.compile(
    r"""\{:?[ ]*+(?:(?:[.\#][\w:-]++|(?:title|target|rel|lang|hreflang|class|id)=
    (?:"[^"{}\n]*+"|'[^'{}\n]*+'|[\w-]++))[ ]*+)++\}""",
    re.VERBOSE,
)


def may_harm(source: str, end: int) -> bool:
    """Tell whether what is glued to a name may give its link an attribute that does something.

    Then the text stays as it is. A name in angle brackets says itself where it ends, and what
    stands behind these is its author's.

    >>> [may_harm(text, 11) for text in ("10.1000/182{.note}", "10.1000/182{onclick=x}")]
    [False, True]
    """
    if source[end : end + 1] != "{" or source[end - 1] == ">":
        return False
    return not _HARMLESS.match(source, end, end + _LONGEST)
