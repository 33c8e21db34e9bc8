"""Paths as a CI system needs them: relative to the root of the repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

__all__ = ["in_repository"]

# The folder in which a job of GitHub or of GitLab has checked the repository out.
_WORKSPACES: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def in_repository(environment: Mapping[str, str] = os.environ) -> Callable[[str], str]:
    """A function that makes a file's path relative to the root of its repository.

    The root is the git checkout that contains the file. In a job of CI it is the outermost checkout
    in the workspace, because that of a submodule is another repository; without a checkout it is
    the workspace. A file outside of all of these keeps its path, and so does ``-``.
    """
    paths = [os.path.realpath(path) for name in _WORKSPACES if (path := environment.get(name))]

    @cache
    def root(folder: str) -> str | None:
        workspace = next((path for path in paths if _is_below(folder, path)), None)
        checkouts = []
        while True:
            # A folder, or in a submodule and in a work tree of git a file.
            if os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118  raises nothing
                checkouts.append(folder)
            parent = os.path.dirname(folder)  # noqa: PTH120
            if folder in (workspace, parent):
                break
            folder = parent
        return (checkouts[-1 if workspace else 0] if checkouts else None) or workspace

    def relative(file: str) -> str:
        if file == "-":
            return file
        folder, name = os.path.split(file)
        # Links on the way are followed, but not the file itself: git knows it by its own name.
        real = os.path.realpath(folder)
        top = root(real)
        return os.path.relpath(os.path.join(real, name), top) if top else file  # noqa: PTH118

    return relative


def _is_below(folder: str, top: str) -> bool:
    return folder == top or folder.startswith(os.path.join(top, ""))  # noqa: PTH118
