"""Reads one file for a command: its names, its comments for the check, and what is to be said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..core.found import Found
from ..core.options import Options
from ..core.silence import Silence
from ..sources import Binary, CannotRead, Source, comments, load, read

__all__ = ["FileRead", "read_file"]


@dataclass
class FileRead:
    """What one file contains. A process can send it to another one.

    :ivar found: the DOIs of the file
    :ivar silences: the comments that silence names
    :ivar messages: what is to be said about the file, in order
    :ivar failure: why the file could not be read, or None
    :ivar skipped: whether the file is not a text, so that it does not count
    """

    found: list[Found] = field(default_factory=list)
    silences: list[Silence] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    failure: str | None = None
    skipped: bool = False

    @classmethod
    def failed(cls, reason: str) -> FileRead:
        """The result for a file that could not be read."""
        return cls(failure=reason)


def read_file(source: Source, options: Options, *, blocks: bool) -> FileRead:
    """Read a file. If that fails midway, none of its names count.

    :param blocks: whether each DOI knows the block that contains it
    """
    result = FileRead()
    try:
        text = load(source, result.messages.append)
        read_as = read(
            text, source.kind, options, source.path, result.messages.append, blocks=blocks
        )
        # A block is a function until someone needs it. The function keeps the whole file in memory.
        found = [replace(each, around=each.block) if blocks else each for each in read_as]
        result.silences = list(comments(text, source.kind, source.path))
        result.found = found
    except Binary as error:
        result.messages.append(f"{source.path}: a binary file ({error}); skipped")
        result.skipped = True
    except CannotRead as error:
        result.failure = str(error)
    except MemoryError:
        result.failure = "there is not enough memory"
    return result
