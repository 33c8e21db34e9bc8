"""The text of a link to a DOI: whether it is the DOI itself, another DOI, or something else."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .begin import is_label
from .doi import DOI, InvalidDOI, parse_parts
from .field import unprotected
from .scan import Match, may_contain_doi, scan

__all__ = ["frame_of", "other_doi", "shows_only"]


def shows_only(text: str, doi: DOI) -> bool:
    """Tell whether the text of a link is nothing but the given DOI."""
    try:
        return parse_parts(unprotected(text))[0] == doi
    except InvalidDOI:
        return False


def frame_of(text: str, doi: DOI) -> tuple[int, int] | None:
    """Where the DOI begins and ends in the text of a link to it; None if the text says more.

    Around it there may be brackets, quotes and the punctuation of the sentence.

    >>> doi = DOI("10.1000/182")
    >>> frame_of("(10.1000/182).", doi), frame_of("see 10.1000/182", doi)
    ((1, 12), None)
    """
    if shows_only(text, doi):
        return 0, len(text)
    match = _only(text)
    return _span(match, text) if match and match.doi == doi else None


def other_doi(text: str, doi: DOI) -> DOI | None:
    """The DOI that the text of a link is, if the link leads to another one; else None.

    A text with words beside the name does not count, because the words may say why: "Correction to
    10.1000/181". Heuristic: a name in another spelling is not another name. That is one with dashes
    or quotes as typography has them, with characters that nobody can see, or abbreviated. Which
    name a shortDOI stands for cannot be seen.

    >>> other_doi("doi:10.1000/181.", DOI("10.1000/182"))
    DOI('10.1000/181')
    >>> other_doi("Correction to 10.1000/181", DOI("10.1000/182")) is None
    True
    >>> other_doi("10.1000/1…", DOI("10.1000/182")) is None
    True
    """
    if not may_contain_doi(text) or shows_only(text, doi):
        return None
    visible = "".join(each for each in unprotected(text) if unicodedata.category(each) != "Cf")
    match = _only(visible)
    if match is None or match.doi == doi or (match.doi.prefix == "10") != (doi.prefix == "10"):
        return None
    whole, named = _folded(doi.name), _folded(match.doi.name + match.tail)
    goes_on = named + _folded(visible[match.end :])
    head, dots, rest = goes_on.partition("...")
    abbreviated = dots and whole.startswith(head) and whole.endswith(rest.rstrip(_CLOSERS))
    same = named == whole or (whole.startswith(named) and goes_on.startswith(whole))
    return None if same or abbreviated else match.doi


def _only(text: str) -> Match | None:
    """The one DOI of a text in which there is no other word."""
    found = scan(text)
    match = next(found, None)
    if match is None or next(found, None) is not None:
        return None
    start, end = _span(match, text)
    return match if not any(map(str.isalnum, text[:start] + text[end:])) else None


def _span(match: Match, text: str) -> tuple[int, int]:
    """Where a match begins and ends; the word DOI before it is its label, with a colon or not."""
    before = text[: match.start]
    return (0 if is_label(before) else match.start), match.end


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).translate(_TYPED).casefold()
    return _HYPHENS.sub("-", text)


_CLOSERS: Final = " )]}>.,;\"'"
_HYPHENS: Final = re.compile("-+")
_TYPED: Final = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”", '"')
)
