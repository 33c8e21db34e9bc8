"""BibTeX and biblatex files: the fields that contain DOI names, and those that pages show.

``doi`` is a name, ``url`` and similar fields are links, ``note`` and similar fields are prose.
Other fields do not count: a name in a title or among keywords is hardly ever meant as a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..core.doi import InvalidDOI, parse_parts
from ..core.field import field_pieces
from ..core.options import Options
from ..core.remarks import Remark, remarks
from ..core.scan import Match, scan
from ..core.text import SourceText
from .entries import Field, fields
from .errors import Unread
from .found import Found, found_in_link, found_in_prose
from .latex import prose_pieces

__all__ = ["read"]

_LINKS: Final = re.compile(r"(?:bdsk-)?url(?:-[0-9]+)?|ee|howpublished|link|eprint")
_PROSE: Final = frozenset({"note", "annote", "annotation", "addendum", "abstract"})

_BEGIN: Final = re.compile(r"https?:|doi|10[./]", re.IGNORECASE)
_LINE_END: Final = re.compile(r"\s*\n\s*")
_BROKEN: Final = Remark("line-break", "a line ends inside the name, and pages show a space there")
_SHOWN: Final = 60  # characters of a value that could not be read


def read(text: str, options: Options) -> Iterator[Found | Unread]:
    """Every DOI of a BibTeX file, and the ``doi`` fields without one."""
    for field in fields(text):
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
    elif matches:  # several names, or other words beside one
        for match in matches:
            if not options.ignores(match.doi):
                notes = tuple(remarks(match, plain.text))
                yield Found(_place(match.start, plain, field), match.doi, "field", notes)
    elif written:
        shown = written if len(written) < _SHOWN else written[:_SHOWN] + "…"
        why = "".join(f" ({name!r} is not defined)" for name in field.missing[:1])
        at = _place(len(plain.text) - len(plain.text.lstrip()), plain, field)
        yield Unread(at, f"the field doi does not contain a DOI name: {shown!r}{why}")


def _whole(written: str, plain: SourceText, field: Field) -> Found | None:
    """The DOI that the whole of a value names."""
    try:
        doi, tail = parse_parts(written)
    except InvalidDOI:
        return None
    if " " in doi.name:  # other words beside it
        return None
    notes = remarks(Match(0, len(written), doi, "bare", tail), written)
    return Found(_begin(plain, field), doi, "field", tuple(notes))


def _link(field: Field, options: Options) -> Iterator[Found]:
    plain = SourceText.of(field.value.text, field_pieces(field.value.text))
    href = plain.text.strip()
    joined = _joined(href)
    if joined and (found := found_in_link(joined, 0, options)):
        yield _broken(found)._replace(at=_begin(plain, field))
    elif found := found_in_link(href, 0, options):
        yield found._replace(at=_begin(plain, field))
    else:
        yield from _prose(field, options)


def _prose(field: Field, options: Options) -> Iterator[Found]:
    plain = SourceText.of(field.value.text, prose_pieces(field.value.text))
    for found in found_in_prose(plain.text, options):
        yield found._replace(at=_place(found.at, plain, field))


def _joined(written: str) -> str:
    """A value of several lines as one line, or ``""`` if it has one line or several names."""
    return _LINE_END.sub("", written) if "\n" in written and len(list(scan(written))) < 2 else ""


def _broken(found: Found) -> Found:
    return found._replace(remarks=(*found.remarks, _BROKEN))


def _begin(plain: SourceText, field: Field) -> int:
    """The offset in the file at which the one name of a field begins."""
    begin = _BEGIN.search(plain.text)
    return _place(begin.start() if begin else 0, plain, field)


def _place(at: int, plain: SourceText, field: Field) -> int:
    """The offset in the file of the character at ``at`` in a field's text."""
    return field.value.span(*plain.span(at, at + 1))[0]
