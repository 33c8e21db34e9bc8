"""Shows works in a document of plain docutils: on hover, in citations and in lists."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.transforms import Transform
from docutils.utils import get_source_line

from ...core.doi import DOI
from ...core.options import Options
from ...core.printable import printable
from ..cite import Entry, Mention, References, Shelf
from ..cite.references import anchor_of, format_all
from .cite import (
    CITE,
    LIST,
    ListOptions,
    Mentioned,
    Shown,
    doi_of,
    hover_over,
    is_cite,
    lists_of,
    mentions_of,
    number,
    places_in,
    references_of,
    set_html,
    style_for,
    take_place,
    with_attributes,
)

_logger: Final = logging.getLogger("doilinks.docutils")


class ShowWorks(Transform):
    """Fill citations and lists, then give links their texts on hover."""

    default_priority: ClassVar[int] = 860  # after smart quotes, which would change names of people

    def apply(self, *, options: Options, cites: bool, **_: Any) -> None:
        """Show works.

        :param cites: whether there are citations
        """
        lists = lists_of(self.document)
        if not (options.hovers or cites or lists):
            return
        # The folder of paths in settings is the current one.
        shelf = Shelf.of(options, Path(), self.document.settings.language_code)
        mentioned = number(places_in(self.document))
        mentions = [*mentions_of("", mentioned)]
        for message in shelf.book.trouble:
            self._warn(message)
        if mentions and shelf.trouble:
            self._warn(shelf.trouble)
        elif cites:
            lines: dict[DOI, int | None] = {}
            for found in getattr(self.document, "dois", ()):
                lines.setdefault(found.doi, found.line)
            for mark in filter(is_cite, places_in(self.document)):
                for cite in mark[CITE].cites:
                    lines.setdefault(cite.doi, get_source_line(mark)[1])
            for doi, message in shelf.unknown(each.doi for each in mentions if each.cited):
                self._warn(f"{message} [doi-cite]", lines.get(doi))
        writer: Any = self.document.transformer.components.get("writer")
        html = writer is not None and writer.supports("html")
        titles = [
            each
            for each in self.document.children
            if isinstance(each, nodes.title) and each.astext() == self.document.get("title")
        ]
        works = [self._listed(each, options, shelf, mentions, mentioned) for each in lists]
        format_all(works)
        said = works[0] if works else references_of(shelf, mentions, options)
        self._show(options, shelf, said, [*zip(lists, works, strict=True)], html=html)
        for each in titles:  # what a browser shows above the page
            self.document["title"] = each.astext()
        if html and hasattr(writer, "translator_class"):
            # Writers have no titles of links. This is the instance that writes this document.
            writer.translator_class = with_attributes(writer.translator_class)

    def _show(
        self,
        options: Options,
        shelf: Shelf,
        references: References,
        lists: list[tuple[nodes.container, References]],
        *,
        html: bool,
    ) -> None:
        def title(node: nodes.reference, doi: DOI) -> None:
            if html and options.hovers and (shown := shelf.on_hover(doi)):
                set_html(node, title=hover_over(node, shown))

        shown = Shown(options, shelf.work, title, html=html)
        ids = set(self.document.ids)  # a title may have the id of an entry

        def lead(node: nodes.reference, doi: DOI) -> None:
            if lists and shelf.work(doi):
                del node["refuri"]
                node["refid"] = anchor_of(shelf.same(doi))

        def name(entry: Entry) -> str:
            new = entry.anchor not in ids
            ids.add(entry.anchor)
            return entry.anchor if new else ""

        def back(node: nodes.reference, mention: Mention) -> None:
            node["refid"] = mention.anchor

        for node in list(places_in(self.document)):
            place = take_place(node)
            anchors = place.anchors if place and lists and html else []
            if is_cite(node):
                node.replace_self(shown.citation(node, references, lead, anchors))
            elif isinstance(node, nodes.reference) and (doi := doi_of(node)):
                node["ids"] += anchors
                title(node, doi)
        for each, works in lists:
            shown.fill(each, works, name, back)

    def _listed(
        self,
        node: nodes.container,
        options: Options,
        shelf: Shelf,
        mentions: list[Mention],
        mentioned: list[Mentioned],
    ) -> References:
        """The works of a list."""
        wanted: ListOptions = node[LIST]
        if wanted.scope == "project":
            message = "doi-list: docutils knows one document, so scope is page [doi-list]"
            self._warn(message, node.line)
        style = style_for(wanted.style, options, Path(), partial(self._warn, line=node.line))
        return references_of(shelf, mentions, options, mentioned, wanted.order, style)

    def _warn(self, message: str, line: int | None = None) -> None:
        reporter = self.document.reporter
        if reporter.halt_level > reporter.WARNING_LEVEL:
            where: dict[str, Any] = {"line": line} if line else {}
            reporter.warning(message, **where)
        else:  # Pelican leaves out an article with a warning
            _logger.warning("%s: %s", printable(reporter.source or ""), message)
