"""``doilinks works``: every work of a project, with where it stands, for people and programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import click

from ...cite.references import Mention, References, Style
from ...cite.style import names, style_of
from ...core.doi import DOI
from ...core.found import Found, Listed
from ...core.options import Options
from ...core.printable import counted, inert, printable
from ...lock.known_works import KnownWorks
from ...record.kinds import Status
from ...record.words import ISOLATES, StyledText
from ...record.work import Work
from ...shared.program import fault
from ...shared.streams import say, say_painted, write_output
from .check import asked
from .files import FileFlags, cache_flag, file_flags, gather
from .options import CHECK_OPTIONS, nearest_project, option_flags, publisher_flag, settings_from
from .outputs import OrderedCommand, Output, output_flags, outputs_of, write
from .page import marked_up, page_of
from .since import names_at
from .terminal import NAME, warn

_FORMATS: Final = ("text", "csl-json", "bibtex", "html", "markdown")
_FIXED: Final = {"check_offline", "check_suggest", "check_unknown", "check_works"}
# The state of a work by the code of the check; the gravest first.
NOT_FOUND, FOUND, UNKNOWN = "not found", "found", "not known"
_STATES: Final = {
    "doi-not-found": NOT_FOUND,
    "doi-no-values": NOT_FOUND,
    "doi-deleted": NOT_FOUND,
    "doi-retracted": "retracted",
    "doi-concern": "of concern",
    "doi-other-work": "another work",
    "doi-other-people": "another work",
    "doi-two-works": "another work",
    "doi-corrected": "corrected",
    "doi-newer": "newer version",
}
# A work stays retracted where a comment silences the check.
_BECAME: Final = {
    Status.RETRACTED: "retracted",
    Status.CONCERN: "of concern",
    Status.CORRECTED: "corrected",
}
_TROUBLE: Final = ("doi-unknown", "doi-work-unknown", "doi-lockfile")  # why something is not known
STATES: Final = (*dict.fromkeys(_STATES.values()), UNKNOWN, FOUND)
_ENDINGS: Final = {".bib": "bibtex", ".json": "csl-json", ".html": "html", ".md": "markdown"}
_NO_ISOLATES: Final = str.maketrans(dict.fromkeys(ISOLATES))
_COLOURS: Final = {NOT_FOUND: "red", "retracted": "red", FOUND: "green"}
_TEXT: Final = 200  # characters of a text in a table


@dataclass
class Listing:
    """A work of a project."""

    doi: DOI
    work: Work | None  # None if it is not known
    anchor: str  # an id for its entry
    runs: Sequence[StyledText]  # the work as a reference; empty if it is not known
    places: list[Found]  # of its name
    states: list[str] = field(default_factory=list)  # the gravest first
    # Messages of the check, each with its place.
    remarks: list[tuple[str, str]] = field(default_factory=list)


def _list_styles(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        say("\n".join(sorted(names())) or 'There are none: pip install "doilinks[csl]"')
        context.exit()


@click.command(
    cls=OrderedCommand,
    short_help="List every work of a project, also as Markdown, CSL-JSON, BibTeX or a page.",
    epilog="\b\nExamples:\n  doilinks works --fetch docs/\n"
    "  doilinks works --format bibtex --output references.bib docs/\n"
    "  doilinks works --format html --output works.html docs/ paper/\n"
    "  doilinks works --since main --format markdown docs/",
)
@output_flags(_FORMATS)
@click.option("--fetch/--offline", help="Ask about names and works that the lock file does "
              "not have, or not of late, and write it; or, the default, nobody.")  # fmt: skip
@click.option("--since", metavar="REV", help="List the works of the names alone that these files "
              "did not have at a revision of git.")  # fmt: skip
@click.option("--list-styles", is_flag=True, is_eager=True, expose_value=False,
              callback=_list_styles, help="List the names of --cite-style.")  # fmt: skip
@file_flags
@cache_flag
@option_flags("bare", "ignore", "arxiv", "cite_style", *(set(CHECK_OPTIONS) - _FIXED))
@publisher_flag
def works(
    paths: tuple[str, ...],
    forms: tuple[str, ...],
    files: tuple[str, ...],
    quiet: bool,
    fetch: bool,
    since: str | None,
    **flags: object,
) -> int:
    """List every work that is named in the PATHs, or cited as @doi:10.1000/182, with its places.

    Works are those of the lock file; nothing is asked without --fetch, which asks as `doilinks
    check` does. A work that is not known is named on standard error, unless check_ignore or
    check_accept has its name. Text and page list it; CSL-JSON and BibTeX do without.

    In Markdown, works are a list of references; with --since, a table for those who review a
    change, with the words of the text beside the work that the name stands for.

    The page is one file that needs nothing else. PATHs are read as `doilinks scan --cite` reads
    them.

    With --fetch, standard output has the works that are new or that something is wrong with. An
    --output without a --format is in the format of its ending: .bib, .json, .html or .md.

    Exit codes: 0 every work is known, 1 some are not, 2 wrong usage or a file that could not be
    read or written, 4 a fault of doilinks ended the check early.
    """
    outputs = outputs_of(forms, files, _ENDINGS)
    which = FileFlags.take(flags)
    options, root = settings_from(flags)
    if not options.check_lockfile:
        raise click.UsageError("there is no lock file, because check_lockfile is empty")
    if fetch and options.check_offline:
        raise click.UsageError("--fetch: check_offline is on, so nothing can be asked")
    options = options.but(check="warn", check_offline=not fetch, check_suggest=False, cite=True)
    if options.check_works == "off":
        options = options.but(check_works="warn")
    from ...ask.works.check import check as check_works

    before = names_at(since, paths, which, options) if since is not None else set()
    gathered = gather(paths, which, options, blocks=True)
    if since is not None:
        gathered.places = [each for each in gathered.places if each.doi not in before]
    ask = partial(check_works, silences=gathered.silences, root=root)
    known_works = KnownWorks.of(options, root)
    had = {each.doi for each in gathered.places if fetch and known_works.work(each.doi)}
    report = asked(ask, gathered.places, options, quiet=quiet or not fetch)
    # A style of the pyproject.toml is below its folder.
    project = nearest_project() if not flags.get("cite_style") else None
    style = style_of(options.cite_style, project.file.parent if project else root, warn)
    listings = _listings(gathered.places, report, KnownWorks.of(options, root), style)
    missing = _tell_missing(listings, report, options, fetch=fetch)
    if report.news and not quiet:
        warn(report.news)
    lost = False
    for each in outputs:
        if fetch and not forms and each.file is None:
            # Works that are new, and works with a problem.
            news = [
                one
                for one in listings
                if one.states != [FOUND] or not had & {place.doi for place in one.places}
            ]
            lines = [*_lines(news, quiet=True), [("", summary(listings))]]
            for line in lines if not quiet else ():
                say_painted(*line)
        elif not _give(each, listings, options, quiet=quiet, compared=since is not None):
            lost = True
    if report.fault is not None:
        return fault(NAME, report.fault)
    return 2 if gathered.failed or lost else int(missing)


def _listings(
    places: Iterable[Found], report: Any, known_works: KnownWorks, style: Style
) -> list[Listing]:
    by_name: dict[DOI, list[Found]] = {}
    for each in places:
        resolution = report.resolutions.get(each.doi)
        # A name that stands for another one is not a second work.
        by_name.setdefault((resolution and resolution.alias) or each.doi, []).append(each)
    mentions = (Mention(doi, cited=False) for doi in by_name)
    references = References(known_works.work, mentions, style=style)
    listings = {
        doi: Listing(doi, entry.work, entry.anchor, entry.text, by_name[doi])
        for entry in references.entries
        if isinstance(doi := entry.doi, DOI)  # no key was asked for
    }
    for problem in report.problems:
        resolution = report.resolutions.get(problem.doi)
        listing = listings.get((resolution and resolution.alias) or problem.doi)
        if listing and (state := _STATES.get(problem.code)):
            listing.states.append(state)
            at = ":".join(str(part) for part in (problem.file, problem.line) if part)
            listing.remarks.append((printable(at), printable(problem.message)))
    for doi, listing in listings.items():
        every = {*listing.states, *_states_of(listing)}
        is_found = known_works.is_found(doi) or known_works.is_found(listing.places[0].doi)
        every |= set() if every else {FOUND if listing.work and is_found else UNKNOWN}
        listing.states = [state for state in STATES if state in every]
    return list(listings.values())


def _states_of(listing: Listing) -> Iterable[str]:
    """Yield the states of a work that do not depend on remarks of the check."""
    work = listing.work
    if work and work.status in _BECAME:
        yield _BECAME[work.status]
    newer = work.newer if work else None
    # A preprint may be meant, as the check finds out at each place.
    is_version = newer and newer.kind != "published"
    if newer and is_version and (newer.version < newer.versions or not newer.versions):
        if "newer version" not in listing.states:
            listing.remarks.append(("", f"newer: {newer.doi.uri}"))
        yield "newer version"


def _tell_missing(
    listings: Iterable[Listing], report: Any, options: Options, *, fetch: bool
) -> bool:
    """Warn of every work that is not known; return whether there are any."""
    from ...ask.names.problems import unresolved

    for problem in report.problems:
        if problem.doi is None and problem.code in _TROUBLE and fetch:
            warn(str(problem))
    accepted = Listed(options.check_accept)
    missing = []
    for each in listings:
        place = each.places[0]
        resolution = report.resolutions.get(place.doi)
        if each.work or place.doi in accepted or (resolution and resolution.expected):
            continue
        missing.append(place)
        words = f"the work of {place.doi.uri} is not known"
        if NOT_FOUND in each.states:
            words = unresolved(resolution, place.doi)
        elif not fetch:
            words += f" (not in {report.lockfile})"
        elif resolution and resolution.reason:
            words += f" ({resolution.reason})"
        warn(f"{place.file}:{place.line}:{place.column}: {words}")
    if missing and not fetch:
        warn(f"{counted(len(missing), 'work')} not known; to ask for them: doilinks works --fetch")
    return bool(missing)


def _give(
    output: Output, listings: Sequence[Listing], options: Options, *, quiet: bool, compared: bool
) -> bool:
    if output.form == "text" and output.file is None:
        for line in _lines(listings, quiet=quiet):
            say_painted(*line)
        return True
    text = _render(output.form, listings, options, quiet=quiet, compared=compared)
    if output.file:
        return write(output, text)
    say(end="", flush=True)
    write_output(text.encode())
    return True


def _render(
    form: str, listings: Sequence[Listing], options: Options, *, quiet: bool, compared: bool
) -> str:
    works = {each.doi: each.work for each in listings if each.work}
    if form == "csl-json":
        from ...record.export import csl_of

        return json.dumps([csl_of(*each) for each in works.items()], indent=2) + "\n"
    if form == "bibtex":
        from ...record.bibtex import bibtex_of

        return bibtex_of(works)
    if form == "html":
        return page_of(listings, options, _counts(listings), summary(listings))
    if form == "markdown":
        return "".join(f"{line}\n" for line in _as_markdown(listings, compared=compared))
    lines = ("".join(text for _, text in line) for line in _lines(listings, quiet=quiet))
    return "".join(f"{printable(line)}\n" for line in lines)


def _lines(listings: Sequence[Listing], *, quiet: bool) -> Iterable[list[tuple[str, str]]]:
    """Yield the lines for people, each as pieces with their styles."""
    for each in listings:
        states = ", ".join(each.states)
        yield [("bold", each.doi.uri), ("", "  "), (_COLOURS.get(each.states[0], "yellow"), states)]
        if text := "".join(run.text for run in each.runs):
            yield [("", f"  {text.translate(_NO_ISOLATES)}")]
        for place in each.places:
            yield [("cyan", f"  {place.file}:{place.line}:{place.column}")]
    if not quiet:
        yield [("", summary(listings))]


def _as_markdown(listings: Sequence[Listing], *, compared: bool) -> Iterable[str]:
    """Yield a list of references, or a table for reviewers. All text of others is inert."""
    if not compared:
        for each in listings:
            yield f"* {_reference(each) or 'Not known.'} <{each.doi.url}>"
        return
    yield f"### {summary(listings)}"
    yield ""
    if listings:
        yield "| Where | The text | DOI name | The work | |"
        yield "|---|---|---|---|---|"
    for each in listings:
        place = each.places[0]
        text = " ".join((place.block or place.written or "").split())
        shown = text if len(text) <= _TEXT else text[:_TEXT] + "…"
        states = [*each.states, *(message for _, message in each.remarks)]
        cells = (
            inert(f"{place.file}:{place.line}"), inert(shown),
            f"[{inert(each.doi.uri)}](<{each.doi.url}>)", _reference(each),
            inert("; ".join(states)),
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"


def _reference(listing: Listing) -> str:
    return marked_up(listing.runs, lambda text: inert(text.translate(_NO_ISOLATES)))


def summary(listings: Sequence[Listing]) -> str:
    """Count the works, and those in each state, in one line."""
    counts = _counts(listings)
    words = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    places = counted(sum(len(each.places) for each in listings), "place")
    return f"{counted(len(listings), 'work')} in {places}{words and f': {words}'}"


def _counts(listings: Sequence[Listing]) -> dict[str, int]:
    """Count the works in each state, the gravest first."""
    return {state: sum(state in each.states for each in listings) for state in STATES}
