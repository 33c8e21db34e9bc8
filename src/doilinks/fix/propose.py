"""Which names of a source are written wrongly, and how they are written right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from ..core.doi import DOI
from ..core.found import Found
from .change import Change, Piece, applied
from .correct import Correction, corrected
from .field import bare
from .head import head_of
from .invisible import visible, visible_in_url
from .name import Name, encoded
from .spelling import Spelled
from .twin import twin_of

__all__ = ["changes"]

_URLS: Final = frozenset({"url", "angle", "link", "role"})
# The rules on the characters of a name in a URL.
_IN_URL: Final = {"doi-encoding": encoded, "doi-invisible": visible_in_url}
_PROSE: Final = frozenset({"bare", "label", "url", "urn"})


def changes(
    text: str,
    kind: str,
    found: Iterable[Found],
    wanted: frozenset[str],
    right: Mapping[DOI, Correction] = MappingProxyType({}),
) -> Iterator[Change]:
    """The changes of the names of a source, by rules that look at each name alone.

    :param wanted: the codes of the rules
    :param right: for names that the check knows better, what is right
    """
    for each in found:
        if each.span is None or each.written is None:
            continue
        known = right.get(each.doi)
        better = known if known and known.code in wanted and known.doi != each.whole else None
        of_field = each.form == "field" and "doi-field" in wanted
        change = _change(text, kind, each, wanted, better)
        field = bare(text, kind, each) if of_field else None
        if either := _both(field, change) if field and change else field or change:
            yield either


def _both(field: Change, change: Change) -> Change:
    """Both changes as one: of a field to its name, and of the name. If they overlap, the second."""
    if len(field.pieces) > 1 or field.pieces[0][1] > change.pieces[0][0]:
        return change
    pieces = (*field.pieces, *change.pieces)
    first, _ = change.found.span or (0, 0)
    new = [(start - first, end - first, put) for start, end, put in pieces]
    codes = (*field.codes, *change.codes)
    return replace(change, pieces=pieces, new=applied(change.old, new), codes=codes)


def _change(
    text: str, kind: str, found: Found, wanted: frozenset[str], better: Correction | None
) -> Change | None:
    """The change that the rules on URLs and on characters propose for a name."""
    written, (first, last) = found.written or "", found.span or (0, 0)
    plain = Spelled(written, kind)
    begin = _begin(found, plain.text)
    head = head_of(plain.text, begin)
    target = found.form == "link"
    pieces: list[Piece] = []
    codes: tuple[str, ...] = ()
    doi = found.doi
    if found.form in _URLS:
        mended, codes = head.mended(wanted, target=target)
        if codes:
            start, end = plain.span(begin, head.end)
            escaped = "\\/" in written[start:end] and "\\/" not in mended  # as JSON may have it
            pieces.append((start, end, mended.replace("/", "\\/") if escaped else mended))
    in_url = head.url is not None
    name = Name(plain, head.end, _end(found, plain.text), found.doi, in_url=in_url)
    right = corrected(name, better.doi, kind) if better else []
    if better and right:
        codes, doi = (*codes, better.code), better.doi
    for code, rule in _IN_URL.items() if in_url else ():
        more, given = rule(name, found, kind) if code in wanted else ([], doi)
        more = [each for each in more if not _overlaps(each, right)]
        if more:
            pieces, codes, doi = pieces + more, (*codes, code), doi if right else given
    pieces += right
    pieces.sort()
    # A reader does not list the text of a link, nor that of \href in the prose of a bibliography.
    twins = twin_of(text, first, written) if pieces and (target or kind == "bib") else []
    places = sorted({first, *twins})
    moved = [(at + start, at + end, new) for at in places for start, end, new in pieces]
    if found.whole and found.form in _PROSE and "doi-invisible" in wanted:
        encode = in_url and kind != "bib" and "doi-encoding" in wanted
        cut, end = visible(text, last, found.doi, found.whole, kind, encode=encode)
        if cut:
            moved, codes, doi = moved + cut, (*codes, "doi-invisible"), found.whole
            if any(new for *_, new in cut) and "doi-encoding" not in codes:
                codes = (*codes, "doi-encoding")
            last = end
    if not codes:
        return None
    own = [each for each in moved if first <= each[0] and each[1] <= last]
    new = applied(text[first:last], [(start - first, end - first, put) for start, end, put in own])
    return Change(found, tuple(moved), text[first:last], new, codes, doi)


def _overlaps(piece: Piece, others: Iterable[Piece]) -> bool:
    return any(piece[0] < end and start < piece[1] for start, end, _ in others)


_TITLE: Final = re.compile(r"\s<")


def _begin(found: Found, plain: str) -> int:
    """Where the name begins in the text of its place, with what is before it in a URL."""
    if found.form == "angle":
        return plain.find("<") + 1
    if found.form == "role" and plain.rstrip().endswith(">"):
        title = _TITLE.search(plain)
        return title.end() if title else 0
    return len(plain) - len(plain.lstrip())


def _end(found: Found, plain: str) -> int:
    """Where the name ends, with the query of a URL."""
    stop = len(plain.rstrip())
    closed = found.form == "angle" or (found.form == "role" and _begin(found, plain) > 0)
    return stop - 1 if closed and plain[:stop].endswith(">") else stop
