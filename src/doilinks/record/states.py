"""States of agreement: of each field of a reference, whether a text agrees with the record.

As in record linkage, a field agrees, differs, or one side is silent about it. A silent field
counts nothing. The states decide (:mod:`.comparing`) and are the reasons of a message.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from .kinds import VERSIONED, csl_type
from .numbers import other_number
from .part import Words
from .registered import (
    ABOUT_WORD,
    LONG,
    PARTICLES,
    REVIEW_WORD,
    Registered,
    shortened,
    without_links,
)
from .text import Claim, PersonInText, Text, content

_RELEASE: Final = re.compile(  # version 2 · v2.3 · 2.3.1
    r"\b(?:v(?:ersion|\.)? ?|(?=\d+\.\d+\.\d))(\d{1,4}(?:\.\d{1,6}){0,3})\b", re.IGNORECASE
)
_UNLIKE: Final = 0.35  # from which a title of the text is another one
_BY_TITLE: Final = 0.25  # the same, in a list of references
_NO_TITLE: Final = 0.3  # below which a text claims none
_EARLY: Final = 1850  # an earlier year that differs is rather a count
_RELEASES: Final = ("version", "release")


class Reason(NamedTuple):
    """A field in which the text and the record differ.

    :ivar field: ``title``, ``people``, ``first author``, ``year``, ``numbers``, ``page``,
        ``version``, or ``notice`` if the record is that of a notice about what the text describes
    :ivar text: what the text has; ``""`` if it has nothing of the record's
    :ivar work: what is registered
    """

    field: str
    text: str
    work: str


@dataclass(frozen=True)
class States:
    """What of a record stands in a text, and what the text says instead."""

    text: Text
    record: Registered

    @cached_property
    def words(self) -> Words:
        """The words of the text, without those of the name of the journal or book."""
        words, of_venue = self.text.words, self.record.pairs_in_venue
        folded = list(words.folded)
        for at, pair in enumerate(pairwise(words.folded)):
            if pair in of_venue:
                folded[at : at + 2] = "", ""
        return Words(tuple(folded), words.capital)

    @cached_property
    def shares(self) -> tuple[tuple[float, int], ...]:
        """Of each title, the share of its words that stand close together, and their number."""
        return tuple(share_of(self.words, title) for title in self.record.titles)

    @cached_property
    def title(self) -> float:
        """The share of the title that the text has the most of."""
        return max((share for share, _ in self.shares), default=0.0)

    @cached_property
    def in_order(self) -> float:
        """The share of a title's words that stand side by side as in the title."""
        words = content(self.words.folded)
        pairs = frozenset(pairwise(words))
        best = 0.0
        for title in self.record.titles:
            goal = content(title.folded)
            if len(goal) > 1:
                two = list(pairwise(goal))
                best = max(best, sum(pair in pairs for pair in two) / len(two))
        return best

    @cached_property
    def claimed_title(self) -> tuple[Claim | None, float, float]:
        """The least similar title of the text, how dissimilar, and how similar the closest one."""
        closest = unlike = 0.0
        other = None
        first = self.record.names[0] if self.record.names else ()
        for claim in self.text.titles:
            # Where the first author stands is a whole reference. A group may be in a title.
            if len(first) < 4 and not set(first).isdisjoint(claim.words):
                continue
            if any(map(claim.is_group, self.record.names)):
                continue
            # A title in another alphabet cannot be compared.
            alike = [t for t in self.record.titles if _is_latin(t.folded) == _is_latin(claim.words)]
            like = max((_likeness(claim.words, title) for title in alike), default=1.0)
            like = 1.0 if claim.words in self.record.main_titles else like
            closest = max(closest, like if alike else 0.0)
            if claim.size * (1 - like) > unlike:
                other, unlike = claim, claim.size * (1 - like)
        return other, unlike * (1 - max(closest, self.title)), closest

    @cached_property
    def names_present(self) -> tuple[bool, ...]:
        """Of each name of the record, whether the text has it."""
        words = self.text.words
        pairs = zip(words.folded, words.capital, strict=True)
        capital = {word for word, has in pairs if has}
        likely = capital | {word for word in words.distinct if len(word) >= 5}
        near = {short for word in capital if len(word) >= LONG for short in shortened(word)}
        return tuple(_is_there(name, capital, likely, near) for name in self.record.names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The record's names that the text has."""
        both = zip(self.record.work.names, self.names_present, strict=True)
        return tuple(name for name, is_there in both if is_there)

    @cached_property
    def strangers(self) -> tuple[PersonInText, ...]:
        """People of the text who are not people of the record."""
        record = self.record
        if not any(word.isascii() for name in record.names for word in name):
            return ()  # people of another alphabet cannot be compared
        venue = frozenset(record.venue)
        return tuple(
            person
            for person in self.text.people
            if not any(map(record.knows, person.words))
            and not any(word in record.in_titles or word in venue for word in person.words)
        )

    @cached_property
    def years_between(self) -> int | None:
        """Years between the text and the record; ``None`` without years, and of versions."""
        every = [(abs(a - b), a) for a in self.text.years for b in self.record.work.years]
        if any(gap == 0 for gap, _ in every):
            return 0
        every = [] if self.has_versions else every
        return min((gap for gap, year in every if year >= _EARLY), default=None)

    @cached_property
    def numbers(self) -> tuple[bool, bool]:
        """Volume and first page of the record stand in the text."""
        volume, page = self.record.work.numbers
        return volume in self.text.numbers, len(page) > 1 and page in self.text.numbers

    @property
    def numbers_differ(self) -> bool:
        """The text has numbers, and neither the volume nor the page of the record."""
        return bool(
            self.text.form["numbers"] and all(self.record.work.numbers) and not any(self.numbers)
        )

    @property
    def page_differs(self) -> bool:
        """The text has a page or number of an article, which is not one of the record's.

        The first page is that of many articles in advance, but not in a book.
        """
        is_told = csl_type(self.record.work.type) == "chapter" or (
            1 not in self.record.pages and self.text.pages != {1}
        )
        return is_told and self.has_other_page

    @cached_property
    def has_other_page(self) -> bool:
        """The same, even if one of the two is the first page."""
        text, pages = self.text, self.record.pages
        return bool(
            pages
            and text.pages
            and pages[0] not in text.starts
            and not any(page in pages for page in text.pages)
        )

    @property
    def has_versions(self) -> bool:
        """Software and data have a record for each version, so that another year says nothing."""
        return csl_type(self.record.work.type) in VERSIONED

    @property
    def year_differs(self) -> bool:
        """No year of the text is within one of the record's."""
        return self.years_between is not None and self.years_between > 1

    @property
    def first_is_there(self) -> bool:
        """The text has the first of the record's people."""
        return any(self.names_present[:1])

    @property
    def lacks_second(self) -> bool:
        """The text names the first of the people and others, but not the second."""
        is_whole = len(self.text.people) > 1 and "al" not in self.text.near.distinct  # "et al."
        return is_whole and self.names_present[:2] == (True, False)

    @property
    def has_title(self) -> bool:
        """The text has nearly all of a title of some length."""
        return any(share >= 0.8 and size > 2 for share, size in self.shares)

    @cached_property
    def other_number(self) -> Reason | None:
        """Another part, year or version than the title has, in its place."""
        years = [*map(str, self.record.work.years)]
        for title, (share, _) in zip(self.record.titles, self.shares, strict=True):
            if share >= 0.5 and (found := other_number(self.words.folded, title.folded, years)):
                shown = " ".join(found).strip()
                if found[0] in _RELEASES:
                    return Reason("version", shown, "")
                return Reason("title", shown, self.record.work.title)
        return None

    @cached_property
    def other_kind(self) -> Reason | None:
        """The text names people, then an erratum, a reply or a review, then the title.

        A review may be registered with the title of the book; its volume and page then agree.
        """
        words = self.text.words.folded
        people = {word for person in self.text.people for word in person.words}
        registered = Words.of(" ".join(self.record.work.titles)).distinct  # with its labels
        for title in self.record.titles:
            first = title.folded[:4]
            for at in range(2, len(words) if len(first) > 2 else 0):
                if words[at : at + len(first)] == first:
                    before = without_links(words[max(0, at - 4) : at])
                    kind = before[-1] if before and before[-1] not in registered else ""
                    is_it = REVIEW_WORD.match(kind) and all(self.numbers)
                    if ABOUT_WORD.match(kind) and not (is_it or people.isdisjoint(words[:at])):
                        return Reason("title", kind, self.record.work.title)
        return None

    @cached_property
    def remark(self) -> Reason | None:
        """The only thing in which the text differs; it may be meant."""
        told = self.version or self.other_number or self.other_kind
        if told is None and (self.only_year_differs or self.is_other_issue):
            return self.other_year
        return self.other_page if told is None and self.only_page_differs else told

    @property
    def other_year(self) -> Reason:
        """The reason that the year of the text is another one."""
        text = self.text
        return Reason("year", str(text.year or text.years[-1]), str(self.record.work.years[0]))

    @property
    def other_page(self) -> Reason:
        """The page of the text."""
        return Reason("page", str(min(self.text.pages)), self.record.work.pages)

    @property
    def has_own_title(self) -> bool:
        """The text has people, and another title in a field or in quotation marks."""
        titles = (claim for claim in self.text.titles if claim.marked and claim.likely == 1)
        is_other = self.title < 0.5 and self.claimed_title[2] < 0.5 and not all(self.numbers)
        return is_other and self.text.listed and any(titles)

    @property
    def has_whole_title(self) -> bool:
        """The text has a whole title of some length."""
        return any(share > 0.9 and size > 2 for share, size in self.shares)

    @property
    def only_page_differs(self) -> bool:
        """The text names the people, the year and the volume, no title, and another page."""
        few = 2 * len(self.strangers) <= len(self.names_present) and not self.lacks_second
        is_there = self.numbers[0] or not self.record.work.numbers[0]
        agree = self.first_is_there and self.years_between == 0 and few and is_there
        return self.page_differs and agree and self.text.form["a title"] < _NO_TITLE

    @property
    def only_year_differs(self) -> bool:
        """The text names the first two people and no other ones, no title, and another year."""
        agree = sum(self.names_present[:2]) == 2 and not self.strangers
        return self.year_differs and agree and self.text.form["a title"] < _NO_TITLE

    @cached_property
    def releases(self) -> tuple[frozenset[str], frozenset[str]]:
        """The versions in the text, and those of the record."""
        work = self.record.work
        texts = self.text.plain, f"v{work.version.lstrip('vV')} {work.title}"
        mine, theirs = (frozenset(_RELEASE.findall(text)) for text in texts)
        return mine, theirs

    @cached_property
    def is_release(self) -> bool | None:
        """Tell whether text and record have the same version; None if one of them has none."""
        mine, theirs = self.releases
        if not (self.has_versions and mine and theirs):
            return None
        return any(is_version(one, other) for one in mine for other in theirs)

    @cached_property
    def version(self) -> Reason | None:
        """Software or data by the same people, of which the text gives another version."""
        text, work = self.text, self.record.work
        agree = self.first_is_there and 2 * len(self.strangers) <= len(text.people)
        if not (self.has_versions and agree) or text.shared:
            return None
        own, unlike, _ = self.claimed_title
        if self.title == 0 and (own or text.form["a title"] >= _NO_TITLE):
            return None  # other software of these people
        if self.is_release is False:
            mine, theirs = map(min, self.releases)
            return Reason("version", f"version {mine}", f"version {theirs}")
        gap = min((abs(a - b) for a in text.years for b in work.years), default=0)
        if gap > 1:
            return Reason("version", str(text.year or text.years[-1]), "")
        return Reason("version", own.written, "") if own and unlike >= _UNLIKE else None

    @property
    def is_spared(self) -> bool:
        """Two fields agree, or the text may be about another name: it is never another work."""
        text, form, unlike = self.text, self.text.form, self.claimed_title[1]
        # One person publishes several works a year; titles and the others tell them apart.
        is_by_title = (text.listed or form["a marked title"] >= 0.5) and unlike >= _BY_TITLE
        is_other = is_by_title or self.numbers_differ or self.page_differs
        is_year = self.years_between == 0 or self.has_versions
        person_and_year = self.first_is_there and is_year and not is_other
        is_unlike = self.numbers_differ or self.page_differs or form["a title"] >= _NO_TITLE
        everyone = len(self.names) > 1 and all(self.names_present) and not self.strangers
        nobody = self.years_between == 0 and not (text.people or any(self.record.work.numbers))
        everyone = (everyone or nobody) and not (is_unlike or self.year_differs)
        two = all(self.numbers) or person_and_year or self.has_title or everyone
        # Who keeps data is not who wrote about it.
        in_row = form.get("a row") and any(self.names_present)
        in_row = in_row and not (text.listed and unlike >= _UNLIKE)
        # Among other names, only what is a whole reference can be judged.
        is_reference = text.listed and form["a title"] >= 0.5
        return bool(two or in_row or self.remark or (text.shared and not is_reference))

    @property
    def has_other_people(self) -> bool:
        """The text has the title and people, none of them registered; not for groups."""
        people = self.record.work.people
        persons = all(len(name) < 4 for name in self.record.names)
        persons = persons and (not people or any(each.given is not None for each in people))
        # A short title may be that of many works.
        is_there = self.has_title or (
            self.title > 0.9 and (self.years_between or self.is_elsewhere)
        )
        return bool(
            persons
            and is_there
            and self._is_whole
            and not any(self.names_present)
            and self.strangers
            and 2 * len(self.strangers) > len(self.text.people)
        )

    @property
    def is_elsewhere(self) -> bool:
        """The text gives another year, journal, volume or page."""
        has_volume = self.text.form["numbers"] and self.record.work.volume
        is_other = (has_volume and not self.numbers[0]) or self.has_other_page
        return bool(is_other or self.year_differs or self.journal_differs)

    @property
    def is_sibling(self) -> bool:
        """A whole reference has another volume and page, and at most a part of the title."""
        has_title = self._is_whole and self.text.form["a title"] >= 0.5
        differ = self.numbers_differ and self.page_differs
        return has_title and differ and max(self.title, self.claimed_title[2]) < 0.7

    @property
    def is_other_issue(self) -> bool:
        """A whole reference has the title, and another year and volume of the journal."""
        differ = self.text.form["numbers"] and self.record.work.volume and not self.numbers[0]
        is_there = self._is_whole and self.title >= 0.8
        return bool(is_there and differ and self.years_between and not self.journal_differs)

    @property
    def is_namesake(self) -> bool:
        """A whole reference has the title, but another first author or place says whose it is.

        A general or short title is that of many works, so the place decides. Somebody whose name
        is in the title of a record by others wrote what that one is about.
        """
        if not self._is_whole or self.title < 0.5:
            return False
        record, first = self.record, self.text.people[:1]
        is_short = record.is_general or all(len(content(t.folded)) < 3 for t in record.titles)
        is_placed = self.numbers_differ and (self.journal_differs or self.has_other_page)
        by_another = first == self.strangers[:1] != () and self.page_differs and self.title >= 0.8
        words = first[0].words if first else ()
        is_subject = not (record.in_titles.isdisjoint(words) or any(map(record.knows, words)))
        nobody = any(len(name) < 4 for name in record.names) and not any(self.names_present)
        is_subject = is_subject and nobody and (self.is_elsewhere or bool(self.years_between))
        return (is_short and is_placed and self.title >= 0.8) or by_another or is_subject

    @property
    def _is_whole(self) -> bool:
        return self.text.listed and not self.text.shared

    @property
    def journal_differs(self) -> bool:
        """The text gives a journal or book, of which it has few words of the registered one."""
        venue = self.record.venue
        return bool(venue and self.text.in_venue and venue_in(venue, self.text.near) < 0.34)

    def features(self) -> dict[str, float]:
        """Return the states as numbers from 0 to 1."""
        text, work = self.text, self.record.work
        closest = self.claimed_title[2]
        present, strangers = self.names_present, self.strangers
        first = frozenset(self.record.names[0] if self.record.names else ())
        last = text.last
        has_numbers = bool(text.form["numbers"] and any(work.numbers))
        beside = text.year is not None and [abs(text.year - year) for year in work.years]
        states = {
            "the title is there": self.title,
            "most of the title is there": max(0.0, self.title - 0.5) * 2,
            "the title is there in order": self.in_order,
            "claimed title is like it": closest,
            "first author is there": self.first_is_there,
            "second author is there": present[:2] == (True, True),
            "second author is missing": self.lacks_second,
            "first author is the last one": bool(last and not first.isdisjoint(last.words)),
            "only strangers": bool(strangers and present and not any(present)),
            "share of strangers": len(strangers) / len(text.people) if text.people else 0.0,
            "first author is a stranger": text.people[:1] == strangers[:1] != (),
            "stranger at the name": text.at_name and last in strangers,
            "year agrees": self.years_between == 0,
            "year differs": self.year_differs,
            "year beside differs": bool(beside and min(beside) > 1 and not self.has_versions),
            "volume and page agree": all(self.numbers),
            "numbers differ": has_numbers and not any(self.numbers),
            "page differs": self.page_differs,
            "page differs, no title": self.page_differs * (1 - text.form["a title"]),
            "journal differs": self.journal_differs,
            "words of the record": self.explained,
            "other names": text.shared,
        }
        return {name: float(state) for name, state in states.items()} | text.form

    @property
    def explained(self) -> float:
        """The share of the words close to the name that are the record's."""
        record = self.record
        words = [w for w in self.text.near.folded if len(w) > 3 and not w.isdigit()]
        known = sum(
            word in record.in_titles
            or word in record.name_words
            or any(venue.startswith(word) for venue in record.venue)
            for word in words
        )
        return known / len(words) if words else 0.0


def share_of(words: Words, title: Words) -> tuple[float, int]:
    """Return the largest share of a title's words in a stretch, and the title's word count."""
    goal = frozenset(content(title.folded))
    reach = int(len(title.folded) * 1.6) + 4
    hits = [word if word in goal else "" for word in words.folded]
    seen: Counter[str] = Counter()
    best = 0
    for at, word in enumerate(hits):
        if word:
            seen[word] += 1
        if at >= reach and (gone := hits[at - reach]):
            seen[gone] -= 1
            if not seen[gone]:
                del seen[gone]
        best = max(best, len(seen))
    split = sum(word not in words.distinct and word in words for word in goal)
    return min(1.0, (best + split) / len(goal)), len(goal)


def _is_latin(words: tuple[str, ...]) -> bool:
    return 2 * sum(map(str.isascii, words)) > len(words)


def _likeness(own: tuple[str, ...], title: Words) -> float:
    """Return the similarity of two titles, of which one may be a part of the other."""
    words = frozenset(content(title.folded))
    common = sum(word in words or (len(word) >= 6 and word in title.squeezed) for word in own)
    part = len(words.intersection(own)) / len(words) if len(words) > 2 else 0.0
    return max(common / len(own) if len(own) > 2 else 0.0, part)


def _is_there(name: tuple[str, ...], capital: set[str], likely: set[str], near: set[str]) -> bool:
    """Tell whether the text has a name: capitalised, or too long for an everyday word."""
    least = 3 if len(name) > 3 else 0  # a group's name has small words
    parts = [word for word in name if word not in PARTICLES and len(word) > least] or list(name)
    if len(parts) == 2:  # of two family names, people use one or glue them
        return "".join(parts) in capital or any(w in capital and len(w) > 3 for w in parts)
    return bool(parts) and all(
        word in likely or (len(word) > LONG and not near.isdisjoint(shortened(word)))
        for word in parts
    )


def is_version(one: str, other: str) -> bool:
    """Tell whether two version numbers are the same, or one is a part of the other."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def venue_in(venue: tuple[str, ...], words: Words) -> float:
    """Return the share of a journal's words that the text has, perhaps abbreviated."""
    if len(venue) > 2 and "".join(word[0] for word in venue) in words.distinct:
        return 1.0
    begins = {w for w, up in zip(words.folded, words.capital, strict=True) if up}
    least = 1 if len(venue) > 1 else 3
    found = (any(word[:n] in begins for n in range(least, len(word) + 1)) for word in venue)
    return sum(found) / len(venue) if venue else 0.0
