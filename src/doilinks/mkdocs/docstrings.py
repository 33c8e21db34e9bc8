"""Where a name of a docstring is that mkdocstrings puts on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import Any

from markdown import Markdown
from mkdocs.config.defaults import MkDocsConfig

from ..core.doi import DOI
from .check import shown
from .lines import lines_of

__all__ = ["object_of", "places"]

# The tree processor of mkdocstrings that puts the path of an object before ids of its docstring.
_PREFIXER = "mkdocstrings_ids"
_AFTER_PATH = "--"


def object_of(md: Markdown) -> str:
    """The Python path of the object whose docstring is being converted, or ``""``."""
    if _PREFIXER not in md.treeprocessors:
        return ""
    prefix = getattr(md.treeprocessors[_PREFIXER], "id_prefix", "")
    return str(prefix).removesuffix(_AFTER_PATH)


def places(
    path: str, dois: Sequence[DOI], page: str, config: MkDocsConfig
) -> Iterator[tuple[str, int | None]]:
    """The file and the line of each DOI in the docstring of an object.

    Where the file or the line is not known, the place names the object.

    :param path: the Python path of the object
    :param page: the page with the docstring
    """
    try:
        file, first, source = _docstring(path, config)
    except Exception:  # noqa: BLE001  a handler of another language, or whatever it raises
        file, first, source = "", 0, ""
    for line in lines_of(source, dois):
        if file and line:
            yield file, first + line - 1
        else:
            yield f"{file or page}:docstring of {path}", None


def _docstring(path: str, config: MkDocsConfig) -> tuple[str, int, str]:
    """The file of a docstring, its first line there, and its lines without their indentation."""
    plugin: Any = config.plugins["mkdocstrings"]
    found = plugin.get_handler("python").collect(path, {})  # {}: load no further module
    first, last = found.docstring.lineno, found.docstring.endlineno
    lines = found.filepath.read_text(encoding="utf-8-sig").splitlines()[first - 1 : last]
    text = "\n".join((lines[0].lstrip(), dedent("\n".join(lines[1:]))))
    return shown(str(found.filepath), config), first, text
