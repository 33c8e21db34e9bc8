"""The MkDocs plug-in.

.. code-block:: yaml

   plugins:
     - search
     - doilinks:
         display: name

It brings the Python-Markdown extension along and keeps, for each page, the DOIs that were found.

With ``check: warn`` or ``check: error`` every name is resolved once the site is built. What there
is to say goes to MkDocs' log, so that ``--strict`` counts it; with ``error`` the build is aborted
after all of it was said. The lock file is relative to ``mkdocs.yml``.

``mkdocs serve`` keeps every answer, also the bad ones, for as long as it runs, so that a rebuild
asks for new names only; after a change of the options all are asked again. It goes on serving
where a build would be aborted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from mkdocs.config.base import (
    BaseConfigOption,
    Config,
    ConfigErrors,
    ConfigWarnings,
    ValidationError,
)
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from .core.doi import DOI
from .core.encoding import link_form, uri_form
from .core.options import Kind, Options, kind_of
from .markdown import DoiExtension

if TYPE_CHECKING:
    from .check import CheckReport, Memory, Occurrence

__all__ = ["DoiPlugin", "Found"]

log = get_plugin_logger("doilinks")

# The ways to name the extension in markdown_extensions.
_EXTENSION: Final = frozenset({"doilinks", "doilinks.markdown", "doilinks.markdown:DoiExtension"})

_LAST: Final = -100  # a priority of events


class Found(NamedTuple):
    """A DOI on a page.

    :ivar doi: the DOI
    :ivar path: the page's source file, as MkDocs names it in messages
    :ivar line: its line in that file, counted from 1; None where it is not written as such
    """

    doi: DOI
    path: str
    line: int | None


class _Option(BaseConfigOption[Any]):
    """One option of doilinks, as MkDocs validates options."""

    def __init__(self, default: object, kind: Kind) -> None:
        super().__init__()
        self.default = default
        self._kind = kind

    def run_validation(self, value: object) -> object:
        try:
            return self._kind.read(value)
        except (TypeError, ValueError, KeyError) as error:
            detail = f" ({error})" if type(error) is ValueError and str(error) else ""
            raise ValidationError(f"takes {self._kind.takes}, got {value!r}{detail}") from error


class _Declared(Config):  # type: ignore[no-untyped-call]  # the host is untyped here
    """A configuration in which a name that nobody declared is an error, no warning as elsewhere."""

    def _validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        failed, warnings = super()._validate()
        unknown = [key for key in self if key not in Options.NAMES]
        known = ", ".join(Options.NAMES)
        message = f"there is no such option (there are: {known})"
        failed += [(key, ValidationError(message)) for key in unknown]
        return failed, [warning for warning in warnings if warning[0] not in unknown]


_Config: type[Config] = type(
    "DoiConfig",
    (_Declared,),
    {each.name: _Option(each.default, kind_of(each)) for each in fields(Options)},
)


class DoiPlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]  # a class made above
    """Link DOI names on every page of a site."""

    config_class = _Config

    options = Options()
    _serving = False
    _memory: Memory | None = None

    def on_startup(
        self,
        *,
        command: Literal["build", "gh-deploy", "serve"],
        dirty: bool,  # noqa: ARG002
    ) -> None:
        """A run begins. That this is here makes MkDocs keep the plug-in from build to build."""
        self._serving = command == "serve"
        self._memory = None

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Put the extension into the site's Markdown, once, whoever asked for it."""
        own = dict(self.config)
        kept = []
        for each in config.markdown_extensions:
            if each in _EXTENSION:
                # Listed by the user too: what is set there is nearer to the Markdown.
                own |= config.mdx_configs.pop(each, {}) or {}
            elif not isinstance(each, DoiExtension):  # from a build before, with the same object
                kept.append(each)
        options = Options.read(own)
        if options != self.options:
            self.options, self._memory = options, None
        if options.check != "off":
            _require_check()
        self.extension = DoiExtension(**{**own, "check": "off"})  # this plug-in checks
        self.found: dict[str, list[Found]] = {}
        self._sources: dict[str, str] = {}
        config.markdown_extensions = [*kept, self.extension]  # type: ignore[list-item]
        return config

    def on_page_content(
        self,
        html: str,
        /,
        *,
        page: Page,
        config: MkDocsConfig,  # noqa: ARG002
        files: Files,  # noqa: ARG002
    ) -> str:
        """Keep the DOIs of a page that was just rendered."""
        dois = self.extension.found
        if dois:
            path = page.file.src_uri
            self._sources[path] = page.file.abs_src_path or ""
            lines = _lines(page.file.content_string, dois)
            self.found[path] = [
                Found(doi, path, line) for doi, line in zip(dois, lines, strict=True)
            ]
        return html

    @event_priority(_LAST)  # other plug-ins, as search, write their files in the same event
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """The site is built: check its DOIs.

        :raises PluginError: when one does not resolve and that is an error, or the lock file is
            damaged; not while serving
        """
        log.debug("%d DOIs on %d pages", sum(map(len, self.found.values())), len(self.found))
        if self.options.check == "off":
            return
        from .check import Interrupted, InvalidLockfile, Memory, check, news, printable

        self._memory = self._memory or Memory()
        try:
            report = check(
                self._occurrences(config),
                self.options,
                root=_root(config),
                progress=news(log.info),
                memory=self._memory,
            )
        except InvalidLockfile as error:
            self._fail(printable(str(error)))
            return
        except Interrupted as interrupted:
            _say(interrupted.report)
            log.warning("%s", interrupted)
            raise
        _say(report)
        if report.errors:
            self._fail(report.summary)
        elif report.resolutions:
            log.info("%s", report.summary)

    def _occurrences(self, config: MkDocsConfig) -> Iterator[Occurrence]:
        """Every DOI of the site, once a line."""
        from .check import Occurrence

        for path, dois in self.found.items():
            shown = _shown(self._sources[path], config) or path
            yield from dict.fromkeys(Occurrence(doi, shown, line or 0) for doi, _, line in dois)

    def _fail(self, reason: str) -> None:
        if not self._serving:
            raise PluginError(f"doilinks: {reason}")
        log.error("%s; a build would be aborted", reason)


def _require_check() -> None:
    try:
        from . import check  # noqa: F401  is it installed?
    except ImportError as error:
        message = (
            f"doilinks: 'check' needs more packages: pip install \"doilinks[check]\" ({error})"
        )
        raise PluginError(message) from error


def _root(config: MkDocsConfig) -> Path:
    """The folder of ``mkdocs.yml``; the current one when that is read from standard input."""
    file = config.config_file_path
    return Path(file).absolute().parent if file else Path.cwd()


def _shown(source: str, config: MkDocsConfig) -> str:
    """A source file as messages name it: relative to ``mkdocs.yml``; ``""`` for a generated one."""
    folders = (_root(config), config.docs_dir)
    if not any(Path(source).is_relative_to(folder) for folder in folders):
        return ""
    return os.path.relpath(source, folders[0])


def _say(report: CheckReport) -> None:
    from .check import Severity, printable

    say = {Severity.ERROR: log.error, Severity.WARNING: log.warning, Severity.REMARK: log.info}
    for problem in report.problems:
        say[problem.severity]("%s", printable(str(problem)))


def _lines(source: str, dois: Iterable[DOI]) -> Iterator[int | None]:
    """The line of each DOI, by looking for its name in the source from the one before on."""
    folded = source.lower()
    starts: dict[str, int] = {}
    for doi in dois:
        name = doi.name.lower()
        forms = dict.fromkeys((name, f"{doi.prefix}/{uri_form(doi.suffix)}", link_form(doi.name)))
        form = next((each.lower() for each in forms if each.lower() in folded), None)
        if form is None:
            yield None
            continue
        at = folded.find(form, starts.get(form, 0))
        if at < 0:
            at = folded.find(form)
        starts[form] = at + len(form)
        yield folded.count("\n", 0, at) + 1
