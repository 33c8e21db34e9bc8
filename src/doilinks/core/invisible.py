"""Names that end at a character nobody can see, such as a soft hyphen or a zero-width space.

Such a character is not graphic, so a name ends there [NISO §4.1]. Programs put it into names where
a line may end, and it comes along when a name is copied. Then half of a name is linked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from unicodedata import category

from .doi import DOI

if TYPE_CHECKING:
    from .scan import Match

__all__ = ["whole_name"]

_FORMAT: Final = "Cf"  # the category of such characters in Unicode
_NEAR: Final = 4  # characters; a scan takes a few off the end of a name, as the stop of 10.1016/j.
_REACH: Final = 200  # characters; hardly a name is longer


def whole_name(match: Match, text: str) -> DOI | None:
    r"""The name without the invisible characters at which the scan has ended it; else None.

    Heuristic: it is the name that the scan finds when they are taken out of the text.

    >>> from doilinks import scan
    >>> text = "See 10.1000/ab\u00adcd there."
    >>> [(match.doi.name, whole_name(match, text)) for match in scan(text)]
    [('10.1000/ab', DOI('10.1000/abcd'))]
    """
    near = text[match.end : match.end + _NEAR]
    if near.isprintable() or match.form == "angle" or not _has_invisible(near):
        return None
    from .scan import scan  # its patterns take long to compile, and `doilinks show` needs none

    around = text[max(0, match.start - 1) : match.end + _REACH]
    visible = "".join(character for character in around if category(character) != _FORMAT)
    found = next(scan(visible), None)
    name = match.doi.name
    longer = found is not None and found.doi.name != name and found.doi.name.startswith(name)
    return found.doi if found and longer else None


def _has_invisible(near: str) -> bool:
    word = near.split(maxsplit=1)[0] if not near[:1].isspace() else ""
    return any(category(character) == _FORMAT for character in word)
