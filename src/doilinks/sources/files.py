"""The files below the paths that a user names."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["TYPES", "Source", "type_of", "walk"]

TYPES: Final = ("md", "rst", "ipynb", "html", "xhtml", "txt", "bib")

_ENDINGS: Final = {f".{kind}": kind for kind in TYPES} | {
    ".markdown": "md", ".mdown": "md", ".qmd": "md", ".rmd": "md", ".rest": "rst",
    ".htm": "html", ".xht": "xhtml", ".text": "txt",
}  # fmt: skip

# Folders that tools fill; one that is named by the user is read all the same.
_SKIPPED: Final = frozenset({"node_modules", "_build", "__pycache__", "site-packages"})


class Source(NamedTuple):
    """A file to read.

    :ivar path: as the user would name it; ``-`` is standard input
    :ivar kind: one of :data:`TYPES`
    """

    path: str
    kind: str


def type_of(path: str) -> str | None:
    """The type that a file's ending tells, or None.

    >>> type_of("guide.Rmd"), type_of("_sources/guide.rst.txt"), type_of("guide.py")
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
) -> Iterator[Source]:
    """The file at a path, or the files of known types below it, folders in sorted order.

    Symbolic links to folders are not followed inside a folder, so that no loop is endless.

    :param kind: what a file is whose ending tells nothing, standard input among them; else ``txt``
    :param hidden: whether files and folders whose name begins with a dot are read, ``.git`` never
    :param unreadable: called for each folder that cannot be read; the others are read all the same
    :raises OSError: for a path that does not exist
    """
    if path == "-":
        yield Source(path, kind or "txt")
    elif not stat.S_ISDIR(os.stat(path).st_mode):  # noqa: PTH116  Path("./a") forgets the "./"
        yield Source(path, type_of(path) or kind or "txt")
    else:
        for folder, folders, files in os.walk(path, onerror=unreadable):
            folders[:] = sorted(name for name in folders if _is_read(folder, name, hidden=hidden))
            for name in sorted(files):
                found = type_of(name)
                # As an annotation of a CI system needs it: docs/a.md, not ./docs/a.md.
                full = os.path.join(folder, name).removeprefix("./")  # noqa: PTH118
                # Neither sockets nor pipes, which would wait for ever, nor dangling links.
                if found and (hidden or not name.startswith(".")) and os.path.isfile(full):  # noqa: PTH113
                    yield Source(full, found)


def _is_read(folder: str, name: str, *, hidden: bool) -> bool:
    if name in _SKIPPED or name == ".git" or (name.startswith(".") and not hidden):
        return False
    # The file that shows what the folder is: Sphinx' copies of sources, or a virtual environment.
    shown_by = "objects.inv" if name == "_sources" else os.path.join(name, "pyvenv.cfg")  # noqa: PTH118
    # Unlike Path.exists() silent about a folder that cannot be read.
    return not os.path.exists(os.path.join(folder, shown_by))  # noqa: PTH110, PTH118
