r"""LaTeX in bibliographies: it protects the characters of a name, and it makes links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..core.text import HIDDEN

__all__ = ["prose_pieces", "value_pieces", "without_latex"]

_Piece = tuple[int, int, str]

_WORDS: Final = {
    "less": "<", "greater": ">", "underscore": "_", "asciitilde": "~", "backslash": "\\",
    "bar": "|", "quotesingle": "'", "endash": "\u2013", "hyphen": "-", "sim": "~",
    "lt": "<", "gt": ">", "langle": "<", "rangle": ">", "\\sim": "~", "\\_": "_",
}  # fmt: skip
_CHARACTER: Final = r"""
      \\text(?P<word>less|greater|underscore|asciitilde|backslash|bar|quotesingle
                      |endash|hyphen)\b\s*(?:\{\})?
    | \\(?P<ascii>asciitilde|sim|lt|gt|langle|rangle|_)\b\s*(?:\{\})?
    | \\(?P<sign>[_%&\#${}~^/<>|"'-])(?:\{\})?
    | \$(?P<math><|>|\\sim|\\_|_)\$
"""
_VALUE: Final = re.compile(
    rf"\\(?:url|href|doi|path|nolinkurl|texttt|protect|string)\b\s*|{_CHARACTER}|[{{}}]", re.VERBOSE
)
_PROSE: Final = re.compile(
    rf"""
      \\(?P<link>url|href|path|nolinkurl|doi)\b\s*
    | \\(?P<key>[A-Za-z]*cite[A-Za-z]*|ref|label|eprint)\b\*?\s*
    | \\(?:protect|string)\b\s*
    | {_CHARACTER}
    | (?P<other>\\[A-Za-z]+)\*?\s*
    | (?P<brace>[{{}}~])
    """,
    re.VERBOSE,
)


def without_latex(value: str) -> str:
    r"""Undo the LaTeX that protects characters of a name.

    >>> without_latex(r"10.1007/978{\_}3\%{}2"), without_latex(r"49:8$<$693::AID\textgreater{}3")
    ('10.1007/978_3%2', '49:8<693::AID>3')
    """
    return _VALUE.sub(_character, value)


def _character(found: re.Match[str]) -> str:
    kept = found["word"] or found["ascii"] or found["sign"] or found["math"] or ""
    return _WORDS.get(kept, kept)


def value_pieces(value: str) -> Iterator[_Piece]:
    """The same as pieces of :class:`~doilinks.core.text.SourceText`, for a value that is a name."""
    for found in _VALUE.finditer(value):
        yield found.start(), found.end(), _character(found)


def prose_pieces(value: str) -> Iterator[_Piece]:
    r"""The same for a value that is prose.

    The address of a link ends where its group ends. The text of a link and citation keys are
    hidden.

    >>> from doilinks.core.text import SourceText
    >>> value = r"\href{https://doi.org/10.1000/182}{here}, DOI:~10.1000/a\_b"
    >>> SourceText.of(value, prose_pieces(value)).text.replace(HIDDEN, "|")
    '|https://doi.org/10.1000/182||, DOI: 10.1000/a_b'
    """
    kinds: list[str] = []  # of the groups that are open
    coming, at = "", 0  # the kind of a group that begins here
    hidden, depth = -1, 0  # where the outermost hidden group begins, and how many are around it
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
    """What a token stands for; ``kind`` is that of the group that it begins or ends."""
    if found["brace"] == "~":
        return "~" if inside else " "
    if found["other"] or kind:
        return HIDDEN
    return _character(found)
