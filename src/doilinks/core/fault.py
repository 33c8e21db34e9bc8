"""What to say about an unforeseen error: its kind and its place, but not its text.

The text of an error may contain what was read, for example a password of an address.
"""

from __future__ import annotations

__all__ = ["describe"]


def describe(error: BaseException) -> str:
    """The kind of an error, and the module and line that raised it.

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
