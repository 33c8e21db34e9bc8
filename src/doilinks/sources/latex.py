r"""LaTeX in the prose of bibliographies: finds the addresses of links, and hides other text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..core.field import LATEX_CHARACTER, latex_character
from ..core.text import HIDDEN

__all__ = ["prose_pieces"]

_Piece = tuple[int, int, str]

_PROSE: Final = re.compile(
    rf"""
      \\(?P<link>url|href|path|nolinkurl|doi)\b\s*
    | \\(?P<key>[A-Za-z]*cite[A-Za-z]*|ref|label|eprint)\b\*?\s*
    | \\(?:protect|string)\b\s*
    | {LATEX_CHARACTER}
    | (?P<other>\\[A-Za-z]+)\*?\s*
    | (?P<brace>[{{}}~])
    """,
    re.VERBOSE,
)


def prose_pieces(value: str) -> Iterator[_Piece]:
    r"""The LaTeX in a value that is prose, as pieces for :class:`~doilinks.core.text.SourceText`.

    The address of a link ends with its group. The text of a link and citation keys are hidden.

    >>> from doilinks.core.text import SourceText
    >>> value = r"\href{https://doi.org/10.1000/182}{here}, DOI:~10.1000/a\_b"
    >>> SourceText.of(value, prose_pieces(value)).text.replace(HIDDEN, "|")
    '|https://doi.org/10.1000/182||, DOI: 10.1000/a_b'
    """
    kinds: list[str] = []  # the kinds of the groups that are open
    coming, at = "", 0  # the kind of a group that begins at this offset
    hidden, depth = -1, 0  # where the outermost hidden group begins, and how many groups enclose it
    for found in _PROSE.finditer(value):
        brace, kind = found["brace"], ""
        if brace == "{":
            kind = "" if value[at : found.start()].strip() else coming
            if kind == "hidden" and hidden < 0:
                hidden, depth = found.start(), len(kinds)
            kinds.append(kind)
        elif brace == "}" and kinds:
            kind = kinds.pop()
        if hidden < 0:
            inside = kinds[-1] if kinds else ""
            yield found.start(), found.end(), _prose(found, kind, inside)
        elif brace == "}" and len(kinds) == depth:
            yield hidden, found.end(), HIDDEN
            hidden = -1
        coming, at = _coming(found, kind), found.end()
    if hidden >= 0:
        yield hidden, len(value), HIDDEN


def _coming(found: re.Match[str], kind: str) -> str:
    """The kind of a group that begins after a token."""
    if found["link"]:
        return "address and text" if found["link"] == "href" else "address"
    if found["key"] or (found["brace"] == "}" and kind == "address and text"):
        return "hidden"
    return ""


def _prose(found: re.Match[str], kind: str, inside: str) -> str:
    """The text that a token stands for. ``kind`` is that of the group that it begins or ends."""
    if found["brace"] == "~":
        return "~" if inside else " "
    if found["other"] or kind:
        return HIDDEN
    return latex_character(found)
