"""Where a DOI begins in running text, and under which label.

Given the offset of a ``10`` this module says whether a DOI name can start there, in which form it
is written, and which label belongs to it. Nothing in the standards rules this; each step is a
heuristic, named, with cases of its own in ``tests/conformance``.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .doi import DOI_HOST, MISTYPED, TO_NAME, WEB

__all__ = ["PARTNER", "Begin", "ForeignUrls", "begin_at", "is_joining", "short_url_at"]

# Step "registrant code": a bare name needs four to nine digits, an ISBN-A has its own
# (https://www.doi.org/the-identifier/resources/factsheets/doi-system-and-the-isbn-system); behind
# a label three do; a form that says where it ends takes any, and a shortDOI has none.
_SLASH: Final = r"(?:/|%2[Ff])"
_ISBN_A: Final = r"97[89](?:\.[0-9]+)+"
# Heuristic: a year and one or two short numbers are a date, as in 10.2020/11 or 10.2020/11/13.
_DATE: Final = r"(?:19|20)[0-9]{2}/[0-9]{1,2}(?:/[0-9]{1,2})?(?![0-9A-Za-z/_-]|[.:][0-9A-Za-z])"
_BARE: Final = re.compile(rf"10\.(?!{_DATE})(?:[0-9]{{4,9}}(?:\.[0-9]+)*|{_ISBN_A}){_SLASH}")
_LABELLED: Final = re.compile(rf"10(?:\.[0-9]{{3,9}}(?:\.[0-9]+)*)?{_SLASH}")
_EXPLICIT: Final = re.compile(rf"10(?:\.[0-9]+)*{_SLASH}")
_URN: Final = re.compile(rf"10(?:\.[0-9]+)*(?::|{_SLASH})")

# The same in JSON, which may escape slashes; elsewhere a backslash there is an author's, who wants
# no link.
_JSON: Final = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*\\/")
_JSON_BEFORE: Final = re.compile(r"(?:[:,\[]\s?\"|\\/)\Z")

# Step "label": what belongs to the DOI when it stands just before it.
_LABEL: Final = re.compile(r"doi(?:[ \t]?:(?://?|\s{0,3})|[.-])?\Z")
_LABEL_REACH: Final = 20  # longer than two labels

# The same for a URL, which may have a label before it and one of its own, and may stand in another,
# as in https://doi.org/https://doi.org/10.1000/182. One with its scheme written out may be glued to
# a word: texts taken out of PDFs have "URLhttps://doi.org/10.1000/182".
_URL: Final = re.compile(
    rf"""(?:
        (?P<url>(?:(?=d)(?<![A-Za-z])doi[ \t]?:\s{{0,3}})?
                (?:https?:(?:\\?/){{2}}|(?=h)(?<![A-Za-z]){WEB}|(?=[dw])(?<![\w./%-]))
                {DOI_HOST}{TO_NAME}(?:{WEB}{DOI_HOST}{TO_NAME})?(?:urn:doi:|info:doi/|doi:[ ]?)?)
      | (?P<mistyped>(?=h)(?<![A-Za-z]){MISTYPED})
      | (?P<urn>(?=i)(?<![A-Za-z_/%.-])info:doi/)
    )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_URL_REACH: Final = 96  # an EZproxy host included

# Step "citation key": Pandoc's @doi:10.1000/182 and @{doi:10.1000/182}, Manubot's
# @url:https://doi.org/10.1000/182.
_CITATION_KEY: Final = ("@", "@{", "@url:")

# Step "opening delimiter": the pairs in which a DOI may stand.
PARTNER: Final = {
    '"': '"', "'": "'", "(": ")", "[": "]", "{": "}", "<": ">", "`": "`",
    "“": "”", "„": "“", "‘": "’", "‚": "‘", "«": "»", "‹": "›", "⟨": "⟩",
}  # fmt: skip

# Scripts whose words join others without a space, as ranges of code points: Hebrew and Arabic by
# their prefixes, Thai, Lao, Burmese, Khmer, Hangul, Han, Kana.
_JOINING: Final = (
    (0x0590, 0x08FF),
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3040, 0xA4CF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x20000, 0x3FFFF),
)


def is_joining(character: str) -> bool:
    """Tell whether a character is of a script whose words join others without a space."""
    code = ord(character)
    return code >= 0x0590 and any(first <= code <= last for first, last in _JOINING)


class Begin(NamedTuple):
    """Where a DOI begins.

    :ivar start: offset of the span, its label included, a ``<`` not
    :ivar name: offset of the prefix
    :ivar suffix: offset just behind the slash
    :ivar form: ``bare``, ``label``, ``url`` or ``urn``
    :ivar opener: the delimiter just before, or ``""``
    """

    start: int
    name: int
    suffix: int
    form: str
    opener: str


class ForeignUrls:
    """The URLs of a text that are not a DOI's, found as the scan goes on; each is read once."""

    _HEAD = re.compile(rf"://(?!{DOI_HOST}[/:]|doi[/:]10\.)", re.IGNORECASE)
    # A comma or semicolon before the next DOI ends a URL in a list of references; "](" and "}{" end
    # one in the text of a Markdown or LaTeX link; full-width and CJK punctuation ends every one.
    _REST = re.compile(
        r"(?:[^\s<>\"`|,;\]}\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]++"
        r"|[,;](?!doi\s?:|10\.[0-9]{4})|\](?!\()|\}(?!\{))*+",
        re.IGNORECASE,
    )

    _start = _end = -1
    _next = 0

    def __init__(self, text: str) -> None:
        self._text = text

    def cover(self, at: int) -> bool:
        """Tell whether ``at`` is inside such a URL; to be asked with growing offsets."""
        text, head = self._text, self._text.find("://", self._next, at)
        while head >= 0:
            self._next = head + 3
            if self._HEAD.match(text, head):
                rest = self._REST.match(text, self._next)
                self._start = head
                self._end = self._next = rest.end() if rest else self._next
            head = text.find("://", self._next, at)
        self._next = max(self._next, at - 2)
        return self._start < at < self._end


def begin_at(text: str, at: int, floor: int, urls: ForeignUrls) -> Begin | None:
    """Decide whether a DOI begins with the ``10`` at offset ``at``.

    :param floor: where the text not yet used by another DOI begins
    """
    start, form = _label_before(text, at, floor)
    if form == "path" or (form == "bare" and not _may_precede(text, at, floor)):
        return None
    before = text[start - 1] if start > floor else " "
    if before not in " \n" and (urls.cover(start) or text.endswith(_CITATION_KEY, floor, start)):
        return None
    if before == "=" and form in ("label", "urn") and _in_query(text, start, floor):
        return None
    opener = before if before in PARTNER else ""
    if form == "bare":
        prefix = _BARE.match(text, at)
    elif form == "label" and not opener:
        prefix = _LABELLED.match(text, at)
    else:
        urn = text[max(floor, at - 8) : at].lower() == "urn:doi:"
        prefix = (_URN if urn else _EXPLICIT).match(text, at)
    if prefix is None and _JSON_BEFORE.search(text, max(floor, at - 3), at):
        prefix = _JSON.match(text, at)
    return Begin(start, at, prefix.end(), form, opener) if prefix else None


def _label_before(text: str, at: int, floor: int) -> tuple[int, str]:
    """Step "label": where the span of the name at ``at`` starts, and the form that this makes."""
    near = text[max(floor, at - _LABEL_REACH) : at].lower()
    label = _LABEL.search(near)
    if label:
        first, form = label.start(), "label"
        if ":" in label[0] and near.endswith("urn:", 0, first):
            first, form = first - 4, "urn"
        elif near.endswith((":", ": "), 0, first) and (twice := _LABEL.search(near, 0, first)):
            first = twice.start()
        start = at - (len(near) - first)
        before = near[first - 1 : first]
        if before == "_":  # the end of a word, or emphasis
            before = near[first - 2 : first - 1]
        if before != "/":
            glued = "a" <= before <= "z" or (near.endswith("-") and before in ("-", "_", "."))
            return (at, "bare") if glued else (start, form)
    if label or near.endswith(("/", "doi.org:", "doi.org: ")):
        url = _URL.search(text, max(floor, at - _URL_REACH), at)
        if url:
            return url.start(), "urn" if url.lastgroup == "urn" else "url"
        return at, "path"
    return at, "bare"


# A shortDOI in a URL of its own: https://doi.org/cr3qwn. Heuristic: it has a digit and is short,
# other addresses there are pages of the web site.
_SHORT: Final = re.compile(r"(?=[a-z]*[0-9])[0-9a-z]{3,12}(?![\w/%-]|\.\w)")


def short_url_at(text: str, at: int, floor: int, urls: ForeignUrls) -> tuple[Begin, int] | None:
    """The begin and end of a shortDOI whose code starts at ``at``, behind ``doi.org/``, or None."""
    found = _SHORT.match(text, at)
    start, form = _label_before(text, at, floor)
    if found is None or form != "url" or urls.cover(start):
        return None
    opener = text[start - 1] if start > floor and text[start - 1] in PARTNER else ""
    return Begin(start, at, at, form, opener), found.end()


# An identifier of another kind that ends in a name: oai:example.org:10.1000/182.
_OTHER_URN: Final = re.compile(r"(?<![A-Za-z])(?:oai|urn|tag):\S*\Z", re.IGNORECASE)


def _may_precede(text: str, at: int, floor: int) -> bool:
    """Step "not inside a longer word, number, path": what may stand just before a bare name."""
    if at == floor:
        return True
    before = text[at - 1]
    if before.isspace():
        return True
    if before in "%\\$":
        return False
    word_before = at - 2 >= floor and _is_word(text[at - 2])
    if before in "-+_~^":
        return not word_before
    if before in ".:":
        if before == ":" and _OTHER_URN.search(text, max(floor, at - _URL_REACH), at):
            return False
        return not (word_before and text[at - 2].isdecimal())
    if before in "=?&":
        return not _in_query(text, at, floor)
    # Behind a line end or a tab in a string of a program: "10.1000/182\n10.1000/183".
    return not _is_word(before) or (before in "nrt" and text.endswith("\\", floor, at - 1))


# The query of a URL without a scheme, example.org/search?doi=10.1000/182, or a part of one.
_QUERY: Final = re.compile(r"[/?]\S*\Z|&(?:amp;)?[\w.-]+=\Z")


def _in_query(text: str, at: int, floor: int) -> bool:
    return _QUERY.search(text, max(floor, at - _URL_REACH), at) is not None


def _is_word(character: str) -> bool:
    return character.isalnum() and not is_joining(character)
