"""The Language Server Protocol for ``doilinks server``, by pygls.

Spec: [LSP] https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, cast
from urllib.parse import unquote

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from ... import __version__
from ...core.nameless import NoName
from ...core.options import InvalidOption, Options
from ...core.printable import printable
from ...lock.known_works import KnownWorks
from ...sources import CannotRead, Source, load, type_of
from ...sources.files import Patterns, Rules, walk
from ...sources.types import TYPES
from .server import EditedText, ProjectSettings, in_words

_DELAY: Final = 0.2  # seconds after a change, or twice as long as the last check took
_MEMORY: Final = 3600.0  # seconds until a name that does not resolve is asked about again
_LARGEST: Final = 100_000_000  # octets of a message
_NAME: Final = "doilinks"
_FIND: Final = "doilinks.find"
_FIX_ALL: Final = f"{t.CodeActionKind.SourceFixAll.value}.doilinks"
_SEVERITIES: Final = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "remark": t.DiagnosticSeverity.Information,
}
_LANGUAGES: Final = {
    "bibtex": "bib", "latex": "tex", "markdown": "md", "plaintext": "txt", "quarto": "md",
    "restructuredtext": "rst", "rmd": "md", "typst": "typ", "asciidoc": "adoc", "python": "py",
    "fortran": "f90", "julia": "jl", "javascript": "js", "typescript": "ts", "rust": "rs",
}  # fmt: skip
# [LSP, Position]: nothing else ends a line, and a client counts in one of these.
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_CODECS: Final = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class OpenDocument(TextDocument):
    """A document that is open in an editor."""

    def __init__(self, item: t.TextDocumentItem, encoding: str) -> None:
        super().__init__(item.uri, item.text, item.version, item.language_id)
        self._codec, self._width = _CODECS[encoding]
        self._edited: tuple[Any, EditedText] | None = None

    @property
    def kind(self) -> str | None:
        """The type of the document; None if files of it are not read."""
        language = self.language_id or ""
        by_name = type_of(self.path)
        # A notebook may be open as a text of its cells.
        if by_name is None or (by_name == "ipynb" and not self.source.lstrip().startswith("{")):
            other = _LANGUAGES.get(language, language)
            return other if other in TYPES else None
        return by_name

    @property
    def file(self) -> Path:
        """The path of the document; one in the current folder if it has none yet."""
        return Path(to_fs_path(self.uri) or Path.cwd() / (Path(self.path).name or "untitled"))

    @classmethod
    def on_disk(cls, source: Source, server: EditorServer) -> OpenDocument | None:
        """Return a document of a file that is not open."""
        try:
            item = t.TextDocumentItem(from_fs_path(source.path) or "", source.kind, 0, load(source))
        except CannotRead:
            return None
        return cls(item, server.encoding)

    def apply_change(self, change: t.TextDocumentContentChangeEvent) -> None:
        """Change the text."""
        text = self.source
        if isinstance(change, t.TextDocumentContentChangePartial):
            start, end = self._at(text, change.range.start), self._at(text, change.range.end)
            self._source = text[:start] + change.text + text[max(start, end) :]
        else:
            self._source = change.text

    def _at(self, text: str, position: t.Position) -> int:
        """Return an offset; after the end of a line or the text, that end [LSP, Position]."""
        start, lines = 0, position.line
        if lines > 0:
            last = next(islice(_LINE_END.finditer(text), lines - 1, None), None)
            if last is None:
                return len(text)
            start = last.end()
        end = found.start() if (found := _LINE_END.search(text, start)) else len(text)
        line, units = text[start:end], max(0, position.character)
        if line.isascii():
            return start + min(units, len(line))
        octets = line.encode(self._codec, "surrogatepass")[: units * self._width]
        return start + len(octets.decode(self._codec, "ignore"))

    def edited(self, server: EditorServer) -> EditedText | None:
        """Return what is known of the text; None if its type is not read."""
        if (kind := self.kind) is None:
            return None
        settings = server.settings_of(self.file.parent)
        memory, round_ = server.memory_of(settings.options)
        stamp = KnownWorks.stamp(settings.options, settings.root)
        key = (self.version, self.source, kind, settings, stamp, round_)
        if self._edited is None or self._edited[0] != key:
            text = _LINE_END.sub("\n", self.source)
            self._edited = key, EditedText(text, kind, str(self.file), settings, memory)
        return self._edited[1]

    def offset(self, edited: EditedText, position: t.Position) -> int:
        """Return the offset of a position in the text that readers get."""
        return self._at(edited.text, position)

    def range(self, edited: EditedText, start: int, end: int) -> t.Range:
        """Return the range of two offsets in the text that readers get."""
        return t.Range(self._position(edited, start), self._position(edited, end))

    def _position(self, edited: EditedText, at: int) -> t.Position:
        line, column = edited.lines.place(at)
        before = edited.text[at - column + 1 : at]
        octets = b"" if before.isascii() else before.encode(self._codec, "surrogatepass")
        return t.Position(line - 1, len(octets) // self._width or len(before))

    def edits(self, edited: EditedText, changes: Iterable[tuple[int, int, str]]) -> t.WorkspaceEdit:
        """Return an edit of the document."""
        end = "\r\n" if "\r\n" in self.source else "\n"
        edits = [
            t.TextEdit(self.range(edited, start, stop), new.replace("\n", end))
            for start, stop, new in changes
        ]
        return t.WorkspaceEdit({self.uri: edits})


class EditorServer(LanguageServer):
    """The server, and what it keeps of a session.

    :ivar asks: whether the client wants names to be asked about when a document is saved
    """

    def __init__(self) -> None:
        super().__init__(_NAME, __version__)
        self.asks = False
        self._told: set[str] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._took = 0.0
        self.asking = threading.Lock()
        self._memories: dict[str, tuple[Any, float]] = {}

    @property
    def encoding(self) -> str:
        """In what the client counts the characters of a line."""
        encoding = self.workspace.position_encoding
        return str(getattr(encoding, "value", encoding))

    def document(self, uri: str) -> tuple[OpenDocument, EditedText] | None:
        """Return a document that is open, and what is known of it, if its type is read."""
        document = self.workspace.text_documents.get(unquote(uri))
        edited = document.edited(self) if isinstance(document, OpenDocument) else None
        return (document, edited) if isinstance(document, OpenDocument) and edited else None

    def settings_of(self, folder: Path) -> ProjectSettings:
        """Return what the project of a folder says, or no more than the defaults if it is wrong."""
        try:
            return ProjectSettings.of(folder)
        except InvalidOption as error:
            self.tell(str(error))
            return ProjectSettings(Options(), folder)

    def memory_of(self, options: Options) -> tuple[Any, float]:
        """Return what was asked in this session and is not in the lock file."""
        from ...ask.names.problems import Memory

        memory, begun = self._memories.get(options.check_api, (None, 0.0))
        if memory is None or time.monotonic() - begun > _MEMORY:
            memory, begun = self._memories[options.check_api] = Memory(), time.monotonic()
        return memory, begun

    def tell(self, message: str, kind: t.MessageType = t.MessageType.Warning) -> None:
        """Show a message to the user, once."""
        if message not in self._told:
            self._told.add(message)
            self.window_show_message(t.ShowMessageParams(kind, printable(message)))

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002  pygls calls it so
        """Tell of a message that cannot be read, and of a fault in a notification."""
        self.tell(f"doilinks: {type(error).__name__}: {error}", t.MessageType.Error)

    def is_inside(self, path: Path) -> bool:
        """Tell whether a path is in the workspace, where links lead too."""
        folders = [each.uri for each in self.workspace.folders.values()]
        real = Path(os.path.realpath(path))
        roots = map(to_fs_path, folders or [self.workspace.root_uri or ""])
        return any(root and real.is_relative_to(os.path.realpath(root)) for root in roots)

    # Diagnostics.

    def soon(self, uri: str) -> None:
        """Diagnose a document when it has not changed for a while."""
        self.forget(uri)
        delay, loop = max(_DELAY, 2 * self._took), asyncio.get_running_loop()
        self._timers[uri] = loop.call_later(delay, self.diagnose, uri)

    def forget(self, uri: str) -> None:
        """Diagnose a document no more."""
        if timer := self._timers.pop(uri, None):
            timer.cancel()

    def diagnose(self, uri: str) -> None:
        """Tell the client what is wrong in a document."""
        from ...ask.names.codes import CODES, address

        self.forget(uri)
        begun = time.process_time()
        document, edited = self.document(uri) or (None, None)
        diagnostics = []
        for each in edited.marks() if document and edited else ():
            href = address(each.code if each.code in CODES else "remarks")
            diagnostics.append(
                t.Diagnostic(
                    document.range(edited, *each.span), printable(each.message),
                    _SEVERITIES[each.severity], each.code,
                    t.CodeDescription(href) if href else None, _NAME,
                )
            )  # fmt: skip
        for message in edited.trouble if edited else ():
            self.tell(message)
        self._took = time.process_time() - begun
        version = document.version if document else None
        self.text_document_publish_diagnostics(
            t.PublishDiagnosticsParams(uri, diagnostics, version)
        )

    def diagnose_all(self) -> None:
        """Diagnose every document that is open."""
        for each in list(self.workspace.text_documents.values()):
            self.soon(each.uri)

    # What is asked.

    def take_settings(self, settings: object) -> None:
        """Take the settings of the client."""
        settings = settings.get(_NAME, settings) if isinstance(settings, dict) else settings
        if not isinstance(settings, dict) or "check" not in settings:
            return
        if (check := settings["check"]) not in ("onSave", "off", None):
            self.tell(f"check: takes 'onSave' or 'off', got {check!r}")
        self.asks = check == "onSave"

    def ask(self, uri: str) -> None:
        """Ask about the names of a document that was saved, in a thread."""
        if not self.asks or (open_ := self.document(uri)) is None:
            return
        loop, edited = asyncio.get_running_loop(), open_[1]
        ended = partial(loop.call_soon_threadsafe, self.diagnose_all)
        run = partial(self._ask, edited.names, edited.comments, edited.settings, ended)
        threading.Thread(target=run, daemon=True).start()

    def _ask(
        self, names: Any, comments: Any, settings: ProjectSettings, ended: Callable[[], object]
    ) -> None:
        from ...ask.names import InvalidLockfile, Outcome
        from ...ask.names.problems import Interrupted, Memory
        from ...ask.works.check import check

        kept, _ = self.memory_of(settings.options)
        memory = Memory(dict(kept.known), extra=dict(kept.extra))
        options = settings.options.but(cite=True)
        with self.asking, _Progress(self, "Asking about DOIs") as progress:
            try:
                report = check(
                    names, options, silences=comments, root=settings.root, memory=memory,
                    progress=progress.step,
                )  # fmt: skip
            except Interrupted as interrupted:
                report = interrupted.report
            except InvalidLockfile as error:
                self.tell(str(error))
                return
            progress.said = report.summary
        if report.fault is not None or any(p.code == "doi-lockfile" for p in report.problems):
            self.tell(next(p.message for p in report.problems if p.line is None))
        known = report.resolutions.items()
        kept.known.update((d, each) for d, each in known if each.outcome is not Outcome.UNKNOWN)
        ended()


class _Progress:
    """The progress of a check in the client, which can cancel it."""

    def __init__(self, server: EditorServer, title: str) -> None:
        self._server, self._title, self.said = server, title, ""
        self._token, self._is_shown = f"doilinks-{time.monotonic_ns()}", False

    def __enter__(self) -> _Progress:
        window = self._server.client_capabilities.window
        if window and window.work_done_progress:
            self._server.work_done_progress.create(self._token, self._begin)
        return self

    def _begin(self, _created: None) -> None:
        self._is_shown = True
        begin = t.WorkDoneProgressBegin(self._title, cancellable=True)
        self._server.work_done_progress.begin(self._token, begin)

    def step(self, done: int, total: int, pause: float) -> None:
        """Show how many are asked; end the check if the client has cancelled it."""
        tokens = self._server.work_done_progress.tokens
        if self._token in tokens and tokens[self._token].cancelled():
            raise KeyboardInterrupt
        if self._is_shown:
            words = f"waiting {pause:.0f} s, as the server asks" if pause else f"{done} of {total}"
            report = t.WorkDoneProgressReport(message=words)
            self._server.work_done_progress.report(self._token, report)

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            end = t.WorkDoneProgressEnd(self.said)
            self._server.work_done_progress.end(self._token, end)


server: Final = EditorServer()


class _Input(NamedTuple):
    """Standard input. Where it is no message, it is passed over up to the next one."""

    stream: BinaryIO

    def readline(self) -> bytes:
        line = self.stream.readline(1 << 16)
        if head := re.search(rb"(?i)Content-Length:[ \t]*(\d{1,12})\s*\Z", line):
            return b"Content-Length: %s\r\n" % head[1] if int(head[1]) < _LARGEST else b"?\r\n"
        return line

    def read(self, size: int) -> bytes:
        return self.stream.read(size)


def serve() -> None:
    """Serve a client on standard input and output."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # the client is told
    server.start_io(stdin=cast("BinaryIO", _Input(sys.stdin.buffer)))


@server.feature(t.INITIALIZE)
def _initialize(ls: EditorServer, params: t.InitializeParams) -> None:
    ls.take_settings(params.initialization_options)


@server.feature(t.INITIALIZED)
def _initialized(ls: EditorServer, _params: t.InitializedParams) -> None:
    workspace = ls.client_capabilities.workspace
    watched = workspace and workspace.did_change_watched_files
    if watched and watched.dynamic_registration:
        globs = [
            t.FileSystemWatcher(f"**/{each}") for each in ("pyproject.toml", "*.bib", "*.json")
        ]
        method = t.WORKSPACE_DID_CHANGE_WATCHED_FILES
        options = t.DidChangeWatchedFilesRegistrationOptions(globs)
        registration = t.Registration(method, method, options)
        ls.client_register_capability(t.RegistrationParams([registration]))
    _pull(ls)


def _pull(ls: EditorServer) -> None:
    """Ask the client for its settings."""
    workspace = ls.client_capabilities.workspace
    if workspace and workspace.configuration:
        items = t.ConfigurationParams([t.ConfigurationItem(section=_NAME)])
        ls.workspace_configuration(items, lambda values: [*map(ls.take_settings, values)])


@server.feature(t.WORKSPACE_DID_CHANGE_CONFIGURATION)
def _configured(ls: EditorServer, params: t.DidChangeConfigurationParams) -> None:
    ls.take_settings(params.settings)
    _pull(ls)


@server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def _watched(ls: EditorServer, _params: t.DidChangeWatchedFilesParams) -> None:
    ls.diagnose_all()


@server.feature(t.TEXT_DOCUMENT_DID_OPEN)
def _opened(ls: EditorServer, params: t.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    ls.workspace.text_documents[unquote(item.uri)] = OpenDocument(item, ls.encoding)
    ls.diagnose(item.uri)


@server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
def _changed(ls: EditorServer, params: t.DidChangeTextDocumentParams) -> None:
    ls.soon(params.text_document.uri)


@server.feature(t.TEXT_DOCUMENT_DID_SAVE)
def _saved(ls: EditorServer, params: t.DidSaveTextDocumentParams) -> None:
    ls.soon(params.text_document.uri)
    ls.ask(params.text_document.uri)


@server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
def _closed(ls: EditorServer, params: t.DidCloseTextDocumentParams) -> None:
    ls.forget(uri := params.text_document.uri)
    ls.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, []))


@server.feature(t.TEXT_DOCUMENT_HOVER)
def _hover(ls: EditorServer, params: t.HoverParams) -> t.Hover | None:
    if (open_ := ls.document(params.text_document.uri)) is None:
        return None
    document, edited = open_
    cited = edited.cited_at(document.offset(edited, params.position))
    if cited is None:
        return None
    texts = ls.client_capabilities.text_document
    formats = texts and texts.hover and texts.hover.content_format
    is_markdown = not formats or t.MarkupKind.Markdown in formats
    kind = t.MarkupKind.Markdown if is_markdown else t.MarkupKind.PlainText
    card = edited.card(cited[0], markdown=is_markdown)
    return t.Hover(t.MarkupContent(kind, card), document.range(edited, *cited[1]))


@server.feature(
    t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=[":", "@", "`", "{", " "])
)
def _complete(ls: EditorServer, params: t.CompletionParams) -> t.CompletionList:
    items: list[t.CompletionItem] = []
    document, edited = ls.document(params.text_document.uri) or (None, None)
    if document and edited:
        at = document.offset(edited, params.position)
        for each in edited.completions(at):
            label, whole = in_words(each.doi, each.work)
            items.append(
                t.CompletionItem(
                    label, detail=each.doi.uri, documentation=whole,
                    kind=t.CompletionItemKind.Reference, sort_text=f"{len(items):05}",
                    # A client compares what is typed with this.
                    filter_text=f"{edited.text[each.span[0] : at]} {each.words}",
                    text_edit=t.TextEdit(document.range(edited, *each.span), each.new),
                )
            )  # fmt: skip
    return t.CompletionList(is_incomplete=True, items=items)


@server.feature(t.TEXT_DOCUMENT_DOCUMENT_LINK)
def _links(ls: EditorServer, params: t.DocumentLinkParams) -> list[t.DocumentLink]:
    document, edited = ls.document(params.text_document.uri) or (None, None)
    if not (document and edited):
        return []
    return [
        t.DocumentLink(document.range(edited, *each.span), each.doi.url_at(edited.options.proxy))
        for each in edited.names
        if each.span and not isinstance(each.doi, NoName)
    ]


@server.feature(
    t.TEXT_DOCUMENT_CODE_ACTION,
    t.CodeActionOptions([t.CodeActionKind.QuickFix, _FIX_ALL]),
)
def _actions(ls: EditorServer, params: t.CodeActionParams) -> list[t.CodeAction]:
    if (open_ := ls.document(params.text_document.uri)) is None:
        return []
    document, edited = open_
    only = [str(getattr(each, "value", each)) for each in params.context.only or ()]
    start, end = (document.offset(edited, each) for each in (params.range.start, params.range.end))
    actions: list[t.CodeAction] = []
    is_near = bool(edited.names_in(start, end)) or "10." in edited.text[start:end]
    if not only or any(f"{t.CodeActionKind.QuickFix.value}.".startswith(f"{o}.") for o in only):
        actions += _quick(ls, document, edited, params, start, end, is_near=is_near)
    if any(f"{_FIX_ALL}.".startswith(f"{o}.") for o in only) or (is_near and not only):
        changes = edited.changes(fix_all=True)
        if edits := [edit for each in changes for edit in each.edits]:
            title, edit = "Mend the DOIs of this document", document.edits(edited, edits)
            actions.append(t.CodeAction(title, _FIX_ALL, edit=edit))
    return actions


def _quick(
    ls: EditorServer, document: OpenDocument, edited: EditedText, params: t.CodeActionParams,
    start: int, end: int, *, is_near: bool,
) -> Iterator[t.CodeAction]:  # fmt: skip
    """Yield what can be done at a place."""

    def action(title: str, edit: t.WorkspaceEdit, span: tuple[int, int], **more: Any) -> Any:
        area = document.range(edited, *span)
        about = [each for each in params.context.diagnostics if _meet(each.range, area)]
        return t.CodeAction(title, t.CodeActionKind.QuickFix, about, edit=edit, **more)

    for each in edited.changes(fix_all=False) if is_near else ():
        span = each.edits[0][0], max(each.edits[-1][1], (each.found.span or (0, 0))[1])
        if span[0] <= end and start <= span[1]:
            title = f"Write {printable(each.new)} [{', '.join(each.codes)}]"
            yield action(title, document.edits(edited, each.edits), span, is_preferred=True)
    marks = [each for each in edited.marks() if each.span[0] <= end and start <= each.span[1]]
    for mark in marks[:20]:
        place = edited.accepting(mark.problem) if mark.problem else None
        if place and mark.problem and mark.problem.doi and ls.is_inside(place[0]):
            title = f"Accept {mark.problem.doi.uri} in {place[0].name} [{mark.code}]"
            yield action(title, _whole(ls, *place), mark.span)
    named = [each for each in edited.names_in(start, end) if each.span in {m.span for m in marks}]
    for name in named[:1]:
        if comment := edited.ignoring(name):
            edit = document.edits(edited, [(comment[0], *comment)])
            yield action(f"Ignore {name.doi.uri} here", edit, name.span or (0, 0))
    if edited.reference_at(start):
        title, at = "Find the DOI of this reference: asks Crossref", params.range.start
        command = t.Command(title, _FIND, arguments=[document.uri, at.line, at.character])
        yield t.CodeAction(title, t.CodeActionKind.QuickFix, command=command)


def _meet(one: t.Range, two: t.Range) -> bool:
    return one.start <= two.end and two.start <= one.end


def _whole(ls: EditorServer, file: Path, before: str, after: str) -> t.WorkspaceEdit:
    """Return the edit that replaces the text of a file."""
    uri = from_fs_path(str(file)) or ""
    end = t.Position(before.count("\n") + 1, 0)
    return t.WorkspaceEdit({uri: [t.TextEdit(t.Range(t.Position(0, 0), end), after)]})


@server.command(_FIND)
@server.thread()
def _find(ls: EditorServer, uri: str, line: int, character: int) -> None:
    """Ask for the DOI of a reference, and write it."""
    from ...ask.names import InvalidLockfile
    from ...ask.works.find import find, question_of

    document, edited = ls.document(uri) or (None, None)
    if not (document and edited):
        return
    missing = edited.reference_at(document.offset(edited, t.Position(line, character)))
    question = question_of(missing.text) if missing else None
    said, version = "no DOI was found for this reference", document.version
    if missing and question:
        options, root, _ = edited.settings
        try:
            with ls.asking, _Progress(ls, "Asking for a DOI") as progress:
                fits, problems = find([question], options, root, progress=progress.step)
        except KeyboardInterrupt:
            return
        except InvalidLockfile as error:
            fits, problems, said = {}, (), str(error)
        said = next((each.message for each in problems), said)
        fit = fits.get(question.text)
        changes = edited.with_doi(missing, fit.doi) if fit and fit.doi else ()
        if changes and document.version == version:
            edit = document.edits(edited, [edit for each in changes for edit in each.edits])
            ls.workspace_apply_edit(t.ApplyWorkspaceEditParams(edit, "doilinks"))
            return
    ls.window_show_message(t.ShowMessageParams(t.MessageType.Info, printable(said)))


@server.feature(t.TEXT_DOCUMENT_REFERENCES)
@server.thread()
def _references(ls: EditorServer, params: t.ReferenceParams) -> list[t.Location]:
    """List all places of the project that name a work."""
    document, edited = ls.document(params.text_document.uri) or (None, None)
    cited = (
        edited.cited_at(document.offset(edited, params.position)) if document and edited else None
    )
    if not (document and edited and cited):
        return []
    works = edited.works
    doi = works.same(cited[0])
    folders = [to_fs_path(each.uri) for each in ls.workspace.folders.values()]
    roots = [each for each in folders if each and document.file.is_relative_to(each)]
    others = [OpenDocument.on_disk(each, ls) for root in roots for each in _files(root, edited)]
    open_ = [
        each for each in ls.workspace.text_documents.values() if isinstance(each, OpenDocument)
    ]
    places = []
    for each in {each.uri: each for each in filter(None, [*others, *open_])}.values():
        page = each.edited(ls)
        for name in page.names if page else ():
            if page and name.span and works.same(name.doi) == doi:
                places.append(t.Location(each.uri, each.range(page, *name.span)))
    return places


def _files(root: str, edited: EditedText) -> Iterator[Source]:
    """Yield the files of a folder that ``doilinks scan`` reads there."""
    project = edited.settings.project
    lines = project.exclude if project else ()
    exclude = Patterns.read(lines, str(project.file.parent), "") if project and lines else None
    for source in walk(root, rules=Rules(exclude, gitignore=True)):
        if Path(os.path.realpath(source.path)).is_relative_to(os.path.realpath(root)):
            yield source
