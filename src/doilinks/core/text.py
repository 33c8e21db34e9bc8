r"""A run of markup as the reader will see it, with the way back to the source.

Escapes and entities are decoded before a scan, since ``10.1000/a\_b`` names ``10.1000/a_b``; what
is no prose is hidden from it. Each host says which pieces of its markup those are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

__all__ = ["HIDDEN", "Plain"]

# Stands for a character of the source that is no prose: not graphic, so it ends every name.
HIDDEN = "\0"

Piece = tuple[int, int, str]


class Plain:
    r"""The text of ``source`` with each piece ``(start, end, text)`` replaced.

    :param pieces: in order and disjoint

    >>> plain = Plain(r"see 10.1000/a\_b.", [(13, 15, "_")])
    >>> plain.text, plain.source_at(15)
    ('see 10.1000/a_b.', 16)
    """

    __slots__ = ("_from", "_to", "text")

    def __init__(self, source: str, pieces: Iterable[Piece] = ()) -> None:
        parts: list[str] = []
        self._from, self._to = [0], [0]
        at = size = 0
        for start, end, text in pieces:
            parts += (source[at:start], text)
            size += start - at
            self._from += (size, size + len(text))
            self._to += (start, end)
            size += len(text)
            at = end
        parts.append(source[at:])
        self.text = "".join(parts)

    def source_at(self, offset: int) -> int:
        """The offset in the source of the character at ``offset`` in the text."""
        known = bisect_right(self._from, offset) - 1
        return self._to[known] + offset - self._from[known]

    def is_escaped(self, start: int, end: int) -> bool:
        r"""Tell whether a sign of the label or prefix of a name is not in the source as such.

        ``10\.1000/182`` is how an author keeps a name from being linked; further on, in the
        suffix, an escape is a character of the name. Converters write ``\<doi:10.1000/182\>`` and
        ``DOI:&nbsp;10.1000/182``, so a bracket around and a space inside mean nothing.
        """
        label = max(start, self.text.find("10", start, end))
        prefix = max(label, self.text.find("/", label, end))
        first = bisect_right(self._from, start + self.text.startswith("<", start))
        # Behind the one at the start of the text, these come in pairs, a piece's start and end.
        for edge in range(first, bisect_right(self._from, prefix)):
            piece = edge - 1 + edge % 2
            if not self.text[self._from[piece] : self._from[piece + 1]].isspace():
                return True
        return False
