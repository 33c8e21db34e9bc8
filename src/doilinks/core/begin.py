"""Where a DOI begins in running text, and under which label.

Given the offset of a ``10``, this module says whether a DOI name can start there, in which form it
is written, and which label belongs to it. Its rules are rows of ``steps``.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from . import steps as step
from .doi import Form
from .steps import PARTNER, SLASH, either, is_joining

_BARE: Final = re.compile(rf"10\.(?!{either(step.DATE)})(?:{either(*step.BARE)}){SLASH}")
_AFTER_LABEL: Final = re.compile(either(*step.AFTER_LABEL))
_ANY_PREFIX: Final = re.compile(either(step.ANY_PREFIX))
_URN: Final = re.compile(either(step.ANY_PREFIX, step.URN))
_JSON: Final = re.compile(either(step.JSON))

_LABEL: Final = re.compile(rf"(?:{either(step.LABEL)})\Z")
_WHOLE_LABEL: Final = re.compile(r"\s*doi\s*+[:：]?\s*", re.IGNORECASE)
_COLONS: Final = (":", ": ", "：")
_LABEL_REACH: Final = 20  # in characters, longer than two labels
# A label before a URL. Text before such a label never belongs to it.
_LABEL_ALONE: Final = re.compile(r"(?<![a-z:：/_.-])(?<!: )")
_LONGER_LABEL: Final = re.compile(either(step.LONGER_LABEL))
_URL: Final = re.compile(  # a look-ahead on the first letter, because it fails fastest
    rf"(?i)(?=[0dhiw])(?:{either(*step.URLS, grouped=(step.INFO_URI,))})\Z"
)
_URL_REACH: Final = 96  # in characters; long enough for an EZproxy host
_SHORT_URL: Final = re.compile(either(step.SHORT_URL))

_PATH: Final = re.compile(either(step.PATH))
_NOT_AFTER: Final = re.compile(either(*step.NOT_AFTER))
_NOT_WITHIN: Final = re.compile(rf"(?:{either(*step.NOT_WITHIN)})\Z")
_NOT_WITHIN_ENDS: Final = (":", "=", "?", "&")  # the last characters of what these steps match
_QUERY: Final = re.compile(rf"(?:{either(step.URL_QUERY)})\Z")
_CITATION_KEY: Final = re.compile(either(step.CITATION_KEY))
_CITATION_KEY_ENDS: Final = "@{:"  # the last characters of what this step matches
_CITATION_KEY_REACH: Final = 5

_FOREIGN_URL: Final = re.compile(either(step.FOREIGN_URL), re.IGNORECASE)
_FOREIGN_REST: Final = re.compile(step.FOREIGN_REST, re.IGNORECASE)


class Begin(NamedTuple):
    """Where a DOI begins."""

    start: int  # offset of the span, which includes a label, but not a ``<``
    name: int  # offset of the prefix
    suffix: int  # offset of the first character after the slash
    form: Form  # ``bare``, ``label``, ``url`` or ``urn``
    opener: str  # the quote or bracket just before the span, or ``""``


class ForeignUrls:
    """The URLs of other sites in a text, read as the scan proceeds, each of them once."""

    _start = _end = -1
    _next = 0

    def __init__(self, text: str) -> None:
        self._text = text

    def cover(self, at: int) -> bool:
        """Tell whether ``at`` is inside such a URL. Each call must pass a larger offset."""
        text, head = self._text, self._text.find("://", self._next, at)
        while head >= 0:
            self._next = head + 3
            if _FOREIGN_URL.match(text, head):
                rest = _FOREIGN_REST.match(text, self._next)
                self._start = head
                self._end = self._next = rest.end() if rest else self._next
            head = text.find("://", self._next, at)
        self._next = max(self._next, at - 2)
        return self._start < at < self._end


def begin_at(text: str, at: int, floor: int, urls: ForeignUrls) -> Begin | None:
    """Find where the DOI with the ``10`` at ``at`` begins; an earlier one ends at ``floor``."""
    label = _label_before(text, at, floor)
    if label is None:
        return None
    start, form = label
    if form == "bare" and not _may_be_bare(text, at, floor):
        return None
    before = text[start - 1] if start > floor else " "
    if before not in " \n" and urls.cover(start):
        return None
    if before in _CITATION_KEY_ENDS:
        near = text[max(floor, start - _CITATION_KEY_REACH) : start]
        if _CITATION_KEY.match(near, len(near)):
            return None
    is_value = before == "=" and form in ("label", "urn")
    if is_value and _QUERY.search(text, max(floor, start - _URL_REACH), start):
        return None
    opener = before if before in PARTNER else ""
    if form == "bare" or (form == "url" and text[at - 3 : at] == "://"):  # without a host
        prefix = _BARE.match(text, at)
    elif form == "label" and not opener:
        prefix = _AFTER_LABEL.match(text, at)
    else:
        urn = text[max(floor, at - 8) : at].lower() == "urn:doi:"
        prefix = (_URN if urn else _ANY_PREFIX).match(text, at)
    prefix = prefix or _JSON.match(text, at)
    return Begin(start, at, prefix.end(), form, opener) if prefix else None


def short_url_at(text: str, at: int, floor: int, urls: ForeignUrls) -> tuple[Begin, int] | None:
    """Find where the shortDOI whose code starts at ``at``, after ``doi.org/``, begins and ends."""
    found = _SHORT_URL.match(text, at)
    label = _label_before(text, at, floor)
    if found is None or label is None:
        return None
    start, form = label
    if form != "url" or urls.cover(start):
        return None
    opener = text[start - 1] if start > floor and text[start - 1] in PARTNER else ""
    return Begin(start, at, at, form, opener), found.end()


def label_length(text: str, end: int | None = None, floor: int = 0) -> int:
    """Return the length of the label that ends at ``end``; 0 if there is no label.

    The address of the resolver is one too: some bibliographies print it, and after it a link.

    >>> label_length("See doi: "), label_length("See the DOI "), label_length("mydoi:")
    (5, 0, 0)
    >>> label_length("See https://doi.org/"), label_length("See https://example.org/")
    (16, 0)
    """
    end = len(text) if end is None else end
    label = _label_before(text, end, floor)
    return end - label[0] if label and label[1] in ("label", "url") else 0


def is_label(text: str) -> bool:
    """Tell whether a text is nothing but a label, such as the heading of a column.

    >>> is_label("DOI"), is_label("doi:"), is_label("The DOI")
    (True, True, False)
    """
    return _WHOLE_LABEL.fullmatch(text) is not None


def _label_before(text: str, at: int, floor: int) -> tuple[int, Form] | None:
    """Return the start of the span of the name at ``at``, and its form; None if no name begins."""
    near = text[max(floor, at - _LABEL_REACH) : at].lower()
    doi = "doi" in near
    label = _LABEL.search(near) if doi else None
    if label:
        first = label.start()
        form: Form = "label"
        if _LABEL_ALONE.match(near, first):
            return at - (len(near) - first), form
        if ":" in label[0] and near.endswith("urn:", 0, first):
            first, form = first - 4, "urn"
        elif near.endswith(_COLONS, 0, first) and (twice := _LABEL.search(near, 0, first)):
            first = twice.start()
        if _LONGER_LABEL.match(near, first):
            return at, "bare"
        if not near.endswith(("/", "/_"), 0, first):
            return at - (len(near) - first), form
    if label or ((doi or near[-1:] == "/") and _PATH.match(near, len(near))):
        url = _URL.search(text, max(floor, at - _URL_REACH), at)
        if url is None:
            return None
        return url.start(), "urn" if url.lastgroup == step.INFO_URI.group else "url"
    return at, "bare"


def _may_be_bare(text: str, at: int, floor: int) -> bool:
    """Tell whether the text before ``at`` allows a name without a label to begin there."""
    near = text[max(floor, at - 2) : at]
    if not near.isascii():
        near = "".join(" " if is_joining(character) else character for character in near)
    if not near or near[-1].isspace():
        return True
    if _NOT_AFTER.match(near, len(near)):
        return False
    if not near.endswith(_NOT_WITHIN_ENDS):
        return True
    return _NOT_WITHIN.search(text, max(floor, at - _URL_REACH), at) is None
