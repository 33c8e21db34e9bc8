"""The kinds of values that options take: for each a reader, and a phrase for messages."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .address import hidden, read_address
from .doi import InvalidDOI
from .listed import Listed
from .printable import shown

__all__ = [
    "CLASS", "COUNT", "DAYS", "FAMILIES", "FLAG", "LIMIT", "MAIL", "PATH", "PATTERNS",
    "SECONDS", "URL", "URL_OR_NOTHING", "WHOLE", "Kind", "choice", "strings",
]  # fmt: skip


_MAIL: Final = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}")


@dataclass(frozen=True)
class Kind:
    """What values an option takes: a phrase for messages, and a reader that raises ValueError."""

    takes: str
    read: Callable[[object], object]
    choices: tuple[str, ...] = ()
    show: Callable[[object], str] = shown

    def refusal(self, value: object, error: Exception) -> str:
        """The message about a value for which the reader raised an error."""
        detail = f" ({error})" if type(error) is ValueError and str(error) else ""
        return f"takes {self.takes}, got {self.show(value)}{detail}"


def _flag(value: object) -> bool:
    words: dict[object, bool] = {"true": True, "yes": True, "on": True, "1": True, 1: True}
    words |= {"false": False, "no": False, "off": False, "0": False, 0: False}
    return words[value.strip().lower() if isinstance(value, str) else value]


def choice(*choices: str) -> Kind:
    """The kind of an option that takes one of some words."""

    def read(value: object) -> str:
        # YAML 1.1 reads a bare `off` as false.
        word = "off" if value is False and "off" in choices else value
        if word not in choices:
            raise ValueError
        return str(word)

    return Kind("one of " + ", ".join(repr(choice) for choice in choices), read, choices)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _class_name(value: object) -> str:
    name = _text(value).strip()
    if any(not character.isprintable() for character in name):
        raise ValueError
    return name


def _path(value: object) -> str:
    path = _text(value)
    if "\0" in path:
        raise ValueError
    return path


def strings(value: object) -> tuple[str, ...]:
    """Read a list of strings. Hosts with text-only settings give one string, with one entry a line.

    :raises TypeError: for anything else
    """
    if isinstance(value, str):
        return tuple(line.strip() for line in value.splitlines() if line.strip())
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise TypeError
    return tuple(_text(entry) for entry in value)


def _patterns(value: object) -> tuple[str, ...]:
    patterns = strings(value)
    with warnings.catch_warnings():
        # What a later Python may read in another way is not an error of the author's today.
        warnings.simplefilter("ignore", FutureWarning)
        for pattern in patterns:
            try:
                re.compile(pattern)
            except (re.error, OverflowError, RecursionError) as error:
                raise ValueError(f"{shown(pattern)}: {error}") from error
    return patterns


def _families(value: object) -> tuple[str, ...]:
    families = strings(value)
    try:
        Listed(families)
    except InvalidDOI as error:
        raise ValueError(str(error)) from error
    return families


def _mail(value: object) -> str:
    address = _text(value).strip()
    if address and not _MAIL.fullmatch(address):
        raise ValueError
    return address


def _number(least: float, *, whole: bool) -> Callable[[object], object]:
    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise TypeError
        try:
            number = int(value) if whole and not isinstance(value, float) else float(value)
        except (ValueError, OverflowError):
            raise ValueError from None  # Python's message adds nothing
        if not least <= number < 10**9 or (whole and number != int(number)):
            raise ValueError
        return int(number) if whole else number

    return read


FLAG: Final = Kind("true or false", _flag)
URL: Final = Kind(
    "an http or https URL that ends in a slash",
    lambda value: read_address(_text(value)),
    show=hidden,
)
PATTERNS: Final = Kind("a list of regular expressions", _patterns)
URL_OR_NOTHING: Final = Kind(
    "an http or https URL that ends in a slash, or nothing",
    lambda value: read_address(_text(value)) if value else "",
    show=hidden,
)
FAMILIES: Final = Kind("a list of DOI names and of beginnings like '10.5555/*'", _families)
MAIL: Final = Kind("an e-mail address, or nothing", _mail)
WHOLE: Final = Kind("a whole number, 0 or more", _number(0, whole=True))
COUNT: Final = Kind("a whole number, 1 or more", _number(1, whole=True))
SECONDS: Final = Kind("a number of seconds greater than 0", _number(0.001, whole=False))
LIMIT: Final = Kind("a number of seconds, or 0 for no limit", _number(0, whole=False))
DAYS: Final = Kind("a number of days, 0 or more", _number(0, whole=False))
CLASS: Final = Kind("a class name", _class_name)
PATH: Final = Kind("a path, or nothing", _path)
