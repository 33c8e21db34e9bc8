"""Reports the result of the check in MkDocs' log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import get_plugin_logger

if TYPE_CHECKING:
    from ..check import CheckReport

__all__ = ["logger", "require_check", "root_of", "say", "shown"]

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
