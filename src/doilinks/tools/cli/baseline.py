"""``doilinks check --baseline``: what fails today, written into the settings with a reason each."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from os.path import commonprefix
from typing import Any, Final

import click

from ...core.doi import DOI
from ...core.options import PROJECT_FILE, strings
from ...core.printable import counted, format_value
from ...shared.project import in_messages
from .changes import write
from .options import nearest_project

# The problems that check_ignore can hide, and the reasons that it gives for their names.
_REASONS: Final = {
    "doi-not-found": "not found", "doi-no-values": "has no values", "doi-deleted": "deleted",
}  # fmt: skip


def entry_of(doi: DOI) -> str:
    """Return a name as an option lists it.

    A name that would be read as another one, such as one with a percent sign, becomes a URI. A star
    at the end would mean all names that begin so.
    """
    entry = doi.name if DOI.parse(doi.name) == doi else doi.uri
    return f"{entry[:-1]}%2A" if entry.endswith("*") else entry


def write_baseline(problems: Iterable[Any]) -> tuple[str, bool]:
    """Add the names that fail to ``check_ignore``; return a message, and whether more fails."""
    errors = [each for each in problems if each.severity.value == "error"]
    reasons = {each.doi: _REASONS[each.code] for each in errors if each.code in _REASONS}
    others = any(each.code not in _REASONS for each in errors)
    if not reasons:
        return "no name fails that check_ignore could list", others
    project = nearest_project()
    if project is None:
        raise click.ClickException(
            f"--baseline: there is no {PROJECT_FILE} to write into: make one, which may be empty"
        )
    names = {entry_of(doi): reasons[doi] for doi in sorted(reasons, key=lambda each: each.folded)}
    try:
        before = project.file.read_bytes()
        text = before.decode("utf-8-sig")
        key, made = extended(text, "check_ignore", names)
        mark = before[: len(before) - len(text.encode())]
        write(str(project.file.resolve()), before, mark + made.encode())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise click.ClickException(f"{project.file}: {why}; not written") from error
    written = f"{counted(len(names), 'name')} written into {key} of {in_messages(project.file)}"
    return f"{written}: look at each, and remove it when mended", others


def extended(text: str, option: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return how an option is spelled, and the settings with more names in it, and their reasons.

    :raises ValueError: if anything else would change, or no parser would read the file any more
    """
    import tomllib

    import tomlkit

    old = tomllib.loads(text)
    if not isinstance(tool := old.setdefault("tool", {}), dict):
        raise ValueError(f"tool: takes a table, got {format_value(tool)}")  # noqa: TRY004  as for others
    table = tool.setdefault("doilinks", {})
    dashed = option.replace("_", "-")
    key = dashed if dashed in table else option
    table[key] = [*strings(table.get(key, ())), *names]
    settings: Any = tomlkit.parse(text)
    section = settings.setdefault("tool", tomlkit.table(is_super_table=True))
    section = section.setdefault("doilinks", tomlkit.table())
    array = section.get(key)
    if not isinstance(array, list):
        array = tomlkit.array()
        for each in table[key][: -len(names)]:
            array.add_line(each)
    # Each new name gets a line of its own, with its reason.
    for name, reason in names.items():
        array.add_line(name, comment=f"{reason}, {dt.datetime.now(dt.UTC).date()}")
    array.add_line(indent="")
    section[key] = array
    made = _with_ends_of(text, tomlkit.dumps(settings))
    alike = partial(json.dumps, sort_keys=True, default=str)
    with suppress(ValueError):
        if alike(tomllib.loads(made)) == alike(old):
            return key, made
    raise ValueError(f"{key} cannot be extended as it stands: put each comma right after its entry")


def _with_ends_of(text: str, made: str) -> str:
    """Give the new part of ``made`` the line ends of the text before it."""
    begin = len(commonprefix((text, made)))  # noqa: RUF071  of characters
    rest = commonprefix((text[begin:][::-1], made[begin:][::-1]))  # noqa: RUF071  the same
    end, last = len(made) - len(rest), text.rfind("\n", 0, begin)
    is_crlf = text[:last].endswith("\r") if last >= 0 else "\r\n" in text
    new = made[begin:end].replace("\r\n", "\n").replace("\n", "\r\n" if is_crlf else "\n")
    return made[:begin] + new + made[end:]
