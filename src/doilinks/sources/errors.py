"""Why a source was not read."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CannotRead", "Unread"]


class CannotRead(Exception):
    """A file that cannot be read or understood; the message says why and does not name it."""


class Unread(NamedTuple):
    """A place in a source where a DOI should be and none could be read.

    :ivar at: offset in the text
    :ivar reason: a sentence without a full stop
    """

    at: int
    reason: str
