"""Finds names that must not become links, because emphasis would then get dangerous attributes.

The host's ``attr_list`` gives a list to the element just before it. Without doilinks, there is no
such element in ``10.1000/a_, 10.1000/b_{onclick=…}``. If the first name became a link, emphasis
could begin after it and get the list.
"""

from __future__ import annotations

import re
from typing import Final

from ..core.attribute_lists import may_harm

__all__ = ["is_torn", "list_after_emphasis"]

_DELIMITERS: Final = frozenset("*_~^=")  # the characters for emphasis of the host and of PyMdown
_BRACE: Final = re.compile(r"[*_~^=]\{")
# An underscore between letters is not emphasis. A "<" may begin a tag. Each alternative begins with
# a plain character, which makes the search many times faster.
_IN_NAME: Final = re.compile(r"\*|~|\^|=|_(?<![^\W_]_)|_(?![^\W_])|<[A-Za-z/!]")


def list_after_emphasis(data: str) -> int:
    """The offset of the last attribute list that could harm through emphasis before it, or -1.

    >>> list_after_emphasis("*a*{style=x} *b*{.note}")
    3
    """
    value, tag = data.rfind("="), data.rfind("<")
    if value < 0:
        return -1
    braces = [found.start() + 1 for found in _BRACE.finditer(data, 0, value)]
    # The host has not yet read a tag in a value. Later it puts the tag there without any escape.
    return next((at for at in reversed(braces) if tag > at or may_harm(data, at)), -1)


def is_torn(data: str, start: int, end: int, written: str) -> bool:
    """Tell whether emphasis may begin or end in another place if a link replaces a name.

    A character of the name may begin or end emphasis. So may a character next to the name: next to
    a letter it may have no effect, but next to a link it may have one.

    :param start: the offset of the name
    :param end: the offset at which it ends
    :param written: the name and its label

    >>> is_torn("10.1000/a_, 10.1000/b_", 0, 9, "10.1000/a")
    True
    """
    if _IN_NAME.search(written) or data[end : end + 1] in _DELIMITERS:
        return True
    return start > 0 and data[start - 1] in _DELIMITERS
