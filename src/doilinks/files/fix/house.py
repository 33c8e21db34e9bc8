"""The house style of a project: every DOI of its documents written in one form.

The rules are used only if a user names them. They replace the whole of a name: its label, its
address, and a link whose text says nothing but the name. Punctuation and line ends stay.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from ...core.doi import DOI, LABEL, InvalidDOI, parse_parts
from ...core.found import Found
from ...core.link import in_field
from ..sources.escapes import Unescaped
from ..sources.python import tokens
from ..sources.types import FileType
from .rules import Change


class House(NamedTuple):
    """A form of names.

    :ivar types: the types of files in which a rule writes it
    :ivar write: writes a name
    :ivar forms: how such names are found; those that already are as they should be may be too
    :ivar good: finds a name that is written so
    :ivar link: a link, whose group ``text`` may be the name again
    """

    types: Collection[str]
    write: Callable[[DOI], str]
    forms: Collection[str]
    good: re.Pattern[str]
    link: re.Pattern[str]


# A hyperlink of reStructuredText with an embedded URI, and one of Markdown. A title says more.
_REST: Final = re.compile(r"`(?P<text>[^`<>|\\]{0,300}?)\s*<(?P<target>[^`<>]{1,300})>`__?(?!\w)")
_MARKDOWN: Final = re.compile(
    r"\[(?P<text>[^\[\]`\\!]{1,300})\]\(\s*<?(?P<target>[^\s()<>]{1,300}(?:\([^\s()<>]*\)[^\s()<>]*)*)"
    r">?\s*\)(?!\{)"
)
_LINKED: Final = ("url", "label", "urn", "link", "angle")
HOUSE: Final = {
    "doi-role": House(
        ("rst", "py"), lambda doi: f":doi:`{doi.name}`", (*_LINKED, "bare", "role"),
        re.compile(r":doi:`10[./]"), _REST,
    ),
    "doi-uri": House(("md",), lambda doi: doi.legible, _LINKED, re.compile("doi:10"), _MARKDOWN),
    "doi-url": House(
        ("md",), lambda doi: doi.url, _LINKED, re.compile("<?https://doi.org/10"), _MARKDOWN
    ),
}  # fmt: skip

# What a role must not contain: the end of it, an escape, or what looks like a title before a target
# [reST: interpreted text]. Neither may be in a name of a text in Markdown.
_UNSAFE: Final = re.compile(r"[`\\\s\"'{}*|%]|__|>\Z")
# A role and a URL begin after white space, a quotation mark or an opening bracket [reST: inline
# markup recognition rules].
_BEFORE: Final = re.compile(r"(?:\A|[\s\"'\[\u2014\u2013]|(?<!\])\()\Z")
_LABEL: Final = re.compile(rf"(?<![\w:`*_])(?:{LABEL.pattern})\Z", re.IGNORECASE)
_ROLE: Final = re.compile(r":doi:\Z", re.IGNORECASE)
_NEAR: Final = 400  # characters


def documents(text: str, row: FileType) -> Callable[[Found], bool]:
    """A function that tells whether a name is in a document, and not in a comment of a program."""
    comments = [each for each in tokens(text) if not each.quote] if row.program else []
    starts = [each.start for each in comments]

    def is_in(found: Found) -> bool:
        at, _ = found.span or (0, 0)
        number = bisect_right(starts, at) - 1
        return number < 0 or at >= comments[number].end

    return is_in


def in_house(
    text: str, row: FileType, code: str, found: Found, right: DOI, codes: Collection[str]
) -> Change | None:
    """The change of a name to the form of the house; None if it has it, or in doubt.

    :param right: the name to write, which the check may know better
    :param codes: the rules that correct the name
    """
    house = HOUSE[code]
    if found.form not in (*house.forms, "publisher") or found.span is None or found.whole:
        return None
    written = Unescaped(found.written or "", row.escapes).text
    if not _says_no_more(written, found) or _UNSAFE.search(right.name):
        return None
    start, end = _whole(text, house, found, *found.span)
    if start == end or not _BEFORE.search(text[max(0, start - 2) : start]):
        return None
    if right == found.doi and house.good.match(text, start, end):
        return None
    new = house.write(right)
    gap = re.search(r"\n[ \t]*", text[start:end])
    if gap:  # the lines of a text stay as many as they were
        before = text[max(0, start - _NEAR) : start]
        start -= len(before) - len(before.rstrip(" \t"))
        if text[start - 1 : start] in ("", "\n") or text.count("\n", start, end) > 1:
            return None
        new = gap[0] + new
    if text[start:end] == new:
        return None
    return Change(found, ((start, end, new),), text[start:end], new, (code, *codes), right)


def _says_no_more(written: str, found: Found) -> bool:
    """Whether a place contains a name, and neither a title nor a fragment."""
    try:
        doi, rest = in_field(written.strip().removeprefix("<").removesuffix(">"))
    except InvalidDOI:
        return found.form == "publisher"
    return doi == found.doi and not rest


def _whole(text: str, house: House, found: Found, start: int, end: int) -> tuple[int, int]:
    """Where a name begins and ends with its markup and its label."""
    near = max(0, start - _NEAR)
    if found.form == "role":
        role = _ROLE.search(text, near, start - 1)
        return (role.start(), end + 1) if role and text[start - 1] == "`" else (0, 0)
    if found.form in ("link", "publisher"):
        link = _link_around(text, house.link, start, end)
        if link is None:
            return (start, end) if found.form == "publisher" else (0, 0)
        try:
            if link["text"] and link["text"] != link["target"]:
                doi, rest = parse_parts(link["text"].strip())
                if doi != found.doi or rest:
                    return 0, 0
        except InvalidDOI:
            return 0, 0
        start, end = link.span()
    elif text[start - 1 : start] == "<" and text[end : end + 1] == ">":
        start, end = start - 1, end + 1
    label = _LABEL.search(text, near, start)
    return label.start() if label else start, end


def _link_around(text: str, pattern: re.Pattern[str], start: int, end: int) -> re.Match[str] | None:
    opening = "`" if pattern is _REST else "["
    at = text.rfind(opening, max(0, start - _NEAR), start)
    link = pattern.match(text, at, end + 10) if at >= 0 else None
    return link if link and link.start("target") <= start and end <= link.end("target") else None
