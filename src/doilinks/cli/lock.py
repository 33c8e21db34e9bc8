"""``doilinks lock``: two versions of a lock file merged."""

from __future__ import annotations

from pathlib import Path

import click

from .terminal import warn


@click.command(
    short_help="Merge two versions of a lock file.",
    epilog="\b\nExamples:\n  doilinks lock --merge doi-lock.json\n"
    "  git config merge.doilinks.driver 'doilinks lock --merge %O %A %B'",
)
@click.option("--merge", is_flag=True, required=True, help="Merge, and write the result to OURS.")
@click.argument("files", nargs=-1, required=True, metavar="OURS | BASE OURS THEIRS",
                type=click.Path(exists=True, dir_okay=False, path_type=Path))  # fmt: skip
def lock(merge: bool, files: tuple[Path, ...]) -> int:  # noqa: ARG001  it is required
    """Merge two versions of a lock file.

    With one file, the two sides of its merge conflict, as git marks them. With three files, what
    OURS and THEIRS have made of BASE, as git gives them to a merge driver. What either has added
    stays. If both have changed an entry, the later one stays.

    Exit codes: 0 merged, 2 wrong usage, or a file that is damaged or cannot be read or written.
    """
    from ..check.lockfile import InvalidLockfile, merge_files

    if len(files) not in (1, 3):
        raise click.UsageError("--merge: takes one file, or three: BASE OURS THEIRS")
    base, ours, theirs = files if len(files) == 3 else (None, files[0], None)
    try:
        merged = merge_files(ours, base, theirs)
    except InvalidLockfile as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        why = error.strerror or "another process is writing there"
        raise click.ClickException(f"cannot write {ours}: {why}") from error
    if not theirs:  # git, which gives three files, says itself what it has merged
        warn(f"{ours} {'merged: git add it' if merged else 'has no merge conflict, nothing to do'}")
    return 0
