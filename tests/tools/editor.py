"""An editor that ``doilinks server`` serves, by the client of pytest-lsp."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, Self

from lsprotocol import types as t
from pytest_lsp import client_capabilities
from pytest_lsp.client import make_test_lsp_client

from .modules import BIN, quick
from .programs import LONGEST

PUBLISHED = t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS


class Editor:
    """A session, in which each call waits for the answer; a context manager.

    :param folder: the workspace
    :param like: whose capabilities the client has
    :param encoding: in what the client counts characters
    :ivar client: the client, with what it was told
    :ivar edits: what the server has asked it to apply
    """

    def __init__(
        self, folder: Path, *, like: str = "visual-studio-code", encoding: str = "", **options: Any
    ) -> None:  # fmt: skip
        self.folder, self._options, self._version = folder, options, 0
        self._loop = asyncio.new_event_loop()
        self.client, self.edits = make_test_lsp_client(), []
        self.client.feature(t.CLIENT_REGISTER_CAPABILITY)(lambda _params: None)
        self.client.feature(t.WORKSPACE_APPLY_EDIT)(lambda edit: self._apply(edit))  # noqa: PLW0108  pygls marks a function
        self.capabilities = client_capabilities(like)
        if encoding:
            self.capabilities.general.position_encodings = [encoding]

    def _apply(self, params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        self.edits.append(params.edit)
        return t.ApplyWorkspaceEditResult(applied=True)

    def run(self, awaited: Any) -> Any:
        """Wait for an answer."""
        return self._loop.run_until_complete(asyncio.wait_for(awaited, LONGEST))

    def __enter__(self) -> Self:
        self.run(self.client.start_io(str(quick(BIN / "doilinks")), "server"))
        folder = self.folder.as_uri()
        self.started = self.run(
            self.client.initialize_session(
                t.InitializeParams(
                    self.capabilities, root_uri=folder, initialization_options=self._options,
                    workspace_folders=[t.WorkspaceFolder(folder, self.folder.name)],
                )
            )
        )  # fmt: skip
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self.client.shutdown_session())
        self.run(self.client.stop())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def uri(self, name: str) -> str:
        return name if ":" in name else (self.folder / name).as_uri()

    def wait(self, name: str) -> list[t.Diagnostic]:
        """Wait until a document is diagnosed."""
        while self.run(self.client.wait_for_notification(PUBLISHED)).uri != self.uri(name):
            pass
        return sorted(self.client.diagnostics[self.uri(name)], key=lambda each: each.range.start)

    def until(self, ready: Any) -> None:
        """Wait for a state of the client."""

        async def wait() -> None:
            while not ready():
                await asyncio.sleep(0.02)

        self.run(wait())

    def open(self, name: str, text: str, language: str = "") -> list[t.Diagnostic]:
        """Open a document; a name with a colon is a URI."""
        self._version += 1
        item = t.TextDocumentItem(self.uri(name), language, self._version, text)
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(item))
        return self.wait(name)

    def change(self, name: str, *changes: tuple[tuple[int, int, int, int], str]) -> Any:
        """Change ranges (line and character of both ends) of a document, one after another."""
        self._version += 1
        which = t.VersionedTextDocumentIdentifier(self._version, self.uri(name))
        events = [t.TextDocumentContentChangePartial(area(*at), new) for at, new in changes]
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(which, events))
        return self.wait(name)

    def save(self, name: str) -> None:
        which = t.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(t.DidSaveTextDocumentParams(which))

    def close(self, name: str) -> list[t.Diagnostic]:
        which = t.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(t.DidCloseTextDocumentParams(which))
        return self.wait(name)

    def hover(self, name: str, line: int, character: int) -> str | None:
        """The text of the card at a place."""
        which, place = t.TextDocumentIdentifier(self.uri(name)), t.Position(line, character)
        card = self.run(self.client.text_document_hover_async(t.HoverParams(which, place)))
        return card and card.contents.value

    def complete(self, name: str, line: int, character: int) -> list[t.CompletionItem]:
        which, place = t.TextDocumentIdentifier(self.uri(name)), t.Position(line, character)
        asked = self.client.text_document_completion_async(t.CompletionParams(which, place))
        return list(self.run(asked).items)

    def actions(self, name: str, at: t.Range, *only: str) -> dict[str, t.CodeAction]:
        """What can be done at a place, by its title."""
        about = [
            each for each in self.client.diagnostics[self.uri(name)]
            if each.range.start <= at.end and at.start <= each.range.end
        ]  # fmt: skip
        asked = t.CodeActionParams(
            t.TextDocumentIdentifier(self.uri(name)), at, t.CodeActionContext(about, only or None)
        )
        found = self.run(self.client.text_document_code_action_async(asked))
        return {each.title: each for each in found}

    def references(self, name: str, line: int, character: int) -> list[tuple[str, str]]:
        which, place = t.TextDocumentIdentifier(self.uri(name)), t.Position(line, character)
        asked = t.ReferenceParams(t.ReferenceContext(include_declaration=True), which, place)
        found = self.run(self.client.text_document_references_async(asked))
        return sorted((Path(each.uri).name, str(each.range)) for each in found)


def area(line: int, character: int, last: int, end: int) -> t.Range:
    return t.Range(t.Position(line, character), t.Position(last, end))


def at(text: str, part: str, unit: str = "utf-16-le") -> t.Range:
    """The range of a part of a text, in UTF-16 units or in those of another encoding."""
    start = text.index(part)
    return t.Range(*(_position(text[:end], unit) for end in (start, start + len(part))))


_UNITS = {"utf-16-le": 2, "utf-8": 1}


def _position(before: str, unit: str) -> t.Position:
    lines = re.split("\r\n|\r|\n", before)
    return t.Position(len(lines) - 1, len(lines[-1].encode(unit)) // _UNITS[unit])


def applied(text: str, edit: t.WorkspaceEdit, uri: str) -> str:
    """A text after the edits of one document, in UTF-16 units."""
    for each in sorted(edit.changes[uri], key=lambda one: one.range.start, reverse=True):
        start, end = (_offset(text, place) for place in (each.range.start, each.range.end))
        text = text[:start] + each.new_text + text[end:]
    return text


def _offset(text: str, place: t.Position) -> int:
    starts = [0, *(found.end() for found in re.finditer("\r\n|\r|\n", text))]
    if place.line >= len(starts):
        return len(text)
    units = text[starts[place.line] :].encode("utf-16-le")[: 2 * place.character]
    return starts[place.line] + len(units.decode("utf-16-le"))
