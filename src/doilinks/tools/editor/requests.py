"""The server of an editor, by the Language Server Protocol.

Spec: [LSP] https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from lsprotocol import types as t
from pygls.capabilities import get_capability
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import from_fs_path, to_fs_path

from ... import __version__
from ...ask.names import Outcome
from ...ask.names.problems import Interrupted, Memory
from ...ask.works.check import check
from ...ask.works.find import find, question_of
from ...core.doi import DOI
from ...core.nameless import NoName
from ...core.options import InvalidOption, Options
from ...core.printable import printable
from ...lock.bib_files import below
from ...lock.known_works import KnownWorks
from ...shared.project import lockfile_of, project_of
from ...shared.streams import own_streams
from ...sources import TYPES, CannotRead, load, read, type_of
from ...sources.files import Patterns, Rules, walk
from ..fix import UnknownRule, chosen
from .completing import completions
from .text import SINGLE, EditedText, OpenDocument, touches

_DELAY: Final = 0.3  # seconds after a change
_MEMORY: Final = 3600.0  # seconds after which a name that does not resolve is asked about again
_DIGITS: Final = 8  # of the number of octets of a message
_LANGUAGES: Final = {
    "asciidoc": "adoc", "bibtex": "bib", "fortran": "f90", "javascript": "js", "julia": "jl",
    "latex": "tex", "markdown": "md", "plaintext": "txt", "python": "py", "quarto": "md",
    "restructuredtext": "rst", "rmd": "md", "rust": "rs", "typescript": "ts", "typst": "typ",
}  # fmt: skip
works_of: Final = lru_cache(8)(lambda options, root, _stamp: KnownWorks.of(options, root))
_MARKS: Final = 20  # that one request for actions is about
_FIND: Final = "doilinks.find"
_QUICK: Final = t.CodeActionKind.QuickFix
_FIX_ALL: Final = f"{t.CodeActionKind.SourceFixAll.value}.doilinks"


class _Protocol(LanguageServerProtocol):
    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message. A request that cannot be read is answered too [LSP, Response]."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise


class EditorServer(LanguageServer):
    """The server, and what it knows of a session.

    :ivar asks: whether the client wants names to be asked about when a document is saved
    :ivar asking: taken by the thread that asks
    """

    def __init__(self) -> None:
        super().__init__("doilinks", __version__, protocol_cls=_Protocol)
        self.asks, self.asking = False, threading.Lock()
        self._warnings: set[str] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._texts: dict[str, EditedText] = {}
        self._answers: dict[Any, dict[DOI, Any]] = {}

    def document(self, uri: str) -> EditedText | None:
        """Return what is known of a document that is open; None if its type is not read."""
        if (document := self.workspace.text_documents.get(unquote(uri))) is None:
            self._texts.pop(uri, None)
            return None
        kind = type_of(document.path)
        # A client may show the cells of a notebook as a document of their language.
        if kind is None or (kind == "ipynb" and not document.source.lstrip().startswith("{")):
            language = document.language_id or ""
            kind = _LANGUAGES.get(language, language)
        if kind not in TYPES:
            return None
        edited = self.edited(uri, document.source, kind)
        if edited != self._texts.get(uri):
            self._texts[uri] = edited
        return self._texts[uri]

    def edited(self, uri: str, source: str, kind: str) -> EditedText:
        """Return a text, with the settings and works of its project, and no file elsewhere."""
        folder, project = Path(to_fs_path(uri) or "untitled").parent, None
        options, rules = Options(), chosen((), (), asks=False)
        try:
            if project := project_of(folder):
                options = Options.read({**project.options, **project.defaults()})
                rules = chosen(project.fix_select, project.fix_ignore, asks=False)
        except (InvalidOption, UnknownRule) as error:
            self.tell(str(error))
        if "doi-publisher" in rules:
            options = options.but(publisher_urls="link")
        base = project.file.parent if project else folder
        files = below(options, base).cite_bib
        options = options.but(cite_bib=tuple(each for each in files if self.is_inside(each, base)))
        if lockfile := lockfile_of(options, folder):
            is_nearest = options.check_lockfile == Options.check_lockfile  # it may be above
            if not self.is_inside(lockfile, lockfile.parent if is_nearest else base):
                self.tell(f"{lockfile} is not used: it is outside of the workspace")
                options = options.but(check_lockfile="")
        works = works_of(options, folder, KnownWorks.stamp(options, folder))
        if works.trouble:
            self.tell(works.trouble)
            options = options.but(check_lockfile="")
        asked, codec = dict(self._answers_of(options)), self.workspace.position_codec
        return EditedText(uri, source, kind, options, rules, folder, project, works, asked, codec)

    @property
    def folders(self) -> list[str]:
        """The paths of the folders of the workspace."""
        uris = [each.uri for each in self.workspace.folders.values()]
        return [*filter(None, map(to_fs_path, uris or [self.workspace.root_uri or ""]))]

    def is_inside(self, path: str | Path, *folders: Path) -> bool:
        """Tell whether a file is in the workspace, or in one of further folders."""
        real, every = Path(os.path.realpath(path)), [*map(Path, self.folders), *folders]
        return any(real.is_relative_to(os.path.realpath(each)) for each in every)

    def _answers_of(self, options: Options) -> dict[DOI, Any]:
        """Return what was asked in this hour of the session, also what no lock file has."""
        return self._answers.setdefault((options.check_api, time.monotonic() // _MEMORY), {})

    def tell(self, message: str, kind: t.MessageType = t.MessageType.Warning) -> None:
        """Show a message to the user, once."""
        if message not in self._warnings:
            self._warnings.add(message)
            self.window_show_message(t.ShowMessageParams(kind, printable(message)))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Tell of a message that cannot be read, and of a fault; the answer to a request does."""
        if source is not FeatureRequestError:
            self.tell(f"doilinks: {type(error).__name__}: {error}", t.MessageType.Error)

    def soon(self, *uris: str) -> None:
        """Diagnose documents, or all that are open, when they have not changed for a while."""
        for uri in uris or [each.uri for each in self.workspace.text_documents.values()]:
            if timer := self._timers.get(uri):
                timer.cancel()
            loop = asyncio.get_running_loop()
            self._timers[uri] = loop.call_later(_DELAY, self.diagnose, uri)

    def diagnose(self, uri: str) -> None:
        """Tell the client what is wrong in a document; nothing is in one that is closed."""
        edited = self.document(uri)
        version = self.workspace.get_text_document(uri).version
        marks = [each for _, each, _ in edited.marks] if edited else []
        self.text_document_publish_diagnostics(t.PublishDiagnosticsParams(uri, marks, version))
        if edited and edited.trouble:
            self.tell(edited.trouble)

    def take_settings(self, settings: object) -> None:
        """Take the settings of the client."""
        settings = settings.get("doilinks", settings) if isinstance(settings, dict) else settings
        if isinstance(settings, dict) and "check" in settings:
            if settings["check"] not in ("onSave", "off", None):
                self.tell(f"check: takes 'onSave' or 'off', got {settings['check']!r}")
            self.asks = settings["check"] == "onSave"

    def pull_settings(self) -> None:
        """Ask the client for its settings."""
        if get_capability(self.client_capabilities, "workspace.configuration"):
            items = t.ConfigurationParams([t.ConfigurationItem(section="doilinks")])
            self.workspace_configuration(items, lambda each: self.take_settings([*each, None][0]))

    def ask(self, edited: EditedText, loop: asyncio.AbstractEventLoop) -> None:
        """Ask about the names of a document, as ``doilinks check`` does."""
        answers = self._answers_of(edited.settings)
        more = {"silences": edited.comments, "root": edited.root, "memory": Memory(dict(answers))}
        with self.asking, self.asking_about("Asking about DOIs") as (step, end):
            try:
                report = check(edited.names, edited.options, progress=step, **more)
            except Interrupted as interrupted:
                report = interrupted.report
            end.message = report.summary
        for problem in report.problems:
            if problem.code in ("doi-lockfile", "doi-fault"):
                self.tell(problem.message)
        resolutions = report.resolutions.values()
        answers.update((each.doi, each) for each in resolutions if each.outcome != Outcome.UNKNOWN)
        loop.call_soon_threadsafe(self.soon)

    @contextmanager
    def asking_about(self, title: str) -> Iterator[tuple[Any, t.WorkDoneProgressEnd]]:
        """Show the progress of what is asked, if the client can; it can cancel it."""
        progress, token = self.work_done_progress, f"doilinks-{time.monotonic_ns()}"
        begin, end = t.WorkDoneProgressBegin(title, cancellable=True), t.WorkDoneProgressEnd()
        if get_capability(self.client_capabilities, "window.work_done_progress"):
            # It may never answer.
            progress.create(token, lambda _created: progress.begin(token, begin))

        def step(done: int, total: int, _pause: float) -> None:
            if future := progress.tokens.get(token):
                if future.cancelled():
                    raise KeyboardInterrupt
                progress.report(token, t.WorkDoneProgressReport(message=f"{done} of {total}"))

        try:
            yield step, end
        finally:
            if token in progress.tokens:
                progress.end(token, end)


class MessageInput(BufferedReader):
    """Standard input. What is no message is passed over, up to the next one."""

    def readline(self, _size: int | None = -1) -> bytes:
        """Return a line, or the header with the length of a message that is on it."""
        line = super().readline(1 << 16)
        if head := re.search(rb"(?i)Content-Length:[ \t]*(\d+)\s*\Z", line):
            return b"Content-Length: %s\r\n" % head[1] if len(head[1]) <= _DIGITS else b"?\r\n"
        return line


server: Final = EditorServer()


def serve() -> None:
    """Serve a client on standard input and output."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # the client is told
    stdin, stdout = own_streams()
    server.start_io(MessageInput(stdin), stdout)


@server.feature(t.INITIALIZE)
def _initialize(ls: EditorServer, params: t.InitializeParams) -> None:
    ls.take_settings(params.initialization_options)
    list(read("10.1000/182", "md", Options()))  # so that what takes long to import is there


@server.feature(t.INITIALIZED)
def _initialized(ls: EditorServer, _params: t.InitializedParams) -> None:
    method, place = t.WORKSPACE_DID_CHANGE_WATCHED_FILES, "workspace.did_change_watched_files"
    if get_capability(ls.client_capabilities, f"{place}.dynamic_registration"):
        watchers = [t.FileSystemWatcher(f"**/*.{each}") for each in ("toml", "bib", "json")]
        options = t.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = t.Registration(method, method, options)
        ls.client_register_capability(t.RegistrationParams([registration]))
    ls.pull_settings()


@server.feature(t.WORKSPACE_DID_CHANGE_CONFIGURATION)
def _configured(ls: EditorServer, params: t.DidChangeConfigurationParams) -> None:
    ls.take_settings(params.settings)
    ls.pull_settings()


@server.feature(t.TEXT_DOCUMENT_DID_OPEN)
def _opened(ls: EditorServer, params: t.DidOpenTextDocumentParams) -> None:
    item, codec = params.text_document, ls.workspace.position_codec
    ls.workspace.text_documents[unquote(item.uri)] = OpenDocument(
        item.uri, item.text, item.version, item.language_id, position_codec=codec
    )
    ls.diagnose(item.uri)


server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)(lambda ls, _params: ls.soon())
server.feature(t.TEXT_DOCUMENT_DID_CHANGE)(lambda ls, params: ls.soon(params.text_document.uri))
server.feature(t.TEXT_DOCUMENT_DID_CLOSE)(lambda ls, params: ls.diagnose(params.text_document.uri))


@server.feature(t.TEXT_DOCUMENT_DID_SAVE)
def _saved(ls: EditorServer, params: t.DidSaveTextDocumentParams) -> None:
    ls.soon(params.text_document.uri)
    edited = ls.document(params.text_document.uri)
    if ls.asks and edited and not edited.works.trouble:
        asked = edited, asyncio.get_running_loop()
        threading.Thread(target=ls.ask, args=asked, daemon=True).start()


def _answers(method: str, options: Any = None, *, thread: bool = False) -> Callable[..., None]:
    """Answer a request about a document with what a function returns; else with nothing."""

    def register(function: Callable[[EditorServer, EditedText, Any], Any]) -> None:
        def answer(ls: EditorServer, params: Any) -> Any:
            edited = ls.document(params.text_document.uri)
            return function(ls, edited, params) if edited else None

        server.feature(method, options)(server.thread()(answer) if thread else answer)

    return register


@_answers(t.TEXT_DOCUMENT_HOVER)
def _hover(_ls: EditorServer, edited: EditedText, params: t.HoverParams) -> t.Hover | None:
    if (cited := edited.cited_at(edited.offset(params.position))) is None:
        return None
    content = t.MarkupContent(t.MarkupKind.Markdown, edited.card(cited[0]))
    return t.Hover(content, edited.range(*cited[1]))


@_answers(t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=[*":@`{ "]))
def _complete(_ls: EditorServer, edited: EditedText, params: Any) -> t.CompletionList:
    items = [*completions(edited, edited.offset(params.position))]
    return t.CompletionList(is_incomplete=True, items=items)


@_answers(t.TEXT_DOCUMENT_DOCUMENT_LINK)
def _links(_ls: EditorServer, edited: EditedText, _params: Any) -> list[t.DocumentLink]:
    return [
        t.DocumentLink(edited.range(*each.span), each.doi.url_at(edited.options.proxy))
        for each in edited.names
        if each.span and not isinstance(each.doi, NoName)
    ]


@_answers(t.TEXT_DOCUMENT_REFERENCES, thread=True)
def _references(ls: EditorServer, edited: EditedText, params: Any) -> list[t.Location]:
    """List the places of the project that name a work."""
    if (cited := edited.cited_at(edited.offset(params.position))) is None:
        return []
    open_, same = list(ls.workspace.text_documents.values()), edited.works.same
    texts = {each.uri: each for each in _on_disk(ls, edited)}
    texts |= {each.uri: text for each in open_ if (text := ls.document(each.uri))}
    return [
        t.Location(text.uri, text.range(*name.span))
        for text in texts.values()
        for name in text.names
        if name.span and same(name.doi) == same(cited[0])
    ]


def _on_disk(ls: EditorServer, edited: EditedText) -> Iterator[EditedText]:
    """Yield the files that ``doilinks scan`` reads in the folder of the workspace."""
    project, exclude = edited.project, None
    if project and project.exclude:
        exclude = Patterns.read(project.exclude, str(project.file.parent), "")
    for root in (each for each in ls.folders if Path(edited.path).is_relative_to(each)):
        for source in walk(root, rules=Rules(exclude, gitignore=True)):
            if ls.is_inside(source.path):
                with suppress(CannotRead):
                    yield ls.edited(from_fs_path(source.path) or "", load(source), source.kind)


@_answers(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions([_QUICK, _FIX_ALL]))
def _actions(ls: EditorServer, edited: EditedText, params: Any) -> list[Any]:
    only = [f"{getattr(each, 'value', each)}." for each in params.context.only or ()]
    area = edited.offset(params.range.start), edited.offset(params.range.end)
    # Others change nothing, and the cursor is moved often.
    is_near = any(each.span and touches(each.span, *area) for each in edited.names)
    actions: list[Any] = []
    if not only or any(f"{_QUICK.value}.".startswith(each) for each in only):
        actions += _quick_fixes(ls, edited, area, is_near=is_near)
        if edited.reference_at(area[0]):
            title, at = "Find the DOI of this reference: asks Crossref", params.range.start
            place = [edited.uri, at.line, at.character]
            actions.append(t.Command(title, _FIND, arguments=place))
    if any(f"{_FIX_ALL}.".startswith(each) for each in only) or (is_near and not only):
        edits = [each for change in edited.changes(edited.rules) for each in change.edits]
        title, edit = "Mend the DOIs of this document", edited.edit(edits)
        actions += [t.CodeAction(title, _FIX_ALL, edit=edit)] if edits else []
    return actions


def _quick_fixes(
    ls: EditorServer, edited: EditedText, area: tuple[int, int], *, is_near: bool
) -> Iterator[t.CodeAction]:
    """Yield what can be done at a place: rules of ``fix``, accept, ignore."""

    def action(title: str, edit: t.WorkspaceEdit, span: tuple[int, int]) -> t.CodeAction:
        about = [each for place, each, _ in edited.marks if touches(place, *span)]
        return t.CodeAction(printable(title), _QUICK, about, edit=edit)

    for each in edited.changes(edited.rules | SINGLE) if is_near else ():
        span = each.edits[0][0], each.edits[-1][1]
        if touches(span, *area) or touches(each.place.span or span, *area):
            title = f"Write {each.new} [{', '.join(each.codes)}]"
            yield action(title, edited.edit(each.edits), span)
    marks = [each for each in edited.marks if touches(each[0], *area)][:_MARKS]
    for span, _, problem in marks:
        accepted = edited.accepting(problem)
        if accepted and ls.is_inside(accepted[0]):
            file, title, edit = accepted
            uri = from_fs_path(str(file)) or ""
            yield action(title, t.WorkspaceEdit({uri: [edit]}), span)
    spans = {span for span, _, _ in marks}
    name = next((each for each in edited.names if each.span in spans), None)
    if name and name.span and (comment := edited.ignoring(name)):
        yield action(f"Ignore {name.doi} here", edited.edit([comment]), name.span)


@server.command(_FIND)
@server.thread()
def _find(ls: EditorServer, uri: str, line: int, character: int) -> None:
    """Ask for the DOI of a reference, and write it."""
    edited, message = ls.document(uri), "No DOI was found for this reference"
    reference = edited and edited.reference_at(edited.offset(t.Position(line, character)))
    if edited and reference and (question := question_of(reference.text)):
        try:
            with ls.asking, ls.asking_about("Asking for a DOI") as (step, _end):
                fits, problems, _ = find([question], edited.settings, edited.root, progress=step)
        except KeyboardInterrupt:  # the client has cancelled it
            return
        message = next((each.message for each in problems), message)
        fit, now = fits.get(question.text), ls.document(uri)
        if fit and fit.is_retracted:
            message = f"{fit.works[0][0].uri} is retracted, so it is not written"
        elif fit and fit.doi and now and now.source == edited.source:
            changes = edited.changes(frozenset({"doi-missing"}), (reference.text, fit.doi))
            if edits := [each for change in changes for each in change.edits]:
                edit = edited.edit(edits)
                ls.workspace_apply_edit(t.ApplyWorkspaceEditParams(edit, "doilinks"))
                return
    ls.window_show_message(t.ShowMessageParams(t.MessageType.Info, printable(message)))
