"""Reads Typst: prose, addresses, and the strings that are links.

Names in raw text, comments, labels and references do not count. Of the strings of code, those
count that are nothing but an address of the resolver, as in ``#link("https://doi.org/…")[…]``, or
that are called ``doi`` or given to a function of that name.
Source: https://typst.app/docs/reference/syntax/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..core.found import Found
from ..core.options import Options
from .common import TextBlocks
from .escapes import backslashes
from .marked import Marked
from .types import TYPST_HIDDEN

_TOKEN: Final = re.compile(
    rf"""(?x)
    (?=[/`<@\\~"h\s])(?=[^h\s]|http|\s(?<=[(,:=]\s))(?:
      (?P<hidden>{TYPST_HIDDEN})
      # Not the `//` of an address.
    | (?P<comment>(?<!:)//[^\n]*+)
    | (?P<code>`(?:[^`]*+)(?:`|\Z))
    | (?P<address>https?://[^\s\]"`\\]*+)
      # A string of code: an argument or a value.
    | (?<=[(,:=])\s{{0,80}}+"(?P<string>(?:[^"\\\n]|\\.){{0,2000}}+)"
    | (?P<label><[A-Za-z][\w:.-]*+>|@[A-Za-z][\w:.-]*+)
    | (?P<character>\\[!-/:-@\[-`{{-~])
    | (?P<space>~|\\[ \n])
    )
    """
)
_LINK: Final = re.compile(r"\blink\((?:dest:[ ]?)?\s*\Z")
# An argument, a value, or the argument of a function of the document.
_DOI: Final = re.compile(r"\bdoi(?:[ ]?[:=][ ]?|\(\s*)\Z", re.IGNORECASE)
_NEAR: Final = 120
# A string that is joined to another one is a template.
_JOINED: Final = re.compile(r"\s{0,80}+\+")
_TEXT: Final = re.compile(r"[\s,]{0,80}+\)?\[((?:[^\[\]\\]|\\.){0,500}+)\]")
_BLOCK: Final = re.compile(r"\n[ \t]*(?=\n)|\n(?=[ \t]*(?:[-+/]|\d+\.)[ \t])|(?<=\])\n|(?<=\],)\n")


def read(text: str, options: Options) -> Iterator[Found]:
    """Find every DOI of a document."""
    return Marked(text, options, backslashes).read(_TOKEN, _read, TextBlocks(text, _BLOCK))


def _read(token: re.Match[str], marked: Marked) -> int:
    start, end = token.span()
    text = token.string
    match token.lastgroup:
        case "address":
            pass
        case "string":
            first, last = token.span("string")
            before = text[max(0, first - 1 - _NEAR) : first - 1]
            link = _LINK.search(before)
            shown = _TEXT.match(text, end) if link else None
            texts = [marked.decoded(*shown.span(1)).text] if shown else None
            # Strings are data unless they are addresses: a name in a title is not a link.
            is_name = _DOI.search(before) is not None
            is_template = _JOINED.match(text, end) is not None
            if not is_template and marked.link(first, last, texts, role=is_name) and shown:
                end = shown.end()
            marked.hide(start, end)
        case _:
            marked.hide(start, end)
    return end
