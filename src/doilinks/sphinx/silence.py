"""The comments ``doilinks: ignore`` of a project: in pages, in what they include, in docstrings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from ..core.silence import Silence, silences_in
from .found import dois_of, relative

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

__all__ = ["keep_silences", "merge_silences", "purge_silences", "silences_of"]

_DOCSTRING: Final = "docstring of "  # as autodoc calls a docstring in the place of a file
_Kept = dict[str, tuple[Silence, ...]]


def silences_of(app: Sphinx) -> Iterator[Silence]:
    """Every comment, with the path of its file as messages show it."""
    pages = {str(app.env.doc2path(docname)) for docname in app.env.found_docs}
    included = {each.file for dois in dois_of(app.env).values() for each in dois if each.file}
    for file in sorted(pages | included):
        try:
            text = Path(file).read_text(encoding="utf-8-sig", errors="replace")
        except OSError:  # the place of a docstring, or a page without a file
            continue
        yield from _in_page(text, relative(app, file), Path(file).suffix)
    places = {
        name: relative(app, file)
        for file in included
        for _, docstring, name in [file.partition(_DOCSTRING)]
        if docstring
    }
    docstrings: _Kept = {}
    for of_page in _kept(app.env).values():
        docstrings |= of_page
    for name, silences in docstrings.items():
        file = places.get(name, _DOCSTRING + name)
        yield from (replace(each, file=file) for each in silences)


def _in_page(text: str, file: str, suffix: str) -> Iterator[Silence]:
    if suffix == ".ipynb":
        for start, cell in _cells(text):
            for each in silences_in(cell, "md", file):
                if each.line is not None and each.silenced is not None:
                    first, after = ((line + start, column) for line, column in each.silenced)
                    yield replace(each, line=each.line + start, silenced=(first, after))
    else:
        yield from silences_in(text, "md" if suffix == ".md" else "rst", file)


# MyST-NB counts the lines of each cell from here on, and calls the first one the second.
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


def _kept(env: BuildEnvironment) -> dict[str, _Kept]:
    """The comments of docstrings, by page and by the name of the object."""
    if not hasattr(env, "doi_silences"):
        env.doi_silences = {}  # type: ignore[attr-defined]
    return cast("dict[str, _Kept]", env.doi_silences)  # type: ignore[attr-defined]


def keep_silences(
    app: Sphinx, _what: str, name: str, _obj: Any, _options: Any, lines: list[str]
) -> None:
    """Keep the comments of a docstring that autodoc shows on the page that is being read."""
    silences = tuple(silences_in("\n".join(lines), "rst"))
    page = app.env.temp_data.get("docname")
    if page is not None and silences:
        _kept(app.env).setdefault(page, {})[name] = silences


def purge_silences(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget the comments of a page that is read again or was removed."""
    _kept(env).pop(docname, None)


def merge_silences(
    _app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment
) -> None:
    """Add the comments of the pages that a parallel process has read."""
    read = _kept(other)
    _kept(env).update({docname: read[docname] for docname in docnames if docname in read})
