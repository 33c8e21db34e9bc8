"""Reads the claims of a text about the work at a name: people, titles, years, numbers; its form.

References are not parsed. Claims decide only whether a text says enough to be judged; whether it is
right is decided by the words of the record. All patterns here are heuristics.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from ..core.doi import DOI
from .part import BOUNDARY, Part, Words, ascii_letters, part_of, plain

_STOP: Final = frozenset(str.split(
    "the and for with from that this are was its into via using use their between under over"
    " than not von der und die das des les une sur los las del para por aus mit zur new based"
))  # fmt: skip
# Words of sentences, which titles and references seldom contain.
_SENTENCE: Final = frozenset(str.split(
    "is are was were be been have has had we this that these those can will you your our it see"
    " here described if there may should would please i they used which"
))  # fmt: skip
# Words of journals, publishers and what stands beside them, which end a title.
_VENUE: Final = frozenset(str.split(
    "journal journals transactions trans proceedings proc conference conf letters lett review"
    " reviews rev annals ann bulletin bull university press international int workshop"
    " symposium society soc advances springer elsevier wiley ieee acm siam plos bmc arxiv"
    " biorxiv preprint vol volume pp pages chapter thesis zenodo figshare phys chem math sci"
    " acad nature science acta commun nat biol eng am j frontiers"
))  # fmt: skip
_ABOUT_NAMES: Final = frozenset(str.split(
    "citable manuscript paper article publication preprint version documentation badge license"
))  # fmt: skip

_NO_NAME: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Version|Figures?|Fig|Table|Section"
    r"|Chapter|Vol|Part|Paper|Article|In|The|From|Since|Until|See|Eqs?|Refs?|References?|Appendix"
    r"|This|Zenodo|GitHub|An|On|For|With|And|By|At|To|It|We|Our)"
)
_N: Final = rf"(?!{_NO_NAME}\b)[A-Z][A-Za-z'-]{{0,30}}[a-z]"
_OF: Final = r"(?:(?:van|von|de|der|den|da|di|la|le|del|della|ten|ter|dos) ){0,2}"
_Y: Final = r"(?:1[89]|20)\d\d[a-z]?"
_INITIALS: Final = r"(?:[A-Z]\.[ -]?){1,5}"
_FULL: Final = rf"{_N}(?: [A-Z]\.?){{0,3}} {_OF}{_N}"
_AND: Final = r"(?:,? and |,? & |[,;] )"
# People as lists of references name them.
_LISTED: Final = re.compile(
    rf"\b({_OF}{_N}),? {_INITIALS}(?![a-z])"  # Paskin, N. A.
    # N. A. Paskin, not J. Synch. Rad.
    rf"|(?<![\^°\d])\b{_INITIALS}({_OF}{_N})\b(?!\. [A-Z][a-z]{{1,9}}\.)"
    rf"|\b({_N}) [A-Z]{{1,3}}(?=[,;]|\.? et al)"  # Paskin NA,
    # Norman Paskin, Ann Miller.
    rf"|\b({_FULL}(?:{_AND}{_FULL}){{1,30}})(?=,| and| &|\.|\n| \(|:| ?{BOUNDARY}|$)"
    rf"|\b({_N}, {_N}(?: [A-Z]\.?){{0,2}})"  # Paskin, Norman A.
    rf"(?:[.,]? ?(?=[\"“]|\({_Y}\))|, et\.? al\b|(?=,? and {_FULL}))"
    # Paskin, Norman. 2000.
    rf"|(?:^|{BOUNDARY})\s{{0,9}}({_N}, {_N}(?: [A-Z]\.?){{0,2}})\. (?={_Y}\. )"
)
# People as TOML, R and CFF have them.
_QUOTED_NAME: Final = re.compile(
    r"\bperson\(\s{0,9}(?:given ?= ?)?\"([^\"]{1,80})\",\s{0,9}(?:family ?= ?)?\"([^\"]{1,80})\""
    r"|(?<![\w-])name ?= ?\"([^\"]{1,80})\""
    rf"|\bfamily-names ?: ?[\"']?([^\"'{BOUNDARY}:]{{1,80}}?)[\"']?"
    rf"(?=\s+[a-z-]{{3,20}} ?:|\s*{BOUNDARY}|\s*$)"
)
# People who have not written the work, with the year in which they spoke of it.
_BY_OTHERS: Final = re.compile(
    rf"\b(?:cited|quoted|reviewed|translated) (?:by|in) (?=[A-Z])[^()\[\]]{{1,80}}[(\[]{_Y}[)\]]",
    re.IGNORECASE,
)
# People as sentences cite them.
_CITED: Final = re.compile(
    rf"\b({_N}),? et\.? al\b"
    rf"|\b({_N},? (?:and|&) {_N})(?:'s)?,? ?[(\[]?{_Y}"
    rf"|\b({_N})(?:'s)?(?:[.,]? ?[(\[]|,? ){_Y}(?= ?[),.:;{BOUNDARY}\](]|$)"
    rf"|\b(?:by|after) ({_N},? (?:and|&) {_N})\b"
)
# People just before a name; as the cell of a table.
_AT_NAME: Final = re.compile(
    rf"(?:(?:^|[^\w\s'-])\s?|\b[a-z]{{1,20}} )"
    rf"((?<=by ){_N}|{_N}(?:(?:, |,? and | ?& ?){_N}){{1,2}}|{_N}(?= et al\.?|,? [(\[]?{_Y}))"
    rf"(?: et al\.?)?,? ?(?:[(\[]?{_Y})?[\[(<:,@{BOUNDARY})\] ]{{0,12}}"
    rf"(?:doi:?)?[ \[(<{BOUNDARY}]{{0,8}}$"
)
# A list of people as a cell of a table has it.
_CELL: Final = re.compile(
    rf"[A-Z][A-Za-z'-]{{1,30}}(?: [A-Z]\.?){{0,4}} {_OF}{_N}(?:, {_FULL}){{0,9}}"
)

# A year with its letter, which is no part of a longer number.
_YEAR: Final = re.compile(r"(?<![\w.:/-])(1[5-9]\d\d|20[0-4]\d)[a-z]?(?!\w|[.:-]\d|:\w)")
# A later year where references have theirs, which is no page, goal or count.
_DATED: Final = re.compile(
    r"""\((?:(?:in[ ]press|forthcoming|to[ ]appear|accepted)[,:]?[ ])?(20[2-4]\d)[a-z]?
        (?:,[ ](?:in[ ]press|[A-Z][a-z]{2,8}\.?(?:[ ]\d{1,2})?))?\)  # (2041, May 3)
    |\b(20[2-4]\d)(?:[ ][A-Z][a-z]{2}(?:[ ]\d{1,2})?)?;[ ]?\d{1,4}[(:]  # 2041;12:34
    |(?<!No)(?<!Nr)\.[ ](20[2-4]\d)[a-z]?\.[ ](?=["“A-Z])  # N. 2041. Title
    |\b(?:in[ ]press|forthcoming|to[ ]appear),?[ ](?:in[ ])?(20[2-4]\d)\b""",
    re.VERBOSE,
)
# A number, which may be the volume, an issue or an article.
_NUMBER: Final = re.compile(r"[A-Za-z]?\d{1,12}")
_NUMBERS: Final = re.compile(  # 12(3), 45 · 12, 45-67 · 12:45 · 12, 45 (1999) · pp. 45 · vol. 12
    r"\b\d{1,4} ?\(\d{1,4}(?:[-–/]\d{1,4})?\) ?[:,.]? ?(?:pp?\.? ?)?[A-Za-z]?\d"
    r"|\b\d{1,4} ?[:,] ?(?:pp?\.? ?)?[A-Za-z]?\d{1,7} ?-{1,2} ?[A-Za-z]?\d"
    r"|\b\d{1,4} ?[,:] ?[A-Za-z]?\d{2,7} ?\((?:1[89]|20)\d\d\)|\b\d{1,4}:\d{2,6}\b"
    r"|\b(?:pp?|vol(?:ume)?|no)\b\.? ?[A-Za-z]?\d",
    re.IGNORECASE,
)
_PAGE_NUMBER: Final = r"[A-Za-z]{0,2}(\d{1,7})\b"
# The first page, or the number of an article: where lists of references have it.
_PAGE: Final = re.compile(
    rf"\b(?:(?:pp?|pages?)\b\.?|(?-i:S)\.):? ?{_PAGE_NUMBER}"
    rf"|\b\d{{1,4}} ?{BOUNDARY}? ?\(\d{{1,4}}(?:[-/]\d{{1,4}})?\)"
    rf" ?{BOUNDARY}? ?[:,.]? ?{_PAGE_NUMBER}"
    rf"|[,:;] ?(?!{_Y} ?-){_PAGE_NUMBER}(?= ?-{{1,2}} ?[A-Z]{{0,2}}\d| ?\({_Y}\))"
    rf"|\b(?!{_Y})\d{{1,4}} ?{BOUNDARY}?(?:: ?| (?=[A-Z]{{0,2}}\d{{1,7}} ?\({_Y}\))"
    rf"|, ?(?!{_Y})(?=\w{{1,9}}\.?\s{{0,9}}(?:doi|{BOUNDARY}|$))){_PAGE_NUMBER}",
    re.IGNORECASE,
)
# A number that may be the first page.
_START: Final = re.compile(r"(?<!-)(?<!- )\b[A-Za-z]{0,2}(\d{1,9})\b")
# Fields of BibTeX, CFF and CSL-JSON. Before an equals sign any word is one, but those of people.
_FIELD: Final = re.compile(
    rf"(?:^|[,{{\n{BOUNDARY}])\s{{0,80}}[\"']?"
    r"(abstract|abstractnote|address|annotation|annote|authors?|booktitle"
    r"|container-title|date|doi|editor|file|howpublished|isbn|issn|issued|journal|journaltitle"
    r"|keywords|language|month|note|number|pages|publisher|series|shorttitle|subtitle|title|url"
    r"|urldate|volume|year|(?!(?:name|given|family|middle|email|orcid|affiliation|role|comment)\b)"
    r"[a-z][\w:.+-]{2,30}(?=\s{0,80}=\s{0,80}(?:[{\"]|\w{1,80}\s{0,80}[,}#\n])))"
    r"[\"']?\s{0,80}[=:]\s{0,80}",
    re.IGNORECASE,
)
# A title in quotes, of three kinds.
_QUOTED: Final = re.compile(
    r"[\"“„«](?![\s.,;:])([^\"“”„«»]{12,400})[\"”»]|``([^`']{12,400})''|(?<!\w)'([^']{20,400})'(?!\w)"
)
# A title in italics or bold of a markup language.
_MARKED: Final = re.compile(r"(?<![*\w)\]])([*_]{1,2})(?=[^\s*_,.;:)\]])([^*_]{15,300})\1(?!\w)")
# What ends a title: a bracket, a quote, a full stop after a word, a dash.
_END: Final = re.compile(
    rf"([{BOUNDARY};?!()\[\]\"“”„«»|§]|(?:(?<=[a-z0-9]{{2}})|(?<=[A-Z]{{2}})|(?<=[)\]]))[.](?=\s|$)"
    r"|''|``|\s[-–—]{1,3}\s)"
)
# What is left of a list of people before a title.
_REST_OF_PEOPLE: Final = re.compile(
    r"^[\s,.]{0,20}(?:et\.? al\b[\s,.]{0,20})?(?:and\b|&)?[\s\d,.()]{0,40}"
)
# A text that begins with a capital, or with a small word and a colon.
_CAPITAL: Final = re.compile(r"\W{0,20}(?:\w{0,20}[A-Z\d]|[a-z]\w{0,20}:)")
_BETWEEN: Final = re.compile(r",? and |,? & |[,;] ?")  # what stands between people
# What stands between people in a field of BibTeX or RIS.
_BETWEEN_FIELDS: Final = re.compile(r"\band\b|;|\n")
_LOWER: Final = re.compile(r"[a-z]+")  # each word of a text in lower case, without digits
_FOUR_DIGITS: Final = re.compile(r"\d{4}")  # a number that may be a year
# A line end with the indentation of the next line.
_LINE_END: Final = re.compile(r"[ \t]{0,80}\n[ \t]{0,80}")
# A label before a name that was taken out.
_DOI_LABEL: Final = re.compile(rf"\b(?:(?:dx\.)?doi\.org/|doi ?:? ?)(?={BOUNDARY})", re.IGNORECASE)

# After a name, a year that belongs to the people of the next reference.
_NEXT: Final = re.compile(rf"[;.] (?=[^;]{{3,80}}[ (]{_Y}\b)")
_NEAR: Final = 420  # characters before a name in which people and titles are looked for
_AFTER: Final = 120
_SHORT: Final = 15  # a text before a name of so few characters is only its label
_CLOSE: Final = 200  # characters in which people are looked for as sentences cite them
_BESIDE: Final = 30  # characters next to a name in which a year is that of the work
_MOST: Final = 60  # people
_ENOUGH: Final = 7  # words of a title
_LONGEST: Final = 4_000  # characters of a field
_DELIMITERS: Final = ' {}",\n'


class PersonInText(NamedTuple):
    """A person in a text: the words of the name without initials, and how it is written."""

    words: tuple[str, ...]
    written: str


class Claim(NamedTuple):
    """A possible title: its words, its text, its likelihood, and whether markup says so."""

    words: tuple[str, ...]
    written: str
    likely: float
    marked: bool

    @property
    def size(self) -> float:
        """The weight of the claim: its likelihood, and less for fewer than seven words."""
        return self.likely * min(len(self.words), _ENOUGH) / _ENOUGH if len(self.words) > 2 else 0.0

    def is_group(self, name: tuple[str, ...]) -> bool:
        """Tell whether it is rather the long name of a group."""
        return len(name) > 3 and 4 * len(set(self.words).intersection(name)) > 3 * len(self.words)


@dataclass(frozen=True, slots=True)
class Text:
    """The claims of a text, without regard to the record.

    :ivar plain: the part of the block that is about the name
    :ivar words: its words
    :ivar near: the words close to the name
    :ivar shared: the block contains other names too
    :ivar years: all years; ``year`` is the one next to the name
    :ivar people: in the order of the text; ``last`` is the last one before the name
    :ivar listed: people are named as lists of references name them
    :ivar at_name: the last one stands just before the name
    :ivar form: how the text is written, each from 0 to 1
    """

    plain: str
    words: Words
    near: Words
    shared: bool
    years: tuple[int, ...]
    year: int | None
    numbers: frozenset[str]
    pages: frozenset[int]
    starts: frozenset[int]
    people: tuple[PersonInText, ...]
    last: PersonInText | None
    listed: bool
    at_name: bool
    titles: tuple[Claim, ...]
    form: dict[str, float]

    @property
    def in_venue(self) -> bool:
        """The text has words of journals."""
        return not _VENUE.isdisjoint(self.near.distinct)

    @classmethod
    def of(cls, block: str, doi: DOI) -> Text:
        """Read what a block claims about the work at one of its names."""
        return _read(block, doi)[0]


def year_ahead(block: str, doi: DOI, this_year: int) -> int | None:
    """Return the year of a reference if in the future. The next year, as of volumes, is not.

    Only a year that stands where references have theirs: titles name goals, and pages are numbers.

    >>> year_ahead("Paskin, N. (2041). DOI Handbook of 2000. 10.1000/182", DOI("10.1000/182"), 2026)
    >>> year_ahead("Paskin, N. (2041). DOI Handbook. 10.1000/182", DOI("10.1000/182"), 2026)
    2041
    """
    text, fields = _read(block, doi)
    if not text.listed or min(text.years, default=0) <= this_year + 1:
        return None
    dated = [int(year) for each in _DATED.findall(text.plain) for year in each if year]
    return min(text.years if fields else dated, default=None)


def content(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that say what a text is about, without common and short ones.

    >>> content(["the", "origin", "of", "species"])
    ('origin', 'species')
    """
    return tuple(w for w in words if w not in _STOP and (len(w) > 2 or not w.isascii()))


def _read(block: str, doi: DOI) -> tuple[Text, dict[str, str]]:
    part = part_of(block, doi)
    fields = _fields(part.text)
    return _of_fields(part, fields) if fields else _of_text(part), fields


def _of_text(part: Part) -> Text:
    row = bool(part.cells)
    text, before, after = _one_line(part.text), _one_line(part.before), _one_line(part.after)
    label = " ".join(_one_line(part.label).split())
    just_before, just_after = before[-_NEAR:], after[:_AFTER]
    if len(before.strip(f" {BOUNDARY}.-*[]()0123456789")) < _SHORT:
        just_after = after[:_NEAR]
    if row:
        just_before, just_after = text[: 4 * _NEAR], ""
    just_after = _NEXT.split(just_after, maxsplit=1)[0]
    just_before, just_after = _BY_OTHERS.sub("", just_before), _BY_OTHERS.sub("", just_after)
    near = f"{just_before} {BOUNDARY} {just_after}"
    close = near if row else f"{just_before[-_CLOSE:]} {BOUNDARY} {just_after[:60]}"
    listed = [*_people(_LISTED, near)]
    pieces = [p.strip() for cell in part.cells[:_MOST] for p in _one_line(cell).split(BOUNDARY)]
    cells = [each for piece in pieces if _CELL.fullmatch(piece) for each in _split(piece)]
    if len(cells) > 1 or any(piece.count(" ") > 1 for piece in pieces):
        listed += cells  # two capitalised words alone may be anything
    found = _AT_NAME.search(before[-160:])
    at_name = _split(found[1]) if found else []
    lower = near.lower()
    every = _distinct([*listed, *_people(_CITED, close), *at_name])
    # A word is folded: "maes" is "mas".
    found_at = (max(map(lower.find, (each.words[-1], each.written.lower()))) for each in every)
    where = [(at, n, each) for n, (at, each) in enumerate(zip(found_at, every, strict=True))]
    where.sort()
    people = tuple(each for _, _, each in where)
    earlier = [each for at, _, each in where if at < len(just_before)]
    beside = _YEAR.findall(f"{just_before[-_BESIDE:]} {BOUNDARY} {just_after[:_BESIDE]}")
    claims = _titles(near, label, part.beside, row=row, whole=len(before) < _NEAR)
    titles, form = _weighed(near, people, claims)
    pages = _pages(_PAGE, near)
    return Text(
        plain=text,
        words=Words.of(text),
        near=Words.of(near),
        shared=part.shared,
        years=tuple(map(int, _YEAR.findall(text))),
        year=int(beside[-1]) if beside and not row else None,
        numbers=_numbers(text),
        pages=pages,
        starts=_pages(_START, text),
        people=people,
        last=next(iter([*earlier[-1:], *people]), None),
        listed=bool(listed),
        at_name=bool(at_name),
        titles=titles,
        form=form
        | {
            "numbers": float(bool(pages or _NUMBERS.search(near))),
            "text after": 0.0 if row else min(1.0, len(after.split()) / 20),
            "a citation's key": float(part.keyed and not row),
            "a row": float(row),
        },
    )


def _of_fields(part: Part, fields: dict[str, str]) -> Text:
    def of(*names: str) -> str:
        return _one_line(" ".join(fields.get(name, "").strip(_DELIMITERS) for name in names))[
            :_LONGEST
        ]

    authors, title = _quoted_names(of("author", "authors", "editor")), of("title")
    dates, numbers = of("year", "date", "issued"), of("volume", "number", "pages")
    venue = of("subtitle", "shorttitle", "booktitle", "series", "journal", "journaltitle",
               "container-title", "publisher", "school", "institution")  # fmt: skip
    text = f" {BOUNDARY} ".join([authors, title, venue, dates, numbers])
    names = _BETWEEN_FIELDS.split(authors)[:_MOST]
    people = tuple(each for name in names if (each := _person(name)).words)
    claim = Claim(content(Words.of(title).folded), title, 1.0, marked=True)
    titles, form = _weighed(text, people, [claim])
    words = Words.of(text)
    return Text(
        plain=text,
        words=words,
        near=words,
        shared=part.shared,
        years=tuple(map(int, _FOUR_DIGITS.findall(dates)))[:3],
        year=None,
        numbers=_numbers(text),
        pages=_pages(_START, of("pages").split(",")[0]),
        starts=_pages(_START, text),
        people=people,
        last=people[0] if people else None,
        listed=bool(people),
        at_name=False,
        titles=titles or (claim,),
        form=form | {"numbers": float(any(map(str.isdigit, numbers)))},
    )


def _quoted_names(people: str) -> str:
    """Extract the names alone, of people in the syntax of TOML, R or CFF."""
    found = _QUOTED_NAME.findall(people)
    return " and ".join(" ".join(filter(None, names)) for names in found) or people


def _weighed(
    near: str, people: Iterable[PersonInText], claims: Iterable[Claim]
) -> tuple[tuple[Claim, ...], dict[str, float]]:
    """Select the claims that may be titles, and describe the form of the text in numbers."""
    named = {word for person in people for word in person.words}
    titles = []
    for claim in claims:
        about = tuple(w for w in claim.words if not w.isdigit() and w not in _ABOUT_NAMES)
        if len(about) > 1 and 2 * sum(word in named for word in about) < len(about):
            titles.append(claim._replace(words=about))
    words = Words.of(near)
    many = max(8, len(words.folded))
    capitals = zip(words.folded, words.capital, strict=True)
    form = {
        "a title": max((claim.size for claim in titles), default=0.0),
        "a marked title": max((claim.size for claim in titles if claim.marked), default=0.0),
        "sentences": min(1.0, sum(word in _SENTENCE for word in words.folded) / many * 8),
        "capitals": sum(up and word.islower() for word, up in capitals) / many,
        "length": min(1.0, math.log1p(len(words.folded)) / 5),
    }
    return tuple(titles), form


def _numbers(text: str) -> frozenset[str]:
    return frozenset(number.lower().lstrip("0") for number in _NUMBER.findall(text))


def _pages(pattern: re.Pattern[str], text: str) -> frozenset[int]:
    found = (next(filter(None, each.groups()), "") for each in pattern.finditer(text))
    return frozenset(int(number) for number in found if number)


def _one_line(text: str) -> str:
    text = _LINE_END.sub(" ", ascii_letters(text))
    return _DOI_LABEL.sub("", text)


def _fields(text: str) -> dict[str, str]:
    """Read the fields of an entry in BibTeX, CFF or CSL-JSON; empty if it is not an entry."""
    marks = list(_FIELD.finditer(text))
    names = [mark[1].lower() for mark in marks]
    if "title" not in names or len(set(names)) < 3:
        return {}
    fields: dict[str, str] = {}
    for name, mark, after in zip(names, marks, [*marks[1:], None], strict=True):
        fields.setdefault(name, text[mark.end() : after.start() if after else None])
    return fields


def _people(pattern: re.Pattern[str], text: str) -> Iterator[PersonInText]:
    for found in islice(pattern.finditer(text), _MOST):
        for names in filter(None, found.groups()):
            yield from _split(names)


def _split(names: str) -> list[PersonInText]:
    return [person for name in _BETWEEN.split(names) if (person := _person(name)).words]


def _person(name: str) -> PersonInText:
    words = Words.of(name)
    both = zip(words.folded, words.capital, strict=True)
    kept = (word for word, capital in both if capital and len(word) > 1 and not word.isdigit())
    return PersonInText(tuple(kept), " ".join(name.split()).strip(","))


def _distinct(people: list[PersonInText]) -> list[PersonInText]:
    """Keep each person once: a part of a name is the person with the whole name."""
    kept: list[PersonInText] = []
    for person in sorted(people[:_MOST], key=lambda person: len(person.words), reverse=True):
        words = set(person.words)
        if _VENUE.isdisjoint(words) and not any(words.issubset(other.words) for other in kept):
            kept.append(person)
    return kept


def _titles(near: str, label: str, beside: str, *, row: bool, whole: bool) -> Iterator[Claim]:
    if label:
        is_reference = any(p.search(label) for p in (_LISTED, _CITED, _NUMBERS))
        likely = 0.3 if is_reference else 0.95 if _CAPITAL.match(label) else 0.4
        yield _claim(label, likely, marked=True)
    for quoted in _QUOTED.finditer(near):
        text = quoted[1] or quoted[2] or quoted[3]
        yield _claim(text, 1.0 if _CAPITAL.match(text) else 0.5, marked=True)
    for marked in _MARKED.finditer(beside):
        text = _one_line(plain(marked[2]))
        # What a work is in is a book or a journal.
        is_in = beside[: marked.start()].endswith("in ")
        is_title = not is_in and _CAPITAL.match(text) and _VENUE.isdisjoint(Words.of(text).folded)
        yield _claim(text, 0.8 if is_title else 0.3, marked=True)
    near = _CITED.sub(" § ", _LISTED.sub(" § ", near))
    since, first = 9, True  # pieces since people were named
    for piece in _END.split(near):
        if piece == "§":
            since = 0
        elif piece:
            text = _without_venue(_REST_OF_PEOPLE.sub("", piece))
            if len(text) < 3:
                continue
            if _CAPITAL.match(text):
                likely = 0.5 if row else 0.8 if since < 2 else 0.7 if first and whole else 0.3
                likely *= 1.0 if _SENTENCE.isdisjoint(Words.of(text).folded) else 0.25
                yield _claim(text, likely, marked=False)
            since, first = since + 1, False


def _claim(text: str, likely: float, *, marked: bool) -> Claim:
    shown = " ".join(text.split()).removeprefix("- ")
    return Claim(content(Words.of(text).folded), shown, likely, marked)


def _without_venue(text: str) -> str:
    kept = []
    for clause in text.split(","):
        if not _VENUE.isdisjoint(_LOWER.findall(clause.lower())):
            break
        kept.append(clause)
    return " ".join(kept).strip(" .,:&-*#")
