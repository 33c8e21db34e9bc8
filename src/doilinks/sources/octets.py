"""Decodes the octets of a file: finds its encoding, and gives its text."""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

from .errors import Binary

__all__ = ["Decoded", "decode", "text_of"]

# The longer marks come first, because the mark of UTF-32 begins with that of UTF-16 [Unicode 23.8].
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Git takes a file for binary if a null octet is among its first 8000 (`buffer_is_binary`).
_FIRST: Final = 8000
# Only the start of a page is searched for the declaration
# (https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding).
_START: Final = 1024
_META: Final = re.compile(rb"<meta[^>]*?[\s\"';]charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML: Final = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([\w.:-]+)")
# A declaration in the first or second line, as Python [PEP 263], docutils (`Input.coding_slug`) and
# Emacs read it, and as JabRef writes it.
_CODING: Final = re.compile(rb"\A(?:[^\n]*\n)?[^\n]*?coding[:=][ \t]*([\w.-]+)", re.IGNORECASE)
_DECLARATIONS: Final = {"html": (_META,), "xhtml": (_XML, _META), "ipynb": ()}
# All printable ASCII, and two escapes that some codecs decode: of Unicode and of domain names.
_ASCII: Final = bytes(range(0x20, 0x5C)) + bytes(range(0x5D, 0x7F)) + b"\\u0041.xn--bcher-kva\t\n"
_FALLBACK: Final = "windows-1252"
# Browsers take these names for Windows-1252 (https://encoding.spec.whatwg.org/#names-and-labels).
_SAID_FOR_FALLBACK: Final = frozenset({"iso8859-1", "ascii"})


class Decoded(NamedTuple):
    """The text of a file, and how its octets stand for it.

    :ivar text: the text with the line ends of the file, without a byte order mark
    :ivar mark: the byte order mark, or no octets
    :ivar encoding: the name of the encoding
    :ivar guessed: a remark if the encoding had to be guessed, or None
    """

    text: str
    mark: bytes
    encoding: str
    guessed: str | None = None

    @property
    def as_read(self) -> str:
        r"""The text as readers get it: all line ends are ``\n``."""
        return self.text.replace("\r\n", "\n").replace("\r", "\n")


def decode(octets: bytes, kind: str) -> Decoded:
    r"""The text of a file, with its line ends.

    The encoding is the first that fits of these: that of a byte order mark, the one that the file
    declares, UTF-8, and Windows-1252, which decodes any octets. Names are nearly always ASCII.

    :param kind: the type of the file
    :raises Binary: if the file is not a text

    >>> decode(b"\xff\xfea\x00", "txt")[:3]
    ('a', b'\xff\xfe', 'utf-16-le')
    """
    for mark, encoding in _MARKS:
        if octets.startswith(mark):
            try:
                return Decoded(octets[len(mark) :].decode(encoding), mark, encoding)
            except UnicodeDecodeError as error:
                raise Binary(f"it begins as {encoding.upper()}, but is not") from error
    null = octets.find(b"\0", 0, _FIRST)
    if null >= 0:
        raise Binary(f"octet {null + 1} is null")
    declared = _declared(octets, kind)
    for encoding in (declared, "utf-8") if declared else ("utf-8",):
        try:
            return Decoded(octets.decode(encoding), b"", encoding)
        except UnicodeDecodeError as error:
            wrong = error
    line = octets.count(b"\n", 0, wrong.start) + 1
    remark = f"not UTF-8 (byte 0x{octets[wrong.start]:02x} in line {line}); read as Windows-1252"
    return Decoded(octets.decode(_FALLBACK, "replace"), b"", _FALLBACK, remark)


def text_of(octets: bytes, kind: str) -> tuple[str, str | None]:
    r"""The text of a file, and a remark if its encoding had to be guessed. Line ends become ``\n``.

    :param kind: the type of the file
    :raises Binary: if the file is not a text

    >>> text_of(b"\xff\xfea\x00", "txt")
    ('a', None)
    """
    decoded = decode(octets, kind)
    del octets  # otherwise a large file is in memory three times while its line ends change
    return decoded.as_read, decoded.guessed


def _declared(octets: bytes, kind: str) -> str | None:
    """The encoding that a file declares; None if it does not decode ASCII, so cannot be true."""
    for pattern in _DECLARATIONS.get(kind, (_CODING,)):
        if found := pattern.search(octets[:_START]):
            try:
                codec = codecs.lookup(found[1].decode("ascii"))
                if _ASCII.decode(codec.name) == _ASCII.decode("ascii"):
                    meant = kind == "html" and codec.name in _SAID_FOR_FALLBACK
                    return _FALLBACK if meant else codec.name
            except (LookupError, ValueError):  # no such encoding, or an encoding not for text
                continue
    return None
