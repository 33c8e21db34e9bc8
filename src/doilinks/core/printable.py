"""Text for a message: nothing in it controls a terminal or a log, and it contains no password."""

from __future__ import annotations

_LONGEST = 300  # characters of a value in a message
_LONGEST_CELL = 500  # of a text in Markdown, before they are escaped
# Mentions of a person or an issue, which GitHub does not read in code; and markup within a line,
# also GitHub's, and characters of URLs. CommonMark §2.4: after a backslash such a character is an
# ordinary character.
_ACTIVE = r"(?i)((?:[@#]|GH-)(?=\w))|[\\`*_\[\]<>|~&$]|(?<=www)\.|:(?=//)"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, in the singular or the plural."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def printable(text: str) -> str:
    r"""Replace unprintable characters, which could control a terminal, by their escapes in Python.

    >>> print(printable("a\x1b[31m\u202e\udcff.md"))
    a\x1b[31m\u202e\udcff.md
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def format_value(value: object) -> str:
    """Format a value for a message, shortened if it is long.

    >>> format_value("a" * 1000) == "'" + 149 * "a" + "…" + 149 * "a" + "'"
    True
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or lists in lists
        return f"a value of type {type(value).__name__} that is too large to show"
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}…{text[-half:]}"


def inert(text: str) -> str:
    r"""Escape a text so that nothing in it is markup, a link or a mention; cut a long one.

    >>> print(inert("a|b <c> @user #1"))
    a\|b \<c\> `@`user `#`1
    """
    import re  # takes longer to import than all that the Pandoc filter needs

    shown = printable(text[:_LONGEST_CELL])
    return re.sub(_ACTIVE, lambda sign: f"`{sign[0]}`" if sign[1] else f"\\{sign[0]}", shown)


def public(address: str) -> str:
    """Remove the user name and password that an address may contain."""
    import re  # takes longer to import than all that the Pandoc filter needs

    return re.sub(r"^(\w+://)[^/?]*@", r"\1", address)


def without_password(value: object) -> str:
    """Format a wrong value of an address for a message, without a part that may be a password."""
    text = value if isinstance(value, str) else format_value(value)
    before, at, host = text.rpartition("@")
    if at:
        scheme, slashes, _ = before.partition("//")
        text = f"{scheme + slashes if slashes else ''}…@{host}"
    return format_value(text) if isinstance(value, str) else text


def describe(error: BaseException) -> str:
    """Return the kind of an error, and the module and line that raised it.

    Its text may contain what was read, for example the password of an address, so it is left out.

    >>> try:
    ...     {}["http://user:password@proxy/"]
    ... except KeyError as error:
    ...     describe(error).partition(" in ")[0]
    'KeyError'
    """
    import traceback  # rarely needed

    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):  # the last one raised it
        place = f" in {frame.f_globals.get('__name__')}:{line}"
    return type(error).__name__ + place
