"""The part of a block that is about one of its names, without markup, and its words, folded.

A block may contain several names. The text between two of them belongs to the second one, as a
reference ends with its name.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final
from unicodedata import combining, normalize
from urllib.parse import unquote

from ..core.doi import DOI
from ..core.markup import unescape

# --------------------------------------------------------------------------------------------------
# Words, folded so that two ways of writing one word are equal.
#
# Case, accents, transliterations (Müller, Mueller, M\"uller), letters such as ø and ß, Greek
# letters and their names, apostrophes and every kind of dash.

_LETTERS: Final = str.maketrans({
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D",
    "ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ı": "i", "þ": "th", "Þ": "Th",
    "’": "'", "‘": "'", "ʼ": "'", "ʹ": "'", "`": "'", "´": "'",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "\u00ad": "",
    "ﬁ": "fi", "ﬂ": "fl", "{": "", "}": "",
})  # fmt: skip
_GREEK: Final = dict(zip("αβγδεζηθικλμνξπρσςτυφχψω", str.split(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma"
    " sigma tau upsilon phi chi psi omega"
), strict=True))  # fmt: skip
_GREEK_TABLE: Final = str.maketrans(
    {letter: f" {name} " for letter, name in _GREEK.items()}
    | {letter.upper(): f" {name} " for letter, name in _GREEK.items() if letter != "ς"}
)
# LaTeX: accents such as \"u, \'{e}, \c{c}, \v s; letters such as \o, \ss; and other commands.
_ACCENT: Final = re.compile(r"\\(?:[\"'`^~=.]|[cvuHkrbdt](?![A-Za-z]))\s*\{?\\?([A-Za-z])\}?")
# A command of LaTeX, whose name may be that of a Greek letter.
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,20})")
_LATEX: Final = {name: f" {name} " for name in _GREEK.values()} | {
    "o": "o", "O": "O", "l": "l", "L": "L", "ss": "ss", "aa": "a", "AA": "A", "i": "i", "j": "j",
    "ae": "ae", "AE": "Ae", "oe": "oe", "OE": "Oe", "textquoteleft": "'", "textquoteright": "'",
}  # fmt: skip
_LATE: Final = re.compile("[^\0-\u02ff]+")  # accents are letters of their own here alone
_APOSTROPHE: Final = re.compile(r"(?<=\w)'(?=\w)")  # inside a word
_EAST: Final = "\u1100-\u11ff\u3040-\u9fff"  # no space parts these from words of Latin letters
# Where words of Latin letters begin and end beside such characters.
_BETWEEN: Final = re.compile(rf"(?<=[A-Za-z])(?=[{_EAST}])|(?<=[{_EAST}])(?=[A-Za-z])")
_WORD: Final = re.compile(r"[^\W_]+")  # a word of letters and digits
_TRANSLITERATED: Final = re.compile(r"([aou])e|aa")  # how people write ä, ö, ü and å without them


def ascii_letters(text: str) -> str:
    r"""Remove accents from the letters of a text and undo LaTeX, without changing the case.

    >>> ascii_letters(r'St{\'e}fan M\"{u}ller–Strübing, \alpha-decay'), ascii_letters("β-carotene")
    ('Stefan Muller-Strubing,  alpha -decay', ' beta -carotene')
    """
    if "\\" in text:
        text = _ACCENT.sub(r"\1", text)
        text = _COMMAND.sub(lambda command: _LATEX.get(command[1], " "), text)
    text = text.translate(_LETTERS)
    if not text.isascii():
        text = normalize("NFKD", text.translate(_GREEK_TABLE))
        text = _LATE.sub(lambda late: "".join(x for x in late[0] if not combining(x)), text)
        text = _BETWEEN.sub(" ", text)
    return text


def fold(word: str) -> str:
    """Fold a word, so that its transliterations are equal: Mueller and Müller, Aaberg and Åberg.

    >>> fold("Mueller") == fold("Müller") == "muller"
    True
    """
    return _TRANSLITERATED.sub(_short, ascii_letters(word).casefold())


@dataclass(frozen=True)
class Words:
    """The words of a text in their order, and whether each has an upper-case letter."""

    folded: tuple[str, ...]
    capital: tuple[bool, ...]

    @classmethod
    @lru_cache(64)  # a comparison reads a text several times
    def of(cls, text: str) -> Words:
        """Read a text.

        >>> Words.of("O’Toole's “β-decay”").folded
        ('otooles', 'beta', 'decay')
        """
        words = _WORD.findall(_APOSTROPHE.sub("", ascii_letters(text)))
        folded = _TRANSLITERATED.sub(_short, " ".join(words).casefold()).split()
        return cls(tuple(folded), tuple(not word.islower() for word in words))

    @cached_property
    def distinct(self) -> frozenset[str]:
        """Each word once."""
        return frozenset(self.folded)

    @cached_property
    def squeezed(self) -> str:
        """All words without the space between them: what lines and hyphens have split is whole."""
        return "".join(self.folded)

    def __contains__(self, word: str) -> bool:
        """Tell whether a word is there, even across a hyphen, a line's end or a lost space."""
        long = len(word) >= 6 or (len(word) > 1 and not word.isascii())
        return word in self.distinct or (long and word in self.squeezed)


def places_of_words(text: str) -> tuple[str, list[tuple[str, int, int]]]:
    """Return a text without apostrophes and accents, and its folded words with their places."""
    text = _APOSTROPHE.sub("", ascii_letters(text))
    return text, [(fold(each[0]), *each.span()) for each in _WORD.finditer(text)]


def _short(two: re.Match[str]) -> str:
    return two[1] or "a"


# --------------------------------------------------------------------------------------------------
# The names in a block, and where they stand in it.

# A DOI name, roughly: only its place counts here.
NAME: Final = re.compile(r"10\.\d{3,9}(?:\.\d{1,9}){0,6}(?:/|%2[Ff])[^\s\"|{}\\^`]{1,300}")


class BlockNames:
    """The names in a block.

    :ivar spans: where each begins and ends

    >>> names = BlockNames("10.1000/182 and doi:10.1000/183; 10.1000%2F182")
    >>> len(names.spans), names.of(DOI("10.1000/182"))
    (3, [0, 2])
    """

    def __init__(self, block: str) -> None:
        found = list(NAME.finditer(block))
        self.spans = [name.span() for name in found]
        # Sorted, so that a name is found without a look at all others.
        self._spelled = sorted(
            {
                (spelling.lower(), number)
                for number, name in enumerate(found)
                for spelling in (name[0], unquote(name[0]), unescape(name[0]))
            }
        )
        self._own: dict[str, list[int]] = {}

    def of(self, doi: DOI) -> Sequence[int]:
        """Return the numbers of the names that are this one, or begin with it."""
        name = doi.name.lower()
        if name not in self._own:
            at = bisect_left(self._spelled, (name, 0))
            own = set()
            while at < len(self._spelled) and self._spelled[at][0].startswith(name):
                own.add(self._spelled[at][1])
                at += 1
            self._own[name] = sorted(own)
        return self._own[name]


# Those of one block are asked for one after another.
names_of: Final = lru_cache(maxsize=8)(BlockNames)

# Characters on each side of a name that are read. A reference with a hundred authors has 3,000.
_REACH: Final = 8_000
_NEAR: Final = 500  # characters next to a name
_PLACES: Final = 4  # a name may stand in its link's text and target
BOUNDARY: Final = "¦"  # stands for an address or a name, and for a border of the markup

# An address, with brackets if they are closed.
_ADDRESS: Final = re.compile(
    r"(?:https?://|ftp://|www\.|\b(?:dx\.)?doi\.org/)"
    r"(?:[^\s\"'<>|{}\\^`\]()]|\([^\s()<>\"']{0,80}\)){1,500}"
)
# A picture that is a link: the words of a badge say nothing of a work.
_BADGE: Final = re.compile(r"\[!\[[^\[\]]{0,200}\]\([^()\s]{0,500}\)")
_TAG: Final = re.compile(r"</?([A-Za-z]{1,20})(?:\s[^<>]{0,500})?/?>")  # a tag of HTML
# Elements inside a sentence; all others end a text.
_INLINE: Final = re.compile("b|i|em|strong|sub|sup|span|tt|code|small", re.IGNORECASE)
# Keys of citations have a name and mostly a year: :cite:t:`paskin:2000`, [paskin2000]: https://…
_CITED: Final = re.compile(
    r":cite(?::[a-z]{1,9})?:`([A-Za-z][A-Za-z_-]{0,40})[:_]?(\d{4})?[^`]{0,60}`", re.IGNORECASE
)
# The key of a reference that is a name and a year: .. [Berg2001].
_DEFINED: Final = re.compile(
    r"^[ \t]*(?:\[|\.\. _)([A-Za-z-]{2,30})((?:19|20)\d\d)[a-z]?\]?:(?=\s)", re.MULTILINE
)
_GLUED_YEAR: Final = re.compile(r"(?<=[a-z])(?=(?:19|20)\d\d\b)")  # Paskin2000
_KEY: Final = re.compile(r"@(?:doi:|https?://(?:dx\.)?doi\.org/)?$", re.IGNORECASE)  # [@doi:…]
_MARKUP: Final = re.compile(  # \~ and \` are accents of LaTeX
    r"(?P<role>:[A-Za-z][\w:.-]{0,30}:(?=`))"
    r"|(?P<border>\*\*|\||\]\(|`__?|~~"
    r"|^[ \t>]{0,80}(?:#+|[-*+•]|\.\.|\d{1,3}[.)])[ \t]|\n[ \t>]{0,80}\n)"
    # Anchors and cross-references of AsciiDoc.
    r"|(?P<nothing>#'|\[\[\[?[A-Za-z_][^\[\]\n]{0,80}\]?\]\](?!\()|<<[\w:.-]{1,80}(?:,|(?=>>))"
    r"|[*#>]|(?<!\\)[`~]|(?<!\w)_|_(?!\w)|^[ \t]{0,80}%)",
    re.MULTILINE,
)
_ENTRY: Final = re.compile(r"^[ \t]{0,80}@[A-Za-z]{3,20}\s{0,9}[{(]", re.MULTILINE)  # of BibTeX
# Another reference: a list's item that wrong indentation has made a part of a paragraph, or a line
# in one such as `[2] Miller`.
_NUMBERED: Final = r"\\?\[\d{1,3}\\?\][:.]?(?=[ \t][\"“*_]{0,2}[A-Z])"
# The beginning of an item of a list.
_ITEM: Final = re.compile(rf"\n[ \t]{{0,80}}(?:[*+•-]|{_NUMBERED})[ \t]")
# The beginning of a numbered one, which is mostly a reference.
_OWN_ITEM: Final = re.compile(rf"\n[ \t]{{0,80}}{_NUMBERED}")
# The text of a link to the name, in Markdown, reStructuredText and HTML.
_LABELS: Final = (
    re.compile(r"\[([^\[\]]{1,400})\]\]?\(<?[^\s()<>]{0,200}$"),
    re.compile(r"`([^`<>]{1,400})<[^\s<>]{0,200}$"),
)
# A link to an address that is no name, and a text that cites people.
_OTHER_LINK: Final = re.compile(
    r"\[([^\[\]]{1,200})\]\(<?https?://[^\s()<>]{1,300}>?\)|`([^`<>]{1,200})<https?://[^\s<>`]{1,300}>`"
)
# What a label has that cites a work itself.
_CITES: Final = re.compile(r"\bet\b[*_ ]{0,3}\bal\b|\b(?:1[89]|20)\d\d\b")
# A tag that is open where the name stands, as its target.
_HREF: Final = re.compile(r"<a\s[^<>]{0,300}$", re.IGNORECASE)
_HREF_TEXT: Final = re.compile(r"[^<>]{0,400}>([^<>]{1,400})<")  # the text of this link


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a block that is about a name.

    :ivar text: the part without markup, :data:`BOUNDARY` for addresses and names
    :ivar before, after: the text before the name, and after it
    :ivar beside: the characters next to the name in the source
    :ivar label: the text of a link to the name
    :ivar cells: the cells, if the block is a row of a table
    :ivar keyed: the name is the key of a citation
    :ivar shared: the block contains other names too
    """

    text: str
    before: str
    after: str
    beside: str
    label: str
    cells: tuple[str, ...]
    keyed: bool
    shared: bool


def part_of(block: str, doi: DOI) -> Part:
    """Return the part of ``block`` about ``doi``; all of it if the name is not found there.

    >>> part = part_of("*Paskin* (2000). doi:10.1000/182; and doi:10.1000/183", DOI("10.1000/182"))
    >>> part.text, part.shared
    ('Paskin (2000). doi:¦;', True)
    """
    names = names_of(block)
    spans, own = names.spans, names.of(doi)
    start, end, floor, ceiling = 0, 0, 0, len(block)
    if own:
        first = own[0]
        several = own[: bisect_right(own, spans[first][0] + _REACH, key=lambda n: spans[n][0])]
        last = several[-1]
        # Of a name that stands there twice, the place with the most text before it is read.
        start = spans[max(several, key=lambda n: spans[n][0] - (spans[n - 1][1] if n else 0))][0]
        # A name ends where it is written in full; what follows may be a tag.
        begin, end = spans[last]
        if block[begin : begin + len(doi.name)].lower() == doi.name.lower():
            end = begin + len(doi.name)
        floor = spans[first - 1][1] if first else 0
        ceiling = spans[last][1] if last + 1 < len(spans) else len(block)
    for entry in _ENTRY.finditer(block, floor, ceiling):
        if entry.start() >= start:
            ceiling = entry.start() or ceiling
            break
        floor = entry.start()
    if own and (item := _ITEM.search(block, end, min(ceiling, end + _REACH))):
        ceiling = item.start()
    for item in _OWN_ITEM.finditer(block, max(floor, start - _REACH), start):
        floor = item.start()
    lowest, highest = max(0, start - _REACH), min(len(block), end + _REACH)
    line, stop = block.rfind("\n", lowest, start) + 1, block.find("\n", end, highest)
    line, stop = max(line, lowest), highest if stop < 0 else stop
    row = block[line:stop].strip()
    is_row = row.count("|") > 2 and "|" in (row[0], row[-1])
    is_row = is_row and bool(own or row == block[:highest].strip())
    if is_row:  # the rows around it are about other works
        floor, ceiling = max(floor, line), min(ceiling, stop)
    floor, ceiling = max(floor, start - _REACH), min(ceiling, end + _REACH)
    if not own:
        start = end = ceiling
    before, name, after = block[floor:start], block[start:end], block[end:ceiling]
    labels = (_label(block, floor, spans[number][0]) for number in own[:_PLACES])
    label = next(filter(None, labels), "")
    if _CITES.search(label):  # then the other links cite other works
        before, after = (_OTHER_LINK.sub(_cites_no_other, piece) for piece in (before, after))
    shown = [plain(piece) for piece in (before, name, after)]
    cells = block[floor:ceiling].split("|") if is_row else ()
    return Part(
        "".join(shown),
        before=shown[0],
        after=shown[2],
        beside=before[-_NEAR:] + name[:_NEAR] + after[:_NEAR],
        label=plain(label),
        cells=tuple(map(plain, cells)),
        keyed=_KEY.search(before[-80:]) is not None,
        shared=len(own) < len(spans),
    )


def plain(text: str) -> str:
    """Remove the markup of a text, and replace each address and name with a boundary."""
    text = _BADGE.sub(BOUNDARY, unescape(text))
    text = _CITED.sub(lambda key: f"{key[1].replace('_', ' ').title()} {key[2] or ''}", text)
    text = _DEFINED.sub(lambda key: f"{key[1].title()} {key[2]}:", text)
    text = NAME.sub(BOUNDARY, _ADDRESS.sub(BOUNDARY, text))
    text = _MARKUP.sub(_mark, _TAG.sub(_tag, text))
    return _GLUED_YEAR.sub(" ", text)


def _cites_no_other(link: re.Match[str]) -> str:
    return f" {BOUNDARY} " if _CITES.search(link[1] or link[2]) else link[0]


def _label(block: str, floor: int, start: int) -> str:
    """Return the text of the link of which the name at ``start`` is the target, or ``""``."""
    before = block[max(floor, start - 700) : start]
    for pattern in _LABELS:
        if found := pattern.search(before):
            return found[1]
    text = _HREF_TEXT.match(block, start) if _HREF.search(before) else None
    return text[1] if text else ""


def _tag(tag: re.Match[str]) -> str:
    return " " if _INLINE.fullmatch(tag[1]) else BOUNDARY


def _mark(mark: re.Match[str]) -> str:
    return BOUNDARY if mark["border"] is not None else ""
