"""Evidence: what of a record stands in a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .claims import Claims
from .fold import Words
from .notices import without_label
from .own_titles import Title, content
from .work import Work

__all__ = ["Evidence"]

_PARTICLES: Final = frozenset(
    str.split(
        "van von de der den da di du la le del della dos das ten ter zu el al af av the jr sr ii"
        " iii"
    )
)
_LONG: Final = 7  # letters of a family name in which one may be wrong
_LONGEST: Final = 40  # letters of a word that are looked at


@dataclass(frozen=True)
class Evidence:
    """What of a record stands in a text, and what the text says instead.

    :ivar work, claims: what is compared
    :ivar titles: the record's titles as words, without labels such as "RETRACTED:"
    :ivar shares: of each title, the share of its words that stand close together, and their number
    :ivar names: the record's names that the text has
    :ivar year: whether a year of the text is within one of the record's; ``None`` without years
    """

    work: Work
    claims: Claims
    titles: tuple[Words, ...]
    shares: tuple[tuple[float, int], ...]
    names: tuple[str, ...]
    year: bool | None

    @classmethod
    def of(cls, work: Work, claims: Claims) -> Evidence:
        """Look for a record in the words of a text."""
        titles = [Words.of(without_label(title)) for title in work.titles]
        titles = [title for title in titles if content(title.folded)]
        year = None
        if claims.years and work.years:
            year = any(abs(one - other) <= 1 for one in claims.years for other in work.years)
        return cls(
            work,
            claims,
            tuple(titles),
            tuple(_share(claims.words, title) for title in titles),
            _names(claims.words, work),
            year,
        )

    @property
    def title(self) -> float:
        """The share of the title that the text has the most of."""
        return max((share for share, _ in self.shares), default=0.0)

    def likeness(self, own: tuple[Title, ...]) -> float:
        """How much titles of the text are like one of the record's.

        Names of the record's people are not a title, so such a piece says nothing: 1.
        """
        people = frozenset(Words.of(" ".join(self.work.names)).folded)
        best = 0.0
        for title in own:
            if 2 * sum(word in people for word in title) >= len(title):
                return 1.0
            best = max([best, *(_likeness(frozenset(title), words) for words in self.titles)])
        return best


def _share(words: Words, title: Words) -> tuple[float, int]:
    """The share of a title's words in the stretch of text that has the most of them.

    Only words close together count: those of a description are spread over it.
    """
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


def _names(words: Words, work: Work) -> tuple[str, ...]:
    """The names that the text has: capitalised, or so long that they are no everyday words.

    One letter of a long name may be wrong: people misspell each other's names.
    """
    capital = {word for word, has in zip(words.folded, words.capital, strict=True) if has}
    known = capital | {word for word in words.distinct if len(word) >= 5}
    pairs = set(zip(words.folded, words.folded[1:], strict=False))
    near = {short for word in capital if len(word) >= _LONG for short in _shortened(word)}
    found = []
    for name in work.names:
        every = Words.of(name).folded
        parts = [word for word in every if word not in _PARTICLES] or list(every)
        if len(parts) == 2:  # of two family names, people use one or glue them
            is_there = (
                (parts[0], parts[1]) in pairs
                or "".join(parts) in capital
                or any(word in capital and len(word) >= 4 for word in parts)
            )
        else:
            is_there = bool(parts) and all(
                word in known or (len(word) >= _LONG and not near.isdisjoint(_shortened(word)))
                for word in parts
            )
        if is_there:
            found.append(name)
    return tuple(found)


def _shortened(word: str) -> Iterator[str]:
    """A word, and the word without each of its letters.

    Two words have one of these in common if one letter is too many, lacks, differs or has moved.
    """
    yield word
    yield from (word[:at] + word[at + 1 :] for at in range(min(len(word), _LONGEST)))


def _likeness(own: frozenset[str], title: Words) -> float:
    words = frozenset(content(title.folded))
    common = sum(word in words or (len(word) >= 6 and word in title.squeezed) for word in own)
    return max(common / len(own), common / len(words) if len(words) >= 3 else 0.0)
