"""``doilinks skill``: what an agent has to know about doilinks, as a skill.

Source: https://agentskills.io/specification
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from ...core.printable import printable
from ...shared.streams import say, write_output
from .outputs import install

_PACKAGE: Final = Path(__file__).parents[2]
# The files of the skill, and where they are in the package.
_FILES: Final = {
    "SKILL.md": _PACKAGE / "SKILL.md",
    "references/report.schema.json": _PACKAGE / "checking" / "check" / "report.schema.json",
    "references/scan.schema.json": _PACKAGE / "files" / "cli" / "scan.schema.json",
}


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
        write_output(_FILES["SKILL.md"].read_bytes())
        return 0
    install(folder, {f"doilinks/{name}": source.read_bytes() for name, source in _FILES.items()})
    say(f"{printable(str(folder / 'doilinks'))}: written")
    return 0
