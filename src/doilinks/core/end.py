"""Where a DOI ends in running text.

A suffix may hold any graphic character, so the standards leave this open; each step is a
heuristic, named, with cases of its own in ``tests/conformance``. The steps look forward only as far
as the name goes, so that the time stays linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category

from .begin import PARTNER, Begin, is_joining

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
    r"(?:(?:(?i:PMID|PMCID|PubMed|Medline|CrossRef|Epub|Available|Accessed|Retrieved)"
    r"|URL|arXiv|ISSN|ISBN|Google)(?![a-z0-9_./-])"
    r"|(?:doi|DOI)(?=:)|PMC[0-9]{4,}(?![\w/-])|URL(?=https?://))"
)
# Words that pages of publishers put behind a name without any sign between.
_STUCK: Final = ("PMID", "PMCID", "PubMed", "Medline", "CrossRef", "Crossref", "Google", "ISSN",
                 "Epub", "Available", "Accessed", "Retrieved")  # fmt: skip
_STUCK_WORDS: Final = rf"(?:{'|'.join(_STUCK)})+(?=[.,;:]?\Z|:)|arXiv(?=:)"
_QUOTES: Final = "".join(sorted(set(PARTNER.values()).difference(")]}>")))
_GLUED_MARK: Final = (
    r"(?:doi|DOI|pii|PII|(?i:PMID|PMCID|PubMed|Medline|CrossRef|Google|Epub)|arXiv|hep-[a-z]+)\b"
)
_CUT: Final = re.compile(
    rf"""
      (?P<tag></?[A-Za-z][\w.-]*(?:\s[^<>]*)?/?>|</[\w.:-]+>|<!--)  # but not <693::AID-ASI4>
    | (?P<list>[,;،؛•·&+|–—](?={_DOI_FOLLOWS}))                # another DOI begins
    | (?P<glued>[.,;:<(\[{{]?https?://|[.,;:]www\.
              | [.,;]{_GLUED_WORD}
              | [\[(]{_GLUED_MARK}
              | (?<=[0-9a-z)])(?:{_STUCK_WORDS}))
    | (?P<row>(?=[,;"'†‡§¶])(?:,(?=[A-Z][a-z]{{2}}|["“']|(?:19|20)[0-9]{{2}}\b)
          | ;(?=["“]|[a-z]+=) | ["'](?=[,:;]|/>) | [†‡§¶]))     # "'": a string ends
    | (?P<query>&(?=[a-z]+=))
    | (?P<dash>—(?=[^\W\d_]))                                  # a clause follows
    | (?P<kept>\{{\\[_%&\#]\}}|&lt;[^\s<>&]{{1,40}}&gt;(?=[0-9])|&amp;)
    | (?P<code>\\(?=[A-Za-z])|&(?:(?!lt;[^/])[a-z]{{2,6}}|\#[0-9]{{2,5}});|\{{(?![\w.()' -]*\}}))
    | (?P<holder>\{{)
    | (?P<bracket>[()\[\]{{}}<>])
    | (?P<quote>[{_QUOTES}])
    | (?P<script>[^\x00-\x7f])
    """,
    re.VERBOSE,
)
# Most suffixes are letters, digits, slashes and hyphens, with single dots, underscores and colons
# and pairs of parentheses between them, before white space. No step could end such a name
# elsewhere, so its end is found at once; a test holds this against the steps.
_WORD: Final = r"[A-Za-z0-9/-]"
_NOT_STUCK: Final = "".join(f"(?<!{word})" for word in _STUCK)
_PLAIN: Final = re.compile(
    rf"""(?: {_WORD}++
           | [._](?:(?=[0-9])|(?!{_GLUED_WORD}|www\.)(?={_WORD}|\())
           | {_NOT_STUCK}(?<!arXiv):(?!//|www\.)(?={_WORD}|\()
           | \((?!{_GLUED_MARK})[A-Za-z0-9_-]*+\)
         )++(?:(?<=[0-9])|(?<![._:]){_NOT_STUCK})(?=[).,;]{{0,2}}(?:\s|\Z))""",
    re.VERBOSE,
)
_PLAIN_OPENERS: Final = frozenset(("", "(", "[", "{"))

_CLOSERS: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENERS: Final = frozenset(_CLOSERS.values())
_BRACKET: Final = re.compile(r"[()\[\]{}<>]")

_NEAR: Final = 128  # a placeholder further on just ends the name, so that this one is used up
_SHORT_REACH: Final = 64  # a shortDOI, and what may be trimmed behind it

# Step "trailing punctuation", openers too; "-", "/", "+" and "#" end names that exist and stay.
_TRAILING: Final = ".,;:!?'\"”’»…*_~`“‘«\\–—([{<"
_MARKS: Final = frozenset(("Po", "Pi", "Pf", "Ps", "Pe", "Sc", "Sk", "Sm", "So", "No"))
# A footnote's number, or a word that is another link's title: [1], [PDF].
_FOOTNOTE: Final = re.compile(r"\[(?:\^?[0-9]{1,3}|[A-Za-z][A-Za-z -]{2,39})\]\Z")
_MARKUP: Final = re.compile(r"(?:==|\^\^)\Z")  # ==marked== and ^^inserted^^, in MkDocs
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


def end_of(text: str, begin: Begin, runs: Runs) -> tuple[int, str]:
    """The offset at which the name that starts at ``begin`` ends, and how, where that matters.

    The end is that of the name with a URL's query and fragment, before any trimming of the name
    inside a URL. It is not behind ``begin.suffix`` when nothing is left of the suffix. How is
    ``angle`` when ``<`` and ``>`` close the name, and ``placeholder`` when it is none and used up.
    """
    # A suffix that is no shortDOI's makes no name, so its end is not looked for further on.
    short = text[begin.name + 2] == "/"
    if begin.opener == "<":
        runs.end(begin.start - 1)
        closed = runs.partner(begin.start - 1)
        if closed is not None and closed > begin.suffix:
            if short and closed > begin.suffix + _SHORT_REACH:
                return begin.suffix, ""
            return closed, "angle"
    elif begin.opener in _PLAIN_OPENERS and not short:
        plain = _PLAIN.match(text, begin.suffix)
        if plain:
            return plain.end(), ""
    end = runs.end(begin.name)
    if short:
        end = min(end, begin.suffix + _SHORT_REACH)
    end, kind = _cut(text, begin, runs, end)
    if kind == "holder" and end < begin.suffix + _NEAR:
        return end, "placeholder"
    return _trim(text, begin.suffix, end), ""


def _cut(text: str, begin: Begin, runs: Runs, end: int) -> tuple[int, str | None]:
    """The first step that ends the name before the run does, and its kind; else the run's end.

    Nothing behind that is looked at.

    Steps "markup tag", "list", "glued tail", "unbalanced bracket"; "opening delimiter", for quotes
    (the partner of a bracket is an unbalanced one); "row", "code" and "placeholder"; and "script
    without spaces", by which 10.1000/182を ends before the first CJK letter behind ASCII.
    """
    foreign = False
    for found in _CUT.finditer(text, begin.suffix, end):
        at = found.start()
        kind = found.lastgroup
        if kind == "bracket":
            partner = runs.partner(at)
            if partner is not None and partner >= begin.suffix:
                continue
        elif kind == "kept" or (kind == "query" and begin.form == "url"):
            continue
        elif kind in ("quote", "script") and not _closes(
            found[0], text[at + 1 : min(end, at + 2)], begin
        ):
            if found[0].isascii():
                continue
            first, foreign = not foreign, True
            if not first or at == begin.suffix or not is_joining(found[0]):
                continue
        return at, kind
    return end, None


def _closes(sign: str, after: str, begin: Begin) -> bool:
    """Tell whether a sign is the partner of the quote before the name."""
    if not begin.opener or PARTNER[begin.opener] != sign:
        return False
    return sign not in "'’" or not after.isalnum()  # an apostrophe, as in 10.1000/it's


def _is_mark(character: str) -> bool:
    """Tell whether a character is a punctuation mark or symbol outside ASCII.

    Dashes and emoji are none: names end in the first, and were registered with the second.
    """
    return "\x7f" < character < "\U00010000" and category(character) in _MARKS


def _trim(text: str, start: int, end: int) -> int:
    """Steps "trailing punctuation", "footnote mark" and "possessive"."""
    while True:
        while end > start and (text[end - 1] in _TRAILING or _is_mark(text[end - 1])):
            end -= 1
        mark = (
            _FOOTNOTE.search(text, max(start, end - 42), end)
            or _POSSESSIVE.search(text, max(start, end - 3), end)
            or _MARKUP.search(text, max(start, end - 2), end)
        )
        if mark is None:
            return end
        end = mark.start()
