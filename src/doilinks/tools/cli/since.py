"""The names of a project at a revision of git, for ``--since REV`` of ``works`` and ``fix``."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from ...core.doi import DOI
from ...core.options import Options
from .files import FileFlags, gather

_LONGEST: Final = 600  # seconds for git


def names_at(revision: str, paths: Sequence[str], which: FileFlags, options: Options) -> set[DOI]:
    """Return the names in the files below ``paths`` as they were at a revision.

    The files of the revision are written into a folder that is gone afterwards, by an index of its
    own, so that neither the checkout nor its index changes.
    """
    top, commit = _commit(revision)
    with tempfile.TemporaryDirectory(prefix="doilinks-") as folder:
        index, tree = str(Path(folder, "index")), Path(folder, "tree")
        _git("read-tree", commit, index=index)
        list_files = ("ls-files", "-z", "--full-name")
        staged = _git(*list_files, "--stage", "--", *paths, index=index, required=False)
        # A symbolic link may lead to any file of the checkout.
        is_linked = "\x00120000 " in f"\0{staged}"
        below = ("-C", top, *list_files) if is_linked else (*list_files, "--", *paths)
        listed = _git(*below, index=index, required=False)
        write = ("checkout-index", "-z", "--stdin", f"--prefix={tree}/")
        _git("-C", top, *write, index=index, text=listed)
        (tree / ".git").mkdir(parents=True, exist_ok=True)
        then = [tree / os.path.relpath(os.path.realpath(path), top) for path in paths]
        there = [str(path) for path in then if path.exists()]
        return {each.doi for each in gather(there, replace(which, no_cache=True), options).places}


def changed_since(revision: str) -> set[str]:
    """Return real paths of files that differ from the merge base of a revision and HEAD.

    New files are among them, unless git ignores them.
    """
    top, commit = _commit(revision)
    base = _git("merge-base", commit, "HEAD", required=False).strip() or commit
    flags = ("--name-only", "-z", "--no-renames", "--diff-filter=d")
    changed = _git("-C", top, "diff", *flags, base, "--")
    new = _git("-C", top, "ls-files", "-z", "--others", "--exclude-standard")
    return {os.path.realpath(Path(top, each)) for each in (changed + new).split("\0") if each}


def _commit(revision: str) -> tuple[str, str]:
    top = os.path.realpath(_git("rev-parse", "--show-toplevel").rstrip("\n"))
    # So a revision that begins with a hyphen is not an option of git.
    named = ("--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = _git("rev-parse", *named, required=False)
    if not commit:
        raise click.UsageError(f"--since {revision}: git knows no such revision")
    return top, commit.strip()


def _git(*arguments: str, index: str = "", text: str = "", required: bool = True) -> str:
    """Run git and return what it prints; a failing exit status is an error if ``required``."""
    environment = os.environ | ({"GIT_INDEX_FILE": index} if index else {})
    command = ["git", "--literal-pathspecs", *arguments]
    try:
        done = subprocess.run(  # noqa: S603  no shell reads these
            command, input=text, env=environment, capture_output=True,
            encoding="utf-8", errors="surrogateescape", timeout=_LONGEST, check=False,
        )  # fmt: skip
    except OSError as error:
        raise click.UsageError(f"--since: cannot run git: {error.strerror}") from error
    if done.returncode and required:
        lines = done.stderr.strip().splitlines() or ["git failed"]
        # The lines after that one are advice, such as about the border of a file system.
        why = next((line for line in lines if line.startswith("fatal: ")), lines[-1])
        raise click.UsageError(f"--since: {why}")
    return done.stdout
