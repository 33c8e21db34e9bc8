"""Text for a terminal or a log, which the text of a document must not control."""

from __future__ import annotations

__all__ = ["printable"]


def printable(text: str) -> str:
    r"""Replace what could control a terminal, or is not a character, by its escape in Python.

    >>> print(printable("a\x1b[31m\u202e\udcff.md"))
    a\x1b[31m\u202e\udcff.md
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
