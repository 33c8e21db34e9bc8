"""The places of names that comments of their authors silence, and the comments that are wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from ...core.doi import DOI
from ...core.found import SILENT, Found, IgnoreComment, IgnoredLines, Listed
from ...core.nameless import NoName
from ..net import Outcome
from .problems import ExtraCheck, Places, Problem, Resolution, Severity

# --------------------------------------------------------------------------------------------------
# The names that are known not to resolve: those of ``check_ignore``, and silenced ones.


class Expected:
    """The names that are expected not to resolve: entries of ``check_ignore``, silenced names."""

    def __init__(self, entries: Iterable[str], places: Collection[DOI]) -> None:
        self.listed = Listed(entries)
        self._places = places
        names = (each for each in self.listed.names if not isinstance(each, NoName))
        self.names = sorted(names, key=str)

    def covers(self, doi: DOI, outcome: Outcome) -> bool:
        """Tell whether a name is expected not to resolve."""
        # Among the names of a family some may resolve; a name that is listed itself must not.
        if outcome is Outcome.FOUND:
            return doi in self.listed.names
        return doi in self.listed or doi not in self._places

    def stale_names(self, resolutions: Mapping[DOI, Resolution]) -> list[DOI]:
        """Return the listed DOI names that are in no document, but resolve."""
        others = (doi for doi in self.names if doi not in self._places)
        return [doi for doi in others if _is_found(resolutions, doi)]

    def stale_families(self, resolutions: Mapping[DOI, Resolution]) -> list[str]:
        """Return the families of which every name in the documents resolves."""
        stale: dict[str, bool] = {}
        for doi in self._places:
            for family in self.listed.families_of(doi):
                stale[family] = stale.get(family, True) and _is_found(resolutions, doi)
        return [family for family, is_stale in stale.items() if is_stale]


def _is_found(resolutions: Mapping[DOI, Resolution], doi: DOI) -> bool:
    return doi in resolutions and resolutions[doi].outcome is Outcome.FOUND


class IgnoreComments:
    """The places that comments of the documents silence.

    :ivar names: the names with a place that is silenced
    """

    def __init__(self, silences: Iterable[IgnoreComment]) -> None:
        self._comments = tuple(silences)
        self._lines = IgnoredLines(self._comments)
        self._places: dict[int, list[Found]] = {}  # two comments without a place are equal
        self.names: dict[DOI, None] = {}

    def takes(self, place: Found) -> bool:
        """Tell whether a comment silences a place or its line, and keep such a place."""
        comment = place.silence or self._lines.comment_on(place)
        if comment is None:
            return False
        self._places.setdefault(id(comment), []).append(place)
        if not isinstance(place.doi, NoName):
            self.names[place.doi] = None
        return True

    def problems(
        self, resolutions: Mapping[DOI, Resolution], places: Places, extra: ExtraCheck
    ) -> Iterator[Problem]:
        """Yield the problems of the comments themselves; no comment silences any of ``places``."""
        hides = extra.hides([*chain.from_iterable(self._places.values())], places)
        for each in self._comments:
            if each.word != SILENT:
                code = "doi-unknown-comment"
                words = f"unknown comment: doilinks: {each.word} (write doilinks: {SILENT})"
            else:
                silent = self._places.get(id(each), ())
                if not silent and each.open:
                    continue
                if any(
                    not _is_found(resolutions, place.doi)
                    or place.other is not None
                    or place.form == "target"
                    or hides(place)
                    for place in silent
                ):
                    continue
                code = "doi-stale-comment"
                words = f"silences nothing: doilinks: {SILENT} (remove this comment)"
            yield Problem(Severity.WARNING, code, words, file=each.file, line=each.line)
