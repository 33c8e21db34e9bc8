"""Emphasis that begins or ends elsewhere because a name is a link, where it may get attributes.

The host's ``attr_list`` gives a list to the element just before it. Without doilinks the text
``10.1000/a_, 10.1000/b_{onclick=…}`` has no such element.
"""

from __future__ import annotations

import re
from typing import Final

from ..core.attributes import may_harm

__all__ = ["is_torn", "list_after_emphasis"]

_SIGNS: Final = frozenset("*_~^=")  # of the host and of PyMdown
_BRACE: Final = re.compile(r"[*_~^=]\{")
# An underscore between letters is no emphasis; "<" and what follows may be a tag.
_IN_NAME: Final = re.compile(r"[*~^=]|(?<![^\W_])_|_(?![^\W_])|<[A-Za-z/!]")


def list_after_emphasis(data: str) -> int:
    """The offset of the last attribute list that may harm the emphasis before it; -1 without any.

    >>> list_after_emphasis("*a*{style=x} *b*{.note}")
    3
    """
    value, tag = data.rfind("="), data.rfind("<")
    braces = [found.start() + 1 for found in _BRACE.finditer(data, 0, max(value, 0))]
    # A tag in a value is not yet read, and later stands in it without any escape.
    return next((at for at in reversed(braces) if tag > at or may_harm(data, at)), -1)


def is_torn(data: str, start: int, end: int, written: str) -> bool:
    """Tell whether emphasis may begin or end elsewhere with a link in place of a name.

    A character of the name may be one that begins or ends emphasis. One just beside the name may
    not do so beside a letter, but may beside a link.

    :param start: the offset of the name
    :param end: the offset at which it ends
    :param written: the name and its label

    >>> is_torn("10.1000/a_, 10.1000/b_", 0, 9, "10.1000/a")
    True
    """
    if _IN_NAME.search(written) or data[end : end + 1] in _SIGNS:
        return True
    return start > 0 and data[start - 1] in _SIGNS
