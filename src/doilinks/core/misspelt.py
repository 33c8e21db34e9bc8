"""What a name that is not an option may have meant, for the messages of every host."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from .printable import printable

if TYPE_CHECKING:
    from .options import Spelling

__all__ = ["misspelt", "no_such_option"]

_LONGEST: Final = 64  # characters, of a name that may be an option's
_ALIKE: Final = 0.8  # difflib's ratio


def no_such_option(given: str, known: Iterable[str]) -> str:
    """Say of a name that must be an option, and is not, which option it looks like.

    >>> no_such_option("dispaly", ["display", "proxy"])
    'there is no such option (did you mean display?)'
    >>> no_such_option("colour", ["display", "proxy"])
    'there is no such option (there are: display, proxy)'
    """
    known = list(known)
    hint = f"did you mean {near}?" if (near := _nearest(given, known)) else ""
    return f"there is no such option ({hint or 'there are: ' + ', '.join(known)})"


def misspelt(given: str, spelling: Spelling = str, value: object = None) -> str | None:
    """Say which option a name looks like, in a host where it may belong to the author.

    :param value: the value of the name; if the option does not take such a value, the author did
        not mean the option

    >>> misspelt("doi_dispaly", lambda option: "doi_" + option)
    'doi_dispaly: there is no such option (did you mean doi_display?)'
    """
    from .options import InvalidOption, Options  # which imports this module

    known = {spelling(name): name for name in Options.NAMES}
    if not (near := _nearest(given, known)):
        return None
    try:
        Options.read({} if value is None else {known[near]: value})
    except InvalidOption:
        return None
    return f"{printable(given)}: {no_such_option(given, known)}"


def _nearest(given: str, known: Iterable[str]) -> str:
    """The name that is most alike, or ``""``. Heuristic: a letter left out, doubled or swapped."""
    import difflib  # rarely needed

    return next(iter(difflib.get_close_matches(given[:_LONGEST], list(known), 1, _ALIKE)), "")
