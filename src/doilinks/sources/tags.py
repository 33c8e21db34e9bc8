"""The tags of an HTML page with their places, in linear time.

The module follows the tokenizer of the HTML standard (https://html.spec.whatwg.org/#tokenization)
as far as a reader of text needs it. For instance, a tag that is never closed takes the rest of the
page. ``html.parser`` does not give the places of attributes, and in many versions of Python it
takes quadratic time for unclosed tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..core.html import RAW_TEXT, unescape

__all__ = ["Tag", "tags"]


class Tag(NamedTuple):
    """A tag or a comment.

    :ivar start: the offset of the tag
    :ivar end: the offset just after the tag
    :ivar name: the name of the element in lower case; ``""`` for a comment or declaration
    :ivar closes: whether this is an end tag
    :ivar href: the decoded value of ``href``; None without this attribute
    :ivar href_span: the offsets at which that value begins and ends
    :ivar classes: the words of ``class``
    """

    start: int
    end: int
    name: str = ""
    closes: bool = False
    href: str | None = None
    href_span: tuple[int, int] = (0, 0)
    classes: tuple[str, ...] = ()


_OPEN: Final = re.compile(r"<(?:(/?)([A-Za-z][^\s/>]*)|(!--|[!?]|/(?=[^A-Za-z])))")
_SECTION: Final = re.compile(r"<!\[CDATA\[")
_COMMENT_END: Final = re.compile(r"--!?>")
_ATTRIBUTE: Final = re.compile(r"[\s/]*(?:(>)|(=?[^\s/>=]*)(?:\s*=\s*([\"']?))?)")
_UNQUOTED: Final = re.compile(r"[^\s>]*")


def tags(text: str, *, xml: bool = False) -> Iterator[Tag]:
    """Every tag and comment of a page, in order.

    :param xml: whether the page is XHTML. Then an end tag follows a tag that ends in ``/>``, and
        only the content of a CDATA section is text in any case
        (https://www.w3.org/TR/xml/#sec-logical-struct, #sec-cdata-sect).

    >>> [(t.name, t.closes, t.href) for t in tags("<p>a <a href='b&amp;c'>d</a><!-- <p> -->")]
    [('p', False, None), ('a', False, 'b&c'), ('a', True, None), ('', False, None)]
    """
    at = 0
    while found := _OPEN.search(text, at):
        if xml and (section := _SECTION.match(text, found.start())):
            yield Tag(*section.span())
            end, at = _mark("]]>", text, section.end())
            yield Tag(end, at)
            continue
        if found[3] is not None:
            at = _mark("?>", text, found.end())[1] if xml and found[3] == "?" else _end(text, found)
            yield Tag(found.start(), at)
            continue
        tag = _tag(text, found)
        yield tag
        at = tag.end
        if xml:
            if tag.name and not tag.closes and text[at - 2 : at] == "/>":
                yield Tag(at, at, tag.name, closes=True)
        # The content of these elements is text up to their end tag, even if it looks like tags.
        elif tag.name in RAW_TEXT and not tag.closes:
            close = re.compile(rf"</{tag.name}(?=[\s/>])", re.IGNORECASE).search(text, at)
            at = close.start() if close else len(text)


def _end(text: str, found: re.Match[str]) -> int:
    """The offset at which a comment or declaration of HTML ends."""
    if found[3] == "!--":
        # <!--> and <!---> are whole comments.
        end = _COMMENT_END.search(text, found.start() + 2)
        return end.end() if end else len(text)
    return _mark(">", text, found.end())[1]


def _mark(mark: str, text: str, at: int) -> tuple[int, int]:
    """The offsets at which the next ``mark`` begins and ends; without one, the end of the text."""
    start = text.find(mark, at)
    return (start, start + len(mark)) if start >= 0 else (len(text), len(text))


def _tag(text: str, found: re.Match[str]) -> Tag:
    href: str | None = None
    href_span = (0, 0)
    classes: tuple[str, ...] = ()
    at = found.end()
    while at < len(text):
        attribute = _ATTRIBUTE.match(text, at)
        assert attribute  # noqa: S101  it matches the empty string
        at = attribute.end()
        if attribute[1]:
            name = found[2].lower()
            return Tag(found.start(), at, name, bool(found[1]), href, href_span, classes)
        if attribute[3] is None:
            continue
        start = at
        if attribute[3]:
            end = text.find(attribute[3], at)
            at = end + 1 if end >= 0 else len(text)
            end = end if end >= 0 else len(text)
        else:
            value = _UNQUOTED.match(text, at)
            at = end = value.end() if value else at
        match attribute[2].lower():
            case "href" if href is None:
                href, href_span = unescape(text[start:end]), (start, end)
            case "class" if not classes:
                classes = tuple(text[start:end].split())
    return Tag(found.start(), at)  # it is never closed, so it is neither a tag nor text
