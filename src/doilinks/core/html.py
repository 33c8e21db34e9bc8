"""What hosts ask of HTML: character references, elements without markup, elements without links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape as _unescape
from typing import Final

__all__ = ["ENTITY", "NO_PROSE", "RAW_TEXT", "REFERENCE", "enclosed", "unescape"]

# A character reference in Markdown, after its "&":
# https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
ENTITY: Final = r"(?:[#][xX][0-9A-Fa-f]{1,6}|[#][0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});"
# And in HTML, which allows more digits:
# https://html.spec.whatwg.org/multipage/syntax.html#character-references
REFERENCE: Final = re.compile(r"&#?[0-9A-Za-z]{1,32};")
# Numbers that may be too long. The last code point, 1114111, has seven digits.
_LONG_NUMBER: Final = re.compile(r"&#([0-9]{8,})")

# https://html.spec.whatwg.org/multipage/parsing.html, "generic raw text element parsing algorithm":
# A browser reads their content as text, if need be up to the end of the page.
RAW_TEXT: Final = ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
# In these elements no name is linked or read: code, mathematics, pictures, what a browser does not
# show, and controls, in which no link is allowed.
NO_PROSE: Final = (
    "code", "kbd", "samp", "tt", "var", "pre", "math", "svg",
    "head", "template", "noscript", "object", "select", "button", *RAW_TEXT,
)  # fmt: skip
# A link contains no other link.
_TAG: Final = re.compile(rf"<(/?)({'|'.join(('a', *NO_PROSE))})(?=[\s/>])", re.IGNORECASE)


def unescape(text: str) -> str:
    r"""Decode the character references of HTML; a number that is too large gives U+FFFD.

    Python raises an error for a number of some thousands of digits. Zeros at its beginning say
    nothing. Source: https://html.spec.whatwg.org/multipage/parsing.html,
    "numeric character reference end state".

    >>> unescape("&eacute; &#" + "0" * 5000 + "65; &#" + "1" * 5000 + ";")
    'é A \ufffd'
    """
    return _unescape(_LONG_NUMBER.sub(_shortened, text) if "&" in text else text)


def _shortened(number: re.Match[str]) -> str:
    digits = number[1].lstrip("0") or "0"
    return f"&#{digits if len(digits) < 8 else '1114112'}"


def enclosed(row: Sequence[str | None]) -> list[bool]:
    """Tell for each node whether it is inside an element of raw HTML in which no link is allowed.

    Some hosts pass a tag of raw HTML and the text after it as separate nodes.

    :param row: the raw HTML of each node, None for any other node

    >>> enclosed(['<a href="x">', None, "</a>", None])
    [False, True, False, False]
    """
    last: dict[str, tuple[int, int]] = {}
    tags: list[list[re.Match[str]]] = []
    for at, raw in enumerate(row):
        tags.append([] if raw is None or raw.startswith("<!") else list(_TAG.finditer(raw)))
        last |= {tag[2].lower(): (at, tag.start()) for tag in tags[-1] if tag[1]}
    inside = ""
    found = []
    for at, raw in enumerate(row):
        for tag in tags[at]:
            name = tag[2].lower()
            if inside:
                if tag[1] and name == inside:
                    inside = ""
            elif not tag[1] and (name in RAW_TEXT or last.get(name, (-1, 0)) > (at, tag.start())):
                inside = name
        found.append(bool(inside) and raw is None)
    return found
