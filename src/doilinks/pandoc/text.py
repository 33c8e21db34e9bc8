"""Pandoc's inline lists as text: what stands in them, and how to put links in its place.

Works on pandoc's own JSON (pandoc-types 1.23, ``Text.Pandoc.Definition``). What a reader has made
of the characters of a name (emphasis, quotes, raw HTML) is spelled as its author wrote it where
only one spelling gives it; otherwise the text around it is not touched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..core.found import Found
from ..core.link import Link
from .reader import Reader

__all__ = [
    "DOUBT",
    "END",
    "QUOTES",
    "Node",
    "Piece",
    "Span",
    "all_text",
    "part",
    "position",
    "spell",
    "words",
]

Node = dict[str, Any]

# In place of what is no text: a name ends here, or (DOUBT) it may go on with something whose
# spelling is lost, and is then not touched. Neither is graphic, so no name holds one.
END: Final = "\x00"
DOUBT: Final = "\x01"

_TEXT: Final = {"Space": " ", "SoftBreak": "\n"}
_MARKS: Final = {"Strikeout": "~~", "Subscript": "~", "Superscript": "^"}
# Their content is a list of inlines and nothing else.
_LISTS: Final = frozenset(
    ("Emph", "Underline", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps")
)
QUOTES: Final = {"SingleQuote": "'", "DoubleQuote": '"'}
_LOOK_AHEAD: Final = 4  # inlines; with positions on, each sign of punctuation is one


@dataclass(slots=True)
class Piece:
    """One inline of a list, as text.

    :ivar node: the inline
    :ivar text: its text
    :ivar whole: it can be replaced, but not divided
    :ivar link: the canonical link, when it is a link to a DOI
    :ivar closed: nothing in it is to be linked
    :ivar bare: a link that the reader has made of a URL in prose
    """

    node: Node
    text: str
    whole: bool = True
    link: Link | None = None
    closed: bool = False
    bare: bool = False


class Span(NamedTuple):
    """A stretch of a list's text, and the link that takes its place.

    :ivar found: what was found there
    :ivar offset: how far in its first piece it begins
    :ivar first: the piece in which it begins
    :ivar held: the link that it takes the place of
    """

    link: Link
    found: Found
    offset: int
    first: Piece
    held: Piece | None


def unwrapped(node: Node) -> Node:
    """The one inline in a Span that only gives its position (``+sourcepos``); else the node."""
    if node["t"] == "Span":
        attributes, content = node["c"]
        if len(content) == 1 and ["wrapper", "1"] in attributes[2]:
            inner: Node = content[0]
            return inner
    return node


def position(node: Node) -> str:
    """The position that ``+sourcepos`` gives a node, or ``""``."""
    kind = node["t"]
    if kind in ("Span", "Div", "Link", "Header"):
        attributes = node["c"][1 if kind == "Header" else 0][2]
        return next((value for key, value in attributes if key == "data-pos"), "")
    return ""


def spell(inlines: list[Node], at: int, before: str, reader: Reader) -> Piece:
    """The inline at an index, as text; not for a link to a DOI.

    :param before: the character before it
    """
    node = inlines[at]
    inner = unwrapped(node)
    kind = inner["t"]
    if kind == "Str":
        return Piece(node, inner["c"], whole=False)
    if kind in _TEXT:
        return Piece(node, _TEXT[kind])
    if kind in ("Note", "Image", "LineBreak") or before <= " " or before.isspace():
        return Piece(node, END)
    after = _after(inlines, at)
    if kind == "RawInline":
        # <t::AID-ASI4> is part of a name to its author, and a tag to a Markdown reader.
        language, text = inner["c"]
        certain = language == "html" and after and not any(map(str.isspace, text))
        return Piece(node, text if certain else END)
    if kind == "Link":
        # CommonMark makes an autolink of <S29::AID-HPM465>; after that, a digit follows in a SICI.
        text = _flat(inner["c"][1])
        certain = text == inner["c"][2][0] and after.isdigit() and "//" not in text
        return Piece(node, f"<{text}>" if certain else END)
    return Piece(node, _marked(inner, before, after, reader))


def _marked(node: Node, before: str, after: str, reader: Reader) -> str:
    """Markup that stands glued to the text before it, spelled as its author did."""
    kind, content = node["t"], node["c"]
    if kind == "Math":
        certain = reader.emphasis and after and content[0]["t"] == "InlineMath"
        return f"${content[1]}$" if certain and " " not in content[1] else DOUBT
    if kind == "Code":
        return DOUBT
    if not content:
        return DOUBT  # ^^ is an empty superscript
    text = _flat(content if kind in _LISTS else content[1])
    if kind == "Cite":
        key = content[0][0]
        bare = key["citationMode"]["t"] == "AuthorInText" and text == "@" + key["citationId"]
        return text if bare else DOUBT if text[:1].isalnum() else END
    if kind == "Superscript" and not after:
        return END  # the mark of a note
    if not text or not after:
        return DOUBT if not text or text[0].isalnum() else END
    if kind == "Quoted" and reader.smart:
        return QUOTES[content[0]["t"]].join(("", text, ""))
    if not reader.emphasis:
        return DOUBT
    # Only the asterisk makes emphasis inside a word; between punctuation the underscore does too.
    if kind in ("Emph", "Strong") and (before.isalnum() or after.isalnum()):
        mark = reader.emphasis * (1 if kind == "Emph" else 2)
    else:
        mark = _MARKS.get(kind, "")
    return mark + text + mark if mark else DOUBT


def _flat(inlines: list[Node]) -> str:
    """The text of a list that is nothing but text without white space, else ``""``."""
    inner = [unwrapped(node) for node in inlines]
    return "".join(node["c"] for node in inner) if all(n["t"] == "Str" for n in inner) else ""


def _after(inlines: list[Node], at: int) -> str:
    """The character with which a word goes on behind an inline, or ``""`` when it does not."""
    for node in inlines[at + 1 : at + _LOOK_AHEAD]:
        inner = unwrapped(node)
        if inner["t"] != "Str":
            return ""
        if text := inner["c"].lstrip(".:;,'’"):
            first: str = text[0]
            return first if first.isalnum() or first in "(<[{/-_–@#" else ""
    return ""


def part(node: Node, text: str) -> Node:
    """A part of a text, with its wrapper if it has one."""
    string: Node = {"t": "Str", "c": text}
    if node["t"] == "Span":
        return {"t": "Span", "c": [node["c"][0], [string]]}
    if where := position(node):
        return {"t": "Span", "c": [["", [], [["wrapper", "1"], ["data-pos", where]]], [string]]}
    return string


def words(text: str) -> list[Node]:
    """A text as inlines."""
    kinds = {" ": "Space", "\n": "SoftBreak"}
    return [
        {"t": kinds[part]} if part in kinds else {"t": "Str", "c": part}
        for part in re.split(r"([ \n])", text)
        if part
    ]


def all_text(inlines: Any) -> str:
    """The text of inlines; code is taken as it stands, so that a pattern can be written as code."""
    parts = []
    for node in inlines if isinstance(inlines, list) else ():
        content = node.get("c") if isinstance(node, dict) else None
        if isinstance(content, str):
            parts.append(content)
        elif isinstance(content, list):
            inner = _inner(node)
            parts.append(all_text(inner) if isinstance(inner, list) else inner)
        elif isinstance(node, dict):
            parts.append("\n" if node.get("t") == "LineBreak" else " ")
    return "".join(parts)


def _inner(node: Node) -> Any:
    """What of a node's content is its text."""
    return node["c"][1] if node["t"] in _TEXT_SECOND else node["c"]


_TEXT_SECOND: Final = frozenset(
    ("Cite", "Code", "Image", "Link", "Math", "Quoted", "RawInline", "Span")
)
