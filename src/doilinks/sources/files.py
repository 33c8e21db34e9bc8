"""The files below the paths that a user names."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["TYPES", "LeftOut", "Source", "type_of", "walk"]

TYPES: Final = ("md", "rst", "ipynb", "html", "xhtml", "txt", "bib", "cff", "py", "pyx")

_ENDINGS: Final = {f".{kind}": kind for kind in TYPES} | {
    ".markdown": "md", ".mdown": "md", ".qmd": "md", ".rmd": "md", ".rest": "rst",
    ".htm": "html", ".xht": "xhtml", ".text": "txt", ".pyi": "py", ".pyw": "py", ".pxd": "pyx",
    ".pxi": "pyx",
}  # fmt: skip

# Folders that tools fill; one that is named by the user is read all the same.
_FILLED: Final = frozenset(
    {"node_modules", "_build", "__pycache__", "site-packages", "build", "dist"}
)
_FILLED_ENDING: Final = ".egg-info"

LeftOut = Callable[[str, str], object]


class Source(NamedTuple):
    """A file to read.

    :ivar path: as the user would name it; ``-`` is standard input
    :ivar kind: one of :data:`TYPES`
    """

    path: str
    kind: str


def type_of(path: str) -> str | None:
    """The type that a file's ending tells, or None.

    >>> type_of("guide.Rmd"), type_of("_sources/guide.rst.txt"), type_of("guide.c")
    ('md', 'rst', None)
    """
    *_, before, last = ["", "", *Path(path.lower()).suffixes]
    # Sphinx calls its copies of sources so.
    return (_ENDINGS.get(before) if last == ".txt" else None) or _ENDINGS.get(last)


def walk(
    path: str,
    kind: str | None = None,
    *,
    hidden: bool = False,
    unreadable: Callable[[OSError], None] | None = None,
    left_out: LeftOut = lambda _path, _why: None,
) -> Iterator[Source]:
    """The file at a path, or the files of known types below it, folders in sorted order.

    Symbolic links to folders are not followed inside a folder, so that no loop is endless.

    :param kind: what a file is whose ending tells nothing, standard input among them; else ``txt``
    :param hidden: whether files and folders whose name begins with a dot are read, ``.git`` never
    :param unreadable: called for each folder that cannot be read; the others are read all the same
    :param left_out: called with each folder, and each file of a known type, that is left out and
        with the reason
    :raises OSError: for a path that does not exist
    """
    if path == "-":
        yield Source(path, kind or "txt")
    elif not stat.S_ISDIR(os.stat(path).st_mode):  # noqa: PTH116  Path("./a") forgets the "./"
        yield Source(path, type_of(path) or kind or "txt")
    else:
        for folder, folders, files in os.walk(path, onerror=unreadable):
            read = []
            for name in sorted(folders):
                full = _joined(folder, name)
                if name == ".git":
                    continue
                if why := _not_read(full, name, hidden=hidden):
                    left_out(full, why)
                else:
                    read.append(name)
            folders[:] = read
            for name in sorted(files):
                full, found = _joined(folder, name), type_of(name)
                # Neither sockets nor pipes, which would wait for ever, nor dangling links.
                if not found or not os.path.isfile(full):  # noqa: PTH113
                    continue
                if name.startswith(".") and not hidden:
                    left_out(full, _HIDDEN)
                else:
                    yield Source(full, found)


_HIDDEN: Final = "it is hidden"


def _joined(folder: str, name: str) -> str:
    # As an annotation of a CI system needs it: docs/a.md, not ./docs/a.md.
    return os.path.join(folder, name).removeprefix("./")  # noqa: PTH118


def _not_read(path: str, name: str, *, hidden: bool) -> str:
    """Why a folder is not read; empty if it is."""
    if name.startswith(".") and not hidden:
        return _HIDDEN
    if name in _FILLED or name.endswith(_FILLED_ENDING):
        return "tools fill a folder of this name"
    # Unlike Path.exists() silent about a folder that cannot be read.
    if os.path.exists(os.path.join(path, "pyvenv.cfg")):  # noqa: PTH110, PTH118
        return "it is a virtual environment"
    # The file that shows that it contains Sphinx' copies of sources.
    shown_by = os.path.join(os.path.dirname(path), "objects.inv")  # noqa: PTH118, PTH120
    if name == "_sources" and os.path.exists(shown_by):  # noqa: PTH110
        return "it contains copies of sources"
    return ""
