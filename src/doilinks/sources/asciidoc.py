"""Reads AsciiDoc: prose, addresses with and without a text, and ``doi:`` macros.

Names in listings, literals, comments, raw passthroughs and keys do not count, nor those of fields
of the document. Of an image, only the address to which it leads counts.
Source: https://docs.asciidoctor.org/asciidoc/latest/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..core.found import Found
from ..core.options import Options
from .common import TextBlocks
from .escapes import of_markdown
from .marked import Marked
from .types import ASCIIDOC_FENCE

# Up to the bracket that ends it. The limit keeps the time linear where there is none.
_TEXT: Final = r"(?>(?:[^\]\\\n]|\\.|\n(?![ \t]{0,99}\n)){0,1000})"
_TOKEN: Final = re.compile(
    rf"""(?mx)
    (?=[-.+/`\[:<$\\&acdDhilpsvx\ \t])(?=[^\w\s]|\b\w++:|(?:(?<=\n\n)|\A)\s)(?:
      (?P<fence>^{ASCIIDOC_FENCE})
    | (?P<style>^\[(?:source|listing|literal|stem|latexmath|asciimath|pass|comment)\b[^\]\n]*+\]
        [ \t]*+\n(?:\.[^\s.][^\n]*+\n)?)
    | (?P<line>^//(?!/)[^\n]*+|^\[[^\[\]\n]*+\][ \t]*+$)
    | ^:!?\w[\w-]*+:[ \t]++(?P<value>[^\n]*+)
    | (?P<literal>(?:(?<=\n\n)|\A)[ \t]++(?![*.-]++[ \t]|\d++\.[ \t]|[^\n]*::(?:\s|\Z))
        [^\n]*+(?>(?:\n[^\S\n]*+\S[^\n]*+)*))
      # A macro with raw text, with a picture, or with the key of a reference.
    | (?P<raw>\+\+\+(?s:.*?)(?:\+\+\+|(?=\n[ \t]*+\n)|\Z)
        |\b(?:pass|stem|latexmath|asciimath):[\w,]*+\[{_TEXT}\]?
        |\b(?:image|include|xref|anchor|video|audio|cite[a-z]*+):[^\s\[\]]{{0,500}}+\[{_TEXT}\]?
        |<<[^<>\n]*+>>|\[\[[^\[\]\n]*+\]\])
    | (?P<code>`{{1,2}}(?>(?:[^`\n]++|\n(?![ \t]*\n))+)`{{1,2}})
      # An address, or a name, between two plus signs is taken as it stands.
    | \+\+(?P<plain>[^\s+]{{1,500}})\+\+
    | (?P<mark>\$\$|\+{{1,2}}(?=\S)|(?<=\S)\+{{1,2}}(?!\w))
    | (?P<macro>\b(?P<name>link:(?:\+\+|\$\$)?|(?i:doi):(?=10)|(?=https?://))
        (?P<target>(?:(?<=\+\+)[^\s+]{{1,500}}\+\+|[^\s\[\]]{{1,500}}+))\[(?P<text>{_TEXT})\])
    | (?P<character>\\[!-/:-@\[-`{{-~]|&\#?\w{{1,32}};)
    )
    """
)
_FENCE: Final = re.compile(ASCIIDOC_FENCE, re.MULTILINE)
# Where a picture leads to, such as a badge.
_PICTURE: Final = re.compile(r"image::?[^\[]*+\[")
_TARGET: Final = re.compile(r"\blink=[\"']?(?P<target>https?://[^\s\"',\]]++)")
_OPEN: Final = re.compile(r"--[ \t]*+\n(?s:.*?)(?:^--[ \t]*+$|\Z)", re.MULTILINE)
_PARAGRAPH: Final = re.compile(r"(?>(?:[^\S\n]*+\S[^\n]*+(?:\n|\Z))*)")
_WORD: Final = re.compile(r"[^\W_]")  # a title has one, an underline none
# A paragraph, an item of a list, or a row of a table.
_BLOCK: Final = re.compile(r"\n[ \t]*(?=\n)|\n(?=[ \t]*(?:[*.-]{1,5}|\d+\.)[ \t]|\|)")


def read(text: str, options: Options) -> Iterator[Found]:
    """Find every DOI of a document."""
    return Marked(text, options, of_markdown).read(_TOKEN, _read, TextBlocks(text, _BLOCK))


def _read(token: re.Match[str], marked: Marked) -> int:
    start, end = token.span()
    text = token.string
    match token.lastgroup:
        case "fence" if _is_underline(text, start):
            end = text.find("\n", start)
            return end if end >= 0 else len(text)
        case "style":  # of the paragraph or block after it
            block = _OPEN.match(text, end) or _PARAGRAPH.match(text, end)
            end = block.end() if block and not _FENCE.match(text, end) else end
            marked.hide(start, end)
        case "value":
            marked.link(*token.span("value"))
            marked.hide(start, end)
        case "raw":
            picture = _PICTURE.match(text, start, end)
            if picture and (target := _TARGET.search(text, picture.end(), end)):
                marked.link(*target.span("target"), [])
            marked.hide(start, end)
        case "plain":
            marked.hide(start, start + 2)
            marked.hide(end - 2, end)
        case "macro":
            return _macro(token, marked)
        case _:
            marked.hide(start, end)
    return end


def _is_underline(text: str, at: int) -> bool:
    """Tell whether a line is the underline of a title, and begins no block."""
    before = text.rfind("\n", 0, max(0, at - 1)) + 1
    title = text[before : max(0, at - 1)]
    line = text.find("\n", at)
    width = len(text[at : line if line >= 0 else len(text)].rstrip())
    is_title = title[:1] not in (".", "[", "") and bool(_WORD.search(title))
    return is_title and abs(len(title) - width) <= 1


def _macro(token: re.Match[str], marked: Marked) -> int:
    text, (start, end) = token.string, token.span()
    first, last = token.span("target")
    if token["name"].endswith(("++", "$$")) and token["target"].endswith(token["name"][-2:]):
        last -= 2
    shown = marked.decoded(*token.span("text")).text
    is_name = token["name"].lower() == "doi:"
    # The address is shown if there is no other text.
    texts = [shown] if shown.strip() else None
    if marked.link(start if is_name else first, last, texts) or "://" in token["target"]:
        marked.hide(start, end)
        return end
    marked.hide(start, first)
    rest = end if text.startswith("10.", first) else last
    marked.hide(last, rest)
    return rest if rest > last else first
