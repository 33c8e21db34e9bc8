"""Where a DOI ends in running text.

A suffix may hold any graphic character, so the standards leave this open; each step is a
heuristic, named, with cases of its own in ``tests/conformance``. The steps look forward only as far
as the name goes, so that the time stays linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Final

from .begin import PARTNER, Begin, is_cjk

__all__ = ["Runs", "end_of"]

# Step "run": white space, table cells, full-width and CJK punctuation end every name; so do code
# points that are not graphic [NISO §4.1].
_STOP: Final = re.compile(
    r"[\s|\u3000-\u303f\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]"
)
_CHUNK: Final = 256

_DOI_FOLLOWS: Final = (
    r"(?:doi\s?:\s?|https?://(?:dx\.)?doi\.org/|(?:dx\.)?doi\.org/)?10\.[0-9]{4,9}(?:\.[0-9]+)*/"
)
_GLUED_WORD: Final = (
    r"(?:PMID|PMCID|PubMed|URL|arXiv|ISSN|ISBN|Epub|Available|Accessed|Retrieved|doi|DOI)"
    r"(?![a-z0-9_./-])"
)
_GLUED_MARK: Final = r"(?:doi|DOI|pii|PII|PMID|PMCID|PubMed|pubmed|arXiv|hep-[a-z]+)\b"
_CUT: Final = re.compile(
    rf"""
      (?P<tag></?[A-Za-z][\w.-]*(?:\s[^<>]*)?/?>|<!--)         # markup, but not <693::AID-ASI4>
    | (?P<list>[,;](?={_DOI_FOLLOWS}))                         # another DOI begins
    | (?P<glued>[.,;:]?https?://|[.,;:]www\.
              | [.,;]{_GLUED_WORD}
              | [\[(]{_GLUED_MARK})
    | (?P<dash>—(?=[^\W\d_]))                                  # a clause follows
    | (?P<bracket>[()\[\]{{}}<>])
    """,
    re.VERBOSE,
)
# Most suffixes are letters, digits, slashes and hyphens, with single dots, underscores and colons
# and pairs of parentheses between them, before white space. No step could end such a name
# elsewhere, so its end is found at once; a test holds this against the steps.
_WORD: Final = r"[A-Za-z0-9/-]"
_PLAIN: Final = re.compile(
    rf"""(?: {_WORD}++
           | [._](?!{_GLUED_WORD}|www\.)(?={_WORD}|\()
           | :(?!//|www\.)(?={_WORD}|\()
           | \((?!{_GLUED_MARK})[A-Za-z0-9_-]*+\)
         )++(?<![._:])(?=[).,;]{{0,2}}(?:\s|\Z))""",
    re.VERBOSE,
)
_PLAIN_OPENERS: Final = frozenset(("", "(", "[", "{"))

_CLOSERS: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENERS: Final = frozenset(_CLOSERS.values())
_BRACKET: Final = re.compile(r"[()\[\]{}<>]")

# Step "trailing punctuation"; "-", "/", "+" and "#" end names that exist and stay.
_TRAILING: Final = ".,;:!?'\"”’»…*_~`“‘«\\–—"
_FOOTNOTE: Final = re.compile(r"\[\^?[0-9]{1,3}\]\Z")
_POSSESSIVE: Final = re.compile(r"(?<=[0-9])['’]s\Z")


class Runs:
    """The stretches of a text without a stop, with the brackets that pair in them.

    Consecutive names in one run share its reading, whatever the text.
    """

    _end = -1
    _read_from = 0
    _partners: dict[int, int] | None = None

    def __init__(self, text: str) -> None:
        self._text = text

    def end(self, start: int) -> int:
        """The offset at which the run that holds ``start`` ends."""
        if start < self._end:
            return self._end
        text, at = self._text, start
        while at < len(text):
            chunk = text[at : at + _CHUNK]
            stop = _STOP.search(chunk)
            size = stop.start() if stop else len(chunk)
            if not chunk[:size].isprintable():
                size = next(n for n, character in enumerate(chunk) if not character.isprintable())
                stop = None
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
            open_at: dict[str, list[int]] = {opener: [] for opener in _OPENERS}
            for found in _BRACKET.finditer(self._text, self._read_from, self._end):
                sign, at = found[0], found.start()
                if sign in open_at:
                    open_at[sign].append(at)
                elif stack := open_at[_CLOSERS[sign]]:
                    opener = stack.pop()
                    self._partners[opener], self._partners[at] = at, opener
        return self._partners.get(bracket)


def end_of(text: str, begin: Begin, runs: Runs) -> tuple[int, bool]:
    """The offset at which the name that starts at ``begin`` ends, and whether ``<`` ``>`` close it.

    The end is that of the name with a URL's query and fragment, before any trimming of the name
    inside a URL. It is not behind ``begin.suffix`` when nothing is left of the suffix.
    """
    if begin.opener == "<":
        runs.end(begin.start - 1)
        closed = runs.partner(begin.start - 1)
        if closed is not None and closed > begin.suffix:
            return closed, True
    elif begin.opener in _PLAIN_OPENERS and (plain := _PLAIN.match(text, begin.suffix)):
        return plain.end(), False
    end = _cut(text, begin, runs, runs.end(begin.name))
    if begin.opener:
        end = _at_partner(text, begin, end)
    return _trim(text, begin.suffix, end), False


def _cut(text: str, begin: Begin, runs: Runs, end: int) -> int:
    """Steps "markup tag", "list", "glued tail" and "unbalanced bracket": the first that applies."""
    for found in _CUT.finditer(text, begin.suffix, end):
        at = found.start()
        if found.lastgroup == "bracket":
            partner = runs.partner(at)
            if partner is not None and partner >= begin.suffix:
                continue
        end = at
        break
    if not text[begin.suffix : end].isascii():
        end = _before_cjk(text, begin.suffix, end)
    return end


def _before_cjk(text: str, start: int, end: int) -> int:
    """Step "script without spaces": 10.1000/182を ends before the first CJK letter behind ASCII."""
    for at in range(start, end):
        if not text[at].isascii():
            return at if at > start and is_cjk(text[at]) else end
    return end


def _at_partner(text: str, begin: Begin, end: int) -> int:
    """Step "opening delimiter": a quote just before the name ends it at its partner.

    Brackets need no step here: their partner is an unbalanced closer.
    """
    partner = PARTNER[begin.opener]
    if partner in _CLOSERS:
        return end
    at = text.find(partner, begin.suffix, end)
    if partner in "'’":  # not an apostrophe, as in 10.1000/it's
        while 0 <= at < end - 1 and text[at + 1].isalnum():
            at = text.find(partner, at + 1, end)
    return at if at >= 0 else end


def _trim(text: str, start: int, end: int) -> int:
    """Steps "trailing punctuation", "footnote mark" and "possessive"."""
    kept = text[start:end]
    while True:
        shorter = kept.rstrip(_TRAILING)
        mark = _FOOTNOTE.search(shorter, max(0, len(shorter) - 6)) or _POSSESSIVE.search(
            kept, max(0, len(kept) - 3)
        )
        if mark is None:
            return start + len(shorter)
        kept = kept[: mark.start()]
