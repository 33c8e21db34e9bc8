"""``doilinks check --baseline``: what fails today, written into the settings with a reason each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, Final

import click

from ...core.doi import DOI
from ...core.options import PROJECT_FILE
from ...core.printable import counted
from ...shared.project import in_messages
from .changes import write
from .options import nearest_project

# The problems that check_ignore is for, and what it says of their names.
_REASONS: Final = {"doi-not-found": "not found", "doi-no-values": "has no values"}


def entry_of(doi: DOI) -> str:
    """A name as an option lists it.

    What would be read as another name, such as one with a percent sign, is a URI. A star at the end
    would mean all names that begin so.
    """
    entry = doi.name if DOI.parse(doi.name) == doi else doi.uri
    return f"{entry[:-1]}%2A" if entry.endswith("*") else entry


def write_baseline(problems: Iterable[Any]) -> tuple[str, bool]:
    """Add the names that fail to ``check_ignore``; a message, and whether more fails."""
    errors = [each for each in problems if each.severity.value == "error"]
    reasons = {each.doi: _REASONS[each.code] for each in errors if each.code in _REASONS}
    others = any(each.code not in _REASONS for each in errors)
    if not reasons:
        return "nothing fails that check_ignore could list", others
    project = nearest_project()
    if project is None:
        raise click.ClickException(f"--baseline: there is no {PROJECT_FILE} to write into")
    import tomlkit

    try:
        before = project.file.read_bytes()
        text = before.decode("utf-8")
        settings = tomlkit.parse(text)
        section: Any = settings["tool"] if "tool" in settings else settings.setdefault(
            "tool", tomlkit.table(is_super_table=True)
        )  # fmt: skip
        section = section.setdefault("doilinks", tomlkit.table())
        key = "check-ignore" if "check-ignore" in section else "check_ignore"
        listed = section.get(key, [])
        # Each new name gets a line of its own, with its reason.
        array = listed if hasattr(listed, "add_line") else tomlkit.array()
        day = dt.datetime.now(dt.UTC).date()
        for doi, reason in sorted(reasons.items(), key=lambda each: each[0].folded):
            array.add_line(entry_of(doi), comment=f"{reason}, {day}")
        array.add_line(indent="")
        section[key] = array
        made = tomlkit.dumps(settings)
        if "\r\n" in text:
            made = made.replace("\r\n", "\n").replace("\n", "\r\n")
        write(str(project.file.resolve()), before, made.encode())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise click.ClickException(f"{project.file}: {why}; not written") from error
    names, file = counted(len(reasons), "name"), in_messages(project.file)
    return f"{names} written into {key} of {file}: look at each, and remove it when mended", others
