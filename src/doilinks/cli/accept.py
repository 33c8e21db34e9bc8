"""``doilinks accept``: writes names that are cited on purpose into pyproject.toml."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click
import tomlkit
from tomlkit.exceptions import TOMLKitError

from ..core.doi import DOI, InvalidDOI
from ..core.found import Listed
from ..core.options import Options
from ..core.printable import printable
from ..project import in_messages, lockfile_of
from ..replace import replace
from ..streams import say
from .options import nearest_project, option_flags, settings_from
from .show import keeper_of
from .terminal import warn

_OPTION: Final = "check_accept"
_CLOSED: Final = re.compile(r"\n[ \t]*\]\Z")  # the bracket stands on a line of its own


@click.command(
    short_help="Accept names that are cited on purpose, although the check warns of their works.",
    epilog="\b\nExamples:\n  doilinks accept '10.1016/S0140-6736(97)11096-0' --reason 'a "
    "chapter about its retraction'\n  doilinks accept '10.5555/*'",
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--reason", default="", help="Why, as a comment beside the name.")
@option_flags("check_lockfile")
def accept(names: tuple[str, ...], reason: str, **flags: object) -> int:
    """Add each NAME to check_accept in the nearest pyproject.toml: its work is cited on purpose.

    A NAME is a DOI name in any form, or a family such as `10.5555/*`. A name that the lock file
    does not have is refused, because it may be mistyped. If one is refused, nothing is written.
    Everything else in the file stays as it is.

    Exit codes: 0 each name is accepted now, 2 a name is refused or the file cannot be changed.
    """
    options, root = settings_from(flags)
    project = nearest_project()
    if project is None:
        raise click.ClickException(
            "there is no pyproject.toml in this folder or above it; write the names into "
            f"{_OPTION} where the project configures doilinks"
        )
    refused: list[str] = []
    entries: dict[str, Listed] = {}
    for name in names:
        try:
            entries |= _entry(name)
        except InvalidDOI as error:
            refused.append(str(error))
    works = _kept(options, root, [doi for each in entries.values() for doi in each.names])
    file = in_messages(lockfile_of(options, root)) or "a lock file"
    refused += [
        f"{doi.uri} is not in {file}; to ask about it: doilinks check --works"
        for doi, work in works.items()
        if work is None
    ]
    if refused:
        for why in refused:
            warn(why)
        return 2
    known = Listed(options.check_accept)
    new = [entry for entry, each in entries.items() if not _has(known, each)]
    if new:
        _write(project.file, new, " ".join(printable(reason).split()))
    for entry, each in entries.items():
        what = "".join(f" {works[doi]}" for doi in each.names if works.get(doi))
        if entry in new:
            say(f"accepted: {entry}{what}, in {_OPTION} of {project.file}")
        else:
            say(f"accepted already: {entry}{what}")
    return 0


def _has(known: Listed, wanted: Listed) -> bool:
    """Whether a list has all names and families of another one."""
    families = wanted.families.keys() <= known.families.keys()
    return families and all(doi in known for doi in wanted.names)


def _entry(name: str) -> dict[str, Listed]:
    """A name or a family as the option has it, and as it is read.

    :raises InvalidDOI: if it is neither
    """
    listed = Listed([name])
    for doi in listed.names:
        # What would be read as another name, such as one with a percent sign, is a URI.
        entry = doi.name if DOI.parse(doi.name) == doi else doi.uri
        return {entry[:-1] + "%2A" if entry.endswith("*") else entry: listed}
    return {name: listed}


def _kept(options: Options, root: Path, names: list[DOI]) -> dict[DOI, str | None]:
    """The work of each name in words, ``""`` if it is not kept; None if the name is not there."""
    keeper = keeper_of(options, root)
    if keeper is None:
        return {}
    from ..works.problems import in_words

    found: dict[DOI, str | None] = {}
    for doi in names:
        work = keeper.work(doi)[0]
        is_there = work or keeper.answer(doi, update=False)
        found[doi] = in_words(work) if work else "" if is_there else None
    return found


def _write(file: Path, entries: Iterable[str], reason: str) -> None:
    """Add entries to the option, and write the file if nothing else in it changes.

    :raises click.ClickException: if that is not possible
    """
    path = Path(os.path.realpath(file))
    advice = f"write the names into {_OPTION} by hand"
    try:
        octets = path.read_bytes()
        mark = "\ufeff" * octets.startswith(b"\xef\xbb\xbf")
        text = octets.decode("utf-8-sig")
        end = "\r\n" if "\r\n" in text else "\n"
        made = _with(text.replace("\r\n", "\n"), entries, reason).replace("\n", end)
        replace(path, (mark + made).encode(), before=octets)
    except (ValueError, TOMLKitError) as error:
        raise click.ClickException(f"{file}: cannot be changed safely; {advice}") from error
    except OSError as error:
        why = error.strerror or "no reason given"
        raise click.ClickException(f"{file}: cannot be written: {why}; {advice}") from error


def _with(text: str, entries: Iterable[str], reason: str) -> str:
    """The text of the file with the entries.

    :raises ValueError, TOMLKitError: if something else would change
    """
    document: dict[str, Any] = tomlkit.parse(text)
    tool = document.get("tool")
    table = tool.get("doilinks") if isinstance(tool, dict) else None
    if table is None:
        return _with(f"{text.rstrip()}\n\n[tool.doilinks]\n".lstrip(), entries, reason)
    key = next((key for key in table if key.replace("-", "_") == _OPTION), _OPTION)
    if key not in table:
        table[key] = tomlkit.array()
    array = table[key]
    for entry in entries:
        if reason or "\n" in array.as_string():
            array.add_line(entry, comment=reason or None)
        else:
            array.append(entry)
    if "\n" in array.as_string() and not _CLOSED.search(array.as_string()):
        array.add_line(indent="")
    made = tomlkit.dumps(document)
    if _others(tomllib.loads(made)) != _others(tomllib.loads(text)):
        raise ValueError(text)
    return made


def _others(document: dict[str, Any]) -> dict[str, Any]:
    """The document without the option."""
    tool = dict(document.get("tool", {}))
    ours = {k: v for k, v in tool.pop("doilinks", {}).items() if k.replace("-", "_") != _OPTION}
    return document | {"tool": tool | ({"doilinks": ours} if ours else {})}
