"""A DOI in a field of a bibliography, and in a link that another tool made of such a field.

Programs that export references escape characters of a name, with LaTeX or with character
references of HTML. BibTeX itself undoes LaTeX, but citeproc and sphinxcontrib-bibtex append the raw
field to ``https://doi.org/``. So every reader of such a field has to undo the same escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .doi import DOI
from .html import ENTITY, unescape
from .text import SourceText

__all__ = [
    "LATEX_CHARACTER",
    "doi_in_field",
    "field_pieces",
    "latex_character",
    "plain_field",
    "unprotected",
]

# A character of a name as LaTeX protects it, for a pattern with re.VERBOSE.
LATEX_CHARACTER: Final = r"""
      \\text(?P<word>less|greater|underscore|asciitilde|backslash|bar|quotesingle
                      |endash|hyphen)\b\s*(?:\{\})?
    | \\(?P<ascii>asciitilde|sim|lt|gt|langle|rangle|_)\b\s*(?:\{\})?
    | \\(?P<escaped>[_%&\#${}~^/<>|"'-])(?:\{\})?
    | \$(?P<math><|>|\\sim|\\_|_)\$
"""
_WORDS: Final = {
    "less": "<", "greater": ">", "underscore": "_", "asciitilde": "~", "backslash": "\\",
    "bar": "|", "quotesingle": "'", "endash": "\u2013", "hyphen": "-", "sim": "~",
    "lt": "<", "gt": ">", "langle": "<", "rangle": ">", "\\sim": "~", "\\_": "_",
}  # fmt: skip
_PROTECTED: Final = re.compile(
    rf"""
      \\?(?P<reference>&{ENTITY})
    | \\(?:url|href|doi|path|nolinkurl|texttt|protect|string)\b\s*
    | \\+(?=\\)
    | {LATEX_CHARACTER}
    | [{{}}]
    """,
    re.VERBOSE,
)
# Braces alone protect nothing but a single character: a name may contain a pair of them.
_PROTECTION: Final = re.compile(rf"&{ENTITY} | {LATEX_CHARACTER} | \{{[_%&\#$~^<>]\}}", re.VERBOSE)


def latex_character(found: re.Match[str]) -> str:
    """The character that a match of ``LATEX_CHARACTER`` stands for, ``""`` for other LaTeX."""
    kept = found["word"] or found["ascii"] or found["escaped"] or found["math"] or ""
    return _WORDS.get(kept, kept)


def field_pieces(written: str) -> Iterator[tuple[int, int, str]]:
    """The escapes of a field, as pieces of :class:`~.text.SourceText`."""
    for found in _PROTECTED.finditer(written):
        reference = found["reference"]
        text = unescape(reference) if reference else latex_character(found)
        yield found.start(), found.end(), text


def plain_field(written: str) -> str:
    r"""The text of a field without LaTeX and character references.

    Heuristic: a name may contain braces, a backslash and ``&lt;``, but no such name is known.

    >>> plain_field(r"10.1007/978{\_}3\%{}2"), plain_field(r"49:8$<$693::AID\textgreater{}3")
    ('10.1007/978_3%2', '49:8<693::AID>3')
    >>> plain_field("49:8&lt;693::AID-ASI4&gt;3")
    '49:8<693::AID-ASI4>3'
    """
    return SourceText.of(written, field_pieces(written)).text


def unprotected(link: str) -> str:
    r"""The target or text of a link without the LaTeX and references that protect its characters.

    A bibliography that makes a link of a field leaves them in it. A link without any stays as it
    is, with its braces.

    Source: heuristic, as for :func:`plain_field`.

    >>> unprotected(r"https://doi.org/10.1162/netn{\_}a\_00035")
    'https://doi.org/10.1162/netn_a_00035'
    >>> unprotected("https://doi.org/10.1000/a{b}c")
    'https://doi.org/10.1000/a{b}c'
    """
    return plain_field(link) if _PROTECTION.search(link) else link


def doi_in_field(written: str) -> DOI:
    r"""The DOI that a field contains, as a name or as a link that a tool has made of one.

    Percent triplets are decoded, as everywhere ([2000]). ``#`` and ``?`` belong to the name,
    because tools put the name as it stands after ``https://doi.org/``. Punctuation at the end does
    not belong to it.

    :raises InvalidDOI: when ``written`` contains anything but one DOI

    >>> doi_in_field(r"https://doi.org/10.1007/978-3-319-10590-1{\_}53").name
    '10.1007/978-3-319-10590-1_53'
    >>> doi_in_field("10.1000/456#789") == doi_in_field("https://doi.org/10.1000/456%23789")
    True
    """
    name = plain_field(written).strip().rstrip(".,;")
    return DOI.parse(name.replace("?", "%3F").replace("#", "%23"))
