"""A transform of mystmd: links the DOIs in the tree of a page, and makes its links canonical.

mystmd gives the tree of a page as JSON, in the nodes of mdast and of the MyST specification. It
runs the transform before it looks for links to doi.org to cite. It may cite these links, for which
it fetches works itself: this module fetches nothing.

Source: https://mystmd.org/guide/executable-plugins, https://mystmd.org/spec
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from ..core.link import (
    POSSESSIVE,
    Link,
    after_label,
    attributes,
    leads_to_doi,
    link_typed,
    may_contain,
    relink,
)
from ..core.options import Options
from ..core.outline import Outline, own_label
from ..core.scan import may_contain_doi, scan
from ..core.text import HIDDEN, Joined

Node = dict[str, Any]
# The content of these is not prose, is a link, or is what mystmd cites.
_CLOSED: Final = frozenset(
    {"link", "linkBlock", "card", "cite", "citeGroup", "crossReference", "image", "code"}
    | {"inlineCode", "math", "inlineMath", "html", "raw", "comment", "mermaid", "keyboard", "myst"}
    | {"output", "outputs", "mystTarget", "mystRole", "mystDirective", "inlineExpression"}
    | {"embed", "iframe", "bibliography", "toc", "footnoteReference", "index", "chemicalFormula"}
)
_INLINE: Final = frozenset({"text", "link"})
_STYLES: Final = frozenset(
    {"emphasis", "strong", "delete", "underline", "subscript", "superscript", "smallcaps", "span"}
    | {"abbreviation"}
)
_MARKED: Final = frozenset({"emphasis", "strong"})
_TAGS: Final = {
    "paragraph": "p", "table": "table", "tableRow": "tr", "tableCell": "td", "list": "ul",
    "definitionList": "dl", "definitionTerm": "dt", "definitionDescription": "dd",
}  # fmt: skip
_Change = tuple[int, int, Node]
_NEAR: Final = 3  # inlines, more than those of a label
_REACH: Final = 200  # characters, more than are between a label and a name
_CUT: Final = len("doi:")
# The parser makes typographic quotes of straight ones, also inside a name.
_QUOTES: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})


def transform(octets: bytes, options: Options) -> bytes:
    """Return the tree of a page, with its DOIs linked, as JSON."""
    if not may_contain(octets.decode(), options):
        return octets
    tree = json.loads(octets)
    link_dois(tree, options)
    return json.dumps(tree, separators=(",", ":")).encode()


def link_dois(tree: Node, options: Options) -> None:
    """Link the DOIs in a tree, in place."""
    outline = Outline()
    todo: list[Node | str] = [tree]  # a string is the tag of an element that ends here
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            outline.close(node)
            continue
        children = node.get("children")
        kind = node.get("type")
        if kind in _CLOSED or not isinstance(children, list):
            continue
        if kind == "tableRow":
            heads = (isinstance(each, dict) and each.get("header") for each in children)
            outline.open("thead" if children and all(heads) else "tbody")
        if tag := _TAGS.get(str(kind)):
            outline.open(tag)
            todo.append(tag)
        # Before it changes, because the tree is read once.
        inside = [each for each in reversed(children) if isinstance(each, dict)]
        if any(each.get("type") in _INLINE for each in inside):
            block = None if kind in _STYLES else outline.block(partial(_text_of, children))
            node["children"] = _Inlines(children, options, block.head if block else "").linked()
        todo += inside


class _TextNode(NamedTuple):
    """An inline, and the text that stands for it in a scan."""

    node: Node
    text: str
    link: Link | None = None  # what the inline becomes, if it is a link to a DOI
    whole: bool = True  # whether it can only be replaced as a whole


class _Inlines:
    def __init__(self, nodes: list[Any], options: Options, head: str) -> None:
        self._options = options
        self._head = head
        self._pieces: list[_TextNode] = []
        for node in nodes:
            self._pieces.append(self._piece(node))
        self._joined = Joined([piece.text for piece in self._pieces])

    def linked(self) -> list[Any]:
        changes, done = [], 0
        for change in sorted([*self._names(), *self._links()], key=lambda each: each[0]):
            if change[0] >= done:
                changes.append(change)
                done = change[1]
        built: list[Any] = []
        for each in self._joined.splice(changes):
            if isinstance(each, range):
                built += [piece.node for piece in self._pieces[each.start : each.stop]]
            elif isinstance(each, dict):
                built.append(each)
            else:
                text = self._joined.text[each.start : each.end]
                built.append({"type": "text", "value": text} | self._place(each.number))
        return built

    def _piece(self, node: Any) -> _TextNode:
        kind = node.get("type") if isinstance(node, dict) else None
        if kind == "text":
            return _TextNode(node, str(node.get("value", "")), whole=False)
        if kind != "link":
            return _TextNode(node, "\n" if kind == "break" else _typed(node) or HIDDEN)
        href, text = str(node.get("url", "")), _plain(node)
        if href in (f"http://{text}", f"mailto:{text}"):
            # The parser makes links of texts that look like an address, also inside a name.
            return _TextNode(node, text, whole=False)
        if not leads_to_doi(href, self._options):
            # <S29::AID-HPM465> has the form of an autolink, and is a part of many names.
            is_part = href == text and ":" in text and "://" not in text
            return _TextNode(node, f"<{text}>" if is_part else HIDDEN)
        before = "".join(piece.text for piece in self._pieces[-_NEAR:])
        link = relink(href, text or href, self._options, before)
        if link and link.text is None:
            return _TextNode(node, HIDDEN, link)
        is_publisher = link is not None and link.form == "publisher"
        if not is_publisher and href.startswith("http") and unquote(href) == unquote(text):
            # The parser has made it of an address in the text, and so decided where this ends.
            return _TextNode(node, text, whole=False)
        return _TextNode(node, (text if link else "") or HIDDEN, link)

    def _names(self) -> Iterator[_Change]:
        text, starts = self._joined.text, self._joined.starts
        if not may_contain_doi(text, self._options.arxiv):
            return
        for match in scan(POSSESSIVE.sub("'", text), self._options.arxiv):
            first, last = self._joined.index(match.start), self._joined.index(match.end - 1)
            divides = (self._pieces[first].whole and match.start > starts[first]) or (
                self._pieces[last].whole and match.end < starts[last + 1]
            )
            if divides or any(piece.link for piece in self._pieces[first : last + 1]):
                continue
            if link := link_typed(match, self._options, text, _QUOTES):
                label = own_label(self._before(first, match.start), self._head)
                node: Node = {"type": "link"} | self._place(first)
                self._adopt(node, after_label(link, self._options, label), text[slice(*match[:2])])
                yield match.start, match.end, node

    def _place(self, number: int) -> Node:
        """Return the position of an inline, at which mystmd reports trouble with a link."""
        place = self._pieces[number].node.get("position")
        return {"position": place} if place else {}

    def _links(self) -> Iterator[_Change]:
        for number, piece in enumerate(self._pieces):
            link = piece.link
            if link is None or link.href is None:
                continue
            start, end = self._joined.starts[number : number + 2]
            if link.text is not None and not link.label:
                label = own_label(self._before(number, start), self._head)
                link = after_label(link, self._options, label)
            node = dict(piece.node)
            self._adopt(node, link)
            yield start - link.label, end, node

    def _adopt(self, node: Node, link: Link, written: str = "") -> None:
        given = attributes(link.href, self._options, str(node.get("class", "")).split())
        node["url"] = given.pop("href")
        node.update(given)
        shown = written if link.text is None else link.text
        if shown:
            # In a single text of some length, mystmd inserts zero-width spaces before its writers
            # and readers see it. They would be copied with the name.
            parts = shown[:_CUT], shown[_CUT:]
            node["children"] = [{"type": "text", "value": part} for part in parts if part]

    def _before(self, number: int, end: int) -> Iterator[tuple[str, bool] | None]:
        """Yield the texts before an inline, for :func:`~doilinks.core.outline.own_label`."""
        begin = self._joined.starts[number]
        yield self._joined.text[max(begin, end - _REACH) : end], False
        if end - begin > _REACH:
            yield None
        for piece in reversed(self._pieces[max(0, number - _NEAR) : number]):
            kind = piece.node.get("type") if isinstance(piece.node, dict) else None
            if kind in _MARKED:
                yield _text_of(piece.node.get("children")), True
            else:
                yield None if piece.whole else (piece.text, False)
        if number > _NEAR:
            yield None


def _plain(link: Node) -> str:
    """Return the text of a link; if it has markup, a character that is in no name."""
    children = link.get("children")
    texts = children if isinstance(children, list) else []
    if any(not isinstance(each, dict) or each.get("type") != "text" for each in texts):
        return HIDDEN
    return "".join(str(each.get("value", "")) for each in texts)


def _typed(node: Any) -> str:
    """Return what an author typed for a part of a name (``10.1000/a*b*c``), or ``""``."""
    kind = node.get("type") if isinstance(node, dict) else None
    if kind == "inlineMath":
        return f"${node.get('value')}$"
    mark = {"emphasis": "*", "strong": "**"}.get(str(kind))
    text = _plain(node) if mark else HIDDEN
    return f"{mark}{text}{mark}" if text != HIDDEN else ""


def _text_of(nodes: Any) -> str:
    texts: list[str] = []
    todo = [nodes]
    while todo:
        each = todo.pop()
        if isinstance(each, list):
            todo += reversed(each)
        elif isinstance(each, dict):
            texts.append(str(each.get("value", "")))
            todo.append(each.get("children"))
    return "".join(texts)
