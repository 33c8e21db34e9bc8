"""The works that a page or a project mentions, in order, and the texts of citations and lists.

A host collects a :class:`Mention` for each link and citation, makes one :class:`References` of
them, and builds nodes of its texts::

    references = References(known_works.work, mentions, citations, style=style)
    format_all([references])      # with those of other pages, where there are any
    references.words(cluster)     # the pieces of a citation, some of them links to an entry
    references.entries            # the list
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Final, Literal, NamedTuple
from unicodedata import combining, normalize

from ..core.nameless import WorkId
from ..lock.bib_files import is_unknown
from ..record.language import ENGLISH, Language
from ..record.words import StyledText, authors_of, reference, told_in_text, year_of
from ..record.work import Work
from .citations import Cluster

Order = Literal["names", "places", "years"]
ORDERS: Final[tuple[Order, ...]] = ("names", "places", "years")


class Mention(NamedTuple):
    """A place that cites or links a work."""

    doi: WorkId
    anchor: str = ""  # the id of the place in its page, for the link back; ``""`` if it has none
    page: str = ""  # the page, as the host names it
    cited: bool = True  # whether it is a citation, and not a link


class Piece(NamedTuple):
    """A piece of a citation."""

    runs: tuple[StyledText, ...]
    doi: WorkId | None = None  # the work that it leads to

    @classmethod
    def of(cls, text: str, doi: WorkId | None = None) -> Piece:
        """Build a piece without styles."""
        return cls((StyledText(text),) if text else (), doi)

    @property
    def text(self) -> str:
        """The text, without its styles."""
        return "".join(run.text for run in self.runs)


class Back(NamedTuple):
    """A link back to a place that mentions a work."""

    mention: Mention
    before: str  # the text before the link
    text: str  # the text of the link
    label: str  # what a screen reader says


class Entry(NamedTuple):
    """A work in a list of references."""

    doi: WorkId
    work: Work | None  # None if it is not known
    anchor: str  # the id of the entry
    runs: Sequence[StyledText]
    mentions: Sequence[Mention]  # the places to which links lead back
    back: str = ENGLISH.back  # what a screen reader says of such a link
    after: Sequence[StyledText] = ()  # the text after the link to the work, if that is not the end

    @property
    def text(self) -> Sequence[StyledText]:
        """The text, with the name where the link is if that is not the end."""
        return (*self.runs, StyledText(self.doi.uri), *self.after) if self.after else self.runs

    @property
    def backs(self) -> list[Back]:
        """The links back to the places that have an id, numbered if there are several.

        Of many, the first ones and the last one, whose number says how many there are.

        >>> from doilinks import DOI
        >>> places = [Mention(DOI("10.1000/182"), f"at-{at}") for at in range(20)]
        >>> def shown(mentions):
        ...     backs = Entry(DOI("10.1000/182"), None, "", (), mentions).backs
        ...     return "".join(back.before + back.text for back in backs)
        >>> shown(places[:1]), shown(places[:2]), shown(places)
        (' ↩', ' ↩ 1 2', ' ↩ 1 2 3 … 20')
        """
        places = [mention for mention in self.mentions if mention.anchor]
        if len(places) == 1:
            return [Back(places[0], " ", "↩", self.back)]
        backs = [
            Back(place, " " if at > 1 else " ↩ ", str(at), f"{self.back}, {at}")
            for at, place in enumerate(places, 1)
        ]
        if len(backs) > _BACKS:
            backs[3:] = [backs[-1]._replace(before=" … ")]
        return backs


_BACKS: Final = 6  # links of an entry

# Stands in an entry for the link to the work. No record contains a private character.
LINK: Final = StyledText("\uf8ff")


class Formatted(NamedTuple):
    """Citations and a list in a style of CSL."""

    citations: Mapping[Cluster, Sequence[Piece]]
    entries: Mapping[WorkId, Sequence[StyledText]]
    is_numbered: bool  # whether citations lead to numbers in the list


# Formats the citations and lists of several pages at once; None is the style that is built in.
Style = Callable[[Sequence["References"]], Sequence[Formatted | None]] | None


def format_all(every: Iterable[References]) -> None:
    """Format many pages with one call of each style, where each page would be a call."""
    by_style: dict[Style, list[References]] = {}
    for each in every:
        by_style.setdefault(each.style if each.works else None, []).append(each)
    for style, group in by_style.items():
        for each, formatted in zip(group, style(group) if style else (), strict=False):
            each.formatted = formatted


class References:
    """The works of a page or a project; ``mentions`` are in the order of the documents.

    ``same`` returns the name that a name stands for, ``uri`` the text for a name without a work.
    """

    def __init__(
        self,
        work_of: Callable[[WorkId], Work | None],
        mentions: Iterable[Mention],
        citations: Iterable[Cluster] = (),
        order: Order = "names",
        style: Style = None,
        uri: Callable[[WorkId], str] = lambda doi: doi.uri,
        same: Callable[[WorkId], WorkId] = lambda doi: doi,
        language: Language = ENGLISH,
    ) -> None:
        self._same = same
        self._mentions: dict[WorkId, list[Mention]] = {}
        for mention in mentions:
            if not is_unknown(mention.doi):
                self._mentions.setdefault(same(mention.doi), []).append(mention)
        self._work_of, self._citations, self._uri = work_of, citations, uri
        self.order, self.style, self.language = order, style, language

    @cached_property
    def works(self) -> dict[WorkId, Work]:
        """The works that are known, in the order of their first places."""
        every = ((doi, self._work_of(doi)) for doi in self._mentions)
        return {doi: work for doi, work in every if work is not None}

    @cached_property
    def citations(self) -> list[Cluster]:
        """The citations whose works are all known, each once."""
        every = (unit for cluster in self._citations for unit in self._units(cluster))
        works = self.works.keys()
        return [
            unit for unit in dict.fromkeys(every) if all(cite.doi in works for cite in unit.cites)
        ]

    def _units(self, cluster: Cluster) -> list[Cluster]:
        """Replace aliases in a citation, and split it by work if it is part of a sentence."""
        cites = tuple(cite._replace(doi=self._same(cite.doi)) for cite in cluster.cites)
        parts = [(cite,) for cite in cites] if cluster.narrative else [cites]
        return [Cluster(0, 0, part, cluster.narrative) for part in parts]

    @cached_property
    def formatted(self) -> Formatted | None:
        """The citations and the list in the style of CSL; None in the plain style."""
        return next(iter(self.style([self])), None) if self.style and self.works else None

    @property
    def is_numbered(self) -> bool:
        """Whether citations say the number that a work has in the list."""
        return self.formatted.is_numbered if self.formatted else self.order == "places"

    def changes(self, group: Cluster) -> bool:
        """Tell whether the style has to write the whole group, not only each link."""
        others = self.formatted or self.is_numbered
        return bool(others) or any(is_unknown(cite.doi) for cite in group.cites)

    @cached_property
    def _in_order(self) -> list[WorkId]:
        """The works that are known, in the order of the list in the plain style."""
        works = self.works
        if self.order == "places":
            return [*works]
        names = sorted(works, key=lambda doi: _key(doi, works[doi]))
        return self._latest_first(names) if self.order == "years" else names

    def _latest_first(self, names: Iterable[WorkId]) -> list[WorkId]:
        return sorted(names, key=lambda doi: -max(self.works[doi].years[:1], default=0))

    @cached_property
    def _letters(self) -> dict[WorkId, str]:
        # They go down the list, as suffixes of years do in CSL 1.0.2.
        alike: dict[tuple[str, str], list[WorkId]] = {}
        for doi in self._in_order:
            if any(mention.cited for mention in self._mentions[doi]):
                work = self.works[doi]
                key = authors_of(work, self.language).casefold(), year_of(work, self.language)
                alike.setdefault(key, []).append(doi)
        return {
            doi: ("" if self.works[doi].years else "-") + _letter(at)  # n.d.-a
            for works in alike.values()
            if len(works) > 1
            for at, doi in enumerate(works)
        }

    @cached_property
    def _numbers(self) -> dict[WorkId, str]:
        return {each.doi: str(at) for at, each in enumerate(self.entries, 1)}

    def words(self, cluster: Cluster) -> list[Piece]:
        """Return the pieces of a citation. Each work has at least one."""
        styled = self.formatted.citations if self.formatted else {}
        pieces: list[Piece] = []
        units = self._units(cluster)
        for at, unit in enumerate(units, 1):
            pieces += styled.get(unit) or self._plain(unit)
            if at < len(units):  # of a role that is a part of the sentence
                last = at + 1 == len(units)
                pieces.append(Piece.of(self.language.two.replace("{}", "") if last else ", "))
        names = {self._same(cite.doi): cite.doi for cite in cluster.cites}
        joined: list[Piece] = []
        for piece in pieces:
            doi = piece.doi and names[piece.doi]
            if joined and doi is None and joined[-1].doi is None:
                joined[-1] = Piece(joined_runs((*joined[-1].runs, *piece.runs)))
            elif piece.runs or doi:
                joined.append(piece._replace(doi=doi))
        return joined

    def link_words(self, cluster: Cluster) -> Piece:
        """Return the text of the link to a work that is alone in a citation."""
        return next((piece for piece in self.words(cluster) if piece.doi), Piece(()))

    def _plain(self, unit: Cluster) -> list[Piece]:
        stays = any(is_unknown(cite.doi) for cite in unit.cites)
        begin, end = "[]" if self.is_numbered or stays else "()"
        pieces = [Piece.of(begin)]
        for cite in unit.cites:
            work = self._work_of(cite.doi)
            people = authors_of(work, self.language) if work and not cite.year_only else ""
            said = self._year(cite.doi, work) if work else self._uri(cite.doi)
            if unit.narrative:  # it is alone
                said = f"{begin}{said}{cite.after}{end}" if work else said + cite.after
                return [Piece.of(f"{people} {said}" if people else said, cite.doi)]
            said = f"{people}, {said}" if people and not self.is_numbered else said
            pieces += [
                Piece.of(f"{cite.before} " if cite.before else ""),
                Piece.of(said, None if is_unknown(cite.doi) else cite.doi),
                Piece.of(f"{cite.after}; "),
            ]
        pieces[-1] = Piece.of(pieces[-1].text.removesuffix("; ") + end)
        return pieces

    def _year(self, doi: WorkId, work: Work) -> str:
        """Return the year of a work with its letter, or its number if the list is numbered."""
        number = self._numbers.get(doi, "") if self.is_numbered else ""
        dated = number or year_of(work, self.language) + self._letters.get(doi, "")
        return dated + told_in_text(work, self.language)

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The list. Works that are not known come last."""
        works = self.works
        if self.formatted:
            runs = self.formatted.entries
        else:
            runs = {
                doi: reference(doi, works[doi], self._letters.get(doi, ""), self.language)
                for doi in self._in_order
            }
        names = [*runs]
        if self.formatted and self.order == "years" and not self.is_numbered:
            names = self._latest_first(names)
        every = [*names, *(doi for doi in self._mentions if doi not in works)]
        made = []
        for doi in every:
            text, work = [*runs.get(doi, ())], works.get(doi)
            at = text.index(LINK) if LINK in text else len(text)
            back, before, after = self.language.back, text[:at], text[at + 1 :]
            made.append(Entry(doi, work, anchor_of(doi), before, self._mentions[doi], back, after))
        return made


def _key(doi: WorkId, work: Work) -> tuple[str, int, str, str]:
    names = _letters(" ".join(each.family for each in work.persons)) or _letters(work.title)
    return names, next(iter(work.years), 9999), work.title.casefold(), doi.folded


# Letters that do not decompose are sorted as those that they are made of; an apostrophe is none.
_MADE_OF: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"}
    | dict.fromkeys("'’‘`´ʻʼʹ", "")
)


def _letters(text: str) -> str:
    folded = text.casefold().translate(_MADE_OF)
    if text.isascii():
        return folded
    return "".join(each for each in normalize("NFKD", folded) if not combining(each))


def _letter(at: int) -> str:
    """Convert a number, counted from 0, to a letter or letters.

    >>> [_letter(at) for at in (0, 25, 26, 702)]
    ['a', 'z', 'aa', 'aaa']
    """
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def joined_runs(runs: Iterable[StyledText]) -> tuple[StyledText, ...]:
    """Join neighbouring runs of the same style, and leave out empty ones."""
    shown = (run for run in runs if run.text)
    alike = groupby(shown, key=lambda run: run.styles)
    return tuple(StyledText("".join(run.text for run in group), styles) for styles, group in alike)


# A name that makes an id of its own, so that no hash is needed.
_PLAIN: Final = re.compile(r"10[.0-9]*/[a-z0-9]+")
_NOT_IN_ID: Final = re.compile("[^a-z0-9]+")  # docutils makes one hyphen of these


def anchor_of(doi: WorkId) -> str:
    """Return the permanent id of an entry: letters, digits and hyphens, as docutils requires.

    A name that this would make like another one gets a hash.
    """
    name = doi.folded
    slug = _NOT_IN_ID.sub("-", name[:60].lower()).strip("-")
    if len(name) <= 60 and _PLAIN.fullmatch(name):
        return f"doi-{slug}"
    from hashlib import sha1  # rarely needed

    digest = sha1(name.encode(), usedforsecurity=False).hexdigest()
    return f"doi-{slug}-{digest[:8]}"


def place_of(doi: WorkId, number: int) -> str:
    """Return the id of the place of a mention of a work; the first on a page has number 1."""
    return f"at-{anchor_of(doi)}-{number}"
