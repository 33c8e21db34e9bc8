"""What an editor is told of one version of a document.

Places are offsets in the text; the ranges of a client count in the units that it has chosen.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as t
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec, TextDocument

from ...ask.names import CheckReport, Problem, Resolution
from ...ask.names.codes import CODES, address
from ...ask.names.problems import Memory
from ...ask.works.check import check
from ...cite.citations import text_and_target
from ...core.doi import DOI
from ...core.found import REST_COMMENTS, Found, IgnoreComment, IgnoredLines
from ...core.nameless import NoName, WorkId
from ...core.options import Options
from ...core.printable import inert, printable
from ...lock.known_works import KnownWorks
from ...record.words import card
from ...shared.project import Project
from ...sources import TYPES, CannotRead, comments, read
from ...sources.common import Lines
from ...sources.references import Reference, references
from ..cli.baseline import entry_of, extended
from ..cli.fix import corrections
from ..fix import RULES, Change, Missing, Original, mend

# A place that is underlined.
Mark = tuple[tuple[int, int], t.Diagnostic, Problem | None]
# What the lock file does not know is not wrong.
_UNKNOWN: Final = frozenset({"doi-unknown", "doi-work-unknown", "doi-kept"})
# Remarks of which the check makes problems.
_REPEATED: Final = frozenset({"more-than-name", "bare-target", "text-names-another", "two-works"})
SINGLE: Final = frozenset(rule.code for rule in RULES if not rule.house) - {"doi-missing"}
_SEVERITIES: Final = {"error": 1, "warning": 2, "remark": 3}
_KEY: Final = re.compile(r"(?<=[@{;` ])[\w:.#$%&\-+?<>~/]+(?<!\.)")  # of a `.bib` file
_AROUND: Final = 300  # characters in which a key is looked for
_END: Final = re.compile("\r\n?")  # a line end of Windows or of an old Macintosh
_LINE: Final = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")  # [LSP, Position]: nothing else ends one


def offset_of(text: str, position: t.Position, units: PositionCodec) -> int:
    """Return an offset; what is after the end of a line or text is that end [LSP, Position]."""
    codec, width = _codec(units)
    for row, line in enumerate(_LINE.finditer(text)):
        if row == position.line:
            octets = line[1].encode(codec, "surrogatepass")[: width * position.character]
            return line.start() + len(octets.decode(codec, "ignore"))
    return len(text)


def _codec(units: PositionCodec) -> tuple[str, int]:
    """Return the codec for the units of a client, and the octets of one: in C, unlike pygls's."""
    name = t.PositionEncodingKind(units.encoding or "utf-16").value
    return "utf-8" if name == "utf-8" else f"{name}-le", int(name[4:]) // 8


class OpenDocument(TextDocument):
    """A document of an editor. That of pygls has further ends of lines, such as a form feed."""

    def apply_change(self, change: t.TextDocumentContentChangeEvent) -> None:
        """Change the text."""
        if isinstance(change, t.TextDocumentContentChangePartial):
            text, units, area = self.source, self.position_codec, change.range
            start, end = (offset_of(text, each, units) for each in (area.start, area.end))
            self._source = text[:start] + change.text + text[max(start, end) :]
        else:
            self._source = change.text


@dataclass
class EditedText:
    """One version of a document. All line ends are a line feed, as readers get them.

    :ivar settings: the options of the project; its names are read with citations
    :ivar rules: those of ``fix`` that the project wants
    :ivar root: the folder in which the lock file is looked for
    :ivar asked: what was asked in this session
    :ivar trouble: why the document cannot be read, or ``""``
    """

    uri: str
    source: str
    kind: str
    settings: Options
    rules: frozenset[str]
    root: Path
    project: Project | None
    works: KnownWorks
    asked: Mapping[DOI, Resolution]
    units: PositionCodec
    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        self.options = self.settings.but(cite=True)
        self.path, self.text = to_fs_path(self.uri) or "untitled", _END.sub("\n", self.source)
        self.lines, self.trouble = Lines(self.text), ""

    def offset(self, position: t.Position) -> int:
        """Return the offset of a position."""
        return offset_of(self.text, position, self.units)

    def range(self, start: int, end: int) -> t.Range:
        """Return the range between two offsets."""
        (codec, width), positions = _codec(self.units), []
        for at in (start, end):
            line, column = self.lines.place(at)
            octets = self.text[at - column + 1 : at].encode(codec, "surrogatepass")
            positions.append(t.Position(line - 1, len(octets) // width))
        return t.Range(*positions)

    def edit(self, edits: Iterable[tuple[int, int, str]]) -> t.WorkspaceEdit:
        """Return an edit of the document, with its own line ends."""
        end = "\r\n" if "\r\n" in self.source else "\n"
        changes = [t.TextEdit(self.range(*at), new.replace("\n", end)) for *at, new in edits]
        return t.WorkspaceEdit({self.uri: changes})

    @cached_property
    def names(self) -> list[Found]:
        """The names, and the places that should have one."""
        read_as = partial(read, self.text, self.kind, self.options, self.path)
        try:
            return list(read_as(blocks=True, nameless=True))
        except CannotRead as error:
            self.trouble = f"{self.path}: {error}; not read"
            return []

    @cached_property
    def comments(self) -> list[IgnoreComment]:
        """The comments for the check."""
        return list(comments(self.text, self.kind, self.path))

    @cached_property
    def loud(self) -> list[Found]:
        """The names that no comment silences."""
        ignored = IgnoredLines(self.comments)
        return [each for each in self.names if ignored.comment_on(each) is None]

    @cached_property
    def report(self) -> CheckReport:
        """The check, which asks nobody: of the lock file, and of what was asked before."""
        works = "warn" if self.options.check_works == "off" else self.options.check_works
        options = self.options.but(check_offline=True, check_works=works)
        memory = Memory(dict(self.asked))
        return check(self.names, options, silences=self.comments, root=self.root, memory=memory)

    @cached_property
    def marks(self) -> list[Mark]:
        """What is to be underlined."""
        places = {(each.line, each.column): each.span for each in self.names}
        marks: list[Mark] = []
        rows: list[tuple[Any, str, Any, Problem | None]]
        rows = [(each, each.severity.value, each, each) for each in self.report.problems]
        rows += [(name, "remark", each, None) for name in self.loud for each in name.remarks]
        for place, severity, what, problem in rows:
            if place.line and what.code not in (_UNKNOWN if problem else _REPEATED):
                span = places.get((place.line, place.column))
                if span is None:  # from there to the end of the line
                    start = self.lines.starts[place.line - 1] + (place.column or 1) - 1
                    span = start, start + len(self.text[start:].partition("\n")[0])
                href = address(what.code if what.code in CODES else "remarks")
                diagnostic = t.Diagnostic(
                    self.range(*span), printable(what.message),
                    t.DiagnosticSeverity(_SEVERITIES[severity]), what.code,
                    t.CodeDescription(href) if href else None, "doilinks",
                )  # fmt: skip
                marks.append((span, diagnostic, problem))
        return marks

    def cited_at(self, at: int) -> tuple[WorkId, tuple[int, int]] | None:
        """Return the name, or the key of a ``.bib`` file, at an offset, and its place."""
        for each in self.names:
            if each.span and touches(each.span, at, at) and not isinstance(each.doi, NoName):
                return each.doi, each.span
        keys = self.works.bib_files.names
        start = max(self.text.rfind("\n", 0, at) + 1, at - _AROUND)
        for key in _KEY.finditer(self.text, start, at + _AROUND) if keys else ():
            if touches(key.span(), at, at) and key[0] in keys:
                return keys[key[0]], key.span()
        return None

    def card(self, doi: WorkId) -> str:
        """Describe a work in Markdown, in which a record and a document are text."""
        work, (_, url) = self.works.work(doi), text_and_target(doi, self.options)
        day = self.works.lockfile.day(doi) if isinstance(doi, DOI) else None
        file = inert(Path(self.works.name or "a lock file").name)
        last = f"[{inert(doi.uri)}](<{url}>)" if url else inert(doi.uri)
        last += f", known since {day} ({file})" if day else "" if work else f" is not in {file}"
        return f"{card(work)}\n\n{last}" if work else last

    @lru_cache(4)  # noqa: B019  an editor asks at each move of the cursor; four are few
    def changes(self, rules: frozenset[str], *missing: tuple[str, DOI]) -> Sequence[Change]:
        """Return what some rules of ``fix`` want, with its proof.

        :param missing: a reference without a DOI, and the DOI, for the rule ``doi-missing``
        """
        loud = [each for each in self.loud if not isinstance(each.doi, NoName)]
        right = corrections(self.report, loud, rules)
        # With this mark the text is UTF-8, whatever it declares.
        original = Original(BOM_UTF8 + self.text.encode("utf-8", "replace"), self.kind)
        has_roles = self.kind in ("rst", "py") and any(each.form == "role" for each in self.names)
        fix = partial(mend, original, self.kind, self.settings, rules, self.path)
        with suppress(CannotRead):
            return fix(right=right, missing=Missing(dict(missing), has_roles)).changes
        return ()

    @cached_property
    def _references(self) -> list[Reference]:
        with suppress(CannotRead):
            every = references(self.text, self.kind, self.options, self.path, names=self.names)
            return [each for each in every if not each.has_doi]
        return []

    def reference_at(self, at: int) -> Reference | None:
        """Return the reference without a DOI at an offset."""
        return next((each for each in self._references if each.start <= at <= each.stop), None)

    def ignoring(self, name: Found) -> tuple[int, int, str] | None:
        """Return the edit that silences a name by a comment; None if the type has none.

        The text, read again, has the same names, and a comment is about this one.
        """
        for at, new in self._comments_for(name.span[0] if name.span else 0):
            again = replace(self, source=self.text[:at] + new + self.text[at:])
            if [each.doi for each in again.names] == [each.doi for each in self.names]:
                loud = [[each.doi for each in one.loud].count(name.doi) for one in (self, again)]
                if loud[1] < loud[0]:
                    return at, at, new
        return None

    def _comments_for(self, at: int) -> Iterator[tuple[int, str]]:
        """Yield places and comments: at the end of the line, before the line, before the block."""
        text, row = self.text, TYPES[self.kind]
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        block = text.rfind("\n\n", 0, at) + 2 if "\n\n" in text[:at] else 0
        for syntax in filter(None, (row.comments, REST_COMMENTS if row.comments_by else None)):
            for comment in syntax.comments[:1]:
                if not syntax.to_blank_line:
                    yield end if end >= 0 else len(text), f" {comment.example}"
                for first in (start, block):
                    margin = re.compile(r"[^\S\n]*").match(text, first)
                    blank = "\n" * syntax.to_blank_line
                    yield first, f"{margin[0] if margin else ''}{comment.example}\n{blank}"

    def accepting(self, problem: Problem | None) -> tuple[Path, str, t.TextEdit] | None:
        """Return the pyproject.toml that can accept a work, a title, and the edit of the file."""
        project, doi = self.project, problem and problem.doi
        if project and doi and problem and "to check_accept" in CODES[problem.code].advice:
            names = {entry_of(doi): problem.code.removeprefix("doi-").replace("-", " ")}
            with suppress(OSError, ValueError):
                text = project.file.read_bytes().decode("utf-8")
                whole = t.Range(t.Position(0, 0), t.Position(text.count("\n") + 1, 0))
                edit = t.TextEdit(whole, extended(text, "check_accept", names)[1])
                return project.file, f"Accept {doi} in {project.file.name} [{problem.code}]", edit
        return None


def touches(span: tuple[int, int], start: int, end: int) -> bool:
    """Tell whether two ranges have a place in common, be it their ends."""
    return span[0] <= end and start <= span[1]
