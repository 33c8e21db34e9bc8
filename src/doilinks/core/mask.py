r"""Words that stand for names while a host reads inline markup.

To a host, a name is a row of punctuation: ``10.1000/a_b--c<d>`` has emphasis, a dash and a tag. So
before the host reads inline markup, each name becomes a word of letters and digits that is nowhere
in the document. To emphasis, typography, tables and attribute lists it is an ordinary word, and no
list can be given to a link that the author has not written. At the end the word becomes the link
or, in code, attributes and links of the author, what the author wrote.

>>> masks = Masks[str].for_text("See *10.1000/182*.")
>>> hidden = f"See *{masks.hide('a link', '10.1000/182')}*."
>>> hidden
'See *zdoi0x*.'
>>> [*masks.pieces(hidden)], masks.restore(hidden.upper())
(['See *', Mark(item='a link', written='10.1000/182'), '*.'], 'SEE *10.1000/182*.')
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from string import punctuation
from typing import Final, Generic, NamedTuple, TypeVar
from unicodedata import normalize

from .markup import ENTITY, NO_PROSE, TAIL, TAIL_SITE, unescape
from .text import HIDDEN

_Item = TypeVar("_Item")

# --------------------------------------------------------------------------------------------------
# The words of one document.

_WORD: Final = "zdoi"
# The word begins with a letter that it has only once, so no two words overlap. If the document has
# it, these letters are added.
_LONGER: Final = ("bcdfgh", 12)
# A mark ends in one of these letters, which the word does not contain. The last two have a
# punctuation mark beside them, on the side of the text in brackets: an underscore beside a letter
# is not emphasis.
_NAME, _OPENS, _CLOSES = "x", "y", "w"
# Markup that hosts leave out of ids: tags, targets of links, signs.
_DROPPED: Final = re.compile(r"<[^<>]*+>|\][(\[][^()\[\]]*+[)\]]|[^\w\s]|_")
_APART: Final = re.compile(r"zd?o?(?:[^\w\s]|_)")  # a part of the word, and a mark that is dropped
_BESIDE: Final = "\N{SECTION SIGN}"  # means nothing to any host


class Mark(NamedTuple, Generic[_Item]):
    """The item that a word stands for, and its source."""

    item: _Item  # the record of the host
    written: str  # the source that the word has replaced


class Masks(Generic[_Item]):
    """The words of one document, each with its item.

    They begin with letters that the document has in neither case: identifiers are in lower case.
    """

    def __init__(self, word: str = _WORD) -> None:
        self._word = word
        self._marks: list[Mark[_Item]] = []
        # It begins with a literal, which is many times faster. A longer number is no mark.
        self._pattern = re.compile(
            f"{word}(?:([0-9]{{1,9}})(?:{_NAME}|{_OPENS}{_BESIDE}?|{_CLOSES})|[0-9]*)"
        )

    @classmethod
    def for_text(cls, text: str) -> Masks[_Item]:
        """Make masks whose word is not in a text."""
        if "&" in text:
            text = f"{text}{unescape(text)}"  # a host may decode the source
        text = normalize("NFKD", text).lower()
        if _APART.search(text):  # a host makes ids of headings without markup and punctuation
            text = f"{text}{_DROPPED.sub('', text)}"
        if _WORD not in text:
            return cls()
        letters, size = _LONGER
        taken = set(re.findall(f"{_WORD}([{letters}]{{{size}}})", text))
        longer = map("".join, product(letters, repeat=size))
        return cls(_WORD + next(each for each in longer if each not in taken))

    def __bool__(self) -> bool:
        return bool(self._marks)

    def hide(self, item: _Item, written: str) -> str:
        """Register an item, and return the word that stands for it in the text."""
        return self._next(item, written) + _NAME

    def bracket(self, item: _Item, *, opens: bool) -> str:
        """Register a bracket; return a word to add inside of it, so the host knows its meaning."""
        word = self._next(item, "")
        return word + _OPENS + _BESIDE if opens else _BESIDE + word + _CLOSES

    def _next(self, item: _Item, written: str) -> str:
        self._marks.append(Mark(item, written))
        return f"{self._word}{len(self._marks) - 1}"

    def pieces(self, text: str) -> Iterator[str | Mark[_Item]]:
        """Yield the texts and marks of a text in order; skip marks that a host has cut off."""
        at = 0
        # As long as the text: only this letter is longer in lower case.
        for found in self._pattern.finditer(text.replace("\u0130", "I").lower()):
            start, end = found.span()
            if found[0][-1] == _CLOSES and text[max(0, start - 1) : start] == _BESIDE:
                start -= 1
            if start > at:
                yield text[at:start]
            number = int(found[1] or -1)
            if 0 <= number < len(self._marks):
                yield self._marks[number]
            at = end
        if at < len(text):
            yield text[at:]

    def before(self, text: str) -> str:
        """Return the text before the first mark."""
        first = next(self.pieces(text), "")
        return first if isinstance(first, str) else ""

    def hides(self, text: str) -> bool:
        """Tell whether a text has a mark."""
        return self._word in text.lower()

    def restore(self, text: str) -> str:
        """Replace each mark in a text with the source that the author wrote."""
        pieces = self.pieces(text)
        return "".join(each if isinstance(each, str) else each.written for each in pieces)


# --------------------------------------------------------------------------------------------------
# Decodes or hides the inline markup of Markdown, so that a text can be scanned for names.

_TICKS: Final = re.compile("``*")  # begins with a plain character, which is many times faster


@lru_cache(maxsize=8)
def _markup(raw_html: bool, more: str) -> re.Pattern[str]:
    elements = "|".join((*NO_PROSE, *(("a",) if raw_html else ())))
    return re.compile(
        # Each begins with a plain character, as those of ``more``: that is many times as fast.
        rf"""\[(?<=[]>;]\[)(?P<tail>{TAIL})\]\(<?{TAIL_SITE}>?\)
        | {more} \\(?P<escaped>[!-/:-@\[-`{{-~])
        | &(?P<entity>{ENTITY})
        | `(?P<ticks>`*)
        | <(?P<element>(?i:{elements}))(?=[\s>])
        | <(?P<comment>{"!--" if raw_html else "(?!)"})
        | \[(?P<footnote>\^[^\[\]\s]+\])
        | \[(?=(?P<label>[^\[\]]*)\])
        | \{{(?P<attributes>:?\ ?[.\#])
        """,
        re.VERBOSE,
    )


def decoded(
    source: str,
    *,
    escapes: str = punctuation,
    is_label: Callable[[str], bool] | None = None,
    raw_html: bool = False,
    more: str = "",
) -> Iterator[tuple[int, int, str]]:
    """Yield the pieces of a source that hide all but prose, and decode escapes and entities.

    ``raw_html`` hides comments and links of HTML too; ``more`` has further alternatives of the
    pattern, which are tried first, each before ``|``, as for ``re.VERBOSE``.
    """
    runs: dict[str, list[int]] = {}
    unclosed: set[str] = set()  # end tags that are missing; searched once, for linear time
    done = 0
    for match in _markup(raw_html, more).finditer(source):
        start, end = match.span()
        text = HIDDEN
        if start < done:
            continue
        kind = match.lastgroup  # None: one of the further alternatives
        if kind == "tail":
            text = match[kind]
        elif kind == "escaped":
            text = match[kind]
            if text not in escapes:
                continue
        elif kind == "entity":
            text = unescape(match[0])
            if text == match[0]:
                continue
        elif kind == "label":
            if is_label is None or not is_label(match[kind]):
                continue
            start, end = start + 1, match.end(kind) + 1  # a text before it has "[" after it
        elif kind == "ticks":
            if not runs:
                for run in _TICKS.finditer(source):
                    runs.setdefault(run[0], []).append(run.start())
            same = runs.get(match[0], [])
            after = bisect_left(same, end)
            if after == len(same):
                continue
            end = same[after] + len(match[0])
        elif kind in ("element", "comment"):
            name = match["element"]
            close = rf"</{name.lower()}(?=[\s>])" if name else "-->"
            at = None
            if close not in unclosed:
                at = re.compile(close, re.IGNORECASE).search(source, end)
            if not at:
                unclosed.add(close)
                continue
            end = at.start() if name else at.end()
        yield start, end, text
        done = end
