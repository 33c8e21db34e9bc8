"""The names that are known not to resolve: those of ``check_ignore``, and silenced ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ..core.doi import DOI
from ..core.listed import Listed
from .record import Outcome
from .result import Resolution

__all__ = ["Expected"]


class Expected:
    """What does not fail a check although it does not resolve.

    :param entries: of ``check_ignore``
    :param places: the names with a place that no comment silences
    :ivar names: those that are listed one by one
    """

    def __init__(self, entries: Iterable[str], places: Collection[DOI]) -> None:
        self._listed = Listed(entries)
        self._places = places
        self.names = sorted(self._listed.names, key=str)

    def covers(self, doi: DOI, outcome: Outcome) -> bool:
        """Whether it is known that a name does not resolve."""
        # Among the names of a family some may resolve; a name that is listed itself must not.
        if outcome is Outcome.FOUND:
            return doi in self._listed.names
        return doi in self._listed or doi not in self._places

    def stale_elsewhere(self, known: Mapping[DOI, Resolution]) -> list[DOI]:
        """The names that are listed and in no document, but resolve."""
        return [doi for doi in self.names if doi not in self._places and _is_found(known, doi)]

    def stale_families(self, known: Mapping[DOI, Resolution]) -> list[str]:
        """The families of which every name in the documents resolves."""
        stale: dict[str, bool] = {}
        for doi in self._places:
            for family in self._listed.families_of(doi):
                stale[family] = stale.get(family, True) and _is_found(known, doi)
        return [family for family, is_stale in stale.items() if is_stale]


def _is_found(known: Mapping[DOI, Resolution], doi: DOI) -> bool:
    return doi in known and known[doi].outcome is Outcome.FOUND
