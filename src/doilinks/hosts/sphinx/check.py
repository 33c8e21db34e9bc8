"""The check in Sphinx: after the build, it asks for every DOI of the project.

With ``doi_check = "warn"``, each DOI that does not resolve is a warning of type ``doi`` at its
line. With ``"error"``, the build also ends with a non-zero status, even without ``-W``. The builder
``doicheck`` reads the project and writes only these messages. A warning whose subtype is in
``suppress_warnings`` is not reported and does not fail the build. An incremental build also checks
the names on pages that it does not read again.
"""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sphinx.application import Sphinx
from sphinx.builders.dummy import DummyBuilder
from sphinx.builders.linkcheck import CheckExternalLinksBuilder, CheckResult
from sphinx.errors import ExtensionError
from sphinx.util import logging

from ...core.doi import DOI, InvalidDOI
from ...core.found import (
    MARKDOWN_COMMENTS,
    REST_COMMENTS,
    Found,
    IgnoreComment,
    Listed,
    silences_in,
)
from ...core.link import relink
from ...core.nameless import NoName
from ...core.options import Options
from ...core.printable import printable
from ...shared.program import first_interrupt
from .project import LAST, PerPage, dois_of, options_of, relative

if TYPE_CHECKING:
    from ...ask.names import CheckReport, Problem, Resolution


# --------------------------------------------------------------------------------------------------
# The comments ``doilinks: ignore`` of a project: in pages, files that they include, docstrings.

_DOCSTRING: Final = "docstring of "  # autodoc writes this where other messages have a path
_Silences = dict[str, tuple[IgnoreComment, ...]]
# The comments of docstrings, for each page by the name of the object.
OF_DOCSTRINGS: Final[PerPage[_Silences]] = PerPage("doi_silences")
# The names that docutils gives the parser (`supported`). None: `source_suffix` names no parser.
_REST: Final = frozenset({"restructuredtext", "rst", "rest", None})
# In MyST-NB, the first line of cell n has the number n × 10,000 + 2.
# So the places differ from those in the file, which ``sources`` reads for the command line.
_LINES_OF_CELL: Final = 10_000
_logger: Final = logging.getLogger(__name__)
_NAME: Final = "doicheck"


def silences_of(app: Sphinx) -> Iterator[IgnoreComment]:
    """Yield every comment, with the path of its file as messages show it."""
    pages = {str(app.env.doc2path(docname)) for docname in app.env.found_docs}
    included = {each.file for dois in dois_of(app.env).values() for each in dois if each.file}
    for file in sorted(pages | included):
        try:
            text = Path(file).read_text(encoding="utf-8-sig", errors="replace")
        except OSError:  # the place of a docstring, or a page without a file
            continue
        where = relative(app, file)
        if file.endswith(".ipynb"):
            for start, cell in _cells(text):
                for each in silences_in(cell, MARKDOWN_COMMENTS, where):
                    yield each.moved(start)
        else:
            parsers: dict[str, str | None] = app.config.source_suffix
            parser = next((parsers[each] for each in parsers if file.endswith(each)), None)
            is_rest = parser in _REST and not file.endswith(".md")
            yield from silences_in(text, REST_COMMENTS if is_rest else MARKDOWN_COMMENTS, where)
    places = {
        name: relative(app, file)
        for file in included
        for _, docstring, name in [file.partition(_DOCSTRING)]
        if docstring
    }
    docstrings: _Silences = {}
    for of_page in OF_DOCSTRINGS.of(app.env).values():
        docstrings |= of_page
    for name, silences in docstrings.items():
        file = places.get(name, _DOCSTRING + name)
        yield from (replace(each, file=file) for each in silences)


def _cells(text: str) -> Iterator[tuple[int, str]]:
    """Yield Markdown cells of a notebook [nbformat 4], and the line before, as in MyST-NB."""
    try:
        cells = json.loads(text)["cells"]
        for number, cell in enumerate(cells, 1):
            if cell["cell_type"] == "markdown":
                yield number * _LINES_OF_CELL + 1, "".join(cell["source"])
    except (ValueError, TypeError, KeyError):  # MyST-NB has said that it is not a notebook
        return


def keep_silences(
    app: Sphinx, _what: str, name: str, _obj: Any, _options: Any, lines: list[str]
) -> None:
    """Keep the comments of a docstring that autodoc shows on the page that is being read."""
    silences = tuple(silences_in("\n".join(lines), REST_COMMENTS))
    page = app.env.temp_data.get("docname")
    if page is not None and silences:
        OF_DOCSTRINGS.of(app.env).setdefault(page, {})[name] = silences


class DoiCheckBuilder(DummyBuilder):
    """Reads the project and only checks its DOIs: ``sphinx-build -b doicheck``."""

    name = _NAME
    epilog = "Every DOI of the project was checked."


def require_check(app: Sphinx) -> None:
    """Stop at once if the packages that the check needs are missing."""
    if is_on(app):
        try:
            from ...ask import names  # noqa: F401  is it installed?
        except ImportError as error:
            raise ExtensionError(f"doi_check: {error}") from error


def check_dois(app: Sphinx, exception: Exception | None) -> None:
    """Check every DOI when the build has ended, and report the problems."""
    if exception is not None or not is_on(app):
        return
    from ...ask.names import Interrupted, InvalidLockfile, news
    from ...ask.works.check import check

    options = options_of(app.config)
    if options.check == "off":
        options = options.but(check="error")
    with first_interrupt(signal.SIGINT):
        try:
            report = check(
                _placed(app),
                options,
                silences=silences_of(app),
                root=Path(app.confdir),
                progress=news(_logger.info),
            )
        except InvalidLockfile as error:
            _logger.error("%s", error)  # noqa: TRY400  the place is a file, not code
            app.statuscode = 1
            return
        except Interrupted as interrupted:
            _say(app, interrupted.report)
            _logger.warning("%s", interrupted, type="doi", subtype="interrupted")
            raise
    failed = _say(app, report)
    if not failed:
        _logger.info("%s", report.summary)
    if report.news:
        _logger.info("%s", report.news)
    if report.fault is not None:
        _logger.debug("the fault in the check of DOIs", exc_info=report.fault)
    if failed:
        app.statuscode = 1
        _say_at_the_end(app, report.summary)


def _placed(app: Sphinx) -> Iterator[Found]:
    """Yield every DOI, with the path of its file as messages show it.

    For a docstring this is "module.py:docstring of function", and lines are counted there.
    """
    for docname, dois in dois_of(app.env).items():
        page = str(app.env.doc2path(docname))
        yield from (replace(each, file=relative(app, each.file or page)) for each in dois)


def _say_at_the_end(app: Sphinx, why: str) -> None:
    """Say why the build fails, after the last line of Sphinx, which counts all warnings.

    After it comes no event, but Sphinx then calls this method of the builder.
    """
    clean_up = app.builder.cleanup

    def say_and_clean_up() -> None:
        _logger.info("%s", why)
        clean_up()

    app.builder.cleanup = say_and_clean_up  # type: ignore[method-assign]  # of this builder


def setup_check(app: Sphinx) -> None:
    """Set up the check after a build, its builders, and docstring comments that silence it."""
    app.add_builder(DoiCheckBuilder)
    app.add_builder(DoiLinkcheckBuilder, override=True)
    app.connect("builder-inited", require_check)
    app.connect("build-finished", check_dois, priority=LAST)
    app.connect("config-inited", _read_docstrings, priority=LAST)


def _read_docstrings(app: Sphinx, _config: object) -> None:
    """Look into docstrings, after all extensions that change them."""
    if "autodoc-process-docstring" in app.events.events:  # autodoc is loaded
        app.connect("autodoc-process-docstring", keep_silences, priority=LAST)


def is_on(app: Sphinx) -> bool:
    """Tell whether this build checks its DOIs."""
    options = options_of(app.config)
    if app.builder.name == "linkcheck":  # which reports the answers of the check
        return options.check != "off" and options.check_works != "off"
    return app.builder.name == _NAME or options.check != "off"


def _say(app: Sphinx, report: CheckReport) -> list[Problem]:
    """Report every problem, and return the errors that are not suppressed."""
    from ...ask.names import Severity

    failed = []
    for problem in report.problems:
        subtype = problem.code.removeprefix("doi-").replace("-", "_")
        if problem.severity is Severity.REMARK:
            _logger.info("%s", printable(str(problem)))
            continue
        place = None
        if problem.file:  # a relative path starts at the folder of the project
            path = Path(app.srcdir, problem.file)
            # Sphinx takes a place without a colon for the name of a page.
            page = app.env.path2doc(path) or str(path)
            place = f"{path}:{problem.line}" if problem.line else page
        said = printable(problem.message)
        _logger.warning("%s", said, location=place, type="doi", subtype=subtype)
        suppressed = logging.is_suppressed_warning("doi", subtype, app.config.suppress_warnings)
        if problem.severity is Severity.ERROR and not suppressed:
            failed.append(problem)
    return failed


# --------------------------------------------------------------------------------------------------
# Sphinx's ``linkcheck``, in which the check of doilinks answers for links to a DOI.
#
# So ``linkcheck`` and the check have the same result for a name: a name without values is broken,
# ``doi_check_ignore`` applies, and the publisher is never asked. ``linkcheck_ignore`` and the other
# settings of Sphinx apply first.

# This text is put before the address of a link that has an answer, so that Sphinx does not ask.
_ANSWERED: Final = "doi "

# The status of a link in Sphinx, and a message.
_Answer = tuple[str, str]
_EXPECTED: Final = "in doi_check_ignore"


class DoiLinkcheckBuilder(CheckExternalLinksBuilder):
    """The builder ``linkcheck``. Without the extra ``check``, Sphinx itself asks the Handle API."""

    def finish(self) -> None:
        """Ask about the DOIs, then let Sphinx check all other links."""
        options = options_of(self.config)
        # The links that no setting of Sphinx excludes.
        ignored = [re.compile(each) for each in self.config.linkcheck_ignore]
        excluded = [re.compile(each) for each in self.config.linkcheck_exclude_documents]
        dois = {
            uri: doi
            for uri, link in self.hyperlinks.items()
            if not any(each.match(uri) for each in ignored)
            and not any(each.match(link.docname) for each in excluded)
            and (doi := _doi_at(uri, options))
        }
        self._answers = _answers(dois, options, Path(self.confdir))
        for uri, doi in dois.items():
            known = uri in self._answers
            ask = _ANSWERED + uri if known else doi.api_at(options.check_api)
            self.hyperlinks[ask] = self.hyperlinks.pop(uri)._replace(uri=ask)
        self.config.linkcheck_ignore = [*self.config.linkcheck_ignore, _ANSWERED]
        super().finish()

    def process_result(self, result: CheckResult) -> None:
        """Report one link."""
        uri = result.uri.removeprefix(_ANSWERED)
        if uri != result.uri:
            status, message = self._answers[uri]
            # The type of Sphinx is private. Its values are equal to strings.
            result = result._replace(uri=uri, status=status, message=message)  # type: ignore[arg-type]
        super().process_result(result)


def _doi_at(uri: str, options: Options) -> DOI | None:
    if uri.startswith(options.proxy):
        try:
            return DOI.parse(uri.removeprefix(options.proxy))
        except InvalidDOI:
            pass
    link = relink(uri, "", Options())
    return link.doi if link and not isinstance(link.doi, NoName) else None


def _answers(dois: Mapping[str, DOI], options: Options, root: Path) -> dict[str, _Answer]:
    """Return the answer for each link to a DOI; without the extra, only for ignored names."""
    listed = Listed(options.check_ignore)
    if not dois:
        return {}
    try:
        from ...ask.names import InvalidLockfile, check
    except ImportError:
        return {uri: ("ignored", _EXPECTED) for uri, doi in dois.items() if doi in listed}
    # Without doi_check, the user has not asked for a lock file in the project.
    file = options.check_lockfile if options.check != "off" else ""
    # Do not ask about names in check_ignore that are in no document.
    entries = (entry for doi in dois.values() for entry in listed.entries_of(doi))
    ignored = tuple(dict.fromkeys(entries))
    # Works are compared when the build has ended.
    own = options.but(check="error", check_works="off", check_lockfile=file, check_ignore=ignored)
    try:
        report = check([Found(doi) for doi in dois.values()], own, root=root)
    except InvalidLockfile as error:
        raise ExtensionError(str(error)) from error
    return {uri: _answer(report.resolutions[doi], options) for uri, doi in dois.items()}


def _answer(resolution: Resolution, options: Options) -> _Answer:
    from ...ask.names import Outcome, unresolved

    if resolution.outcome is Outcome.FOUND:
        return "working", ""
    if resolution.outcome is Outcome.UNKNOWN:
        status = "broken" if options.check_unknown == "error" else "ignored"
        return status, f"could not check: {resolution.reason}"
    if resolution.expected:
        return "ignored", _EXPECTED
    return "broken", unresolved(resolution, resolution.doi)
