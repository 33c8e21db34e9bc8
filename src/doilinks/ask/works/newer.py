"""Finds a newer work than that of a name: a preprint was published, or a badge is old.

Only assertions of the record are followed, never a search by title. Publishers also assert
nonsense, so the record of the newer work is fetched once, and must be like the first one.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from ...core.doi import DOI
from ...core.found import Found
from ...record.kinds import PERHAPS_PREPRINTS, PUBLISHED, Status, csl_type
from ...record.part import BOUNDARY, Words, fold, part_of
from ...record.plain import inner_of, mappings
from ...record.project_name import is_own
from ...record.text import content
from ...record.work import Newer, Work, doi_in, fields_of
from ..names.problems import Problem, Resolution, Severity, problem_at

# All other relations are not read.
RELATIONS: Final = (
    # [Crossref, relationships] Preprints and their articles.
    "is-preprint-of",
    # [DataCite 4.6, relationType] To a name with another prefix, the article of a preprint; to one
    # with the same prefix, the name of all versions.
    "IsVersionOf",
    "IsPreviousVersionOf",
    # In the record of all versions, as Zenodo writes it: each of them, in no order.
    "HasVersion",
)
_MOST: Final = 2_000  # that are read; Zenodo has works with hundreds of versions


def relations_of(record: object) -> tuple[tuple[str, DOI], ...]:
    """Return the relations of a record to other DOI names. Never raise an error."""
    fields = fields_of(record)
    relations: dict[tuple[str, DOI], None] = {}
    for kind, kind_of_id, name in (*_of_crossref(fields), *_of_datacite(fields)):
        is_doi = isinstance(kind_of_id, str) and kind_of_id.lower() == "doi"
        if is_doi and (doi := doi_in(name)):
            relations[kind, doi] = None
    return tuple(relations)


def _of_crossref(fields: Mapping[str, object]) -> Iterator[tuple[str, object, object]]:
    relation = inner_of(fields, "relation")
    for kind in RELATIONS:
        for each in mappings(relation.get(kind), _MOST):
            yield kind, each.get("id-type"), each.get("id")


def _of_datacite(fields: Mapping[str, object]) -> Iterator[tuple[str, object, object]]:
    for each in mappings(fields.get("relatedIdentifiers"), _MOST):
        kind = each.get("relationType")
        if isinstance(kind, str) and kind in RELATIONS:
            yield kind, each.get("relatedIdentifierType"), each.get("relatedIdentifier")


# More are the chapters of a book, or a list of somebody's works.
_FOLLOWED: Final = 3
_NUMBER: Final = re.compile(r"\d{1,18}\Z")  # the number at the end of the name of a version
_LIKE: Final = 1.4  # shares of the titles and of the people, together
_HALF: Final = 0.5  # of a title; of the people, if a record has none

Fetch = Callable[[DOI], Awaitable[tuple[Work | None, str]]]  # the work, and its agency


async def newer_than(doi: DOI, work: Work, fetch: Fetch) -> Newer | None:
    """Return the newer work that a record asserts, if its own fetched record confirms that."""
    others = [(kind, other) for kind, other in work.relations if other != doi]
    published = [
        other
        for kind, other in others
        if kind == "is-preprint-of" or (kind != "HasVersion" and other.prefix != doi.prefix)
    ]
    if 0 < len(published) <= _FOLLOWED and work.type.lower() in PERHAPS_PREPRINTS:
        for other in published:
            article, agency = await fetch(other)
            is_published = article is not None and csl_type(article.type) in PUBLISHED
            # Journals register at other agencies; DataCite has those of repositories.
            if article and is_published and agency != "DataCite" and is_like(doi, work, article):
                return Newer("published", other)
    same = [each for each in others if each[1].prefix == doi.prefix]
    for wanted in ("IsVersionOf", "IsPreviousVersionOf"):
        named = [other for kind, other in same if kind == wanted]
        if len(named) == 1:
            version, _ = await fetch(named[0])
            if version and is_like(doi, work, version, is_version=True):
                newer = Newer("version", named[0])
                return _counted(doi, newer, version) if wanted == "IsVersionOf" else newer
    return None


def _counted(doi: DOI, newer: Newer, concept: Work) -> Newer | None:
    """Add the number of a version; return None if the record of all versions does not list it."""
    versions = {
        other: _NUMBER.search(other.name)
        for kind, other in concept.relations
        if kind == "HasVersion" and other.prefix == doi.prefix
    }
    if doi not in versions or not all(versions.values()):
        return None
    # A heuristic for Zenodo, which numbers deposits.
    ordered = sorted(versions, key=lambda other: int((versions[other] or [0])[0]))
    return newer._replace(version=ordered.index(doi) + 1, versions=len(ordered))


def is_like(doi: DOI, work: Work, other: Work, *, is_version: bool = False) -> bool:
    """Tell whether two records may be of one work, by title and people; of a version, by title.

    Titles change between preprint and article, and people too, but seldom both. A group has written
    many works about one subject, whose titles share words. Of a version the repository itself
    asserts the relation, and its people change.

    Source: heuristic, measured in ``benchmarks/newer.py``. Withdrawn works and notices are like no
    work.

    :param doi: the name of the first work; a work that names this one as newer is not like it
    """
    circle = any(name == doi and kind != "HasVersion" for kind, name in other.relations)
    if circle or other.status.is_notice or other.status in (Status.RETRACTED, Status.CONCERN):
        return False
    mine, theirs = (set(content(Words.of(each.title).folded)) for each in (work, other))
    words = min(len(mine), len(theirs)) if is_version else len(mine | theirs)
    title = len(mine & theirs) / max(1, words)
    people, others = ({*map(fold, each.names)} for each in (work, other))
    same = len(people & others) / max(len(people), len(others)) if people and others else _HALF
    return title >= _HALF if is_version else title + same >= _LIKE


class OnPurpose(NamedTuple):
    """A pattern by which a text says that it means the preprint or version, with examples."""

    pattern: str
    example: str
    unlike: str


# Text of a program says nothing: Google Scholar exports "arXiv preprint" as the journal of
# everything on arXiv, "Preprints" is in the names of journals, servers and publishers, and Zotero
# exports the licence of bioRxiv.
ON_PURPOSE: Final = (
    OnPurpose(
        r"(?<!rxiv )\b(?:pre-?print|(?-i:pre-?prints))\b"
        r"(?! (?:servers?|is available under|is the author)\b)",
        "(preprint)",
        "arXiv preprint",
    ),
    OnPurpose(  # the whole text of a link
        rf"rxiv pre-?print\]?{BOUNDARY}", f"a bioRxiv preprint{BOUNDARY}", "bioRxiv preprint, 2020"
    ),
    OnPurpose(r"\bworking papers?\b", "NBER Working Paper", "a working example on paper"),
    # Elsewhere, it is the version of a program or a part of the title.
    OnPurpose(
        r"(?:[(\[]|, )v(?:ersion )?[0-9]{1,2}(?!\w|\.[0-9])", "Names (v2)", "Protocol, Version 2.0"
    ),
)
# Any of these words by which an author says that the older work is meant.
_ON_PURPOSE: Final = re.compile("|".join(each.pattern for each in ON_PURPOSE), re.IGNORECASE)


def newer_problems(
    rows: Iterable[tuple[Found, Work]],
    places: Mapping[DOI, Iterable[Found]],
    resolutions: Mapping[DOI, Resolution],
) -> Iterator[Problem]:
    """Yield a remark on each place of a name with a newer work, which its file does not name."""
    for place, work in rows:
        newer = work.newer
        if newer is None or any(each.file == place.file for each in places.get(newer.doi, ())):
            continue
        is_published = newer.kind == "published"
        if not (_is_open(place) if is_published else is_own(place)):
            continue
        uri, other = place.doi.uri, newer.doi.uri
        if is_published:
            words = f"newer: {uri} is a preprint, which was published as {other}"
        elif not newer.versions:
            words = f"newer: {uri} is a version, and the next one is {other}"
        elif newer.version < newer.versions:
            which = f"version {newer.version} of {newer.versions}"
            words = f"newer: {uri} is {which}; {other} stands for all of them"
        else:
            continue
        here = resolutions.get(place.doi)
        yield problem_at(place, Severity.REMARK, "doi-newer", words, here, work=work)


def published(problems: Iterable[Problem], places: Iterable[Found]) -> dict[DOI, DOI]:
    """Map the preprints that are reported wherever they are named to their articles.

    Where one place is not reported, its text means the preprint; then all places stay.
    """
    reported = {
        (p.doi, p.file, p.line, p.column): p.work.newer
        for p in problems
        if p.doi and p.work and p.work.newer and p.code == "doi-newer"
    }
    articles = {key[0]: new.doi for key, new in reported.items() if new.kind == "published"}
    for each in places:
        if (each.doi, each.file, each.line, each.column) not in reported:
            articles.pop(each.doi, None)
    return articles


def _is_open(place: Found) -> bool:
    """Tell whether a text cites a preprint without saying that it is one."""
    if not place.block:
        return True
    return not _ON_PURPOSE.search(" ".join(part_of(place.block, place.doi).text.split()))
