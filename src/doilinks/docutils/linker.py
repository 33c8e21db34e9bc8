"""Makes the links of a document tree.

One walk over the tree, whoever built it: the marks of our inliner become links, links that lead to
a DOI get their canonical target, and names in plain text are linked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from docutils import nodes

from doilinks.core.doi import DOI, InvalidDOI
from doilinks.core.link import Link, after_label, names, relink, with_classes
from doilinks.core.options import Options
from doilinks.core.remarks import Remark, remarks
from doilinks.core.scan import Match, may_hold_doi, scan
from doilinks.core.text import Rest

from .labels import has_own_label, label_in
from .link_node import DOI_NAME, IGNORED, link_written, marked_link, reference_to
from .run import belongs_to_run, text_of_run
from .work import (
    breaks,
    enclosed_in_html,
    is_host_link,
    is_mark,
    is_prose,
    is_work,
    may_hold_link,
)

__all__ = ["Found", "Linker"]


class Found(NamedTuple):
    """A DOI of a document.

    :ivar name: the DOI name
    :ivar source: the file (for a docstring, what the host calls it), or None
    :ivar line: the line in it, or None
    :ivar remarks: what is doubtful about it, where that was asked for
    """

    name: str
    source: str | None
    line: int | None
    remarks: tuple[Remark, ...] = ()


_REMARKS: Final = "doi_remarks"  # on a node until the name is noted


class Linker:
    """Links the DOIs of one document.

    :param retype: what a parser that picks typography has put for which ASCII characters; undone
        inside names
    :param remark: look for what is doubtful about each name
    :ivar found: every DOI, for the check
    :ivar shown: the links whose text is a DOI, which typography has to leave alone
    :ivar nameless: the links to a ``doi:`` that names no DOI; they stay as they are
    """

    def __init__(
        self, options: Options, retype: Mapping[int, str] | None = None, *, remark: bool = False
    ) -> None:
        self.found: list[Found] = []
        self.shown: list[nodes.reference] = []
        self.nameless: list[nodes.reference] = []
        self._options = options
        self._retype = retype or {}
        self._remark = remark
        self._untouched: dict[type, bool] = {}
        # The links among the children of one node whose text is ours.
        self._shows: dict[nodes.reference, Link] = {}

    def link(self, document: nodes.Element) -> None:
        """Link every DOI below ``document``."""
        if not may_hold_link(document):
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
            prose = touch and lines  # writers take no link in an element that is not for text
            if any(is_work(child, touch=prose) for child in node.children):
                self._link_children(node, source, line, touch=prose)
                if isinstance(node, nodes.title):
                    _unlink_title(node)
            below = []
            closed = enclosed_in_html(node.children) if prose else None
            for at, child in enumerate(node.children):
                if isinstance(child, nodes.Element) and child.children:
                    below.append((child, source, line, touch and not (closed and closed[at])))
                if lines and line is not None:
                    line += breaks(child)
            stack.extend(reversed(below))

    def _is_untouched(self, node: nodes.Element) -> bool:
        kind = type(node)
        known = self._untouched.get(kind)
        if known is None:
            known = not is_prose(kind)
            self._untouched[kind] = known
        # What a notebook's cell has printed is no prose of its author.
        return known or node.get("nb_element") == "cell_code_output"

    def _link_children(
        self, parent: nodes.Element, source: str | None, line: int | None, *, touch: bool
    ) -> None:
        """Replace children of one node; a line break inside it counts as a line of the source."""
        children: list[nodes.Node] = []
        run: list[nodes.Node] = []
        text_line = isinstance(parent, nodes.TextElement)
        if line is not None and isinstance(parent, nodes.title) and any(map(is_mark, parent)):
            line -= 1  # docutils counts a title at its underline
        closed = enclosed_in_html(parent.children) if touch else None
        for index, child in enumerate((*parent.children, None)):
            touched = touch and not (closed and child is not None and closed[index])
            if child is not None and touched and belongs_to_run(parent.children, index):
                run.append(child)
                continue
            if run:
                done = self._link_run(run)
                run = []
                line = self._note(done, source, line, advance=text_line)
                children += done
            if child is None:
                break
            done = [self._unmark(child, touch=touched)]
            line = self._note(done, source, line, advance=text_line)
            children += done
        if touch and self._shows:
            children = self._without_labels(parent, children)
        self._shows.clear()
        if len(children) != len(parent.children) or any(
            new is not old for new, old in zip(children, parent.children, strict=True)
        ):
            parent.children = children
            for child in children:
                if child.parent is not parent:
                    parent.setup_child(child)

    def _without_labels(
        self, parent: nodes.Element, children: list[nodes.Node]
    ) -> list[nodes.Node]:
        """Take away what a link and the label before it would both say."""
        kept: list[nodes.Node] = []
        for index, child in enumerate(children):
            if isinstance(child, nodes.reference) and (link := self._shows.get(child)):
                if size := label_in(kept[-1] if kept else None):
                    before = str(kept.pop())[:-size]
                    kept += [nodes.Text(before)] if before else []
                elif has_own_label(parent, children, index):
                    _show(child, after_label(link, self._options).text)
            kept.append(child)
        return kept

    def _unmark(self, child: nodes.Node, *, touch: bool) -> nodes.Node:
        """The link for a mark of the inliner, or its plain text where nothing is linked."""
        if not isinstance(child, nodes.inline) or not is_mark(child):
            return child
        if IGNORED in child or not (touch or is_host_link(child)):
            return nodes.Text(child.astext())
        link = marked_link(child)
        if isinstance(child.parent, nodes.FixedTextElement):
            link = link._replace(text=child.astext())
        return reference_to(link, self._options, child.rawsource)

    def _note(
        self, children: Iterable[nodes.Node], source: str | None, line: int | None, *, advance: bool
    ) -> int | None:
        """Take note of the links among ``children``; returns the line behind them."""
        for child in children:
            if isinstance(child, nodes.reference):
                doi = self._own(child) or self._relink(child)
                said = child.attributes.pop(_REMARKS, None)
                if doi is not None:
                    if self._remark and said is None:
                        said = remarks(*_written(child, doi))
                    self.found.append(Found(doi, source, line, tuple(said or ())))
            if advance and line is not None:
                line += breaks(child)
        return line

    def _own(self, node: nodes.reference) -> str | None:
        """The name of a link that doilinks has made, here or in the role."""
        name: str | None = node.attributes.pop(DOI_NAME, None)
        if name is not None and names(node.astext(), DOI(name)):
            self.shown.append(node)
            self._shows[node] = Link(node.astext(), node["refuri"], DOI(name))
        return name

    def _relink(self, node: nodes.reference) -> str | None:
        """Make a link that is in the tree already canonical; returns the name it leads to."""
        href, text = node.get("refuri"), node.astext().translate(self._retype)
        if not isinstance(href, str):
            return None
        if not node.children:
            text = href  # [](doi:10.1000/182) in MyST: the name is the text
        link = relink(href, text, self._options)
        if link is None:
            if href[:4].lower() == "doi:" and not _is_doi(href):
                self.nameless.append(node)
            return None
        if link.href is None:
            return link.doi.name
        node["refuri"] = link.href
        node["classes"] = with_classes(node["classes"], self._options)
        if names(text, link.doi):
            plain = all(isinstance(child, nodes.Text) for child in node.children)
            if link.text is not None and plain:
                _show(node, link.text)
                self._shows[node] = link
            self.shown.append(node)
        return link.doi.name

    def _link_run(self, run: Sequence[nodes.Node]) -> list[nodes.Node]:
        """Link the names in neighbouring text nodes and links that were made of plain text."""
        joined = text_of_run(run)
        if not may_hold_doi(joined.text):
            return list(run)
        links = []
        for match in scan(joined.text):
            first = joined.index(match.start)
            inside = match.end <= joined.starts[first + 1]
            # A link that holds the whole name is one already.
            if inside and not isinstance(run[first], nodes.Text):
                continue
            if node := self._link_match(match, joined.text):
                links.append((match.start, match.end, node))
        done: list[nodes.Node] = []
        for each in joined.splice(links):
            if not isinstance(each, Rest):
                done.append(each)
            elif each.whole:
                done.append(run[each.number])
            else:
                done.append(nodes.Text(joined.text[each.start : each.end]))
        return done

    def _link_match(self, match: Match, text: str) -> nodes.reference | None:
        if self._retype:
            match = match._replace(doi=DOI(match.doi.name.translate(self._retype)))
        link = link_written(match, self._options, text)
        if link is None:
            return None
        node = reference_to(link, self._options, text[match.start : match.end])
        if self._remark:
            node[_REMARKS] = remarks(match, text)
        return node


def _unlink_title(title: nodes.title) -> None:
    """Take away the link to the contents from a title with a link in it, as docutils does."""
    if "refid" in title and title.next_node(nodes.reference):
        del title["refid"]


def _show(node: nodes.Element, text: str | None) -> None:
    node.children = []
    node += nodes.Text(text or "")


def _written(node: nodes.reference, name: str) -> tuple[DOI | Match, str]:
    """A link that was no prose, as remarks take it: its name, with the fragment of its target."""
    fragment = str(node.get("refuri", "")).partition("#")[1:]
    doi = DOI(name)
    return (Match(0, 0, doi, "url", "".join(fragment)) if fragment[0] else doi), ""


def _is_doi(href: str) -> bool:
    try:
        DOI.parse(href)
    except InvalidDOI:
        return False
    return True
