"""``doilinks quarto-extension``: writes the extension for Quarto.

Quarto takes the name of a filter for a path beside the document, so an extension has to name a
program on the ``PATH``. What is not Lua runs as a JSON filter of pandoc.

Source: https://quarto.org/docs/extensions/filters.html
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from ... import __version__
from ...core.printable import printable
from ...shared.streams import say
from .outputs import install

_FOLDER: Final = Path("_extensions", "doilinks")
_SCRIPT: Final = "doilinks-filter.py"  # pandoc runs it with Python where files cannot be executable
_EXTENSION: Final = f"""\
title: doilinks
author: The doilinks maintainers
version: {__version__}
quarto-required: ">=1.3.0"
contributes:
  filters:
    - {_SCRIPT}
"""


@click.command(
    "quarto-extension",
    short_help="Write the extension for Quarto.",
    epilog="\b\nExample:\n  doilinks quarto-extension my-book/",
)
@click.argument(
    "folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
def quarto_extension(folder: Path) -> int:
    """Write the extension for Quarto into _extensions/doilinks of FOLDER, or of the current folder.

    An extension that is there is updated. Then put doilinks into the filters of _quarto.yml.
    """
    script = Path(__file__).with_name("quarto_filter.py").read_bytes()
    files = {"_extension.yml": _EXTENSION.encode(), _SCRIPT: script}
    install(folder, {str(_FOLDER / name): octets for name, octets in files.items()})
    place = printable(str(folder / _FOLDER))
    say(f"{place}: written; put this into _quarto.yml, or into the head of a document:")
    say("filters:\n  - doilinks")
    return 0
