"""The plug-in: one method for each event of a build."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

from mkdocs.config.base import ConfigErrors, ConfigWarnings
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from ..core.doi import DOI
from ..core.found import Found
from ..core.options import Options
from ..core.silence import Silence, silences_in
from ..markdown import DoiExtension
from ..program import first_interrupt
from ..project import spelling_with
from .check import logger, require_check, root_of, say, shown
from .docstrings import places
from .found import SiteExtension
from .lines import lines_of
from .options import DoiConfig, of_project

if TYPE_CHECKING:
    from ..check import Memory

__all__ = ["DoiPlugin"]

# The ways to name the extension in markdown_extensions.
_EXTENSION: Final = frozenset({"doilinks", "doilinks.markdown", "doilinks.markdown:DoiExtension"})

_FIRST: Final = 100  # priorities of events
_LAST: Final = -100


class DoiPlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]  # a class made above
    """Link DOI names on every page of a site."""

    config_class = DoiConfig

    options = Options()
    _serving = False
    _memory: Memory | None = None
    _given: frozenset[str] = frozenset()  # the options that the user has set

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Read the options, and keep which ones are set, because MkDocs does not tell later."""
        self._given = frozenset(options)
        return super().load_config(options, config_file_path)

    def on_startup(
        self,
        *,
        command: Literal["build", "gh-deploy", "serve"],
        dirty: bool,  # noqa: ARG002
    ) -> None:
        """A run begins. Because of this method, MkDocs keeps the plug-in from build to build."""
        self._serving = command == "serve"
        self._memory = None

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Add the extension to the site's Markdown once, even if the user has also listed it."""
        own = dict(self.config)
        given = set(self._given)
        kept = []
        for each in config.markdown_extensions:
            if each in _EXTENSION:
                # The user lists the extension too. Its options there win over the plug-in's.
                nearer = config.mdx_configs.pop(each, {}) or {}
                own |= nearer
                given |= nearer.keys()
            elif not isinstance(each, DoiExtension):  # an earlier build has added this object
                kept.append(each)
        shared = of_project(config, given)
        own |= shared
        options = Options.read(own, spelling_with(shared, str))
        if options != self.options:
            self.options, self._memory = options, None
        if options.check != "off":
            require_check()
        self.extension = SiteExtension(**{**own, "check": "off"})  # this plug-in checks
        self.dois: dict[str, list[Found]] = {}
        self._sources: dict[str, str] = {}
        self._silences: dict[str, list[Silence]] = {}
        # The list is changed in place, because other plug-ins, such as mkdocstrings, keep it.
        config.markdown_extensions[:] = [*kept, self.extension]  # type: ignore[list-item]
        self._unread: list[str] = []
        return config

    @event_priority(_FIRST)  # other plug-ins change the text in the same event
    def on_page_markdown(
        self,
        markdown: str,
        /,
        *,
        page: Page,  # noqa: ARG002
        config: MkDocsConfig,  # noqa: ARG002
        files: Files,  # noqa: ARG002
    ) -> str:
        """A page begins: all text that is converted from now on belongs to it."""
        self.extension.forget()
        self._markdown = markdown
        return markdown

    @event_priority(_LAST)  # other plug-ins may convert more in the same event
    def on_page_content(
        self,
        html: str,
        /,
        *,
        page: Page,
        config: MkDocsConfig,
        files: Files,  # noqa: ARG002
    ) -> str:
        """Keep the DOIs of a page that was rendered."""
        heard = self.extension.heard
        self._sources[page.file.src_uri] = page.file.abs_src_path or ""
        source, start = _source(page, self._markdown)
        self._silences[page.file.src_uri] = list(silences_in(source, "md"))
        # Python-Markdown converts nothing of a page without text.
        if not self.extension.conversions and (self._markdown.strip() or html.strip()):
            self._unread.append(page.file.src_uri)
        if heard:
            path = page.file.src_uri
            by_object: dict[str, list[DOI]] = {}
            for each, of in heard:
                by_object.setdefault(of, []).append(each.doi)
            own = lines_of(source, by_object.pop("", ()), start)
            at: dict[str, Iterator[tuple[str, int | None]]]
            shown_page = shown(self._sources[path], config) or path
            at = {of: places(of, dois, shown_page, config) for of, dois in by_object.items()}
            at[""] = ((path, line) for line in own)
            # The text around it is the whole site in the end, so it is kept only if it is compared.
            compared = self.options.check != "off"
            self.dois[path] = []
            for each, of in heard:
                file, line = next(at[of])
                around = each.block if compared else None
                self.dois[path].append(replace(each, file=file, line=line, around=around))
        return html

    @event_priority(_LAST)  # other plug-ins, such as search, write files in the same event
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Check the DOIs of the site, which is built now.

        :raises PluginError: when one does not resolve and that is an error, or the lock file is
            damaged; not while serving
        """
        if self._unread:
            others = f" and {len(self._unread) - 1} more" if len(self._unread) > 1 else ""
            logger.info(
                "DOIs are not linked on %s%s: another plug-in has rendered the page; "
                "`doilinks check` reads its source",
                self._unread[0],
                others,
            )
        logger.debug("%d DOIs on %d pages", sum(map(len, self.dois.values())), len(self.dois))
        if self.options.check == "off":
            return
        from ..check import Interrupted, InvalidLockfile, Memory, check, news, pauses, printable

        self._memory = self._memory or Memory()
        with first_interrupt(signal.SIGINT):
            try:
                report = check(
                    self._placed(config),
                    self.options,
                    silences=self._silent(config),
                    root=root_of(config),
                    progress=news(logger.info),
                    waiting=pauses(logger.info),
                    memory=self._memory,
                )
            except InvalidLockfile as error:
                self._fail(printable(str(error)))
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

    def _placed(self, config: MkDocsConfig) -> Iterator[Found]:
        """Every DOI of the site, with the path of its file as messages show it."""
        for path, dois in self.dois.items():
            file = shown(self._sources[path], config) or path
            for each in dois:
                yield replace(each, file=file) if each.file == path else each

    def _silent(self, config: MkDocsConfig) -> Iterator[Silence]:
        """Every comment that silences names, with the path of its file as messages show it."""
        for path, silences in self._silences.items():
            file = shown(self._sources[path], config) or path
            yield from (replace(each, file=file) for each in silences)

    def _fail(self, reason: str) -> None:
        if not self._serving:
            raise PluginError(f"doilinks: {reason}")
        logger.error("%s; a build would be aborted", reason)


def _source(page: Page, markdown: str) -> tuple[str, int]:
    """The text of a page's file, and the offset at which its Markdown begins."""
    try:
        source = page.file.content_string
    except (OSError, ValueError):  # another plug-in has made the text, not from a file
        return "", 0
    return source, len(source) - len(markdown) if source.endswith(markdown) else 0
