"""Newer works: how many right pairs of a preprint and its article are believed, and how many wrong.

    python benchmarks/newer.py PAIRS.jsonl

Each line of PAIRS is an object with a pair: ``old`` is the name of a preprint or version,
``old_record`` and ``new_record`` are two records as an agency gives them, and ``kind`` is
``preprint`` or ``zenodo``. A pair that is wrong has ``"label": "wrong"``. Every right preprint is
also compared with the articles of the other right ones.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from doilinks import DOI
from doilinks.ask.works.newer import is_like
from doilinks.record.work import Work


def main() -> None:
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    counts: Counter[tuple[str, bool]] = Counter()
    preprints = []
    for row in rows:
        doi, first, other = DOI(row["old"]), Work.of(row["old_record"]), Work.of(row["new_record"])
        label = row.get("label", "right")
        found = is_like(doi, first, other, is_version=row["kind"] == "zenodo")
        counts[f"{label}, {row['kind']}", found] += 1
        if found is (label == "wrong"):
            print(f"  {label}, believed {found}: {doi.uri}: {first.title!r}, {other.title!r}")
        if label == "right" and row["kind"] == "preprint":
            preprints.append((doi, first, other))
    for doi, first, article in preprints:
        for _, _, other in preprints:
            if other.title != article.title:
                counts["wrong, articles of the others", is_like(doi, first, other)] += 1
    for kind in dict.fromkeys(kind for kind, _ in counts):
        total = counts[kind, True] + counts[kind, False]
        print(f"{kind}: {counts[kind, True]} of {total} believed")


if __name__ == "__main__":
    main()
