"""Where a DOI begins in running text, and under which label.

Given the offset of a ``10`` this module says whether a DOI name can start there, in which form it
is written, and which label belongs to it. Nothing in the standards rules this; each step is a
heuristic, named, with cases of its own in ``tests/conformance``.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .doi import DOI_HOST

__all__ = ["CJK", "Begin", "ForeignUrls", "begin_at", "short_url_at"]

# Step "registrant code": a bare name needs four to nine digits, an ISBN-A has its own
# (https://www.doi.org/the-identifier/resources/factsheets/doi-system-and-the-isbn-system); behind
# a label three do; a form that says where it ends takes any, and a shortDOI has none.
_SLASH: Final = r"(?:/|%2[Ff])"
_ISBN_A: Final = r"97[89](?:\.[0-9]+)+"
_BARE: Final = re.compile(rf"10\.(?:[0-9]{{4,9}}(?:\.[0-9]+)*|{_ISBN_A}){_SLASH}")
_LABELLED: Final = re.compile(rf"10(?:\.[0-9]{{3,9}}(?:\.[0-9]+)*)?{_SLASH}")
_EXPLICIT: Final = re.compile(rf"10(?:\.[0-9]+)*{_SLASH}")
_URN: Final = re.compile(rf"10(?:\.[0-9]+)*(?::|{_SLASH})")

# Step "label": what belongs to the DOI when it stands just before it. A URL may hold another label.
_LABEL: Final = re.compile(
    rf"""(?:
        (?P<url>(?<![\w./%-])(?:doi:)?{DOI_HOST}/+(?:urn:doi:|info:doi/|doi:)?
              |(?:doi:)?https?://{DOI_HOST}/+(?:urn:doi:|info:doi/|doi:)?)
      | (?P<urn>(?<![A-Za-z_/%.-])(?:urn:doi:|info:doi/))
      | (?P<label>(?<![A-Za-z_/%])doi(?:[ \t]?:\s{{0,3}})?)
    )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_LABEL_REACH: Final = 96  # longer than any label, an EZproxy host included
_LABEL_ENDS: Final = frozenset(":/iI \t\n\r\u00a0\u2009\u202f")

# Step "citation key": Pandoc's @doi:10.1000/182 and @{doi:10.1000/182}.
_CITATION_KEY: Final = ("@", "@{")

# Step "opening delimiter": the pairs in which a DOI may stand.
PARTNER: Final = {
    '"': '"', "'": "'", "(": ")", "[": "]", "{": "}", "<": ">", "`": "`",
    "“": "”", "„": "“", "‘": "’", "‚": "‘", "«": "»", "‹": "›",
}  # fmt: skip

# Scripts written without spaces between words; a name next to them is not inside a longer word.
CJK: Final = re.compile(
    "[\u1100-\u11ff\u2e80-\u2fff\u3040-\u318f\u31a0-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uffdc\U00020000-\U0003ffff]"
)


class Begin(NamedTuple):
    """Where a DOI begins.

    :ivar start: offset of the span, its label and ``<`` included
    :ivar name: offset of the prefix
    :ivar suffix: offset just behind the slash
    :ivar form: ``bare``, ``label``, ``url``, ``urn`` or ``angle``
    :ivar label: the kind of label, one of ``url``, ``urn``, ``label`` or ``""``
    :ivar opener: the delimiter just before, or ``""``
    """

    start: int
    name: int
    suffix: int
    form: str
    label: str
    opener: str


class ForeignUrls:
    """The URLs of a text that are not a DOI's, found as the scan goes on; each is read once."""

    _HEAD = re.compile(rf"://(?!{DOI_HOST}/)", re.IGNORECASE)
    # A comma or semicolon before the next DOI ends a URL in a list of references.
    _REST = re.compile(r"(?:[^\s<>\"`|,;]|[,;](?!doi\s?:|10\.[0-9]{4}))*", re.IGNORECASE)

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._end = -1
        self._next = text.find("://")

    def cover(self, at: int) -> bool:
        """Tell whether ``at`` is inside such a URL; to be asked with growing offsets."""
        while 0 <= self._next < at:
            head = self._HEAD.match(self._text, self._next)
            if head:
                rest = self._REST.match(self._text, head.end())
                self._start, self._end = head.start(), rest.end() if rest else head.end()
            after = self._end if head else self._next + 3
            self._next = self._text.find("://", after)
        return self._start < at < self._end


def begin_at(text: str, at: int, floor: int, urls: ForeignUrls) -> Begin | None:
    """Decide whether a DOI begins with the ``10`` at offset ``at``.

    :param floor: where the text not yet used by another DOI begins
    """
    before = text[at - 1] if at > floor else ""
    label, start = "", at
    if before in _LABEL_ENDS:
        found = _LABEL.search(text, max(floor, at - _LABEL_REACH), at)
        if found:
            label, start = found.lastgroup or "", found.start()
    if not label and not _may_precede(text, at, floor):
        return None
    if urls.cover(start) or text.endswith(_CITATION_KEY, floor, start):
        return None
    opener = text[start - 1] if start > floor and text[start - 1] in PARTNER else ""
    if label in ("url", "urn") or (label and opener):
        prefix = (_URN if text[at - 4 : at].lower() == "doi:" else _EXPLICIT).match(text, at)
    else:
        prefix = (_LABELLED if label else _BARE).match(text, at)
    if prefix is None:
        return None
    return Begin(start, at, prefix.end(), label or "bare", label, opener)


# A shortDOI in a URL of its own: https://doi.org/cr3qwn. Heuristic: it has a digit and is short,
# other addresses there are pages of the web site.
_SHORT: Final = re.compile(r"doi\.org/(?=[a-z]*[0-9])[0-9a-z]{3,12}(?![\w/%-])")
_SCHEME: Final = re.compile(r"(?:https?://(?:dx\.)?|(?<![\w./@%-]))\Z", re.IGNORECASE)


def short_url_at(text: str, at: int, floor: int, urls: ForeignUrls) -> tuple[Begin, int] | None:
    """The begin and end of a shortDOI's URL whose ``doi.org/`` stands at ``at``, or None."""
    found = _SHORT.match(text, at)
    scheme = found and _SCHEME.search(text, max(floor, at - 11), at)
    if not found or not scheme or urls.cover(scheme.start()):
        return None
    start = scheme.start()
    opener = text[start - 1] if start > floor and text[start - 1] in PARTNER else ""
    name = at + len("doi.org/")
    return Begin(start, name, name, "url", "url", opener), found.end()


def _may_precede(text: str, at: int, floor: int) -> bool:
    """Step "not inside a longer word, number, path": what may stand just before a bare name."""
    if at == floor:
        return True
    before = text[at - 1]
    if before.isspace():
        return True
    if before in "/%\\$":
        return False
    word_before = at - 2 >= floor and _is_word(text[at - 2])
    if before in "-+_~^":
        return not word_before
    if before in ".:":
        return not (word_before and text[at - 2].isdigit())
    if before in "=?&":
        # A query without a scheme: example.org/search?doi=10.1000/182.
        query = re.search(r"\S*\Z", text[max(floor, at - _LABEL_REACH) : at])
        return query is None or not any(sign in query[0] for sign in "/?")
    return not _is_word(before)


def _is_word(character: str) -> bool:
    return character.isalnum() and not CJK.match(character)
