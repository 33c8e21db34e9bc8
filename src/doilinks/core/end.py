"""Where a DOI ends in running text.

A suffix may contain any graphic character [NISO §4.3], so no standard says where a name ends. The
rules are the rows of ``end_steps``. They look forward only as far as the name goes, so the time is
linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from unicodedata import category

from . import end_steps as step
from .begin import Begin
from .steps import BRACKETS, PARTNER, either, is_joining, one_of
from .words import AFTER_STOP, IN_BRACKETS, NO_WORD, NO_WORD_BEFORE_COLON

__all__ = ["End", "Runs", "end_of", "everyday_end"]

_STOP: Final = re.compile(one_of(*step.STOPS))
_CHUNK: Final = 256

# Groups tell apart the steps that apply only under a condition. Every other match is the end.
_CONDITIONAL: Final = (
    step.QUERY, step.SPELLED, step.PLACEHOLDER, step.UNBALANCED, step.CLOSING_QUOTE, step.SCRIPT,
)  # fmt: skip
_CUT: Final = re.compile(either(*step.CUTS, grouped=_CONDITIONAL))
_SPELLED, _QUERY = step.SPELLED.group, step.QUERY.group
_PLACEHOLDER, _UNBALANCED = step.PLACEHOLDER.group, step.UNBALANCED.group
_CLOSING_QUOTE = step.CLOSING_QUOTE.group

# A shortcut; a test proves that it changes nothing. Most suffixes consist of letters, digits,
# slashes and hyphens, with single dots, underscores, colons and pairs of parentheses between
# them, before white space. No step ends such a name earlier, so one match finds its end.
_PLAIN: Final = r"[A-Za-z0-9/-]"
_HYPHEN: Final = r"-(?!10\.|d|http)"  # no DOI follows
_EVERYDAY: Final = re.compile(
    rf"""(?: [A-Za-z0-9/]++(?:{_HYPHEN}[A-Za-z0-9/]*+)*+ | {_HYPHEN}
           | [._](?:(?=[0-9])|(?!{AFTER_STOP}|www\.)(?={_PLAIN}|\())
           | {NO_WORD}{NO_WORD_BEFORE_COLON}:(?!//|www\.)(?={_PLAIN}|\()
           | \((?!{IN_BRACKETS})[A-Za-z0-9_-]*+\)
         )++(?:(?<=[0-9])|(?<![._:]){NO_WORD})(?=[).,;]{{0,2}}(?:\s|\Z))""",
    re.VERBOSE,
)
_EVERYDAY_OPENERS: Final = frozenset(("", "(", "[", "{"))

_OPENER: Final = {closer: opener for opener, closer in BRACKETS.items()}
_BRACKET: Final = re.compile(either(step.UNBALANCED))

# In characters. If a placeholder such as {id} is this close to the prefix, the text is a template.
_TEMPLATE_REACH: Final = 128
# In characters: the longest shortDOI, with what may be trimmed after it.
_SHORT_REACH: Final = 64

_TRAILING: Final = re.compile(one_of(step.TRAILING))
# The categories of trailing punctuation outside ASCII. Dashes and emoji are not among them: names
# end in dashes, and names were registered with emoji.
_MARKS: Final = frozenset(("Po", "Pi", "Pf", "Ps", "Pe", "Sc", "Sk", "Sm", "So", "No"))
_TAIL: Final = re.compile(rf"(?:{either(*step.TAILS)})\Z")
_TAIL_ENDS: Final = "]=^s"  # the last characters of what these steps match
_TAIL_REACH: Final = 42


class End(NamedTuple):
    """Where a name ends.

    :ivar at: the offset after its last character. In a URL, it is after the query and the fragment,
        and the name before them is not trimmed. If nothing is left of the suffix, it is at most
        ``Begin.suffix``.
    :ivar closed_by_angle: whether ``<`` and ``>`` enclose the name
    :ivar is_placeholder: whether the text up to there is a template, not a name
    """

    at: int
    closed_by_angle: bool = False
    is_placeholder: bool = False


class Runs:
    """The stretches of a text without a stop, and the pairs of brackets in each of them.

    Cached: names in the same run reuse its end and its pairs of brackets, so the scan stays linear.
    """

    _end = -1
    _read_from = 0
    _partners: dict[int, int] | None = None

    def __init__(self, text: str) -> None:
        self._text = text

    def end(self, start: int) -> int:
        """The offset at which the run that contains ``start`` ends."""
        if start < self._end:
            return self._end
        text, at = self._text, start
        while at < len(text):
            chunk = text[at : at + _CHUNK]
            stop = _STOP.search(chunk)
            size = stop.start() if stop else len(chunk)
            if not chunk[:size].isprintable():
                size = next(n for n, character in enumerate(chunk) if not character.isprintable())
                at += size
                break
            at += size
            if stop:
                break
        self._end, self._read_from, self._partners = at, start, None
        return at

    def partner(self, bracket: int) -> int | None:
        """The offset of the bracket that pairs with the one at ``bracket``, or None."""
        if self._partners is None:
            self._partners = {}
            open_at: dict[str, list[int]] = {opener: [] for opener in BRACKETS}
            for found in _BRACKET.finditer(self._text, self._read_from, self._end):
                character, at = found[0], found.start()
                if character in open_at:
                    open_at[character].append(at)
                elif stack := open_at[_OPENER[character]]:
                    opener = stack.pop()
                    self._partners[opener], self._partners[at] = at, opener
        return self._partners.get(bracket)


def everyday_end(text: str, begin: Begin) -> int | None:
    """The offset at which an everyday name ends; None if the steps have to say. A shortcut."""
    if begin.opener not in _EVERYDAY_OPENERS or text[begin.name + 2] != ".":
        return None
    everyday = _EVERYDAY.match(text, begin.suffix)
    return everyday.end() if everyday else None


def end_of(text: str, begin: Begin, runs: Runs) -> End:
    """Decide where the name that starts at ``begin`` ends."""
    short = text[begin.name + 2] != "."
    if begin.opener == "<":
        runs.end(begin.start - 1)
        closed = runs.partner(begin.start - 1)
        if closed is not None and closed > begin.suffix:
            if short and closed > begin.suffix + _SHORT_REACH:
                return End(begin.suffix)
            return End(closed, closed_by_angle=True)
    end = runs.end(begin.name)
    if short:
        end = min(end, begin.suffix + _SHORT_REACH)
    end, kind = _cut(text, begin, runs, end)
    if kind == _PLACEHOLDER and end < begin.suffix + _TEMPLATE_REACH:
        return End(end, is_placeholder=True)
    return End(_trim(text, begin.suffix, end))


def _cut(text: str, begin: Begin, runs: Runs, end: int) -> tuple[int, str | None]:
    """Where the first step ends the name before its run does, and the group of this step, if any.

    Nothing after that is read.
    """
    ascii_so_far = True
    for found in _CUT.finditer(text, begin.suffix, end):
        at, kind = found.start(), found.lastgroup
        if kind is None or kind == _PLACEHOLDER:
            return at, kind
        if kind == _UNBALANCED:
            partner = runs.partner(at)
            if partner is None or partner < begin.suffix:
                return at, kind
        elif kind == _QUERY:
            if begin.form != "url":  # in a URL it begins the query [RFC 3986 §3.4]
                return at, kind
        elif kind != _SPELLED:
            if kind == _CLOSING_QUOTE and _closes(found[0], text[at + 1 : min(end, at + 2)], begin):
                return at, kind
            if not found[0].isascii():
                # 10.1000/182を ends before its first letter that is not ASCII.
                if ascii_so_far and at > begin.suffix and is_joining(found[0]):
                    return at, kind
                ascii_so_far = False
    return end, None


def _closes(quote: str, after: str, begin: Begin) -> bool:
    """Tell whether a quote is the partner of the one before the name."""
    if not begin.opener or PARTNER[begin.opener] != quote:
        return False
    return quote not in "'’" or not after.isalnum()  # an apostrophe, as in 10.1000/it's


def _trim(text: str, start: int, end: int) -> int:
    """Remove from the end of a name what belongs to the sentence."""
    while True:
        while end > start and (_TRAILING.match(text, end - 1) or _is_mark(text[end - 1])):
            end -= 1
        if end <= start or text[end - 1] not in _TAIL_ENDS:
            return end
        tail = _TAIL.search(text, max(start, end - _TAIL_REACH), end)
        if tail is None:
            return end
        end = tail.start()


def _is_mark(character: str) -> bool:
    """Tell whether a character is a punctuation mark or symbol outside ASCII."""
    return "\x7f" < character < "\U00010000" and category(character) in _MARKS
