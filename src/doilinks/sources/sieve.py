"""A sieve tells cheaply that no name can be in a source, so that no parser has to read it.

``may_contain_doi`` of the core says yes for each ``10.``, which every program and every change
log contains. Here, the text is also searched for what makes a name of these digits: a label or
address with ``doi`` before them, or at least three digits and a slash after them. A label and an
address contain ``doi``; without either, a registrant code has four digits or is that of an ISBN
(``BARE`` in ``core/steps.py``).

Markup may stand between any two characters of a name. So it is removed before the search, even
where it means something else. What is removed is never a character that the search is for. So
the answer may be yes without a name, but it is never no with one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from ..core.arxiv import may_contain_paper
from ..core.link import has_arxiv_role, may_contain, may_contain_publisher
from ..core.options import Options
from .types import TYPES, Sieve


def may_contain_name(text: str, kind: str, options: Options) -> bool:
    r"""Tell whether a source of a type may contain a DOI."""
    sieve = TYPES[kind].sieve
    if sieve is None or (sieve.always and sieve.always in text.lower()):
        return True
    return may_contain(text, options, roles=True) and part_may_contain_name(text, kind, options)


def part_may_contain_name(text: str, kind: str, options: Options) -> bool:
    """Tell whether a part of a source may contain a DOI. The whole source has a ``10.`` then."""
    sieve = TYPES[kind].sieve
    if sieve is None or (sieve.escape and sieve.escape.search(text)):
        return True
    if has_arxiv_role(text) or (options.arxiv and may_contain_paper(text)):
        return True
    if "\N{LATIN SMALL LETTER DOTLESS I}" in text:  # to a pattern, it is an `i`
        return True
    if _has_name(text, sieve) or may_contain_publisher(text, options):
        return True
    if sieve.joint is None:
        return False
    joint, left = sieve.joint
    without = joint.sub(left, text)
    return without != text and _has_name(without, sieve)


_LOWER: Final = bytes(range(256)).lower()
_WIDE_COLON: Final = rb"\xef\xbc\x9a"


def _has_name(text: str, sieve: Sieve) -> bool:
    octets = text.encode("utf-8", "surrogatepass").translate(_LOWER, sieve.markup)
    return _pattern(sieve.prefixes, sieve.is_text).search(octets) is not None


@cache
def _pattern(letters: bytes, is_text: bool) -> re.Pattern[bytes]:
    """Compile a pattern that finds signs of a name; ``letters`` may be between its characters."""
    between = b"[" + letters + b"]{0,9}" if letters else b""
    signs = rb"(?>(?:[^a-z0-9]|[" + (letters or b"-") + rb"])*)"  # before `10` or `org`
    if is_text:  # before a slip such as `1O.1000` too
        end = rb"(?:1|(?:[-.:/%]|" + _WIDE_COLON + b")" + signs + rb"(?:[0-9]|[li]?[0o]\.|org))"
    else:
        end = rb"(?:[:/%1})]|[-.]" + signs + b"[1o]|" + _WIDE_COLON + b")"
    label = between.join((b"d", b"o", b"i", end))
    digits = b"[0-9." + letters + b"]"
    # A longer row of digits counts, whatever is after it. The limit keeps the time linear.
    rest = digits + b"{40}|" + digits + b"{1,40}?(?:/|%2f)"
    name = between.join((b"1", b"0", rb"\.", b"[0-9]", b"[0-9]", b"(?:" + rest + b")"))
    # A loop of Fortran is `a: do i = 1, 9`.
    role = b"" if is_text else rb"|:doi(?!\w{0,30}=)"
    return re.compile(label + role + b"|" + name)
