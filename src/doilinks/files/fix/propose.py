"""Which names of a source are written wrongly, and how they are written right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

from ...core.arxiv import paper_in_role
from ...core.doi import DOI, link_form
from ...core.found import Found
from ..sources.escapes import Unescaped
from ..sources.types import FileType
from .house import HOUSE, documents, in_house
from .rules import (
    TAIL,
    Change,
    Correction,
    Edit,
    applied,
    bare,
    corrected,
    encoded,
    head_of,
    is_written,
    visible,
    visible_in_url,
)

# --------------------------------------------------------------------------------------------------
# The text of a link that is the same as its target: both are one URL, written twice.

_REACH: Final = 210  # characters, longer than what is between them


def twin_of(text: str, at: int, written: str, between: str) -> list[int]:
    """Where the second copy of a URL begins, if one is near: the target of a text, or its text."""
    if not between:
        return []
    pattern = re.compile(between)
    after = at + len(written)
    if (found := pattern.match(text, after, after + _REACH)) and text.startswith(
        written, found.end()
    ):
        return [found.end()]
    before = text.rfind(written, max(0, at - len(written) - _REACH), at)
    if before >= 0 and pattern.fullmatch(text, before + len(written), at):
        return [before]
    return []


# --------------------------------------------------------------------------------------------------
# The changes that the rules propose, name by name.

_URLS: Final = frozenset({"url", "angle", "link", "role"})
_PROSE: Final = frozenset({"bare", "label", "url", "urn"})

# The type of a document, with the escape that the place at an offset needs.
Rows = Callable[[int], FileType]


def changes(
    text: str,
    row: FileType,
    found: Iterable[Found],
    wanted: frozenset[str],
    right: Mapping[DOI, Correction] = MappingProxyType({}),
) -> Iterator[Change]:
    """The changes of the names of a source, by rules that look at each name alone."""
    places = row.places(text) if row.places else None

    def here(at: int) -> FileType:
        return row._replace(escape=places(at)) if places else row

    house = next((code for code in HOUSE if code in wanted and row.name in HOUSE[code].types), "")
    is_document = documents(text, row) if house else bool
    for each in found:
        if each.span is None or each.written is None:
            continue
        if paper_in_role(each.written):  # an identifier of arXiv stays as its author wrote it
            continue
        known = right.get(each.doi)
        better = known if known and known.code in wanted and known.doi != each.whole else None
        if better and better.places is not None:
            is_there = (each.file, each.line, each.column) in better.places
            better = better if is_there else None
        if house and is_document(each) and (each.form != "publisher" or (known and known.page)):
            of_page = ("doi-publisher",) if each.form == "publisher" else ()
            codes = (*of_page, better.code) if better else of_page
            doi = better.doi if better else each.doi
            if change := in_house(text, row, house, each, doi, codes):
                yield change
                continue
        if each.form == "publisher":
            if known and known.page:
                yield _to_resolver(text, here, each, better)
            continue
        if each.form == "target":
            if "doi-bare-target" in wanted:
                yield _to_resolver(text, here, each, better)
            continue
        of_field = each.form == "field" and "doi-field" in wanted
        change = _change(text, here, each, wanted, better)
        field = bare(text, row, each) if of_field else None
        if either := _both(field, change) if field and change else field or change:
            yield either


def _to_resolver(text: str, here: Rows, found: Found, better: Correction | None) -> Change:
    """The change of a page, or of a bare target, to the link of its name, or a better one."""
    written, (first, _) = found.written or "", found.span or (0, 0)
    doi = better.doi if better else found.doi
    is_page = found.form == "publisher"
    code = "doi-publisher" if is_page else "doi-bare-target"
    codes = dict.fromkeys((code, better.code if better else code))
    row = here(first)
    twins = twin_of(text, first, written, row.between) if is_page else []
    places = sorted({first, *twins})
    edits = tuple((at, at + len(written), here(at).escape(doi.url)) for at in places)
    return Change(found, edits, written, row.escape(doi.url), tuple(codes), doi)


def _both(field: Change, change: Change) -> Change:
    """Both changes as one: of a field to its name, and of the name. If they overlap, the second."""
    if len(field.edits) > 1 or field.edits[0][1] > change.edits[0][0]:
        return change
    edits = (*field.edits, *change.edits)
    first, _ = change.found.span or (0, 0)
    new = [(start - first, end - first, put) for start, end, put in edits]
    codes = (*field.codes, *change.codes)
    return replace(change, edits=edits, new=applied(change.old, new), codes=codes)


def _change(
    text: str, here: Rows, found: Found, wanted: frozenset[str], better: Correction | None
) -> Change | None:
    """The change that the rules on URLs and on characters propose for a name."""
    written, (first, last) = found.written or "", found.span or (0, 0)
    row = here(first)
    edits, codes, doi, in_url = _edits(written, row, found, wanted, better)
    # A reader does not list the text of a link, nor that of \href in the prose of a bibliography.
    target = found.form == "link"
    twins = twin_of(text, first, written, row.between) if edits and (target or row.latex) else []
    moved: list[Edit] = []
    for at in sorted({first, *twins}):
        of_place = edits if at == first else _edits(written, here(at), found, wanted, better)[0]
        moved += [(at + start, at + end, new) for start, end, new in of_place]
    if found.whole and found.form in _PROSE and "doi-invisible" in wanted:
        encode = in_url and not row.latex and "doi-encoding" in wanted
        cut, end = visible(text, last, found.doi, found.whole, row, encode=encode)
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


def _edits(
    written: str, row: FileType, found: Found, wanted: frozenset[str], better: Correction | None
) -> tuple[list[Edit], tuple[str, ...], DOI, bool]:
    """What to replace in a name, by which rules, what that gives, and whether it is in a URL."""
    place = Unescaped(written, row.escapes)
    text, doi = place.text, found.doi
    begin = _begin(found, text)
    head = head_of(text, begin)
    put: list[Edit] = []
    codes: tuple[str, ...] = ()
    if found.form in _URLS:
        mended, codes = head.mended(wanted, target=found.form == "link")
        if codes:
            start, last = place.span(begin, head.end)
            escaped = "\\/" in written[start:last] and "\\/" not in mended  # as JSON may have it
            put.append((start, last, mended.replace("/", "\\/") if escaped else mended))
    stop = len(text.rstrip())
    is_closed = found.form == "angle" or (found.form == "role" and begin > 0)
    stop -= is_closed and text[:stop].endswith(">")
    in_url = head.url is not None
    at, tail = head.end, TAIL.search(text, head.end, stop) if in_url else None
    end = tail.start() if tail else stop
    if not is_written(text[at:end], doi):
        return put, codes, doi, in_url
    wrong = corrected(text, at, end, doi, better.doi) if better else ()
    right = [(first, last, link_form(new) if in_url else new) for first, last, new in wrong]
    if better and right:
        codes, doi = (*codes, better.code), better.doi
    more: dict[str, tuple[list[Edit], DOI]] = {}
    # In the prose of a bibliography, a percent begins a comment of LaTeX.
    if in_url and "doi-encoding" in wanted and (found.form == "link" or not row.latex):
        more["doi-encoding"] = encoded(text, at, end, stop, found)
    if in_url and "doi-invisible" in wanted:
        more["doi-invisible"] = visible_in_url(text, at, end, found.doi)
    edits = [*right]
    for code, (others, given) in more.items():
        apart = [each for each in others if not any(map(partial(_overlap, each), right))]
        if apart:
            edits, codes, doi = edits + apart, (*codes, code), doi if right else given
    for first, last, new in edits:
        # What replaces nothing is just after the character before.
        span = place.span(first, last) if first < last else place.span(first - 1, first)[1:] * 2
        put.append((span[0], span[1], row.escape(new)))
    return sorted(put), codes, doi, in_url


def _overlap(one: Edit, two: Edit) -> bool:
    return one[0] < two[1] and two[0] < one[1]


_TITLE: Final = re.compile(r"\s<")


def _begin(found: Found, text: str) -> int:
    """Where the name begins in the text of its place, with what is before it in a URL."""
    if found.form == "angle":
        return text.find("<") + 1
    if found.form == "role" and text.rstrip().endswith(">"):
        title = _TITLE.search(text)
        return title.end() if title else 0
    return len(text) - len(text.lstrip())
