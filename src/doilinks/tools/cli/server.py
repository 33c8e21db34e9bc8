"""``doilinks server``, and what an editor is told of one version of a document.

Nothing here knows the protocol, which is in :mod:`.protocol`: places are offsets in the text.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import click

from ...cite.citations import parse, parse_role
from ...core.doi import DOI, InvalidDOI
from ...core.found import REST_COMMENTS, Found, IgnoreComment, IgnoredLines
from ...core.nameless import NoName
from ...core.options import Options
from ...core.printable import inert, printable
from ...lock.bib_files import BibKey, below
from ...lock.known_works import KnownWorks
from ...record.part import fold
from ...record.words import (
    beside_state,
    hover,
    isolated,
    people_in_words,
    reference,
    shortened,
    state_of,
    year_of,
)
from ...record.work import Work
from ...shared.project import Project, project_of
from ...sources import TYPES, CannotRead, comments, read
from ...sources.common import Lines
from ...sources.escapes import to_latex
from ...sources.references import Reference, references
from ..fix import RULES, Change, Missing, Original, chosen, mend
from .baseline import entry_of, extended
from .fix import corrections

if TYPE_CHECKING:
    from ...ask.names import CheckReport, Problem
    from ...ask.names.problems import Memory


@click.command(
    short_help="Serve an editor, by the Language Server Protocol.",
    epilog="\b\nExample, in the settings of an editor:\n  doilinks server",
)
@click.option("--stdio", is_flag=True, help="Use standard input and output, as without this flag.")
def server(stdio: bool) -> int:  # noqa: ARG001  many clients pass it
    """Serve an editor on standard input and output, by the Language Server Protocol.

    The editor shows what is wrong with a DOI, and the work that it stands for, from the lock file
    of the project. No server is asked unless the settings of the editor say {"check": "onSave"}.
    """
    try:
        from .protocol import serve
    except ImportError as error:
        raise click.ClickException(f'{error}: pip install "doilinks[server]"') from error
    serve()
    return 0


def jupyter_lsp_spec(_manager: object) -> dict[str, dict[str, Any]]:
    """Tell jupyter-lsp how to start the server, and for which documents."""
    languages = ["markdown", "rst", "python", "latex", "bibtex", "r", "julia", "plain"]
    types = [f"text/x-{each}" for each in (*languages, "gfm", "ipythongfm")]
    return {
        "doilinks": {
            "version": 2, "argv": ["doilinks", "server"], "languages": languages,
            "mime_types": [*types, "text/plain", "text/markdown"], "display_name": "doilinks",
        }
    }  # fmt: skip


class ProjectSettings(NamedTuple):
    """What a project says, for the documents of a folder.

    :ivar root: the folder of the document, from which the lock file is looked for
    """

    options: Options
    root: Path
    project: Project | None = None

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Read the nearest pyproject.toml; an ``InvalidOption`` says what is wrong with it."""
        project = project_of(folder)
        values = {**project.options, **project.defaults()} if project else {}
        options = Options.read(values)
        if "doi-publisher" in (project.fix_select if project else ()):
            options = options.but(publisher_urls="link")
        return cls(below(options, project.file.parent if project else folder), folder, project)


class Mark(NamedTuple):
    """What is wrong or doubtful at a place."""

    span: tuple[int, int]
    severity: str
    code: str
    message: str
    problem: Problem | None = None


class Completion(NamedTuple):
    """A work that can be cited at a place."""

    span: tuple[int, int]  # what is replaced
    new: str
    doi: DOI
    work: Work
    words: str  # by which it is found


# What the lock file does not know is not wrong.
_UNKNOWN: Final = frozenset({"doi-unknown", "doi-work-unknown", "doi-kept"})
# Remarks of which the check makes problems.
_REPEATED: Final = frozenset({"more-than-name", "bare-target", "text-names-another", "two-works"})
_SINGLE: Final = frozenset(rule.code for rule in RULES if not rule.house) - {"doi-missing"}
_MOST: Final = 500  # completions


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
            self.trouble.append(f"{self.path}: not read: {error}")
            return []

    @cached_property
    def comments(self) -> list[IgnoreComment]:
        """The comments for the check."""
        return list(comments(self.text, self.kind, self.path))

    def names_in(self, start: int, end: int) -> list[Found]:
        """Return the names that a range touches."""
        return [each for each in self.names if _touches(each.span, start, end)]

    @cached_property
    def report(self) -> CheckReport:
        """The check, which asks nobody: of the lock file, and of what was asked on saving."""
        from ...ask.names import InvalidLockfile
        from ...ask.works.check import check

        works = "warn" if self.options.check_works == "off" else self.options.check_works
        options = self.options.but(check_offline=True, check_works=works)
        offline = partial(
            check, self.names, silences=self.comments, root=self.settings.root, memory=self.memory
        )
        try:
            return offline(options)
        except InvalidLockfile as error:
            self.trouble.append(str(error))
            return offline(options.but(check_lockfile=""))

    def marks(self) -> Iterator[Mark]:
        """Yield what is to be underlined."""
        places = {(each.line, each.column): each for each in self.names}
        for each in self.report.problems:
            if each.line is not None and each.code not in _UNKNOWN:
                place = places.get((each.line, each.column))
                span = (place and place.span) or self._line(each.line, each.column or 1)
                yield Mark(span, each.severity.value, each.code, each.message, each)
        ignored = IgnoredLines(self.comments)
        for name in self.names:
            for remark in name.remarks if ignored.comment_on(name) is None else ():
                if remark.code not in _REPEATED and name.line is not None:
                    span = name.span or self._line(name.line, name.column or 1)
                    yield Mark(span, "remark", remark.code, remark.message)

    def _line(self, line: int, column: int = 1) -> tuple[int, int]:
        """Return where a line begins and ends, from a column on."""
        starts = self.lines.starts
        start, end = starts[line - 1] + column - 1, self.text.find("\n", starts[line - 1])
        return start, max(start, end if end >= 0 else len(self.text))

    # What is shown of a work.

    def cited_at(self, at: int) -> tuple[DOI, tuple[int, int]] | None:
        """Return the name, or the key of a ``.bib`` file, at an offset, and its place."""
        for each in self.names_in(at, at):
            if each.span and not isinstance(each.doi, NoName):
                return each.doi, each.span
        keys = self.works.bib_files.names
        start = max(self.text.rfind("\n", 0, at) + 1, at - 300)
        for word in _KEY.finditer(self.text, start, at + 300) if keys else ():
            if _touches(word.span(), at, at) and word[0] in keys:
                return keys[word[0]], word.span()
        return None

    def card(self, doi: DOI, *, markdown: bool) -> str:
        """Describe a work. What is in a record or a document is text, also in Markdown."""
        work, day = self.works.work(doi), self.works.day(doi)
        plain = inert if markdown else printable
        url = doi.url_at(self.options.proxy)
        link = f"[{inert(doi.uri)}](<{url}>)" if markdown and url else printable(url or doi.uri)
        since = f", known since {day} ({plain(self.works.name)})" if day else ""
        if work is None:
            fetch = "" if day else f" is not in {plain(self.works.name or 'a lock file')}"
            return f"{link}{since or fetch}"
        bold = "**" if markdown else ""
        state, title = state_of(work), isolated(plain(beside_state(work.title, work)))
        people = isolated(plain(people_in_words(work)))
        lines = [f"{bold}{state}.{bold}"] if state else []
        lines += [f"{bold}{title}{bold}"] if title else []
        lines += [f"{people} ({plain(year_of(work))}).".lstrip()]
        lines[-1] += f" {isolated(plain(work.container))}." if work.container else ""
        return "\n\n".join([*lines, link + since])

    # What can be typed.

    def completions(self, at: int) -> Iterator[Completion]:
        """Yield the works that fit the words before an offset, as they are written there."""
        before = self.text[max(self.text.rfind("\n", 0, at) + 1, at - 500) : at]
        place = _place_of(before, self.kind, self.options)
        if place is None:
            return
        start, words, forms = place
        start += at - len(before)
        is_closed = self.text[start : start + 1] == "{" and self.text[at : at + 1] == "}"
        wanted = fold(words).split()
        left = _MOST
        for doi, work, index in _index_of(self.works):
            if left and all(word in index for word in wanted):
                if new := next(iter(forms(doi)), None):
                    left -= 1
                    yield Completion((start, at + is_closed), new, doi, work, index)

    # What can be changed.

    def changes(self, *, fix_all: bool) -> Sequence[Change]:
        """Return what the rules of ``fix`` want: those of the project, or each for itself."""
        project = self.settings.project
        codes = (project.fix_select, project.fix_ignore) if project else ((), ())
        wanted = chosen(*codes, asks=False)
        return self._changes(wanted if fix_all else wanted | _SINGLE)

    @lru_cache(4)  # noqa: B019  an editor asks again at each move of the cursor
    def _changes(self, wanted: frozenset[str], *missing: tuple[str, DOI]) -> Sequence[Change]:
        ignored = IgnoredLines(self.comments)
        names = [
            each
            for each in self.names
            if not isinstance(each.doi, NoName) and ignored.comment_on(each) is None
        ]
        right = corrections(self.report, names, wanted)
        # With this mark, whatever the text declares, it is UTF-8.
        original = Original(BOM_UTF8 + self.text.encode("utf-8", "replace"), self.kind)
        roles = self.kind in ("rst", "py") and any(each.form == "role" for each in names)
        references = Missing(dict(missing), roles)
        mended = partial(mend, original, self.kind, self.settings.options, wanted, self.path)
        try:
            return mended(right=right, missing=references).changes
        except CannotRead:
            return ()

    def reference_at(self, at: int) -> Reference | None:
        """Return the reference without a DOI at an offset."""
        every = self._references
        return next((each for each in every if each.start <= at <= each.stop), None)

    @cached_property
    def _references(self) -> list[Reference]:
        with suppress(CannotRead):
            read_as = references(self.text, self.kind, self.options, self.path, names=self.names)
            return [each for each in read_as if not each.has_doi]
        return []

    def with_doi(self, missing: Reference, doi: DOI) -> Sequence[Change]:
        """Return the change that gives a reference its DOI, proved as those of ``find`` are."""
        return self._changes(frozenset({"doi-missing"}), (missing.text, doi))

    def ignoring(self, name: Found) -> tuple[int, str] | None:
        """Return where a comment silences a name, and the comment; None if the type has none."""
        row = TYPES[self.kind]
        line = name.line or 1
        (start, end), above = self._line(line), line
        while above > 1 and self.text[slice(*self._line(above - 1))].strip():
            above -= 1
        block = self._line(above)[0]
        syntaxes = [row.comments, REST_COMMENTS] if row.comments_by else [row.comments]
        for syntax in filter(None, syntaxes):
            mark, after = syntax.comments[0].example, "\n\n" if syntax.to_blank_line else "\n"
            ways = [(end, f" {mark}")] if not syntax.to_blank_line else []
            for at in (start, block):
                margin = self.text[at:].partition("\n")[0]
                margin = margin[: len(margin) - len(margin.lstrip())]
                ways.append((at, f"{margin}{mark}{after}"))
            for at, new in ways:
                if self._silences(at, new, name):
                    return at, new
        return None

    def _silences(self, at: int, new: str, name: Found) -> bool:
        """Tell whether a text with a comment has the same names, and one more is silenced."""
        text = self.text[:at] + new + self.text[at:]
        with suppress(CannotRead):
            names = list(read(text, self.kind, self.options, self.path, nameless=True))
            ignored = IgnoredLines(comments(text, self.kind, self.path))
            silent = [each.doi for each in names if ignored.comment_on(each)]
            return [each.doi for each in names] == [each.doi for each in self.names] and (
                name.doi in silent
            )
        return False

    def accepting(self, problem: Problem) -> tuple[Path, str, str] | None:
        """Return the pyproject.toml that accepts a work, its text before and after, if one can."""
        from ...ask.names.codes import CODES

        project, doi = self.settings.project, problem.doi
        if project is None or doi is None or "to check_accept" not in CODES[problem.code].advice:
            return None
        reason = problem.code.removeprefix("doi-").replace("-", " ")
        with suppress(OSError, ValueError):
            text = project.file.read_bytes().decode("utf-8")
            return project.file, text, extended(text, "check_accept", {entry_of(doi): reason})[1]
        return None


def _touches(span: tuple[int, int] | None, start: int, end: int) -> bool:
    return span is not None and span[0] <= end and start <= span[1]


@lru_cache(8)
def _works_of(options: Options, root: Path, _stamp: tuple[int, ...]) -> KnownWorks:
    return KnownWorks.of(options, root)


@lru_cache(8)
def _index_of(works: KnownWorks) -> Sequence[tuple[DOI, Work, str]]:
    """Return each work with the words by which it is found."""
    both = ((doi, works.work(doi)) for doi in works.names())
    return [
        (doi, work, f"{doi.name} {fold(f'{work.title} {people_in_words(work)} {hover(work)}')}")
        for doi, work in both
        if work is not None
    ]


# --------------------------------------------------------------------------------------------------
# How a work is written where the cursor is. Each form is read again, and the first that is right
# is taken.

_KEY: Final = re.compile(r"(?<=[@{;` ])[\w:.#$%&\-+?<>~/]+(?<!\.)")
_CITED: Final = re.compile(
    r"(?<![^\W_])@(\{?(?P<label>doi:)?(?P<words>[^\[\]@;{}`]{0,99}))\Z", re.IGNORECASE
)
_ROLE: Final = re.compile(
    r"(?P<role>:doi(?::cite(?::?[a-z]{1,2})?)?:|\{doi(?::cite(?::?[a-z]{1,2})?)?\})`(?:[^`;]*;)*[ ]?"
    r"(?P<words>[^`;]{0,99})\Z"
)
_FIELD: Final = re.compile(r"\bdoi\s*=\s*[{\"](?P<words>[^{}\"]{0,99})\Z", re.IGNORECASE)
_LABEL: Final = re.compile(r"(?<![\w@:{/.-])doi:[ \t]?(?P<words>[^`@;{}]{0,99})\Z", re.IGNORECASE)
_Forms = Any
_MARKDOWN: Final = ("md", "ipynb")


def _place_of(before: str, kind: str, options: Options) -> tuple[int, str, _Forms] | None:
    """Return where the words before the cursor begin, the words, and how a work is written."""
    files, row = options.cite_bib, TYPES[kind]
    prose = "rst" if row.program or row.lexer else "md" if kind == "ipynb" else kind
    if kind == "bib" and (found := _FIELD.search(before)):
        return found.start("words"), found["words"], partial(_in_field)
    found = _CITED.search(before) if kind in _MARKDOWN else None
    if found and (found["label"] or before.rfind("[") > before.rfind("]")):
        return found.start(1), found["words"], partial(_as_citation, found["label"], files)
    if found := _ROLE.search(before):
        return found.start("words"), found["words"], partial(_in_role, found["role"], files)
    if found := _LABEL.search(before):
        return found.start("words"), found["words"], partial(_in_prose, prose)
    return None


def _in_field(doi: DOI) -> Iterator[str]:
    for form in _forms(doi):
        names = list(read(f"@misc{{a, doi = {{{form}}}}}", "bib", Options()))
        if [each.doi for each in names] == [doi] and not names[0].remarks:
            yield form


def _as_citation(label: str | None, files: Sequence[str], doi: DOI) -> Iterator[str]:
    is_key = isinstance(doi, BibKey)
    if is_key and label:
        return
    form = doi.name.removeprefix("@") if is_key else doi.uri
    for new in (form, f"{{{form}}}"):
        clusters = list(parse(f"@{new} [p. 3]", files))
        if [[cite[::2] for cite in each.cites] for each in clusters] == [[(doi, ", p. 3")]]:
            yield new


def _in_role(role: str, files: Sequence[str], doi: DOI) -> Iterator[str]:
    for form in _forms(doi):
        with suppress(InvalidDOI):
            if "cite" in role:
                if [cite[:3] for cite in parse_role(form, files)] == [(doi, "", "")]:
                    yield form
            elif _reads(f":doi:`{form}`", "rst", doi):
                yield form


def _in_prose(kind: str, doi: DOI) -> Iterator[str]:
    return (form for form in _forms(doi) if _reads(f"doi:{form}", kind, doi))


def _forms(doi: DOI) -> Iterable[str]:
    """Return the ways to write a name after a label; the key of a work without a name."""
    if isinstance(doi, BibKey):
        return (doi.name[1:],)
    encoded = doi.uri.removeprefix("doi:")
    return (encoded, doi.name, to_latex(encoded), to_latex(doi.name))


def _reads(text: str, kind: str, doi: DOI) -> bool:
    with suppress(CannotRead):
        return [each.doi for each in read(text, kind, Options())] == [doi]
    return False


def in_words(doi: DOI, work: Work) -> tuple[str, str]:
    """Return a work in a line, and the whole reference."""
    whole = "".join(run.text for run in reference(doi, work))
    return shortened(hover(work), 80), f"{whole} {doi.url}".rstrip()
