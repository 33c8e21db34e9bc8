"""Which works a page or a project cites and links, in which order, and what citations of them say.

A host collects a :class:`Mention` for each link and citation, makes one :class:`References` of
them, and builds nodes of what that says::

    references = References(shelf.work, mentions)
    references.words(cluster)     # the pieces of a citation, some of them links to an entry
    references.entries            # the list
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final, Literal, NamedTuple
from unicodedata import combining, normalize

from ...checking.record.work import Work
from ...core.doi import DOI
from .citations import Cite, Cluster
from .language import ENGLISH, Language
from .words import Run, authors_of, reference, told_in_text, year_of

Order = Literal["names", "places"]
ORDERS: Final[tuple[Order, ...]] = ("names", "places")


class Mention(NamedTuple):
    """A place that cites or links a work.

    :ivar doi: its name
    :ivar anchor: the id of the place in its page, for the link back; ``""`` if it has none
    :ivar page: the page, as the host names it
    :ivar cited: whether it is a citation, and not a link
    """

    doi: DOI
    anchor: str = ""
    page: str = ""
    cited: bool = True


class Piece(NamedTuple):
    """A piece of a citation.

    :ivar text: plain text
    :ivar doi: the work that it leads to
    """

    text: str
    doi: DOI | None = None


class Back(NamedTuple):
    """A link back to a place that mentions a work.

    :ivar before: the text before the link
    :ivar text: the text of the link
    :ivar label: what a screen reader says
    """

    mention: Mention
    before: str
    text: str
    label: str


class Entry(NamedTuple):
    """A work in a list of references.

    :ivar doi: its name
    :ivar work: None if it is not known
    :ivar anchor: the id of the entry
    :ivar runs: what the list shows, without the link to the DOI; nothing if it is not known
    :ivar mentions: the places to which links lead back
    :ivar back: what a screen reader says of such a link
    """

    doi: DOI
    work: Work | None
    anchor: str
    runs: Sequence[Run]
    mentions: Sequence[Mention]
    back: str = ENGLISH.back

    @property
    def backs(self) -> list[Back]:
        """The links back to the places that have an id, numbered if there are several.

        Of many, the first ones and the last one, whose number says how many there are.

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

Works = Sequence[tuple[DOI, Work, str]]
Style = Callable[[Works, Language], Sequence[Sequence[Run]]]


def plain_style(works: Works, language: Language = ENGLISH) -> Sequence[Sequence[Run]]:
    """The references in the style that is built in."""
    return [reference(*each, language) for each in works]


class References:
    """The works of a page or a project.

    :param work_of: gives the work of a name, None if it is not known
    :param mentions: the places in the order of the documents
    :param order: of the list, by the names of people or by the first place
    :param style: formats the references
    :param uri: how a citation shows a name whose work is not known
    :param same: gives the name that a name stands for; both are one work
    :param language: of those who read the page
    """

    def __init__(
        self,
        work_of: Callable[[DOI], Work | None],
        mentions: Iterable[Mention],
        order: Order = "names",
        style: Style = plain_style,
        uri: Callable[[DOI], str] = lambda doi: doi.uri,
        same: Callable[[DOI], DOI] = lambda doi: doi,
        language: Language = ENGLISH,
    ) -> None:
        self._same = same
        self._mentions: dict[DOI, list[Mention]] = {}
        for mention in mentions:
            self._mentions.setdefault(same(mention.doi), []).append(mention)
        self._work_of, self._order, self._style, self._uri = work_of, order, style, uri
        self._language = language

    @cached_property
    def letters(self) -> dict[DOI, str]:
        """The letter after the year of each cited work that would be cited as another one is."""
        alike: dict[tuple[str, str], list[tuple[str, DOI]]] = {}
        for doi, mentions in self._mentions.items():
            work = self._work_of(doi)
            if work is not None and any(mention.cited for mention in mentions):
                key = self._authors(work).casefold(), self._year(work)
                alike.setdefault(key, []).append((work.title.casefold(), doi))
        return {
            doi: _letter(at)
            for works in alike.values()
            if len(works) > 1
            for at, (_, doi) in enumerate(sorted(works))
        }

    def letter(self, doi: DOI) -> str:
        """The letter after the year of a work, or ``""``."""
        return self.letters.get(self._same(doi), "")

    def words(self, cluster: Cluster) -> list[Piece]:
        """The pieces of a citation.

        >>> from .citations import parse
        >>> of = {DOI("10.1000/182"): Work(("DOI Handbook",), ("Paskin",), (2000,))}.get
        >>> def said(text):
        ...     [cluster] = parse(text)
        ...     return "".join(piece.text for piece in References(of, []).words(cluster))
        >>> said("[see @doi:10.1000/182, p. 3; @doi:10.1000/183]")
        '(see Paskin, 2000, p. 3; doi:10.1000/183)'
        >>> said("@doi:10.1000/182"), said("-@doi:10.1000/182 [p. 3]")
        ('Paskin (2000)', '(2000, p. 3)')
        """
        if cluster.narrative:
            return [self._narrative(cite) for cite in cluster.cites]
        pieces = [Piece("(")]
        for cite in cluster.cites:
            pieces.append(Piece(f"{cite.before} " if cite.before else ""))
            pieces.append(Piece(self._in_brackets(cite), cite.doi))
            pieces.append(Piece(f"{cite.after}; "))
        pieces[-1] = Piece(pieces[-1].text.removesuffix("; ") + ")")
        return _joined(pieces)

    def _in_brackets(self, cite: Cite) -> str:
        work = self._work_of(cite.doi)
        if work is None:
            return self._uri(cite.doi)
        year = self._dated(cite.doi, work)
        return year if cite.year_only else f"{self._authors(work)}, {year}"

    def _narrative(self, cite: Cite) -> Piece:
        work = self._work_of(cite.doi)
        if work is None:
            return Piece(self._uri(cite.doi) + cite.after, cite.doi)
        year = f"({self._dated(cite.doi, work)}{cite.after})"
        return Piece(year if cite.year_only else f"{self._authors(work)} {year}", cite.doi)

    def _authors(self, work: Work) -> str:
        return authors_of(work, self._language)

    def _dated(self, doi: DOI, work: Work) -> str:
        return self._year(work) + self.letter(doi) + told_in_text(work, self._language)

    def _year(self, work: Work) -> str:
        return year_of(work, self._language)

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The list. Works that are not known come last."""
        every = [(doi, self._work_of(doi)) for doi in self._mentions]
        known = [(doi, work) for doi, work in every if work is not None]
        if self._order == "names":
            known.sort(key=lambda each: _key(*each))
        styled = self._style(
            [(*each, self.letters.get(each[0], "")) for each in known], self._language
        )
        runs = dict(zip((doi for doi, _ in known), styled, strict=True))
        names = [doi for doi, _ in known] + [doi for doi, work in every if work is None]
        return [
            Entry(
                doi,
                self._work_of(doi),
                anchor_of(doi),
                runs.get(doi, ()),
                self._mentions[doi],
                self._language.back,
            )
            for doi in names
        ]


def _key(doi: DOI, work: Work) -> tuple[str, int, str, DOI]:
    names = _letters(" ".join(work.names)) or _letters(work.title)
    return names, next(iter(work.years), 9999), work.title.casefold(), doi


def _letters(text: str) -> str:
    """A text by which a list is sorted: without case and accents.

    >>> _letters("Ångström")
    'angstrom'
    """
    if text.isascii():
        return text.casefold()
    return "".join(each for each in normalize("NFKD", text.casefold()) if not combining(each))


def _letter(at: int) -> str:
    """The letter of a number, counted from 0.

    >>> [_letter(at) for at in (0, 25, 26, 702)]
    ['a', 'z', 'aa', 'aaa']
    """
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and piece.doi is None and joined[-1].doi is None:
            joined[-1] = Piece(joined[-1].text + piece.text)
        elif piece.text:
            joined.append(piece)
    return joined


_PLAIN: Final = re.compile(r"10[.0-9]*/[a-z0-9]+")
_NOT_IN_ID: Final = re.compile("[^a-z0-9]+")


def anchor_of(doi: DOI) -> str:
    """The id of an entry, the same for ever: of letters, digits and hyphens as docutils wants ids.

    A name that this would make like another one gets a hash.

    >>> anchor_of(DOI("10.1000/182")), anchor_of(DOI("10.1000/1-82"))
    ('doi-10-1000-182', 'doi-10-1000-1-82-9f54ea44')
    """
    name = doi.folded
    slug = _NOT_IN_ID.sub("-", name[:60]).strip("-")
    if len(name) <= 60 and _PLAIN.fullmatch(name):
        return f"doi-{slug}"
    from hashlib import sha1  # rarely needed

    digest = sha1(name.encode(), usedforsecurity=False).hexdigest()
    return f"doi-{slug}-{digest[:8]}"


def place_of(doi: DOI, number: int) -> str:
    """The id of the place that mentions a work, the first of a page with number 1.

    >>> place_of(DOI("10.1000/182"), 2)
    'at-doi-10-1000-182-2'
    """
    return f"at-{anchor_of(doi)}-{number}"
