"""Selects the work that a text describes from the results of a search: one, or none.

All results are similar to the text, so similarity alone says nothing. A work is accepted if the
comparison says that the text describes it, it is of the kind that the text cites, its title stands
there as a title, no year or number speaks against it, it is not another version of the work, and no
other result is accepted too. First author or journal, year, volume and page may stand for a title
that is not there. All of this is heuristic, measured in ``benchmarks/find.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from ..core.doi import DOI
from . import kinds
from .comparing import Verdict, judged
from .labels import without_label
from .numbers import number_of
from .part import BOUNDARY, Words, places_of_words
from .registered import ABOUT_WORD, REVIEW_WORD, Registered, without_links
from .states import States, venue_in
from .text import Text, content
from .work import Work

NO_NAME: Final = DOI("10.0000/0")  # of a text without a name


class Fit(NamedTuple):
    """The works that fit a text.

    :ivar sure: there is one, and it is the work
    :ivar why: what of it stands in the text; if not sure, why none is proposed
    """

    works: tuple[tuple[DOI, Work], ...] = ()
    sure: bool = False
    why: str = ""

    @property
    def doi(self) -> DOI | None:
        """The name of the work, if one is accepted."""
        return self.works[0][0] if self.sure else None

    @property
    def is_retracted(self) -> bool:
        """Whether the work is retracted, so that its name is written only on request."""
        return self.sure and self.works[0][1].status is kinds.Status.RETRACTED


_ABOUT: Final = re.compile(kinds.IS_AROUND)  # a word for a work about another one, beside its title
_APART: Final = re.compile(  # of a title: "(with discussion)", and after a title who wrote it
    r"\(with (?:discussion|comments?)[^()]*\)|(?<=[”\"’'])\sby\s.*", re.IGNORECASE
)
# The place of another work, in the title of a notice about it.
_OF_ANOTHER: Final = re.compile(r"\[[^][]{3,80}\b\d{1,4}\b[^][]{0,40}\(?(?:1[89]|20)\d\d\)?\]")
# Words by which a text names the kind of what it cites.
_CITED_AS: Final = {
    kind: re.compile(row.stem, re.IGNORECASE) for kind, row in kinds.CITED_AS.items()
}
_SERVERS: Final = re.compile(kinds.SERVERS, re.IGNORECASE)  # the servers of preprints
_ENOUGH: Final = 0.8  # of the words of a title
_MOST_OF: Final = 0.5  # of them, where first author, year and journal agree
_LIKELY: Final = 0.8  # how likely it is that a claim is a title
_SHORT: Final = 3  # words of a title that may be a part of a longer one
_SAME: Final = 0.5  # of the words of a journal
_NEARLY: Final = 0.75
_BEGINNING: Final = 60  # characters of a text in which its first author stands
_BESIDE: Final = 25  # characters of the rest of a name
# What stands before a title and after it. A comma is between people, title and journal.
_BREAK: Final = re.compile(r"[.:;,?!()\[\]\"“”„«»|¦§*_\n–—]|''|``|\s-+\s|\d\s*\Z")
# What stands between a title and a subtitle.
_SUBTITLE: Final = re.compile(r"[:?!.](?=\s)|\s[-–—]\s|(?<=[”\"’'])\sby\s")
_PLACED: Final = re.compile(  # in a volume of a journal
    r"\bvolume\W{1,9}\d|\b\d{1,4} ?\(\d{1,4}\)|\b\d{1,4}, ?(?:pp?\. ?)?\d{1,6} ?[-–]", re.IGNORECASE
)
_ON_PAGES: Final = re.compile(  # 12(3), 45 · 12: 45-67 · vol. 12, pp. 45 · 12, 45 (1999)
    r"\b\d{1,4} ?\(\d{1,4}(?:[-–/]\d{1,4})?\) ?[:,.]? ?(?:pp?\.? ?|S\. ?)?[A-Za-z]?\d"
    r"|(?<![-–\d])\b\d{1,4} ?[:,] ?(?:pp?\.? ?|S\. ?)?[A-Za-z]?\d{1,6} ?[-–]{1,2} ?[A-Za-z]?\d"
    r"|\bvol(?:ume)?\b\.? ?\d{1,4}\W.{0,30}\bpp?\b\.? ?[A-Za-z]?\d"
    r"|\b\d{1,4}, ?\d{2,6} ?\((?:1[89]|20)\d\d\)",
    re.IGNORECASE,
)
# A range of pages; after "Issue" or "No." it is none.
_PAGES: Final = re.compile(
    r"(?<![-–.(\w])(?<!ssue )(?<!o\. )(\d{1,5}) ?[-–]{1,2} ?(\d{1,5})(?![-–\d%])"
)
_IS_YEAR: Final = re.compile(r"1[5-9]\d\d|20\d\d")  # a number that may be a year
# The numbers of an entry that has only the pages of an article before it was in a volume.
_ADVANCE: Final = re.compile(rf"{BOUNDARY}\s{{1,9}}1 ?[-–]{{1,2}} ?\d{{1,3}}\s{{0,9}}\Z")
# Initials of people, if not J. for Journal, and an article.
_INITIAL: Final = re.compile(
    r"\b[A-IK-Z]\.|(?<=[a-z]) (?!J\b)[A-Z]{1,3}(?=[,;:.(]| \(| and\b| &|\Z)|\bA(?= [a-z])"
)
_ANOTHER: Final = re.compile(r";\s+(?=[A-Z])")  # what may stand between two references in one text
# What is before it is the work, and what is after it is the book or journal.
_IN: Final = re.compile(
    r"(?<=[.,;:!?”\"’')\]_¦])\s{0,9}(?:[Ii]n|[Ee]n|[Dd]ans):?\s{1,9}(?=[^a-z\s])"
)
_ROMAN: Final = frozenset("ivx")
_IN_CONTAINERS: Final = frozenset({"article-journal", "paper-conference", "chapter"})
_EDITED: Final = frozenset({"book", "report", "standard"})
_INSIDE: Final = ("in", "en", "dans")
_PLACES: Final = 3  # of them, and words after a title, that are looked at
# Words for a supplement, in the title of a record.
_SUPPLEMENT: Final = re.compile("supplementar|supporting")


def fitting(block: str, works: Iterable[tuple[DOI, Work]], doi: DOI = NO_NAME) -> Fit:
    """Select the work that a text describes from the results of a search.

    :param doi: the name in the text, which may be that of another work

    >>> work = Work.of({"title": "Handbook of Names", "author": [{"family": "Paskin"}]})
    >>> fitting("* Paskin, N. (2000). *Handbook of Names*.", [(DOI("10.1000/182"), work)]).doi
    DOI('10.1000/182')
    """
    text = Text.of(block, doi)
    ranks = {
        (name, work): rank
        for name, work in works
        if name != doi
        and (rank := _Candidate(block, name, States(text, Registered(work))).rank()).number
    }
    every = sorted(ranks, key=lambda each: -ranks[each].number)
    if not every:
        return Fit()
    best = ranks[every[0]]
    # Where journal, volume or server say which version is meant, it is that one.
    least = _VERSION if _YEAR < best.number <= _ALONE else best.number
    likely = [each for each in every if ranks[each].number >= least]
    if _has_two_works(block):
        return Fit(tuple(every), why="the text describes two works")
    if (count := len(likely)) > 1:
        return Fit(tuple(every), why=f"{'two' if count == 2 else count} works fit")
    return Fit(tuple(every[: 1 if best.is_sure else None]), best.is_sure, best.why)


# How well a work fits a text, the least first: it is of another year or release, which makes no
# other work doubtful; it is another version of the work; the text names no journal or server; it
# names the server of preprints; it names the journal, or volume and page.
_YEAR, _VERSION, _ALONE, _ON_SERVER, _IN_JOURNAL = range(1, 6)


class _Rank(NamedTuple):
    """How well a work fits a text, and what of it stands there, or speaks against it."""

    number: int
    why: str = ""
    is_sure: bool = False


@dataclass(frozen=True)
class _Candidate:
    """A text, and one of the works that were found."""

    block: str
    name: DOI
    states: States

    def rank(self) -> _Rank:
        """Rank the work by how well it fits the text; 0 if it does not."""
        states, work = self.states, self.states.record.work
        if not (self._is_of_kind() and self._is_the_work()):
            return _Rank(0)
        years, kind = states.years_between, kinds.csl_type(work.type)
        says_preprint = _SERVERS.search(self.block) is not None
        has_numbers = states.text.form["numbers"] or self.numbers_differ
        has_numbers = has_numbers and not _ADVANCE.search(states.text.plain)
        rank, why = _ALONE, ""
        host = f"{work.container} {work.publisher}"
        if work.type.lower() in kinds.PREPRINTS or _SERVERS.search(f"{host} {self.name.name}"):
            rank, is_placed = _ON_SERVER, _PLACED.search(self.block) is not None
            is_named = says_preprint or (not is_placed and self._has_venue(host) >= _NEARLY)
            if not (is_named and (self.is_in_place or self.has_id or not is_placed)):
                why = "it is a preprint, which the text is not"
        elif states.is_other_issue:
            rank, why = _YEAR, f"another year and volume are registered, {work.years[0]}"
        elif self.is_in_place:
            rank = _IN_JOURNAL if any(self.numbers) or not years else _ALONE
        elif says_preprint and not work.container:
            rank = _ON_SERVER
        # A journal may have printed what was a preprint the year before.
        elif says_preprint:
            why = "the text names a preprint"
        elif any(work.numbers) and has_numbers:
            why = "another volume or page is registered"
        elif years and (any(work.numbers) or kind in _EDITED):
            rank, why = _YEAR, f"another year is registered, {work.years[0]}"
        if self._is_other_release:
            rank, why = _YEAR, "another release is registered"
        if why:
            return _Rank(min(rank, _VERSION), why)
        if self._is_by_others:
            # Then it may be another work of the text, if its year is there.
            return _Rank(rank if years == 0 else 0, "other people are registered")
        return _Rank(rank, self._evidence(), is_sure=True)

    # ---- What of the work stands in the text.

    @cached_property
    def _words(self) -> Words:
        return Words.of(_INITIAL.sub(" ", self.states.text.plain))

    def _has_venue(self, name: str) -> float:
        return venue_in(Registered(Work(container=name)).venue, self._words)

    @cached_property
    def venue(self) -> float:
        """The share of the journal's words that the text has, in full or as it is registered."""
        work = self.states.record.work
        return max(self._has_venue(work.container), self._has_venue(work.short))

    @cached_property
    def numbers(self) -> tuple[bool, bool]:
        """Volume and pages stand in the text.

        A page of one digit alone says nothing, nor does the one on which the text's work ends.
        """
        text, work = self.states.text, self.states.record.work
        volume, first = work.numbers
        mine, theirs = _PAGES.findall(text.plain), _PAGES.findall(work.page)
        ends = {last for _, last in mine}.difference(begin for begin, _ in mine)
        is_first = len(first) > 1 and first in text.numbers and first not in ends
        has_last = any(len(last) > 1 and last in ends for _, last in theirs)
        return volume in text.numbers - {""}, is_first or has_last

    @property
    def numbers_agree(self) -> bool:
        """Those of volume and page that are registered stand in the text, and there is one."""
        registered = zip(self.states.record.work.numbers, self.numbers, strict=True)
        return any(self.numbers) and all(there for number, there in registered if number)

    @cached_property
    def numbers_differ(self) -> bool:
        """The text has other numbers, or pages as beside a notice; those from 1 on say nothing."""
        states = self.states
        return states.numbers_differ or (states.page_differs and not self.numbers[1])

    @cached_property
    def is_in_place(self) -> bool:
        """The text says where the work is: journal, or volume and page; or its release."""
        is_in = self.venue >= _SAME and not self.numbers_differ
        is_there = self.numbers_agree and self.states.years_between == 0
        return all(self.numbers) or is_in or is_there or self.states.is_release is True

    @cached_property
    def has_id(self) -> bool:
        """The text has the arXiv identifier of which the DOI name is made."""
        before, _, number = self.name.name.lower().partition("10.48550/arxiv.")
        return not before and bool(number) and number in self.block.lower()

    def _evidence(self) -> str:
        states, share = self.states, self.states.title
        fields = {
            "title": share >= _ENOUGH,
            "a part of the title": _MOST_OF <= share < _ENOUGH,
            "first author": states.first_is_there,
            "year": states.years_between == 0,
            "journal": bool(states.record.work.container) and self.venue >= _SAME,
            "volume": self.numbers[0],
            "page": self.numbers[1],
            "release": states.is_release is True,
            "arXiv identifier": self.has_id,
        }
        return ", ".join(field for field, is_there in fields.items() if is_there)

    # ---- Which kind of work the text cites.

    def _is_of_kind(self) -> bool:
        """Tell whether the work may be of the kind that the text cites, and is not around it."""
        text, work = self.states.text, self.states.record.work
        kind = kinds.csl_type(work.type)
        is_elsewhere = self.venue < _SAME and not self.numbers_agree
        titles = [content(title.folded) for title in self.states.record.titles]
        if work.type.lower() in kinds.NO_WORK or not self._is_right_notice():
            return False
        container = content(Words.of(work.container).folded)
        # Nobody's work in another journal, or the front matter of this one.
        if container and not work.names and (is_elsewhere or container in titles):
            return False
        # The text has the title of the book, and no more of that of a chapter on it.
        own = [set(each).difference(container) for each in titles if {*container} < {*each}]
        if container and any(map(text.words.distinct.isdisjoint, own)):
            return False
        if self.states.record.is_general:
            numbers = {number for number in work.numbers if number}
            has_numbers = numbers and text.numbers.difference(map(str, text.years))
            return numbers <= text.numbers if has_numbers else self.venue > _SAME
        cited = {each for each, words in _CITED_AS.items() if words.search(text.plain)}
        is_other = kind == "book" and ("review" in cited or self._is_on_pages)
        if is_elsewhere and kind in kinds.UNPLACED:
            is_other = is_other or _ON_PAGES.search(text.plain) is not None
        if is_elsewhere and kind in _IN_CONTAINERS and work.container:
            is_other = is_other or bool(cited - {kind, "review"})
        is_other = is_other or self._is_container()
        return all(self.numbers) or not is_other

    @property
    def _is_on_pages(self) -> bool:
        """The text has pages as of a chapter, from one to another."""
        pages = _PAGES.findall(self.states.text.plain)
        return any(
            int(first) < int(last) and not _IS_YEAR.fullmatch(first) for first, last in pages
        )

    def _is_right_notice(self) -> bool:
        """Tell whether the text calls itself an erratum or a review, if the work is one."""
        words, work = self.states.text.words.folded, self.states.record.work
        if work.status.is_notice:
            own, text = (without_links(each) for each in (Words.of(work.title).folded, words))
            return any(text[at : at + len(own)] == own for at in range(len(text)))
        for title in self.states.record.titles:
            first = title.folded[:4]
            for at in range(1, len(words)):
                if words[at : at + len(first)] != first:
                    continue
                end = at + len(title.folded)
                if any(map(_SUPPLEMENT.match, words[end : end + _PLACES])):
                    return False
                near = without_links(words[max(0, at - 8) : at])
                before = [each for each in near if each not in self.states.record.name_words][-1:]
                if before and ABOUT_WORD.match(before[0]) and before[0] not in title.folded:
                    # A review may be registered with the title of the book.
                    is_own = self.states.first_is_there and not self._is_by_others
                    return bool(REVIEW_WORD.match(before[0])) and is_own and self.numbers_agree
        return True

    def _is_container(self) -> bool:
        """Tell whether the text has the title only after "In", as that of the book."""
        plain, every = self.states.text.plain, self.states.record.titles
        titles = [content(title.folded) for title in every if title.folded[0] not in _INSIDE]
        for found in islice(_IN.finditer(plain), _PLACES):
            pieces = plain[: found.start()], plain[found.end() :]
            before, after = (
                max((sum(map(words.__contains__, each)) / len(each) for each in titles), default=0)
                for words in (Words.of(piece).distinct for piece in pieces)
            )
            if before < _MOST_OF <= after:
                return True
        return False

    @property
    def _is_other_release(self) -> bool:
        """Tell whether software or data have another version, or a year that says the same."""
        states, work = self.states, self.states.record.work
        if not states.has_versions or states.is_release is not None:
            return states.is_release is False
        gaps = [mine - their for mine in states.text.years for their in work.years]
        # Of software, a record may stand for all versions since the first.
        is_data = kinds.csl_type(work.type) == "dataset"
        return bool(gaps) and 0 not in gaps and (is_data or max(gaps) < -1)

    # ---- Whether it is the work.

    @cached_property
    def _is_by_others(self) -> bool:
        """The first of the people in the text is none of the work's."""
        text, strangers, record = self.states.text, self.states.strangers, self.states.record
        if text.people[:1] != strangers[:1] or not strangers or all(self.numbers):
            return False
        at = text.plain[:_BEGINNING].find(strangers[0].written)
        # The stranger may be a given name, or a key before the people.
        near = Words.of(text.plain[: at + len(strangers[0].written) + _BESIDE]).distinct
        given = Words.of(" ".join(each.given or "" for each in record.work.people)).distinct
        return at >= 0 and near.isdisjoint(record.name_words | given)

    def _is_sibling(self) -> bool:
        """Tell whether the text has a title of which both sides lack two words of the other."""
        own, titles = self.states.claimed_title[0], self.states.record.titles
        mine = set(own.words) if own and own.likely >= _NEARLY else set()
        words = self.states.text.words.distinct
        theirs = min((set(content(title.folded)) - words for title in titles), key=len, default=())
        return len(theirs) > 1 and len(mine - self.states.record.in_titles) > 1

    def _is_the_work(self) -> bool:
        """Tell whether the text has title and no other year, or journal, volume, page and year."""
        states = self.states
        verdict = judged(states)[0]
        if verdict is Verdict.OTHER or (states.title > _SAME and _is_about(states)):
            return False
        is_year = states.years_between == 0
        nobody_else = any(states.names_present) or not states.strangers
        is_there = states.first_is_there or (self.venue >= _NEARLY and nobody_else)
        own = states.claimed_title[0] if states.title < _SAME else None
        has_other = own and own.marked and own.likely >= _LIKELY
        by_page = self.numbers[1] and self.numbers_agree and is_year and is_there and not has_other
        if by_page or (self.has_id and states.first_is_there):
            return True
        placed = is_year and self.venue >= _SAME and states.first_is_there
        placed = placed and not (self.numbers_differ or self._is_sibling())
        is_late = states.year_differs and not self.numbers_agree
        is_told = is_year or any(states.names_present)
        is_same = (
            verdict is Verdict.SAME and is_told and not is_late and not states.has_other_people
        )
        return is_same and _has_title(states, _MOST_OF if placed else _ENOUGH)


def _is_about(states: States) -> bool:
    """Tell whether the title has more words of a notice, a review or the like than the text."""
    work, text = states.record.work, states.text
    title = without_label(work.title) if work.status is kinds.Status.RETRACTED else work.title
    if _OF_ANOTHER.search(title) and not _OF_ANOTHER.search(text.plain):
        return True
    about, there = (
        Counter(stem[0] for word in words if (stem := _ABOUT.match(word)))
        for words in (Words.of(_APART.sub("", title)).folded, text.words.folded)
    )
    return not about <= there


def _has_two_works(block: str) -> bool:
    """Tell whether the text describes two works, with a semicolon between them."""
    first, *others = (Text.of(part, NO_NAME) for part in _ANOTHER.split(block)[:4])
    return bool(first.years) and any(each.years and each.people for each in others)


def _has_title(states: States, enough: float) -> bool:
    """Tell whether the text has a registered title with its numerals, or a part as a title."""
    text = states.text
    for title, (share, size) in zip(states.record.titles, states.shares, strict=True):
        if not (states.has_versions or _has_numerals(text, title)):
            continue
        if share >= enough and (size > _SHORT or _behind(text.plain, title.folded)):
            return True
    return _has_main_title(states)


def _has_main_title(states: States) -> bool:
    """Tell whether the text has only the title up to its subtitle, or only the subtitle."""
    parts = [
        Words.of(part).folded
        for title in states.record.work.titles
        if _has_numerals(states.text, Words.of(title))
        for part in _SUBTITLE.split(title)
    ]
    behind = (_behind(states.text.plain, each) for each in parts if len(content(each)) > 1)
    return any(":" not in (each or ":") for each in behind)


def _has_numerals(text: Text, title: Words) -> bool:
    """Tell whether a text has the numbers of a title that are written in digits or as Roman."""
    written = (word for word in title.distinct if word.isdecimal() or set(word) <= _ROMAN)
    return {*map(number_of, written)} <= {"", *map(number_of, text.words.distinct)}


def _behind(text: str, title: tuple[str, ...]) -> str | None:
    """Return the text after a title, if its words are adjacent and punctuation encloses them."""
    text, places = places_of_words(text)
    folded = [word for word, _, _ in places]
    for at in range(len(folded) - len(title) + 1):
        after = at + len(title)
        if tuple(folded[at:after]) == title:
            before = text[places[at - 1][1] : places[at][1]] if at else "."
            behind = text[places[after - 1][2] : places[after][1]] if after < len(places) else "."
            if _BREAK.search(before) and _BREAK.search(behind):
                return behind
    return None
