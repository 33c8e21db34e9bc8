"""Names that look like options, in hosts where all other names belong to the author."""

from __future__ import annotations

from typing import Final

from .options import InvalidOption, Options, Spelling
from .printable import printable

__all__ = ["misspelt"]

_LONGEST: Final = 64  # characters, of a name that may be an option's
_ALIKE: Final = 0.8  # difflib's ratio


def misspelt(given: str, spelling: Spelling = str, value: object = None) -> str | None:
    """Say which option a name that is not an option looks like; None if it looks like none.

    Heuristic: a letter left out, doubled or swapped.

    :param value: the value of the name; if the option does not take such a value, the author did
        not mean the option

    >>> misspelt("doi_dispaly", lambda option: "doi_" + option)
    'doi_dispaly: there is no such option (did you mean doi_display?)'
    """
    import difflib  # rarely needed

    known = {spelling(name): name for name in Options.NAMES}
    for near in difflib.get_close_matches(given[:_LONGEST], known, 1, _ALIKE):
        try:
            Options.read({} if value is None else {known[near]: value})
        except InvalidOption:
            continue
        return f"{printable(given)}: there is no such option (did you mean {near}?)"
    return None
