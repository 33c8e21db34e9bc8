"""Why a source was not read."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Binary", "CannotRead", "Unread"]


class CannotRead(Exception):
    """A file that cannot be read or understood; the message says why and does not name it."""


class Binary(CannotRead):
    """A file with the ending of a text that is not a text."""


class Unread(NamedTuple):
    """A place in a source where a DOI should be and none could be read.

    :ivar at: offset in the text
    :ivar reason: a sentence without a full stop
    """

    at: int
    reason: str
