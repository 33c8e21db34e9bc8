"""Where a line may end inside a DOI that is shown on paper or in a terminal."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["pieces"]

# Scheme and prefix stay together. Else a piece is what leads (a triplet's percent sign, a hyphen,
# an opening bracket), a run of letters or digits, and what follows; of each only so much that a
# piece fits into a narrow column.
_PIECE: Final = re.compile(
    r"\A(?:doi:|https?://[^/\s]{1,60}/)?10\.[0-9.]{1,20}/|[-%(\[{<]{0,16}[^\W_]{0,16}(?:[^\w%(\[{<-]|_){0,4}"
)

# No line begins or ends with less of a name.
_SHORT: Final = 4


def pieces(text: str) -> list[str]:
    """Part a DOI in any of its forms where a line may end, at the signs where URLs are parted.

    A hyphen begins a piece and does not end it, though that is where typesetters part words: at the
    end of a line it is taken for one of hyphenation, by readers and by programs that copy text from
    a PDF. Source: heuristic, after LaTeX's ``url`` package, which parts no URL there by default.

    >>> pieces("doi:10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2")[1:]
    ['1520', '-0493', '(1972)', '100%3C0081:', 'OTAOSH', '%3E2.', '3.CO;2']
    """
    made: list[str] = []
    for piece in filter(None, _PIECE.findall(text)):
        if made and len(made[-1]) < _SHORT:
            made[-1] += piece
        else:
            made.append(piece)
    if len(made) > 1 and len(made[-1]) < _SHORT:
        made[-2:] = [made[-2] + made[-1]]
    return made
