"""The strings of a JSON text, each with the keys that lead to it and its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..core.text import Part
from .escapes import of_json, parts_of

Path = tuple[str | int, ...]
# Possessive: the way back for each character would take 135 times the memory of the file.
_TOKEN: Final = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"|([{}\[\],:])', re.DOTALL)


class JsonString(NamedTuple):
    """A JSON string."""

    path: Path  # the keys that lead to it
    at: int  # the offset of its text
    raw: str  # its text between the quotes

    @property
    def name(self) -> str:
        """The last key that is a name: that of the list, if the text is an item of one."""
        return next((key for key in reversed(self.path) if isinstance(key, str)), "")

    def parts(self) -> Iterator[Part]:
        """Decode the text, with the place of each part in the file."""
        for text, start, end in parts_of(self.raw, 0, len(self.raw), of_json(self.raw)):
            yield text, self.at + start, self.at + end


def strings(text: str) -> Iterator[JsonString]:
    """Yield every string value of a valid JSON text."""
    path: list[str | int] = []
    kinds: list[str] = []
    key = False  # whether the next string is a key
    for token in _TOKEN.finditer(text):
        delimiter = token[2]
        if delimiter is None:
            if key:
                path[-1] = token[1]
            else:
                yield JsonString(tuple(path), token.start(1), token[1])
        elif delimiter in "{[":
            kinds.append(delimiter)
            path.append("" if delimiter == "{" else 0)
            key = delimiter == "{"
        elif delimiter in "}]":
            kinds.pop()
            path.pop()
            key = False
        elif delimiter == ":":
            key = False
        elif kinds[-1] == "{":
            key = True
        else:
            path[-1] = int(path[-1]) + 1
