"""Finds the names in a text of Python-Markdown, except where a link would break other markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ..core.doi import DOI, Form
from ..core.invisible import whole_name
from ..core.link import Link, link_match
from ..core.options import Options
from ..core.scan import scan
from ..core.text import SourceText
from .emphasis import is_torn, list_after_emphasis
from .text import pieces

__all__ = ["AUTOLINKER", "Span", "spans"]

# The pattern of PyMdown that makes links of bare URLs. It runs after the pattern of doilinks.
AUTOLINKER: Final = "magic-link"


class Span(NamedTuple):
    """A name in a text, and its link. Its offsets are counted from the end of the text.

    :ivar before: the length of the text from the beginning of the name
    :ivar after: the length of the text after the name
    :ivar link: the link for the name
    :ivar form: how the name is written
    :ivar written: the name and its label as the author wrote them
    :ivar whole: the name without an invisible character that ends it, where there is one
    """

    before: int
    after: int
    link: Link
    form: Form
    written: str
    whole: DOI | None


def spans(
    data: str, stash: Mapping[str, object], options: Options, *, autolinks: bool
) -> Iterator[Span]:
    """Every name in a text that the host has begun to read.

    :param data: the text, with placeholders for the elements that the host has stashed
    :param stash: these elements
    :param autolinks: whether the host makes links of bare URLs later
    """
    plain = SourceText.of(data, pieces(data, stash))
    size = len(data)
    done, tag, last = 0, -1, 0
    brace = list_after_emphasis(data)
    for match in scan(plain.text):
        start, end = plain.span(match.start, match.end)
        # The host makes a link of an autolink, and the tree processor then adopts it.
        if _AUTOLINK.match(data, start) or plain.is_escaped(match.start, match.end):
            continue
        if start >= done:
            tag = _tag_end(data, done, start, end)
            done = max(tag, end)
        if start < tag:
            continue
        if autolinks and _in_url(data, last, start):
            continue
        link = link_match(match, options, plain.text)
        written = plain.text[match.start : match.end]
        if link and not (start < brace and is_torn(data, start, end, written)):
            last = end
            whole = whole_name(match, plain.text)
            yield Span(size - start, size - end, link, match.form, written, whole)


_AUTOLINK: Final = re.compile(r"<https?://[^<>]*>", re.IGNORECASE)


def _tag_end(data: str, floor: int, start: int, end: int) -> int:
    """The end of an autolink or tag that the host will see around a name; -1 without one.

    The host will see one in ``<javascript:10.1000/182>``, and a link would be inside that tag.
    """
    tag = data.rfind("<", floor, start)
    if tag < 0 or not _TAG.match(data, tag) or data.find(">", tag, start) >= 0:
        return -1
    open_value = _OPEN_VALUE.search(data, max(tag, start - _VALUE_AHEAD), start)
    rest = (_REST_OF_VALUE if open_value else _REST).match(data, end)
    return rest.end() if rest else -1


_TAG: Final = re.compile(r"</?[A-Za-z]")
_REST: Final = re.compile(r"[^<>]*+>")
# The host first stashes markup inside the value of an attribute, and then sees the tag around it.
_VALUE_AHEAD: Final = 500
_OPEN_VALUE: Final = re.compile(r"""=\s*["'][^<>"']*\Z""")
_REST_OF_VALUE: Final = re.compile(r"[^>]{0,500}>")

_URL_AHEAD: Final = 500


def _in_url(data: str, floor: int, start: int) -> bool:
    """Tell whether a name touches a URL, of which PyMdown makes one link together with the name.

    An example is ``https://doi.org/https://doi.org/10.1000/182``. The tree processor then adopts
    the link.
    """
    low = max(floor, start - _URL_AHEAD)
    head = max(data.rfind("://", low, start), data.rfind("www.", low, start))
    return head >= 0 and not any(map(str.isspace, data[head:start]))
