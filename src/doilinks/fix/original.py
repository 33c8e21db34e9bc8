r"""A file as it is on the disk: its octets, the text that a reader gets, and the way back.

A reader gets a text without a byte order mark, in which every line ends with ``\n``. The way back
changes nothing but what is replaced: the encoding, the mark and each line end stay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from ..sources import Decoded, decode

__all__ = ["NotEncodable", "Original"]

_PAIR: Final = re.compile("\r\n")


class NotEncodable(ValueError):
    """A text that cannot be written in the encoding of its file. The message says why."""


class Original:
    r"""The octets of a file, and its text.

    :param octets: all octets of the file
    :param kind: the type of the file
    :ivar text: the text as a reader gets it
    :raises Binary: if the file is not a text

    >>> original = Original(b"\xef\xbb\xbfone\r\ntwo\nthree\r", "txt")
    >>> original.text
    'one\ntwo\nthree\n'
    >>> original.replaced([(4, 7, "2")])
    b'\xef\xbb\xbfone\r\n2\nthree\r'
    """

    def __init__(self, octets: bytes, kind: str) -> None:
        self.octets = octets
        self._decoded: Decoded = decode(octets, kind)
        self.text = self._decoded.as_read

    def replaced(self, pieces: Iterable[tuple[int, int, str]]) -> bytes:
        """The octets with pieces ``(start, end, new)`` of the text replaced.

        :param pieces: in order and disjoint
        :raises NotEncodable: if the encoding does not give the same octets again, or has no
            octets for a new character
        """
        raw, encoding = self._decoded.text, self._decoded.encoding
        try:
            same = self._decoded.mark + raw.encode(encoding) == self.octets
        except UnicodeEncodeError:
            same = False
        if not same:
            raise NotEncodable(f"not all of its octets are {encoding.upper()}")
        # A line end of two characters is one character in the text. So an offset in the text is the
        # offset in the file minus the number of such pairs before it.
        pairs = [at.start() - number for number, at in enumerate(_PAIR.finditer(raw))]
        parts, at = [], 0
        for start, end, new in pieces:
            first, last = start + bisect_left(pairs, start), end + bisect_left(pairs, end)
            parts += [raw[at:first], new]
            at = last
        try:
            return self._decoded.mark + "".join([*parts, raw[at:]]).encode(encoding)
        except UnicodeEncodeError as error:
            character = f"U+{ord(error.object[error.start]):04X}"
            raise NotEncodable(f"{encoding.upper()} has no octets for {character}") from error

    def encode(self, text: str) -> bytes:
        """A piece of text in the encoding of the file, for a diff."""
        encoding = self._decoded.encoding
        wide = encoding.startswith(("utf-16", "utf-32"))
        return text.encode("utf-8" if wide else encoding, "backslashreplace")

    def lines(self) -> list[str]:
        """The lines of the file, each with its line end, as programs for diffs count them."""
        return _LINE.findall(self._decoded.text)


# A carriage return alone ends no line of a diff.
_LINE: Final = re.compile("[^\n]*\n|[^\n]+")
