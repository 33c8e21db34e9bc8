"""Mends one file for ``doilinks fix``, without writing it, and says what is to be said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..core.doi import DOI
from ..core.found import Found
from ..core.options import Options
from ..fix import Correction, Mended, Original, mend
from ..sources import Binary, CannotRead, Source, octets_of, read

__all__ = ["FileMended", "mend_file", "names_of", "no_names"]


@dataclass
class FileMended:
    """What becomes of one file. A process can send it to another one.

    :ivar before: the octets of the file, if they change or are standard input
    :ivar mended: the file, mended; None if it could not be read
    :ivar messages: what is to be said about the file, in order
    :ivar failure: why the file could not be read, or None
    """

    before: bytes | None = None
    mended: Mended | None = None
    messages: list[str] = field(default_factory=list)
    failure: str | None = None

    @classmethod
    def failed(cls, reason: str) -> FileMended:
        """The result for a file that could not be read."""
        return cls(failure=reason)


def mend_file(
    source: Source,
    options: Options,
    wanted: frozenset[str],
    right: Mapping[DOI, Correction],
    octets: Callable[[Source], bytes] = octets_of,
) -> FileMended:
    """Mend a file.

    :param wanted: the codes of the rules
    :param right: for names that the check knows better, what is right
    :param octets: reads the octets of a source
    """
    result = FileMended()
    say = result.messages.append
    try:
        original = Original(octets(source), source.kind)
        mended = mend(original, source.kind, options, wanted, source.path, say, right)
    except Binary as error:
        say(f"{source.path}: a binary file ({error}); skipped")
    except CannotRead as error:
        result.failure = str(error)
    except MemoryError:
        result.failure = "there is not enough memory"
    else:
        for change, reason in mended.left:
            say(f"{change} stays, because {reason}")
        if mended.changes or source.path == "-":
            result.before = original.octets
        else:
            mended = Mended(b"", (), mended.left)  # there is nothing to write
        result.mended = mended
    return result


def names_of(
    source: Source, options: Options, octets: Callable[[Source], bytes] = octets_of
) -> list[Found]:
    """The names of a file. What cannot be read is reported when it is to be mended."""
    try:
        text = Original(octets(source), source.kind).text
        return list(read(text, source.kind, options, source.path))
    except (CannotRead, MemoryError):
        return []


def no_names(_reason: str) -> list[Found]:
    """The names of a file that could not be read."""
    return []
