"""Keeps names and links to ``doi:`` from changes by MyST-Parser, MyST-NB and LaTeX."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform

from ...cite.citations import Cluster
from ...core.markup import LATEX_UNDIVIDED, is_divided_by_latex, latex
from ...core.options import Options
from ...core.text import SourceText
from ..docutils.cite import cite_mark, hidden_citations
from ..docutils.link import mark
from .project import options_of

if TYPE_CHECKING:  # not every project has MyST
    from markdown_it import MarkdownIt

    from ..markdown_it.find import Piece, Spots


# --------------------------------------------------------------------------------------------------
# Prevents changes that MyST-Parser and MyST-NB would make to names and to links to ``doi:``.

# The scheme as authors write it. For MyST, upper and lower case differ.
_SCHEMES: Final = ("doi", "DOI")

# The function that makes a markdown-it-py for a page, and the method that renders text.
_MAKER: Final = "create_md_parser"
_RENDER_TEXT: Final = "render_text"


def keep_doi_scheme(_app: Sphinx, config: Config) -> None:
    """Make MyST leave ``doi:`` links unchanged.

    If MyST does not know the scheme, it looks for a page of that name. If the scheme has a
    template, as in the manual of MyST, it loses the text after a number sign or question mark.
    """
    if "myst_url_schemes" not in config:
        return
    schemes = config.myst_url_schemes
    if isinstance(schemes, dict):
        config.myst_url_schemes = {**schemes, **dict.fromkeys(_SCHEMES)}
    elif schemes is not None:
        config.myst_url_schemes = [*schemes, *(name for name in _SCHEMES if name not in schemes)]


def with_names(parser: type[Any]) -> type[Any]:
    """Return a subclass of a parser whose markdown-it-py keeps names as they are typed."""

    class DoiMystParser(parser):  # type: ignore[misc]  # known when the project has it
        """MyST's parser with another markdown-it-py."""

        def parse(self, inputstring: str, document: nodes.document) -> None:
            """Parse a page."""
            with _keeping_names(parser, options_of(document.settings.env.config)):
                super().parse(inputstring, document)
            _count_rows(document)

    return DoiMystParser


def _count_rows(document: nodes.document) -> None:
    """Give each row of a table of Markdown the line where it stands.

    MyST gives every row the line of the table; before version 4, the line 0. Such a table has one
    line for the row of titles, one for the delimiters and one for each other row [GFM, Tables].
    """
    for table in document.findall(nodes.table):
        rows = list(table.findall(nodes.row))
        given = (table.line, 0)
        if table.line is None or any(row.line not in given for row in rows):
            continue  # a table of a directive
        lines = (table.line, *range(table.line + 2, table.line + 1 + len(rows)))
        for line, row in zip(lines, rows, strict=True):
            for node in row.findall(nodes.Element):
                if node.line in given:
                    node.line = line


@contextmanager
def _keeping_names(parser: type[Any], options: Options) -> Iterator[None]:
    """Make each markdown-it-py that the parser creates in the ``with`` block keep names.

    An extension cannot give MyST rules of its own. The parsers of MyST create a markdown-it-py for
    each page with a function that their modules have imported, so this function is replaced.
    """

    def keeping(make: Any) -> Any:
        def make_and_keep(*arguments: Any, **more: Any) -> MarkdownIt:
            md: MarkdownIt = make(*arguments, **more)
            _keep_names(md, options)
            return md

        return make_and_keep

    made = {module: getattr(module, _MAKER) for module in makers(parser)}
    try:
        for module, make in made.items():
            setattr(module, _MAKER, keeping(make))
        yield
    finally:
        for module, make in made.items():
            setattr(module, _MAKER, make)


def makers(parser: type[Any]) -> list[ModuleType]:
    """Return the modules of a parser and its base classes that create a markdown-it-py."""
    modules = [sys.modules[base.__module__] for base in parser.__mro__]
    return [module for module in modules if hasattr(module, _MAKER)]


class _SourceCluster(NamedTuple):
    """Citations in the source of a text; without a cluster, the author has escaped them."""

    text: str
    cluster: Cluster | None


def _keep_names(md: MarkdownIt, options: Options) -> None:
    """Make MyST put a mark in the place of a name, as the inliner of reStructuredText does."""
    from ..markdown_it.entry import keep_names
    from ..markdown_it.find import Finder, NameInText

    class MystFinder(Finder):
        """Hides citations that belong together as a whole, because their mark is one node."""

        def citations(
            self, source: str, pieces: Iterable[Piece], _: Callable[[int], int]
        ) -> Iterator[Spots]:
            plain = SourceText.of(source, pieces)
            for start, end, text, cluster in hidden_citations(source, plain, "\\", options):
                yield (start, end), [(start, end, _SourceCluster(text, cluster))]

    renderer: Any = md.renderer
    stock = renderer.rules[_RENDER_TEXT]

    def render_text(_: Any, token: Any) -> None:
        item = token.meta.get("doi")
        if isinstance(item, _SourceCluster):
            text, cluster = item
            name = cite_mark(text, cluster) if cluster else mark(text, None, "label")
        elif isinstance(item, NameInText):
            linkify = bool(md.options.get("linkify"))
            form, whole = item.match.form, item.whole
            name = mark(item.text, item.link, form, whole, links_urls=linkify)
        else:
            stock(token)
            return
        name.source, name.line = renderer.current_node.source, renderer.current_node.line
        renderer.current_node.append(name)

    keep_names(md, MystFinder(options, keeps_escaped=True))
    md.add_render_rule(_RENDER_TEXT, render_text, fmt="docutils")


# --------------------------------------------------------------------------------------------------
# Keeps LaTeX from changing names: it applies typography to text, and Sphinx' writer of it escapes a
# target as if it were text.


class KeepInLatex(SphinxPostTransform):
    r"""Let TeX split names as it splits URLs, and keep ``\T1\textdollar`` out of targets."""

    default_priority: ClassVar[int] = 900  # after all transforms that add or resolve links
    formats = ("latex",)

    def run(self, **_: Any) -> None:
        """Encode ``$``, which keeps the target (RFC 3986 §6.2.2.2), and turn off hyphenation."""
        proxy = options_of(self.config).proxy
        for node in list(self.document.findall(nodes.reference)):
            if not str(node.get("refuri", "")).startswith(proxy):
                continue
            node["refuri"] = node["refuri"].replace("$", "%24")
            is_titled = isinstance(node.parent, nodes.title)
            if is_titled or node.get("support_smartquotes") is not False:
                continue  # it does not show its name
            divided = is_divided_by_latex(node.astext())
            for text in [each for each in node.children if isinstance(each, nodes.Text)]:
                # Sphinx would write a command for a hyphen.
                runs = [
                    _latex(run) if raw or run == "-" else nodes.Text(run)
                    for run, raw in latex(text)
                ]
                node.replace(text, runs)
            if divided:
                before, after = map(_latex, LATEX_UNDIVIDED)
                node.insert(0, before)
                node.append(after)


def _latex(text: str) -> nodes.raw:
    return nodes.raw("", text, format="latex")
