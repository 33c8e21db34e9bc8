"""Names with texts that describe different works: of every check, without asking anybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from ..core.doi import DOI
from ..core.found import Found
from ..core.listed import Listed
from ..works.two import place_of, two_works
from .result import Problem, Resolution, Severity

__all__ = ["TwoWorks"]


class TwoWorks:
    """What the texts around the names of a check say about each other.

    :param accepted: the entries of ``check_accept``
    :ivar problems: one for each place with another work than most places of this name have
    :ivar accepted: the names of which a problem is accepted
    """

    def __init__(
        self,
        places: Mapping[DOI, Iterable[Found]],
        resolutions: Mapping[DOI, Resolution],
        accepted: Iterable[str],
    ) -> None:
        self.problems: list[Problem] = []
        self.accepted: list[DOI] = []
        listed = Listed(accepted)
        for place, other in two_works(chain.from_iterable(places.values())):
            doi = place.doi
            if doi in listed:
                self.accepted.append(doi)
                continue
            words = f"two works: {doi.uri} stands for another reference at {place_of(other)}"
            at = (place.file, place.line, place.column)
            known = resolutions.get(doi)
            self.problems.append(Problem(Severity.WARNING, "doi-two-works", words, doi, known, *at))
