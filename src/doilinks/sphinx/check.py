"""The check in Sphinx: after the build, it asks for every DOI of the project.

With ``doi_check = "warn"``, each DOI that does not resolve is a warning of type ``doi`` at its
line. With ``"error"``, the build also ends with a non-zero status, even without ``-W``. The builder
``doicheck`` reads the project and writes only these messages. A warning whose subtype is in
``suppress_warnings`` is not reported and does not fail the build. An incremental build also checks
the names on pages that it does not read again.
"""

from __future__ import annotations

import itertools
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sphinx.builders.dummy import DummyBuilder
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.display import status_iterator

from ..core.found import Found
from ..core.printable import counted
from ..program import first_interrupt
from .found import dois_of, relative
from .options import options_of
from .silence import silences_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from ..check import CheckReport, Problem

__all__ = ["DoiCheckBuilder", "check_dois", "is_on", "require_check"]

_logger: Final = logging.getLogger(__name__)

_NAME: Final = "doicheck"


class DoiCheckBuilder(DummyBuilder):
    """Reads the project and only checks its DOIs: ``sphinx-build -b doicheck``."""

    name = _NAME
    epilog = "Every DOI of the project was checked."


def require_check(app: Sphinx) -> None:
    """Stop at once if the packages that the check needs are missing.

    :raises ExtensionError: with a message that says what to install
    """
    if is_on(app):
        try:
            from .. import check  # noqa: F401  is it installed?
        except ImportError as error:
            raise ExtensionError(f"doi_check: {error}") from error


def check_dois(app: Sphinx, exception: Exception | None) -> None:
    """Check every DOI when the build has ended, and report the problems."""
    if exception is not None or not is_on(app):
        return
    from ..check import Interrupted, InvalidLockfile, check, pauses, printable

    options = options_of(app.config)
    if options.check == "off":
        options = options.but(check="error")
    with first_interrupt(signal.SIGINT):
        try:
            report = check(
                _dois(app),
                options,
                silences=silences_of(app),
                root=Path(app.confdir),
                progress=_progress(app),
                waiting=pauses(_logger.info),
            )
        except InvalidLockfile as error:
            _logger.error("%s", printable(str(error)))  # noqa: TRY400  the place is a file, not code
            app.statuscode = 1
            return
        except Interrupted as interrupted:
            _say(app, interrupted.report)
            _logger.warning("%s", interrupted, type="doi", subtype="interrupted")
            raise
    failed = _say(app, report)
    _logger.info("%s", printable(report.summary))
    if report.news:
        _logger.info("%s", report.news)
    if report.fault is not None:
        _logger.debug("the fault in the check of DOIs", exc_info=report.fault)
    if failed:
        app.statuscode = 1
        _say_last(app, _verdict(report, failed))


def is_on(app: Sphinx) -> bool:
    """Whether this build checks its DOIs."""
    options = options_of(app.config)
    if app.builder.name == "linkcheck":  # which reports what the check knows
        return options.check != "off" and options.check_works != "off"
    return app.builder.name == _NAME or options.check != "off"


def _verdict(report: CheckReport, failed: list[Problem]) -> str:
    """One line that says why the build fails."""
    from ..check import printable, works_in_words

    known = {each.resolution.doi for each in failed if each.resolution and each.resolution.fails}
    works = works_in_words(failed)
    if not known and not works:
        return printable(report.summary)
    verb = "does" if len(known) == 1 else "do"
    total = counted(len(report.resolutions), "DOI")
    said = [f"{len(known)} of {total} {verb} not resolve."] if known else []
    return " ".join([*said, f"Works of {total}: {works}."] if works else said)


def _say_last(app: Sphinx, words: str) -> None:
    """Print a line after the last line of Sphinx, which gives the number of all warnings.

    No event comes after that line. But Sphinx then calls the method ``cleanup`` of the builder.
    """
    clean_up = app.builder.cleanup

    def say_and_clean_up() -> None:
        _logger.info(words)
        clean_up()

    app.builder.cleanup = say_and_clean_up  # type: ignore[method-assign]  # of this builder alone


def _say(app: Sphinx, report: CheckReport) -> list[Problem]:
    """Report every problem, and return the errors that are not suppressed."""
    from ..check import Severity, printable

    failed = []
    for problem in report.problems:
        subtype = problem.code.removeprefix("doi-").replace("-", "_")
        place = _place(app, problem)
        if problem.severity is Severity.REMARK:
            _logger.info("%s", printable(str(problem)))
            continue
        _logger.warning(
            "%s", printable(problem.message), location=place, type="doi", subtype=subtype
        )
        suppressed = logging.is_suppressed_warning("doi", subtype, app.config.suppress_warnings)
        if problem.severity is Severity.ERROR and not suppressed:
            failed.append(problem)
    return failed


def _place(app: Sphinx, problem: Problem) -> str | None:
    """A place as Sphinx shows it. A relative path starts at the folder of the project."""
    if not problem.file:
        return None
    path = Path(app.srcdir, problem.file)
    if problem.line:
        return f"{path}:{problem.line}"
    # Sphinx takes a place without a colon for the name of a page.
    return app.env.path2doc(path) or str(path)


def _dois(app: Sphinx) -> Iterator[Found]:
    """Every DOI of the project, with the path of its file as messages show it."""
    for docname, dois in dois_of(app.env).items():
        page = str(app.env.doc2path(docname))
        for each in dois:
            # For a docstring, the file is "module.py:docstring of function", and lines are counted
            # from the beginning of the docstring.
            yield replace(each, file=relative(app, each.file or page))


def _progress(app: Sphinx) -> Callable[[int, int], None]:
    """The progress display of Sphinx, with one step for each answer."""
    steps: Iterator[int] | None = None

    def progress(done: int, total: int) -> None:
        nonlocal steps
        if not done:
            return
        if steps is None:
            steps = status_iterator(
                itertools.count(max(done, 1)),
                "checking DOIs... ",
                "darkgreen",
                total,
                app.verbosity,
                lambda at: f"{at} of {total}",
            )
        next(steps)
        if done >= total:
            _logger.info("")

    return progress
