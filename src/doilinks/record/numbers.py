"""Numbers in titles, which tell the parts of a work and the years of a series apart, and pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Final

# A number, also with letters before it, or a Roman one up to 39.
_NUMERAL: Final = re.compile(r"([a-z]{0,2})(\d{1,6})|(?=[ivx])x{0,2}(?:ix|iv|v?i{0,3})")
_ROMAN: Final = {"i": 1, "v": 5, "x": 10}
_COUNTED: Final = {
    word: str(number)
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "first second third fourth fifth sixth seventh eighth ninth tenth",
    )
    for number, word in enumerate(words.split(), 1)
}
# A page or a range; letters stand before or after the digits.
_PAGES: Final = re.compile(
    r"[A-Za-z]{0,2}(\d{1,9})[A-Za-z]?(?: ?[-–]{1,3} ?[A-Za-z]{0,2}(\d{1,9})[A-Za-z]?)?"
)
_YEAR: Final = 3  # digits from which a number is hardly that of a part


def pages_of(page: str) -> range:
    """Return the pages of a record but the last one, where the next work may begin.

    >>> pages_of("5134-5"), pages_of("e1003"), pages_of("n/a-n/a")
    (range(5134, 5135), range(1003, 1004), range(0, 0))
    """
    found = _PAGES.fullmatch(page)
    if not found:
        return range(0)
    first, last = found[1], found[2] or found[1]
    last = first[: max(0, len(first) - len(last))] + last
    return range(int(first), max(int(first) + 1, int(last)))


def number_of(word: str) -> str:
    """Return the number that a folded word is, in digits; ``""`` if it is none.

    >>> [number_of(word) for word in ("12", "xiv", "two", "b07", "mix")]
    ['12', '14', '2', 'b7', '']
    """
    found = _NUMERAL.fullmatch(word)
    if not found:
        return _COUNTED.get(word, "")
    if found[2]:
        return found[1] + str(int(found[2]))
    values = [*map(_ROMAN.__getitem__, word), 0]
    return str(sum(-one if one < after else one for one, after in pairwise(values)))


def other_number(
    words: tuple[str, ...], title: tuple[str, ...], elsewhere: Collection[str]
) -> tuple[str, str] | None:
    """Return the number that a text has in the place of one of a title, and the word before it.

    The place is known by two of the words beside it.

    :param elsewhere: what says nothing in this place, such as the year of publication

    >>> other_number(("on", "mice", "part", "2", "rats"), ("on", "mice", "part", "i"), ())
    ('part', '2')
    """
    wanted = [*_numbers(title, " ")]
    places: dict[tuple[str, ...], list[int]] = {}
    for at, _, beside in _numbers(words, "\n") if wanted else ():
        for two in beside:
            places.setdefault(two, []).append(at)
    for at, number, beside in wanted:
        if len(number) >= _YEAR and title[at] in words:
            continue
        found = {place: number_of(words[place]) for two in beside for place in places.get(two, ())}
        like = [place for place, n in found.items() if n.isdigit() == number.isdigit()]
        if like and {found[place] for place in like}.isdisjoint({number, *elsewhere}):
            return words[like[0] - 1] if like[0] else "", words[like[0]]
    return None


def _numbers(
    words: tuple[str, ...], outside: str
) -> Iterator[tuple[int, str, tuple[tuple[str, ...], ...]]]:
    """Yield the place of each number, the number, and pairs of the words beside it."""
    padded = (outside, outside, *words, outside, outside)
    for at, word in enumerate(words):
        if number := number_of(word):
            one, two, _, three, four = padded[at : at + 5]
            yield at, number, ((one, two, ""), (two, "", three), ("", three, four))
