"""Makes the links of a document tree.

One walk goes over the tree, whatever parser built it. The marks of the inliner become links, links
that lead to a DOI get their canonical target, and names in plain text become links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from typing import Final

from docutils import nodes

from ..core.found import Found
from ..core.link import Link, after_label, after_text
from ..core.options import Options
from ..core.remarks import remarks, remarks_of
from ..core.scan import Match, may_contain_doi, scan
from ..core.text import Joined, Rest, definition_of, row_of, whole_name
from .find import (
    belongs_to_run,
    breaks,
    enclosed_in_html,
    is_host_link,
    is_mark,
    is_prose,
    is_work,
    may_contain_link,
    texts_of_run,
)
from .link import FOUND, IGNORED, LINK, Links, build, label_in, link_written, own_label, show

__all__ = [
    "Blocks",
    "Linker",
]


# --------------------------------------------------------------------------------------------------
# The text of the block that a link is in.

_TERMS: Final = (nodes.term, nodes.classifier)
_NOT_SHOWN: Final = (nodes.Invisible, nodes.system_message)


class Blocks:
    """The blocks of a document."""

    def __init__(self) -> None:
        self._texts: dict[nodes.Node, Callable[[], str]] = {}
        # Of each definition, or item of a list of them, the definition if it is a block.
        self._definitions: dict[nodes.Node, nodes.Node | None] = {}
        self._terms: dict[nodes.Node | None, str] = {}  # of each item

    def around(self, node: nodes.Node) -> Callable[[], str]:
        """A function that makes the text of the block that contains a node.

        This is a paragraph or the like; if it is all of a table's cell, the row; in a definition
        that consists of paragraphs, the definition with its term.
        """
        while isinstance(node, nodes.Inline) and node.parent is not None:
            node = node.parent
        block = _row(node) or self._definition(node) or node
        if block not in self._texts:
            make = block.astext
            if isinstance(block, nodes.row):
                make = partial(_text_of_row, block)
            elif isinstance(block, nodes.definition):
                make = partial(self._text_of_definition, block)
            self._texts[block] = cache(make)
        return self._texts[block]

    def _definition(self, block: nodes.Node) -> nodes.Node | None:
        """The definition that contains a paragraph; of a term, the first that follows."""
        owner = block.parent
        if not isinstance(owner, (nodes.definition, nodes.definition_list_item)):
            return None
        if owner not in self._definitions:
            found: nodes.Node | None = owner
            if not isinstance(owner, nodes.definition):
                found = next((c for c in owner.children if isinstance(c, nodes.definition)), None)
            shown = [c for c in found.children if not isinstance(c, _NOT_SHOWN)] if found else ()
            is_block = shown and all(isinstance(child, nodes.paragraph) for child in shown)
            self._definitions[owner] = found if is_block else None
        return self._definitions[owner]

    def _text_of_definition(self, definition: nodes.Node) -> str:
        item = definition.parent
        if item not in self._terms:
            of_item = item.children if item is not None else ()
            self._terms[item] = "\n".join(c.astext() for c in of_item if isinstance(c, _TERMS))
        paragraphs = (c for c in definition.children if isinstance(c, nodes.paragraph))
        return definition_of(self._terms[item], (each.astext() for each in paragraphs))


def _row(block: nodes.Node) -> nodes.row | None:
    """The row of a table that contains a block, if this block is all of a cell."""
    cell = block.parent
    is_cell = isinstance(cell, nodes.entry) and len(cell.children) == 1
    return cell.parent if is_cell and isinstance(cell.parent, nodes.row) else None


def _text_of_row(row: nodes.row) -> str:
    return row_of(map(_text_of_cell, row.children))


def _text_of_cell(cell: nodes.Node) -> str:
    said = (node.astext() for node in cell.children if not isinstance(node, nodes.system_message))
    return " ".join(said)


class Linker:
    """Links the DOIs of one document.

    :param remark: whether to look for doubtful names
    :ivar dois: every DOI
    :ivar links: the links themselves
    """

    def __init__(self, options: Options, *, remark: bool = False) -> None:
        self.dois: list[Found] = []
        self.links = Links(options)
        self._options = options
        self._remark = remark
        self._untouched: dict[type, bool] = {}
        self._blocks = Blocks()

    def link(self, document: nodes.Element) -> None:
        """Link every DOI below ``document``."""
        if not may_contain_link(document):
            return
        stack: list[tuple[nodes.Element, str | None, int | None, bool]] = [
            (document, document.source, document.line, True)
        ]
        while stack:
            node, source, line, touch = stack.pop()
            if node.line is not None:
                source, line = node.source or source, node.line
            if touch and self._is_untouched(node):
                touch = False
            lines = isinstance(node, nodes.TextElement)
            prose = touch and lines  # writers expect links only in elements that contain text
            if any(is_work(child, touch=prose) for child in node.children):
                self._link_children(node, source, line, touch=prose)
                if isinstance(node, nodes.title):
                    _unlink_title(node)
            below = [
                (at, child)
                for at, child in enumerate(node.children)
                if isinstance(child, nodes.Element) and self._is_next(child, touch=touch)
            ]
            closed = enclosed_in_html(node.children) if prose and below else None
            counted, added = 0, len(stack)
            for at, child in below:
                if lines and line is not None:
                    line += sum(map(breaks, node.children[counted:at]))
                    counted = at
                stack.append((child, source, line, touch and not (closed and closed[at])))
            stack[added:] = reversed(stack[added:])

    def _is_next(self, child: nodes.Element, *, touch: bool) -> bool:
        """Tell whether the walk goes into a child: not if it contains only text without names."""
        if all(isinstance(each, nodes.Text) for each in child.children):
            prose = touch and not self._is_untouched(child)
            return any(is_work(each, touch=prose) for each in child.children)
        return True

    def _is_untouched(self, node: nodes.Element) -> bool:
        kind = type(node)
        known = self._untouched.get(kind)
        if known is None:
            known = not is_prose(kind)
            self._untouched[kind] = known
        # The author has not written the text that a notebook's cell has printed.
        return known or node.get("nb_element") == "cell_code_output"

    def _link_children(
        self, parent: nodes.Element, source: str | None, line: int | None, *, touch: bool
    ) -> None:
        """Link the children of a node. A line break in its text counts as a line of the source."""
        if line is not None and isinstance(parent, nodes.title) and any(map(_is_of_rest, parent)):
            line -= 1  # docutils counts a title at its underline
        children = list(chain.from_iterable(self._linked(parent, touch=touch)))
        self._record(children, parent, source, line)
        if touch and self.links.texts:
            children = self._without_labels(parent, children)
        self.links.texts.clear()
        self.links.scanned.clear()
        _set_children(parent, children)

    def _linked(self, parent: nodes.Element, *, touch: bool) -> Iterator[list[nodes.Node]]:
        """The nodes that replace each run of text, and each other child."""
        run: list[nodes.Node] = []
        closed = enclosed_in_html(parent.children) if touch else None
        for index, child in enumerate(parent.children):
            touched = touch and not (closed and closed[index])
            if touched and belongs_to_run(parent.children, index):
                run.append(child)
                continue
            if run:
                yield self._link_run(run)
                run = []
            yield [self._unmark(child, touch=touched)]
        if run:
            yield self._link_run(run)

    def _without_labels(
        self, parent: nodes.Element, children: list[nodes.Node]
    ) -> list[nodes.Node]:
        """Remove from a link, or from the text before it, a label that both would show."""
        kept: list[nodes.Node] = []
        for index, child in enumerate(children):
            if isinstance(child, nodes.reference) and (link := self.links.texts.get(child)):
                last = kept[-1] if kept else None
                size = label_in(last)
                if size and child not in self.links.scanned:
                    before = str(kept.pop())[:-size]
                    kept += [nodes.Text(before)] if before else []
                    last = None
                if isinstance(last, nodes.Text):
                    link = after_text(link, self._options, last)
                link = after_label(link, self._options, own_label(parent, children, index))
                if link.text != child.astext():
                    show(child, link.text)
            kept.append(child)
        return kept

    def _unmark(self, child: nodes.Node, *, touch: bool) -> nodes.Node:
        """The link for a mark of the inliner, or its plain text if the place takes no link."""
        if not isinstance(child, nodes.inline) or not is_mark(child):
            return child
        if IGNORED in child or not (touch or is_host_link(child)):
            return nodes.Text(child.astext())
        link: Link = child[LINK]
        if isinstance(child.parent, nodes.FixedTextElement):
            link = link._replace(text=child.astext())
        return build(link, self._options, child[FOUND])

    def _record(
        self,
        children: Sequence[nodes.Node],
        parent: nodes.Element,
        source: str | None,
        line: int | None,
    ) -> None:
        """List the DOIs of the links among the children of a node, which begins in a line."""
        counted = 0
        for at, child in enumerate(children):
            if isinstance(child, nodes.reference) and (found := self.links.adopt(child)):
                said = found.remarks
                if self._remark and not said:
                    tail, whole = _fragment(child), found.whole
                    said = tuple(remarks(found.doi, tail=tail, whole=whole, other=found.other))
                around = self._blocks.around(parent)
                if isinstance(parent, nodes.TextElement) and line is not None:
                    line += sum(map(breaks, children[counted:at]))
                    counted = at
                place = replace(found, file=source or None, line=line, remarks=said, around=around)
                self.dois.append(place)

    def _link_run(self, run: Sequence[nodes.Node]) -> list[nodes.Node]:
        """Link the names in a run of text nodes and of links that a parser made of plain text."""
        texts = texts_of_run(run)
        text = "".join(texts)
        if not may_contain_doi(text):
            return list(run)
        joined = Joined(texts)
        links = []
        for match in scan(text):
            first = joined.index(match.start)
            inside = match.end <= joined.starts[first + 1]
            # The whole name is in one node that is already a link.
            if inside and not isinstance(run[first], nodes.Text):
                continue
            if node := self._link_match(match, text):
                links.append((match.start, match.end, node))
        done: list[nodes.Node] = []
        for each in joined.splice(links):
            if isinstance(each, range):
                done += run[each.start : each.stop]
            elif isinstance(each, Rest):
                done.append(nodes.Text(joined.text[each.start : each.end]))
            else:
                done.append(each)
        return done

    def _link_match(self, match: Match, text: str) -> nodes.reference | None:
        link = link_written(match, self._options, text)
        if link is None:
            return None
        written = text[match.start : match.end]
        whole = whole_name(match, text)
        said = tuple(remarks_of(match, text, whole)) if self._remark else ()
        found = Found(match.doi, form=match.form, written=written, remarks=said, whole=whole)
        return build(link, self._options, found)


def _set_children(parent: nodes.Element, children: list[nodes.Node]) -> None:
    """Replace the children of a node, unless they are the same."""
    if len(children) == len(parent.children) and all(
        new is old for new, old in zip(children, parent.children, strict=True)
    ):
        return
    parent.children = children
    for child in children:
        if child.parent is not parent:
            parent.setup_child(child)


def _unlink_title(title: nodes.title) -> None:
    """Remove the link to the contents from a title that contains a link, as docutils does."""
    if "refid" in title and title.next_node(nodes.reference):
        del title["refid"]


def _is_of_rest(child: nodes.Node) -> bool:
    return is_mark(child) and child.line is None


def _fragment(node: nodes.reference) -> str:
    return "".join(str(node.get("refuri", "")).partition("#")[1:])
