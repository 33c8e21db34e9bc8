"""The encodings of a DOI name, and the way back.

All encodings work on the UTF-8 bytes of a name, without any normalisation, and differ only in the
characters they keep, so all come from one set of characters.

Spec: [URI §2] for the URI form, [HB] for the link form, [2000] for reading percent triplets. The
legible form is ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = [
    "characters",
    "decode",
    "is_graphic",
    "legible_form",
    "link_form",
    "not_graphic",
    "says_no_name",
    "tail_form",
    "uri_form",
]

# [URI §2] step 2a: unreserved, sub-delims, ":" and "@" are kept (RFC 3986 §2.2 and §2.3).
_UNRESERVED: Final = r"A-Za-z0-9._~\-"
_SUB_DELIMS: Final = "!$&'()*+,;="
_URI_KEEPS: Final = f"{_UNRESERVED}{_SUB_DELIMS}:@"
# [HB] recommended rules: "+" is encoded in links. The slash separates path segments and stays.
_LINK_KEEPS: Final = _URI_KEEPS.replace("+", "") + "/"
# What a reader can read, copy and type without a mistake: what the URI form keeps (so this form
# is never longer), slashes, square brackets, and accented letters that look like no other letter.
# White space, quotes, < > # ? % and whatever means something in markup or in a URL are encoded
# [NISO §E] [2000]. So is all else outside of ASCII, because it may look like another character, as
# a dash looks like a hyphen, or be invisible, or not be composed [URI §2] note 2. Heuristic: none
# of these letters of Latin-1 looks like another one or like ASCII (UTS #39), and each is one code
# point.
_ACCENTED: Final = "À-ÅÇ-ÏÑ-ÖÙ-Ýà-åç-ïñ-öù-ýÿ"
_LEGIBLE_KEEPS: Final = rf"{_URI_KEEPS}/\[\]{_ACCENTED}"
# The query and fragment of a URL that an author wrote (RFC 3986 §3.4), triplets included.
_TAIL_KEEPS: Final = _URI_KEEPS + "/?#%"

# The engine searches for a class much faster than for a repeated class, so the first is apart.
_URI_ENCODES, _LINK_ENCODES, _LEGIBLE_ENCODES, _TAIL_ENCODES = (
    re.compile(f"[^{keeps}][^{keeps}]*")
    for keeps in (_URI_KEEPS, _LINK_KEEPS, _LEGIBLE_KEEPS, _TAIL_KEEPS)
)

_TRIPLETS: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

# The bytes that begin a UTF-8 sequence, and how many belong to it (RFC 3629 §4).
_UTF8_LENGTH: Final = ((0x00, 0x7F, 1), (0xC2, 0xDF, 2), (0xE0, 0xEF, 3), (0xF0, 0xF4, 4))


def is_graphic(character: str) -> bool:
    r"""Tell whether one code point is graphic; a DOI name contains no others.

    Graphic code points are letters, marks, numbers, punctuation, symbols and spaces (Unicode
    §2.4). Control, format, private-use, surrogate and unassigned code points and line separators
    are not.
    Source: [URI §2], [NISO §4.1].

    >>> is_graphic("Á"), is_graphic("\u00ad")
    (True, False)
    """
    import unicodedata  # rarely needed, so not loaded with every import of doilinks

    category = unicodedata.category(character)
    return category[0] in "LMNPS" or category == "Zs"


def not_graphic(text: str) -> int | None:
    r"""Return the offset of the first code point in ``text`` that is not graphic, or None.

    >>> not_graphic("10.1000/a\u200bb")
    9
    """
    if text.isprintable():
        return None
    return next((at for at, character in enumerate(text) if not is_graphic(character)), None)


def uri_form(part: str) -> str:
    """Encode a prefix or a suffix for the ``doi:`` URI; a slash becomes ``%2F``. Source: [URI §2].

    >>> uri_form("JDA.202212/SP_17(4).0000")
    'JDA.202212%2FSP_17(4).0000'
    """
    return _URI_ENCODES.sub(_triplets, part)


def legible_form(part: str) -> str:
    """Encode of a prefix or a suffix only what misleads a reader or gets lost in a copy.

    Source: heuristic, after the reasons that [URI §2] note 2, [NISO §E] and [2000] give for
    encoding. The result reads back as the same name, as the URI form does.

    >>> legible_form("0004-6361/201935325"), legible_form("a<1>b\u2013c"), legible_form("É#1")
    ('0004-6361/201935325', 'a%3C1%3Eb%E2%80%93c', 'É%231')
    """
    return _LEGIBLE_ENCODES.sub(_triplets, part)


def link_form(name: str) -> str:
    """Encode a whole DOI name for the path of an https link. Source: [HB].

    >>> link_form("10.1000/456#789")
    '10.1000/456%23789'
    >>> link_form("10.1000/a/../b/.")
    '10.1000/a/..%2Fb%2F.'
    """
    path = _LINK_ENCODES.sub(_triplets, name)
    return _defuse_dot_segments(path) if "/." in path else path


def tail_form(tail: str) -> str:
    """Encode characters of an author's query and fragment that no URL may contain (RFC 3986 §3.4).

    >>> tail_form('?a="b"#top')
    '?a=%22b%22#top'
    """
    return _TAIL_ENCODES.sub(_triplets, tail)


def _triplets(unsafe: re.Match[str]) -> str:
    # Lone surrogates are not in any name, but may be in the tail of a hostile URL.
    return "".join(f"%{octet:02X}" for octet in unsafe[0].encode("utf-8", "replace"))


def _defuse_dot_segments(path: str) -> str:
    """Encode a slash beside each ``.`` or ``..`` segment, so that no client removes the segment.

    [HB] note on ``/./`` and ``/../``: the slash after the segment. After a
    segment at the end there is no slash, so the slash before it is encoded. To encode the dot
    would not help, because browsers read ``%2e`` as a dot.
    """
    first, *segments = path.split("/")
    pieces = [first]
    for at, segment in enumerate(segments):
        last = at == len(segments) - 1
        after_dots = at > 0 and segments[at - 1] in (".", "..")
        hide = after_dots or (last and segment in (".", ".."))
        pieces.append(("%2F" if hide else "/") + segment)
    return "".join(pieces)


def decode(text: str) -> str:
    """Decode the percent triplets of ``text`` that stand for graphic characters, once.

    A triplet that is not part of valid UTF-8, or stands for a character that no DOI name can
    contain, stays as written: its percent sign is then a character of the name.
    Source: [URI §3] step 1; [2000] "percent is always read as the start of a hex triplet".

    >>> decode("456%23789"), decode("100%25"), decode("%FF%00%C3%81")
    ('456#789', '100%', '%FF%00Á')
    """
    if "%" not in text:
        return text
    return _TRIPLETS.sub(_decode_run, text)


def says_no_name(path: str) -> bool:
    """Tell whether a triplet in the path of a URL stands for no character that a name may contain.

    In a URL, a percent with two hexadecimal digits is always a triplet (RFC 3986 §2.4), so it
    cannot be a percent of the name.

    >>> says_no_name("10.1000/a%E2%80%8Bb"), says_no_name("10.1000/a%C3%81%25FFb%")
    (True, False)
    """
    runs = _TRIPLETS.finditer(path)
    return any(not character for run in runs for character, _ in _characters(run[0]))


def characters(text: str) -> Iterator[tuple[str, str]]:
    """Each character that :func:`decode` gives, and how it is written.

    >>> list(characters("a%C3%81%"))
    [('a', 'a'), ('Á', '%C3%81'), ('%', '%')]
    """
    at = 0
    for run in _TRIPLETS.finditer(text):
        yield from ((each, each) for each in text[at : run.start()])
        for character, written in _characters(run[0]):
            # A triplet that does not stand for a character stands for three.
            yield from [(character, written)] if character else ((each, each) for each in written)
        at = run.end()
    yield from ((each, each) for each in text[at:])


def _decode_run(match: re.Match[str]) -> str:
    return "".join(character or written for character, written in _characters(match[0]))


def _characters(run: str) -> Iterator[tuple[str, str]]:
    """The graphic character, ``""`` if it is not one, and the triplets that stand for it."""
    octets = bytes.fromhex(run.replace("%", ""))
    at = 0
    while at < len(octets):
        size = next((n for low, high, n in _UTF8_LENGTH if low <= octets[at] <= high), 1)
        try:
            character = octets[at : at + size].decode("utf-8")
        except UnicodeDecodeError:
            character, size = "", 1
        good = character != "" and is_graphic(character)
        yield character if good else "", run[3 * at : 3 * (at + size)]
        at += size
