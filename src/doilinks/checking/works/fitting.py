"""Whether a work that a search has found is the one that a text describes: one, or none.

What a search finds is alike anyway, so that it was found says nothing. A work is accepted if the
comparison says that the text describes it, its title stands there as a title, no year speaks
against it, it is not another version of the work, and no other work that was found is accepted
too. First author or journal, year, volume and page may stand for a title that is not there, and so
may the first author and the identifier of arXiv.
All of this is heuristic, measured in ``benchmarks/find.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from ...core.doi import DOI
from ..record.work import Work
from .comparing import Registered, States, Verdict, judged, venue_in
from .part import Words, places_of_words
from .text import Text, content

NO_NAME: Final = DOI("10.0000/0")  # of a text without a name


class Fit(NamedTuple):
    """The works that fit a text; ``sure`` if there is one, and it is the work."""

    works: tuple[tuple[DOI, Work], ...] = ()
    sure: bool = False

    @property
    def doi(self) -> DOI | None:
        """The name of the work, if one is accepted."""
        return self.works[0][0] if self.sure else None


# Types of Crossref and CSL for what is no work of its own, or is about another one.
_NO_WORK: Final = re.compile(
    r"journal(?:-issue|-volume)?|component|report-component|grant|book-set"
    r"|(?:peer-)?review|review-book|(?:book|proceedings|report)-series"
)
_PREPRINT: Final = frozenset({"posted-content", "preprint", "manuscript"})
# The first letters of words for what is about another work; a commentary is a kind of article, and
# so is one with discussion.
_NOTICES: Final = (
    r"\b(?<!with )(?:errat|corrig|correct|retract|withdraw|expression|concern|addend|comment(?!ary)"
    r"|repl(?:y|ies)\b|respon|rejoinder|discussi|review|reprint|republish"
)
_NOTICE_OF: Final = re.compile(
    rf"{_NOTICES})\w*(?: (?:to|on|of|for|the|notice|note|concern)){{0,3}}\Z"
)
# The same, and for what is around another work, in titles.
_ABOUT: Final = re.compile(
    rf"{_NOTICES}|recommend|evaluat|editor|letter|note|remark|notice|summar|abstract|prefa"
    r"|forewor|matter|contents|issu|suppl|support|data|code|by\b|from\b)"
)
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
    """Which of the works that a search has found a text describes.

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


# How well a work fits a text, the least first: it is another version of the work; the text does
# not say which version it means; it names the journal or server, or volume and page.
_VERSION, _ALONE, _NAMED = range(1, 4)


def _rank(states: States, block: str, name: DOI) -> int:
    """How a work fits a text; 0 if it does not."""
    text, work = states.text, states.record.work
    if _NO_WORK.fullmatch(work.type.lower()) or work.status.is_notice or _describes_notice(states):
        return 0
    numbers = _numbers(states)
    venue = venue_in(states.record.venue, Words.of(_INITIAL.sub(" ", text.plain)))
    number = name.name.lower().partition("10.48550/arxiv.")[2]  # of which arXiv has made the name
    has_id = bool(number) and number in block.lower()
    if not _is_the_work(states, numbers, venue, has_id=has_id):
        return 0
    differ = states.numbers_differ or numbers[1] is False
    agrees = _agree(states, numbers) or (venue >= _SAME and not differ)
    says_preprint = _SERVERS.search(block) is not None
    where = f"{work.container} {work.publisher} {name.name}"
    is_on_server = _SERVERS.search(where) or (says_preprint and not work.container)
    if work.type.lower() in _PREPRINT or is_on_server:
        named = says_preprint and (agrees or has_id or not _PLACED.search(block))
        return _NAMED if named else _VERSION
    if agrees:
        return _NAMED
    # A journal may have printed what was a preprint the year before.
    is_other = says_preprint or (any(work.numbers) and (text.form["numbers"] or states.apart))
    return _VERSION if is_other else _ALONE


def _describes_notice(states: States) -> bool:
    """The text says before the title that it describes an erratum, a review or the like of it."""
    text = f" {' '.join(states.text.words.folded)} "
    begins = (text.find(f" {' '.join(title.folded[:4])} ") for title in states.record.titles)
    return any(_NOTICE_OF.search(text[max(0, at - 80) : max(0, at)]) for at in begins)


def _is_about(states: States) -> bool:
    """The title has more of the words of a notice, a review or the like than the text has."""
    both = (Words.of(states.record.work.title), states.text.words)
    about, there = (Counter(_ABOUT.findall(" ".join(words.folded))) for words in both)
    return not about <= there


def _is_the_work(
    states: States, numbers: tuple[bool, bool | None], venue: float, *, has_id: bool
) -> bool:
    """The title is there and no year speaks against it, or journal, volume, page and year are."""
    verdict = judged(states)[0]
    if verdict is Verdict.OTHER or (states.title > _SAME and _is_about(states)):
        return False
    is_year = states.apart == 0
    nobody_else = any(states.there) or not states.strangers
    is_there = states.first_is_there or (venue >= _NEARLY and nobody_else)
    own = states.own[0] if states.title < _SAME else None
    has_other = own and own.marked and own.likely >= _LIKELY
    agree = _agree(states, numbers)
    by_page = numbers[1] and agree and is_year and is_there and not has_other
    if by_page or (has_id and states.first_is_there):
        return True
    placed = is_year and venue >= _SAME and states.first_is_there
    is_late = states.year_differs and not agree
    is_told = is_year or any(states.there)
    is_same = verdict is Verdict.SAME and is_told and not is_late and not states.has_other_people
    return is_same and _has_title(states, _MOST_OF if placed else _ENOUGH)


def _agree(states: States, numbers: tuple[bool, bool | None]) -> bool:
    """Those of volume and page that are registered stand in the text, and there is one."""
    registered = zip(states.record.work.numbers, numbers, strict=True)
    return any(numbers) and all(there for number, there in registered if number)


def _numbers(states: States) -> tuple[bool, bool | None]:
    """Whether volume and pages of the record stand in the text; False if it has other pages.

    A page of one digit alone says nothing, and pages from 1 on are those of a file.
    """
    work, there = states.record.work, states.text.numbers - {""}
    volume, first = work.numbers
    ranges = _PAGES.findall(states.text.plain)
    last = {pages[1] for pages in _PAGES.findall(work.page)}
    if (len(first) > 1 and first in there) or any(pages[1] in last for pages in ranges):
        return volume in there, True
    is_other = any(pages[0] != "1" for pages in ranges) and _PAGE.fullmatch(work.page)
    return volume in there, False if is_other else None


def _has_two_works(block: str) -> bool:
    """The text describes two works, with a semicolon between them."""
    first, *others = (Text.of(part, NO_NAME) for part in _ANOTHER.split(block)[:4])
    return bool(first.years) and any(each.years and each.people for each in others)


def _has_title(states: States, enough: float) -> bool:
    """A title of the record stands in the text with its numerals, or a part of it as a title."""
    text = states.text
    for title, (share, size) in zip(states.record.titles, states.shares, strict=True):
        is_title = size > _SHORT or _is_enclosed(text.plain, title.folded)
        if share >= enough and is_title and _has_numerals(text, title):
            return True
    # The title up to its subtitle, or the subtitle, and nothing else of it.
    titles = (title for title in states.record.work.titles if _has_numerals(text, Words.of(title)))
    parts = (Words.of(part).folded for title in titles for part in _SUBTITLE.split(title))
    return any(len(content(each)) > 1 and _is_enclosed(text.plain, each) for each in parts)


def _has_numerals(text: Text, title: Words) -> bool:
    numerals = {word for word in title.folded if word.isdigit() or _ROMAN.match(word)}
    return numerals <= text.words.distinct


def _is_enclosed(text: str, title: tuple[str, ...]) -> bool:
    """The words of a title stand side by side, and punctuation encloses them."""
    text, places = places_of_words(text)
    folded = tuple(word for word, _, _ in places)
    for at in range(len(folded) - len(title) + 1):
        after = at + len(title)
        if folded[at:after] == title:
            before = text[places[at - 1][1] : places[at][1]] if at else "."
            behind = text[places[after - 1][2] : places[after][1]] if after < len(places) else "."
            if _BREAK.search(before) and _BREAK.search(behind):
                return True
    return False
