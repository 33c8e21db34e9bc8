"""The files below the paths that a user names."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .patterns import Rules

__all__ = ["TYPES", "LeftOut", "Source", "type_of", "walk"]

TYPES: Final = ("md", "rst", "ipynb", "html", "xhtml", "txt", "bib", "cff", "py", "pyx")

_ENDINGS: Final = {f".{kind}": kind for kind in TYPES} | {
    ".markdown": "md", ".mdown": "md", ".qmd": "md", ".rmd": "md", ".rest": "rst",
    ".htm": "html", ".xht": "xhtml", ".text": "txt", ".pyi": "py", ".pyw": "py", ".pxd": "pyx",
    ".pxi": "pyx",
}  # fmt: skip

# Folders that tools fill. If the user names such a folder, it is read.
_FILLED: Final = frozenset(
    {"node_modules", "_build", "__pycache__", "site-packages", "build", "dist"}
)
_FILLED_ENDING: Final = ".egg-info"

LeftOut = Callable[[str, str], object]


class Source(NamedTuple):
    """A file to read.

    :ivar path: the path as the user would write it; ``-`` is standard input
    :ivar kind: one of :data:`TYPES`
    :ivar real: the path without symbolic links when it was found; empty if that does not matter
    """

    path: str
    kind: str
    real: str = ""


def type_of(path: str) -> str | None:
    """The type that the ending of a file stands for, or None.

    >>> type_of("guide.Rmd"), type_of("_sources/guide.rst.txt"), type_of("guide.c")
    ('md', 'rst', None)
    """
    *_, before, last = ["", "", *Path(path.lower()).suffixes]
    # Sphinx adds .txt to the names of its copies of sources.
    return (_ENDINGS.get(before) if last == ".txt" else None) or _ENDINGS.get(last)


def walk(
    path: str,
    kind: str | None = None,
    *,
    hidden: bool = False,
    unreadable: Callable[[OSError], None] | None = None,
    left_out: LeftOut = lambda _path, _why: None,
    rules: Rules | None = None,
) -> Iterator[Source]:
    """The file at a path, or the files of known types below it, with folders in sorted order.

    Inside a folder, symbolic links to folders are not followed, because they could form a loop.

    :param kind: the type of standard input, and of a file whose ending is unknown; by default
        ``txt``
    :param hidden: whether files and folders whose name begins with a dot are read; ``.git`` is
        never read
    :param unreadable: called for each folder that cannot be read; all other folders are read
    :param left_out: called with each folder, and each file of a known type, that is left out, and
        with the reason
    :param rules: patterns of further files and folders that are left out
    :raises OSError: for a path that does not exist
    """
    if path == "-":
        yield Source(path, kind or "txt")
    elif not stat.S_ISDIR(os.stat(path).st_mode):  # noqa: PTH116  Path("./a") forgets the "./"
        yield Source(path, type_of(path) or kind or "txt")
    else:
        yield from _below(path, _Left(hidden, rules or Rules(), left_out), unreadable)


def _below(
    path: str, left: _Left, unreadable: Callable[[OSError], None] | None
) -> Iterator[Source]:
    left.rules.begin(path)
    for folder, folders, files in os.walk(path, onerror=unreadable):
        left.rules.enter(folder)
        folders[:] = [name for name in sorted(folders) if not left.folder(folder, name)]
        for name in sorted(files):
            full, found = _joined(folder, name), type_of(name)
            if found and not left.file(full, name):
                yield Source(full, found)


_HIDDEN: Final = "it is hidden"
_NO_FILE: Final = "it is not a file, but a pipe, a socket, a device or a link that leads nowhere"


def _joined(folder: str, name: str) -> str:
    # An annotation of a CI system needs the path docs/a.md, not ./docs/a.md.
    return os.path.join(folder, name).removeprefix("./")  # noqa: PTH118


class _Left(NamedTuple):
    """Decides which files and folders are left out."""

    hidden: bool
    rules: Rules
    told: LeftOut

    def folder(self, parent: str, name: str) -> bool:
        """Tell whether a folder is left out."""
        path = _joined(parent, name)
        return name == ".git" or self._is_told(path, self._why(path, name))

    def file(self, path: str, name: str) -> bool:
        """Tell whether a file is left out."""
        hidden = name.startswith(".") and not self.hidden
        why = _HIDDEN if hidden else self.rules.why(path, folder=False)
        # A program that reads a pipe may wait for ever.
        return self._is_told(path, why or ("" if os.path.isfile(path) else _NO_FILE))  # noqa: PTH113  paths are texts here

    def _is_told(self, path: str, why: str) -> bool:
        if why:
            self.told(path, why)
        return bool(why)

    def _why(self, path: str, name: str) -> str:
        if name.startswith(".") and not self.hidden:
            return _HIDDEN
        if name in _FILLED or name.endswith(_FILLED_ENDING):
            return "tools fill a folder of this name"
        # Unlike Path.exists(), this raises no error for a folder that cannot be read.
        if os.path.exists(os.path.join(path, "pyvenv.cfg")):  # noqa: PTH110, PTH118
            return "it is a virtual environment"
        # If this file exists, the folder "_sources" contains the copies of sources by Sphinx.
        shown_by = os.path.join(os.path.dirname(path), "objects.inv")  # noqa: PTH118, PTH120
        if name == "_sources" and os.path.exists(shown_by):  # noqa: PTH110
            return "it contains copies of sources"
        return self.rules.why(path, folder=True)
