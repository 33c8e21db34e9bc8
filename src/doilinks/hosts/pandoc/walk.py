"""Finds and links the DOIs in pandoc's JSON, and keeps their places.

A list of inlines is read as one text and scanned. If a link leads to a DOI and shows it, this text
includes the text of the link. So a label before the link joins it, and so does the part of a name
that an autolinker has cut off at ``<``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ...core.doi import DOI_HOST, WEB
from ...core.found import Found, IgnoreComment
from ...core.link import POSSESSIVE, REACH, after_label, aimed, bare_target, link_typed, says_doi
from ...core.markup import enclosed
from ...core.options import Options
from ...core.outline import Block, Outline, own_label
from ...core.scan import Match, may_contain_doi, scan, whole_name
from ...core.text import Joined
from .check import Comments
from .link import LinkInlines, before
from .text import (
    DOUBT,
    END,
    NO_NODE,
    QUOTES,
    SMART,
    Node,
    Pieces,
    Replacement,
    Settings,
    TextPiece,
    all_text,
    part,
    position,
    spell,
    unwrapped,
)

if TYPE_CHECKING:
    from .cite import Works

# --------------------------------------------------------------------------------------------------
# Finds the names in the text of a list of inlines, and makes the links that replace them.

# A label, or the address of a proxy that a citation style prints before a link. It belongs to the
# link.
_LABEL: Final = re.compile(rf"(?:urn:)?doi\s*+:?\s*|(?:{WEB}|//)?{DOI_HOST}/", re.IGNORECASE)


class NameInlines(LinkInlines):
    """Finds the names in texts of a document, and makes links."""

    def find(self, pieces: Pieces, joined: Joined, head: str) -> list[tuple[int, int, Replacement]]:
        """Find the stretches that links replace, as start, end and :class:`Replacement`."""
        text = joined.text
        typed = POSSESSIVE.sub("'", text) if self._reader.smart else text
        matches = scan(typed, self.options.arxiv)
        replacements = []
        for match in matches:
            if framed := _framed(match, pieces, joined):
                replacements.append(framed)
            elif replacement := self._replacement(match, pieces, joined, head):
                replacements.append((match.start, match.end, replacement))
        return replacements

    def _replacement(
        self, match: Match, pieces: Pieces, joined: Joined, head: str
    ) -> Replacement | None:
        text, starts = joined.text, joined.starts
        first, last = joined.index(match.start), joined.index(match.end - 1)
        divides = pieces[last].whole and match.end < starts[last + 1]
        if divides or text[match.end : match.end + 1] == DOUBT:
            return None
        at = next((at for at in range(first, last + 1) if pieces[at].link), None)
        held = None if at is None else pieces[at]
        link = link_typed(match, self.options, text, SMART if self._reader.smart else {})
        if at is not None and held and held.link:
            start, end = starts[at], starts[at + 1]
            if held.link.href is None or not _completes(match, text, start, end):
                return None
            if self.options.display == "source" and match.end == end:
                return None  # its label stays as it is written, beside the link
            link = link if match.end > end else held.link
        elif pieces[first].whole and (
            match.start > starts[first] or unwrapped(pieces[first].node)["t"] != "Link"
        ):
            return None
        if link is None:
            return None
        label = own_label(before(pieces, first, text[starts[first] : match.start]), head)
        link = after_label(link, self.options, label)
        written = text[match.start : match.end]
        # A link that the reader has made and that the match contains as a whole.
        bare = (
            pieces[at]
            for at in range(first, last + 1)
            if pieces[at].bare and match.start <= starts[at] and match.end >= starts[at + 1]
        )
        held = held or next(bare, None)
        if self.options.display == "source" and held:
            link = link._replace(text=written)
        whole = whole_name(match, text)
        found = Found(link.doi, form=match.form, written=written, whole=whole)
        return Replacement(link, found, match.start - starts[first], pieces[first], held)


def _framed(match: Match, pieces: Pieces, joined: Joined) -> tuple[int, int, Replacement] | None:
    """Return a link and its label, if its text has punctuation around the name; else None."""
    last = joined.index(match.end - 1)
    start, end = joined.starts[last], joined.starts[last + 1]
    piece = pieces[last]
    if match.end >= end or not (piece.link and piece.link.label):
        return None
    found = Found(piece.link.doi, form="link")
    return start - piece.link.label, end, Replacement(piece.link, found, 0, piece, piece)


def _completes(match: Match, text: str, start: int, end: int) -> bool:
    """Tell whether a match adds to a link its label, or the part of its name that was cut off.

    Autolinkers end a URL before ``<``. The autolinkers of reST and some wikis end it before ``::``.
    """
    before = text[match.start : start]
    grows = match.end > end
    return (
        match.start <= start
        and match.end >= end
        and bool(before or grows)
        and (not before or _LABEL.fullmatch(before) is not None)
        and (not grows or "<" in (text[end], text[start]) or text.startswith("::", end))
    )


_LEAVES: Final = frozenset(
    {"", "Str", "Space", "SoftBreak", "LineBreak", "Code", "Math", "RawInline", "Image"}
)
_MAY_BE_RAW: Final = frozenset({"RawInline", "Span"})
_INLINES: Final = _LEAVES.union(
    {"Emph", "Underline", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps"},
    {"Quoted", "Cite", "Link", "Note", "Span"},
)
# The content of these is not prose, or belongs to a link.
_CLOSED: Final = _LEAVES | {"CodeBlock", "RawBlock"}
_CONTAINERS: Final = frozenset(
    {"", "BlockQuote", "BulletList", "OrderedList", "DefinitionList", "Div", "Figure", "Table"}
)
# Blocks after which a definition is more than paragraphs.
_OTHER_BLOCKS: Final = frozenset(
    {"BlockQuote", "BulletList", "OrderedList", "Figure", "Header", "LineBlock"}
    | {"CodeBlock", "RawBlock", "HorizontalRule"}
)
_TABLE_SIZE: Final = 6  # parts of a table since pandoc-types 1.21; older ones have no cells
_BLOCKS_OF_COMMENTS: Final = frozenset({"RawBlock", "Div"})
_POSITION: Final = re.compile(r"(?:([^;]*)@)?([0-9]{1,9}):([0-9]{1,9})-")  # as +sourcepos writes it


class BlockLinker:
    """Links the DOIs of pandoc's JSON, in place."""

    def __init__(
        self,
        options: Options,
        reader: Settings,
        writer: str = "",
        cited: Options | None = None,
        works: Works | None = None,
    ) -> None:
        self.options = options
        self.reader = reader
        self.dois: list[Found] = []  # the DOIs linked so far, in the order of the document
        self.changed = False  # whether anything has changed in the block
        self.works = works
        # A warning about a citation that stays as it is typed; None: citeproc may know it.
        self.typed: str | None = ""
        self._finders = {  # by whether citeproc has made the text
            is_cited: NameInlines(each, reader, writer, works)
            for is_cited, each in ((False, options), (True, cited or options))
        }
        self._position = ""
        self._cited = False  # whether this is inside a text that citeproc has made
        self._outline = Outline()
        self._block: Block | None = None
        self._head = ""  # the term or column head that names the inlines of a quotation
        self.comments = Comments()  # the comments that silence names
        # The comment that silences the inlines of the current block.
        self._silence: IgnoreComment | None = None

    def rewrite(self, block: Node) -> bool:
        """Link the DOIs in a block at the top of the document; return whether it has changed."""
        self.changed = self.works is not None and self.works.take(block)
        self.walk(block)
        return self.changed

    def walk(self, value: Any) -> None:
        """Link the DOIs in a block, an inline, or a list of either."""
        if isinstance(value, dict):
            kind = value.get("t", "")
            if kind in _BLOCKS_OF_COMMENTS and self.comments.take(value):
                return
            if kind in _OTHER_BLOCKS:
                self._outline.open("div")
            if kind not in _CLOSED:
                self._enter(value)
            if kind not in _CONTAINERS:
                self.comments.leave()
        elif isinstance(value, list) and value:
            first = value[0]
            if isinstance(first, dict) and first.get("t") in _INLINES:
                self._inlines(value)
            else:
                for each in value:
                    if isinstance(each, (dict, list)):
                        self.walk(each)

    def _enter(self, node: Node) -> None:
        kind: str = node.get("t", "")
        content: Any = node.get("c")
        outer = self._position, self._cited, self._block, self._outline
        if kind == "Note":
            self._block, self._outline = None, Outline()
        if kind == "Quoted":
            quote, inlines = node["c"]
            self._inlines(inlines, QUOTES[quote["t"]])
        elif kind == "Cite":
            # A key and its text stay, because citeproc replaces them. A note comes from citeproc.
            for doi in self.works.names(node) if self.works else ():
                self._record(Found(doi, form="cite", silence=self._silence), node, 0)
            if self.typed == "" and any("doi:10" in each["citationId"] for each in node["c"][0]):
                from ...cite.citations import typed  # few documents cite without the option

                self.typed = typed(all_text(node["c"][1]), self.options)
            if self.works:
                self._inlines([*self.works.links(node)])
                self.changed |= self.works.on_entries(node["c"][1])
            self._cited = True
            self.walk([inline["c"] for inline in node["c"][1] if inline["t"] == "Note"])
        elif kind == "Table" and len(content) == _TABLE_SIZE:
            _, caption, _, (_, head), bodies, (_, foot) = content
            self._outline.open("table")
            self.walk(caption)
            self._rows("thead", head)
            for _, _, between, rows in bodies:
                self._rows("tbody", between + rows)
            self._rows("tfoot", foot)
            self._outline.close("table")
        elif kind == "DefinitionList":
            self._outline.open("dl")
            for term, definitions in content:
                self._within("dt", term)
                for blocks in definitions:
                    self._within("dd", blocks)
            self._outline.close("dl")
        else:
            self._position = (position(node) if kind else "") or self._position
            self._cited = self._cited or (kind == "Div" and "csl-entry" in node["c"][0][1])
            self.walk(content)
        self._position, self._cited, self._block, self._outline = outer

    def _rows(self, tag: str, rows: Any) -> None:
        self._outline.open(tag)
        for _, cells in rows:
            self._outline.open("tr")
            for _, _, _, columns, blocks in cells:
                self._within("td", blocks)
                self._outline.span(max(columns, 1) - 1)
            self._outline.close("tr")
        self._outline.close(tag)

    def _within(self, tag: str, content: Any) -> None:
        self._outline.open(tag)
        self.walk(content)
        self._outline.close(tag)

    def _inlines(self, inlines: list[Node], quote: str = "") -> None:
        """Link the DOIs of a list in place. ``quote`` is the quotation mark around the list."""
        outer, head = self._block, self._head
        if outer is None:
            self._block = self._outline.block(partial(all_text, inlines))
            head = self._block.head
        self._head = ""
        self._link_inlines(inlines, quote, head)
        self._block = outer

    def _link_inlines(self, inlines: list[Node], quote: str, head: str) -> None:
        finder = self._finders[self._cited]
        if self._cited:
            count = len(inlines)
            inlines[:] = [each for node in inlines for each in finder.as_prose(node)]
            self.changed |= len(inlines) != count
        pieces = self._pieces(inlines, quote)
        joined = Joined(pieces.texts)
        for index, piece in pieces.read.items():
            if piece.link:
                label = own_label(before(pieces, index, ""), head)
                piece.link = after_label(piece.link, finder.options, label)
        may = may_contain_doi(joined.text, finder.options.arxiv)
        replacements = finder.find(pieces, joined, head) if may else []
        self._aimed(pieces, joined)
        if not replacements:
            for index in pieces.read:
                self._keep(pieces, index, joined)
            return
        built: list[Node] = []
        read = iter([*pieces.read, len(pieces)])
        next_read = next(read)
        for each in joined.splice(replacements):
            if isinstance(each, range):
                while next_read < each.stop:
                    if next_read >= each.start:
                        self._keep(pieces, next_read, joined)
                    next_read = next(read)
                built += pieces.nodes[each.start : each.stop]
            elif isinstance(each, Replacement):
                each.place.silence = each.first.silence
                self._record(each.place, each.first.node, each.offset)
                if each.held:
                    node = unwrapped(each.held.node)
                    finder.adopt(node, each.link)
                else:
                    node = finder.build(each.link)
                built.append(node)
            else:
                text = joined.text[each.start : each.end]
                built.append(part(pieces.nodes[each.number], text))
        inlines[:] = [node for node in built if node is not NO_NODE]
        self.changed = True

    def _aimed(self, pieces: Pieces, joined: Joined) -> None:
        """List the places in the text of a list that aim at a name and have none."""
        for each in aimed(joined.text, self.options):
            start, _ = each.span or (0, 0)
            index = joined.index(start)
            piece = pieces[index]
            if unwrapped(piece.node)["t"] == "Str":
                found = replace(each, span=None, silence=piece.silence)
                self._record(found, piece.node, start - joined.starts[index])

    def _pieces(self, inlines: list[Node], quote: str) -> Pieces:
        """Return a list as pieces of text, with the quotation mark around it."""
        raw: list[str | None] = []
        if not _MAY_BE_RAW.isdisjoint([node["t"] for node in inlines]):
            raw = [_raw_html(node) if node["t"] in _MAY_BE_RAW else None for node in inlines]
        silences = self.comments.of(inlines, raw, self._silence)
        closed = enclosed(raw) if any(raw) else None
        pieces = Pieces(inlines, silences, quote)
        texts, links = pieces.texts, self._finders[self._cited]
        for at, node in enumerate(inlines):
            kind = node["t"]
            if closed and closed[at]:
                pieces.append(TextPiece(node, END, closed=True))
            elif kind == "Str":
                texts.append(node["c"])
            elif kind == "Space":
                texts.append(" ")
            else:
                before = texts[-1][-1:] or " "
                pieces.append(
                    links.read(node, pieces, cited=self._cited)
                    or spell(inlines, at, before, self.reader)
                )
        texts.append(quote)
        return pieces

    def _keep(self, pieces: Pieces, index: int, joined: Joined) -> None:
        """Go into an inline that stays. If it is a link to a DOI, make it canonical."""
        piece = pieces.read[index]
        if piece.closed:
            return
        node = unwrapped(piece.node)
        if node["t"] == "Link":
            if piece.link:
                doi, other = piece.link.doi, piece.link.other
                found = Found(doi, form=piece.link.form, other=other, silence=piece.silence)
                self._record(found, piece.node, 0)
                self.changed |= self._finders[self._cited].adopt(node, piece.link)
            elif bare := bare_target(
                node["c"][2][0], self.options, lambda: [all_text(node["c"][1])]
            ):
                self._record(replace(bare, silence=piece.silence), piece.node, 0)
        elif node["t"] not in _LEAVES:
            if node["t"] == "Quoted":
                start = joined.starts[index]
                before = joined.text[max(0, start - REACH) : start] + QUOTES[node["c"][0]["t"]]
                # The name of a field is in the same place as the term of a definition.
                self._head = "doi" if says_doi(before, len(before)) else ""
            outer, self._silence = self._silence, piece.silence
            self._enter(piece.node)
            self._silence = outer

    def _record(self, place: Found, node: Node, offset: int) -> None:
        """List a DOI that begins at an offset in a node."""
        source = _POSITION.match(position(node) or self._position)
        place.around = self._block.text if self._block else None
        if source:
            place.file, place.line = source[1], int(source[2])
            place.column = int(source[3]) + (offset if position(node) else 0)
        self.dois.append(place)


def _raw_html(node: Node) -> str | None:
    inner = unwrapped(node)
    return inner["c"][1] if inner["t"] == "RawInline" and inner["c"][0] == "html" else None
