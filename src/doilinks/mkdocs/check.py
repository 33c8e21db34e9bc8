"""Reports the result of the check in MkDocs' log."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any, Final

from markdown import Markdown
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import get_plugin_logger

from ..core.doi import DOI
from .lines import lines_of

if TYPE_CHECKING:
    from ..check import CheckReport

logger: Final = get_plugin_logger("doilinks")


def require_check() -> None:
    """Stop at once if the packages that the check needs are missing.

    :raises PluginError: with a message that says what to install
    """
    try:
        from .. import check  # noqa: F401  is it installed?
    except ImportError as error:
        raise PluginError(f"doilinks: 'check': {error}") from error


def root_of(config: MkDocsConfig) -> Path:
    """The folder of ``mkdocs.yml``, or the current folder if that is read from standard input."""
    file = config.config_file_path
    return Path(file).absolute().parent if file else Path.cwd()


def shown(source: str, config: MkDocsConfig) -> str:
    """The path of a source, relative to ``mkdocs.yml``; ``""`` if a plug-in generated it."""
    folders = (root_of(config), config.docs_dir)
    if not any(Path(source).is_relative_to(folder) for folder in folders):
        return ""
    return os.path.relpath(source, folders[0])


def say(report: CheckReport) -> None:
    """Log every problem at the level of its severity. ``--strict`` counts the warnings."""
    from ..check import Severity, printable

    level = {
        Severity.ERROR: logger.error,
        Severity.WARNING: logger.warning,
        Severity.REMARK: logger.info,
    }
    for problem in report.problems:
        level[problem.severity]("%s", printable(str(problem)))


# --------------------------------------------------------------------------------------------------
# Where a name of a docstring is that mkdocstrings puts on a page.

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
