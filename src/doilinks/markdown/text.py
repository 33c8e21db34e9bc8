"""Texts that Python-Markdown is still reading: with placeholders, entities and raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from markdown.util import ETX, STX

from ..core.doi import DOI, Form
from ..core.link import Link, link_match
from ..core.markup import ENTITY, NO_PROSE, may_harm, unescape
from ..core.options import Options
from ..core.scan import scan
from ..core.text import HIDDEN, SourceText, whole_name


def reading(markup: str) -> str:
    """Decode the escapes and entities in a text of the host."""
    escaped = _ESCAPED.sub(lambda found: chr(int(found[1])), markup)
    return _ENTITY.sub(lambda found: unescape(found[0]), escaped)


def escape(text: str) -> str:
    """Encode a text for the host, which leaves ``&amp;`` as it is but may misread an ``&``."""
    return text.replace("&", "&amp;")


# Here an entity ends in a semicolon, although HTML allows some without it.
_ENTITY: Final = re.compile(f"&{ENTITY}")
_ESCAPED: Final = re.compile(f"{STX}([0-9]+){ETX}")
# A list of attributes may contain braces in quoted values, and opening braces in words. The pattern
# stops at a brace that may begin another list. Otherwise a text would be read again for each list.
_BEFORE: Final = rf"[\s)\]>*_`{ETX}]"
_BRACE: Final = rf"(?<!{_BEFORE})\{{"
_VALUES: Final = rf"""(?:"[^"\n]*+"|'[^'\n]*+'|[^{{}}"'\n]|{_BRACE})*+\}}"""
_WORDS: Final = rf"(?:[^{{}}\n]|{_BRACE})*+\}}"
# Each alternative begins with a plain character, which makes the search many times faster.
_MARKUP: Final = re.compile(
    rf"""{STX}klzzwxh:(?P<stashed>[0-9]+){ETX}
    | &(?P<entity>{ENTITY})
    | <(?P<element>(?i:a|{"|".join(NO_PROSE)}))(?=[\s>])
    | <(?P<comment>!--)
    | \{{(?<={_BEFORE}\{{):?\ ?(?:[.\#]|[\w-]+=)(?:{_VALUES}|{_WORDS})
    | \{{(?P<attributes>:?\ ?[.\#])
    | </?[A-Za-z][A-Za-z0-9-]*+(?:(?:\s(?:[^<>"']|"[^"]*+"|'[^']*+')*+)?/?>|\s[^<>]*+>)
    """,
    re.VERBOSE,
)


def decoded(data: str, stash: Mapping[str, object]) -> Iterator[tuple[int, int, str]]:
    """The pieces of a text that are not prose, hidden, and its escapes and entities, decoded."""
    unclosed: set[str] = set()  # end tags that are missing; searched once, for linear time
    done = 0
    for found in _MARKUP.finditer(data):
        start, end = found.span()
        if start < done:
            continue
        if found["stashed"]:
            # A backslash escape that the host has stashed is decoded. Other elements are hidden.
            node = stash.get(found["stashed"])
            escaped = _ESCAPED.fullmatch(node) if isinstance(node, str) else None
            text = chr(int(escaped[1])) if escaped else HIDDEN
        elif found["entity"]:
            text = unescape(found[0])
            if text == found[0]:
                continue
        else:
            text = HIDDEN
            if found["element"] or found["comment"]:
                name = found["element"]
                close = rf"</{name.lower()}(?=[\s>])" if name else "-->"
                at = None
                if close not in unclosed:
                    at = re.compile(close, re.IGNORECASE).search(data, end)
                if not at:
                    unclosed.add(close)
                    continue
                end = at.end()
        yield start, end, text
        done = end


# --------------------------------------------------------------------------------------------------
# Finds names that must not become links, because emphasis would then get dangerous attributes.
#
# The host's ``attr_list`` gives a list to the element just before it. Without doilinks, there is no
# such element in ``10.1000/a_, 10.1000/b_{onclick=…}``. If the first name became a link, emphasis
# could begin after it and get the list.

_DELIMITERS: Final = frozenset("*_~^=")  # the characters for emphasis of the host and of PyMdown
_OPENING: Final = re.compile(r"[*_~^=]\{")
# An underscore between letters is not emphasis. A "<" may begin a tag. Each alternative begins with
# a plain character, which makes the search many times faster.
_IN_NAME: Final = re.compile(r"\*|~|\^|=|_(?<![^\W_]_)|_(?![^\W_])|<[A-Za-z/!]")


def list_after_emphasis(data: str) -> int:
    """The offset of the last attribute list that could harm through emphasis before it, or -1.

    >>> list_after_emphasis("*a*{style=x} *b*{.note}")
    3
    """
    value, tag = data.rfind("="), data.rfind("<")
    if value < 0:
        return -1
    braces = [found.start() + 1 for found in _OPENING.finditer(data, 0, value)]
    # The host has not yet read a tag in a value. Later it puts the tag there without any escape.
    return next((at for at in reversed(braces) if tag > at or may_harm(data, at)), -1)


def is_torn(data: str, start: int, end: int, written: str) -> bool:
    """Tell whether emphasis may begin or end in another place if a link replaces a name.

    A character of the name may begin or end emphasis. So may a character next to the name: next to
    a letter it may have no effect, but next to a link it may have one.

    :param start: the offset of the name
    :param end: the offset at which it ends
    :param written: the name and its label

    >>> is_torn("10.1000/a_, 10.1000/b_", 0, 9, "10.1000/a")
    True
    """
    if _IN_NAME.search(written) or data[end : end + 1] in _DELIMITERS:
        return True
    return start > 0 and data[start - 1] in _DELIMITERS


# --------------------------------------------------------------------------------------------------
# Finds the names in a text of Python-Markdown, except where a link would break other markup.

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
    plain = SourceText.of(data, decoded(data, stash))
    size = len(data)
    done, tag, last = 0, -1, 0
    brace = list_after_emphasis(data)
    for match in scan(plain.text, options.arxiv):
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
