"""False alarms on whole projects, with their own bibliographies as the record. Needs no network.

    python benchmarks/own_bib.py FOLDER ... [--show]

Each FOLDER is a project, such as an unpacked source distribution. Its record of a name is the entry
of a .bib file with a title, authors and a year. Every block of another document with this name,
such as a docstring, is compared with the record. It should never be another work. Every block is
also compared with the record of another name of the project, which should be another work.
``--show`` prints the blocks that are judged wrongly.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from doilinks import DOI, Found, InvalidDOI
from doilinks.core.options import Options
from doilinks.record.same_name import two_works
from doilinks.sources import CannotRead, load, read, walk
from doilinks.sources.bibtex import ENTRY, fields
from doilinks.works import Verdict, Work, compare

OPTIONS = Options()


class Project(NamedTuple):
    """The names of a project: their records, and every place with the text around it."""

    records: dict[DOI, Work]
    elsewhere: list[Found]
    everywhere: list[Found]


def family(person: str) -> str:
    """The family name of a person as BibTeX writes people: Paskin, Norman; Norman van Paskin."""
    before, comma, _ = person.partition(",")
    words = before.split()
    if comma or not words or person.strip().startswith("{"):
        return before.strip("{} ")
    lower = next((n for n, word in enumerate(words) if word[0].islower()), len(words) - 1)
    return " ".join(words[lower:])


def records_of(text: str) -> Iterator[tuple[DOI, Work]]:
    """The entries of a .bib file that say enough."""
    starts = [entry.start() for entry in ENTRY.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        entry = {field.name: field.value.text for field in fields(text[start:end])}
        year = re.search(r"\d{4}", entry.get("year", entry.get("date", "")))
        if not (year and entry.get("title") and entry.get("author") and entry.get("doi")):
            continue
        people = re.split(r"\s+and\s+", entry["author"].strip())
        record: dict[str, Any] = {
            "title": entry["title"],
            "author": [{"family": family(person)} for person in people if person != "others"],
            "issued": {"date-parts": [[int(year[0])]]},
        }
        try:
            yield DOI.parse(entry["doi"].strip()), Work.of(record)
        except InvalidDOI:
            continue


def project_of(folder: Path) -> Project:
    project = Project({}, [], [])
    for source in walk(str(folder)):
        try:
            text = load(source)
            if "10." not in text:
                continue
            found = list(read(text, source.kind, OPTIONS, source.path, blocks=True))
        except CannotRead:
            continue
        project.everywhere.extend(found)
        if source.kind == "bib":
            project.records.update(records_of(text))
        else:
            project.elsewhere.extend(found)
    return project


def place(found: Found, folder: Path) -> str:
    return f"{Path(found.file or '').relative_to(folder)}:{found.line}"


def judged(project: Project, folder: Path, *, show: bool) -> Counter[str]:
    """What is judged how: a verdict, and ``swapped`` before it where the record is another's."""
    counts: Counter[str] = Counter()
    chance = random.Random(str(folder.name))  # the same choice in every run
    names = sorted(project.records, key=str)
    blocks = {(each.doi, each.block): each for each in project.elsewhere if each.block}
    for (doi, block), found in blocks.items():
        if doi not in project.records or block is None:
            continue
        counts["blocks"] += 1
        own = project.records[doi]
        result = compare(block, own, doi)
        counts[result.verdict] += 1
        if result.verdict is Verdict.OTHER:
            print(
                f"  {place(found, folder)}: {doi.uri} [{', '.join(reason.field for reason in result.reasons)}] is {own.title!r}"
            )
            print("    " + " ".join(block.split())[:400])
        others = [name for name in names if project.records[name].titles != own.titles]
        if not others:
            continue
        swapped = compare(block, project.records[chance.choice(others)], doi).verdict
        counts[f"swapped {swapped}"] += 1
        if show and result.verdict is Verdict.SAME and swapped is not Verdict.OTHER:
            print(f"  not found: {place(found, folder)}: " + " ".join(block.split())[:300])
    return counts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for folder in options.folders:
        project = project_of(folder)
        counts = judged(project, folder, show=options.show)
        counts["names in two places"] = sum(
            n > 1 for n in Counter(each.doi for each in project.everywhere).values()
        )
        for here, other in two_works(project.everywhere):
            counts["two works"] += 1
            print(f"  two works: {place(here, folder)}, {place(other, folder)}: {here.doi.uri}")
        if counts["blocks"]:
            counts["projects"] += 1
        print(f"{folder.name}: {len(project.records)} records, {dict(counts)}", flush=True)
        total += counts
    for what, count in total.items():
        print(f"{count:6} {what}")
    described = total[Verdict.SAME] + total[Verdict.OTHER]
    print(f"false alarms: {total[Verdict.OTHER]} of {total['blocks']} ({described} were judged)")


if __name__ == "__main__":
    main()
