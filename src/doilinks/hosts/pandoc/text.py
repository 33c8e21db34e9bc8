"""The text of pandoc's lists of inlines, as the author typed it.

This module reads pandoc's JSON (pandoc-types 1.23, ``Text.Pandoc.Definition``). A reader may have
made emphasis, quotes or raw HTML of characters of a name. If only one spelling gives such an
inline, the text contains this spelling. Otherwise the filter does not change the text around it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ...core.found import Found, IgnoreComment
from ...core.link import Link

# --------------------------------------------------------------------------------------------------
# Which spellings pandoc's reader changed when it read the document.
#
# Pandoc gives the options of its reader to filters in the environment variable
# ``PANDOC_READER_OPTIONS`` (manual, "Environment variables"). If this variable is missing, as in a
# pipe after ``pandoc -t json``, the filter assumes pandoc's Markdown.

# The characters that `smart` makes, and the text that the author typed for each.
SMART: Final = str.maketrans(
    {"–": "--", "—": "---", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"'}
)

# Heuristic: every Markdown reader has one of these extensions, and of the other readers only
# Textile.
_MARKDOWN = frozenset({"raw_html", "pipe_tables", "backtick_code_blocks", "strikeout"})


@dataclass(frozen=True)
class Settings:
    """The settings of pandoc's reader: which spellings it changes."""

    smart: bool = True
    emphasis: str = "*"
    bare_urls: bool = False  # whether a URL without markup is a link

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings that the environment of the filter describes."""
        try:
            names = frozenset(json.loads(environment["PANDOC_READER_OPTIONS"])["extensions"])
        except (KeyError, TypeError, ValueError):
            return cls()
        if _MARKDOWN.isdisjoint(names):
            emphasis = ""
        elif "shortcut_reference_links" in names and "intraword_underscores" not in names:
            emphasis = "_"  # original Markdown, where 10.1000/a_b_c has emphasis
        else:
            emphasis = "*"
        return cls("smart" in names, emphasis, not emphasis or "autolink_bare_uris" in names)


# --------------------------------------------------------------------------------------------------
# A list of pandoc's inlines as pieces of text.
#
# Most inlines are words and spaces, and a long list has thousands. So the texts of all are in one
# list, and a word or a space becomes an object only when somebody asks for it.

Node = dict[str, Any]

NO_NODE: Final[Node] = {"t": ""}  # stands for what is around a list


@dataclass(slots=True)
class TextPiece:
    """One inline of a list, as text."""

    node: Node
    text: str
    whole: bool = True  # whether the inline can only be replaced as a whole
    link: Link | None = None  # the canonical link, if the inline is a link to a DOI
    closed: bool = False  # whether nothing in the inline may become a link
    bare: bool = False  # whether the inline is a link that the reader has made of a URL in prose
    silence: IgnoreComment | None = None  # the comment that silences the names in the inline


class Pieces:
    """The inlines of a list as pieces. The first and the last piece are not inlines."""

    def __init__(
        self, inlines: Sequence[Node], silences: Sequence[IgnoreComment | None], around: str
    ) -> None:
        self.nodes: list[Node] = [NO_NODE, *inlines, NO_NODE]
        self.texts: list[str] = [around]  # the text of each inline
        self.read: dict[int, TextPiece] = {}  # the pieces that are not words or spaces, by number
        self._silences = [None, *silences, None]

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, number: int) -> TextPiece:
        if number in self.read:
            return self.read[number]
        node, whole = self.nodes[number], self.nodes[number]["t"] != "Str"
        return TextPiece(node, self.texts[number], whole=whole, silence=self._silences[number])

    def append(self, piece: TextPiece) -> None:
        """Add the piece of the next inline."""
        piece.silence = self._silences[len(self.texts)]
        self.read[len(self.texts)] = piece
        self.texts.append(piece.text)


class Replacement(NamedTuple):
    """The link that replaces a stretch of the text of a list."""

    link: Link
    found: Found  # the DOI that was found in the stretch
    offset: int  # the offset in its first piece at which the stretch begins
    first: TextPiece  # the piece in which the stretch begins
    held: TextPiece | None  # the piece with the author's link that becomes this link, if any


# --------------------------------------------------------------------------------------------------
# How an inline was typed, as far as one spelling alone gives it.

# These characters stand for an inline that is not text. A name ends at END. At DOUBT it may
# continue, but the spelling is lost, so the filter does not change such a name. Neither character
# is graphic, so no name contains one.
END: Final = "\x00"
DOUBT: Final = "\x01"

_TEXT: Final = {"Space": " ", "SoftBreak": "\n"}
_MARKS: Final = {"Strikeout": "~~", "Subscript": "~", "Superscript": "^"}
# The content of these is only a list of inlines.
_LISTS: Final = frozenset(
    ("Emph", "Underline", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps")
)
QUOTES: Final = {"SingleQuote": "'", "DoubleQuote": '"'}
_LOOK_AHEAD: Final = 4  # inlines; with +sourcepos, each punctuation character is one


def unwrapped(node: Node) -> Node:
    """Return the inline in a Span that only gives a position (``+sourcepos``), or the node."""
    if node["t"] == "Span":
        attributes, content = node["c"]
        if len(content) == 1 and ["wrapper", "1"] in attributes[2]:
            inner: Node = content[0]
            return inner
    return node


def position(node: Node) -> str:
    """Return the position that ``+sourcepos`` gives a node, or ``""``."""
    kind = node["t"]
    if kind in ("Span", "Div", "Link", "Header"):
        attributes = node["c"][1 if kind == "Header" else 0][2]
        return next((value for key, value in attributes if key == "data-pos"), "")
    return ""


def spell(inlines: list[Node], at: int, before: str, reader: Settings) -> TextPiece:
    """Return the inline at an index, which is not a link to a DOI, as a piece of text."""
    node = inlines[at]
    inner = unwrapped(node)
    kind = inner["t"]
    if kind == "Str":
        return TextPiece(node, inner["c"], whole=False)
    if kind in _TEXT:
        return TextPiece(node, _TEXT[kind])
    if kind == "Quoted" and (name := _flat(inner["c"][1])).lower() == "doi":
        quote = QUOTES[inner["c"][0]["t"]]
        return TextPiece(node, f"{quote}{name}{quote}")  # of a field
    if kind in ("Note", "Image", "LineBreak") or before <= " " or before.isspace():
        return TextPiece(node, END)
    after = _after(inlines, at)
    if kind == "RawInline":
        # For its author, <t::AID-ASI4> is part of a name. For a Markdown reader, it is a tag.
        language, text = inner["c"]
        certain = language == "html" and after and not any(map(str.isspace, text))
        return TextPiece(node, text if certain else END)
    if kind == "Link":
        # CommonMark makes an autolink of <S29::AID-HPM465>. In a SICI, a digit follows after that.
        text = _flat(inner["c"][1])
        certain = text == inner["c"][2][0] and after.isdigit() and "//" not in text
        return TextPiece(node, f"<{text}>" if certain else END)
    return TextPiece(node, _marked(inner, before, after, reader))


def _marked(node: Node, before: str, after: str, reader: Settings) -> str:
    """Return an inline with markup that touches the text before it, as its author typed it."""
    kind, content = node["t"], node["c"]
    if kind == "Math":
        certain = reader.emphasis and after and content[0]["t"] == "InlineMath"
        return f"${content[1]}$" if certain and " " not in content[1] else DOUBT
    if kind == "Code" or not content:
        return DOUBT  # ^^ is an empty superscript
    text = _flat(content if kind in _LISTS else content[1])
    if kind == "Cite":  # without brackets, such as ``@key``
        key = content[0][0]
        if key["citationMode"]["t"] == "AuthorInText" and text == "@" + key["citationId"]:
            return text
        return DOUBT if text[:1].isalnum() else END
    if kind == "Superscript" and not after:
        return END  # this is the mark of a note
    if not text or not after:
        return DOUBT if not text or text[0].isalnum() else END
    if kind == "Quoted" and reader.smart:
        quote = QUOTES[content[0]["t"]]
        return quote + text + quote
    # Only an asterisk makes emphasis inside a word. Between punctuation, an underscore does too.
    if kind in ("Emph", "Strong") and (before.isalnum() or after.isalnum()):
        mark = reader.emphasis * (1 if kind == "Emph" else 2)
    else:
        mark = _MARKS.get(kind, "")
    return mark + text + mark if mark and reader.emphasis else DOUBT


def _flat(inlines: list[Node]) -> str:
    """Return the text of a list that has only text without white space, or else ``""``."""
    inner = [unwrapped(node) for node in inlines]
    return "".join(node["c"] for node in inner) if all(n["t"] == "Str" for n in inner) else ""


def _after(inlines: list[Node], at: int) -> str:
    """Return the character that continues a word after an inline; ``""`` if the word ends."""
    for node in inlines[at + 1 : at + _LOOK_AHEAD]:
        inner = unwrapped(node)
        if inner["t"] != "Str":
            return ""
        if text := inner["c"].lstrip(".:;,'’"):
            first: str = text[0]
            return first if first.isalnum() or first in "(<[{/-_–@#" else ""
    return ""


def string(text: str) -> Node:
    """Return a text without space as an inline."""
    return {"t": "Str", "c": text}


def part(node: Node, text: str) -> Node:
    """Return a part of the text of a node, in the wrapper of the node if it has one."""
    made = string(text)
    if node["t"] == "Span":
        return {"t": "Span", "c": [node["c"][0], [made]]}
    if where := position(node):
        return {"t": "Span", "c": [["", [], [["wrapper", "1"], ["data-pos", where]]], [made]]}
    return made


def words(text: str) -> list[Node]:
    """Return a text as inlines."""
    kinds = {" ": "Space", "\n": "SoftBreak"}
    return [
        {"t": kinds[part]} if part in kinds else string(part)
        for part in re.split(r"([ \n])", text)
        if part
    ]


def all_text(inlines: Any) -> str:
    """Return the text of inlines, including code, so that a pattern can be written as code."""
    parts = []
    for node in inlines if isinstance(inlines, list) else ():
        content = node.get("c") if isinstance(node, dict) else None
        if isinstance(content, str):
            parts.append(content)
        elif isinstance(content, list):
            inner = content[1] if node["t"] in _TEXT_SECOND else content
            parts.append(all_text(inner) if isinstance(inner, list) else inner)
        elif isinstance(node, dict):
            parts.append("\n" if node.get("t") == "LineBreak" else " ")
    return "".join(parts)


_TEXT_SECOND: Final = frozenset(
    ("Cite", "Code", "Image", "Link", "Math", "Quoted", "RawInline", "Span")
)
