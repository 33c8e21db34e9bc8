"""The three views of one tree, and what stands in one of them alone."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.sources import load, read, walk

Names = dict[str, set[DOI]]


@dataclass
class Views:
    """The names of a tree, by page; a page is named as its source is, without the ending.

    :ivar listed: what ``doilinks scan`` lists from the sources
    :ivar asked: what the host lists for its check
    :ivar linked: what the built pages link, by target
    :ivar elsewhere: names of sources that are not pages: docstrings, a bibliography
    """

    listed: Names
    asked: Names
    linked: Names
    elsewhere: set[DOI] = field(default_factory=set)

    def alone(self) -> list[str]:
        """Every name that is not in all the views in which it has to be, one line each."""
        found = []
        for page in sorted(self.listed.keys() | self.asked.keys() | self.linked.keys()):
            views = {
                "listed": self.listed.get(page, set()),
                "asked": self.asked.get(page, set()),
                "linked": self.linked.get(page, set()),
            }
            for doi in sorted(set().union(*views.values()), key=lambda each: each.name):
                holders = [name for name, dois in views.items() if doi in dois]
                foreign = doi in self.elsewhere and holders == ["asked", "linked"]
                if len(holders) < len(views) and not foreign:
                    found.append(f"{page}: {doi.uri}: {' and '.join(holders)} alone")
        return found


def scanned(folder: Path, options: Options | None = None, *, links_only: bool = False) -> Names:
    """What ``doilinks scan`` lists of a file, or of each file below a folder.

    :param links_only: count what is the target of a link, as for pages that were built
    """
    found: Names = {}
    root = folder if folder.is_dir() else folder.parent
    for source in walk(str(folder)):
        page = Path(os.path.relpath(source.path, root)).with_suffix("").as_posix()
        for each in read(load(source), source.kind, options or Options(), source.path):
            if each.form == "link" or not links_only:
                found.setdefault(page, set()).add(each.doi)
    return found
