"""Reads the fields of BibTeX and biblatex files that contain DOI names or that pages show.

``doi`` is a name, ``url`` and similar fields are links, ``code_doi`` too, ``note`` and similar
fields are prose.
Other fields do not count, because an author hardly ever means a name in a title as a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..core.doi import InvalidDOI, parse_parts
from ..core.field import field_pieces, plain_field
from ..core.found import Found
from ..core.invisible import whole_name
from ..core.options import Options
from ..core.remarks import Remark, remarks, remarks_of, text_names
from ..core.scan import scan
from ..core.text import SourceText
from ..core.title import other_doi
from .blocks import Blocks
from .entries import ENTRY, Field, fields
from .errors import Unread
from .found import found_in_link, found_in_prose
from .latex import prose_pieces

__all__ = ["read"]

_LINKS: Final = re.compile(r"(?:bdsk-)?url(?:-[0-9]+)?|ee|howpublished|link|eprint")
# Heuristic: such a field, as `code_doi`, names another work than the one that the entry describes.
_OTHER: Final = re.compile(r"[a-z0-9][\w:.+-]*[_-]doi")
_PROSE: Final = frozenset({"note", "annote", "annotation", "addendum", "abstract"})

_HREF: Final = re.compile(r"\\href\s*+\{([^{}]*)\}\s*+\{([^{}]*)\}")
_SPACE: Final = re.compile(r"\s")  # is between several URLs, and never in one
_BEGIN: Final = re.compile(
    r"https?:?//?|(?:www\.)?(?:dx\.)?doi|urn:doi|info:doi|10[./]", re.IGNORECASE
)
_BROKEN: Final = Remark("line-break", "a line ends inside the name, and pages show a space there")
_SHOWN: Final = 60  # a message shows so many characters of a value that could not be read


def read(text: str, options: Options) -> Iterator[Found | Unread]:
    """Every DOI of a BibTeX file, and the ``doi`` fields without one."""
    entries = Blocks(text, ENTRY)
    for field in fields(text):
        other = _OTHER.fullmatch(field.name)
        for found in _link(field, options) if other else _field(field, options):
            if isinstance(found, Found) and found.span and not other:
                yield replace(found, around=entries.at(found.span[0]))
            else:
                yield found


def _field(field: Field, options: Options) -> Iterator[Found | Unread]:
    if field.name == "doi":
        yield from _doi(field, options)
    elif _LINKS.fullmatch(field.name):
        yield from _link(field, options)
    elif field.name in _PROSE:
        yield from _prose(field, options)


def _doi(field: Field, options: Options) -> Iterator[Found | Unread]:
    plain = SourceText.of(field.value.text, field_pieces(field.value.text))
    written = plain.text.strip()
    if found := _whole(written.rstrip(".,;"), plain, field):
        yield from () if options.ignores(found.doi) else (found,)
        return
    matches = list(scan(plain.text))
    joined = _joined(written)
    if joined and (found := _whole(joined, plain, field)):
        yield from () if options.ignores(found.doi) else (_broken(found),)
    elif matches:  # several names, or a name and other words
        for match in matches:
            if not options.ignores(match.doi):
                whole = whole_name(match, plain.text)
                notes = tuple(remarks_of(match, plain.text, whole))
                span = _span(match.start, match.end, plain, field)
                yield Found(match.doi, form="field", remarks=notes, span=span, whole=whole)
    elif written:
        shown = written if len(written) < _SHOWN else written[:_SHOWN] + "…"
        why = "".join(f" ({name!r} is not defined)" for name in field.missing[:1])
        first = len(plain.text) - len(plain.text.lstrip())
        at, _ = _span(first, first + 1, plain, field)
        yield Unread(at, f"the field doi does not contain a DOI name: {shown!r}{why}")


def _whole(written: str, plain: SourceText, field: Field) -> Found | None:
    """The DOI that the whole of a value names."""
    try:
        doi, tail = parse_parts(written)
    except InvalidDOI:
        return None
    if " " in doi.name:  # the value contains other words too
        return None
    notes = tuple(remarks(doi, written, tail=tail))
    return Found(doi, form="field", remarks=notes, span=_whole_span(plain, field))


def _link(field: Field, options: Options) -> Iterator[Found]:
    plain = SourceText.of(field.value.text, field_pieces(field.value.text))
    href = plain.text.strip()
    joined = _joined(href)
    if joined and (found := found_in_link(joined, options)):
        yield replace(_broken(found), span=_whole_span(plain, field))
    elif not _SPACE.search(href) and (found := found_in_link(href, options)):
        yield replace(found, span=_whole_span(plain, field))
    else:
        yield from _prose(field, options)


def _prose(field: Field, options: Options) -> Iterator[Found]:
    plain = SourceText.of(field.value.text, prose_pieces(field.value.text))
    texts = {link.end(1): link[2] for link in _HREF.finditer(field.value.text)}
    for found in found_in_prose(plain.text, options):
        start, end = found.span or (0, 0)
        text = texts.get(plain.span(start, end)[1], "")
        other = other_doi(plain_field(text), found.doi)
        said = (*found.remarks, text_names(other)) if other else found.remarks
        span = _span(start, end, plain, field)
        yield replace(found, span=span, remarks=said, other=other)


def _joined(written: str) -> str:
    """A value of several lines as one line; ``""`` if it has only one line, or several names."""
    if "\n" not in written or len(list(scan(written))) > 1:
        return ""
    return "".join(map(str.strip, written.split("\n")))


def _broken(found: Found) -> Found:
    return replace(found, remarks=(*found.remarks, _BROKEN))


def _whole_span(plain: SourceText, field: Field) -> tuple[int, int]:
    """The offsets in the file at which the only name of a field begins and ends."""
    begin = _BEGIN.search(plain.text)
    end = len(plain.text.rstrip().rstrip(".,;"))
    return _span(begin.start() if begin else 0, end, plain, field)


def _span(start: int, end: int, plain: SourceText, field: Field) -> tuple[int, int]:
    """The offsets in the file at which a stretch of the text of a field begins and ends."""
    return field.value.span(*plain.span(start, end))
