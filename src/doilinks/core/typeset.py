"""A DOI on paper: where a line may end within it, and how LaTeX writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["LATEX_UNDIVIDED", "is_divided_by_latex", "latex", "pieces"]

# Scheme and prefix stay together. Every other piece consists of leading characters (the percent
# sign of a triplet, a hyphen, an opening bracket), a run of letters or digits, and trailing
# characters; each is limited, so that a piece fits into a narrow column.
_PIECE: Final = re.compile(
    r"\A(?:doi:|https?://[^/\s]{1,60}/)?10\.[0-9.]{1,20}/|[-%(\[{<]{0,16}[^\W_]{0,16}(?:[^\w%(\[{<-]|_){0,4}"
)

# In characters: no line begins or ends with less of a name.
_SHORT: Final = 4


def pieces(text: str) -> list[str]:
    """Split a DOI, in any of its forms, where a line may end.

    A hyphen begins a piece and never ends one, although typesetters split words after a hyphen: at
    the end of a line, readers and programs that copy text from a PDF take it for hyphenation.
    Heuristic, after LaTeX's ``url`` package, which does not split URLs there by default.

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


# Characters that LaTeX changes: those of quotes and accents; a hyphen, after which it may end the
# line; and pairs that it replaces by one character.
_LATEX: Final = re.compile(r"([`^]|-|,(?=,)|<(?=<)|>(?=>))")
_COMMANDS: Final = {"`": r"\textasciigrave{}", "^": r"\textasciicircum{}"}

# What to write before and after a text to which TeX must not apply the patterns of a language.
LATEX_UNDIVIDED: Final = (r"{\language255 ", "}")


def is_divided_by_latex(text: str) -> bool:
    """Tell whether TeX would hyphenate the first word of a DOI.

    TeX hyphenates the first word after a space if it has at least five letters.
    """
    return not text.startswith("doi:")


def latex(text: str) -> Iterator[tuple[str, bool]]:
    r"""The text of a DOI for LaTeX, as runs, each with a flag: LaTeX, or plain text.

    >>> list(latex("10.1000/a-b,,c"))[1:4]
    [('\\allowbreak{}', True), ('a', False), ('\\mbox{', True)]
    """
    for number, piece in enumerate(pieces(text)):
        if number:
            yield r"\allowbreak{}", True
        # Every second item is a character that LaTeX would change.
        for at, run in enumerate(_LATEX.split(piece)):
            if run in _COMMANDS:
                yield _COMMANDS[run], True
            elif at % 2 == 0:
                if run:
                    yield run, False
            elif run == "-":
                yield from ((r"\mbox{", True), (run, False), ("}", True))
            else:
                yield from ((run, False), ("{}", True))
