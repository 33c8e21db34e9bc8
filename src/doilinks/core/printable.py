"""Text for a terminal or a log. The text of a document must not control either."""

from __future__ import annotations

__all__ = ["counted", "printable"]


def counted(number: int, noun: str) -> str:
    """A number of things, in words.

    >>> counted(1, "DOI"), counted(2, "DOI")
    ('1 DOI', '2 DOIs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def printable(text: str) -> str:
    r"""Replace what could control a terminal, or is not a character, by its escape in Python.

    >>> print(printable("a\x1b[31m\u202e\udcff.md"))
    a\x1b[31m\u202e\udcff.md
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
