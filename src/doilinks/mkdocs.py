"""The MkDocs plug-in.

.. code-block:: yaml

   plugins:
     - search
     - doilinks:
         display: name

It brings the Python-Markdown extension along and keeps, for each page, the DOIs that were found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any, Final, NamedTuple

from mkdocs.config.base import BaseConfigOption, Config, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from .core.doi import DOI
from .core.encoding import link_form, uri_form
from .core.options import Kind, Options, kind_of
from .markdown import DoiExtension

__all__ = ["DoiPlugin", "Found"]

log = get_plugin_logger("doilinks")

# The ways to name the extension in markdown_extensions.
_EXTENSION: Final = frozenset({"doilinks", "doilinks.markdown", "doilinks.markdown:DoiExtension"})


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


_Config: type[Config] = type(
    "DoiConfig",
    (Config,),
    {each.name: _Option(each.default, kind_of(each)) for each in fields(Options)},
)


class DoiPlugin(BasePlugin):  # type: ignore[type-arg, no-untyped-call]  # a class made above
    """Link DOI names on every page of a site."""

    config_class = _Config

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
        self.options = Options.read(own)
        self.extension = DoiExtension(**own)
        self.found: dict[str, list[Found]] = {}
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
            lines = _lines(page.file.content_string, dois)
            self.found[path] = [
                Found(doi, path, line) for doi, line in zip(dois, lines, strict=True)
            ]
        return html

    def on_post_build(self, *, config: MkDocsConfig) -> None:  # noqa: ARG002
        """The site is built: the place of the check, which reads ``self.found``."""
        log.debug("%d DOIs on %d pages", sum(map(len, self.found.values())), len(self.found))


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
