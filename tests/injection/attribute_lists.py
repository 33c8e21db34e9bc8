"""Names with a hostile attribute list glued to them, and the documents made of these."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from .corpus import ALL, Document, document, entries

# By its last character, ">" first, which ends a SICI as well as an angle form.
_BY_END = [
    f"10.1000/a{sign}" for sign in ("", "\u00e9", *sorted(string.punctuation, key=">".__ne__))
]
_SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID>"
_FORMS = ("<{}>", "<doi:{}>", "<DOI: {}>", "doi:{}", "https://doi.org/{}")
# With links in their place, emphasis ends elsewhere.
_EMPHASIS = (
    "10.1000/a*b",
    "10.1000/a_, 10.1000/b_",
    "*10.1000/a*b*",
    "__10.1000/a__b__",
    "~10.1000/a~b~",
)
NAMES = (
    *(*_BY_END, _SICI, *_EMPHASIS),
    *(form.replace("{}", name) for form in _FORMS for name in ("10.1000/a", _SICI)),
)


_TOGETHER = 50  # cases in a document; a host that reads files takes much longer for many small ones


def cases(*, first: int = 0, but: str = "") -> list[tuple[str, str]]:
    """Each name with each list, in one place; with ``ALL`` in each place.

    :param first: the place of the first one
    :param but: leave out names that match this regular expression
    """
    lists, places = entries("lists.txt"), entries("places-of-lists.txt")
    return [
        (name + each, place)
        for nth, name in enumerate(NAMES, first)
        if not (but and re.search(but, name))
        for at, each in enumerate(lists)
        for place in (places if ALL else [places[(nth + at) % len(places)]])
    ]


def documents(of: Sequence[tuple[str, str]]) -> list[Document]:
    """Documents with these cases."""
    starts = range(0, len(of), _TOGETHER)
    return [document(of[start : start + _TOGETHER], "attribute lists") for start in starts]
