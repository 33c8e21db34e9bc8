"""Newer works: how many right pairs of a preprint and its article are believed, and how many wrong.

    python benchmarks/newer.py PAIRS.jsonl

Each line of PAIRS is an object with a right pair: ``doi`` is the name of a preprint, ``preprint``
and ``article`` are two records as an agency gives them. Every preprint is also compared with the
articles of other pairs: with some drawn at random, and with those that share a family name.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path

from doilinks import DOI
from doilinks.checking.record.work import Work
from doilinks.checking.works.newer import is_like
from doilinks.checking.works.part import fold

_DRAWN = 100  # wrong articles for each preprint


def main() -> None:
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    pairs = [(DOI(r["doi"]), Work.of(r["preprint"]), Work.of(r["article"])) for r in rows]
    people = [{*map(fold, article.names)} for _, _, article in pairs]
    chance = random.Random(24)  # the same choice in every run
    counts: Counter[tuple[str, bool]] = Counter()
    for at, (doi, preprint, article) in enumerate(pairs):
        right = is_like(doi, preprint, article)
        counts["right", right] += 1
        if not right:
            print(f"  not believed: {doi.uri}: {preprint.title!r}, {article.title!r}")
        others = [n for n in range(len(pairs)) if n != at]
        for n in chance.sample(others, min(_DRAWN, len(others))):
            counts["wrong, at random", is_like(doi, preprint, pairs[n][2])] += 1
        mine = {*map(fold, preprint.names)}
        for n in others:
            if mine & people[n]:
                counts[
                    "wrong, with a family name in common", is_like(doi, preprint, pairs[n][2])
                ] += 1
    for kind in dict.fromkeys(kind for kind, _ in counts):
        total = counts[kind, True] + counts[kind, False]
        print(f"{kind}: {counts[kind, True]} of {total} believed")


if __name__ == "__main__":
    main()
