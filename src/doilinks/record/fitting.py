"""Selects the work that a text describes from the results of a search: one, or none.

All results are similar to the text, so similarity alone says nothing. A work is accepted if the
comparison says that the text describes it, its title stands there as a title, no year speaks
against it, it is not another version of the work, and no other result is accepted too. First author
or journal, year, volume and page may stand for a title that is not there.
All of this is heuristic, measured in ``benchmarks/find.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from ..core.doi import DOI
from .comparing import Verdict, judged
from .kinds import IS_ABOUT, IS_AROUND, NO_WORK, PREPRINTS
from .part import Words, places_of_words
from .states import Registered, States, venue_in
from .text import Text, content
from .work import Work

NO_NAME: Final = DOI("10.0000/0")  # of a text without a name


class Fit(NamedTuple):
    """The works that fit a text; ``sure`` if there is one, and it is the work."""

    works: tuple[tuple[DOI, Work], ...] = ()
    sure: bool = False

    @property
    def doi(self) -> DOI | None:
        """The name of the work, if one is accepted."""
        return self.works[0][0] if self.sure else None


_NOTICE: Final = re.compile(IS_ABOUT)
_ABOUT: Final = re.compile(IS_AROUND)
_WITH_DISCUSSION: Final = re.compile(r"\(with (?:discussion|comments?)[^()]*\)", re.IGNORECASE)
_LINKS: Final = frozenset({"to", "on", "of", "for", "the", "notice", "note", "concern"})
_SERVERS: Final = re.compile(
    r"\b(?:(?:arx|biorx|medrx|chemrx|psyarx)iv|pre-?print|ssrn)|(?-i:\bDiscuss(?:ions?)?\b(?! of))",
    re.IGNORECASE,
)
_ENOUGH: Final = 0.8  # of the words of a title
_MOST_OF: Final = 0.5  # of them, where first author, year and journal agree
_LIKELY: Final = 0.8  # how likely it is that a claim is a title
_SHORT: Final = 3  # words of a title that may be a part of a longer one
_SAME: Final = 0.5  # of the words of a journal
_NEARLY: Final = 0.75
# What stands before a title and after it. A comma is between people, title and journal.
_BREAK: Final = re.compile(r"[.:;,?!()\[\]\"“”„«»|¦§*_\n–—]|''|``|\s-+\s|\d\s*\Z")
_SUBTITLE: Final = re.compile(r"[:?!.](?=\s)|\s[-–—]\s")
_ROMAN: Final = re.compile(r"(?=[ivx])x{0,2}(?:ix|iv|v?i{0,3})\Z")
_PLACED: Final = re.compile(  # in a volume of a journal
    r"\bvolume\W{1,9}\d|\b\d{1,4} ?\(\d{1,4}\)|\b\d{1,4}, ?(?:pp?\. ?)?\d{1,6} ?[-–]", re.IGNORECASE
)
_PAGES: Final = re.compile(r"(?<![-–.(\d])(\d{1,5}) ?[-–]{1,2} ?(\d{2,5})(?![-–\d%])")
_PAGE: Final = re.compile(r"(?!1\b)\d{1,5}(?: ?[-–]{1,2} ?\d{2,5})?")
_INITIAL: Final = re.compile(r"\b[A-IK-Z]\.")  # of people, if not J. for Journal
_ANOTHER: Final = re.compile(r";\s+(?=[A-Z])")


def fitting(block: str, works: Iterable[tuple[DOI, Work]], doi: DOI = NO_NAME) -> Fit:
    """Select the work that a text describes from the results of a search.

    :param doi: the name in the text, which may be that of another work

    >>> work = Work.of({"title": "Handbook of Names", "author": [{"family": "Paskin"}]})
    >>> fitting("* Paskin, N. (2000). *Handbook of Names*.", [(DOI("10.1000/182"), work)]).doi
    DOI('10.1000/182')
    """
    text = Text.of(block, doi)
    found: dict[int, list[tuple[DOI, Work]]] = {}
    for name, work in works:
        if name != doi and (rank := _rank(States(text, Registered(work)), block, name)):
            found.setdefault(rank, []).append((name, work))
    every = tuple(each for rank in sorted(found, reverse=True) for each in found[rank])
    best = max(found, default=0)
    # Where journal, volume or server say which version is meant, it is that one.
    sure = best > _VERSION and len(found[best] if best > _ALONE else every) == 1
    if not sure or _has_two_works(block):
        return Fit(every)
    return Fit(every[:1], sure=True)


# How well a work fits a text, the least first: it is another version of the work; the text names
# no journal or server; it names the server of preprints; it names the journal, or volume and page.
_VERSION, _ALONE, _ON_SERVER, _IN_JOURNAL = range(1, 5)


def _rank(states: States, block: str, name: DOI) -> int:
    """Return the rank of a work for a text; 0 if it does not fit."""
    text, work = states.text, states.record.work
    if work.type.lower() in NO_WORK or work.status.is_notice or _describes_notice(states):
        return 0
    numbers = _numbers(states)
    venue = venue_in(states.record.venue, Words.of(_INITIAL.sub(" ", text.plain)))
    has_id = _has_id(block, name)
    if not _is_the_work(states, numbers, venue, has_id=has_id):
        return 0
    differ = states.numbers_differ or (not numbers[1] and _has_other_pages(text.plain, work.page))
    agrees = all(numbers) or (venue >= _SAME and not differ)
    agrees = agrees or (_agree(states, numbers) and states.years_between == 0)
    is_elsewhere = bool(text.form["numbers"]) and not agrees
    says_preprint = _SERVERS.search(block) is not None
    where = f"{work.container} {work.publisher} {name.name}"
    if work.type.lower() in PREPRINTS or _SERVERS.search(where):
        named = says_preprint and (agrees or has_id or not _PLACED.search(block))
        return _ON_SERVER if named else _VERSION
    if agrees:
        return _IN_JOURNAL
    if says_preprint and not work.container:
        return _ON_SERVER
    # A journal may have printed what was a preprint the year before.
    is_other = says_preprint or (any(work.numbers) and (is_elsewhere or states.years_between))
    return _VERSION if is_other else _ALONE


def _describes_notice(states: States) -> bool:
    """Tell whether the text, before the title, calls itself an erratum, a review or the like."""
    words = states.text.words.folded
    for title in states.record.titles:
        first = title.folded[:4]
        for at in range(1, len(words)):
            if words[at : at + len(first)] == first:
                before = [each for each in words[max(0, at - 4) : at] if each not in _LINKS]
                if before and _NOTICE.match(before[-1]) and before[-1] not in title.folded:
                    return True
    return False


def _is_about(states: States) -> bool:
    """Tell whether the title has more words of a notice, a review or the like than the text."""
    title = Words.of(_WITH_DISCUSSION.sub("", states.record.work.title)).folded
    about, there = (
        Counter(stem[0] for word in words if (stem := _ABOUT.match(word)))
        for words in (title, states.text.words.folded)
    )
    return not about <= there


def _is_the_work(states: States, numbers: tuple[bool, bool], venue: float, *, has_id: bool) -> bool:
    """Tell whether the text has the title and no other year, or journal, volume, page and year."""
    verdict = judged(states)[0]
    if verdict is Verdict.OTHER or (states.title > _SAME and _is_about(states)):
        return False
    is_year = states.years_between == 0
    nobody_else = any(states.names_present) or not states.strangers
    is_there = states.first_is_there or (venue >= _NEARLY and nobody_else)
    own = states.claimed_title[0] if states.title < _SAME else None
    has_other = own and own.marked and own.likely >= _LIKELY
    agree = _agree(states, numbers)
    by_page = numbers[1] and agree and is_year and is_there and not has_other
    if by_page or (has_id and states.first_is_there):
        return True
    placed = is_year and venue >= _SAME and states.first_is_there
    is_late = states.year_differs and not agree
    is_told = is_year or any(states.names_present)
    is_same = verdict is Verdict.SAME and is_told and not is_late and not states.has_other_people
    return is_same and _has_title(states, _MOST_OF if placed else _ENOUGH)


def _agree(states: States, numbers: tuple[bool, bool]) -> bool:
    """Tell whether the text has the registered volume and page, of which one may be missing."""
    registered = zip(states.record.work.numbers, numbers, strict=True)
    return any(numbers) and all(there for number, there in registered if number)


def _numbers(states: States) -> tuple[bool, bool]:
    """Tell whether the text has the volume and the pages; a page of one digit says nothing."""
    work, there = states.record.work, states.text.numbers - {""}
    volume, first = work.numbers
    texts = (work.page, states.text.plain)
    last, lasts = ({pages[1] for pages in _PAGES.findall(each)} for each in texts)
    has_pages = (len(first) > 1 and first in there) or not last.isdisjoint(lasts)
    return volume in there, has_pages


def _has_other_pages(text: str, page: str) -> bool:
    """Tell whether the text has other pages, as beside a notice; pages from 1 on do not count."""
    found = any(first != "1" for first, _ in _PAGES.findall(text))
    return bool(found and _PAGE.fullmatch(page))


def _has_id(block: str, name: DOI) -> bool:
    """Tell whether the text has the arXiv identifier of which the DOI name is made."""
    before, _, number = name.name.lower().partition("10.48550/arxiv.")
    return not before and bool(number) and number in block.lower()


def _has_two_works(block: str) -> bool:
    """Tell whether the text describes two works, with a semicolon between them."""
    first, *others = (Text.of(part, NO_NAME) for part in _ANOTHER.split(block)[:4])
    return bool(first.years) and any(each.years and each.people for each in others)


def _has_title(states: States, enough: float) -> bool:
    """Tell whether the text has a registered title with its numerals, or a part as a title."""
    text = states.text
    for title, (share, size) in zip(states.record.titles, states.shares, strict=True):
        if not states.has_versions and not _numerals(title) <= text.words.distinct:
            continue
        if share >= enough and (size > _SHORT or _behind(text.plain, title.folded)):
            return True
    return _has_main_title(states)


def _has_main_title(states: States) -> bool:
    """Tell whether the text has only the title up to its subtitle, or only the subtitle."""
    parts = [
        Words.of(part).folded
        for title in states.record.work.titles
        if _numerals(Words.of(title)) <= states.text.words.distinct
        for part in _SUBTITLE.split(title)
    ]
    behind = (_behind(states.text.plain, each) for each in parts if len(content(each)) > 1)
    return any(":" not in (each or ":") for each in behind)


def _numerals(title: Words) -> set[str]:
    return {word for word in title.folded if word.isdigit() or _ROMAN.match(word)}


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
