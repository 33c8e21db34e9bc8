"""Makes the links of a document tree.

One walk goes over the tree, whatever parser built it. The marks of the inliner become links, links
that lead to a DOI get their canonical target, and names in plain text become links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import Final

from docutils import nodes

from ...core.found import Found
from ...core.link import Link, after_label, after_text, may_contain
from ...core.options import Options
from ...core.outline import Block, Entry, Group, Row, own_label
from ...core.remarks import remarks, remarks_of
from ...core.scan import Match, scan
from ...core.text import Joined, Rest, whole_name
from .cite import CITE, PLAIN, citations_in, cite_mark, doi_of, found_in, is_cite, without
from .find import (
    belongs_to_run,
    breaks,
    enclosed_in_html,
    is_host_link,
    is_mark,
    is_prose,
    may_change,
    may_contain_link,
    texts_of_run,
)
from .link import FOUND, IGNORED, LINK, AdoptedLinks, before, build, label_in, link_written, show

# --------------------------------------------------------------------------------------------------
# The blocks of a document: paragraphs and the like, and what they belong to.

_TERMS: Final = (nodes.term, nodes.classifier)
_NOT_SHOWN: Final = (nodes.Invisible, nodes.system_message)


class Blocks:
    """The blocks of a document. What they belong to is read when somebody asks for one of them."""

    def __init__(self) -> None:
        self._blocks: dict[nodes.Node, Block] = {}
        self._heads: dict[nodes.Node, Row] = {}  # of each table

    def of(self, node: nodes.Node) -> Block:
        """The block that contains a node."""
        while isinstance(node, nodes.Inline) and node.parent is not None:
            node = node.parent
        if node not in self._blocks:
            owner = node.parent
            item = owner.parent if isinstance(owner, nodes.definition) else owner
            if isinstance(owner, nodes.entry) and isinstance(owner.parent, nodes.row):
                self._read_row(owner.parent)
            elif isinstance(owner, nodes.field_body) and isinstance(owner.parent, nodes.field):
                self._add(Group(Block(owner.parent.children[0].astext)), owner.children[:1])
            elif isinstance(item, nodes.definition_list_item):
                self._read_item(item)
            self._blocks.setdefault(node, Block(node.astext))
        return self._blocks[node]

    def _add(self, group: Group, nodes_of_group: Iterable[nodes.Node]) -> None:
        for node in nodes_of_group:
            self._blocks[node] = group.add(node.astext)

    def _read_row(self, node: nodes.row) -> None:
        group = node.parent.parent if node.parent is not None else None
        heads = None
        if isinstance(group, nodes.tgroup) and isinstance(node.parent, nodes.tbody):
            if group not in self._heads:
                self._heads[group] = Row(None)
                for head in group.children:
                    for entry in head.children[-1:] if isinstance(head, nodes.thead) else ():
                        for cell in entry.children:
                            self._heads[group].cell().add(cell.astext)
            heads = self._heads[group]
        row = Row(heads)
        for entry in node.children:
            shown = (c for c in entry.children if not isinstance(c, nodes.system_message))
            self._add(row.cell(), shown)

    def _read_item(self, item: nodes.definition_list_item) -> None:
        """Read the terms and definitions of an item."""
        entry, head = Entry(), None
        for child in item.children:
            if isinstance(child, _TERMS):
                term = entry.term()
                self._add(term, [child])
                head = head or term.blocks[0]
            elif isinstance(child, nodes.definition):
                group = entry.definition(head)
                for each in child.children:
                    if isinstance(each, nodes.paragraph):
                        self._add(group, [each])
                    else:
                        self._blocks[each] = Block(each.astext)
                        group.is_mixed |= not isinstance(each, _NOT_SHOWN)


def picture_of(link: nodes.Node) -> str:
    """A link that is nothing but a picture, such as a badge, as Markdown writes it; else ``""``.

    The text around it says nothing about it, and docutils shows none of the picture.
    """
    image = link.children[0] if len(link.children) == 1 else None
    if not (isinstance(link, nodes.reference) and isinstance(image, nodes.image)):
        return ""
    return f"[![{image.get('alt', '')}]({image.get('uri', '')})]({link.get('refuri', '')})"


# --------------------------------------------------------------------------------------------------
# The walk.


class Linker:
    """Links the DOIs of one document.

    :param remark: whether to look for doubtful names
    :ivar dois: every DOI
    :ivar links: the links themselves
    :ivar cites: the marks of citations
    :ivar places: the links, and the marks that will become links
    :ivar is_in_order: whether the places are in the order of the document
    """

    def __init__(self, options: Options, *, remark: bool = False) -> None:
        self.dois: list[Found] = []
        self.links = AdoptedLinks(options)
        self.cites: list[nodes.inline] = []
        self.places: list[nodes.TextElement] = []
        self.is_in_order = True
        self._options = options
        self._remark = remark
        self._untouched: dict[type, bool] = {}
        self._blocks = Blocks()

    def link(self, document: nodes.Element) -> None:
        """Link every DOI below ``document``."""
        if not may_contain_link(document, self._options):
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
            if any(may_change(child, self._options.arxiv, touch=prose) for child in node.children):
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
            return any(
                may_change(each, self._options.arxiv, touch=prose) for each in child.children
            )
        return True

    def _is_untouched(self, node: nodes.Element) -> bool:
        kind = type(node)
        known = self._untouched.get(kind)
        if known is None:
            known = not is_prose(kind)
            self._untouched[kind] = known
        # The author has not written the text that a notebook's cell has printed.
        return known or CITE in node or node.get("nb_element") == "cell_code_output"

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
                labels = self._options.display != "source" and child not in self.links.scanned
                if labels and (size := label_in(last)):
                    rest = str(kept.pop())[:-size]
                    kept += [nodes.Text(rest)] if rest else []
                    last = None
                if isinstance(last, nodes.Text):
                    link = after_text(link, self._options, last)
                is_paragraph = isinstance(parent, nodes.paragraph)
                head = self._blocks.of(parent).head if is_paragraph else ""
                link = after_label(link, self._options, own_label(before(children, index), head))
                if link.text != child.astext():
                    show(child, link.text)
            kept.append(child)
        return kept

    def _unmark(self, child: nodes.Node, *, touch: bool) -> nodes.Node:
        """The link for a mark of the inliner, or its plain text if the place takes no link."""
        if not isinstance(child, nodes.inline):
            return child
        if is_cite(child):
            return self._unmark_cite(child, touch=touch)
        if not is_mark(child):
            return child
        if IGNORED in child or not (touch or is_host_link(child)):
            return nodes.Text(child.astext())
        link: Link = child[LINK]
        if isinstance(child.parent, nodes.FixedTextElement):
            link = link._replace(text=child.astext())
        return build(link, self._options, child[FOUND])

    def _unmark_cite(self, child: nodes.inline, *, touch: bool) -> nodes.Node:
        """The mark of a citation, which a link cannot contain, or its plain text."""
        if isinstance(child.parent, nodes.reference):
            child[PLAIN] = True
        elif not touch:
            return nodes.Text(child.astext())
        self.cites.append(child)
        return child

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
            for found in self._founds(child):
                doubts = found.remarks
                if self._remark and not doubts:
                    tail = _fragment(child) if isinstance(child, nodes.reference) else ""
                    whole = found.whole
                    doubts = tuple(remarks(found.doi, tail=tail, whole=whole, other=found.other))
                around = picture_of(child) or self._blocks.of(parent).text
                if isinstance(parent, nodes.TextElement) and line is not None:
                    line += sum(map(breaks, children[counted:at]))
                    counted = at
                # What is in markup comes after what is beside it.
                self.is_in_order &= not isinstance(parent, nodes.Inline)
                self.dois.append(Found(
                    found.doi, form=found.form, file=source or None, line=line, remarks=doubts,
                    written=found.written, whole=found.whole, other=found.other, around=around,
                ))  # fmt: skip

    def _founds(self, child: nodes.Node) -> Iterator[Found]:
        """The names that a node stands for, if it is a link or a citation."""
        if isinstance(child, nodes.reference):
            if found := self.links.adopt(child):
                if doi_of(child):
                    self.places.append(child)
                yield found
        elif is_cite(child) and PLAIN not in child:
            self.places.append(child)
            yield from found_in(child)

    def _link_run(self, run: Sequence[nodes.Node]) -> list[nodes.Node]:
        """Link the names in a run of text nodes and of links that a parser made of plain text."""
        texts = texts_of_run(run)
        text = "".join(texts)
        if not may_contain(text, self._options):
            return list(run)
        joined = Joined(texts)
        links: list[tuple[int, int, nodes.Element]] = []
        clusters = [
            cluster
            for cluster in citations_in(text, self._options)
            if all(
                isinstance(each, nodes.Text)
                for each in run[joined.index(cluster.start) : joined.index(cluster.end - 1) + 1]
            )
        ]
        for cluster in clusters:
            start, end = cluster[:2]
            mark = cite_mark(text[start:end], cluster)
            self.cites.append(mark)
            links.append((start, end, mark))
        text = without(text, clusters)
        for match in scan(text, self._options.arxiv):
            first = joined.index(match.start)
            inside = match.end <= joined.starts[first + 1]
            # The whole name is in one node that is already a link.
            if inside and not isinstance(run[first], nodes.Text):
                continue
            if node := self._link_match(match, text):
                links.append((match.start, match.end, node))
        done: list[nodes.Node] = []
        for each in joined.splice(sorted(links, key=itemgetter(0)) if clusters else links):
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
        doubts = tuple(remarks_of(match, text, whole)) if self._remark else ()
        found = Found(match.doi, form=match.form, written=written, remarks=doubts, whole=whole)
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
    if "refid" in title and (title.next_node(nodes.reference) or title.next_node(is_cite)):
        del title["refid"]


def _is_of_rest(child: nodes.Node) -> bool:
    return is_mark(child) and child.line is None


def _fragment(node: nodes.reference) -> str:
    return "".join(str(node.get("refuri", "")).partition("#")[1:])
