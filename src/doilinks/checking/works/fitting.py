"""Whether a work that a search has found is the one that a text describes: one, or none.

What a search finds is alike anyway, so that it was found says nothing. A work is accepted if the
comparison says that the text describes it, its title stands there as a title, the year agrees,
nobody in the text is a stranger to it, it is not another version of the work, and no other work
that was found is accepted too. Journal, volume and page may stand for a title that is not there.
All of this is heuristic, measured in ``benchmarks/find.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from ...core.doi import DOI
from ..record.work import COMPARED, Work
from .comparing import Registered, States, Verdict, judged, venue_in
from .part import Words, places_of_words
from .text import Person, Text, content

NO_NAME: Final = DOI("10.0000/0")  # of a text without a name
_READ: Final = 420  # characters of a reference; notes about it follow


def text_of(block: str, doi: DOI = NO_NAME) -> Text:
    """What a text says: at its end, or at its beginning if there is a reference and then notes."""
    text = Text.of(block, doi)
    if (
        doi == NO_NAME
        and len(block) > _READ
        and not text.people
        and not any(each.likely == 1 for each in text.titles)
    ):
        begin = Text.of(block[:_READ].rpartition(" ")[0], doi)
        text = begin if begin.listed else text
    return text


class Fit(NamedTuple):
    """The works that fit a text; ``sure`` if there is one, and it is the work."""

    works: tuple[tuple[DOI, Work], ...] = ()
    sure: bool = False

    @property
    def doi(self) -> DOI | None:
        """The name of the work, if one is accepted."""
        return self.works[0][0] if self.sure else None


# Types of Crossref for what is no work of its own, or is about another one.
_NO_WORK: Final = frozenset(
    str.split(
        "journal journal-issue journal-volume component peer-review grant proceedings-series"
        " report-series book-series book-set report-component review review-book"
    )
)
_BOOKS: Final = frozenset({"book", "edited-book", "monograph", "reference-book"})
_PREPRINT: Final = frozenset({"posted-content", "preprint", "manuscript"})
# Words in titles of what is about another work, or around it.
_ABOUT: Final = re.compile(
    r"errat|corrig|correct|retract|withdraw|expression|concern|addend|comment|repl(?:y|ies)\b|respon"
    r"|rejoinder|discussi|review|recommend|evaluat|editor|letter|note|remark|notice|summar|abstract"
    r"|reprint|republish|prefa|forewor|matter|contents|issu|suppl|support|data|code|by\b|from\b"
)
# What a text says just before a title if it describes what is about that work.
_LABEL: Final = re.compile(
    r"(?:errat|corrig|addend)\w*|corrections?|retraction|withdrawal|expression"
    r"|comments?|repl(?:y|ies)|responses?|rejoinder|discussion|review|reprint"
)
_LINKS: Final = frozenset({"to", "on", "of", "for", "the", "notice", "note", "concern"})
_WITH_DISCUSSION: Final = re.compile(r"\(with (?:discussion|comments?)[^()]*\)", re.IGNORECASE)
_SERVERS: Final = re.compile(
    r"\b(?:(?:arx|biorx|medrx|chemrx|psyarx)iv|pre-?print|ssrn)|(?-i:\bDiscuss(?:ions?)?\b(?! of))",
    re.IGNORECASE,
)
_ENOUGH: Final = 0.8  # of the words of a title
_MOST_OF: Final = 0.5  # of them, where first author, year and journal agree
_SHORT: Final = 3  # words of a title that may be a part of a longer one
_LONG: Final = 8  # words of a title that only one work has
_SAME: Final = 0.5  # of the words of a journal
_NEARLY: Final = 0.75
_UNLIKE: Final = 0.5  # from which a title of the text is that of another work
# What stands before a title and after it. A comma is between people, title and journal.
_BREAK: Final = re.compile(r"[.:;,?!()\[\]\"“”„«»|¦§*_\n–—]|''|``|\s-+\s|\d\s*\Z")
_SUBTITLE: Final = re.compile(r"[:?!.](?=\s)|\s[-–—]\s")
_ROMAN: Final = re.compile(r"(?=[ivx])x{0,2}(?:ix|iv|v?i{0,3})\Z")
_PLACED: Final = re.compile(  # in a volume of a journal
    r"\bvolume\W{1,9}\d|\b\d{1,4} ?\(\d{1,4}\)|\b\d{1,4}, ?(?:pp?\. ?)?\d{1,6} ?[-–]", re.IGNORECASE
)
_PAGES: Final = re.compile(r"(?<![-–.\d])(\d{1,5}) ?[-–]{1,2} ?\d{2,5}(?![-–\d%])")
_PAGE: Final = re.compile(r"\d{1,5}(?: ?[-–]{1,2} ?\d{2,5})?")
_INITIAL: Final = re.compile(r"\b[A-IK-Z]\.")  # of people, if not J. for Journal
_EDITED: Final = re.compile(r"\b(?:[Ee]ds?|[Ee]dit(?:ors?|ed)|Hrsg)\b")
_ANOTHER: Final = re.compile(r";\s+(?=[A-Z])")


def fitting(block: str, works: Iterable[tuple[DOI, Work]], doi: DOI = NO_NAME) -> Fit:
    """Which of the works that a search has found a text describes.

    :param doi: the name in the text, which may be that of another work

    >>> work = Work.of({"title": "Handbook of Names", "author": [{"family": "Paskin"}]})
    >>> fitting("* Paskin, N. (2000). *Handbook of Names*.", [(DOI("10.1000/182"), work)]).doi
    DOI('10.1000/182')
    """
    text = text_of(block, doi)
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
    """How a work fits a text; 0 if it does not."""
    text, work = states.text, states.record.work
    if work.type.lower() in _NO_WORK or work.status.is_notice or _describes_notice(states):
        return 0
    numbers = _numbers(states)
    venue = venue_in(states.record.venue, Words.of(_INITIAL.sub(" ", text.plain)))
    has_id = _has_id(block, name)
    if not _is_the_work(states, numbers, venue, has_id=has_id):
        return 0
    differ = text.form["numbers"] and all(work.numbers) and not any(numbers)
    differ = differ or (_has_other_pages(text.plain, work.page) and not numbers[1])
    agrees = all(numbers) or (venue >= _SAME and not differ)
    agrees = agrees or (_agree(states, numbers) and states.apart == 0)
    is_elsewhere = bool(text.form["numbers"]) and not agrees
    says_preprint = _SERVERS.search(block) is not None
    where = f"{work.container} {work.publisher} {name.name}"
    if work.type.lower() in _PREPRINT or _SERVERS.search(where):
        named = says_preprint and (agrees or has_id or not _PLACED.search(block))
        return _ON_SERVER if named else _VERSION
    if agrees:
        return _IN_JOURNAL
    if says_preprint and not work.container:
        return _ON_SERVER
    is_late = bool(states.apart) and work.type.lower() not in _BOOKS
    is_other = says_preprint or (is_elsewhere and work.container) or is_late
    return _VERSION if is_other else _ALONE


def _describes_notice(states: States) -> bool:
    """The text says before the title that it describes an erratum, a review or the like of it."""
    words = states.text.words.folded
    for title in states.record.titles:
        first = title.folded[:4]
        for at in range(1, len(words)):
            if words[at : at + len(first)] == first:
                before = [each for each in words[max(0, at - 4) : at] if each not in _LINKS]
                if before and _LABEL.fullmatch(before[-1]) and before[-1] not in title.folded:
                    return True
    return False


def _is_about(states: States) -> bool:
    """The title has more of the words of a notice, a review or the like than the text has."""
    title = Words.of(_WITH_DISCUSSION.sub("", states.record.work.title)).folded
    about, there = (
        Counter(stem[0] for word in words if (stem := _ABOUT.match(word)))
        for words in (title, states.text.words.folded)
    )
    return not about <= there


def _is_the_work(states: States, numbers: tuple[bool, bool], venue: float, *, has_id: bool) -> bool:
    """The evidence is enough that the text describes the work, or another version of it."""
    verdict, is_about = judged(states)[0], _is_about(states)
    is_year, first = states.apart == 0, states.first_is_there
    placed = _agree(states, numbers) and is_year and venue >= _SAME
    title = _has_title(states, _ENOUGH)
    if verdict is Verdict.OTHER and not (placed and title):
        return False
    if is_about and states.title > _SAME:
        return False
    if title and placed and (any(states.there) or not _strangers(states)):
        return True
    if title and (has_id or states.has_versions):  # each version has its year
        return first
    everybody = venue >= _SAME and len(states.there) > 2 and all(states.there)
    if title and is_year and (everybody or _is_long_title(states)):
        return True
    own, unlike, _ = states.own
    has_other_title = own and own.marked and own.likely >= 0.8 and states.title < _SAME
    is_like = not has_other_title and (verdict is Verdict.SAME or (is_year and unlike < _UNLIKE))
    if is_like and _is_at_place(states, numbers, venue, placed=placed):
        return True
    if is_about or verdict is not Verdict.SAME or states.has_other_people:
        return False
    if not title:
        most = venue >= _SAME and _has_title(states, _MOST_OF)
        title = first and is_year and (most or _has_main_title(states))
    if states.year_differs and not (all(numbers) or (venue >= _SAME and any(numbers))):
        return False
    return title and (all(numbers) or not _has_strangers(states))


def _is_at_place(states: States, numbers: tuple[bool, bool], venue: float, *, placed: bool) -> bool:
    """Journal, volume and page are those of the work, and its people or its year too."""
    if all(numbers) and states.first_is_there and (states.apart == 0 or venue >= _SAME):
        return True
    if venue < _NEARLY or states.apart != 0:
        return False
    everybody = len(states.there) > 2 and all(states.there) and not states.strangers
    nobody_else = not states.strangers or any(states.there)
    return (all(numbers) and nobody_else) or (placed and everybody)


def _is_long_title(states: States) -> bool:
    """The text has a whole title of so many words that no other work has it, as a title."""
    sizes = zip(states.record.titles, states.shares, strict=True)
    return any(
        share == 1 and size >= _LONG and _behind(states.text.plain, title.folded) is not None
        for title, (share, size) in sizes
    )


def _agree(states: States, numbers: tuple[bool, bool]) -> bool:
    """Those of volume and page that are registered stand in the text, and there is one."""
    registered = zip(states.record.work.numbers, numbers, strict=True)
    return any(numbers) and all(there for number, there in registered if number)


def _numbers(states: States) -> tuple[bool, bool]:
    """Volume and pages of the record stand in the text; a volume that is the year says nothing."""
    work, there = states.record.work, states.text.numbers
    volume, first = work.numbers
    pages = re.findall(r"\d+", work.page)
    has_pages = first in there and (len(first) > 1 or (len(pages) == 2 and pages[1] in there))
    is_year = volume.isdecimal() and int(volume) in states.text.years
    return volume in there and (has_pages or not is_year), has_pages


def _has_other_pages(text: str, page: str) -> bool:
    """The text has other pages, as beside a notice about its work; from 1 on, they tell nothing."""
    found = [first for first in _PAGES.findall(text) if first != "1"]
    return bool(found and _PAGE.fullmatch(page.strip()))


def _has_id(block: str, name: DOI) -> bool:
    """The text has the identifier of arXiv that the name is made of."""
    before, _, number = name.name.lower().partition("10.48550/arxiv.")
    return not before and bool(number) and number in block.lower()


def _has_two_works(block: str) -> bool:
    """The text describes two works, with a semicolon between them."""
    first, *others = (Text.of(part, NO_NAME) for part in _ANOTHER.split(block)[:4])
    return bool(first.years) and any(each.years and each.people for each in others)


def _has_title(states: States, enough: float) -> bool:
    """A title of the record stands in the text with its numerals; a short one as a title."""
    words = states.text.words
    for title, (share, size) in zip(states.record.titles, states.shares, strict=True):
        is_there = share >= enough and size
        is_there = is_there and (states.has_versions or _numerals(title) <= words.distinct)
        if is_there and (size > _SHORT or _behind(states.text.plain, title.folded)):
            return True
    return False


def _has_main_title(states: States) -> bool:
    """The text has the title up to its subtitle, or the subtitle, and nothing else of it."""
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
    """The text after a title, if its words are adjacent and punctuation encloses them."""
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


def _strangers(states: States) -> list[Person]:
    """Strangers who are no given names, editors or words of title and journal."""
    record, words = states.record, states.text.words.folded
    given = {word for each in record.work.people for word in Words.of(each.given or "").folded}
    known = tuple(word for word in record.known | record.in_titles if len(word) > 4)
    glued = "".join(title.squeezed for title in record.titles)

    def at(word: str) -> int:
        return words.index(word) if word in words else len(words)

    firsts = (word for each in record.titles for word in content(each.folded)[:1])
    title = min(map(at, firsts), default=0)
    first = min(map(at, record.names[0]), default=0) if record.names else 0
    is_edited = first < title and _EDITED.search(states.text.plain) is not None

    def is_none(word: str) -> bool:
        abbreviated = any(each.startswith(word) for each in record.venue)
        particle = len(word) > 4 and any(each.endswith(word) for each in record.known)  # VanRullen
        return word.startswith(known) or word in glued or abbreviated or particle

    return [
        each
        for each in states.strangers
        if given.isdisjoint(each.words)
        and not any(map(is_none, each.words))
        and not (is_edited and title < at(each.words[-1]))
    ]


def _has_strangers(states: States) -> bool:
    """There are strangers, and the title alone does not outweigh that."""
    work, strangers = states.record.work, _strangers(states)
    if not strangers or (work.count > COMPARED + 1 and sum(states.there) > 2):
        return False
    is_whole = states.title >= 0.95 and states.first_is_there
    return not (is_whole and 2 * len(strangers) <= len(states.text.people))
