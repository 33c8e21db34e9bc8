"""Patterns of files and folders that are not read: those of the user, and those of ``.gitignore``.

Both are patterns as git reads them (https://git-scm.com/docs/gitignore).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["Patterns", "Rules", "wrong_pattern"]

_FILE: Final = ".gitignore"
# For each of its stars, a pattern is tried at each place of a path. Anybody may have written it.
_MOST_STARS: Final = 4
_STARS: Final = re.compile(r"\*+")


class Patterns(NamedTuple):
    """The patterns of one file, or of the user.

    :ivar base: the absolute path of the folder that the patterns are relative to
    :ivar spec: the patterns
    :ivar of: the name of the place where the patterns are written
    """

    base: str
    spec: GitIgnoreSpec
    of: str

    @classmethod
    def read(cls, lines: Sequence[str], base: str, of: str) -> Patterns:
        """Read patterns.

        :raises ValueError: for a pattern that has no meaning
        """
        return cls(os.path.abspath(base), _spec(lines), of)  # noqa: PTH100  ".." stays where a link is

    def verdict(self, path: str, root: str) -> tuple[bool, str] | None:
        """The last pattern that matches, and whether it leaves the path out; None without one.

        :param path: an absolute path; the path of a folder ends in a slash
        :param root: the folder that a path outside of the base is relative to
        """
        base = self.base if _is_below(path, self.base) else root
        below = path[len(base.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        result = self.spec.check_file(below)
        if result.include is None or result.index is None:
            return None
        return result.include, str(self.spec.patterns[result.index].pattern)


def _spec(lines: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # most folders have no patterns, and it takes long

    return GitIgnoreSpec.from_lines(lines)


def wrong_pattern(pattern: str) -> bool:
    """Tell whether a pattern has no meaning for git.

    >>> wrong_pattern("*.md"), wrong_pattern("!"), wrong_pattern("/")
    (False, True, True)
    """
    try:
        return all(each.include is None for each in _spec([pattern]).patterns)
    except ValueError:
        return True


class Rules:
    """The patterns that leave files and folders out.

    :param exclude: the patterns of the user
    :param gitignore: whether the ``.gitignore`` files of a checkout count
    :param wrong: called with a message for each line of such a file that is not used
    """

    def __init__(
        self,
        exclude: Patterns | None = None,
        *,
        gitignore: bool = False,
        wrong: Callable[[str], object] = lambda _message: None,
    ) -> None:
        self._given = self._exclude = exclude
        self._gitignore = gitignore
        self._wrong = wrong
        self._root = ""
        # The patterns that count in a folder, the nearest last; None outside of a checkout.
        self._chains: dict[str, tuple[Patterns, ...] | None] = {}

    def why_named(self, path: str) -> str:
        """The reason why the user's patterns leave out a path that is named; empty without one."""
        full = os.path.abspath(path)  # noqa: PTH100  as above
        root = os.path.dirname(full)  # noqa: PTH120  as above
        if os.path.isdir(full):  # noqa: PTH112  as above
            full += os.sep
        return _why(self._given, full, root)

    def begin(self, root: str) -> None:
        """Begin with a folder that the user has named. Patterns do not exclude this folder."""
        self._root = os.path.abspath(root)  # noqa: PTH100  as above
        self._chains.clear()
        self._exclude = None if _why(self._given, self._root + os.sep, self._root) else self._given
        if self._gitignore:
            above = self._above()
            for folder in above:
                self._enter(folder)
            if above and self._ignored(self._root + os.sep, os.path.dirname(self._root)):  # noqa: PTH120
                self._chains[os.path.dirname(self._root)] = ()  # noqa: PTH120

    def _above(self) -> list[str]:
        """The folders of the checkout above the root, the outermost first."""
        folders: list[str] = []
        folder = self._root
        while not os.path.exists(os.path.join(folder, ".git")):  # noqa: PTH110, PTH118
            folder, before = os.path.dirname(folder), folder  # noqa: PTH120
            if folder == before:
                return []
            folders.append(folder)
        return folders[::-1]

    def enter(self, folder: str) -> None:
        """Enter a folder. The folder that contains it has to be entered first."""
        if self._gitignore:
            self._enter(os.path.abspath(folder))  # noqa: PTH100  as above

    def _enter(self, folder: str) -> None:
        chain = self._chains.get(os.path.dirname(folder))  # noqa: PTH120
        if os.path.exists(git := os.path.join(folder, ".git")):  # noqa: PTH110, PTH118
            chain = self._read(folder, os.path.join(git, "info", "exclude"))  # noqa: PTH118
        if chain is not None:
            chain += self._read(folder, os.path.join(folder, _FILE))  # noqa: PTH118
        self._chains[folder] = chain

    def _read(self, base: str, file: str) -> tuple[Patterns, ...]:
        if not os.path.isfile(file):  # noqa: PTH113  silent about closed folders
            return ()
        shown = os.path.relpath(file)
        try:
            with open(file, encoding="utf-8-sig", errors="surrogateescape") as lines:  # noqa: PTH123
                written = lines.read().split("\n")
        except OSError as error:
            self._wrong(f"{shown}: {error.strerror or error}; its patterns are not used")
            return ()
        for number, line in enumerate(written, 1):
            if not line.strip() or line.startswith("#"):
                continue
            if wrong_pattern(line):
                self._wrong(f"{shown}:{number}: not a pattern: {line!r}; it is not used")
            elif len(_STARS.findall(line)) > _MOST_STARS:
                self._wrong(f"{shown}:{number}: too many stars: {line!r}; it is not used")
            else:
                continue
            written[number - 1] = ""
        return (Patterns.read(written, base, shown),)

    def why(self, path: str, *, folder: bool) -> str:
        """The reason why a path in an entered folder is left out; empty if it is not left out."""
        full = os.path.abspath(path)  # noqa: PTH100  as above
        inside, full = os.path.dirname(full), full + os.sep if folder else full  # noqa: PTH120
        return _why(self._exclude, full, self._root) or self._ignored(full, inside)

    def _ignored(self, path: str, inside: str) -> str:
        for patterns in reversed(self._chains.get(inside) or ()):
            if verdict := patterns.verdict(path, self._root):
                left_out, line = verdict
                return _because(patterns, line) if left_out else ""
        return ""


def _why(patterns: Patterns | None, path: str, root: str) -> str:
    """The reason why patterns leave out a path; empty without one."""
    verdict = patterns.verdict(path, root) if patterns else None
    return _because(patterns, verdict[1]) if patterns and verdict and verdict[0] else ""


def _because(patterns: Patterns, line: str) -> str:
    return f"{patterns.of} has {line!r}"


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
