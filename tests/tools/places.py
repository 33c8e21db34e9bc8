"""Places that are marked in a text, so that nobody has to count lines and columns."""

from __future__ import annotations

MARK = "▸"


def unmarked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its marks, and the line and column that each of them stands before.

    >>> unmarked("a ▸b\\n▸c")
    ('a b\\nc', [(1, 3), (2, 1)])
    """
    before, *parts = text.split(MARK)
    places = []
    for part in parts:
        places.append((before.count("\n") + 1, len(before) - before.rfind("\n")))
        before += part
    return before, places
