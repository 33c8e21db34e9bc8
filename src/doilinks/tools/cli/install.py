"""The commands that write files of doilinks: the skill for agents, and plug-ins.

mystmd takes a path of an executable file for a plug-in, and gives it nothing but the name of the
transform. So the file that is written runs ``doilinks myst-plugin``. Quarto takes the name of a
filter for a path beside the document, so an extension has to name a program on the ``PATH``. A
filter that is not Lua runs as a JSON filter of pandoc.

Source: https://agentskills.io/specification, https://mystmd.org/guide/executable-plugins,
https://quarto.org/docs/extensions/filters.html
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from ... import __version__
from ...core.printable import printable
from ...shared.replace import replace
from ...shared.streams import read_input, say, write_output

_PACKAGE: Final = Path(__file__).parents[2]
# The files of the skill, and where they are in the package.
_SKILL: Final = {
    "SKILL.md": _PACKAGE / "SKILL.md",
    "references/report.schema.json": _PACKAGE / "ask" / "names" / "report.schema.json",
    "references/scan.schema.json": _PACKAGE / "tools" / "cli" / "scan.schema.json",
}
_PLUGIN: Final = "doilinks-plugin.py"
_TRANSFORM: Final = "doilinks"
_SPEC: Final = {
    "name": "doilinks",
    "transforms": [{"name": _TRANSFORM, "doc": "Links DOI names.", "stage": "document"}],
}
_EXTENSION: Final = Path("_extensions", "doilinks")
_SCRIPT: Final = "doilinks-filter.py"  # pandoc runs it with Python where files cannot be executable
_EXTENSION_YML: Final = f"""\
title: doilinks
author: The doilinks maintainers
version: {__version__}
quarto-required: ">=1.3.0"
contributes:
  filters:
    - {_SCRIPT}
"""
_into_project = click.argument(
    "folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path)
)


def _install(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files below a folder, which may be a checkout of somebody else's repository.

    No symbolic link may be in a path, which could lead to any other file. A file of Python is made
    executable.
    """
    base = Path(os.path.realpath(folder))
    for name, octets in files.items():
        try:
            path = base
            for part in Path(name).parts:
                path /= part
                if path.is_symlink():
                    words = "a symbolic link, which may lead anywhere; nothing is written"
                    raise click.ClickException(f"{path}: {words}")
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(path, octets)
            if path.suffix == ".py":
                path.chmod(0o755)
        except OSError as error:
            why = error.strerror or type(error).__name__
            shown = folder / Path(name).parent
            raise click.ClickException(f"{shown}: cannot write: {why}") from error


@click.command(
    "skill",
    short_help="Write the skill for agents.",
    epilog="\b\nExample:\n  doilinks skill .claude/skills",
)
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
def skill(folder: Path | None) -> int:
    """Write what an agent should know about doilinks into FOLDER/doilinks.

    FOLDER is where your agent looks for skills. It is made, and a skill that is there is updated.
    Without FOLDER, the text is written to standard output.
    """
    if folder is None:
        write_output(_SKILL["SKILL.md"].read_bytes())
        return 0
    _install(folder, {f"doilinks/{name}": source.read_bytes() for name, source in _SKILL.items()})
    say(f"{printable(str(folder / 'doilinks'))}: written")
    return 0


@click.command(
    "quarto-extension",
    short_help="Write the extension for Quarto.",
    epilog="\b\nExample:\n  doilinks quarto-extension my-book/",
)
@_into_project
def quarto_extension(folder: Path) -> int:
    """Write the extension for Quarto into _extensions/doilinks of FOLDER, or of the current folder.

    An extension that is there is updated. Then put doilinks into the filters of _quarto.yml.
    """
    script = Path(__file__).with_name("quarto_filter.py").read_bytes()
    files = {"_extension.yml": _EXTENSION_YML.encode(), _SCRIPT: script}
    _install(folder, {str(_EXTENSION / name): octets for name, octets in files.items()})
    place = printable(str(folder / _EXTENSION))
    say(f"{place}: written; put this into _quarto.yml, or into the head of a document:")
    say("filters:\n  - doilinks")
    return 0


@click.command(
    "myst-plugin",
    short_help="Write the plug-in for mystmd.",
    epilog="\b\nExample:\n  doilinks myst-plugin my-book/",
)
@_into_project
@click.option("--spec", is_flag=True, help="Print what the plug-in contains. mystmd needs this.")
@click.option("--transform", type=click.Choice([_TRANSFORM]), metavar="NAME", help="Read the tree "
              "of a page, and write it with links. mystmd needs this.")  # fmt: skip
def myst_plugin(folder: Path, spec: bool, transform: str | None) -> int:
    """Write the plug-in for mystmd into FOLDER, or into the current folder.

    A plug-in that is there is updated. Then put it into the plugins of myst.yml.
    """
    if spec:
        write_output(json.dumps(_SPEC).encode())
        return 0
    if transform:
        return _transform()
    _install(folder, {_PLUGIN: Path(__file__).with_name("myst_plugin.py").read_bytes()})
    say(f"{printable(str(folder / _PLUGIN))}: written; put this into myst.yml:")
    say(f"project:\n  plugins:\n    - type: executable\n      path: {_PLUGIN}")
    return 0


def _transform() -> int:
    # The other uses of the command need none of them.
    from ...hosts.mystmd import transform
    from .options import settings_from
    from .terminal import warn

    options, _ = settings_from({})
    octets = read_input()
    try:
        octets = transform(octets, options)
    except RecursionError:
        warn("a page is nested too deeply, so nothing is linked there")
    except ValueError as error:
        raise click.ClickException(f"this is not the tree of a page: {error}") from error
    write_output(octets)
    return 0
