"""The house style of a project: every DOI of its documents written in one form.

The rules are used only if a user names them. They replace the whole of a name: its label, its
address, and a link whose text says nothing but the name. Punctuation and line ends stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from ...core.doi import DOI, LABEL, InvalidDOI, parse_parts
from ...core.field import in_field
from ...core.found import Found
from ...sources.common import begin
from ...sources.escapes import Unescaped
from ...sources.python import last_before, tokens
from ...sources.types import FileType
from .rules import Change


class House(NamedTuple):
    """A form of names."""

    types: Collection[str]  # of the files in which a rule writes it
    write: Callable[[DOI], str]
    forms: Collection[str]  # as the reader reports them; correct names may have one too
    good: re.Pattern[str]  # a name that is written so
    link: re.Pattern[str]  # whose group `text` may be the name again


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
# Nothing before a name but the mark of an item, or a bracket or quote: a line end changes it.
_NO_TEXT: Final = re.compile(r"(?:\W*+(?:\w{1,9}[.)])?|.*[(\[\"'\u2014\u2013])\s*\Z")
_LABEL: Final = re.compile(rf"(?<![\w:`*_])(?:{LABEL.pattern})\Z", re.IGNORECASE)
_ROLE: Final = re.compile(r":doi:\Z", re.IGNORECASE)  # just before a name
_NEAR: Final = 400  # characters


def documents(text: str, row: FileType) -> Callable[[Found], bool]:
    """Return a test of whether a name is in a document, not in a comment of a program."""
    before = last_before([each for each in (tokens(text) if row.program else ()) if not each.quote])
    return lambda found: (comment := before(begin(found))) is None or begin(found) >= comment.end


def in_house(
    text: str, row: FileType, code: str, place: Found, right: DOI, codes: Collection[str]
) -> Change | None:
    """Return the change of a name, or of a ``right`` one, to the house form; None in doubt."""
    house = HOUSE[code]
    if place.form not in (*house.forms, "publisher") or place.span is None or place.whole:
        return None
    written = Unescaped(place.written or "", row.escapes).text
    try:  # a title, or a fragment, says more
        doi, rest = in_field(written.strip().removeprefix("<").removesuffix(">"))
        if doi != place.doi or rest:
            return None
    except InvalidDOI:
        if place.form != "publisher":
            return None
    if _UNSAFE.search(right.name):
        return None
    start, end = _whole(text, house, place, *place.span)
    if start == end or not _BEFORE.search(text[max(0, start - 2) : start]):
        return None
    if right == place.doi and house.good.match(text, start, end):
        return None
    new = house.write(right)
    if code == "doi-url" and text[end - 1] == ">":  # without its brackets, an address may be text
        new = f"<{new}>"
    gap = re.search(r"\n[ \t]*", text[start:end])
    if gap:  # the lines of a text stay as many as they were
        before = text[max(0, start - _NEAR) : start].rpartition("\n")[2]
        start -= len(before) - len(before.rstrip(" \t"))
        if _NO_TEXT.match(before) or text.count("\n", start, end) > 1:
            return None
        new = gap[0] + new
    return Change(place, ((start, end, new),), text[start:end], new, (code, *codes), right)


def _whole(text: str, house: House, place: Found, start: int, end: int) -> tuple[int, int]:
    """Return the span of a name with its markup and its label."""
    near = max(0, start - _NEAR)
    if place.form == "role":
        role = _ROLE.search(text, near, start - 1)
        return (role.start(), end + 1) if role and text[start - 1] == "`" else (0, 0)
    if place.form in ("link", "publisher"):
        at = text.rfind("`" if house.link is _REST else "[", near, start)
        link = house.link.match(text, at, end + 10) if at >= 0 else None
        if link is None or link.start("target") > start or end > link.end("target"):
            return (start, end) if place.form == "publisher" else (0, 0)
        try:
            if link["text"] and link["text"] != link["target"]:
                doi, rest = parse_parts(link["text"].strip())
                if doi != place.doi or rest:
                    return 0, 0
        except InvalidDOI:
            return 0, 0
        start, end = link.span()
    elif text[start - 1 : start] == "<" and text[end : end + 1] == ">":
        start, end = start - 1, end + 1
    label = _LABEL.search(text, near, start)
    return label.start() if label else start, end
