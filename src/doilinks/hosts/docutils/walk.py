"""Makes the links of a document tree.

One walk goes over the tree, whatever parser built it. The marks of the inliner become links, links
that lead to a DOI get their canonical target, and names in plain text become links.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final
from urllib.parse import unquote

from docutils import nodes
from docutils.utils.urischemes import schemes

from ...cite.citations import typed
from ...core.begin import label_length
from ...core.found import Found
from ...core.link import Link, after_label, after_text, aimed, leads_to_doi, may_contain
from ...core.markup import enclosed
from ...core.nameless import may_aim
from ...core.options import Options
from ...core.outline import Block, BlockGroup, Outline, own_label
from ...core.scan import Match, may_contain_doi, scan, whole_name
from ...core.text import Joined, Rest
from .cite import CITE, PLAIN, citations_in, cite_mark, doi_of, is_cite, without
from .link import (
    FOUND,
    IGNORED,
    LINK,
    UNLINKED,
    AdoptedLinks,
    as_prose,
    before,
    build,
    is_url,
    link_written,
    show,
)

# --------------------------------------------------------------------------------------------------
# The blocks of a document: paragraphs and the like, with the tables and lists that contain them.

# The element of HTML for each node. Nodes that are not here have blocks of their own.
_TAGS: Final[dict[type[nodes.Node], str]] = {
    nodes.table: "table", nodes.thead: "thead", nodes.tbody: "tbody", nodes.row: "tr",
    nodes.entry: "td", nodes.definition_list: "dl", nodes.term: "dt", nodes.definition: "dd",
    nodes.paragraph: "p",
}  # fmt: skip
_OUTER: Final = (nodes.table, nodes.definition_list)
_HIDDEN: Final = (nodes.Invisible, nodes.system_message)


class Blocks:
    """The blocks of a document, with their tables and lists; read when one is asked for."""

    def __init__(self) -> None:
        self._blocks: dict[nodes.Node, Block] = {}
        self._outlined: set[nodes.Node] = set()

    def of(self, node: nodes.Node) -> Block:
        """Return the block that contains a node."""
        while isinstance(node, nodes.Inline) and node.parent is not None:
            node = node.parent
        if node not in self._blocks:
            owner, outer, above = node.parent, None, node.parent
            while above is not None:
                outer = above if isinstance(above, _OUTER) else outer
                above = above.parent
            if outer is not None and outer not in self._outlined:
                self._outlined.add(outer)
                self._read(outer, Outline())
            if isinstance(owner, nodes.field_body) and node is owner.children[0]:
                name = Block(owner.parent.children[0].astext)
                self._blocks[node] = BlockGroup(name).add(node.astext)
            self._blocks.setdefault(node, Block(node.astext))
        return self._blocks[node]

    def _read(self, node: nodes.Element, outline: Outline) -> None:
        tag = _TAGS.get(type(node), "")
        outline.open(tag)
        # A classifier is a part of its term.
        is_inside = isinstance(node.parent, (nodes.entry, nodes.definition))
        if is_inside or isinstance(node, (nodes.term, nodes.classifier)):
            self._blocks[node] = outline.block(node.astext)
        for child in () if isinstance(node, nodes.TextElement) else node.children:
            if isinstance(child, nodes.Element) and not isinstance(child, _HIDDEN):
                self._read(child, outline)
        outline.close(tag)


def picture_of(link: nodes.Node) -> str:
    """Write a link that is only a picture, such as a badge, as Markdown; else ``""``.

    The text around it says nothing about it, and docutils shows none of the picture.
    """
    image = link.children[0] if len(link.children) == 1 else None
    if not (isinstance(link, nodes.reference) and isinstance(image, nodes.image)):
        return ""
    return f"[![{image.get('alt', '')}]({image.get('uri', '')})]({link.get('refuri', '')})"


# --------------------------------------------------------------------------------------------------
# Tells which nodes of a document tree the linker has to look at. This changes no node.

# Code, mathematics, raw HTML, comments, keys of citations and footnotes, and document metadata are
# not prose. A reference is here because its text is read together with the link.
NOT_PROSE: Final = (
    nodes.FixedTextElement, nodes.literal, nodes.math, nodes.raw, nodes.comment, nodes.docinfo,
    nodes.label, nodes.citation_reference, nodes.footnote_reference, nodes.title_reference,
    nodes.option_group, nodes.system_message, nodes.problematic, nodes.substitution_definition,
    nodes.substitution_reference, nodes.image, nodes.target, nodes.reference, nodes.meta,
)  # fmt: skip
# Nodes of Sphinx are given by name, because docutils is also used without Sphinx.
NOT_PROSE_IN_SPHINX: Final = frozenset(
    ("desc_signature", "pending_xref", "download_reference", "number_reference")
)
# This node is a subclass of comment only so that writers that do not know it leave it out.
PROSE_IN_SPHINX: Final = frozenset({"autosummary_table"})
_LABEL_STAYS: Final = ("link", "publisher", "role")  # forms of links


def breaks(node: nodes.Node) -> int:
    """Count the lines of the source that end in a node of running text."""
    return (node if isinstance(node, nodes.Text) else node.astext()).count("\n")


def enclosed_in_html(children: Sequence[nodes.Node]) -> list[bool] | None:
    """Tell which children are inside raw HTML without links; None if there is no raw HTML."""
    raw = [
        child.astext() if isinstance(child, nodes.raw) and child.get("format") == "html" else None
        for child in children
    ]
    return enclosed(raw) if any(raw) else None


def is_mark(node: nodes.Node) -> bool:
    """Tell whether a node is a mark that the inliner has left for the linker."""
    return isinstance(node, nodes.inline) and (FOUND in node or IGNORED in node)


def is_host_link(node: nodes.inline) -> bool:
    """Tell whether the host without doilinks would make a link of the text of a mark.

    docutils makes a link of a URL wherever it reads inline markup, also in a parsed literal and in
    the metadata of a document. It does not do so in a table of contents, where the whole entry is a
    link. MyST does so only with its extension ``linkify``.
    """
    if UNLINKED in node:
        return False
    return is_url(node.astext()) and not isinstance(node.parent, nodes.reference)


def may_contain_link(document: nodes.Element, options: Options) -> bool:
    """Tell quickly whether a document may contain a DOI, because most documents contain none."""
    stack, texts = [document], []
    while stack:
        for child in stack.pop().children:
            if isinstance(child, nodes.Text):
                texts.append(child)
            elif isinstance(child, nodes.Element):
                stack.append(child)
                if isinstance(child, nodes.reference):
                    href = str(child.get("refuri", ""))
                    if FOUND in child or "doi" in href.lower() or leads_to_doi(href, options):
                        return True
                elif is_cite(child):  # a role, which may have a key alone
                    return True
    return may_contain("\n".join(texts), options)  # one search is quicker than hundreds


def _typed(node: nodes.Node) -> str | None:
    """Return a node's text as the author typed it; None if no parser made it from text.

    docutils ends a URL at ``<``, linkify takes ``3.0.CO`` for a web site. The link is a node of its
    own, although the author typed one name.
    """
    if isinstance(node, nodes.Text):
        return str(node)
    if not isinstance(node, nodes.reference) or FOUND in node or len(node.children) != 1:
        return None
    text, href = node.astext(), str(node.get("refuri"))
    is_typed = href in (f"http://{text}", f"mailto:{text}") or unquote(href) == unquote(text)
    if not (is_typed and isinstance(node.children[0], nodes.Text)):
        return None
    # An autolink of CommonMark has any scheme, docutils knows its own: <S29::AID-HPM465>.
    scheme, colon, _ = text.partition(":")
    return f"<{text}>" if colon and scheme.lower() not in {"doi", *schemes} else text


class Linker:
    """Links the DOIs of one document."""

    def __init__(self, options: Options) -> None:
        self.dois: list[Found] = []
        self.links = AdoptedLinks(options)  # the links themselves
        self.cites: list[nodes.inline] = []  # the marks of citations
        self.typed: nodes.Text | None = None  # the first citation that stays as it is typed
        self.places: list[nodes.TextElement] = []  # the links, and the marks that will become links
        self.is_in_order = True  # whether the places are in the order of the document
        self._options = options
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
            if any(self._may_change(child, touch=prose) for child in node.children):
                self._link_children(node, source, line, touch=prose)
                # As docutils does: no link to the contents around another link.
                is_linked = isinstance(node, nodes.title) and "refid" in node
                if is_linked and (node.next_node(nodes.reference) or node.next_node(is_cite)):
                    del node["refid"]
            below = [
                (at, child)
                for at, child in enumerate(node.children)
                if isinstance(child, nodes.Element)
                and any(
                    not isinstance(each, nodes.Text)
                    or may_contain_doi(each, self._options.arxiv)
                    or may_aim(each)
                    for each in child.children
                )
            ]
            closed = enclosed_in_html(node.children) if prose and below else None
            counted, added = 0, len(stack)
            for at, child in below:
                if lines and line is not None:
                    line += sum(map(breaks, node.children[counted:at]))
                    counted = at
                stack.append((child, source, line, touch and not (closed and closed[at])))
            stack[added:] = reversed(stack[added:])

    def _may_change(self, child: nodes.Node, *, touch: bool) -> bool:
        if isinstance(child, nodes.Text):
            return touch and (may_contain_doi(child, self._options.arxiv) or may_aim(child))
        return isinstance(child, (nodes.reference, nodes.inline))

    def _is_untouched(self, node: nodes.Element) -> bool:
        kind = type(node)
        known = self._untouched.get(kind)
        if known is None:
            no_prose = issubclass(kind, NOT_PROSE) or kind.__name__ in NOT_PROSE_IN_SPHINX
            known = no_prose and kind.__name__ not in PROSE_IN_SPHINX
            self._untouched[kind] = known
        # The author has not written the text that a notebook's cell has printed.
        return known or CITE in node or node.get("nb_element") == "cell_code_output"

    def _link_children(
        self, parent: nodes.Element, source: str | None, line: int | None, *, touch: bool
    ) -> None:
        """Link the children of a node. A line break in its text counts as a line of the source."""
        if line is not None and isinstance(parent, nodes.title):
            # docutils counts a title at its underline.
            line -= any(is_mark(each) and each.line is None for each in parent)
        children = [*self._linked(parent, touch=touch)]
        self._record(children, parent, source, line, touch=touch)
        if touch and self.links.texts:
            children = self._without_labels(parent, children)
        self.links.texts.clear()
        if [*map(id, children)] != [*map(id, parent.children)]:
            parent.children = children
            for child in children:
                if child.parent is not parent:
                    parent.setup_child(child)

    def _linked(self, parent: nodes.Element, *, touch: bool) -> Iterator[nodes.Node]:
        run: list[nodes.Node] = []
        closed = enclosed_in_html(parent.children) if touch else None
        for index, each in enumerate(parent.children):
            touched = touch and not (closed and closed[index])
            child = as_prose(each) if touched else each
            if touched and _typed(child) is not None:
                run.append(child)
                continue
            yield from self._link_run(run, child)
            run = []
            yield self._unmark(child, touch=touched)
        yield from self._link_run(run)

    def _without_labels(
        self, parent: nodes.Element, children: list[nodes.Node]
    ) -> list[nodes.Node]:
        """Remove from a link, or from the text before it, a label that both would show."""
        result: list[nodes.Node] = []
        for index, child in enumerate(children):
            if isinstance(child, nodes.reference) and (link := self.links.texts.get(child)):
                last = result[-1] if result else None
                # A scan takes the label with the name.
                labels = self._options.display != "source" and link.form in _LABEL_STAYS
                size = label_length(last) if labels and isinstance(last, nodes.Text) else 0
                if size:
                    rest = str(result.pop())[:-size]
                    result += [nodes.Text(rest)] if rest else []
                    last = None
                if isinstance(last, nodes.Text):
                    link = after_text(link, self._options, last)
                is_paragraph = isinstance(parent, nodes.paragraph)
                head = self._blocks.of(parent).head if is_paragraph else ""
                link = after_label(link, self._options, own_label(before(children, index), head))
                if link.text != child.astext():
                    show(child, link.text)
            result.append(child)
        return result

    def _unmark(self, child: nodes.Node, *, touch: bool) -> nodes.Node:
        """Return the link for an inliner's mark, or its text if the place takes no link."""
        if not isinstance(child, nodes.inline):
            return child
        if is_cite(child):
            if isinstance(child.parent, nodes.reference):
                child[PLAIN] = True  # a link cannot contain it
            elif not touch:
                return nodes.Text(child.astext())
            self.cites.append(child)
            return child
        if not is_mark(child):
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
        *,
        touch: bool,
    ) -> None:
        """List the DOIs of the links among the children of a node, which begins in a line."""
        counted = 0
        for at, child in enumerate(children):
            for place in self._founds(child, touch=touch):
                if isinstance(parent, nodes.TextElement) and line is not None:
                    line += sum(map(breaks, children[counted:at]))
                    counted = at
                # Names in markup come after names beside it.
                self.is_in_order &= not isinstance(parent, nodes.Inline)
                place.file, place.line = source or None, line
                if line is not None and place.span:
                    place.line = line + child.astext().count("\n", 0, place.span[0])
                place.span = None
                place.around = picture_of(child) or self._blocks.of(parent).text
                self.dois.append(place)

    def _founds(self, child: nodes.Node, *, touch: bool) -> Iterator[Found]:
        if isinstance(child, nodes.reference):
            if place := self.links.adopt(child):
                if doi_of(child):
                    self.places.append(child)
                yield place
        elif isinstance(child, nodes.Text):
            if touch and "@" in child and typed(child, self._options):
                self.typed = self.typed or child
            yield from aimed(child, self._options) if touch else ()
        elif is_cite(child) and PLAIN not in child:
            self.places.append(child)
            for cite in child[CITE].cites:
                if found := cite.found(child.rawsource or None):
                    yield found

    def _link_run(self, run: list[nodes.Node], after: nodes.Node | None = None) -> list[nodes.Node]:
        texts = [_typed(node) or "" for node in run]
        text = "".join(texts)
        if not may_contain(text, self._options):
            return run
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
            # Markdown took the rest of it for emphasis: 10.1000/a*b*c.
            if match.end == len(text) and isinstance(after, (nodes.emphasis, nodes.strong)):
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
        found = Found(match.doi, form=match.form, written=written, whole=whole)
        return build(link, self._options, found)
