"""Writes the DOI of a reference that has none, in the form of its place.

In documents that is at the end of the reference, before its full stop, and in a line of its own if
the line would become longer than those of the reference; in a bibliography it is a field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ...core.doi import DOI
from ...core.found import Found
from ...sources.escapes import to_latex, to_rd
from ...sources.references import NAME, Reference
from .rules import Change

CODE: Final = "doi-missing"
_WIDTH: Final = 79  # characters of a line, if those of the reference are shorter
_UNWRAPPED: Final = 120  # from here on, a reference of one line stays one
# The end of a reference: the full stop stays after the name. After an initial or in an address it
# is not the end.
_STOP: Final = re.compile(r"(?<![.\s])(?<!\b[A-Z])\.\Z")
_ADDRESS: Final = re.compile(r"://[^\s<>`)\]}]*\Z")  # a comma would be taken for a part of it
_OPEN: Final = re.compile(r"[,;:]\Z")  # the reference goes on after these
_TITLE: Final = re.compile(r'((?<!\s)\s*)"title"\s*:\s*"\Z')  # of CSL-JSON
_TEXT: Final = re.compile(r"\S")  # where the text of a line begins
_IN_COMMENT: Final = re.compile(r"[^\s#:']|(?<!#)[:']")
_NAME: Final = re.compile(
    r"(?P<margin>[ \t]*)(?P<name>[\w:.+-]+)(?P<gap>[ \t]*=[ \t]*)(?P<open>[{\"]?)\Z"
)


@dataclass
class Missing:
    """By the text of a reference its DOI, and whether the project has a role for DOIs."""

    names: dict[str, DOI] = field(default_factory=dict)
    has_roles: bool = False


class Style(NamedTuple):
    """How a source writes DOIs: with a role, as addresses, or with a command of LaTeX."""

    role: bool = False
    url: bool = False
    command: str = ""

    @classmethod
    def of(cls, text: str, found: Iterable[Found], missing: Missing) -> Style:
        """Determine the style of a source by the names and the LaTeX commands in it."""
        forms = [each.form for each in found]
        urls = any(each in ("url", "angle") for each in forms) and "label" not in forms
        command = next((each for each in ("doi", "href") if f"\\{each}{{" in text), "")
        return cls("role" in forms or missing.has_roles, urls, command)


_ABOVE, _BELOW = 60, 8_000  # characters in which a mark and the end of an item are looked for


def has_name(text: str, reference: Reference) -> bool:
    """Tell whether a name is in the paragraph or item of a reference, whatever its reader says.

    A paragraph ends with a blank line, an item also before one with a mark of the same shape.
    """
    first = max(text.rfind("\n", 0, reference.start) + 1, reference.start - _ABOVE)
    mark = re.sub(r"\w+", r"\\w+", re.escape(text[first : reference.start]))
    end = r"\n[ \t#]*(?:\n|\Z)" + (rf"|\n{mark}" if mark.strip("\\ \t#") else "")
    item = re.split(end, text[reference.start : reference.start + _BELOW], maxsplit=1)[0]
    return reference.form in ("text", "rest", "comment") and NAME.search(item) is not None


def inserted(text: str, reference: Reference, doi: DOI, style: Style, file: str = "-") -> Change:
    """Return the change that gives a reference its DOI."""
    if reference.form == "bib":
        at, new = _field(text, reference, doi)
    elif reference.form == "csl":
        at, new = reference.end, json.dumps(doi.name)
        space = _TITLE.search(text, max(0, reference.start - 300), reference.start)
        new = f',{space[1] or " "}"DOI": {new}' if space else new[1:-1]  # or its string is empty
    else:
        at, new = _words(text, reference, _written(reference.form, doi, style))
    found = Found(doi, file=file, line=reference.line, column=reference.column, span=(at, at))
    return Change(found, ((at, at, new),), "", " ".join(new.split()), (CODE,), doi)


def _written(form: str, doi: DOI, style: Style) -> str:
    """Return the name as it is written in a text of a form and a style."""
    name = to_latex(doi.name)
    match form, style.command:
        case "rd", _:
            return rf"\doi{{{to_rd(doi.name)}}}"
        case "tex", "href":
            url = re.sub(r"[%#]", r"\\\g<0>", doi.url)
            return rf"\href{{{url}}}{{doi:{name}}}"
        case "tex", command:
            return rf"\doi{{{name}}}" if command else f"doi:{name}"
        case "rest", _ if style.role:
            return f":doi:`{doi.name}`"
    return doi.url if style.url else doi.legible


def _words(text: str, reference: Reference, name: str) -> tuple[int, str]:
    at = reference.end
    begin = text.rfind("\n", 0, at) + 1  # of the last line
    is_address = _ADDRESS.search(text, max(begin, at - 500), at)
    if _STOP.search(text, max(begin, at - 3), at) and not is_address:
        at -= 1
    comma = "" if is_address or _OPEN.search(text, max(begin, at - 1), at) else ","
    if reference.form == "cell":  # a string of JSON, in which lines end with \\n
        return at, f"{comma} {json.dumps(name)[1:-1]}"
    lines = text[reference.start - reference.column + 1 : at].split("\n")
    longest = max(_WIDTH, *map(len, lines))
    size = len(name) + reference.end - at
    fits = len(lines[-1]) + len(comma) + 1 + size <= longest
    is_unwrapped = len(lines) == 1 and longest > _UNWRAPPED
    between = " " if fits or is_unwrapped else "\n" + _margin(lines, reference)
    return at, f"{comma}{between}{name}"


def _margin(lines: Sequence[str], reference: Reference) -> str:
    """Return what begins a further line of a reference: as the last one, or as its text."""
    begin = _IN_COMMENT if reference.form == "comment" else _TEXT
    margin = begin.split(lines[-1], maxsplit=1)[0]
    if len(lines) > 1 or reference.form in ("tex", "rd"):
        return margin
    mark = lines[0][len(margin) : reference.column - 1]
    return margin + " " * (3 if mark.startswith("..") else len(mark))


def _field(text: str, reference: Reference, doi: DOI) -> tuple[int, str]:
    """Return a DOI field's place and text: before the last field, which may lack a comma."""
    start = text.rfind("\n", 0, reference.end) + 1
    name = _NAME.search(text, max(start, reference.end - 300), reference.end)
    if name is None:
        return reference.end, ""  # the proof rejects that
    if name["name"].lower() == "doi":  # it is empty
        return reference.end, doi.name
    gap = name["gap"]
    if gap.count(" ") > 2:  # the signs stand in a column
        gap = " " * (len(name["name"]) - len("doi")) + gap
    value = f'"{doi.name}"' if name["open"] == '"' else f"{{{doi.name}}}"
    after = f"\n{name['margin']}" if name.start() == start else " "
    return name.start("name"), f"doi{gap}{value},{after}"
