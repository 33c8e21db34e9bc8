"""The comments ``doilinks: ignore`` of a project: in pages, in what they include, in docstrings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..core.silence import Silence, silences_in
from .found import PerPage, dois_of, relative

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

__all__ = ["OF_DOCSTRINGS", "keep_silences", "silences_of"]

_DOCSTRING: Final = "docstring of "  # autodoc writes this where other messages have a path
_Kept = dict[str, tuple[Silence, ...]]
# The comments of docstrings, for each page by the name of the object.
OF_DOCSTRINGS: Final[PerPage[_Kept]] = PerPage("doi_silences")


def silences_of(app: Sphinx) -> Iterator[Silence]:
    """Every comment, with the path of its file as messages show it."""
    pages = {str(app.env.doc2path(docname)) for docname in app.env.found_docs}
    included = {each.file for dois in dois_of(app.env).values() for each in dois if each.file}
    for file in sorted(pages | included):
        try:
            text = Path(file).read_text(encoding="utf-8-sig", errors="replace")
        except OSError:  # the place of a docstring, or a page without a file
            continue
        yield from _in_page(text, relative(app, file), _kind(app, file))
    places = {
        name: relative(app, file)
        for file in included
        for _, docstring, name in [file.partition(_DOCSTRING)]
        if docstring
    }
    docstrings: _Kept = {}
    for of_page in OF_DOCSTRINGS.of(app.env).values():
        docstrings |= of_page
    for name, silences in docstrings.items():
        file = places.get(name, _DOCSTRING + name)
        yield from (replace(each, file=file) for each in silences)


# The names that docutils gives the parser (`supported`). None: `source_suffix` names no parser.
_REST: Final = frozenset({"restructuredtext", "rst", "rest", None})


def _kind(app: Sphinx, file: str) -> str:
    """The markup of a page, or of a file that a page includes: ipynb, md or rst."""
    suffix = Path(file).suffix
    if suffix == ".ipynb":
        return "ipynb"
    parsers: dict[str, str | None] = app.config.source_suffix
    parser = next((parser for ending, parser in parsers.items() if file.endswith(ending)), None)
    return "md" if parser not in _REST or suffix == ".md" else "rst"


def _in_page(text: str, file: str, kind: str) -> Iterator[Silence]:
    if kind == "ipynb":
        for start, cell in _cells(text):
            yield from (each.moved(start) for each in silences_in(cell, "md", file))
    else:
        yield from silences_in(text, kind, file)


# In MyST-NB, the first line of cell n has the number n × 10,000 + 2.
_LINES_OF_CELL: Final = 10_000


def _cells(text: str) -> Iterator[tuple[int, str]]:
    """The Markdown cells of a notebook [nbformat 4], and the line before each as MyST-NB has it."""
    try:
        cells = json.loads(text)["cells"]
        for number, cell in enumerate(cells, 1):
            if cell["cell_type"] == "markdown":
                yield number * _LINES_OF_CELL + 1, "".join(cell["source"])
    except (ValueError, TypeError, KeyError):  # MyST-NB has said that it is not a notebook
        return


def keep_silences(
    app: Sphinx, _what: str, name: str, _obj: Any, _options: Any, lines: list[str]
) -> None:
    """Keep the comments of a docstring that autodoc shows on the page that is being read."""
    silences = tuple(silences_in("\n".join(lines), "rst"))
    page = app.env.temp_data.get("docname")
    if page is not None and silences:
        OF_DOCSTRINGS.of(app.env).setdefault(page, {})[name] = silences
