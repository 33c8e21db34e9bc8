"""What an editor can ask, by the Language Server Protocol.

Spec: [LSP] https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, cast
from urllib.parse import unquote

from lsprotocol import types as t
from pygls.uris import from_fs_path

from ...core.nameless import NoName
from ...core.options import Options
from ...core.printable import printable
from ...record.words import hover, reference, shortened
from ...shared.streams import own_streams
from ...sources import CannotRead, load
from ...sources.files import Patterns, Rules, walk
from ..fix import ignoring
from .completing import completions
from .document import OpenDocument
from .session import EditorServer, MessageInput, ProgressBar
from .text import EditedText, ProjectSettings, touches

_LABEL: Final = 80  # characters of a work in a list
_MARKS: Final = 20  # that one request for actions is about
_FIND: Final = "doilinks.find"
_QUICK: Final = t.CodeActionKind.QuickFix
_FIX_ALL: Final = f"{t.CodeActionKind.SourceFixAll.value}.doilinks"

server: Final = EditorServer()


def serve() -> None:
    """Serve a client on standard input and output."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # the client is told
    stdin, stdout = own_streams()
    server.start_io(cast("BinaryIO", MessageInput(stdin)), stdout)


# --------------------------------------------------------------------------------------------------
# What a client sends.


@server.feature(t.INITIALIZE)
def _initialize(ls: EditorServer, params: t.InitializeParams) -> None:
    ls.take_settings(params.initialization_options)
    # What takes long to import is there when the first document is opened.
    settings = ProjectSettings(Options(check_lockfile=""), Path())
    _ = EditedText("doi:10.1000/182", "md", "-", settings, ls.memory_of(settings.options)).marks


@server.feature(t.INITIALIZED)
def _initialized(ls: EditorServer, _params: t.InitializedParams) -> None:
    workspace, method = ls.client_capabilities.workspace, t.WORKSPACE_DID_CHANGE_WATCHED_FILES
    watched = workspace and workspace.did_change_watched_files
    if watched and watched.dynamic_registration:
        globs = ("**/pyproject.toml", "**/*.bib", "**/*.json")
        options = t.DidChangeWatchedFilesRegistrationOptions([*map(t.FileSystemWatcher, globs)])
        registration = t.Registration(method, method, options)
        ls.client_register_capability(t.RegistrationParams([registration]))
    ls.pull_settings()


@server.feature(t.WORKSPACE_DID_CHANGE_CONFIGURATION)
def _configured(ls: EditorServer, params: t.DidChangeConfigurationParams) -> None:
    ls.take_settings(params.settings)
    ls.pull_settings()


@server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def _watched(ls: EditorServer, _params: t.DidChangeWatchedFilesParams) -> None:
    ls.soon_all()


@server.feature(t.TEXT_DOCUMENT_DID_OPEN)
def _opened(ls: EditorServer, params: t.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    ls.workspace.text_documents[unquote(item.uri)] = OpenDocument(item, ls)
    ls.diagnose(item.uri)


@server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
def _changed(ls: EditorServer, params: t.DidChangeTextDocumentParams) -> None:
    ls.soon(params.text_document.uri)


@server.feature(t.TEXT_DOCUMENT_DID_SAVE)
def _saved(ls: EditorServer, params: t.DidSaveTextDocumentParams) -> None:
    ls.soon(params.text_document.uri)
    if ls.asks and (open_ := ls.document(params.text_document.uri)):
        ended = partial(asyncio.get_running_loop().call_soon_threadsafe, ls.soon_all)
        # The names are read here, because a further change may come.
        _ = open_[1].names, open_[1].comments
        threading.Thread(target=ls.ask, args=(open_[1], ended), daemon=True).start()


@server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
def _closed(ls: EditorServer, params: t.DidCloseTextDocumentParams) -> None:
    ls.forget(params.text_document.uri)
    ls.text_document_publish_diagnostics(t.PublishDiagnosticsParams(params.text_document.uri, []))


_Answer = Callable[[EditorServer, OpenDocument, EditedText, Any], Any]


def _answers(method: str, options: Any = None, *, thread: bool = False) -> Callable[..., None]:
    """Answer a request about a document with what a function returns; else with nothing."""

    def register(function: _Answer) -> None:
        def answer(ls: EditorServer, params: Any) -> Any:
            open_ = ls.document(params.text_document.uri)
            return function(ls, *open_, params) if open_ else None

        server.feature(method, options)(server.thread()(answer) if thread else answer)

    return register


@_answers(t.TEXT_DOCUMENT_HOVER)
def _hover(
    ls: EditorServer, document: OpenDocument, edited: EditedText, params: t.HoverParams
) -> t.Hover | None:
    cited = edited.cited_at(document.offset(edited, params.position))
    texts = ls.client_capabilities.text_document
    formats = (texts and texts.hover and texts.hover.content_format) or [t.MarkupKind.Markdown]
    is_markdown = t.MarkupKind.Markdown in formats
    kind = t.MarkupKind.Markdown if is_markdown else t.MarkupKind.PlainText
    if cited is None:
        return None
    content = t.MarkupContent(kind, edited.card(cited[0], markdown=is_markdown))
    return t.Hover(content, document.range(edited, *cited[1]))


@_answers(t.TEXT_DOCUMENT_COMPLETION, t.CompletionOptions(trigger_characters=[*":@`{ "]))
def _complete(
    _ls: EditorServer, document: OpenDocument, edited: EditedText, params: t.CompletionParams
) -> t.CompletionList:
    at = document.offset(edited, params.position)
    items: list[t.CompletionItem] = []
    for each in completions(edited.text, edited.kind, at, edited.options, edited.works):
        doi, work = each.doi, each.work
        whole = "".join(run.text for run in reference(doi, work))
        items.append(
            t.CompletionItem(
                shortened(hover(work), _LABEL), kind=t.CompletionItemKind.Reference,
                detail=doi.uri, documentation=f"{whole} {doi.url}".rstrip(),
                sort_text=f"{len(items):05}",
                # A client compares this with what is typed.
                filter_text=f"{edited.text[each.start : at]} {each.words}",
                text_edit=t.TextEdit(document.range(edited, each.start, each.end), each.new),
            )
        )  # fmt: skip
    return t.CompletionList(is_incomplete=True, items=items)


@_answers(t.TEXT_DOCUMENT_DOCUMENT_LINK)
def _links(
    _ls: EditorServer, document: OpenDocument, edited: EditedText, _params: t.DocumentLinkParams
) -> list[t.DocumentLink]:
    return [
        t.DocumentLink(document.range(edited, *each.span), each.doi.url_at(edited.options.proxy))
        for each in edited.names
        if each.span and not isinstance(each.doi, NoName)
    ]


@_answers(t.TEXT_DOCUMENT_REFERENCES, thread=True)
def _references(
    ls: EditorServer, document: OpenDocument, edited: EditedText, params: t.ReferenceParams
) -> list[t.Location]:
    """List the places of the project that name a work."""
    cited = edited.cited_at(document.offset(edited, params.position))
    pages = {each.uri: each for each in _on_disk(ls, document, edited)} if cited else {}
    open_ = [*ls.workspace.text_documents.values()] if cited else []
    pages |= {each.uri: each for each in open_ if isinstance(each, OpenDocument)}
    same = edited.works.same
    return [
        t.Location(uri, page.range(text, *name.span))
        for uri, page in pages.items()
        if cited and (text := page.edited)
        for name in text.names
        if name.span and same(name.doi) == same(cited[0])
    ]


def _on_disk(
    ls: EditorServer, document: OpenDocument, edited: EditedText
) -> Iterator[OpenDocument]:
    """Yield the files that ``doilinks scan`` reads in the folder of the workspace."""
    project = edited.settings.project
    lines, base = (project.exclude, project.file.parent) if project else ((), Path())
    exclude = Patterns.read(lines, str(base), "") if lines else None
    for root in (each for each in ls.folders if document.file.is_relative_to(each)):
        for source in walk(root, rules=Rules(exclude, gitignore=True)):
            if ls.is_inside(Path(source.path)):
                try:
                    item = t.TextDocumentItem(
                        from_fs_path(source.path) or "", source.kind, 0, load(source)
                    )
                except CannotRead:
                    continue
                yield OpenDocument(item, ls)


@_answers(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionOptions([_QUICK, _FIX_ALL]))
def _actions(
    ls: EditorServer, document: OpenDocument, edited: EditedText, params: t.CodeActionParams
) -> list[t.CodeAction | t.Command]:
    only = [f"{getattr(each, 'value', each)}." for each in params.context.only or ()]
    start, end = (document.offset(edited, each) for each in (params.range.start, params.range.end))
    # Others change nothing, and the cursor is moved often.
    is_near = any(each.span and touches(each.span, start, end) for each in edited.names)
    actions: list[t.CodeAction | t.Command] = []
    if not only or any(f"{_QUICK.value}.".startswith(each) for each in only):
        actions += _quick_fixes(ls, document, edited, params, (start, end))
    if any(f"{_FIX_ALL}.".startswith(each) for each in only) or (is_near and not only):
        edits = [each for change in edited.changes(fix_all=True) for each in change.edits]
        title, edit = "Mend the DOIs of this document", document.edit(edited, edits)
        actions += [t.CodeAction(title, _FIX_ALL, edit=edit)] if edits else []
    return actions


def _quick_fixes(
    ls: EditorServer, document: OpenDocument, edited: EditedText, params: t.CodeActionParams,
    area: tuple[int, int],
) -> Iterator[t.CodeAction | t.Command]:  # fmt: skip
    """Yield what can be done at a place: rules of ``fix``, accept, ignore, find."""

    def action(title: str, edit: t.WorkspaceEdit, span: tuple[int, int]) -> t.CodeAction:
        here = document.range(edited, *span)
        about = [
            each for each in params.context.diagnostics
            if each.range.start <= here.end and here.start <= each.range.end
        ]  # fmt: skip
        return t.CodeAction(printable(title), _QUICK, about, edit=edit)

    is_near = any(each.span and touches(each.span, *area) for each in edited.names)
    for each in edited.changes(fix_all=False) if is_near else ():
        span = each.edits[0][0], each.edits[-1][1]
        if touches(span, *area) or touches(each.found.span or span, *area):
            title = f"Write {each.new} [{', '.join(each.codes)}]"
            yield action(title, document.edit(edited, each.edits), span)
    marks = [each for each in edited.marks if touches(each.span, *area)][:_MARKS]
    for mark in marks:
        if mark.problem and (accepted := edited.accepting(mark.problem)):
            file, before, after = accepted
            if ls.is_inside(file):
                lines = t.Range(t.Position(0, 0), t.Position(before.count("\n") + 1, 0))
                edit = t.WorkspaceEdit({from_fs_path(str(file)) or "": [t.TextEdit(lines, after)]})
                title = f"Accept {mark.problem.doi} in {file.name} [{mark.code}]"
                yield action(title, edit, mark.span)
    spans = {each.span for each in marks}
    name = next((each for each in edited.names if each.span in spans), None)
    known = edited.text, edited.kind, edited.options, edited.path, edited.names
    if name and name.span and (comment := ignoring(*known, name)):
        yield action(f"Ignore {name.doi} here", document.edit(edited, [comment]), name.span)
    if any(each.start <= area[0] <= each.stop for each in edited.references):
        title, at = "Find the DOI of this reference: asks Crossref", params.range.start
        yield t.Command(title, _FIND, arguments=[document.uri, at.line, at.character])


@server.command(_FIND)
@server.thread()
def _find(ls: EditorServer, uri: str, line: int, character: int) -> None:
    """Ask for the DOI of a reference, and write it."""
    from ...ask.names import InvalidLockfile
    from ...ask.works.find import find, question_of

    if (open_ := ls.document(uri)) is None:
        return
    document, edited = open_
    at, text = document.offset(edited, t.Position(line, character)), document.source
    reference = next((each for each in edited.references if each.start <= at <= each.stop), None)
    question = question_of(reference.text) if reference else None
    message = "No DOI was found for this reference"
    if reference and question:
        options, root, _ = edited.settings
        try:
            with ls.asking, ProgressBar(ls, "Asking for a DOI") as progress:
                fits, problems, _ = find([question], options, root, progress=progress.step)
        except KeyboardInterrupt:  # the client has cancelled it
            return
        except InvalidLockfile as error:
            fits, problems, message = {}, (), str(error)
        message = next((each.message for each in problems), message)
        fit = fits.get(question.text)
        if fit and fit.is_retracted:
            message = f"{fit.works[0][0].uri} is retracted, so it is not written"
        doi = fit.doi if fit and not fit.is_retracted else None
        changes = edited.with_doi(reference, doi) if doi else ()
        if changes and document.source == text:
            edits = [each for change in changes for each in change.edits]
            edit = document.edit(edited, edits)
            ls.workspace_apply_edit(t.ApplyWorkspaceEditParams(edit, "doilinks"))
            return
    ls.window_show_message(t.ShowMessageParams(t.MessageType.Info, printable(message)))
