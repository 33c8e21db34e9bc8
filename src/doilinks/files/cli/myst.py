"""``doilinks myst-plugin``: writes the plug-in for mystmd, and is what it runs.

mystmd takes a path of an executable file for a plug-in, and gives it nothing but the name of the
transform. So the file that is written runs this command.

Source: https://mystmd.org/guide/executable-plugins
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

from ...core.printable import printable
from ...shared.streams import read_input, say, write_output
from .options import settings_from
from .outputs import install
from .terminal import warn

_FILE: Final = "doilinks-plugin.py"
_TRANSFORM: Final = "doilinks"
_SPEC: Final = {
    "name": "doilinks",
    "transforms": [
        {"name": _TRANSFORM, "doc": "Links DOI names.", "stage": "document"},
    ],
}


@click.command(
    "myst-plugin",
    short_help="Write the plug-in for mystmd.",
    epilog="\b\nExample:\n  doilinks myst-plugin my-book/",
)
@click.argument(
    "folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
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
    install(folder, {_FILE: Path(__file__).with_name("myst_plugin.py").read_bytes()})
    say(f"{printable(str(folder / _FILE))}: written; put this into myst.yml:")
    say(f"project:\n  plugins:\n    - type: executable\n      path: {_FILE}")
    return 0


def _transform() -> int:
    from ...linking.mystmd import transform  # the other uses of the command do not need it

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
