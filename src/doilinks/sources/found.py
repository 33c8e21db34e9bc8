"""A DOI found in a source, and where that is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..core.doi import DOI, InvalidDOI, parse_parts
from ..core.link import link_match, relink
from ..core.options import Options
from ..core.remarks import Remark, remarks
from ..core.scan import Match, scan

__all__ = [
    "Found",
    "Lines",
    "Occurrence",
    "found_at",
    "found_in_link",
    "found_in_prose",
    "found_in_role",
]


class Found(NamedTuple):
    """A DOI in the text of a file.

    :ivar at: offset in the text
    :ivar doi: the DOI
    :ivar form: how it is written: ``bare``, ``label``, ``url``, ``urn``, ``angle``, ``link``
        (the target of a link), ``role``, or ``field`` (of a BibTeX entry)
    :ivar remarks: what is doubtful about it
    """

    at: int
    doi: DOI
    form: str
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Occurrence:
    """A DOI in a file. ``line`` and ``column`` are counted from 1, columns in characters."""

    doi: DOI
    file: str
    line: int
    column: int
    form: str
    remarks: tuple[Remark, ...] = ()


class Lines:
    r"""The lines of a text: from an offset to a line and a column.

    >>> Lines("one\ntwo").place(5)
    (2, 2)
    """

    def __init__(self, text: str) -> None:
        self.starts = [0]
        at = text.find("\n")
        while at >= 0:
            self.starts.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.starts, at)
        return line, at - self.starts[line - 1] + 1


def found_in_prose(text: str, options: Options, shift: int = 0) -> Iterator[Found]:
    """The DOIs in a run of prose that begins at the offset ``shift``."""
    for match in scan(text):
        if link_match(match, options, text):
            notes = tuple(remarks(match, text))
            yield Found(shift + match.start, match.doi, match.form, notes)


def found_at(match: Match, place: tuple[int, int], text: str) -> Found:
    """A match in text that a parser gave, looked up in the source ``text`` again."""
    here = match._replace(start=place[0], end=place[1])
    return Found(place[0], match.doi, match.form, tuple(remarks(here, text)))


def found_in_link(href: str, at: int, options: Options, form: str = "link") -> Found | None:
    """The DOI that a link in the document leads to; None when it leads elsewhere."""
    link = relink(href, "", options)
    if link is None:
        return None
    fragment = href.partition("#")[2]
    match = Match(0, len(href), link.doi, "url", "#" + fragment if fragment else "")
    return Found(at, link.doi, form, tuple(remarks(match, href)))


def found_in_role(content: str, at: int, options: Options) -> Found | None:
    """The DOI of a ``:doi:`` or ``{doi}`` role: a name, or a title and ``<name>``."""
    _, opened, target = content.rstrip().removesuffix(">").partition("<")
    titled = opened and content.rstrip().endswith(">")
    # A name may hold < and > itself: only what is no name as a whole has a title.
    for written in (content, target) if titled else (content,):
        try:
            doi, tail = parse_parts(written)
        except InvalidDOI:
            continue
        notes = remarks(Match(0, len(written), doi, "url", tail), written)
        return None if options.ignores(doi) else Found(at, doi, "role", tuple(notes))
    return None
