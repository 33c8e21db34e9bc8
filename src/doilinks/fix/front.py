"""The ``doi`` fields of front matter: no page links them, so no reader lists them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..core.doi import InvalidDOI, parse_parts
from ..core.found import Found
from ..core.options import Options
from ..core.silence import SILENT, WORD
from ..sources.found import Lines

__all__ = ["front_matter"]

# A field of the document, or of a work in CSL, which writes DOI [CSL 1.0.2: "DOI"].
_FIELD: Final = re.compile(
    r"^[ \t]*+(?:-[ \t]++)?(?:doi|DOI)[ \t]*+[:=][ \t]*+(?P<quote>[\"']?)"
    r"(?P<value>[^\s\"']++)(?P=quote)[ \t]*+(?P<comment>#.*)?$",
    re.MULTILINE,
)
_SILENCED: Final = re.compile(rf"#[ \t]*{WORD}")


def front_matter(text: str, file: str, options: Options) -> Iterator[Found]:
    r"""The names in the front matter of a Markdown document.

    >>> text = "---\ndoi: https://doi.org/10.1000/182\n---\n"
    >>> [(each.doi.name, each.line) for each in front_matter(text, "a.md", Options())]
    [('10.1000/182', 2)]
    """
    from ..sources.markdown import FRONT_MATTER  # imports markdown-it-py

    front = FRONT_MATTER.match(text)
    if front is None:
        return
    lines = Lines(front[0])
    for field in _FIELD.finditer(front[0]):
        comment = _SILENCED.match(field["comment"] or "")
        try:
            doi, _ = parse_parts(field["value"])
        except InvalidDOI:
            continue
        if options.ignores(doi) or (comment and comment["word"] == SILENT):
            continue
        span = field.span("value")
        line, column = lines.place(span[0])
        yield Found(
            doi, form="field", file=file, line=line, column=column, span=span,
            written=field["value"],
        )  # fmt: skip
