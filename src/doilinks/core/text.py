r"""A text that was put together for a scan, and the way back to its source.

Escapes and entities are decoded before a scan, because ``10.1000/a\_b`` means ``10.1000/a_b``. Text
that is not prose is hidden. A name that a parser split over several nodes is joined again.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple, TypeVar
from unicodedata import category, normalize

from .markup import ENTITY, unescape

# Stands for a character of the source that is not prose. It is not graphic, so it ends every name.
HIDDEN = "\0"

Part = tuple[str, int, int]

_T = TypeVar("_T")


class Rest(NamedTuple):
    """The rest of one of several texts, of which a part is replaced."""

    number: int  # which of them, from 0
    start: int  # where the rest begins in the joined text
    end: int  # where it ends there


class Joined:
    """Several texts, joined.

    >>> joined = Joined(["see ", "10.1000/", "182."])
    >>> joined.text, joined.index(4), joined.index(14)
    ('see 10.1000/182.', 1, 2)
    """

    __slots__ = ("starts", "text")

    def __init__(self, texts: Sequence[str]) -> None:
        self.text = "".join(texts)
        self.starts: Sequence[int] = list(accumulate(map(len, texts), initial=0))

    def index(self, offset: int) -> int:
        """Return the number of the text that contains the character at ``offset``."""
        return bisect_right(self.starts, offset) - 1

    def splice(self, replaced: Iterable[tuple[int, int, _T]]) -> Iterator[range | Rest | _T]:
        """Replace stretches of the text: yield the replacements, and the texts around them.

        A range has the numbers of texts that remain whole.

        >>> for each in Joined(["see ", "10.1000/", "182."]).splice([(4, 15, "a link")]):
        ...     print(each)
        range(0, 1)
        a link
        Rest(number=2, start=15, end=16)
        """
        stretches = iter(replaced)
        stretch = next(stretches, None)
        index, count = 0, len(self.starts) - 1
        while index < count:
            touched = self.index(stretch[0]) if stretch else count
            if touched > index:
                yield range(index, touched)
                index = touched
                continue
            begin, end = self.starts[index : index + 2]
            done = begin
            while stretch and stretch[0] < end:
                if stretch[0] > done:
                    yield Rest(index, done, stretch[0])
                if stretch[0] >= begin:
                    yield stretch[2]
                done = min(stretch[1], end)
                if stretch[1] > end:
                    break
                stretch = next(stretches, None)
            if done == begin:
                yield range(index, index + 1)
            elif done < end:
                yield Rest(index, done, end)
            index += 1


class SourceText(Joined):
    r"""A text whose parts each have a place in a source.

    >>> text = SourceText.of(r"see 10.1000/a\_b.", [(13, 15, "_")])
    >>> text.text, text.span(4, 15)
    ('see 10.1000/a_b.', (4, 16))
    """

    __slots__ = ("_begins", "_ends")

    def __init__(
        self, text: str, starts: Sequence[int], begins: Sequence[int], ends: Sequence[int]
    ) -> None:
        self.text, self.starts, self._begins, self._ends = text, starts, begins, ends

    @classmethod
    def of(cls, source: str, pieces: Iterable[tuple[int, int, str]] = ()) -> SourceText:
        """Build the text of a source with each piece ``(start, end, text)`` replaced."""
        texts: list[str] = []
        starts, begins = [0], [0]
        at = size = 0
        for start, end, text in pieces:
            before = size + start - at
            size = before + len(text)
            texts += source[at:start], text
            starts += before, size
            begins += start, end
            at = end
        texts.append(source[at:])
        starts.append(size + len(source) - at)
        return cls("".join(texts), starts, begins, [*begins[1:], len(source)])

    @classmethod
    def from_parts(cls, parts: Iterable[Part]) -> SourceText:
        """Build the text of parts ``(text, start, end)``, each with its place in the source."""
        # Arrays, because a large file may have an escape for each of its characters.
        texts: list[str] = []
        starts, begins, ends = array("q", [0]), array("q"), array("q")
        for text, start, end in parts:
            texts.append(text)
            starts.append(starts[-1] + len(text))
            begins.append(start)
            ends.append(end)
        return cls("".join(texts), starts, begins, ends)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the source of a stretch of the text.

        A piece that stands for another text, such as an entity, is included as a whole.
        """
        first = bisect_right(self.starts, start) - 1
        last = bisect_left(self.starts, end, first) - 1
        begin, stop = self._begins[first], self._ends[last]
        if self._is_exact(first):
            begin += start - self.starts[first]
        if self._is_exact(last):
            stop -= self.starts[last + 1] - end
        return begin, stop

    def offset(self, at: int) -> int:
        r"""Return the offset in the text of the first part at or after an offset of the source.

        >>> text = SourceText.of(r"see 10.1000/a\_b.", [(13, 15, "_")])
        >>> [text.offset(at) for at in (4, 13, 14, 15)]
        [4, 13, 14, 14]
        """
        part = bisect_right(self._begins, at) - 1
        inside = at - self._begins[part]
        if inside == 0 or not self._is_exact(part):
            return self.starts[part + (inside > 0)]
        return min(self.starts[part] + inside, self.starts[part + 1])

    def is_escaped(self, start: int, end: int) -> bool:
        r"""Tell whether a character of the label or the prefix of a name is escaped in the source.

        Authors write ``10\.1000/182`` to prevent a link. In the suffix, an escape is a character of
        the name. Converters write ``\<doi:10.1000/182\>`` and ``DOI:&nbsp;10.1000/182``, so an
        escaped bracket around a name, an escaped space or an invisible character means nothing.
        """
        first = self.index(start + self.text.startswith("<", start))
        if end <= self.starts[first + 1] and self._is_exact(first):
            return False
        label = max(start, self.text.find("10", start, end))
        prefix = max(label, self.text.find("/", label, end))
        for part in range(first, self.index(prefix) + 1):
            if not self._is_exact(part):
                text = self.text[self.starts[part] : self.starts[part + 1]]
                if not all(each.isspace() or is_invisible(each) for each in text):
                    return True
        return False

    def _is_exact(self, part: int) -> bool:
        """Tell whether a part is the same in the source: if replaced, its length differs there."""
        return self._ends[part] - self._begins[part] == self.starts[part + 1] - self.starts[part]


# --------------------------------------------------------------------------------------------------
# Invisible characters.


def is_invisible(character: str) -> bool:
    """Tell whether a character is invisible, by its category in Unicode."""
    return category(character) == "Cf"


# --------------------------------------------------------------------------------------------------
# A DOI in a field of a bibliography, and in a link that another tool made of such a field.
#
# Programs that export references escape characters of a name, with LaTeX or with character
# references of HTML. BibTeX itself undoes LaTeX, but citeproc and sphinxcontrib-bibtex append the
# raw field to ``https://doi.org/``. So every reader of such a field has to undo the same escapes.

# A character of a name as LaTeX spells it, for a pattern with re.VERBOSE.
LATEX_CHARACTER: Final = r"""
      \\text(?P<word>less|greater|underscore|ascii(?:tilde|circum|grave)|backslash|bar|quotesingle
                      |brace(?:left|right)|e[nm]dash|hyphen)(?![A-Za-z])\s*(?:\{\})?
    | \\(?P<ascii>asciitilde|sim|lt|gt|[lr](?:angle|brack|brace)|slash|_
        |ss|ae|AE|oe|OE|aa|AA|[oOlLi])(?![A-Za-z])\s*(?:\{\})?
    | \\(?P<mark>[`'^"~=.]|[cvuHkrbd](?=[\s{\\]))\s*
        (?:(?P<held>\{)\s*)?(?P<under>\\[ij](?![A-Za-z])|[A-Za-z])(?(held)\s*\})
    | \\(?P<escaped>[_%&\#${}~^/<>|"'-])(?:\{\})?
    | (?:\$|\\\()(?P<math><|>|\\sim|\\_|_)(?:\$|\\\))
    | \\(?:ensuremath|[mh]box|text(?:rm|tt|up|normal)?)\s*\{\$?(?P<boxed>\\?[!-/:-@\[\]^-`|~])\$?\}
    | \\(?:string|protect)(?![A-Za-z])[ ]*
    | \\(?:symbol\s*\{|char\s*)(?P<number>[0-9]{2,3})(?:\}|[ ])?
"""
# Where LaTeX may end a line within a name, or may not: it stands for nothing. TeX drops the spaces
# after the name of a command, and one after a number or a length.
LATEX_BREAK: Final = r"""
    \\(?:-|discretionary[ ]?(?>(?:\{[^{}]{0,9}\}){0,3})|h(?:space\*?[ ]?\{0[a-z]{2}\}
        |skip[ ]?0[a-z]{2}(?:[ ]?(?:plus|minus)[ ]?[0-9.]{1,9}[a-z]{2,5}){0,2}[ ]?)
        |penalty[ ]?-?[0-9]{1,5}[ ]?
        |(?:allow|(?:no)?(?:line|page)?)break(?![A-Za-z])[ \t]*+(?:\n[ \t]*+)?(?:\[[0-4]\])?
    )(?:\{\})?
"""
_WORDS: Final = {
    "less": "<", "greater": ">", "underscore": "_", "asciitilde": "~", "backslash": "\\",
    "asciicircum": "^", "asciigrave": "`", "braceleft": "{", "braceright": "}", "emdash": "\u2014",
    "bar": "|", "quotesingle": "'", "endash": "\u2013", "hyphen": "-", "sim": "~", "slash": "/",
    "lt": "<", "gt": ">", "langle": "<", "rangle": ">", "\\sim": "~", "\\_": "_",
    "lbrack": "[", "rbrack": "]", "lbrace": "{", "rbrace": "}", "ss": "ß", "ae": "æ", "AE": "Æ",
    "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "i": "ı",
}  # fmt: skip
_ACCENTS: Final = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328",
    "r": "\u030a", "b": "\u0331", "d": "\u0323",
}  # fmt: skip
# Compiled when a text has one of the characters, because that takes long and few texts have one.
_SIGNS: Final = frozenset("&\\${")
_PROTECTED: Final = rf"""
      \\?(?P<reference>&{ENTITY})
    | \\(?:url|href|doi|path|nolinkurl|ensuremath|emph|[mh]box|text(?:[a-z]{{2}}|normal)?)
        (?![A-Za-z])\s*
    | \\+(?=\\)
    | {LATEX_CHARACTER} | {LATEX_BREAK}
    | (?P<between>\}}\s*\{{)
    | [{{}}]
"""
# Braces alone protect nothing but a single character: a name may contain a pair of them.
_PROTECTION: Final = rf"&{ENTITY} | {LATEX_CHARACTER} | {LATEX_BREAK} | \{{[_%&\#$~^<>]\}}"


def latex_character(match: re.Match[str]) -> str:
    """Return the character for a match of ``LATEX_CHARACTER``; ``""`` for other LaTeX.

    Heuristic: an accent that makes no letter of its letter stands for itself.
    """
    if mark := match["mark"]:
        letter = match["under"].removeprefix("\\")
        made = normalize("NFC", letter + _ACCENTS[mark])
        kept = match[0] if mark.isalpha() else mark + letter
        return made if len(made) == 1 else kept
    if match["number"]:
        return chr(int(match["number"]))
    boxed = (match["boxed"] or "").removeprefix("\\")
    kept = match["word"] or match["ascii"] or match["escaped"] or match["math"] or boxed
    return _WORDS.get(kept, kept)


def field_pieces(written: str) -> Iterator[tuple[int, int, str]]:
    """Yield the escapes of a field, as pieces of :class:`~.text.SourceText`."""
    blank = " " if r"\href" in written else ""  # separates target and text of a link
    for found in re.finditer(_PROTECTED, written, re.VERBOSE):
        reference = found["reference"]
        text = unescape(reference) if reference else latex_character(found)
        yield found.start(), found.end(), blank if found["between"] else text


def plain_field(written: str) -> str:
    r"""Return the text of a field without LaTeX and character references.

    Heuristic: a name may contain braces, a backslash and ``&lt;``, but no such name is known.

    >>> plain_field(r"10.1007/978{\_}3\%{}2"), plain_field(r"49:8$<$693::AID\textgreater{}3")
    ('10.1007/978_3%2', '49:8<693::AID>3')
    >>> plain_field("49:8&lt;693::AID-ASI4&gt;3"), plain_field(r"{\'A}.\ensuremath{<}2\o")
    ('49:8<693::AID-ASI4>3', 'Á.<2ø')
    """
    return SourceText.of(written, field_pieces(written)).text


def unprotected(link: str) -> str:
    """Remove the LaTeX and references that protect characters in the target or text of a link.

    A bibliography that makes a link of a field leaves them in it. A link without any stays as it
    is, with its braces.

    Source: heuristic, as for :func:`plain_field`.
    """
    if _SIGNS.isdisjoint(link) or not re.search(_PROTECTION, link, re.VERBOSE):
        return link
    return plain_field(link)
