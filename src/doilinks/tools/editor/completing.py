"""The works that can be cited at a place of a source, each written as it has to be there.

Each way to write a name is read again, and the first that gives the name is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final

from lsprotocol import types as t

from ...cite.citations import parse, parse_role
from ...core.doi import InvalidDOI
from ...core.nameless import BibKey, WorkId
from ...core.options import Options
from ...lock.known_works import KnownWorks
from ...record.part import fold
from ...record.words import hover, reference, shortened
from ...record.work import Work
from ...sources import TYPES, CannotRead, read
from ...sources.escapes import to_latex
from .text import EditedText

_Row = tuple[WorkId, Work, str, str]
_MOST: Final = 100
_LONGEST: Final = 500  # characters before the place that are looked at
_LABEL: Final = 80  # characters of a work in a list
_ROLE_NAME: Final = r"doi(?::cite(?::?[a-z]{1,2})?)?"
_WORDS: Final = r"(?P<words>[^\[\]@;{}`\"]{0,99})"
# The place is in a field for a name.
_FIELD: Final = re.compile(rf"(?i)\bdoi\s*=\s*[{{\"](?P<typed>{_WORDS})\Z")
# The place is in a citation.
_CITED: Final = re.compile(rf"(?i)(?<![^\W_])@(?P<typed>\{{?(?P<label>doi:)?{_WORDS})\Z")
# The place is in a role.
_ROLE: Final = re.compile(
    rf"(?P<role>:{_ROLE_NAME}:|\{{{_ROLE_NAME}\}})`(?:[^`;]*;)*[ ]?(?P<typed>{_WORDS})\Z"
)
# The place is after a label.
_PREFIX: Final = re.compile(rf"(?i)(?<![\w@:{{/.-])doi:[ \t]?(?P<typed>{_WORDS})\Z")


def completions(edited: EditedText, at: int) -> Iterator[t.CompletionItem]:
    """Yield the works of which a word begins as each word before the place does."""
    text, kind, files = edited.text, edited.kind, edited.options.cite_bib
    before = text[max(text.rfind("\n", 0, at) + 1, at - _LONGEST) : at]
    if (place := _place(before, kind)) is None:
        return
    written, count = place["words"], 0
    while not (rows := _fitting(edited.works, written)) and place.re is _ROLE and " " in written:
        written = written.lstrip().partition(" ")[2]  # without what is before a name, such as "see"
    start = at - len(place["typed"]) + len(place["words"]) - len(written)
    # An editor may have closed a brace.
    end = at + (place["typed"].startswith("{") and text[at : at + 1] == "}")
    for doi, work, whole, index in rows:
        if count == _MOST:
            return
        forms = _forms(doi, kind, is_cited=place.re is _CITED)
        new = next((each for each in forms if _is_read(each, doi, place, kind, files)), None)
        if new:
            count += 1
            yield t.CompletionItem(
                shortened(hover(work), _LABEL), kind=t.CompletionItemKind.Reference,
                detail=doi.uri, documentation=whole, sort_text=f"{count:05}",
                filter_text=f"{text[start:at]} {index}",  # a client compares it with what is typed
                text_edit=t.TextEdit(edited.range(start, end), new),
            )  # fmt: skip


def _fitting(works: KnownWorks, written: str) -> list[_Row]:
    words = [f" {word}" for word in fold(written).split()]
    return [row for row in _index(works) if all(word in row[-1] for word in words)]


@lru_cache(8)
def _index(works: KnownWorks) -> Sequence[_Row]:
    """List each work with its whole reference, and with the words by which it is found."""
    rows = []
    for doi in works.names():
        if work := works.work(doi):
            whole = "".join(run.text for run in reference(doi, work))
            words = re.findall(r"[^\s()\[\]“”\"]+", fold(f"{doi.name.lstrip('@')} {whole}"))
            rows.append((doi, work, f"{whole} {doi.url}".rstrip(), " " + " ".join(words)))
    return rows


def _place(before: str, kind: str) -> re.Match[str] | None:
    """Find out what is written before a place, if it is where a name can be."""
    if kind == "bib" and (field := _FIELD.search(before)):
        return field
    cited = _CITED.search(before) if kind in ("md", "ipynb") else None
    if cited and (cited["label"] or before.rfind("[") > before.rfind("]")):
        return cited
    return _ROLE.search(before) or _PREFIX.search(before)


def _forms(doi: WorkId, kind: str, *, is_cited: bool) -> tuple[str, ...]:
    """Return how a name or key may be written at a place, the best form first."""
    if isinstance(doi, BibKey):
        return doi.key, f"{{{doi.key}}}"
    if is_cited:
        return doi.uri, f"{{{doi.uri}}}"
    encoded = doi.uri.removeprefix("doi:")
    if kind == "bib":  # which has the name itself
        return doi.name, encoded
    return (to_latex(doi.name),) if kind == "tex" else (encoded, doi.name)


def _is_read(form: str, doi: WorkId, place: re.Match[str], kind: str, files: Sequence[str]) -> bool:
    """Tell whether a form of a name, written at the place, is read as this name."""
    if place.re is _CITED:
        cites = [cite for each in parse(f"@{form} [p. 3]", files) for cite in each.cites]
        is_whole = [(cite.doi, cite.after) for cite in cites] == [(doi, ", p. 3")]
        return is_whole and not (place["label"] and isinstance(doi, BibKey))
    with suppress(CannotRead, InvalidDOI):
        if place.re is _ROLE and "cite" in place["role"]:
            return [cite[:3] for cite in parse_role(form, files)] == [(doi, "", "")]
        row = TYPES[kind]
        prose = "rst" if row.program or row.lexer else "md" if kind == "ipynb" else kind
        template, read_as = {
            _FIELD: ("@misc{{a, doi = {{{}}}}}", "bib"), _ROLE: (":doi:`{}`", "rst"),
        }.get(place.re, ("doi:{}", prose))  # fmt: skip
        names = list(read(template.format(form), read_as, Options()))
        codes = {remark.code for each in names for remark in each.remarks}
        return [each.doi for each in names] == [doi] and "more-than-name" not in codes
    return False
