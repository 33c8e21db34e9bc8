"""Works as BibTeX, written by pybtex, which sphinxcontrib-bibtex reads with.

Spec: "BibTeXing" (Patashnik, 1988), and for the field ``doi`` the manual of biblatex, which reads
it verbatim. Other texts are TeX, with what is special there escaped, and UTF-8.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha1
from itertools import accumulate
from typing import Any, Final

from ..core.doi import DOI
from .export import csl_of
from .person import OTHERS, Person
from .words import DASHES, state_of
from .work import Work

_SPECIAL: Final = str.maketrans(
    {character: f"\\{character}" for character in "#$%&_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
)
# BibTeX counts the braces of \{ too. pandoc reads \{ alone, so these are for braces without a pair.
_UNPAIRED: Final = {r"\{": r"\textbraceleft{}", r"\}": r"\textbraceright{}"}
# The type of BibTeX for a type of CSL, and its field for the container and for the publisher.
_MISC: Final = ("misc", "howpublished", "publisher")
_ARTICLE: Final = ("article", "journal", "publisher")
_PART: Final = ("incollection", "booktitle", "publisher")
_KINDS: Final = {
    **dict.fromkeys(
        ("article-journal", "article-magazine", "article-newspaper", "review"), _ARTICLE
    ),
    **dict.fromkeys(("chapter", "entry", "entry-dictionary", "entry-encyclopedia"), _PART),
    "book": ("book", "series", "publisher"),
    "paper-conference": ("inproceedings", "booktitle", "publisher"),
    "report": ("techreport", "series", "institution"),
    "thesis": ("phdthesis", "series", "school"),
}
_MONTHS: Final = ("", *str.split("jan feb mar apr may jun jul aug sep oct nov dec"))
_BREAKS: Final = re.compile(r"[{}\\\s%#?]")  # an entry, or the link that styles make of a name
_LETTERS: Final = 5  # of a key: two of a thousand works of one person and year differ in these
_NO_PERSON: Final = re.compile(r",|(?i:\band\b|\bothers\b)")  # BibTeX would split the name here


def bibtex_of(works: Mapping[DOI, Work]) -> str:
    """Write works as the text of a BibTeX file, in their order."""
    from pybtex.database import BibliographyData  # an optional package
    from pybtex.database.output.bibtex import Writer

    class _Writer(Writer):  # type: ignore[misc]  # it has no types
        def _encode(self, text: str) -> str:
            return text  # it would escape a name in ``doi``, and not ``$``

        def _write_field(self, stream: Any, name: str, value: str) -> None:
            if name == "month":  # a macro of every style, not a text
                stream.write(f",\n    {name} = {value}")
            else:
                super()._write_field(stream, name, value)

    keys = keys_of(works)
    entries = {keys[doi]: _entry(doi, work) for doi, work in works.items()}
    text: str = _Writer("utf-8").to_string(BibliographyData(entries))
    return text


def keys_of(works: Mapping[DOI, Work]) -> dict[DOI, str]:
    """Build each work's key: a family name, the year, and letters from a hash of the DOI name.

    So a key stays when other works are added. Two works that have the same get more letters.
    """
    short = {doi: _key(doi, work, _LETTERS) for doi, work in works.items()}
    twice = {key for key, number in Counter(short.values()).items() if number > 1}
    return {
        doi: _key(doi, work, 4 * _LETTERS) if short[doi] in twice else short[doi]
        for doi, work in works.items()
    }


def _key(doi: DOI, work: Work, length: int) -> str:
    text = next(iter(work.names), "") or work.title
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    words = re.findall("[a-z]+", plain)
    word = "".join(words if work.names else words[:1])[:20] or "work"
    number = int(sha1(doi.folded.encode(), usedforsecurity=False).hexdigest(), 16)
    letters = "".join(chr(ord("a") + number // 26**at % 26) for at in range(length))
    return f"{word}{next(iter(work.years), '')}-{letters}"


def _entry(doi: DOI, work: Work) -> Any:
    from pybtex.database import Entry

    item = csl_of(doi, work)
    kind, container, publisher = _KINDS.get(item["type"], _MISC)
    texts = {
        "title": f"{{{_tex(item['title'])}}}" if item["title"] else "",  # keeps its capitals
        "series": _tex(work.series),
        container: _tex(work.container or (work.series if container == "series" else "")),
        "year": str(next(iter(work.years), _tex(work.dated))),
        "month": _MONTHS[work.month],
        "day": str(work.day or ""),
        "volume": _tex(work.volume),
        "number": _tex(work.issue),
        "pages": _tex(DASHES.sub("--", work.pages)),  # which all styles print, unlike eid
        "eid": _tex(work.article) if work.page else "",
        "edition": _tex(work.edition),
        publisher: _tex(work.publisher) if kind != "article" else "",
        "address": _tex(work.place) if kind != "article" else "",
        "version": _tex(work.version),
        "doi": doi.uri.removeprefix("doi:") if _BREAKS.search(doi.name) else doi.name,
        "note": _tex(state_of(work)),
    }
    fields = [(name, text) for name, text in texts.items() if text]
    persons = {"editor": [*_persons(work.editors)], "translator": [*_persons(work.translators)]}
    persons[work.role] = [*_persons(work.persons, work.count)]
    return Entry(kind, fields=fields, persons=persons)


def _persons(people: Sequence[Person], count: int = 0) -> Iterable[Any]:
    from pybtex.database import Person as Name

    others = count > len(people) or OTHERS in people[-1:]
    for each in people[:-1] if others and len(people) > 1 else people:
        family, given = _tex(each.family), _tex(each.given or "")
        # Braces keep "and" and a comma from being read as those between people, and a name without
        # parts in one.
        is_whole = each.given is None or (not given and " " in family)
        family = f"{{{family}}}" if is_whole or _NO_PERSON.search(family) else family
        name = Name(last=family)
        suffix = _tex(each.suffix)
        suffix = f"{{{suffix}}}" if _NO_PERSON.search(suffix) else suffix
        name.lineage_names = [suffix] if suffix else []
        name.first_names = [f"{{{given}}}" if _NO_PERSON.search(given) else given] if given else []
        yield name
    if others:
        yield Name(last="others")


def _tex(text: str) -> str:
    r"""Escape a text for TeX.

    >>> _tex("5 % of {a}"), _tex("}{")
    ('5 \\% of \\{a\\}', '\\textbraceright{}\\textbraceleft{}')
    """
    made = text.translate(_SPECIAL)
    depths = [*accumulate((each == "{") - (each == "}") for each in text)]
    if depths and (depths[-1] or min(depths) < 0):
        for brace, command in _UNPAIRED.items():
            made = made.replace(brace, command)
    return made
