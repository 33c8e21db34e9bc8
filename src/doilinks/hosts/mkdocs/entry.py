"""The plug-in: one method for each event of a build. It reports the check in MkDocs' log."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple

from markdown import Markdown
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
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from ...cite.page import WorkLookup
from ...core.found import MARKDOWN_COMMENTS, Found, IgnoreComment, silences_in
from ...core.options import PLAIN, InvalidOption, Kind, Options, kind_of, no_such_option
from ...lock.bib_files import below
from ...record.language import language_of
from ...shared.program import first_interrupt
from ...shared.project import lockfile_of, project_of
from ..markdown.cite import WorkLinks
from ..markdown.entry import DoiExtension
from .cite import Site

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

    from ...ask.names import CheckReport, Memory

logger: Final = get_plugin_logger("doilinks")
# The tree processor of mkdocstrings that puts the path of an object before ids of its docstring.
_PREFIXER = "mkdocstrings_ids"
_AFTER_PATH = "--"
# The ways to name the extension in markdown_extensions.
_EXTENSION: Final = frozenset({"doilinks", "doilinks.markdown", "doilinks.markdown:DoiExtension"})
_FIRST: Final = 100  # priorities of events
_LAST: Final = -100
_At = tuple[str, int | None]  # a file and a line


class _Option(BaseConfigOption[Any]):
    def __init__(self, default: object, kind: Kind) -> None:
        super().__init__()
        self.default = default
        self._kind = kind

    def run_validation(self, value: object) -> object:
        try:
            return self._kind.read(value)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class _Declared(Config):  # type: ignore[no-untyped-call]  # the host is untyped here
    """A configuration in which an unknown name is an error, not a warning."""

    def _validate(self) -> tuple[ConfigErrors, ConfigWarnings]:
        failed, warnings = super()._validate()
        unknown = [key for key in self if key not in Options.NAMES]
        for key in unknown:
            failed.append((key, ValidationError(no_such_option(str(key), Options.NAMES))))
        return failed, [warning for warning in warnings if warning[0] not in unknown]


DoiConfig: type[Config] = type(
    "DoiConfig",
    (_Declared,),
    {each.name: _Option(each.default, kind_of(each)) for each in fields(Options)},
)


def of_project(config: MkDocsConfig, own: Container[str]) -> dict[str, object]:
    """Return the defaults from the project's pyproject.toml, but for ``own`` options."""
    try:
        project = project_of(root_of(config))
    except InvalidOption as error:
        raise PluginError(f"doilinks: {error}") from error
    if project is None:
        return {}
    used = {name: value for name, value in project.defaults().items() if name not in own}
    if source := project.source(used):
        logger.debug("%s", source)
    return used


class SiteExtension(DoiExtension):
    """The Markdown extension, with the DOIs of all text that is converted while a page is made.

    Another plug-in may convert further text, such as docstrings, with ``Markdown`` instances of its
    own that have this extension. If a page is rendered by other means, nothing is converted.
    """

    conversions = 0

    def __init__(self, root: Path = Path(), **options: Any) -> None:
        super().__init__(**options)
        self._lookup = WorkLookup(self.options, root, logger.warning)
        self.site = Site(self._lookup)
        self.heard: list[tuple[Found, str]] = []

    def lookup(self) -> WorkLookup:
        """Return the works for one build."""
        return self._lookup

    def finish(self, md: Markdown, works: WorkLinks) -> None:
        """Mark the citations and lists, which are shown when all pages are known."""
        self.site.mark(works)
        path = ""  # of the object whose docstring this is
        if _PREFIXER in md.treeprocessors:
            prefix = getattr(md.treeprocessors[_PREFIXER], "id_prefix", "")
            path = str(prefix).removesuffix(_AFTER_PATH)
        self.heard += ((each, path) for each in md.dois)  # type: ignore[attr-defined]
        self.conversions += 1

    def begin(self, place: str, source: str) -> None:
        """Forget the page before, because another page begins."""
        self._lookup.place, self._lookup.source = place, source
        self.heard.clear()
        self.conversions = 0  # of the page


class _SourcePage(NamedTuple):
    """The DOIs of a page, each with the object of whose docstring it is; and its source."""

    places: list[tuple[Found, str]]
    source: str
    start: int
    docstrings: dict[str, list[_At]]


class DoiPlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]  # a class made above
    """Link DOI names on every page of a site."""

    config_class = DoiConfig
    # Gives the lines of DOIs in a source; the door sets it.
    lines_of: ClassVar[Callable[..., Iterator[int | None]]]

    options = Options()
    _serving = False
    _memory: Memory | None = None
    _own_options: frozenset[str] = frozenset()  # the options that the user has set

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Read the options, and keep which ones are set, because MkDocs does not tell later."""
        self._own_options = frozenset(options)
        return super().load_config(options, config_file_path)

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], **_: Any) -> None:
        """Begin a run. Due to this method, MkDocs keeps the plug-in from build to build."""
        self._serving = command == "serve"
        self._memory = None

    def on_serve(self, server: LiveReloadServer, /, *, config: MkDocsConfig, **_: Any) -> None:
        """Build again when the lock file changes, if pages show its works."""
        file = lockfile_of(self.options, root_of(config))
        # A path that does not exist cannot be watched.
        if file and file.is_file() and (self.options.cites or self.options.hovers):
            server.watch(str(file))

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Add the extension to the site's Markdown once, even if the user has also listed it."""
        own = dict(self.config)
        user_options = set(self._own_options)
        others = []
        for each in config.markdown_extensions:
            if each in _EXTENSION:
                # The user lists the extension too. Its options there win over the plug-in's.
                nearer = config.mdx_configs.pop(each, {}) or {}
                own |= nearer
                user_options |= nearer.keys()
            elif not isinstance(each, DoiExtension):  # an earlier build has added this object
                others.append(each)
        shared = of_project(config, user_options)
        own |= shared
        options = below(Options.read(own, PLAIN.beside_project(shared)), root_of(config))
        own["cite_bib"] = options.cite_bib
        if options != self.options:
            self.options, self._memory = options, None
        if options.check != "off":
            try:
                from ...ask import names  # noqa: F401  is it installed?
            except ImportError as error:
                raise PluginError(f"doilinks: 'check': {error}") from error
        own["check"] = "off"  # this plug-in checks
        self.extension = SiteExtension(root_of(config), **own)
        self._order: list[Page] = []
        self._pages: dict[str, _SourcePage] = {}
        self._placed: dict[str, list[Found]] = {}
        self._config = config
        self._sources: dict[str, str] = {}
        self._silences: dict[str, list[IgnoreComment]] = {}
        # The list is changed in place, because other plug-ins, such as mkdocstrings, keep it.
        config.markdown_extensions[:] = [*others, self.extension]  # type: ignore[list-item]
        self._unread: list[str] = []
        return config

    @property
    def dois(self) -> dict[str, list[Found]]:
        """The DOIs of each page with their lines, for which the sources are read again."""
        return {path: self._place(path) for path in self._pages}

    def _place(self, path: str) -> list[Found]:
        """Return the DOIs of a page with their lines; those of docstrings with their files."""
        if path not in self._placed:
            places, source, start, docstrings = self._pages[path]
            own = [each.doi for each, of in places if not of]
            lines = self.lines_of(source, own, start, self.options)
            at = {of: iter(positions) for of, positions in docstrings.items()}
            at[""] = ((path, line) for line in lines)
            positions = [next(at[of]) for _, of in places]
            self._placed[path] = [
                replace(each, file=file, line=line)
                for (each, _), (file, line) in zip(places, positions, strict=True)
            ]
        return self._placed[path]

    def _in_docstrings(self, heard: Iterable[tuple[Found, str]], path: str) -> dict[str, list[_At]]:
        """Return the file and the line of each DOI in the docstrings of objects.

        Where the file or the line is not known, the place names the object.
        """
        by_object: dict[str, list[_At]] = {}
        page = path_of(self._sources[path], self._config) or path
        for of in dict.fromkeys(of for _, of in heard if of):
            try:
                file, first, source = _docstring(of, self._config)
            except Exception:  # noqa: BLE001  a handler of another language, or whatever it raises
                file, first, source = "", 0, ""
            lines = self.lines_of(source, [each.doi for each, at in heard if at == of])
            named = f"{file or page}:docstring of {of}", None
            by_object[of] = [(file, first + at - 1) if file and at else named for at in lines]
        return by_object

    @event_priority(_FIRST)  # other plug-ins change the text in the same event
    def on_page_markdown(
        self, markdown: str, /, *, page: Page, config: MkDocsConfig, **_: Any
    ) -> str:
        """Begin a page: all text that is converted from now on belongs to it."""
        place = path_of(page.file.abs_src_path or "", config) or page.file.src_uri
        self.extension.begin(place, _source(page, markdown)[0])
        self._markdown = markdown
        return markdown

    @event_priority(_LAST)  # other plug-ins may convert more in the same event
    def on_page_content(self, html: str, /, *, page: Page, **_: Any) -> str:
        """Keep the DOIs of a page that was rendered."""
        heard, path = self.extension.heard, page.file.src_uri
        self._sources[path] = page.file.abs_src_path or ""
        source, start = _source(page, self._markdown)
        self._silences[path] = list(silences_in(source, MARKDOWN_COMMENTS))
        # Python-Markdown converts nothing of a page without text.
        if not self.extension.conversions and (self._markdown.strip() or html.strip()):
            self._unread.append(path)
        if heard:
            for each, _of in heard:
                # It is the whole site in the end, so it is kept only if it is compared.
                each.around = each.block if self.options.check != "off" else None
            # Those of docstrings are looked up now, because mkdocstrings forgets them.
            in_docstrings = self._in_docstrings(heard, path)
            self._pages[path] = _SourcePage([*heard], source, start, in_docstrings)
        return html

    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, **_: Any) -> None:
        """Keep the order of the pages, and their language, which a plug-in may have set."""
        self._order = nav.pages
        theme = config.theme
        known_works = self.extension.lookup().known_works
        known_works.language = language_of(theme.get("language") or theme.locale)

    def on_env(self, _env: object, /, *, files: Files, **_: Any) -> None:
        """Show citations and lists: all pages are converted by now, and none is written."""
        if self.options.cites:
            others = [file.page for file in files if file.page is not None]
            self.extension.site.show([*self._order, *others])

    def on_post_page(self, output: str, /, *, page: Page, **_: Any) -> str:
        """Show citations in text that another plug-in has converted since then."""
        return self.extension.site.show_late(output, page) if self.options.cites else output

    @event_priority(_LAST)  # other plug-ins, such as search, write files in the same event
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Check the DOIs of the site, which is built now; an error ends a build."""
        if self._unread:
            others = f" and {len(self._unread) - 1} more" if len(self._unread) > 1 else ""
            logger.info(
                "DOIs are not linked on %s%s: another plug-in has rendered the page; "
                "`doilinks check` reads its source",
                self._unread[0],
                others,
            )
        count = sum(len(page.places) for page in self._pages.values())
        logger.debug("%d DOIs on %d pages", count, len(self._pages))
        if self.options.check != "off":
            self._check(config)

    def _check(self, config: MkDocsConfig) -> None:
        from ...ask.names import Interrupted, InvalidLockfile

        with first_interrupt(signal.SIGINT):
            try:
                report = self._report(config)
            except InvalidLockfile as error:
                self._fail(str(error))
                return
            except Interrupted as interrupted:
                say(interrupted.report)
                logger.warning("%s", interrupted)
                raise
        say(report)
        if report.news:
            logger.info("%s", report.news)
        if report.fault is not None:
            logger.debug("the fault in the check of DOIs", exc_info=report.fault)
        if report.errors:
            self._fail(report.summary)
        elif report.resolutions:
            logger.info("%s", report.summary)

    def _report(self, config: MkDocsConfig) -> CheckReport:
        """Check all DOIs, and read the pages again that have a problem or a comment."""
        from ...ask.names import Interrupted, Memory, news
        from ...ask.works.check import check

        memory = self._memory = self._memory or Memory()
        # The path of each file as messages show it.
        files = {path: path_of(source, config) or path for path, source in self._sources.items()}

        def checked(placed: Container[str]) -> CheckReport:
            return check(
                (
                    replace(each, file=files[path]) if each.file == path else each
                    for path in self._pages
                    for each in (self._place(path) if path in placed else self._counted(path))
                ),
                self.options,
                silences=(
                    replace(each, file=files[path])
                    for path, silences in self._silences.items()
                    for each in silences
                ),
                root=root_of(config),
                progress=news(logger.info),
                memory=memory,
            )

        first = {path for path, silences in self._silences.items() if silences}
        try:
            report = checked(first)
        except Interrupted as interrupted:
            problems = (replace(each, line=None) for each in interrupted.report.problems)
            raise Interrupted(replace(interrupted.report, problems=tuple(problems))) from None
        wrong = {each.file for each in report.problems}
        if again := {path for path, file in files.items() if file in wrong}:
            # All answers are known by now, so nothing is asked.
            placed = [each for each in checked(again | first).problems if each.file]
            others = [each for each in report.problems if not each.file]
            report = replace(report, problems=(*placed, *others))
        return report

    def _counted(self, path: str) -> Iterator[Found]:
        """Yield the DOIs of a page with their numbers as lines, to tell their places apart."""
        for number, (each, _) in enumerate(self._pages[path].places, 1):
            yield replace(each, file=path, line=number)

    def _fail(self, reason: str) -> None:
        if not self._serving:
            raise PluginError(f"doilinks: {reason}")
        logger.error("%s; a build would be aborted", reason)


def _source(page: Page, markdown: str) -> tuple[str, int]:
    """Return the text of a page's file, and the offset at which its Markdown begins."""
    try:
        source = page.file.content_string
    except (OSError, ValueError):  # another plug-in has made the text, not from a file
        return "", 0
    return source, len(source) - len(markdown) if source.endswith(markdown) else 0


def root_of(config: MkDocsConfig) -> Path:
    """Return the folder of ``mkdocs.yml``, or the current one if that is on standard input."""
    file = config.config_file_path
    return Path(file).absolute().parent if file else Path.cwd()


def path_of(source: str, config: MkDocsConfig) -> str:
    """Return a source's path relative to ``mkdocs.yml``; ``""`` if a plug-in generated it."""
    folders = (root_of(config), config.docs_dir)
    if not any(Path(source).is_relative_to(folder) for folder in folders):
        return ""
    return os.path.relpath(source, folders[0])


def say(report: CheckReport) -> None:
    """Log every problem at the level of its severity. ``--strict`` counts the warnings."""
    from ...ask.names import Severity, printable

    level = {
        Severity.ERROR: logger.error,
        Severity.WARNING: logger.warning,
        Severity.REMARK: logger.info,
    }
    for problem in report.problems:
        level[problem.severity]("%s", printable(str(problem)))


def _docstring(path: str, config: MkDocsConfig) -> tuple[str, int, str]:
    """Return a docstring's file, first line there, and lines without their indentation."""
    plugin: Any = config.plugins["mkdocstrings"]
    found = plugin.get_handler("python").collect(path, {})  # {}: load no further module
    first, last = found.docstring.lineno, found.docstring.endlineno
    lines = found.filepath.read_text(encoding="utf-8-sig").splitlines()[first - 1 : last]
    text = "\n".join((lines[0].lstrip(), dedent("\n".join(lines[1:]))))
    return path_of(str(found.filepath), config), first, text
