"""Tells from the JSON of a document whether the filter may have something to do."""

from __future__ import annotations

import re

TYPE_CHECKING = False  # that of typing, which takes as long to import as the rest of the filter
if TYPE_CHECKING:
    from typing import Final

# Any text that can become a link contains one of these. With +sourcepos, each word and each
# punctuation character is a string of its own. A year that ends in 10 does not match.
# ``_SIGNS`` of ``entry`` contains their beginnings, so change both together.
_TEN: Final = re.compile(r'10(?:\.(?:[0-9]{3}|(?<![0-9]10\.)")|(?<![0-9]10)"|\\[/u])')
_DOI: Final = re.compile("doi[^a-z]")  # a label, or a host
_CAPITALS: Final = ("DOI", "Doi")
_OPTION: Final = re.compile(r'"doi[-_]')  # a key of metadata
_PAPER: Final = re.compile("arxiv", re.IGNORECASE)  # only if the option arxiv is on
_COMMENT: Final = "doilinks:"  # MARK of core.found, which takes long to import


def may_matter(text: str, start: int, end: int, *, arxiv: bool | str = False) -> bool:
    """Tell quickly whether a piece of JSON may contain a DOI."""
    return (
        _TEN.search(text, start, end) is not None
        or _DOI.search(text, start, end) is not None
        or any(text.find(capitals, start, end) >= 0 for capitals in _CAPITALS)
        or (bool(arxiv) and _PAPER.search(text, start, end) is not None)
    )


def may_act(text: str) -> bool:
    """Tell quickly whether a document may contain a DOI, an option or a comment that silences."""
    return _COMMENT in text or may_matter(text, 0, len(text)) or _OPTION.search(text) is not None
