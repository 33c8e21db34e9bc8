"""The lines of the DOIs of a page in its source.

Python-Markdown does not keep line numbers, and other plug-ins may have changed the text that it
gets. So the file is read once more, only to find names.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import Final

from ..core.doi import DOI
from ..core.scan import scan
from ..core.text import SourceText
from ..markdown.text import pieces
from .prose import prose

__all__ = ["lines_of"]

# The text between a name that is the text of a link and the same name as its target.
_TO_TARGET: Final = re.compile(r"[*_~]*\]\(<?")


def lines_of(source: str, dois: Iterable[DOI], start: int = 0) -> Iterator[int | None]:
    r"""The line of each DOI, counted from 1; None for one that the source does not contain.

    If a name is in the source several times, its lines are yielded in their order. If a page has a
    name more often than its source, the last line is yielded again. This happens with links by
    reference, whose target is written once.

    :param source: the text of the file
    :param dois: the DOIs of the page, in its order
    :param start: the offset at which the Markdown begins, after the front matter

    >>> list(lines_of("`10.1000/a`\n10.1000/ab\n10.1000/a", [DOI("10.1000/a"), DOI("10.1000/c")]))
    [3, None]
    """
    lines: defaultdict[DOI, deque[int]] = defaultdict(deque)
    for doi, line in _names(source, start):
        lines[doi].append(line)
    for doi in dois:
        at = lines.get(doi)
        yield (at.popleft() if len(at) > 1 else at[0]) if at else None


def _names(source: str, start: int) -> Iterator[tuple[DOI, int]]:
    """Every name in the Markdown, and its line."""
    text = prose(source[start:])
    plain = SourceText.of(text, pieces(text, {}))
    line, at = 1, 0
    last: DOI | None = None
    end = 0
    for match in scan(plain.text):
        of_a_link = match.doi == last and _TO_TARGET.fullmatch(plain.text, end, match.start)
        last, end = match.doi, match.end
        if not of_a_link and not plain.is_escaped(match.start, match.end):
            here = start + plain.span(match.start, match.end)[0]
            line += source.count("\n", at, here)
            at = here
            yield match.doi, line
