"""Reads reStructuredText, including that of Sphinx, with docutils.

docutils imports, runs and includes nothing here. It also reports no errors, because this module
only looks for names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from docutils import frontend, nodes
from docutils.parsers.rst import Parser, states
from docutils.utils import new_document

from ..core.found import Found
from ..core.invisible import whole_name
from ..core.link import link_match
from ..core.options import Options
from ..core.scan import may_contain_doi, scan
from ..docutils.blocks import Blocks
from ..docutils.prose import NOT_PROSE
from .found import Block, Lines, begin, found_at, found_in_link, found_in_role, with_line_ends
from .locate import Locator
from .rest_blocks import relevant
from .unknown import RoleName, everything_known

__all__ = ["read"]

_IMAGE_LINES: Final = 20  # an image directive with all its options is shorter
_NOT_LINE_ENDS: Final = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def read(text: str, options: Options, *, metadata: bool = True) -> Iterator[Found]:
    """Every DOI of a reStructuredText document.

    :param metadata: whether a field list at the top of the document is metadata, and not prose
    """
    if not may_contain_doi(text):
        return iter(())
    text = with_line_ends(text)
    blocks: list[_Block] = []
    document = new_document("", copy(_settings()))
    with everything_known():
        # For docutils, these characters are line ends too. For an editor, they are not.
        Parser(inliner=_inliner(blocks)).parse(relevant(_NOT_LINE_ENDS.sub(" ", text)), document)
    reader = _Reader(text, options, document, _metadata(document) if metadata else None)
    for block in blocks:
        reader.block(*block)
    reader.targets(document)
    return iter(sorted(reader.found, key=begin))


@cache
def _settings() -> Any:
    settings = frontend.get_default_settings(Parser)
    settings.report_level, settings.halt_level = 5, 6
    settings.file_insertion_enabled = False
    settings.line_length_limit = sys.maxsize  # docutils does not read a file with a longer line
    settings.warning_stream = False
    return settings


_Block = tuple[Sequence[nodes.Node], int, int]


def _inliner(blocks: list[_Block]) -> states.Inliner:
    """An inliner that keeps, for each block of text, its nodes and its lines.

    A subclass would not work, because docutils looks for patterns in the class of the inliner and
    not in its base classes.
    """
    inliner = states.Inliner()
    parse = inliner.parse

    def keeping(text: str, lineno: int, memo: Any, parent: Any) -> Any:
        found, messages = parse(text, lineno, memo, parent)
        blocks.append((found, lineno - 1, lineno + text.count("\n")))
        return found, messages

    inliner.parse = keeping  # type: ignore[method-assign]
    return inliner


class _Reader:
    def __init__(
        self, text: str, options: Options, document: nodes.document, metadata: nodes.Node | None
    ) -> None:
        self.found: list[Found] = []
        self._text = text
        self._options = options
        self._metadata = metadata
        self._names = document.nameids
        self._locate = Locator(text, Lines(text).starts)
        self._block: Block = None
        self._blocks = Blocks()

    def block(self, inline: Sequence[nodes.Node], first: int, last: int) -> None:
        """Read one block of text."""
        if not inline:
            return
        parent = inline[0].parent
        self._block = (
            cache(partial(_text_of, inline)) if parent is None else self._blocks.around(parent)
        )
        if self._is_untouched(inline[0].parent):
            # The text of a parsed-literal block is code, but links in it count.
            if isinstance(inline[0].parent, nodes.literal_block):
                for node in inline:
                    if isinstance(node, nodes.reference):
                        self._link(node.get("refuri", ""), first, last, (node.astext(),))
            return
        run: list[str] = []
        for node in inline:
            self._node(node, run, first, last)
        self._prose(run, first, last)
        self._block = None

    def _is_untouched(self, node: nodes.Node | None) -> bool:
        while node is not None:
            # The text of a substitution is counted where it is written, not where it is used.
            if isinstance(node, nodes.substitution_definition):
                return False
            if node is self._metadata or isinstance(node, NOT_PROSE):
                return True
            node = node.parent
        return False

    def _node(self, node: nodes.Node, run: list[str], first: int, last: int) -> None:
        if isinstance(node, nodes.Text):
            run.append(node.astext())
            return
        if isinstance(node, nodes.reference) and self._is_text(node):
            run.append(node.rawsource or node.astext())
            return
        self._prose(run, first, last)
        if isinstance(node, RoleName):
            span = self._locate.find(node.astext(), first, last)
            if found := found_in_role(node.astext(), self._options):
                self.found.append(replace(found, span=span, around=self._block))
        elif isinstance(node, nodes.reference):
            self._skip_text(node, first, last)
            self._link(node.get("refuri", ""), first, last, (node.astext(),))
        elif isinstance(node, NOT_PROSE):
            self._skip_text(node, first, last)
        else:
            for child in node.children:
                self._node(child, run, first, last)
            self._prose(run, first, last)

    def _is_text(self, node: nodes.reference) -> bool:
        """Tell whether docutils made a link of a text that the author wrote.

        This is a URL or an e-mail address, which ends at other characters than a name does, or a
        word with ``_`` at its end that is not the name of a target.
        """
        if "refuri" in node:
            # Only a link with a target of its own, as in `text <target>`_, has a name.
            return "name" not in node and bool(
                node["refuri"].removeprefix("mailto:") == node.astext()
            )
        simple = node.rawsource.endswith("_") and "`" not in node.rawsource
        return simple and node.get("refname") not in self._names

    def _prose(self, run: list[str], first: int, last: int) -> None:
        text = "".join(run)
        run.clear()
        for match in scan(text):
            if link_match(match, self._options, text):
                place = self._locate.find(text[match.start : match.end], first, last)
                if not self._is_escaped(*place):
                    whole = whole_name(match, text)
                    self.found.append(found_at(match, place, self._text, self._block, whole))

    def _is_escaped(self, start: int, end: int) -> bool:
        """Tell whether a backslash is before a character of the label or prefix of a name."""
        slash = self._text.find("/", start, end)
        return "\\" in self._text[max(0, start - 1) : max(start, slash)]

    def _skip_text(self, node: nodes.Element, first: int, last: int) -> None:
        """Go past a text that may contain the same name as what is after it."""
        text = node.astext()
        if may_contain_doi(text):
            self._locate.find(text, first, last)

    def _link(self, href: str, first: int, last: int, texts: Sequence[str] = ()) -> None:
        if found := found_in_link(href, self._options, texts=texts):
            span = self._locate.find_target(href, first, last)
            self.found.append(replace(found, span=span, around=self._block))

    def targets(self, document: nodes.document) -> None:
        """Read the links whose target is not beside their text, and pictures that are links."""
        self._block = None
        texts: dict[str, list[str]] = {}
        # The texts of anonymous links. docutils gives them the anonymous targets in this order.
        anonymous: list[str] = []
        for node in document.findall(nodes.Element):
            if name := node.get("refname"):
                texts.setdefault(name, []).append(node.astext())
            elif isinstance(node, nodes.reference) and node.get("anonymous"):
                anonymous.append(node.astext())
        unnamed = iter(anonymous)
        for node in document.findall(nodes.target):
            given = [text for name in node["names"] for text in texts.get(name, ())]
            if node.get("anonymous"):
                given = [next(unnamed, "")]
            if given and "refuri" in node and not isinstance(node.parent, nodes.TextElement):
                line = (node.line or 1) - 1
                last = line + 1 + node.rawsource.count("\n")
                self._link(node["refuri"], line, last, given)
        for link in document.findall(nodes.reference):
            image = link.next_node()
            if "refuri" in link and isinstance(image, nodes.image):
                begin = link.line or image.line
                # If docutils gives no line, as before 0.21, the link may be anywhere.
                lines = _IMAGE_LINES if begin else sys.maxsize
                first = (begin or 1) - 1
                self._link(link["refuri"], first, first + lines)


def _text_of(inline: Sequence[nodes.Node]) -> str:
    return "".join(node.astext() for node in inline)


def _metadata(document: nodes.document) -> nodes.Node | None:
    """The field list with metadata at the top of a document [docutils: bibliographic]."""
    top: nodes.Element = document
    while True:
        for node in top.children:
            if isinstance(node, nodes.field_list):
                return node
            if isinstance(node, nodes.section):
                top = node
                break
            if not isinstance(node, (nodes.title, nodes.comment, nodes.target)):
                return None
        else:
            return None
