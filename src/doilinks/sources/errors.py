"""Why a source was not read."""

from __future__ import annotations

__all__ = ["CannotRead"]


class CannotRead(Exception):
    """A file that cannot be read or understood; the message says why and does not name it."""
