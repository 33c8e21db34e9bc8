"""The comparison on HALLMARK's invented references, by kind. Needs its files, and no network.

    python benchmarks/hallmark.py HALLMARK/data/v1.0/*.jsonl HALLMARK/data/raw/*.jsonl

An invented entry is tried if its name is also that of a valid entry, whose fields then stand for
the record. So right entries cannot be tried, and an invented name has no record. Known leaks of the
set: most invented entries are made of valid ones and keep their title, and a third of the titles
are in both classes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from own_bib import records_of

from doilinks import DOI, InvalidDOI
from doilinks.works import Verdict, Work, compare


def entry_of(row: dict[str, Any]) -> str:
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in row["fields"].items())
    return f"@{row['bibtex_type']}{{key,\n{fields}}}\n"


def main() -> None:
    lines = [line for path in sys.argv[1:] for line in Path(path).read_text("utf-8").split("\n")]
    rows = {
        line: row for line in lines if '"fields"' in line and (row := json.loads(line)).get("label")
    }
    records: dict[DOI, Work] = {}
    for row in rows.values():
        if row["label"] == "VALID":
            records.update(records_of(entry_of(row)))
    counts: dict[str, Counter[str]] = {}
    for row in rows.values():
        try:
            doi = DOI.parse(row["fields"].get("doi", ""))
        except InvalidDOI:
            continue
        if row["label"] != "VALID" and doi in records:
            found = compare(entry_of(row), records[doi], doi)
            said = "other people" if found.strangers else str(found.verdict)
            kind = row["hallucination_type"]
            counts.setdefault(kind, Counter())[said] += 1
    said = (str(Verdict.OTHER), "other people", str(Verdict.UNSURE), str(Verdict.SAME))
    print(f"| Kind | Tried | {' | '.join(said)} |\n|---|--:|--:|--:|--:|--:|")
    for kind, count in sorted(counts.items()):
        cells = " | ".join(str(count[each]) for each in said)
        print(f"| `{kind}` | {count.total()} | {cells} |")


if __name__ == "__main__":
    main()
