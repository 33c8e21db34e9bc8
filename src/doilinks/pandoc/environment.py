"""The settings of the person who runs pandoc: ``DOILINKS_DISPLAY=name``, and the pyproject.toml.

Metadata come with the document, and a filter cannot tell them from ``-M`` on the command line. The
environment belongs to the person who runs pandoc, so it wins over the document. The pyproject.toml
of the current folder, or of a folder above it, gives the defaults. The filter trusts this file, as
the command line does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ..core.options import Options
from ..project import Project, project_of
from .idle import PREFIX

__all__ = ["is_verbose", "nearest_project", "of_environment", "of_project", "variable"]


def variable(option: str) -> str:
    """The environment variable of an option.

    >>> variable("check_api")
    'DOILINKS_CHECK_API'
    """
    return PREFIX + option.upper()


def of_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The options that environment variables set. An empty variable counts as not set.

    >>> of_environment({"DOILINKS_CHECK": "off", "DOILINKS_PROXY": "", "HOME": "/"})
    {'check': 'off'}
    """
    values = {name: environment.get(variable(name), "") for name in Options.NAMES}
    return {name: value for name, value in values.items() if value}


def of_project() -> dict[str, object]:
    """The defaults from the nearest pyproject.toml, from the current folder upwards.

    :raises InvalidOption: with the name of each option that has a wrong value there
    """
    found = nearest_project()
    return found[0].defaults(found[1]) if found else {}


def nearest_project() -> tuple[Project, Path] | None:
    """The project of the nearest pyproject.toml, and the current folder.

    :raises InvalidOption: with the name of each option that has a wrong value there
    """
    try:
        folder = Path.cwd()
    except OSError:  # the current folder does not exist any more
        return None
    project = project_of(folder)
    return (project, folder) if project else None


def is_verbose() -> bool:
    """Whether to say where values are from. Pandoc does not hand on its flag ``--verbose``."""
    return os.environ.get(f"{PREFIX}VERBOSE", "") not in ("", "0")
