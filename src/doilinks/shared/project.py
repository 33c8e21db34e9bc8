"""The settings of a project: ``[tool.doilinks]`` of its ``pyproject.toml``.

The command line takes every option from there. Hosts take ``ignore`` and the ``check_*`` options as
defaults, so that a project has one list of exceptions; options of the host win.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from ..core.options import PROJECT_FILE, InvalidOption, Options
from ..core.printable import format_value, printable

_LISTS: Final = {  # not options of hosts
    "exclude": "patterns", "fix_select": "codes of rules", "fix_ignore": "codes of rules",
}  # fmt: skip
_LOCKFILE: Final = "check_lockfile"


@dataclass(frozen=True)
class Project:
    """The settings of a project."""

    file: Path  # its ``pyproject.toml``
    options: Mapping[str, object]  # the values of options, by name
    exclude: tuple[str, ...] = ()  # patterns of files that the command line does not read
    fix_select: tuple[str, ...] = ()  # the rules of ``doilinks fix``, if they are not all
    fix_ignore: tuple[str, ...] = ()  # those that it does not apply

    def defaults(self) -> dict[str, object]:
        """Return the defaults for hosts: the values of ``ignore`` and the options of the check.

        ``check`` is not one of them: whether a build asks a server is set where the build is.
        """
        shared = {
            name: value
            for name, value in self.options.items()
            if name == "ignore" or name.startswith("check_")
        }
        file = str(shared.get(_LOCKFILE, ""))
        if file not in ("", Options.check_lockfile):
            # A path is relative to the file in which it is written.
            shared[_LOCKFILE] = str(self.file.parent / file)
        return shared

    def source(self, names: Iterable[str]) -> str:
        """Return a message that says where the values of these options are from, or ``""``."""
        listed = ", ".join(sorted(names))
        return f"from [tool.doilinks] in {printable(str(self.file))}: {listed}" if listed else ""


def project_of(folder: Path) -> Project | None:
    """Read the settings in the nearest ``pyproject.toml`` from ``folder`` up, or return None."""
    folder = folder.absolute()
    # is_file() raises an error for a closed folder.
    file = _nearest(PROJECT_FILE, (folder, *folder.parents), os.path.isfile)
    return _read(file) if file else None


def _nearest(name: str, ways: tuple[Path, ...], is_there: Callable[[Path], bool]) -> Path | None:
    """Find the nearest file of this name that counts for a folder, in it or above it."""
    files = (each / name for each in ways)
    return next((each for each in files if is_there(each) and counts(each, ways[0])), None)


def counts(file: Path, folder: Path) -> bool:
    """Tell whether a file below or above ``folder`` counts for it; warn once if it does not.

    Above, git has the same rule (``safe.directory``): neither the file nor its folder belongs to a
    stranger, and no stranger may write there. The owner of ``folder`` is not a stranger, so that a
    checkout of another user counts in a container. Windows does not tell who may write.
    """
    if sys.platform == "win32" or file.parent not in folder.parents:
        return True
    with suppress(OSError):  # a link to nothing, which its reader reports
        here = os.stat(folder)  # noqa: PTH116  one call, no object
        for each in map(os.stat, (file.parent, file)):
            is_shared = each.st_mode & stat.S_ISVTX or not here.st_mode & stat.S_IWOTH
            is_open = each.st_mode & stat.S_IWOTH and is_shared
            if is_open or each.st_uid not in (os.geteuid(), 0, here.st_uid):
                if os.path.lexists(file):
                    _pass_over(file)
                return False
    return True


@lru_cache(maxsize=64)
def _pass_over(file: Path) -> None:
    import logging  # rarely needed

    why = "other users can change it; if you trust them, run doilinks in its folder"
    logging.getLogger("doilinks").warning("doilinks: %s is not used: %s", printable(str(file)), why)


def lockfile_of(options: Options, folder: Path) -> Path | None:
    """Return the path of a project's lock file; None if ``check_lockfile`` is empty.

    ``doi-lock.json``, the default, is the nearest file of that name from ``folder`` upwards to the
    top of the project, and is made at the top. So all parts of a project use one file, wherever
    they run. If nothing marks a top, a file counts that is in a folder of the same owner, below
    their home. Any other path is relative to ``folder``.
    """
    name = options.check_lockfile
    if name != Options.check_lockfile:
        return folder / name if name else None
    ways = (folder := folder.absolute(), *folder.parents)
    top, reach = _marked_top(ways), 0
    if top is None:
        top, reach = folder, _own(ways)
        with suppress(OSError):  # it is gone
            is_above = (current := Path.cwd()) in ways and counts(current / name, folder)
            top = current if is_above else folder
    files = [each / name for each in ways[: max(reach, ways.index(top) + 1)]]
    there = [file for file in files if os.path.lexists(file)]
    made = (folder if top / name in there else top) / name  # that of a stranger is not replaced
    return next((file for file in there if counts(file, folder)), made)


def _marked_top(ways: tuple[Path, ...]) -> Path | None:
    """Find the top of a project, among a folder and those above it.

    It is the folder of the nearest pyproject.toml if that configures doilinks; else the top of the
    repository; else the folder of this pyproject.toml.
    """
    file = _nearest(PROJECT_FILE, ways, os.path.isfile)
    if file and _configures(file, file.stat().st_mtime_ns):
        return file.parent
    return checkout_of(ways) or (file and file.parent)


def checkout_of(ways: tuple[Path, ...]) -> Path | None:
    """Find the top of the git checkout of a folder, among this folder and those above it."""
    mark = _nearest(".git", ways, os.path.lexists)
    return mark and mark.parent


def _own(ways: tuple[Path, ...]) -> int:
    """Count the folders, from the lowest upwards, that nobody but the same owner may write to.

    So a lock file that a stranger has left in ``/tmp`` does not count.
    """
    ends = {Path(ways[0].anchor)}
    with suppress(RuntimeError):  # no home folder is known
        ends.update((home := Path.home(), *home.parents))
    with suppress(OSError):
        first = os.stat(ways[0])  # noqa: PTH116  one call, no object
        for count, each in enumerate(ways):
            here = os.stat(each)  # noqa: PTH116  one call, no object
            is_same = (here.st_uid, here.st_dev) == (first.st_uid, first.st_dev)
            if each in ends or not is_same or here.st_mode & stat.S_IWOTH:
                return count
    return 0


@lru_cache(maxsize=8)
def _configures(file: Path, _changed: int) -> bool:
    try:
        return bool(_table(file))
    except InvalidOption:
        return True


def in_messages(file: Path | None) -> str:
    """Return the path of a file for messages: from the current folder if it is below that."""
    with suppress(OSError, ValueError):
        file = file and file.relative_to(Path.cwd())
    return printable(str(file or ""))


def _read(file: Path) -> Project:
    table = _table(file)
    names = {key: key.replace("-", "_") for key in table}
    spelling = {name: key for key, name in names.items()}
    options = {name: table[key] for key, name in names.items() if name not in _LISTS}
    problems: list[str] = []
    try:
        Options.read(options, lambda name: spelling.get(name, name), _LISTS)
    except InvalidOption as error:
        problems += error.problems
    lists: dict[str, tuple[str, ...]] = {}
    for name, what in _LISTS.items():
        key = spelling.get(name, name)
        value = table.get(key, [])
        texts = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
        if texts != value:
            problems.append(f"{key}: takes a list of {what}, got {format_value(value)}")
        lists[name] = tuple(texts)
    if problems:
        raise InvalidOption([f"{file}: tool.doilinks.{problem}" for problem in problems])
    return Project(file, options, **lists)


def _table(file: Path) -> dict[str, object]:
    import tomllib  # most folders have no such file

    try:
        table = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidOption([f"{file}: {error.strerror or error}"]) from error
    except ValueError as error:
        raise InvalidOption([f"{file}: {error}"]) from error
    except RecursionError as error:
        raise InvalidOption([f"{file}: values are nested too deeply"]) from error
    tool = table.get("tool", {})
    section = tool.get("doilinks", {}) if isinstance(tool, dict) else {}
    if not isinstance(section, dict):
        raise InvalidOption([f"{file}: tool.doilinks: takes a table, got {format_value(section)}"])
    return section
