"""Which files are read, and their octets."""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ..shared.project import checkout_of, counts
from ..shared.streams import read_input
from .types import TYPES, type_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class CannotRead(Exception):
    """A file that cannot be read or understood. The message says why, without the file's name."""


class Binary(CannotRead):
    """A file that is not a text, although its ending is that of a text file."""


class Unread(NamedTuple):
    """A place in a source where a DOI should be, but where no DOI could be read."""

    at: int  # the offset in the text
    reason: str  # a sentence without a full stop


# Megabytes of the largest file that is read. Its text takes several times its size in memory.
LARGEST: Final = 256
_MEGABYTE: Final = 1_000_000


def octets_of(source: Source) -> bytes:
    """Read the octets of a source; ``CannotRead`` if too large, or changed during reading."""
    most, sizes = LARGEST * _MEGABYTE, [0]
    before = after = None
    try:
        if source.path == "-":
            octets = read_input(most + 1)
        else:
            with open(source.path, "rb") as file:  # noqa: PTH123  Path("./a") forgets the "./"
                before = os.fstat(file.fileno())
                sizes.append(before.st_size)
                # A pipe has no size, and may be endless.
                octets = file.read(most + 1) if before.st_size <= most else b""
                after = os.fstat(file.fileno())
    except OSError as error:
        raise CannotRead(error.strerror or str(error)) from error
    if max(len(octets), *sizes) > most:
        raise CannotRead(f"it is larger than {LARGEST} MB; split it")
    states = {(each.st_size, each.st_mtime_ns) for each in (before, after) if each}
    if before and stat.S_ISREG(before.st_mode) and len(states) > 1:
        raise CannotRead("it changed while it was read; try again")
    return octets


# The longer marks come first, because the mark of UTF-32 begins with that of UTF-16 [Unicode 23.8].
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
# Documents that look like text, in which names are compressed, escaped or in pieces.
_DOCUMENTS: Final = {b"%PDF-": "a PDF", b"%!PS": "PostScript", b"{\\rtf": "RTF"}
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
    """The text of a file, and its encoding."""

    text: str  # with the line ends of the file, without a byte order mark
    mark: bytes  # the byte order mark
    encoding: str
    guessed: str | None = None  # a remark if the encoding had to be guessed

    @property
    def as_read(self) -> str:
        r"""The text as readers get it: all line ends are ``\n``."""
        return self.text.replace("\r\n", "\n").replace("\r", "\n")


def decode(octets: bytes, kind: str) -> Decoded:
    r"""Decode a file of a type, with its line ends; ``Binary`` if it is not a text.

    The encoding is the first that fits of these: that of a byte order mark, the one that the file
    declares, UTF-8, and Windows-1252, which decodes any octets. Names are nearly always ASCII.
    """
    for mark, encoding in _MARKS:
        if octets.startswith(mark):
            try:
                return Decoded(octets[len(mark) :].decode(encoding), mark, encoding)
            except UnicodeDecodeError as error:
                raise Binary(
                    f"it has the mark of {encoding.upper()}, but is not such a text"
                ) from error
    for begin, what in _DOCUMENTS.items():
        if octets.startswith(begin):
            raise Binary(f"it is {what}")
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


def _declared(octets: bytes, kind: str) -> str | None:
    """Return the encoding a file declares; None if it does not decode ASCII, so is false."""
    for declaration in TYPES[kind].encodings:
        if found := declaration.search(octets[:_START]):
            try:
                codec = codecs.lookup(found[1].decode("ascii"))
                if _ASCII.decode(codec.name) == _ASCII.decode("ascii"):
                    return _TO_BROWSERS.get(codec.name, codec.name)
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
_STARS: Final = re.compile(r"\*+")  # too many make a pattern slow


class Patterns(NamedTuple):
    """The patterns of one file, or of the user."""

    base: str  # the absolute path of the folder that they are relative to
    spec: GitIgnoreSpec
    of: str  # what messages call the place where they are written

    @classmethod
    def read(cls, lines: Sequence[str], base: str, of: str) -> Patterns:
        """Read patterns; a ``ValueError`` says that one has no meaning."""
        return cls(os.path.abspath(base), _spec(lines), of)  # noqa: PTH100  ".." stays where a link is


def _spec(lines: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # most folders have no patterns, and it takes long

    return GitIgnoreSpec.from_lines(lines)


def wrong_pattern(pattern: str) -> bool:
    """Tell whether a pattern has no meaning for git, such as ``!`` and ``/``."""
    try:
        return all(each.include is None for each in _spec([pattern]).patterns)
    except ValueError:
        return True


def _why(chain: Iterable[Patterns | None], path: str, root: str) -> str:
    """Return why the first patterns that match a path leave it out; empty if it stays.

    The path is absolute, and that of a folder ends in a slash. If it is outside of their folder,
    the patterns are relative to the root.
    """
    for patterns in filter(None, chain):
        base = patterns.base.rstrip(os.sep)
        base = base if path.startswith(base + os.sep) else root.rstrip(os.sep)
        result = patterns.spec.check_file(path[len(base) + 1 :].replace(os.sep, "/"))
        if result.include is not None and result.index is not None:  # the last that matches
            line = str(patterns.spec.patterns[result.index].pattern)
            return f"{patterns.of} has {line!r}" if result.include else ""
    return ""


class Rules:
    """The patterns that leave files and folders out: those of the user, and those of a checkout.

    A message says which lines of a ``.gitignore`` file are ``wrong``, and not used.
    """

    def __init__(
        self,
        exclude: Patterns | None = None,
        *,
        gitignore: bool = False,
        wrong: Callable[[str], object] = lambda _message: None,
    ) -> None:
        self._patterns = self._exclude = exclude
        self._gitignore = self._counts = gitignore
        self._wrong = wrong
        self._root = ""
        # The patterns that count in a folder, the nearest first; None outside of a checkout.
        self._chains: dict[str, tuple[Patterns, ...] | None] = {}

    def why_named(self, path: str) -> str:
        """Tell why the user's patterns leave out a path that is named; empty if none does."""
        full = os.path.abspath(path)  # noqa: PTH100  as above
        is_folder, root = os.path.isdir(full), os.path.dirname(full)  # noqa: PTH112, PTH120  as above
        return _why((self._patterns,), full + os.sep if is_folder else full, root)

    def begin(self, root: str, *, site: bool = False) -> None:
        """Begin with a folder that the user has named. Patterns do not exclude this folder.

        Git usually ignores some or all of a built site, so its patterns do not count there.
        """
        self._counts = self._gitignore and not site
        self._root = os.path.abspath(root)  # noqa: PTH100  as above
        self._chains.clear()
        itself, parent = self._root + os.sep, os.path.dirname(self._root)  # noqa: PTH120  as above
        self._exclude = None if _why((self._patterns,), itself, self._root) else self._patterns
        if not self._counts:
            return
        ways = (Path(self._root), *Path(self._root).parents)
        if (top := checkout_of(ways)) is None:
            return
        above = ways[1 : ways.index(top) + 1]  # the folders of the checkout above the root
        for folder in reversed(above):
            self.enter(str(folder))
        if above and _why(self._chains[parent] or (), itself, self._root):
            self._chains[parent] = ()

    def enter(self, folder: str) -> None:
        """Enter a folder. The folder that contains it has to be entered first."""
        if not self._counts:
            return
        folder = os.path.abspath(folder)  # noqa: PTH100  as above
        chain = self._chains.get(os.path.dirname(folder))  # noqa: PTH120  as above
        if os.path.exists(git := os.path.join(folder, ".git")):  # noqa: PTH110, PTH118  as above
            chain = self._read(folder, os.path.join(git, "info", "exclude"))  # noqa: PTH118  as above
        if chain is not None:
            chain = self._read(folder, os.path.join(folder, _FILE)) + chain  # noqa: PTH118  as above
        self._chains[folder] = chain

    def _read(self, base: str, file: str) -> tuple[Patterns, ...]:
        # isfile() is silent about closed folders.
        if not os.path.isfile(file) or not counts(Path(file), Path(self._root)):  # noqa: PTH113
            return ()
        name = os.path.relpath(file)
        try:
            with open(file, encoding="utf-8-sig", errors="surrogateescape") as lines:  # noqa: PTH123  as above
                written = lines.read().split("\n")
        except OSError as error:
            self._wrong(f"{name}: {error.strerror or error}; its patterns are not used")
            return ()
        for at, line in enumerate(written):
            if not line.strip() or line.startswith("#"):
                continue
            wrong = "too many stars" if len(_STARS.findall(line)) > _MOST_STARS else ""
            wrong = "not a pattern" if wrong_pattern(line) else wrong
            if wrong:
                self._wrong(f"{name}:{at + 1}: {wrong}: {line!r}; it is not used")
                written[at] = ""
        return (Patterns.read(written, base, name),)

    def why(self, path: str, *, folder: bool) -> str:
        """Return why a path in an entered folder is left out; empty if it is not left out."""
        full = os.path.abspath(path)  # noqa: PTH100  as above
        chain = self._chains.get(os.path.dirname(full)) or ()  # noqa: PTH120  as above
        full = full + os.sep if folder else full
        return _why((self._exclude,), full, self._root) or _why(chain, full, self._root)


# --------------------------------------------------------------------------------------------------
# The files below the paths that a user names.

# Folders that tools fill. If the user names such a folder, it is read.
_FILLED: Final = frozenset({"node_modules", "_build", "__pycache__", "site-packages"})
# These too, but a site may have pages in such a folder.
_BUILT: Final = frozenset({"build", "dist"})
_FILLED_ENDING: Final = ".egg-info"

LeftOut = Callable[[str, str], object]


class Source(NamedTuple):
    """A file to read."""

    path: str  # as the user would write it, if possible without links; `-` is standard input
    kind: str  # one of `TYPES`
    real: str = ""  # the path without symbolic links when it was found, if that matters
    is_named: bool = False  # whether the user named it, and not a folder that contains it


def walk(
    path: str,
    kind: str | None = None,
    *,
    hidden: bool = False,
    site: bool = False,
    unreadable: Callable[[OSError], None] | None = None,
    left_out: LeftOut = lambda _path, _why: None,
    follow: Callable[[str], bool] = lambda _path: False,
    rules: Rules | None = None,
) -> Iterator[Source]:
    """Yield the file at a path, or the files of known types below it; folders are sorted.

    :param kind: the type of standard input, and of a file whose ending is unknown
    :param hidden: whether files and folders whose name begins with a dot are read, except ``.git``
    :param site: whether a folder is a site that a program has built, even if it does not look like
        one. In a site, hidden files are read, such as ``.print.html``, which pkgdown writes, and
        folders of the names build and dist, and what git ignores
    :param left_out: called with what is left out, if it is a folder or of a known type, and why
    :param follow: tells whether to follow a symbolic link to a folder, outside of a site
    :raises OSError: for a path that does not exist
    """
    if path == "-":
        yield Source(path, kind or "txt", is_named=True)
        return
    if not stat.S_ISDIR(os.stat(path).st_mode):  # noqa: PTH116  Path("./a") forgets the "./"
        yield Source(path, type_of(path) or kind or "txt", is_named=True)
        return
    site, rules = site or _is_site(path), rules or Rules()
    rules.begin(path, site=site)
    for folder, folders, files in os.walk(path, onerror=unreadable, followlinks=True):
        rules.enter(folder)
        subfolders = []
        for name in sorted(folders):
            # An annotation of a CI system needs the path docs/a.md, not ./docs/a.md.
            full = os.path.join(folder, name).removeprefix("./")  # noqa: PTH118  as above
            why = _HIDDEN if name.startswith(".") and not hidden else _why_filled(full, site=site)
            if name == ".git":
                continue
            if why := why or rules.why(full, folder=True):
                left_out(full, why)
            elif not os.path.islink(full) or (not site and follow(full)):  # noqa: PTH114  as above
                subfolders.append(name)
        folders[:] = subfolders
        for name in sorted(files):
            full, found = os.path.join(folder, name).removeprefix("./"), type_of(name)  # noqa: PTH118  as above
            if not found or (site and TYPES[found].lexer):
                continue  # the scripts of a site are not its text
            named = name.lower() in TYPES[found].names
            is_hidden = name.startswith(".") and not (hidden or site or named)
            why = _HIDDEN if is_hidden else rules.why(full, folder=False)
            # A program that reads a pipe may wait for ever.
            if why := why or ("" if os.path.isfile(full) else _NO_FILE):  # noqa: PTH113  paths are texts here
                left_out(full, why)
            else:
                yield Source(full, found)


_HIDDEN: Final = "it is hidden"
_NO_FILE: Final = "it is not a file, but a pipe, a socket, a device or a link that leads nowhere"
# The types of files that a site may have beside its first page: robots.txt is text.
_OF_SITES: Final = frozenset({None, "html", "xhtml", "txt", "js"})


def _is_site(folder: str) -> bool:
    """Tell whether a folder is a site that a program has built.

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


def _why_filled(path: str, *, site: bool) -> str:
    """Return why a folder has no sources, but files that a tool has written; empty otherwise."""
    parent, name = os.path.split(path)
    if name in _FILLED or name.endswith(_FILLED_ENDING) or (name in _BUILT and not site):
        return "tools fill a folder of this name"
    # Unlike Path.exists(), this raises no error for a folder that cannot be read.
    if os.path.exists(os.path.join(path, "pyvenv.cfg")):  # noqa: PTH110, PTH118  as above
        return "it is a virtual environment"
    # If this file exists, the folder "_sources" contains the copies of sources by Sphinx.
    if name == "_sources" and os.path.exists(os.path.join(parent, "objects.inv")):  # noqa: PTH110, PTH118  as above
        return "it contains copies of sources"
    return ""
