"""The lines of the DOIs of a page in its source, for the plug-in of MkDocs.

Python-Markdown does not keep them, so the source is read once more.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import Final

from ..core.doi import DOI
from ..core.options import Options
from .files import CannotRead
from .reading import read

_DEFAULT: Final = Options()


def lines_of(
    source: str, dois: Iterable[DOI], start: int = 0, options: Options = _DEFAULT
) -> Iterator[int | None]:
    r"""Yield the line of each DOI, counted from 1; None for one that the source does not contain.

    If a name is in the source several times, its lines are yielded in their order. If a page has a
    name more often than its source, the last line is yielded again. This happens with links by
    reference, whose target is written once.

    >>> list(lines_of("`10.1000/a`\n10.1000/ab\n10.1000/a", [DOI("10.1000/a"), DOI("10.1000/c")]))
    [3, None]
    """
    lines: defaultdict[DOI, deque[int | None]] = defaultdict(deque)
    body = "\n" * source.count("\n", 0, start) + source[start:]
    try:
        for found in read(body, "md", options, nameless=True):
            lines[found.doi].append(found.line)
    except CannotRead:
        lines.clear()
    for doi in dois:
        at = lines.get(doi)
        yield (at.popleft() if len(at) > 1 else at[0]) if at else None
