"""The escapes of formats: characters of a source that stand for others.

An escape is a piece ``(start, end, text)``: its span, and the text that it stands for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import Final

from ..core.markup import REFERENCE, unescape
from ..core.text import LATEX_BREAK, LATEX_CHARACTER, Part, SourceText, latex_character

Escapes = Callable[[str], Iterator[tuple[int, int, str]]]
# A character of ASCII punctuation may be escaped [CommonMark 2.4], in reStructuredText any
# character [reST: escaping mechanism]. Authors escape only these in a name.
_BACKSLASH: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKDOWN: Final = re.compile(rf"{_BACKSLASH.pattern}|{REFERENCE.pattern}")
_RD: Final = re.compile(r"\\([%{}\\])")
_JSON: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)
# What stands for a character or for nothing inside a name of a LaTeX document, for a pattern with
# re.VERBOSE. A comment at the end of a line joins it to the next one, and REVTeX writes `\doibase`
# before a name.
LATEX: Final = rf"""
      (?P<nothing>%\n[ \t]*+|{LATEX_BREAK}|\\detokenize(?![A-Za-z])[ \t]*+)
    | (?P<base>\\doibase(?![A-Za-z])\s*+)
    | (?:\\mbox)?\{{(?P<single>[_%&\#~^<>-])\}}
    | (?P<open>\{{)?(?:{LATEX_CHARACTER})(?(open)\}})
"""
_TO_LATEX: Final = {
    "<": r"\textless{}", ">": r"\textgreater{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
}  # fmt: skip
# The command whose argument begins here, or the line of a field by biblatex.
_COMMAND: Final = re.compile(
    r"\\(?:(?P<url>href|url|nolinkurl)|(?P<path>path)|(?P<doi>doi|DOI))\*?\s*+"
    r"(?:\[[^\][]{0,200}\]\s*+)?\{[^{}]{0,200}\Z|(?P<verb>\\verb[ ][^\n]{0,200}\Z)"
)
_AWAY: Final = 500  # characters
# A command for names that takes them as they stand, or one name that is written so. Of the two
# kinds of names, the one that is first counts.
_DOI_AS_IT_IS: Final = re.compile(r"\\Url\b|\\(?:doi|DOI)\s?\{[^{}\\\n]{0,200}(?P<escape>\\?)_")


def _escapes(pattern: re.Pattern[str], meaning: Callable[[re.Match[str]], str]) -> Escapes:
    """Return a function that finds the escapes of a text by a pattern."""
    return lambda text: ((*found.span(), meaning(found)) for found in pattern.finditer(text))


backslashes: Final = _escapes(_BACKSLASH, lambda found: found[1])
references: Final = _escapes(REFERENCE, lambda found: unescape(found[0]))
of_markdown: Final = _escapes(_MARKDOWN, lambda found: found[1] or unescape(found[0]))
of_rd: Final = _escapes(_RD, lambda found: found[1])


@lru_cache(maxsize=4096)  # no notebook escapes this many different characters
def _of_json(escape: str) -> str:
    return str(json.loads(f'"{escape}"'))


of_json: Final = _escapes(_JSON, lambda found: _of_json(found[0]))


def to_json(text: str) -> str:
    """Return a text as it stands in a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def to_rd(text: str) -> str:
    """Return a text as it stands in R documentation."""
    return re.sub(r"[%{}\\]", r"\\\g<0>", text)


def _of_latex(match: re.Match[str]) -> str:
    return "https://doi.org/" if match["base"] else match["single"] or latex_character(match)


of_latex: Final = _escapes(re.compile(LATEX, re.VERBOSE), _of_latex)


def to_latex(text: str) -> str:
    """Return a text as it stands in a LaTeX document."""
    return re.sub(r"[_%&#${}<>~^\\]", lambda found: _TO_LATEX.get(found[0], f"\\{found[0]}"), text)


class LatexPlaces:
    r"""Escapes characters for a LaTeX document, as the command around them requires.

    In the argument of ``\url``, ``_`` is a character; in text, it is one of mathematics. ``%`` and
    ``#`` need a backslash there too if the command is in the argument of another one. What ``\doi``
    does depends on the class; heuristic: it is what the other names of the document need.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self, at: int) -> Callable[[str], str]:
        """Return the function that escapes a text for an offset."""
        command = _COMMAND.search(self._text[max(0, at - _AWAY) : at])
        if command is None or (command["doi"] and not self._doi_as_it_is):
            return to_latex
        return str if command["path"] or command["verb"] else partial(re.sub, "[%#]", r"\\\g<0>")

    @cached_property
    def _doi_as_it_is(self) -> bool:
        found = _DOI_AS_IT_IS.search(self._text)
        return found is not None and not found["escape"]


def parts_of(
    text: str, start: int, end: int, pieces: Iterable[tuple[int, int, str]]
) -> Iterator[Part]:
    """Yield the parts of a stretch of a source in which pieces stand for other texts."""
    for first, last, shown in pieces:
        yield text[start:first], start, first
        yield shown, first, last
        start = last
    yield text[start:end], start, end


class Unescaped:
    """A stretch of a source, and the characters that it stands for by some layers of escapes."""

    def __init__(self, written: str, layers: Sequence[Escapes]) -> None:
        self.text = written
        self._layers: list[SourceText] = []
        for escapes in layers:  # the outermost first
            self._layers.append(SourceText.of(self.text, escapes(self.text)))
            self.text = self._layers[-1].text

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of characters in the source."""
        for layer in reversed(self._layers):
            start, end = layer.span(start, end) if start < end else layer.span(start, start + 1)
        return start, end
