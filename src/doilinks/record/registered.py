"""A record as words, which a text is compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from .kinds import GENERAL, IS_ABOUT, REVIEWS
from .labels import without_label
from .numbers import pages_of
from .part import Words
from .text import content
from .work import Work

PARTICLES: Final = frozenset(str.split(
    "van von de der den da di du la le del della dos das ten ter zu el al af av of the jr sr ii"
    " iii"
))  # fmt: skip
_SMALL: Final = frozenset(str.split("a an of the and in on for de la international part"))
LONG: Final = 6  # letters of a family name in which one may be wrong
ABOUT_WORD: Final = re.compile(IS_ABOUT)  # a word for a work about another one
REVIEW_WORD: Final = re.compile(REVIEWS)  # a word for a review
_GENERAL: Final = Words.of(GENERAL).distinct
_LINKS: Final = frozenset(str.split(
    "to on of for the regarding concerning about notice note book by von zu zur der die das"
    " de du la le del"
))  # fmt: skip
_LONGEST: Final = 40  # letters of a word that are looked at


@dataclass(frozen=True)
class Registered:
    """A record, as words."""

    work: Work

    @cached_property
    def titles(self) -> tuple[Words, ...]:
        """Titles without labels such as "RETRACTED:"."""
        titles = (Words.of(without_label(title)) for title in self.work.titles)
        return tuple(title for title in titles if content(title.folded))

    @cached_property
    def about(self) -> Words | None:
        """The title that a notice, a comment or the like is about, if its own title begins so."""
        title = Words.of(self.work.title)
        for at, word in enumerate(title.folded[:3]):
            after = at + 1
            while title.folded[after : after + 1] and title.folded[after] in _LINKS:
                after += 1
            if ABOUT_WORD.match(word) and after > at + 1:
                return Words(title.folded[after:], title.capital[after:])
        return None

    @cached_property
    def main_titles(self) -> tuple[tuple[str, ...], ...]:
        """The words of each title up to its colon, by which a text may call the work."""
        mains = (title.partition(": ")[0] for title in self.work.titles)
        return tuple(content(Words.of(without_label(main)).folded) for main in mains)

    @cached_property
    def in_titles(self) -> frozenset[str]:
        """The words of titles."""
        return frozenset(word for title in self.titles for word in title.folded)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The words of each name."""
        return tuple(Words.of(name).folded for name in self.work.names)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """The words of all names, and those that differ from them in one letter."""
        words = {word for name in self.names for word in name if word not in PARTICLES}
        words |= {"".join(name) for name in self.names}
        return frozenset(s for w in words for s in ([w] if len(w) < LONG else shortened(w)))

    @cached_property
    def pairs_in_venue(self) -> frozenset[tuple[str, str]]:
        """The pairs of adjacent words of the journal or book that no title has."""
        in_titles = {pair for title in self.titles for pair in pairwise(title.folded)}
        return frozenset(pairwise(Words.of(self.work.container).folded)) - in_titles

    @cached_property
    def is_general(self) -> bool:
        """Each title is made of general words, such as "Introduction", which are those of many."""
        titles = [content(title.folded) for title in self.titles]
        return bool(titles) and all(map(_GENERAL.issuperset, titles))

    @cached_property
    def pages(self) -> range:
        """The registered pages; empty if they are unknown."""
        return pages_of(self.work.pages)

    @cached_property
    def venue(self) -> tuple[str, ...]:
        """The words of the journal."""
        return tuple(w for w in Words.of(self.work.container).folded if w not in _SMALL)

    def knows(self, word: str) -> bool:
        """Tell whether a word is part of a name, except for one letter of a long word."""
        return word in self.name_words or (
            len(word) >= LONG and not self.name_words.isdisjoint(shortened(word))
        )


def without_links(words: Iterable[str]) -> list[str]:
    """Return words without those between the word for a notice and the title of the work."""
    return [word for word in words if word not in _LINKS]


def shortened(word: str) -> Iterator[str]:
    """Yield a word, and the word without each of its letters; two similar words share one."""
    yield word
    yield from (word[:at] + word[at + 1 :] for at in range(min(len(word), _LONGEST)))
