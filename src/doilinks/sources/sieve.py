r"""Tells cheaply that no name can be in a source, so that no parser has to read it.

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
from typing import Final

from ..core.scan import may_contain_doi

__all__ = ["blanked", "may_contain_name", "part_may_contain_name"]

_WHITE: Final = b" \t\n\v\f\r\x1c\x1d\x1e\x1f"
# What may stand between two characters of a name: escapes, the end of a line in the target of a
# link [reST], emphasis, and the end and the beginning of a string of a program.
_REMOVED: Final = {
    "rst": _WHITE + b"\\",
    "md": _WHITE + b"\\*_~`",
    "py": _WHITE + b"\\()\"'",
    "pyx": _WHITE + b"\\()\"'",
    "bib": _WHITE + b"\\{}$~",
}
_WIDE_COLON: Final = rb"\xef\xbc\x9a"


def _pattern(between: bytes = b"", letters: bytes = b"") -> re.Pattern[bytes]:
    """What a name has.

    :param between: what may stand between two of its characters
    :param letters: the letters in that
    """
    label = between.join((b"d", b"o", b"i", rb"(?:[-.:/%1})]|" + _WIDE_COLON + b")"))
    digits = b"[0-9." + letters + b"]"
    # A longer row of digits counts, whatever is after it. The limit keeps the time linear.
    rest = digits + b"{40}|" + digits + b"{1,40}?(?:/|%2f)"
    name = between.join((b"1", b"0", rb"\.", b"[0-9]", b"[0-9]", b"(?:" + rest + b")"))
    return re.compile(label + b"|:doi|" + name)


_PLAIN: Final = _pattern()
# Letters may stand before a string of a program.
_IN_STRINGS: Final = _pattern(b"[rubft]{0,9}", b"rubft")
# An escape that may stand for a character of a name, in its label or before its suffix.
_ESCAPED: Final = {
    "md": re.compile(r"&(?:#|period;|sol;|percnt;|colon;|lpar;|rpar;|[lr]cub;|[lr]brace;)"),
    "py": re.compile(r"\\(?:x[2-7]|u00[2-7]|U000000[2-7]|N\{|[01]?[0-7]{2})"),
}
_ESCAPED["pyx"] = _ESCAPED["py"]
_ESCAPED["bib"] = re.compile("[&#]")  # a character reference, and what joins two strings
# What may stand between two characters of a name too, and what it leaves: a comment between two
# strings of a program, and a command of LaTeX that has no text.
_COMMENT: Final = (re.compile(r"([\"'])(?:[\s()\\]*+#[^\n]*+)+"), r"\1")
_COMMAND: Final = (re.compile(r"\\(?:url|href|doi|path|nolinkurl|texttt|protect|string)\b"), "")
_SPLIT: Final = {"py": _COMMENT, "pyx": _COMMENT, "bib": _COMMAND}
_PATTERNS: Final = {
    "rst": _PLAIN, "md": _PLAIN, "py": _IN_STRINGS, "pyx": _IN_STRINGS, "bib": _PLAIN,
}  # fmt: skip


def may_contain_name(text: str, kind: str) -> bool:
    r"""Tell whether a source may contain a DOI.

    :param kind: its type

    >>> [may_contain_name(f"See {text}.", "rst") for text in ("10.5", "10.1000/182")]
    [False, True]
    >>> may_contain_name(r"See \10.\1000\/182.", "rst")
    True
    """
    if kind not in _REMOVED:
        return kind != "txt" or may_contain_doi(text)
    if kind == "bib" and "doi" in text.lower():  # a field of that name counts without a DOI too
        return True
    return may_contain_doi(text) and part_may_contain_name(text, kind)


def part_may_contain_name(text: str, kind: str) -> bool:
    r"""Tell whether a part of a source may contain a DOI. A source that contains one has a ``10.``.

    :param kind: the type of the source

    >>> part_may_contain_name(".. _a: https://doi.org/1\n   0.1000/182", "rst")
    True
    """
    escaped = _ESCAPED.get(kind)
    if escaped and escaped.search(text):
        return True
    if "\N{LATIN SMALL LETTER DOTLESS I}" in text:  # to a pattern, it is an `i`
        return True
    if _holds(text, kind):
        return True
    if kind not in _SPLIT:
        return False
    split, left = _SPLIT[kind]
    without = split.sub(left, text)
    return without != text and _holds(without, kind)


def blanked(blocks: Iterable[str], kept: Iterable[bool]) -> str:
    r"""The blocks of a document, with empty lines in place of those that are not kept.

    >>> blanked(["One\n\n", "Two\n"], [False, True])
    '\n\nTwo\n'
    """
    both = zip(blocks, kept, strict=True)
    return "".join(block if keep else "\n" * block.count("\n") for block, keep in both)


_LOWER: Final = bytes(range(256)).lower()


def _holds(text: str, kind: str) -> bool:
    octets = text.encode("utf-8", "surrogatepass").translate(_LOWER, _REMOVED[kind])
    return _PATTERNS[kind].search(octets) is not None
