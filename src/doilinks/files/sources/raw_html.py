"""Reads raw HTML in a document of other markup: what a page of HTML has, and its badges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...core.found import Found
from ...core.markup import unescape
from ...core.options import Options
from ...core.text import Part, SourceText
from . import html
from .files import Unread
from .prose import Block


def read_raw(
    text: str,
    options: Options,
    whole: SourceText | None,
    locate: Callable[[str], tuple[int, int]],
    block: Block = None,
    pictures: Mapping[str, str] | None = None,
) -> Iterator[Found]:
    """Every DOI of raw HTML. The text around the link of a badge is the badge, as in Markdown.

    :param whole: the HTML with its places in the source, if they are known
    :param locate: finds a part of the HTML in the source if they are not
    :param block: the text around the HTML, if it is not a block of its own
    :param pictures: the badges of that block, by their targets

    >>> text = "10.1000/1 <a href='doi:10.1000/2'>"
    >>> places = SourceText.from_parts([(text, 5, 39)])
    >>> [(each.doi.name, each.form, each.span) for each in read_raw(text, Options(), places, len)]
    [('10.1000/1', 'bare', (5, 14)), ('10.1000/2', 'link', (24, 37))]
    """
    if not html.may_contain_name(text, options):
        return
    if pictures is None:
        pictures = dict(html.badges(text))
    for found in html.read(text, options):
        if isinstance(found, Unread):
            continue
        start, end = found.span or (0, 0)
        span = whole.span(start, end) if whole else locate(text[start:end])
        badge = pictures.get(unescape(text[start:end]))
        yield replace(found, span=span, around=badge or block or found.around)


def in_source(html: str, text: str, starts: Sequence[int], first: int) -> SourceText | None:
    r"""Raw HTML with the places of its lines in the source, each after the margin of its block.

    :param starts: where the lines of the source begin
    :param first: the line, counted from 0, in which the HTML begins

    >>> made = in_source("<b>\n</b>", "> <b>\n> </b>", [0, 6], 0)
    >>> made and made.span(4, 8)
    (8, 12)
    """
    parts: list[Part] = []
    for number, line in enumerate(html.split("\n"), first):
        start, end = (starts[n] if n < len(starts) else len(text) for n in (number, number + 1))
        at = text.find(line, start, end)
        if at < 0:
            return None
        end = at + len(line)
        parts += [(line, at, end), ("\n", end, end + 1)]
    return SourceText.from_parts(parts)
