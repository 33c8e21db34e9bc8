"""The works that can be cited at a place of a source, each written as it has to be there.

Each way to write a name is read again, and the first that gives the name is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Final, NamedTuple

from ...cite.citations import parse, parse_role
from ...core.doi import DOI, InvalidDOI
from ...core.options import Options
from ...lock.bib_files import BibKey
from ...lock.known_works import KnownWorks
from ...record.part import fold
from ...record.words import hover, people_in_words
from ...record.work import Work
from ...sources import TYPES, CannotRead, read
from ...sources.escapes import to_latex


class Completion(NamedTuple):
    """A work that can be cited at a place."""

    start: int  # what is replaced
    end: int
    new: str
    doi: DOI
    work: Work
    words: str  # by which it is found


_MOST: Final = 500
_LONGEST: Final = 500  # characters before the place that are looked at
_ROLE_NAME: Final = r"doi(?::cite(?::?[a-z]{1,2})?)?"
_WORDS: Final = r"(?P<words>[^\[\]@;{}`\"]{0,99})\Z"
_CITED: Final = re.compile(rf"(?i)(?<![^\W_])@(?P<typed>\{{?(?P<label>doi:)?{_WORDS[:-2]})\Z")
_ROLE: Final = re.compile(rf"(?P<role>:{_ROLE_NAME}:|\{{{_ROLE_NAME}\}})`(?:[^`;]*;)*[ ]?{_WORDS}")
_FIELD: Final = re.compile(rf"(?i)\bdoi\s*=\s*[{{\"]{_WORDS}")
_LABEL: Final = re.compile(rf"(?i)(?<![\w@:{{/.-])doi:[ \t]?{_WORDS}")

# Tells whether a form of a name, written at the place, is read as this name.
_IsRead = Callable[[str, DOI], bool]


def completions(
    text: str, kind: str, at: int, options: Options, works: KnownWorks
) -> Iterator[Completion]:
    """Yield the works of which a word begins as each word before the place does."""
    before = text[max(text.rfind("\n", 0, at) + 1, at - _LONGEST) : at]
    if (place := _place(before, kind, options.cite_bib)) is None:
        return
    found, is_read = place
    typed = "typed" if "typed" in found.re.groupindex else "words"
    start = found.start(typed) + at - len(before)
    # An editor may have closed a brace.
    end = at + (found[typed].startswith("{") and text[at : at + 1] == "}")
    head = "" if typed == "words" else "doi:"
    words, left = [f" {word}" for word in fold(found["words"]).split()], _MOST
    for doi, work, index in _index(works):
        if left == 0 or not all(word in index for word in words):
            continue
        if new := next((each for each in _forms(doi, head, kind) if is_read(each, doi)), None):
            left -= 1
            yield Completion(start, end, new, doi, work, index)


@lru_cache(8)
def _index(works: KnownWorks) -> Sequence[tuple[DOI, Work, str]]:
    """List each work with the words by which it is found."""
    rows = ((doi, works.work(doi)) for doi in works.names())
    return [
        (doi, work, " " + " ".join(re.findall(r"[^\s()\[\]“”\"]+", fold(_words(doi, work)))))
        for doi, work in rows
        if work is not None
    ]


def _words(doi: DOI, work: Work) -> str:
    return f"{doi.name} {work.title} {people_in_words(work.persons, work.count)} {hover(work)}"


def _place(before: str, kind: str, files: Sequence[str]) -> tuple[re.Match[str], _IsRead] | None:
    """Find out what is written before a place, and how a name is read there."""
    row = TYPES[kind]
    if kind == "bib" and (found := _FIELD.search(before)):
        return found, partial(_is_alone, "@misc{{a, doi = {{{}}}}}", "bib")
    found = _CITED.search(before) if kind in ("md", "ipynb") else None
    if found and (found["label"] or before.rfind("[") > before.rfind("]")):
        return found, partial(_is_cited, files, has_label=bool(found["label"]))
    if found := _ROLE.search(before):
        is_cite = "cite" in found["role"]
        return found, partial(_is_in_role, files) if is_cite else partial(
            _is_alone, ":doi:`{}`", "rst"
        )
    if found := _LABEL.search(before):
        prose = "rst" if row.program or row.lexer else "md" if kind == "ipynb" else kind
        return found, partial(_is_alone, "doi:{}", prose)
    return None


def _forms(doi: DOI, head: str, kind: str) -> tuple[str, ...]:
    if isinstance(doi, BibKey):
        return doi.name[1:], f"{{{doi.name[1:]}}}"
    encoded = doi.uri.removeprefix("doi:")
    if head:
        return doi.uri, f"{{{doi.uri}}}"
    if kind == "bib":  # which has the name itself
        return doi.name, encoded
    return (to_latex(doi.name),) if kind == "tex" else (encoded, doi.name)


def _is_alone(template: str, kind: str, form: str, doi: DOI) -> bool:
    with suppress(CannotRead):
        names = list(read(template.format(form), kind, Options()))
        codes = {remark.code for each in names for remark in each.remarks}
        return [each.doi for each in names] == [doi] and "more-than-name" not in codes
    return False


def _is_cited(files: Sequence[str], form: str, doi: DOI, *, has_label: bool) -> bool:
    cites = [cite for each in parse(f"@{form} [p. 3]", files) for cite in each.cites]
    is_whole = [(cite.doi, cite.after) for cite in cites] == [(doi, ", p. 3")]
    return is_whole and not (has_label and isinstance(doi, BibKey))


def _is_in_role(files: Sequence[str], form: str, doi: DOI) -> bool:
    with suppress(InvalidDOI):
        return [cite[:3] for cite in parse_role(form, files)] == [(doi, "", "")]
    return False
