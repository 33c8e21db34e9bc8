"""The comparison: a page with the links of doilinks against the same page without doilinks.

Between two links both pages must be the same, to the character and tag. Where the one has a link,
the other must have that DOI as its author wrote it, or a link that leads to it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

from ..tools.page_readers import html_page, json_page
from ..tools.page_walk import Walk
from ..tools.pages import Hole, Page, Reading, doi_of, plain, pure, shows
from ..tools.versions import older


class Comparison(NamedTuple):
    """What comparing two outputs has shown.

    :ivar links: how many links were taken out
    :ivar torn: how many of these names the host had torn: emphasis or an element inside
    :ivar difference: the first difference; empty when there is none
    :ivar urls: 1 when a link that the host makes of a bare URL reaches less far or is new, because
        a name in it or before it is read first: docutils links none after a ``doi:``, linkify
        takes what follows a name for a part of it
    """

    links: int
    torn: int
    difference: str = ""
    urls: int = 0


def compare_html(without: str, ours: str) -> Comparison:
    """Compare two pages of HTML."""
    return _compare(without, ours, _html_page)


def compare_json(without: str, ours: str) -> Comparison:
    """Compare two documents in pandoc's JSON."""
    return _compare(without, ours, lambda text, reading: json_page(json.loads(text), reading))


def _html_page(html: str, reading: Reading) -> Page:
    html = re.sub(r"<span>(&#64;|&#46;)</span>", r"\1", html)  # how docutils hides mail addresses
    # <doi:10.1000/182> that a host has let through would be an element without an end.
    html = re.sub(r"<([A-Za-z][A-Za-z0-9]*:[^<>\s]*)>", r"&lt;\1&gt;", html)
    return html_page(html, reading)


def _compare(without: str, ours: str, read: Callable[[str, Reading], Page]) -> Comparison:
    if without == ours:
        return Comparison(0, 0)
    reading = Reading()
    found = _compared(read(without, reading), read(ours, reading), reading)
    if not found.difference:
        return found
    # Once more without regard to the links that a host makes of bare URLs by itself.
    reading = Reading(bare_urls=False)
    before = read(without, reading)
    were, reading.left_out = reading.left_out, []
    page = read(ours, reading)
    again = _compared(before, page, reading)
    lost = list((Counter(were) - Counter(reading.left_out)).elements())
    names = [_squeezed(part.doi.name) for part in page if isinstance(part, Hole)]
    if (
        not (were or reading.left_out)
        or again.difference
        or not all(map(partial(_is_part, names=names), lost))
    ):
        return found
    return again._replace(urls=1)


def _is_part(href: str, names: list[str]) -> bool:
    """Tell whether a target is that of a link which was made of a name, or of a part of one."""
    doi = doi_of(href)
    if doi:
        lost = _squeezed(doi.name)
        return any(lost.startswith(name) or name.startswith(lost) for name in names)
    return any(_squeezed(href.partition(":")[2]) in name for name in names)


def _compared(without: Page, ours: Page, reading: Reading) -> Comparison:
    ways = partial(_reads, reading), partial(_reads_torn, reading)
    walk = Walk("".join(part for part in without if isinstance(part, str)), ways)
    found, links = walk.through(ours), sum(walk.counts)
    if found:
        said = f"with:    {reading.show(found.ours)}\nwithout: {reading.show(found.without)}"
    else:
        said = "" if links else "no link of doilinks, and yet not the same bytes"
    return Comparison(links, walk.counts[1], said)


def _reads(reading: Reading, piece: str, hole: Hole) -> bool:
    """Tell whether a piece is the DOI of a link, or a link to it, in the same markup."""
    if hole.inside is None:
        # A link with a title of its own: the target may differ, nothing else.
        return piece in reading.links and _same_link(reading.links[piece], hole)
    links = [reading.links[sign] for sign in piece if sign in reading.links]
    if not all(_same_link(link, hole) for link in links):
        return False
    if _markup(reading, piece) != _markup(reading, hole.inside):
        return False
    text = pure(piece)
    if piece != piece.strip():
        return False  # which a name is not said to hold
    return shows(text, hole.doi) or (not text and bool(links))


def _markup(reading: Reading, piece: str) -> list[str]:
    """The tags in a piece, but for those of links."""
    close = reading.sign("/a")
    return [
        each for each in piece if not pure(each) and each != close and each not in reading.links
    ]


def _reads_torn(reading: Reading, piece: str, hole: Hole) -> bool:
    """The same for a name in whose characters the host has seen markup."""
    if hole.inside is None:
        return False
    names = [reading.names.get(sign, "") for sign in piece]
    if not _MARKUP.search(hole.doi.name) and not any(names):
        return False
    text = "".join(name or pure(sign) for name, sign in zip(names, piece, strict=True))
    text, name = _squeezed(text), _squeezed(hole.doi.name)
    return text.endswith(name) and text.removesuffix(name) in _LABELS


# MyST before 5.1 escapes a target that docutils escapes once more: `&` becomes `&amp;amp;`.
_MYST_ESCAPES = older("myst-parser", "5.1")
# Signs that mean something in one of the hosts' markup, or that their typography replaces.
_MARKUP = re.compile(
    r"[^ -~]|[*_`<>|~$^\\\[\]{}&@\"'+]|--|\.\.|www\.|//|\.[a-z]{2,}", re.IGNORECASE
)
_LABELS = frozenset(
    {"", "doi", "urndoi", "infodoi"}
    | {f"{scheme}{host}doiorg" for scheme in ("", "http", "https") for host in ("", "dx", "www")}
)


def _same_link(attributes: dict[str, str], hole: Hole) -> bool:
    """Tell whether a link that was there is the one that took its place."""
    href = attributes["href"]
    others = {key: value for key, value in attributes.items() if key != "href"}
    same = doi_of(href) == hole.doi or (_MYST_ESCAPES and doi_of(unescape(href)) == hole.doi)
    return same and others == hole.attributes


def _squeezed(text: str) -> str:
    """Letters and digits alone."""
    return "".join(filter(str.isalnum, unquote(plain(text)).lower()))
