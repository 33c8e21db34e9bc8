"""The name by which a project wants to be cited: in its badge, and in the metadata beside its code.

Heuristic: a file says that a name is the project's own by its form, not by its words. Two files of
one project may rightly name different DOIs, one of a version and one of all versions. So they are
reported only if the records say that these are different deposits, or if there are three names that
share no file: then two of them are those of versions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import PurePath
from typing import Final, NamedTuple
from urllib.parse import unquote

from ..core.doi import DOI, InvalidDOI
from ..core.found import Found
from .work import Work

# --------------------------------------------------------------------------------------------------
# Metadata. The block of such a field begins with its name.

_FIELDS: Final = {
    "CITATION.cff": ("doi:",),  # at the margin, not that of a reference
    ".zenodo.json": ('"doi":',),
    "codemeta.json": ('"identifier":', '"@id":'),
}
# Of these, a list may have the names of all versions and of each.
_LISTS: Final = {"CITATION.cff": ("identifiers:",)}

# --------------------------------------------------------------------------------------------------
# Badges: a picture from Zenodo or Shields, with the name in its address or in that of its link.

_ADDRESS: Final = r"https?://[^\s\"'<>()]{1,80}/badge/[^\s\"'<>()]{1,200}"
_BADGE: Final = re.compile(_ADDRESS, re.IGNORECASE)  # the address of a badge with a DOI
# The link of a picture in Markdown, perhaps with a title of the picture.
_LINK: Final = re.compile(
    rf"{_ADDRESS}(?:\s\"[^\"\n]{{0,100}}\")?\)\]\(<?(?P<target>[^\s<>]{{1,300}})", re.IGNORECASE
)
_BADGES: Final = 50  # of a block; more are not those of one project
# The name in such an address.
_DOI_IN_BADGE: Final = re.compile(
    r"/badge/doi[/-](10\.[0-9]{4,9}/[^\s?#]{1,150})(?:\.svg|-[a-z0-9]{1,20})\Z", re.IGNORECASE
)


def is_own(place: Found) -> bool:
    """Tell whether a place is a badge, or the field by which a project wants to be cited.

    >>> badge = "[![DOI](https://zenodo.org/badge/1.svg)](https://doi.org/10.5281/zenodo.2)"
    >>> [is_own(Found(DOI(f"10.5281/zenodo.{n}"), around=badge)) for n in (2, 3)]
    [True, False]
    """
    block = place.block or ""
    if fields := _FIELDS.get(PurePath(place.file or "").name):
        return block.startswith(fields)
    name = place.doi.name.lower()
    return any(
        not after[:1].isdecimal()
        for address in _badges(block).addresses
        for after in address.split(name)[1:]
    )


class _Badges(NamedTuple):
    """The addresses of badges and of their links, in lower case, and the names in badges."""

    addresses: tuple[str, ...]
    names: frozenset[DOI]


@lru_cache(maxsize=16)  # the places of a block come one after another
def _badges(block: str) -> _Badges:
    pictures = [unquote(badge[0]) for badge in islice(_BADGE.finditer(block), _BADGES)]
    targets = [unquote(link["target"]) for link in islice(_LINK.finditer(block), _BADGES)]
    shown = set()
    for found in filter(None, map(_DOI_IN_BADGE.search, pictures)):
        with suppress(InvalidDOI):
            shown.add(DOI(found[1]))
    addresses = tuple(address.lower() for address in (*pictures, *targets))
    return _Badges(addresses, frozenset(shown))


_DOCS: Final = frozenset({"doc", "docs", "source"})  # folders that belong to the one above them
_FRONT: Final = re.compile(r"readme\b|index\.", re.IGNORECASE)  # only these have the own badge
_MOST: Final = 3  # names in a file that is about one work
_FILES: Final = 20  # of one project
_FEWEST: Final = 3  # groups of files that share no name, of which two must be of versions


class _ProjectNames(NamedTuple):
    """The names of a project in one file."""

    first: Found
    names: set[DOI]

    def roots(self, work_of: Callable[[DOI], Work | None]) -> set[DOI]:
        """Return the names that stand for all versions; empty if a name has no record."""
        roots = set()
        for doi in self.names:
            work = work_of(doi)
            newer = work.newer if work else None
            if work is None or (newer and newer.kind == "version" and not newer.versions):
                return set()
            roots.add(newer.doi if newer and newer.kind == "version" else doi)
        return roots


def two_names(
    places: Iterable[Found], work_of: Callable[[DOI], Work | None] = lambda _doi: None
) -> Iterator[tuple[Found, Found]]:
    """Yield each place where a project has another name than in the first of its files.

    :param places: all places; those of each file are in its order
    :param work_of: the work of a name, as far as it is known

    >>> files = ("CITATION.cff", ".zenodo.json", "codemeta.json")
    >>> fields = ("doi:", '"doi":', '"@id":')
    >>> places = [Found(DOI(f"10.5281/zenodo.{n}"), file=file, around=field)
    ...           for n, (file, field) in enumerate(zip(files, fields), 1)]
    >>> [(place.file, other.file) for place, other in two_names(places)]
    [('.zenodo.json', 'CITATION.cff'), ('codemeta.json', 'CITATION.cff')]
    >>> [*two_names(places[:2])]
    []
    """
    for claims in _claims(places):
        groups = _groups(claims, work_of)
        for group in groups[1:]:
            known = groups[0].roots(work_of), group.roots(work_of)
            if all(known) or len(groups) >= _FEWEST:
                yield group.first, groups[0].first


def _claims(places: Iterable[Found]) -> Iterator[list[_ProjectNames]]:
    """Yield for each project and prefix the DOI names that its files claim."""
    projects: dict[tuple[PurePath, str], dict[str, _ProjectNames]] = {}
    for place in places:
        path = PurePath(place.file or "")
        own = _FIELDS.get(path.name, ()) + _LISTS.get(path.name, ())
        if not own and not _FRONT.match(path.name):
            continue
        if not (place.block or "").startswith(own) if own else not is_own(place):
            continue
        folder = path.parent
        while folder.name.lower() in _DOCS:
            folder = folder.parent
        files = projects.setdefault((folder, place.doi.prefix), {})
        claim = files.setdefault(str(path), _ProjectNames(place, set()))
        claim.names.add(place.doi)
        shown = _badges(place.block or "").names
        claim.names.update(doi for doi in shown if doi.prefix == place.doi.prefix)
    ranks = {name: rank for rank, name in enumerate(_FIELDS)}
    for files in projects.values():
        claims = [claim for claim in files.values() if len(claim.names) <= _MOST][:_FILES]
        claims.sort(key=lambda each: ranks.get(PurePath(each.first.file or "").name, len(ranks)))
        yield claims


def _groups(
    claims: Iterable[_ProjectNames], work_of: Callable[[DOI], Work | None]
) -> list[_ProjectNames]:
    """Join the claims that share a DOI name or the name of all versions."""
    groups: list[_ProjectNames] = []
    for claim in claims:
        mine = claim.names | claim.roots(work_of)
        same = [at for at, each in enumerate(groups) if mine & (each.names | each.roots(work_of))]
        joined = [groups[at] for at in same] or [claim]
        group = _ProjectNames(joined[0].first, claim.names.union(*(each.names for each in joined)))
        groups = [each for at, each in enumerate(groups) if at not in same]
        groups.insert(same[0] if same else len(groups), group)
    return groups
