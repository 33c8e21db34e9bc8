"""``doilinks find``: the DOIs of references that have none."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ...core.options import Options
from ...core.printable import counted, inert, printable
from ...shared.streams import say
from ...sources import Source, load, read
from ...sources.references import Reference, references
from ..fix import Missing
from .check import asked
from .files import FileFlags, Say, file_flags, for_each_file, sources_at, unread
from .options import ASKING, option_flags, settings_from
from .outputs import OrderedCommand, output_flags, outputs_of, write
from .terminal import warn

if TYPE_CHECKING:
    from ...ask.names import Problem
    from ...ask.works.find import Question
    from ...record.fitting import Fit
    from ...record.work import Work

_FORMATS: Final = ("text", "json", "markdown")
# What gives a project of Sphinx the role: doilinks, sphinxcontrib.doi, extlinks, doi_role.py.
_SETS_ROLE: Final = (
    r"[\"'](?:doilinks\.sphinx|sphinxcontrib\.doi|(?:\w+\.)*doi_role)[\"']|[\"']doi[\"']\s*:\s*\("
)
_ROLE: Final = re.compile(_SETS_ROLE)
HAS_ROLE: Final = re.compile(f"{_SETS_ROLE}|role\\(\\s*[\"']doi[\"']|:doi:`")
_SHOWN: Final = 100  # characters of a text in a table


@dataclass
class ReferenceRow:
    """A reference; what is asked if it has no DOI; what fits it, None if it was not asked."""

    file: str
    reference: Reference
    question: Question | None
    fit: Fit | None = None


def _gather(
    sources: Sequence[Source],
    options: Options,
    jobs: int | None,
    fail: Callable[[str, str], object],
) -> tuple[list[ReferenceRow], Missing]:
    """Gather the references of all sources, and whether one of them has a role for DOIs."""
    rows: list[ReferenceRow] = []
    missing = Missing()

    def take(_source: Source, gathered: tuple[list[ReferenceRow], bool]) -> None:
        rows.extend(gathered[0])
        missing.has_roles |= gathered[1]

    task = partial(_references_of, options=options)
    for_each_file(sources, "reading", task, jobs, take, fail)
    return rows, missing


def _references_of(source: Source, say: Say, options: Options) -> tuple[list[ReferenceRow], bool]:
    from ...ask.works.find import question_of

    text = load(source, say)
    names = list(read(text, source.kind, options, source.path))
    rows = []
    for each in references(text, source.kind, options, source.path, names=names):
        question = None if each.has_doi or each.unread else question_of(each.text)
        if question or each.has_doi or each.unread:
            rows.append(ReferenceRow(source.path, each, question))
    is_set = Path(source.path).name == "conf.py" and _ROLE.search(text)
    # A command of LaTeX has this form too.
    is_used = source.kind in ("rst", "py") and any(each.form == "role" for each in names)
    return rows, bool(is_set or is_used)


@click.command(
    cls=OrderedCommand,
    short_help="Find the DOIs of references that have none.",
    epilog="\b\nExamples:\n  doilinks find docs/ src/\n  doilinks find --dry-run docs/\n"
    "  doilinks find --diff docs/ src/\n  doilinks find --format markdown --offline docs/",
)
@output_flags(_FORMATS)
@click.option("--write", "writes", is_flag=True, help="Write the DOIs into the sources.")
@click.option("--diff", is_flag=True, help="Print what would be written, as a unified diff.")
@click.option("--dry-run", is_flag=True, help="Print what would be sent, and send nothing.")
@click.option("--retracted", is_flag=True, help="Also write the DOIs of works that are retracted.")
@click.option("--update", is_flag=True, help="Ask again for texts in the lock file too.")
@file_flags
@option_flags(*ASKING, "check_unknown")
def find(
    paths: tuple[str, ...],
    forms: tuple[str, ...],
    files: tuple[str, ...],
    quiet: bool,
    writes: bool,
    diff: bool,
    dry_run: bool,
    retracted: bool,
    update: bool,
    **flags: object,
) -> int:
    """Find the DOIs of the references in the PATHs that have none.

    The text of such a reference is sent to Crossref, and to DataCite if it is about software or
    data, once: the answer is kept in the lock file. A DOI is proposed only if doilinks' own
    comparison says that one work, and no other, is the one that the text describes.

    Exit codes: 0 nothing is proposed, or all is written; 1 DOIs are proposed; 2 wrong usage, or a
    file that could not be read or written; 3 some texts could not be asked about (only with
    --check-unknown error); 4 a fault of doilinks ended the search early.
    """
    from .fix import FixRun  # it takes this module for its rule

    if writes + diff + dry_run > 1:
        raise click.UsageError("--write, --diff and --dry-run exclude each other")
    outputs = outputs_of(forms, files)
    which = FileFlags.take(flags)
    options, root = settings_from(flags)
    run = FixRun(options, frozenset({"doi-missing"}), which.jobs, diff, False, quiet, warn)
    sources = sources_at(paths, which, run.fail, writes=writes or diff)
    if writes and any(source.path == "-" for source in sources):
        raise click.UsageError("--write: standard input cannot be written; use --diff")
    rows, run.missing = _gather(sources, options, which.jobs, run.fail)
    if dry_run:
        _show_texts(rows)
        return 2 if run.failed else 0
    rows = [row for row in rows if not row.reference.unread]
    problems, count = _ask(rows, run.missing, options, root, update=update, retracted=retracted)
    for problem in problems:
        warn(problem.message)
        if problem.code == "doi-lockfile":
            options = options.but(check_lockfile="")
    if writes or diff:
        run.mend(sources)
        run.end()
    for output in outputs if not diff else ():
        shown = _render(output.form, rows, options, is_asked=count > 0, quiet=quiet)
        run.failed += not write(output, shown)
    if run.failed:
        return 2
    proposed = [row for row in rows if row.fit and row.fit.sure]
    unwritten = [row for row in proposed if row.reference.text not in run.missing.names]
    if run.left or unwritten if writes else proposed:
        return 1
    is_unknown = any(row.question and not row.fit for row in rows)
    return 3 if is_unknown and options.check_unknown == "error" else 0


def kept_names(
    sources: Sequence[Source], options: Options, root: Path, jobs: int | None
) -> Missing:
    """Find the names that the lock file has for references, without asking anybody."""
    rows, missing = _gather(sources, options, jobs, unread)
    _ask(rows, missing, options.but(check_offline=True), root)
    return missing


def _ask(
    rows: Sequence[ReferenceRow],
    missing: Missing,
    options: Options,
    root: Path,
    *,
    update: bool = False,
    retracted: bool = False,
) -> tuple[Sequence[Problem], int]:
    """Find the works of references; return what went wrong, and how many texts were sent."""
    from ...ask.works.find import find as find_works

    questions = [row.question for row in rows if row.question]
    works = partial(find_works, root=root, update=update)
    fits, problems, count = asked(works, questions, options, quiet=True)
    for row in rows:
        row.fit = fits.get(row.question.text) if row.question else None
        if row.fit and row.fit.doi and (retracted or not row.fit.is_retracted):
            missing.names[row.reference.text] = row.fit.doi
    return problems, count


# --------------------------------------------------------------------------------------------------
# The output.


def _show_texts(rows: Sequence[ReferenceRow]) -> None:
    """Print what would be sent, and what was not read where references are."""
    for text in dict.fromkeys(row.question.text for row in rows if row.question):
        say(text)
    for row in rows:
        if row.reference.unread:
            place, text = f"{row.file}:{row.reference.line}", " ".join(row.reference.text.split())
            warn(f"{place}: not read as a reference, because {row.reference.unread}: {_cut(text)}")


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _render(
    form: str, rows: Sequence[ReferenceRow], options: Options, *, is_asked: bool, quiet: bool
) -> str:
    if form == "json":
        return json.dumps([_as_json(row) for row in rows if row.question], indent=2) + "\n"
    found = [(row, row.fit) for row in rows if row.fit and row.fit.works]
    if form == "markdown":
        lines = ["| File | Reference | DOI | Registered title | Agrees |", "|---|---|---|---|---|"]
        lines += [_as_markdown(row, fit) for row, fit in found if fit.sure]
    else:
        lines = [printable(_as_text(row, fit)) for row, fit in found]
        lines += [] if quiet else [printable(_summary(rows, options, is_asked=is_asked))]
    return "".join(f"{line}\n" for line in lines)


def _as_text(row: ReferenceRow, fit: Fit) -> str:
    from ...ask.works.problems import in_words

    doi, work = fit.works[0]
    said = f"{doi.legible} for {in_words(work)}: {fit.why}"
    if fit.is_retracted:
        said += "; the work is retracted: add --retracted to write it"
    if not fit.sure:
        said = f"{fit.why}, none is proposed: " + ", ".join(
            doi.legible + (f" ({work.years[0]})" if work.years else "") for doi, work in fit.works
        )
    return f"{row.file}:{row.reference.line}: {said}"


def _summary(rows: Sequence[ReferenceRow], options: Options, *, is_asked: bool) -> str:
    kinds = Counter({"with a DOI": 0, "found": 0, "doubtful": 0, "not found": 0})
    kinds.update(map(_kind, rows))
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    lockfile = options.check_lockfile if any(row.fit for row in rows) else ""
    source = ["asked of Crossref"] if is_asked else []
    source += [f"kept in {lockfile}" if is_asked else f"from {lockfile}"] if lockfile else []
    shown = f" ({'; '.join(source)})" if source else ""
    return f"{counted(len(rows), 'reference')}: {counts}{shown}"


def _kind(row: ReferenceRow) -> str:
    if row.reference.has_doi:
        return "with a DOI"
    if row.fit is None:
        return "not asked about"
    return "found" if row.fit.sure else "doubtful" if row.fit.works else "not found"


def _as_json(row: ReferenceRow) -> dict[str, Any]:
    place, fit = row.reference, row.fit
    works = [{"name": doi.uri, **_work(work)} for doi, work in fit.works] if fit else []
    return {
        "file": row.file,
        "line": place.line,
        "column": place.column,
        "text": place.text,
        "name": works[0]["name"] if fit and fit.sure else None,
        "work": _work(fit.works[0][1]) if fit and fit.sure else None,
        "candidates": works,
        "why": fit.why if fit else "",
    }


def _work(work: Work) -> dict[str, Any]:
    state = {"status": str(work.status)} if work.status else {}
    year = next(iter(work.years), None)
    return {"title": work.title, "people": list(work.names), "year": year, **state}


def _as_markdown(row: ReferenceRow, fit: Fit) -> str:
    """Return a table row for a pull request. All text is that of others, so all is inert."""
    (doi, work), text = fit.works[0], row.question.text if row.question else ""
    place, shown = inert(f"{row.file}:{row.reference.line}"), inert(_cut(text))
    title = "**retracted** " * fit.is_retracted + inert(work.title)
    return f"| {place} | {shown} | [{inert(doi.legible)}](<{doi.url}>) | {title} | {fit.why} |"
