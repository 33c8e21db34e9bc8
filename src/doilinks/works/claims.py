"""What a text claims about a work: people, a title of its own, years.

References are not parsed. A claim decides only whether a text says enough to be judged. Whether it
is right is decided by the words of the record.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from .cited import AT_NAME, AT_TITLE, CELL, CITED, CITED_EARLY, CITED_TITLE, FULL_FIRST, LABEL, LIST
from .fold import Words, ascii_letters
from .own_titles import Title, content, first_piece, is_sentence, piece, pieces
from .part import BOUNDARY, Part, plain

__all__ = ["Claims", "People", "claims_of"]

_YEAR: Final = re.compile(r"(?<![\w.:/-])(1[5-9]\d\d|20[0-4]\d)[a-z]?(?![\w:]|[.-]\d)")
_START: Final = re.compile(
    rf"[\s{BOUNDARY}\W\d]{{0,80}}(?:\[[^\]]{{0,60}}\])?[\s{BOUNDARY}\W\d]{{0,80}}"
)
_LEAD: Final = re.compile(r"[\s>*+-]{0,80}\*\*([^*]{10,300})\*\*")  # a block that begins in bold
_HYPHEN_AT_END: Final = re.compile(r"-\n\s{0,80}")
_LINE_END: Final = re.compile(r"[ \t]{0,80}\n[ \t]{0,80}")
# A link to a profile, or a mark such as \*, between a person and the comma after it.
_AT_PERSON: Final = re.compile(rf"(?<=[a-z])[\s{BOUNDARY}\\]{{1,40}}(?=,)")
# A reference as Manubot writes it: title, people and journal without spaces, a date, an address.
_MANUBOT: Final = re.compile(
    rf"([^{BOUNDARY}]{{20,600}}?) ?\((?:19|20)\d\d-\d\d-\d\d\) ?{BOUNDARY} ?{BOUNDARY}"
)
_DOI_LABEL: Final = re.compile(rf"\bdoi ?:? ?(?={BOUNDARY})", re.IGNORECASE)
# Fields of BibTeX, CFF and CSL-JSON.
_FIELD: Final = re.compile(
    r"(?:^|[,{\n])\s{0,80}[\"']?(abstract|abstractnote|address|annotation|annote|authors?|booktitle"
    r"|container-title|date|doi|editor|file|howpublished|isbn|issn|issued|journal|journaltitle"
    r"|keywords|language|month|note|number|pages|publisher|series|shorttitle|subtitle|title|url"
    r"|urldate|volume|year)[\"']?\s{0,80}[=:]\s{0,80}",
    re.IGNORECASE,
)


class People(StrEnum):
    """How a text names people."""

    NOT = ""
    FIELD = "field"
    LISTED = "list"
    CITED = "cited"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Claims:
    """What a text claims about a work.

    :ivar words: its words that may be about the work
    :ivar years: the years that it names
    :ivar people: whether and how it names people of the work
    :ivar titles: what may be a title of its own, next to people
    :ivar alone: what is a title of its own even without people: a link's text, bold words
    """

    words: Words
    years: tuple[int, ...] = ()
    people: People = People.NOT
    titles: tuple[Title, ...] = ()
    alone: tuple[Title, ...] = ()


def claims_of(part: Part) -> Claims:
    """Read what a part of a block claims."""
    fields = _fields(part.text)
    if fields:
        return _of_fields(fields)
    text = _AT_PERSON.sub("", _one_line(part.text))
    years = tuple(int(year) for year in _YEAR.findall(text))
    words = Words.of(text)
    if part.cells:
        return _of_row(part, words, years)
    start = _START.match(text)
    begin = start.end() if start else 0
    label, before = _one_line(part.label), _one_line(part.before)
    listed = LIST.search(before if is_sentence(words) else text)
    if not listed and years and not is_sentence(words):
        listed = FULL_FIRST.match(text, begin)
    first = CITED.match(text, begin) or CITED_TITLE.search(text) or CITED_EARLY.match(text, begin)
    people, titles = People.NOT, list(piece(label))
    italic, before_italic = map(_one_line, part.italic)
    if listed or first:
        people = People.LISTED if listed else People.CITED
        titles = list(pieces(text, label))
    elif AT_TITLE.search(before_italic):
        people = People.CITED
        titles += piece(italic)
    elif LABEL.fullmatch(label) or AT_NAME.search(before.rstrip(f" {BOUNDARY}")):
        people = People.CITED
        titles += first_piece(text[begin:]) if part.keyed else ()
    alone = _alone(part, label, words)
    if manubot := _MANUBOT.match(text, begin):
        alone += piece(manubot[1], quoted=True)
    return Claims(words, years, people, tuple(titles), tuple(alone))


def _alone(part: Part, label: str, words: Words) -> list[Title]:
    # A short link's text is a title only if the block is little else.
    is_block = len(words.folded) <= len(Words.of(label).folded) + 3
    titles = list(piece(label, least=3 if is_block else 5))
    lead = _LEAD.match(part.source)
    if lead:
        titles += piece(_one_line(plain(lead[1])), least=5, quoted=True)
    return titles


def _of_row(part: Part, words: Words, years: tuple[int, ...]) -> Claims:
    cells = [_one_line(text).strip() for cell in part.cells for text in cell.split(BOUNDARY)]
    people = sum(CELL.fullmatch(cell) is not None for cell in cells)
    # Any two capitalised words may look like one person. A link to a profile removes the doubt.
    profiles = [_one_line(text).strip() for cell in part.profiles for text in cell.split(BOUNDARY)]
    people += sum(CELL.fullmatch(cell) is not None for cell in profiles)
    long = [cell for cell in cells if len(cell.split()) > 2]
    titles = tuple(title for cell in long for title in piece(cell, least=3))
    if people > 1 or (people and titles):
        return Claims(words, years, People.ROW, titles)
    cited = any(LIST.match(cell) or CITED.match(cell) for cell in cells)
    return Claims(words, years, People.CITED if cited else People.NOT)


def _one_line(text: str) -> str:
    text = _LINE_END.sub(" ", ascii_letters(_HYPHEN_AT_END.sub("-", text)))
    return _DOI_LABEL.sub("", text)


def _fields(text: str) -> dict[str, str]:
    """The fields of an entry in BibTeX, CFF or CSL-JSON, or nothing."""
    marks = list(_FIELD.finditer(text))
    names = [mark[1].lower() for mark in marks]
    if "title" not in names or len(set(names)) < 3:
        return {}
    fields: dict[str, str] = {}
    for name, mark, after in zip(names, marks, [*marks[1:], None], strict=True):
        fields.setdefault(name, text[mark.end() : after.start() if after else None])
    return fields


def _of_fields(fields: dict[str, str]) -> Claims:
    def texts(*names: str) -> str:
        return ascii_letters(" ".join(fields.get(name, "") for name in names))

    people = texts("author", "authors", "editor")
    title = texts("title")
    other = texts("subtitle", "shorttitle", "booktitle", "series")
    own = tuple(content(Words.of(title).folded))
    return Claims(
        Words.of(f"{people} {title} {other}"),
        tuple(int(year) for year in re.findall(r"\d{4}", texts("year", "date", "issued"))),
        People.FIELD if people.strip() else People.NOT,
        (own,) if len(own) > 1 else (),
    )
