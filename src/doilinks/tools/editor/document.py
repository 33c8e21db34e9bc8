"""A document of an editor: its text, which the client changes, and the positions in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types as t
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from ...lock.known_works import KnownWorks
from ...sources import TYPES, type_of
from .text import EditedText

if TYPE_CHECKING:
    from .session import EditorServer

_LANGUAGES: Final = {
    "asciidoc": "adoc", "bibtex": "bib", "fortran": "f90", "javascript": "js", "julia": "jl",
    "latex": "tex", "markdown": "md", "plaintext": "txt", "python": "py", "quarto": "md",
    "restructuredtext": "rst", "rmd": "md", "rust": "rs", "typescript": "ts", "typst": "typ",
}  # fmt: skip
# [LSP, Position]: nothing else ends a line, and a client counts in one of these.
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_CODECS: Final = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class OpenDocument(TextDocument):
    """A document of an editor. Its offsets are those of the text with a line feed as line end."""

    def __init__(self, item: t.TextDocumentItem, server: EditorServer) -> None:
        super().__init__(item.uri, item.text, item.version, item.language_id)
        encoding = server.workspace.position_encoding
        self._codec, self._width = _CODECS[str(getattr(encoding, "value", encoding))]
        self._server = server
        # The file; in the current folder if there is none yet.
        self.file = Path(to_fs_path(self.uri) or Path.cwd() / (Path(self.path).name or "untitled"))
        self._edited: tuple[Any, EditedText] | None = None

    @property
    def kind(self) -> str | None:
        """The type of the document; None if files of it are not read."""
        kind = type_of(self.path)
        # A client may show the cells of a notebook as a document of their language.
        if kind is None or (kind == "ipynb" and not self.source.lstrip().startswith("{")):
            language = self.language_id or ""
            kind = _LANGUAGES.get(language, language)
        return kind if kind in TYPES else None

    def apply_change(self, change: t.TextDocumentContentChangeEvent) -> None:
        """Change the text."""
        text = self.source
        if isinstance(change, t.TextDocumentContentChangePartial):
            start, end = self._at(text, change.range.start), self._at(text, change.range.end)
            self._source = text[:start] + change.text + text[max(start, end) :]
        else:
            self._source = change.text

    def _at(self, text: str, position: t.Position) -> int:
        """Return an offset; what is after the end of a line or text is that end [LSP, Position]."""
        ends = islice(_LINE_END.finditer(text), max(0, position.line - 1), None)
        before = next(ends, None) if position.line > 0 else None
        if position.line > 0 and before is None:
            return len(text)
        start = before.end() if before else 0
        end = found.start() if (found := _LINE_END.search(text, start)) else len(text)
        line, units = text[start:end], max(0, position.character)
        if line.isascii():
            return start + min(units, len(line))
        octets = line.encode(self._codec, "surrogatepass")[: units * self._width]
        return start + len(octets.decode(self._codec, "ignore"))

    @property
    def edited(self) -> EditedText | None:
        """What is known of the text by now; None if its type is not read."""
        if (kind := self.kind) is None:
            return None
        settings = self._server.settings_of(self.file.parent)
        memory = self._server.memory_of(settings.options)
        stamp = KnownWorks.stamp(settings.options, settings.root)
        key = (self.version, kind, settings, stamp, id(memory), self.source)
        if self._edited is None or self._edited[0] != key:
            text = _LINE_END.sub("\n", self.source)
            self._edited = key, EditedText(text, kind, str(self.file), settings, memory)
        return self._edited[1]

    def offset(self, edited: EditedText, position: t.Position) -> int:
        """Return the offset of a position."""
        return self._at(edited.text, position)

    def range(self, edited: EditedText, start: int, end: int) -> t.Range:
        """Return the range between two offsets."""
        positions = []
        for at in (start, end):
            line, column = edited.lines.place(at)
            before = edited.text[at - column + 1 : at]
            octets = before.encode(self._codec, "surrogatepass")
            positions.append(t.Position(line - 1, len(octets) // self._width))
        return t.Range(*positions)

    def edit(self, edited: EditedText, edits: Iterable[tuple[int, int, str]]) -> t.WorkspaceEdit:
        """Return an edit of the document, with its own line ends."""
        line_end = "\r\n" if "\r\n" in self.source else "\n"
        return t.WorkspaceEdit({
            self.uri: [
                t.TextEdit(self.range(edited, start, end), new.replace("\n", line_end))
                for start, end, new in edits
            ]
        })  # fmt: skip
