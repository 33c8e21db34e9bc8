"""Which files are read, and their octets."""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ...shared.streams import read_input
from .types import TYPES, type_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


# --------------------------------------------------------------------------------------------------
# The reasons why a source, or a place in it, was not read.


class CannotRead(Exception):
    """A file that cannot be read or understood. The message says why, without the file's name."""


class Binary(CannotRead):
    """A file that is not a text, although its ending is that of a text file."""


class Unread(NamedTuple):
    """A place in a source where a DOI should be, but where no DOI could be read.

    :ivar at: the offset in the text
    :ivar reason: the reason as a sentence without a full stop
    """

    at: int
    reason: str


# --------------------------------------------------------------------------------------------------
# Reads the octets of a file, or of standard input.

# Megabytes of the largest file that is read. Its text takes several times its size in memory.
LARGEST: Final = 256
_MEGABYTE: Final = 1_000_000


def octets_of(source: Source) -> bytes:
    """The octets of a source.

    :raises CannotRead: if it cannot be opened, is too large, or changes while it is read
    """
    try:
        if source.path == "-":
            octets = read_input(LARGEST * _MEGABYTE + 1)
            _limit(len(octets))
            return octets
        with open(source.path, "rb") as file:  # noqa: PTH123  Path("./a") forgets the "./"
            before = os.fstat(file.fileno())
            _limit(before.st_size)
            # A pipe has no size, and may be endless.
            octets = file.read(LARGEST * _MEGABYTE + 1)
            _limit(len(octets))
            after = os.fstat(file.fileno())
    except OSError as error:
        raise CannotRead(error.strerror or str(error)) from error
    if stat.S_ISREG(before.st_mode) and _state(before) != _state(after):
        raise CannotRead("it changed while it was read; try again")
    return octets


def _limit(size: int) -> None:
    if size > LARGEST * _MEGABYTE:
        raise CannotRead(f"it is larger than {LARGEST} MB; split it")


def _state(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


# --------------------------------------------------------------------------------------------------
# Decodes the octets of a file: finds its encoding, and gives its text.

# The longer marks come first, because the mark of UTF-32 begins with that of UTF-16 [Unicode 23.8].
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Git takes a file for binary if a null octet is among its first 8000 (`buffer_is_binary`).
_FIRST: Final = 8000
# Only the start of a page is searched for the declaration
# (https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding).
_START: Final = 1024
# All printable ASCII, and two escapes that some codecs decode: of Unicode and of domain names.
_ASCII: Final = bytes(range(0x20, 0x5C)) + bytes(range(0x5D, 0x7F)) + b"\\u0041.xn--bcher-kva\t\n"
_FALLBACK: Final = "windows-1252"
# What browsers take these names for (https://encoding.spec.whatwg.org/#names-and-labels): encodings
# with more characters than Python's of the same name.
_TO_BROWSERS: Final = {
    "iso8859-1": _FALLBACK, "ascii": _FALLBACK, "shift_jis": "cp932", "euc_kr": "cp949",
    "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs",
}  # fmt: skip


class Decoded(NamedTuple):
    """The text of a file, and how its octets stand for it.

    :ivar text: the text with the line ends of the file, without a byte order mark
    :ivar mark: the byte order mark, or no octets
    :ivar encoding: the name of the encoding
    :ivar guessed: a remark if the encoding had to be guessed, or None
    """

    text: str
    mark: bytes
    encoding: str
    guessed: str | None = None

    @property
    def as_read(self) -> str:
        r"""The text as readers get it: all line ends are ``\n``."""
        return self.text.replace("\r\n", "\n").replace("\r", "\n")


def decode(octets: bytes, kind: str) -> Decoded:
    r"""The text of a file, with its line ends.

    The encoding is the first that fits of these: that of a byte order mark, the one that the file
    declares, UTF-8, and Windows-1252, which decodes any octets. Names are nearly always ASCII.

    :param kind: the type of the file
    :raises Binary: if the file is not a text

    >>> decode(b"\xff\xfea\x00", "txt")[:3]
    ('a', b'\xff\xfe', 'utf-16-le')
    """
    for mark, encoding in _MARKS:
        if octets.startswith(mark):
            try:
                return Decoded(octets[len(mark) :].decode(encoding), mark, encoding)
            except UnicodeDecodeError as error:
                raise Binary(f"it begins as {encoding.upper()}, but is not") from error
    null = octets.find(b"\0", 0, _FIRST)
    if null >= 0:
        raise Binary(f"octet {null + 1} is null")
    declared = _declared(octets, kind)
    for encoding in (declared, "utf-8") if declared else ("utf-8",):
        try:
            return Decoded(octets.decode(encoding), b"", encoding)
        except UnicodeDecodeError as error:
            wrong = error
    line = octets.count(b"\n", 0, wrong.start) + 1
    remark = f"not UTF-8 (byte 0x{octets[wrong.start]:02x} in line {line}); read as Windows-1252"
    return Decoded(octets.decode(_FALLBACK, "replace"), b"", _FALLBACK, remark)


def text_of(octets: bytes, kind: str) -> tuple[str, str | None]:
    r"""The text of a file, and a remark if its encoding had to be guessed. Line ends become ``\n``.

    :param kind: the type of the file
    :raises Binary: if the file is not a text

    >>> text_of(b"\xff\xfea\x00", "txt")
    ('a', None)
    """
    decoded = decode(octets, kind)
    del octets  # otherwise a large file is in memory three times while its line ends change
    return decoded.as_read, decoded.guessed


def _declared(octets: bytes, kind: str) -> str | None:
    """The encoding that a file declares; None if it does not decode ASCII, so cannot be true."""
    for declaration in TYPES[kind].encodings:
        if found := declaration.pattern.search(octets[:_START]):
            try:
                codec = codecs.lookup(found[1].decode("ascii"))
                if _ASCII.decode(codec.name) == _ASCII.decode("ascii"):
                    meant = _TO_BROWSERS if declaration.as_browsers else {}
                    return meant.get(codec.name, codec.name)
            except (LookupError, ValueError):  # no such encoding, or an encoding not for text
                continue
    return None


# --------------------------------------------------------------------------------------------------
# Patterns of files and folders that are not read: those of the user, and those of ``.gitignore``.
#
# Both are patterns as git reads them (https://git-scm.com/docs/gitignore).

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
        base = self.base if path.startswith(self.base.rstrip(os.sep) + os.sep) else root
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
        self._gitignore = self._counts = gitignore
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

    def begin(self, root: str, *, site: bool = False) -> None:
        """Begin with a folder that the user has named. Patterns do not exclude this folder.

        :param site: whether it is a built site, of which git usually ignores some or all
        """
        self._counts = self._gitignore and not site
        self._root = os.path.abspath(root)  # noqa: PTH100  as above
        self._chains.clear()
        self._exclude = None if _why(self._given, self._root + os.sep, self._root) else self._given
        if self._counts:
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
        if self._counts:
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
    verdict = patterns.verdict(path, root) if patterns else None
    return _because(patterns, verdict[1]) if patterns and verdict and verdict[0] else ""


def _because(patterns: Patterns, line: str) -> str:
    return f"{patterns.of} has {line!r}"


# --------------------------------------------------------------------------------------------------
# The files below the paths that a user names.

# Folders that tools fill. If the user names such a folder, it is read.
_FILLED: Final = frozenset({"node_modules", "_build", "__pycache__", "site-packages"})
# These too, but a site may have pages in such a folder.
_BUILT: Final = frozenset({"build", "dist"})
_FILLED_ENDING: Final = ".egg-info"

LeftOut = Callable[[str, str], object]


class Source(NamedTuple):
    """A file to read.

    :ivar path: the path as the user would write it; ``-`` is standard input
    :ivar kind: one of :data:`~doilinks.files.sources.TYPES`
    :ivar real: the path without symbolic links when it was found; empty if that does not matter
    """

    path: str
    kind: str
    real: str = ""


def walk(
    path: str,
    kind: str | None = None,
    *,
    hidden: bool = False,
    site: bool = False,
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
    :param site: whether a folder is a site that a program has built, even if it does not look like
        one. In a site, hidden files are read, such as ``.print.html``, which pkgdown writes, and
        folders of the names build and dist, and what git ignores
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
        site = site or _is_site(path)
        yield from _below(path, _Left(hidden, site, rules or Rules(), left_out), unreadable)


# The types of files that a site may have beside its first page: robots.txt is text, pkgdown.yml has
# the ending of a bibliography, and there are scripts.
_OF_SITES: Final = frozenset({None, "html", "xhtml", "txt", "yml", "js"})


def _is_site(folder: str) -> bool:
    """Whether a folder is a site that a program has built.

    Heuristic: it has a first page, and beside that no source and no package.json, which a web
    application has beside the page that it is built from. Only the folder itself is looked at.
    """
    if not os.path.isfile(os.path.join(folder, "index.html")):  # noqa: PTH113, PTH118  paths are texts here
        return False
    try:
        with os.scandir(folder) as entries:
            return all(
                (each.name != "package.json" and type_of(each.name) in _OF_SITES)
                or not each.is_file()
                for each in entries
            )
    except OSError:
        return False  # whoever reads the folder says why


def _below(
    path: str, left: _Left, unreadable: Callable[[OSError], None] | None
) -> Iterator[Source]:
    left.rules.begin(path, site=left.site)
    for folder, folders, files in os.walk(path, onerror=unreadable):
        left.rules.enter(folder)
        folders[:] = [name for name in sorted(folders) if not left.folder(folder, name)]
        for name in sorted(files):
            full, found = _joined(folder, name), type_of(name)
            if not found or not TYPES[found].in_folders or (left.site and TYPES[found].lexer):
                continue  # the scripts of a site are not its text
            if not left.file(full, name):
                yield Source(full, found)


_HIDDEN: Final = "it is hidden"
_NO_FILE: Final = "it is not a file, but a pipe, a socket, a device or a link that leads nowhere"


def _joined(folder: str, name: str) -> str:
    # An annotation of a CI system needs the path docs/a.md, not ./docs/a.md.
    return os.path.join(folder, name).removeprefix("./")  # noqa: PTH118


class _Left(NamedTuple):
    """Decides which files and folders are left out."""

    hidden: bool
    site: bool
    rules: Rules
    left_out: LeftOut

    def folder(self, parent: str, name: str) -> bool:
        """Tell whether a folder is left out."""
        path = _joined(parent, name)
        return name == ".git" or self._is_out(path, self._why(path, name))

    def file(self, path: str, name: str) -> bool:
        """Tell whether a file is left out."""
        named = any(name.lower() in row.names for row in TYPES.values())
        hidden = name.startswith(".") and not (self.hidden or self.site or named)
        why = _HIDDEN if hidden else self.rules.why(path, folder=False)
        # A program that reads a pipe may wait for ever.
        return self._is_out(path, why or ("" if os.path.isfile(path) else _NO_FILE))  # noqa: PTH113  paths are texts here

    def _is_out(self, path: str, why: str) -> bool:
        if why:
            self.left_out(path, why)
        return bool(why)

    def _why(self, path: str, name: str) -> str:
        if name.startswith(".") and not self.hidden:
            return _HIDDEN
        built = name in _BUILT and not self.site
        if built or name in _FILLED or name.endswith(_FILLED_ENDING):
            return "tools fill a folder of this name"
        # Unlike Path.exists(), this raises no error for a folder that cannot be read.
        if os.path.exists(os.path.join(path, "pyvenv.cfg")):  # noqa: PTH110, PTH118
            return "it is a virtual environment"
        # If this file exists, the folder "_sources" contains the copies of sources by Sphinx.
        shown_by = os.path.join(os.path.dirname(path), "objects.inv")  # noqa: PTH118, PTH120
        if name == "_sources" and os.path.exists(shown_by):  # noqa: PTH110
            return "it contains copies of sources"
        return self.rules.why(path, folder=True)
