"""What a reader finds, and places that are marked in a text, so that nobody has to count columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doilinks.core.options import Options
from doilinks.sources import read

from .fixtures import dotted

Row = tuple[str, int | None, int | None, str | None]

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


def cases(folder: Path) -> list[Any]:
    """The cases of its Markdown files, as parameters: type of the file, a document, what is expected.

    A case is a title; ``file:`` and the type; then a line with a full stop before, between and after
    the two others.
    """
    return [
        pytest.param(header.removeprefix("file: "), source, expected, id=title)
        for path in sorted(folder.glob("*.md"))
        for _, (title, header), source, expected in dotted(path)
    ]


def document(title: str) -> str:
    """A document of ``tests/sources/places``, without its marks."""
    [marked] = [each.values[1] for each in PLACES if each.id == title]
    return unmarked(marked)[0]


def rows(text: str, kind: str, **options: Any) -> list[Row]:
    """Name, line, column and form of each DOI."""
    found = read(text, kind, Options(**options))
    return [(o.doi.name, o.line, o.column, o.form) for o in found]


def names(text: str, kind: str, **options: Any) -> list[str]:
    """Each DOI name."""
    return [row[0] for row in rows(text, kind, **options)]


def assert_places(marked: str, kind: str, expected: list[tuple[str, str]]) -> None:
    """Read a text in which a mark stands before each DOI; expected are names and forms."""
    text, places = unmarked(marked)
    found = rows(text, kind)
    assert [(name, form) for name, _, _, form in found] == expected
    assert [(line, column) for _, line, column, _ in found] == places


PLACES = cases(Path(__file__).parents[1] / "sources" / "places")
