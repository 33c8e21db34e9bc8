"""What an editor is told of one version of a document.

Nothing here knows the protocol of ``requests.py``: places are offsets in the text.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from ...core.doi import DOI
from ...core.found import Found, IgnoreComment, IgnoredLines
from ...core.nameless import NoName
from ...core.options import Options
from ...core.printable import inert, printable
from ...lock.bib_files import below
from ...lock.known_works import KnownWorks
from ...record.words import card
from ...shared.project import Project, project_of
from ...sources import CannotRead, comments, read
from ...sources.common import Lines
from ...sources.references import Reference, references
from ..cli.baseline import entry_of, extended
from ..cli.fix import corrections
from ..fix import RULES, Change, Missing, Original, chosen, mend

if TYPE_CHECKING:
    from ...ask.names import CheckReport, Problem
    from ...ask.names.problems import Memory


class ProjectSettings(NamedTuple):
    """What a project says, for the documents of a folder, in which the lock file is looked for."""

    options: Options
    root: Path
    project: Project | None = None

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Read the nearest pyproject.toml; an ``InvalidOption`` says what is wrong with it."""
        project = project_of(folder)
        options = Options.read({**project.options, **project.defaults()} if project else {})
        if project and "doi-publisher" in project.fix_select:
            options = options.but(publisher_urls="link")
        return cls(below(options, project.file.parent if project else folder), folder, project)


class Underline(NamedTuple):
    """What is wrong or doubtful at a place."""

    span: tuple[int, int]
    severity: str
    code: str
    message: str
    problem: Problem | None = None


# What the lock file does not know is not wrong.
_UNKNOWN: Final = frozenset({"doi-unknown", "doi-work-unknown", "doi-kept"})
# Remarks of which the check makes problems.
_REPEATED: Final = frozenset({"more-than-name", "bare-target", "text-names-another", "two-works"})
_SINGLE: Final = frozenset(rule.code for rule in RULES if not rule.house) - {"doi-missing"}
_KEY: Final = re.compile(r"(?<=[@{;` ])[\w:.#$%&\-+?<>~/]+(?<!\.)")  # of a `.bib` file
_AROUND: Final = 300  # characters in which a key is looked for


class EditedText:
    """One version of a document. All line ends are a line feed, as readers get them.

    :ivar trouble: why the document or the lock file cannot be read
    """

    def __init__(
        self, text: str, kind: str, path: str, settings: ProjectSettings, memory: Memory
    ) -> None:
        self.text, self.kind, self.path, self.memory = text, kind, path, memory
        self.settings, self.options = settings, settings.options.but(cite=True)
        self.lines = Lines(text)
        self.trouble: list[str] = []

    @cached_property
    def works(self) -> KnownWorks:
        """The works of the lock file and of ``.bib`` files."""
        options, root, _ = self.settings
        return _works_of(options, root, KnownWorks.stamp(options, root))

    @cached_property
    def names(self) -> list[Found]:
        """The names, and the places that should have one."""
        read_as = partial(read, self.text, self.kind, self.options, self.path)
        try:
            return list(read_as(blocks=True, nameless=True))
        except CannotRead as error:
            self.trouble.append(f"{self.path}: {error}; not read")
            return []

    @cached_property
    def comments(self) -> list[IgnoreComment]:
        """The comments for the check."""
        return list(comments(self.text, self.kind, self.path))

    @cached_property
    def report(self) -> CheckReport:
        """The check, which asks nobody: of the lock file, and of what was asked before."""
        from ...ask.names import InvalidLockfile
        from ...ask.works.check import check

        works = "warn" if self.options.check_works == "off" else self.options.check_works
        options = self.options.but(check_offline=True, check_works=works)
        more = {"silences": self.comments, "root": self.settings.root, "memory": self.memory}
        try:
            return check(self.names, options, **more)
        except InvalidLockfile as error:
            self.trouble.append(str(error))
            return check(self.names, options.but(check_lockfile=""), **more)

    @cached_property
    def marks(self) -> list[Underline]:
        """What is to be underlined."""
        places = {(each.line, each.column): each.span for each in self.names}
        marks = []
        for each in self.report.problems:
            if each.line is not None and each.code not in _UNKNOWN:
                span = places.get((each.line, each.column)) or self._line(each.line, each.column)
                marks.append(Underline(span, each.severity.value, each.code, each.message, each))
        ignored = IgnoredLines(self.comments)
        for name in self.names:
            span = name.span or self._line(name.line or 1, name.column)
            marks += [
                Underline(span, "remark", each.code, each.message)
                for each in (name.remarks if ignored.comment_on(name) is None else ())
                if each.code not in _REPEATED
            ]
        return marks

    def _line(self, line: int, column: int | None) -> tuple[int, int]:
        """Return where a line begins and ends, from a column on."""
        start = self.lines.starts[line - 1] + (column or 1) - 1
        end = self.text.find("\n", start)
        return start, end if end >= 0 else len(self.text)

    def cited_at(self, at: int) -> tuple[DOI, tuple[int, int]] | None:
        """Return the name, or the key of a ``.bib`` file, at an offset, and its place."""
        for each in self.names:
            if each.span and touches(each.span, at, at) and not isinstance(each.doi, NoName):
                return each.doi, each.span
        keys = self.works.bib_files.names
        start = max(self.text.rfind("\n", 0, at) + 1, at - _AROUND)
        words = _KEY.finditer(self.text, start, at + _AROUND) if keys else ()
        key = next((w for w in words if touches(w.span(), at, at) and w[0] in keys), None)
        return (keys[key[0]], key.span()) if key else None

    def card(self, doi: DOI, *, markdown: bool) -> str:
        """Describe a work. What is in a record or a document is text, also in Markdown."""
        work, day = self.works.work(doi), self.works.day(doi)
        url, name = doi.url_at(self.options.proxy), Path(self.works.name or "a lock file").name
        last = f"[{inert(doi.uri)}](<{url}>)" if markdown and url else printable(url or doi.uri)
        file = inert(name) if markdown else printable(name)
        last += f", known since {day} ({file})" if day else "" if work else f" is not in {file}"
        return f"{card(work, markdown=markdown)}\n\n{last}" if work else last

    def changes(self, *, fix_all: bool) -> Sequence[Change]:
        """Return what the rules of ``fix`` want: those of the project, or each for itself."""
        project = self.settings.project
        select, ignore = (project.fix_select, project.fix_ignore) if project else ((), ())
        wanted = chosen(select, ignore, asks=False)
        return self._changes(wanted if fix_all else wanted | _SINGLE)

    def with_doi(self, reference: Reference, doi: DOI) -> Sequence[Change]:
        """Return the change that gives a reference its DOI, with the proof that ``find`` needs."""
        return self._changes(frozenset({"doi-missing"}), (reference.text, doi))

    @lru_cache(4)  # noqa: B019  an editor asks at each move of the cursor; four are few
    def _changes(self, wanted: frozenset[str], *missing: tuple[str, DOI]) -> Sequence[Change]:
        ignored = IgnoredLines(self.comments)
        names = [each for each in self.names if not isinstance(each.doi, NoName)]
        loud = [each for each in names if ignored.comment_on(each) is None]
        right = corrections(self.report, loud, wanted)
        # With this mark the text is UTF-8, whatever it declares.
        original = Original(BOM_UTF8 + self.text.encode("utf-8", "replace"), self.kind)
        has_roles = self.kind in ("rst", "py") and any(each.form == "role" for each in names)
        fix = partial(mend, original, self.kind, self.settings.options, wanted, self.path)
        with suppress(CannotRead):
            return fix(right=right, missing=Missing(dict(missing), has_roles)).changes
        return ()

    @cached_property
    def references(self) -> list[Reference]:
        """The references that have no DOI."""
        with suppress(CannotRead):
            every = references(self.text, self.kind, self.options, self.path, names=self.names)
            return [each for each in every if not each.has_doi]
        return []

    def accepting(self, problem: Problem) -> tuple[Path, str, str] | None:
        """Return the pyproject.toml that accepts a work, its text before and after, if one can."""
        from ...ask.names.codes import CODES

        project, doi = self.settings.project, problem.doi
        if project is None or doi is None or "to check_accept" not in CODES[problem.code].advice:
            return None
        names = {entry_of(doi): problem.code.removeprefix("doi-").replace("-", " ")}
        with suppress(OSError, ValueError):
            text = project.file.read_bytes().decode("utf-8")
            return project.file, text, extended(text, "check_accept", names)[1]
        return None


def touches(span: tuple[int, int], start: int, end: int) -> bool:
    """Tell whether two ranges have a place in common, be it their ends."""
    return span[0] <= end and start <= span[1]


@lru_cache(8)
def _works_of(options: Options, root: Path, _stamp: tuple[int, ...]) -> KnownWorks:
    return KnownWorks.of(options, root)
