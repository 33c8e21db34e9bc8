"""The reasons why a source, or a place in it, was not read."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Binary", "CannotRead", "Unread"]


class CannotRead(Exception):
    """A file that cannot be read or understood. The message says why, without the file's name."""


class Binary(CannotRead):
    """A file that is not a text, although its ending is that of a text file."""


class Unread(NamedTuple):
    """A place in a source where a DOI should be, but where no DOI could be read.

    :ivar at: the offset in the text
    :ivar reason: the reason as a sentence without a full stop
    """

    at: int
    reason: str
