"""Proves changes of a page of HTML, without a tree of it.

Whether a browser finds tags in ``<style>``, ``<title>`` and others depends on the tree: in SVG and
MathML it does. A builder of trees may be wrong, so each may be read both as text and as tags.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from heapq import heappop, heappush
from typing import Final

from ...core.markup import RAW_TEXT, unescape
from ...core.text import SourceText
from ...sources.browsers import SPACE

_RAW: Final = (*RAW_TEXT, "noscript")  # the last one where scripts are allowed
_STOP: Final = rf"(?=[{SPACE}/>])"
_ATTRIBUTE: Final = (
    rf"(?:=[^{SPACE}/>=]*+|[^{SPACE}/>=]++)(?:[{SPACE}]*+=[{SPACE}]*+"
    rf"(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^{SPACE}>\"'][^{SPACE}>]*+|(?=>)))?"
)
_RAW_TAGS: Final = "|".join(f"{raw}{_STOP}(?P<in{raw}>)" for raw in _RAW)
_IN: Final = rf"[{SPACE}/]*+(?:>(?P<text{{then}}>)|(?:{_ATTRIBUTE}|\Z)(?P<in{{raw}}>))"
# The ends of states of a tokenizer; the group says the states after that. Where a state finds
# its own beginning again, two readings become one, which keeps the time linear.
# https://html.spec.whatwg.org/#tokenization
_STATES: Final = {
    state: re.compile(pattern, re.IGNORECASE)
    for state, pattern in {
        "text": "(?=<[a-z/!?])(?P<markup>)",
        "markup": rf"<(?:!---?>(?P<text>)|!--(?P<comment>)|!\[CDATA\[(?P<section_other>)"
        rf"|(?:[!?]|/(?![a-z]))(?P<other>)|{_RAW_TAGS}|/?[a-z][^{SPACE}/>]*+(?P<in>))",
        "comment": r"--!?>(?P<text>)|(?:<!(?=--)|\Z)(?P<comment>)",
        "section": r"\]\]>(?P<text>)|(?:<!\[CDATA\[|\Z)(?P<section>)",
        "other": r">(?P<text>)|\Z(?P<other>)",
        "in": _IN.format(then="", raw=""),
        **{f"in{raw}": _IN.format(then=f"_{raw}", raw=raw) for raw in _RAW},
        **{raw: rf"(?=</{raw}{_STOP})(?P<markup>)|<{raw}(?P<{raw}>)" for raw in _RAW},
        "plaintext": "<plaintext(?P<plaintext>)",
        "script": rf"(?=</script{_STOP})(?P<markup>)|<!(?=--)(?P<escaped>)"
        r"|(?:<script|-->)(?P<script>)",
        "escaped": rf"(?=</script{_STOP})(?P<markup>)|-->(?P<script>)|<script{_STOP}(?P<twice>)"
        r"|<!(?=--)(?P<escaped>)",
        "twice": rf"-->(?P<script>)|</script{_STOP}(?P<escaped>)|<script(?P<twice>)",
    }.items()
}
Edit = tuple[int, int, str]
# The place of a text in a page, the text that readers see there, and the text that they will see.
Swap = tuple[int, int, str, str]
_TAG: Final = re.compile("<[A-Za-z/!?][^<>]*+>")  # of a plain tokenizer


def unsure(text: str, places: Collection[int]) -> Iterator[int]:
    """Yield those places of a page where text is or a tag begins, but not in each reading."""
    reach, waiting = 0, [(0, "text")]
    for place in sorted(places):
        while waiting and waiting[0][0] < place:
            at, state = heappop(waiting)
            if found := _STATES[state].search(text, at):
                reach = reach if state == "text" else max(reach, found.end())
                for each in (found.lastgroup or "").split("_"):
                    if (found.end(), each) not in waiting:  # few states are possible at one place
                        heappush(waiting, (found.end(), each))
        if place < reach:
            yield place


def keeps_text(text: str, edits: Sequence[Edit], swaps: Sequence[Swap]) -> bool:
    """Tell whether edits keep the text of a page without tags, but for the texts of links."""
    places = {each[:2] for each in swaps}
    after = SourceText.of(text, [each for each in edits if each[:2] in places]).text
    at, old, new = 0, list[str](), list[str]()
    for start, end, seen, shown in (*swaps, (len(text), len(text), "", "")):
        same = _words(text[at:start])
        old += same, seen
        new += same, shown
        at = end
    return (_words(text), _words(after)) == ("".join(old), "".join(new))


def _words(text: str) -> str:
    return unescape(_TAG.sub("", text))
