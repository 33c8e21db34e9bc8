"""The comparison: a page with the links of doilinks against the same page without doilinks.

Between two links both pages must be the same, to the character and tag. Where the one has a link,
the other must have that DOI as its author wrote it, or a link that leads to it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote

from doilinks import DOI

from .page import Hole, Page, Tags, doi_of, html_page, json_page, plain, pure, shows


class Comparison(NamedTuple):
    """What comparing two outputs has shown.

    :ivar links: how many links were taken out
    :ivar torn: how many of these names the host had torn: emphasis or an element inside
    :ivar difference: the first difference; empty when there is none
    :ivar urls: 1 when a link that the host makes of a bare URL reaches less far or is new, because
        a name in it or before it is read first: docutils links none behind a ``doi:``, linkify
        takes what follows a name for a part of it
    """

    links: int
    torn: int
    difference: str = ""
    urls: int = 0


def compare_html(without: str, ours: str) -> Comparison:
    """Compare two pages of HTML."""
    return _compare(without, ours, html_page)


def compare_json(without: str, ours: str) -> Comparison:
    """Compare two documents in pandoc's JSON."""
    return _compare(without, ours, lambda text, tags: json_page(json.loads(text), tags))


def _compare(without: str, ours: str, read: Callable[[str, Tags], Page]) -> Comparison:
    if without == ours:
        return Comparison(0, 0)
    tags = Tags()
    found = _compared(read(without, tags), read(ours, tags), tags)
    if not found.difference:
        return found
    # Once more without regard to the links that a host makes of bare URLs by itself.
    tags = Tags(bare_urls=False)
    before = read(without, tags)
    were, tags.left_out = tags.left_out, []
    page = read(ours, tags)
    again = _compared(before, page, tags)
    lost = list((Counter(were) - Counter(tags.left_out)).elements())
    names = [_squeezed(part.doi.name) for part in page if isinstance(part, Hole)]
    if (
        not (were or tags.left_out)
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


def _compared(without: Page, ours: Page, tags: Tags) -> Comparison:
    done = _Walk("".join(part for part in without if isinstance(part, str)), tags).through(ours)
    if not done.difference and not done.links:
        return done._replace(difference="no link of doilinks, and yet not the same bytes")
    return done


@dataclass
class _Walk:
    without: str
    tags: Tags
    at: int = 0
    links: int = 0
    torn: int = 0

    def through(self, ours: Page) -> Comparison:
        for index, part in enumerate(ours):
            if isinstance(part, str):
                if not self.without.startswith(part, self.at):
                    return self._differs(part)
                self.at += len(part)
                continue
            self.links += 1
            after = ours[index + 1 : index + 2]
            follows = after[0] if after and isinstance(after[0], str) else ""
            end = self._behind(part, follows, last=not after)
            if end < 0:
                written = self.without[self.at : self.at + 100]
                shown = (
                    f"{part.inside or part.href} {part.attributes} {self.tags.show(follows[:80])!r}"
                )
                return self._says(shown, written)
            self.at = end
        rest = self.without[self.at :]
        return self._says("the end", rest[:200]) if rest else Comparison(self.links, self.torn)

    def _behind(self, hole: Hole, follows: str, *, last: bool) -> int:
        """Where what a link replaced ends in the page without it; -1 when it is not there."""
        if hole.inside is None:
            # A link with a title of its own: the target may differ, nothing else.
            found = self.tags.links.get(self.without[self.at : self.at + 1])
            return self.at + 1 if found is not None and _same_link(found, hole) else -1
        limit = min(len(self.without), self.at + 9 * len(hole.doi.name) + 100)
        if last:
            ends = [len(self.without)]
        else:
            ends = [
                end
                for end in range(self.at, limit + 1)
                if self.without.startswith(follows[:200], end)
            ]
        for reads in (self._reads, self._reads_torn):
            for end in ends:
                if reads(self.without[self.at : end], hole):
                    self.torn += reads == self._reads_torn
                    return end
        return -1

    def _reads(self, piece: str, hole: Hole) -> bool:
        """Tell whether a piece is the DOI of a link, or a link to it, in the same markup."""
        inside = hole.inside or ""
        links = [self.tags.links[sign] for sign in piece if sign in self.tags.links]
        if not all(_same_link(link, hole) for link in links):
            return False
        if self._markup(piece) != self._markup(inside):
            return False
        text = pure(piece)
        if piece != piece.strip():
            return False  # which a name is not said to hold
        return shows(text, hole.doi) or (not text and bool(links))

    def _markup(self, piece: str) -> list[str]:
        """The tags in a piece, but for those of links."""
        close = self.tags.sign("/a")
        return [
            each
            for each in piece
            if not pure(each) and each != close and each not in self.tags.links
        ]

    def _reads_torn(self, piece: str, hole: Hole) -> bool:
        """The same for a name in whose characters the host has seen markup."""
        names = [self.tags.names.get(sign, "") for sign in piece]
        if not _MARKUP.search(hole.doi.name) and not any(names):
            return False
        text = "".join(name or pure(sign) for name, sign in zip(names, piece, strict=True))
        text, name = _squeezed(text), _squeezed(hole.doi.name)
        return text.endswith(name) and text.removesuffix(name) in _LABELS

    def _differs(self, part: str) -> Comparison:
        same = 0
        while self.without.startswith(part[: same + 1], self.at) and same < len(part):
            same += 1
        start = max(0, same - 60)
        return self._says(
            self.tags.show(part[start : same + 80]),
            self.without[self.at + start : self.at + same + 80],
        )

    def _says(self, ours: str, without: str) -> Comparison:
        found = f"with:    {ours}\nwithout: {self.tags.show(without)}"
        return Comparison(self.links, self.torn, found)


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
    doi: DOI | None = doi_of(attributes["href"])
    others = {key: value for key, value in attributes.items() if key != "href"}
    return doi == hole.doi and others == hole.attributes


def _squeezed(text: str) -> str:
    """Letters and digits alone."""
    return "".join(filter(str.isalnum, unquote(plain(text)).lower()))
