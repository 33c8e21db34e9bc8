r"""Words, folded so that two ways of writing one word are equal.

Case, accents, transliterations (Müller, Mueller, M\"uller), letters such as ø and ß, Greek letters
and their names, apostrophes and every kind of dash.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Final

_LETTERS: Final = str.maketrans(
    {
        "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D",
        "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ı": "i", "þ": "th", "Þ": "Th",
        "’": "'", "‘": "'", "ʼ": "'", "ʹ": "'", "`": "'", "´": "'",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "\u00ad": "",
        "ﬁ": "fi", "ﬂ": "fl",
    }
)  # fmt: skip
_GREEK: Final = dict(
    zip(
        "αβγδεζηθικλμνξπρσςτυφχψω",
        str.split(
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma"
            " sigma tau upsilon phi chi psi omega"
        ),
        strict=True,
    )
)
_GREEK_TABLE: Final = str.maketrans(
    {letter: f" {name} " for letter, name in _GREEK.items()}
    | {letter.upper(): f" {name} " for letter, name in _GREEK.items() if letter != "ς"}
)
# LaTeX: accents such as \"u, \'{e}, \c{c}, \v s; letters such as \o, \ss; and other commands.
_ACCENT: Final = re.compile(r"\\(?:[\"'`^~=.]|[cvuHkrbdt](?![A-Za-z]))\s*\{?\\?([A-Za-z])\}?")
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,20})")
_LATEX: Final = {
    **{name: f" {name} " for name in _GREEK.values()},
    "o": "o",
    "O": "O",
    "l": "l",
    "L": "L",
    "ss": "ss",
    "aa": "a",
    "AA": "A",
    "i": "i",
    "j": "j",
    "ae": "ae",
    "AE": "Ae",
    "oe": "oe",
    "OE": "Oe",
    "textquoteleft": "'",
    "textquoteright": "'",
}
_GROUP: Final = re.compile(r"[{}]")
_APOSTROPHE: Final = re.compile(r"(?<=\w)'(?=\w)")
_WORD: Final = re.compile(r"[^\W_]+")
_TRANSLITERATED: Final = re.compile(r"([aou])e|aa")


def ascii_letters(text: str) -> str:
    r"""A text with its case, in which letters have no accents and LaTeX is undone.

    >>> ascii_letters(r'St{\'e}fan M\"{u}ller–Strübing, \alpha-decay'), ascii_letters("β-carotene")
    ('Stefan Muller-Strubing,  alpha -decay', ' beta -carotene')
    """
    if "\\" in text:
        text = _ACCENT.sub(r"\1", text)
        text = _COMMAND.sub(lambda command: _LATEX.get(command[1], " "), text)
    text = _GROUP.sub("", text).translate(_LETTERS)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_GREEK_TABLE))
        text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return text


def fold(word: str) -> str:
    """One word, so that its transliterations are equal: Mueller and Müller, Aaberg and Åberg.

    >>> fold("Mueller") == fold("Müller") == "muller"
    True
    """
    return _TRANSLITERATED.sub(_short, ascii_letters(word).casefold())


@dataclass(frozen=True)
class Words:
    """The words of a text in their order.

    :ivar folded: the words
    :ivar capital: whether each has an upper-case letter
    """

    folded: tuple[str, ...]
    capital: tuple[bool, ...]

    @classmethod
    def of(cls, text: str) -> Words:
        """Read a text.

        >>> Words.of("O’Toole's “β-decay”").folded
        ('otooles', 'beta', 'decay')
        """
        words = _WORD.findall(_APOSTROPHE.sub("", ascii_letters(text)))
        folded = tuple(_TRANSLITERATED.sub(_short, word.casefold()) for word in words)
        return cls(folded, tuple(not word.islower() for word in words))

    @cached_property
    def distinct(self) -> frozenset[str]:
        """Each word once."""
        return frozenset(self.folded)

    @cached_property
    def squeezed(self) -> str:
        """All words without the space between them: what lines and hyphens have split is whole."""
        return "".join(self.folded)

    def __contains__(self, word: str) -> bool:
        """The word is there, or its letters are, across a hyphen, a line's end or a lost space."""
        long = len(word) >= 6 or (len(word) > 1 and not word.isascii())
        return word in self.distinct or (long and word in self.squeezed)


def _short(two: re.Match[str]) -> str:
    return two[1] or "a"
