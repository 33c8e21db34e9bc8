"""A session with an editor: its settings, what is underlined, and what is asked on saving."""

from __future__ import annotations

import asyncio
import os
import re
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self
from urllib.parse import unquote

from lsprotocol import types as t
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from ... import __version__
from ...core.options import InvalidOption, Options
from ...core.printable import printable
from ...shared.project import lockfile_of
from .document import OpenDocument
from .text import EditedText, ProjectSettings

_DELAY: Final = (0.2, 0.5)  # seconds after a change; for a long document, as the last check took
_MEMORY: Final = 3600.0  # seconds until a name that does not resolve is asked about again
_DIGITS: Final = 8  # of the number of octets of a message
_SEVERITIES: Final = {"error": 1, "warning": 2, "remark": 3}


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
        self._told: set[str] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._took = 0.0
        self._memories: dict[str, tuple[Any, float]] = {}

    def document(self, uri: str) -> tuple[OpenDocument, EditedText] | None:
        """Return a document that is open, and what is known of it, if its type is read."""
        document = self.workspace.text_documents.get(unquote(uri))
        edited = document.edited if isinstance(document, OpenDocument) else None
        return (document, edited) if isinstance(document, OpenDocument) and edited else None

    def settings_of(self, folder: Path) -> ProjectSettings:
        """Return what the project of a folder says, without files elsewhere; else the defaults."""
        try:
            settings = ProjectSettings.of(folder)
        except InvalidOption as error:
            self.tell(str(error))
            return ProjectSettings(Options(), folder)
        options, lockfile = settings.options, lockfile_of(settings.options, folder)
        inside = tuple(each for each in options.cite_bib if self.is_inside(Path(each), settings))
        if lockfile and not self.is_inside(lockfile, settings):
            self.tell(f"{lockfile} is not used: it is outside of the workspace")
            options = options.but(check_lockfile="")
        return settings._replace(options=options.but(cite_bib=inside))

    @property
    def folders(self) -> list[str]:
        """The paths of the folders of the workspace."""
        uris = [each.uri for each in self.workspace.folders.values()]
        return [*filter(None, map(to_fs_path, uris or [self.workspace.root_uri or ""]))]

    def is_inside(self, path: Path, settings: ProjectSettings | None = None) -> bool:
        """Tell whether a file is in the workspace, or in a project to which that belongs."""
        real, folders = Path(os.path.realpath(path)), self.folders
        if settings:
            folders.append(str(settings.project.file.parent if settings.project else settings.root))
        if settings and path.name == settings.options.check_lockfile == Options.check_lockfile:
            folders.append(str(path.parent))  # the nearest one above
        return any(real.is_relative_to(os.path.realpath(each)) for each in folders)

    def memory_of(self, options: Options, resolutions: Iterable[Any] = ()) -> Any:
        """Return what was asked in this session and is not in the lock file, with more of it."""
        from ...ask.names import Outcome
        from ...ask.names.problems import Memory

        memory, begun = self._memories.get(options.check_api, (None, 0.0))
        if memory is None or time.monotonic() - begun > _MEMORY:
            memory, begun = Memory(), time.monotonic()
        answers = {each.doi: each for each in resolutions if each.outcome is not Outcome.UNKNOWN}
        memory = Memory({**memory.known, **answers}) if answers else memory
        self._memories[options.check_api] = memory, begun
        return memory

    def tell(self, message: str, kind: t.MessageType = t.MessageType.Warning) -> None:
        """Show a message to the user, once."""
        if message not in self._told:
            self._told.add(message)
            self.window_show_message(t.ShowMessageParams(kind, printable(message)))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Tell of a message that cannot be read, and of a fault; the answer to a request does."""
        if source is not FeatureRequestError:
            self.tell(f"doilinks: {type(error).__name__}: {error}", t.MessageType.Error)

    def soon(self, uri: str) -> None:
        """Diagnose a document when it has not changed for a while."""
        self.forget(uri)
        least, most = _DELAY
        delay, loop = min(most, max(least, self._took)), asyncio.get_running_loop()
        self._timers[uri] = loop.call_later(delay, self.diagnose, uri)

    def soon_all(self) -> None:
        """Diagnose all documents that are open."""
        for each in list(self.workspace.text_documents.values()):
            self.soon(each.uri)

    def forget(self, uri: str) -> None:
        """Do not diagnose a document that was to be diagnosed."""
        if timer := self._timers.pop(uri, None):
            timer.cancel()

    def diagnose(self, uri: str) -> None:
        """Tell the client what is wrong in a document."""
        from ...ask.names.codes import CODES, address

        begun, diagnostics, version = time.process_time(), [], None
        if open_ := self.document(uri):
            document, edited = open_
            version = document.version
            for each in edited.marks:
                href = address(each.code if each.code in CODES else "remarks")
                about = t.CodeDescription(href) if href else None
                area, severity = document.range(edited, *each.span), _SEVERITIES[each.severity]
                message = printable(each.message)
                diagnostics.append(
                    t.Diagnostic(
                        area, message, t.DiagnosticSeverity(severity), each.code, about, "doilinks"
                    )
                )
            for trouble in edited.trouble:
                self.tell(trouble)
        self._took = time.process_time() - begun
        self.text_document_publish_diagnostics(
            t.PublishDiagnosticsParams(uri, diagnostics, version)
        )

    def take_settings(self, settings: object) -> None:
        """Take the settings of the client."""
        settings = settings.get("doilinks", settings) if isinstance(settings, dict) else settings
        if isinstance(settings, dict) and "check" in settings:
            if settings["check"] not in ("onSave", "off", None):
                self.tell(f"check: takes 'onSave' or 'off', got {settings['check']!r}")
            self.asks = settings["check"] == "onSave"

    def pull_settings(self) -> None:
        """Ask the client for its settings."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.configuration:
            items = t.ConfigurationParams([t.ConfigurationItem(section="doilinks")])
            self.workspace_configuration(items, lambda each: self.take_settings([*each, None][0]))

    def ask(self, edited: EditedText, ended: Callable[[], object]) -> None:
        """Ask about the names of a document, as ``doilinks check`` does."""
        from ...ask.names import InvalidLockfile
        from ...ask.names.problems import Interrupted, Memory
        from ...ask.works.check import check

        options, root, _ = edited.settings
        memory = Memory(dict(self.memory_of(options).known))
        more = {"silences": edited.comments, "root": root, "memory": memory}
        with self.asking, ProgressBar(self, "Asking about DOIs") as progress:
            try:
                report = check(edited.names, edited.options, progress=progress.step, **more)
            except Interrupted as interrupted:
                report = interrupted.report
            except InvalidLockfile as error:
                self.tell(str(error))
                return
            progress.summary = report.summary
        for problem in report.problems:
            if problem.code in ("doi-lockfile", "doi-fault"):
                self.tell(problem.message)
        self.memory_of(options, report.resolutions.values())
        ended()


class ProgressBar:
    """The progress of what is asked, which the client shows and can cancel."""

    def __init__(self, server: EditorServer, title: str) -> None:
        self._server, self._shown = server, server.work_done_progress
        self._title, self.summary = title, ""
        self._token, self._is_begun = f"doilinks-{time.monotonic_ns()}", False

    def __enter__(self) -> Self:
        window = self._server.client_capabilities.window
        if window and window.work_done_progress:
            self._shown.create(self._token, self._begin)  # it may never answer
        return self

    def _begin(self, _created: None) -> None:
        self._shown.begin(self._token, t.WorkDoneProgressBegin(self._title, cancellable=True))
        self._is_begun = True

    def step(self, done: int, total: int, _pause: float) -> None:
        """Show how many are asked; end the check if the client has cancelled it."""
        if self._is_begun and self._shown.tokens[self._token].cancelled():
            raise KeyboardInterrupt
        if self._is_begun:
            report = t.WorkDoneProgressReport(message=f"{done} of {total}")
            self._shown.report(self._token, report)

    def __exit__(self, *_: object) -> None:
        if self._is_begun:
            self._shown.end(self._token, t.WorkDoneProgressEnd(message=self.summary))


class MessageInput(NamedTuple):
    """Standard input. What is no message is passed over, up to the next one."""

    stream: BinaryIO

    def readline(self) -> bytes:
        """Return a line, or the header with the length of a message that is on it."""
        line = self.stream.readline(1 << 16)
        if head := re.search(rb"(?i)Content-Length:[ \t]*(\d+)\s*\Z", line):
            is_usual = len(head[1]) <= _DIGITS
            return b"Content-Length: %s\r\n" % head[1] if is_usual else b"?\r\n"
        return line

    def read(self, size: int) -> bytes:
        """Return a message."""
        return self.stream.read(size)
