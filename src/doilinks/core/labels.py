"""What announces a DOI before a link: a label, or a word that stays."""

from __future__ import annotations

import re
from typing import Final

from .doi import DOI_HOST, WEB

__all__ = ["REACH", "is_url_label", "is_web_url", "says_doi", "says_url"]

REACH: Final = 10  # characters

# Heuristic: doi=10.1000/182 in a list of fields, DOI#10.1000/182, and hdl:10.1000/182, because
# every DOI is a handle. BibTeX has doi = {10.1000/182}, and JSON has "doi": "10.1000/182".
_OPENERS: Final = "[\"'{(\u201c\u2018]"
_DOI: Final = re.compile(
    r"(?<![^\W_])(?:"
    rf"(?:doi[ \t]?[=#]|hdl:|doi[\"'\u201d\u2019][ \t]?[:=])[ \t]?{_OPENERS}{{0,2}}"
    rf"|doi[ \t]?:[ \t]?{_OPENERS}{{1,2}})\Z",
    re.IGNORECASE,
)
# The last characters of such an announcement, before a space.
_DOI_ENDS: Final = ("=", "#", ":", '"', "'", "{", "(", "\u201c", "\u2018")

# Heuristic: bibliographies print "URL: https://doi.org/10.1000/182", data has "url": "https:…".
_URL: Final = re.compile(r"""(?<![^\W_])url(?:["']?\s?[:=：]\s?|\s)["'<{(]?\Z""", re.IGNORECASE)
_URL_LABEL: Final = re.compile(r"\s*url\s*[:：]?\s*", re.IGNORECASE)
_WEB_URL: Final = re.compile(rf"\s*<?\s*(?:{WEB}|//|{DOI_HOST}/)", re.IGNORECASE)


def says_doi(text: str, end: int) -> bool:
    """Tell whether a text announces a DOI before ``end`` in another way than by a label.

    >>> says_doi("hdl:", 4), says_doi("doi = {", 7), says_doi("doi:", 4)
    (True, True, False)
    """
    if not text[max(0, end - 2) : end].rstrip(" \t").endswith(_DOI_ENDS):
        return False
    return _DOI.search(text, max(0, end - REACH), end) is not None


def says_url(text: str, end: int) -> bool:
    """Tell whether the word URL stands just before ``end``.

    >>> says_url("See the URL ", 12), says_url("URL: ", 5), says_url("curl ", 5)
    (True, True, False)
    """
    return _URL.search(text, max(0, end - REACH), end) is not None


def is_url_label(text: str) -> bool:
    """Tell whether a text is nothing but the word URL, as the head of a column may be."""
    return _URL_LABEL.fullmatch(text) is not None


def is_web_url(written: str) -> bool:
    """Tell whether a DOI is written as a URL, with a scheme or without.

    >>> is_web_url("<https://doi.org/10.1000/182>"), is_web_url("doi:10.1/2")
    (True, False)
    """
    return _WEB_URL.match(written) is not None
