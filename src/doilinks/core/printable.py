"""Text for a terminal or a log. The text of a document must not control either."""

from __future__ import annotations

__all__ = ["counted", "printable", "shown"]

_LONGEST = 300  # characters of a value in a message


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


def shown(value: object) -> str:
    """A value as a message shows it, shortened if it is long.

    >>> shown("a" * 1000) == "'" + 149 * "a" + "…" + 149 * "a" + "'"
    True
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or lists in lists
        return f"a value of type {type(value).__name__} that is too large to show"
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}…{text[-half:]}"
