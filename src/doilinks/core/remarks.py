"""Remarks on doubtful DOI names. A remark never changes a name; it asks the author to check it.

Each remark has a code that stays the same between versions, and a sentence. Nothing here says that
a name is wrong: all of these names are allowed, and some exist.

Spec: [NISO §4.1] any graphic character is allowed; [NISO §4.3] one character and a slash;
[2000] percent; the mixed-script rule is a heuristic after UTS #39 §5.2, "highly restrictive".
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from .doi import DOI
from .steps import BRACKETS

if TYPE_CHECKING:
    from .scan import Match


class Remark(NamedTuple):
    """A doubt about a name: its code and a sentence."""

    code: str  # one of :data:`CODES`
    message: str  # a sentence without a full stop, in printable ASCII


CODES: Final = (
    "dash-look-alike", "mixed-scripts", "not-nfc", "not-nfkc", "cut-bracket", "cut-full-stop",
    "cut-hyphen", "blank-end", "mark-end", "cut-invisible", "percent-decoded", "percent-literal",
    "test-prefix", "url-fragment", "one-character-and-slash", "text-names-another",
    "bare-target",  # only the readers of Markdown and reStructuredText make it
    "two-works",  # only where all texts around a name are known
    "line-break",
    "more-than-name",  # only readers of fields for a name make it
    "cut-command",  # only the readers of LaTeX and Rd make it
)  # fmt: skip

NO_FILE: Final = "this target leads to a file, and there is none"

# Characters that look like a hyphen-minus; typesetting and OCR put them into copied names.
DASHES: Final = (
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u02d7\u058a\u2796\ufe58\ufe63\uff0d"
)
# Heuristic: in registered names, the hyphen-minus is the only dash.
TO_HYPHENS: Final = str.maketrans(dict.fromkeys(DASHES, "-"))
_DASH: Final = re.compile(f"[{DASHES}]")  # any of them
# Ligatures of PDF files, and letters and digits as wide as CJK characters.
_TYPESET: Final = re.compile("[\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_TRIPLET: Final = re.compile(r"%[0-9A-Fa-f]{2}")  # what looks like percent-encoding
_OPENER: Final = {closer: opener for opener, closer in BRACKETS.items()}
# Heuristic: a line of a PDF that ended at a hyphen was joined to the next one by a space.
_GOES_ON: Final = re.compile(r"\s{1,20}([A-Za-z0-9][!-~]{0,39})")
# Heuristic: a line ended within a name, and the next one begins as no sentence or item does.
_NEXT_LINE: Final = re.compile(
    r"(?:_\s{0,9}\n\s{0,9}(?=[!-~]{0,9}[0-9])"
    r"|\.\s{0,9}\n\s{0,9}(?=0[0-9]|[a-z]{1,9}\.[0-9]{2}|[0-9]{1,9}\.[0-9]{1,9}\.[0-9]))([!-~]{1,40})"
)
# After a full stop that ends a sentence: white space, a closing mark, markup, a footnote.
_SENTENCE_END: Final = re.compile(r"\.(?:\s|\Z|[)\]}>\"'”’»*_|`~<\[])")
# Of 60,950 names drawn from Crossref, six end in a full stop, and none in another of these.
_MARKS: Final = ".,;:!?'\"”’»…*_~`/\\"
_TEST_PREFIX: Final = "10.5555"
_AFTER: Final = 64
_MOST: Final = 60  # a message shows this many characters of a value
_REACH: Final = 400  # in characters; a bracket that was opened further away is not closed here

# The first word of a letter's Unicode name is its script; these are written together in one text.
_LATIN_AND_CJK: Final = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
_NO_SCRIPT: Final = frozenset({"MICRO", "FEMININE", "MASCULINE", "MODIFIER", "OHM", "KELVIN"})


def remarks(
    doi: DOI,
    written: str = "",
    *,
    before: str = "",
    after: str = "",
    tail: str = "",
    whole: DOI | None = None,
    other: DOI | None = None,
) -> list[Remark]:
    """Return the remarks on one DOI, in the order of :data:`CODES`.

    ``written`` is the name as written, unless in a URL, where a percent sign is expected.
    """
    result = [
        Remark("dash-look-alike", f"{_place(doi.name, at.start())} looks like a hyphen")
        for at in _DASH.finditer(doi.name)
    ]
    if not doi.name.isascii():
        result += _scripts(doi.name) + _normal(doi.name)
    result += _cut(before, after)
    if doi.name.endswith("-") and (more := _GOES_ON.match(after)):
        message = f"a hyphen and a space end the name; the text goes on with {more[1]}"
        result.append(Remark("cut-hyphen", message))
    line = _NEXT_LINE.match(after)
    if line and not (after[0] == "_" and "_" in before):  # which is emphasis
        message = f"a line ends after the name and {after[0]}; the text goes on with {line[1]}"
        result.append(Remark("line-break", message))
    if doi.name[-1].isspace():
        message = "a blank, or %20 in a URL, ends the name; no registered name ends so"
        result.append(Remark("blank-end", message))
    last = doi.name[-1]
    if last in _MARKS or doi.name.count(last) > doi.name.count(_OPENER.get(last, last)):
        message = f"{last!a} ends the name, as of few names; does it belong to the text?"
        result.append(Remark("mark-end", message))
    if whole:
        message = f"an invisible character ends the name; without it, the name is {whole.uri}"
        result.append(Remark("cut-invisible", message))
    result += _percent(doi, written)
    if f"{doi.prefix}.".startswith(f"{_TEST_PREFIX}."):
        result.append(Remark("test-prefix", f"{_TEST_PREFIX} is a prefix for tests and examples"))
    if "#" in tail:
        message = "the # of this URL begins a fragment; if it belongs to the name, write %23"
        result.append(Remark("url-fragment", message))
    if doi.suffix[1:2] == "/":
        message = "the suffix begins with one character and a slash, which is reserved"
        result.append(Remark("one-character-and-slash", message))
    if other:
        message = f"the text of the link names another DOI, {other.uri}"
        result.append(Remark("text-names-another", message))
    return result


def remarks_of(match: Match, text: str, whole: DOI | None = None) -> list[Remark]:
    """Return the remarks on a match that a scan found in ``text``."""
    start, end = match.start, match.end
    if match.form == "angle":
        return remarks(match.doi, tail=match.tail)
    from .scan import whole_name  # its patterns take long to compile; `doilinks show` needs none

    return remarks(
        match.doi,
        text[start:end] if match.form in ("bare", "label") else "",
        before=text[max(0, start - _REACH) : start],
        after=text[end : end + _AFTER],
        tail=match.tail,
        whole=whole or whole_name(match, text),
    )


def more_than(doi: DOI, text: str) -> Remark:
    """Build the remark on a field that should contain a DOI name and nothing else."""
    shown = text if len(text) <= _MOST else text[:_MOST] + "..."
    return Remark("more-than-name", f"the field contains more than {doi.uri}: {shown!a}")


def _place(name: str, at: int) -> str:
    character = name[at]
    title = unicodedata.name(character, "")
    return f"U+{ord(character):04X} {title}".rstrip() + f" at character {at + 1} of the name"


def _scripts(name: str) -> list[Remark]:
    scripts: dict[str, int] = {}
    for at, character in enumerate(name):
        if character.isalpha():
            script = unicodedata.name(character, "").partition(" ")[0]
            if script not in _NO_SCRIPT:
                scripts.setdefault(script, at)
    if len(scripts) < 2 or scripts.keys() <= _LATIN_AND_CJK:
        return []
    # The first letter that is not Latin is the doubtful one, even if Latin letters follow it.
    odd = min(at for script, at in scripts.items() if script != "LATIN")
    kinds = ", ".join(sorted(script.capitalize() for script in scripts))
    return [Remark("mixed-scripts", f"letters of several scripts ({kinds}): {_place(name, odd)}")]


def _normal(name: str) -> list[Remark]:
    if odd := _TYPESET.search(name):
        letters = unicodedata.normalize("NFKC", odd[0])
        return [Remark("not-nfkc", f"{_place(name, odd.start())} stands for {letters}")]
    normal = unicodedata.normalize("NFC", name)
    if normal == name:
        return []
    pairs = zip(name, normal, strict=False)
    at = next((n for n, (old, new) in enumerate(pairs) if old != new), len(normal))
    where = _place(name, min(at, len(name) - 1))
    return [Remark("not-nfc", f"the name is not in Unicode normal form C: {where}")]


def _cut(before: str, after: str) -> list[Remark]:
    """Report a full stop with text after it, or a closing bracket without an opening one."""
    if after.startswith(".") and not _SENTENCE_END.match(after):
        message = "the full stop after the name was taken for the end of a sentence"
        return [Remark("cut-full-stop", message)]
    closer, depth = after[:1], 0
    if closer not in _OPENER:
        return []
    for character in reversed(before):
        depth += (character == closer) - (character == _OPENER[closer])
        if depth < 0:
            return []
    message = f"the {closer} after the name was taken for part of the sentence"
    return [Remark("cut-bracket", message)]


def _percent(doi: DOI, written: str) -> list[Remark]:
    result = []
    kept = dict.fromkeys(_TRIPLET.findall(written))
    if gone := " ".join(triplet for triplet in kept if triplet not in doi.name):
        result.append(Remark("percent-decoded", f"{gone} was read as percent-encoding"))
    if "%" in doi.name:
        message = f"{_place(doi.name, doi.name.index('%'))} stands for itself"
        result.append(Remark("percent-literal", message))
    return result
