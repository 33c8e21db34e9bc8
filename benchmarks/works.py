"""How often the comparison of texts with works is right, on labelled blocks that it was not fitted to.

    python benchmarks/works.py PAIRS.jsonl … [--retractions RETRACTIONS.jsonl …] [--wrong]

Each row is judged by weights and thresholds that were fitted without its project (folds), then by
weights that were fitted to the other files. Intervals are Wilson's, 95 %; rows of a project are
alike, so that the truth is wider. ``--wrong`` lists the rows that were judged wrong. A row: see
``tests/works/README.md``.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fit_works import (
    Example,
    Scores,
    by_file,
    cross_validated,
    examples_of,
    fitted,
    is_other,
    is_same,
    picked,
)

from doilinks import DOI
from doilinks.works import Work, compare

# Share in percent called another work, on the same rows: the rules that the fitted weights have
# replaced, which were made on the first of the files, and the prototype of the model in folds.
BEFORE = {
    "same": (0.6, 0.2),
    "nothing": (0.9, 0.4),
    "random": (92.9, 96.2),
    "digit": (89.6, 80.0),
    "near": (80.8, 82.4),
    "real": (100.0, 81.8),
    "same, confirmed": (82.9, 86.0),
    "near, confirmed": (0.1, 0.0),
}
Which = Callable[[Example], bool]


def everything(_: Example) -> bool:
    return True


def earlier(name: str) -> str:
    return "before: rules {:.1f} %, prototype {:.1f} %".format(*BEFORE[name])


def wilson(hits: int, count: int) -> tuple[float, float]:
    """The interval of a share."""
    share, z = hits / count, 1.96
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - reach) / (1 + z * z / count), (middle + reach) / (1 + z * z / count)


def line(title: str, right: Sequence[bool], before: str = "") -> None:
    if right:
        low, high = wilson(sum(right), len(right))
        share = sum(right) / len(right)
        interval = f"({low:.1%} to {high:.1%})"
        print(f"{title:44}{sum(right):6}/{len(right):<5}{share:7.1%} {interval:20}{before}")


def table(
    examples: Sequence[Example], found: Sequence[Scores], at: Scores, which: Which = everything
) -> None:
    every = [(e, s) for e, s in zip(examples, found, strict=True) if which(e)]
    for name in ("same", "nothing", "random", "digit", "near", "real"):
        before = earlier(name) if which is everything else ""
        line(
            f"{name}, called another",
            [is_other(e, s, at) for e, s in every if e.group == name],
            before,
        )
    for name in ("same", "near"):
        before = earlier(f"{name}, confirmed") if which is everything else ""
        right = [is_same(s) and not is_other(e, s, at) for e, s in every if e.group == name]
        line(f"{name}, confirmed", right, before)


def kind(example: Example) -> str:
    """The kind of a text."""
    if example.features.get("a row"):
        return "row of a table"
    if example.states.title < 0.5 and not example.states.text.titles:
        return "no title"
    return str(example.row["format"])


def retractions(path: Path) -> None:
    rows = list(map(json.loads, path.read_text(encoding="utf-8").strip().split("\n")))
    right = 0
    for row in rows:
        work = Work.of(row["record"])
        found = compare(row["block"], work, DOI(row["doi"]))
        is_notice = any(reason.field == "notice" for reason in found.reasons)
        got = {"work": "notice" if is_notice else "same", "status": str(work.status) or "none"}
        right += got == row["expect"]
        if got != row["expect"]:
            print(f"  {row['id']}: {got}, expected {row['expect']}")
    print(f"{path.stem}, status and work or notice: {right} of {len(rows)}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--retractions", type=Path, nargs="*", default=[])
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    start = time.process_time()
    examples = examples_of(options.pairs)
    taken = (time.process_time() - start) / len(examples)
    homes = len({example.home for example in examples})
    print(f"{len(examples)} blocks of {homes} projects, {1000 * taken:.1f} ms each")
    weights = fitted(examples)
    folds = cross_validated(examples, weights)
    at = picked(examples, folds)
    print(f"\nfolds by project, thresholds {at[0]:.2f} and {at[1]:.2f}")
    table(examples, folds, at)
    for name in sorted({kind(example) for example in examples}):
        print(f"\nfolds by project: {name}")
        table(examples, folds, at, lambda example, name=name: kind(example) == name)  # type: ignore[misc]
    if len(options.pairs) > 1:
        found = by_file(examples, weights)
        for path in options.pairs:
            print(f"\nfitted to the other files: {path.stem}")
            table(examples, found, at, lambda example, path=path: example.file == path.stem)  # type: ignore[misc]
    if options.wrong:
        print()
        for example, scores in zip(examples, folds, strict=True):
            if is_other(example, scores, at) is (example.group in ("same", "nothing")):
                print(example.row["id"], example.row["source"], example.group, scores)
    for path in options.retractions:
        retractions(path)


if __name__ == "__main__":
    main()
