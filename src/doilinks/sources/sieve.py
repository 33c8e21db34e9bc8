"""Tells cheaply that no name can be in a source, so that no parser has to read it.

``may_contain_doi`` of the core says yes for each ``10.``, which every program and every change log
contains. Here, the text is also searched for what makes a name of these digits: a label or address
with ``doi`` before them, or at least three digits and a slash after them. A label and an address
contain ``doi``; without either, a registrant code has four digits or is that of an ISBN
(:data:`doilinks.core.begin_steps.BARE`).

Markup may stand between any two characters of a name. So it is removed before the search, even
where it means something else. What is removed is never a character that the search is for. So the
answer may be yes without a name, but it is never no with one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from ..core.arxiv import may_contain_paper
from ..core.scan import may_contain_doi
from .types import TYPES, Sieve


def may_contain_name(text: str, kind: str, arxiv: bool | str = False) -> bool:
    r"""Tell whether a source may contain a DOI.

    :param kind: its type
    :param arxiv: whether identifiers of arXiv count too

    >>> [may_contain_name(f"See {text}.", "rst") for text in ("10.5", "10.1000/182")]
    [False, True]
    >>> may_contain_name(r"See \10.\1000\/182.", "rst")
    True
    """
    sieve = TYPES[kind].sieve
    if sieve is None or (sieve.word and sieve.word in text.lower()):
        return True
    return may_contain_doi(text, arxiv) and part_may_contain_name(text, kind, arxiv)


def part_may_contain_name(text: str, kind: str, arxiv: bool | str = False) -> bool:
    r"""Tell whether a part of a source may contain a DOI. A source that contains one has a ``10.``.

    :param kind: the type of the source
    :param arxiv: whether identifiers of arXiv count too

    >>> part_may_contain_name(".. _a: https://doi.org/1\n   0.1000/182", "rst")
    True
    """
    sieve = TYPES[kind].sieve
    if sieve is None or (sieve.escaped and sieve.escaped.search(text)):
        return True
    if arxiv and may_contain_paper(text):
        return True
    if "\N{LATIN SMALL LETTER DOTLESS I}" in text:  # to a pattern, it is an `i`
        return True
    if _has_name(text, sieve):
        return True
    if sieve.split is None:
        return False
    split, left = sieve.split
    without = split.sub(left, text)
    return without != text and _has_name(without, sieve)


_LOWER: Final = bytes(range(256)).lower()
_WIDE_COLON: Final = rb"\xef\xbc\x9a"


def _has_name(text: str, sieve: Sieve) -> bool:
    octets = text.encode("utf-8", "surrogatepass").translate(_LOWER, sieve.removed)
    return _pattern(sieve.letters).search(octets) is not None


@cache
def _pattern(letters: bytes) -> re.Pattern[bytes]:
    """What a name has.

    :param letters: those that may stand between two of its characters
    """
    between = b"[" + letters + b"]{0,9}" if letters else b""
    label = between.join((b"d", b"o", b"i", rb"(?:[-.:/%1})]|" + _WIDE_COLON + b")"))
    digits = b"[0-9." + letters + b"]"
    # A longer row of digits counts, whatever is after it. The limit keeps the time linear.
    rest = digits + b"{40}|" + digits + b"{1,40}?(?:/|%2f)"
    name = between.join((b"1", b"0", rb"\.", b"[0-9]", b"[0-9]", b"(?:" + rest + b")"))
    return re.compile(label + b"|:doi|" + name)


def blanked(blocks: Iterable[str], kept: Iterable[bool]) -> str:
    r"""The blocks of a document, with empty lines in place of those that are not kept.

    >>> blanked(["One\n\n", "Two\n"], [False, True])
    '\n\nTwo\n'
    """
    both = zip(blocks, kept, strict=True)
    return "".join(block if keep else "\n" * block.count("\n") for block, keep in both)
