"""How often the comparison of texts with works is right, on a set of labelled blocks.

    python benchmarks/works.py PAIRS.jsonl [--retractions RETRACTIONS.jsonl] [--show ID ...]
                               [--wrong] [--folds 5]

A row has a ``block``, its ``doi``, a ``record``, a ``kind`` (reference, mention, multi), a ``label``
(same, other, nothing) and how it was ``made`` (real, random, near, digit). ``--folds`` prints the
figures for parts of the sources: rules that hold only for the sources they were made on show there.
"""

from __future__ import annotations

import argparse
import json
import re
import time
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from doilinks import DOI
from doilinks.works import Comparison, Verdict, Work, compare

Row = dict[str, Any]
Judged = list[tuple[Row, Comparison]]


def rows_of(path: Path) -> Iterable[Row]:
    # Not splitlines: blocks contain other line ends than \n.
    return map(json.loads, path.read_text(encoding="utf-8").strip().split("\n"))


def judge(row: Row) -> Comparison:
    return compare(row["block"], Work.of(row["record"]), DOI(row["doi"]))


def without_title(row: Row) -> bool:
    """Less than half of the title's words stand in the block."""
    words = [w for w in re.findall(r"\w+", Work.of(row["record"]).title.lower()) if len(w) > 3]
    block = set(re.findall(r"\w+", row["block"].lower()))
    return sum(word in block for word in words) < len(words) / 2


def is_made(row: Row, label: str, made: str) -> bool:
    return row["kind"] == "reference" and row["label"] == label and row["made"] == made


Which = Callable[[Row], bool]
TABLE: tuple[tuple[str, Which, Verdict, str], ...] = (
    ("same, judged other", lambda r: is_made(r, "same", "real"), Verdict.OTHER, "≤ 0.3 %"),
    ("  of these without title, judged other", lambda r: is_made(r, "same", "real") and without_title(r), Verdict.OTHER, "≤ 2 %"),
    ("  same, judged same", lambda r: is_made(r, "same", "real"), Verdict.SAME, ""),
    ("mention, multi, nothing, judged other", lambda r: r["kind"] != "reference", Verdict.OTHER, "≤ 1 %"),
    ("random, judged other", lambda r: is_made(r, "other", "random"), Verdict.OTHER, "≥ 98 %"),
    ("a digit differs, judged other", lambda r: is_made(r, "other", "digit"), Verdict.OTHER, "≥ 90 %"),
    ("near, judged other", lambda r: is_made(r, "other", "near"), Verdict.OTHER, "≥ 80 %"),
    ("near, judged same", lambda r: is_made(r, "other", "near"), Verdict.SAME, "≤ 5 %"),
    ("real mistakes, judged other", lambda r: is_made(r, "other", "real"), Verdict.OTHER, "all"),
)  # fmt: skip


def table(judged: Judged, *, wrong: bool = False) -> None:
    print(f"{'':42}{'rows':>6}{'found':>7}{'share':>9}   target")
    for title, which, verdict, target in TABLE:
        chosen = [(row, found) for row, found in judged if which(row)]
        hits = sum(found.verdict is verdict for _, found in chosen)
        share = hits / len(chosen) if chosen else 0
        print(f"{title:42}{len(chosen):6}{hits:7}{share:9.1%}   {target}")
        if wrong and target:
            bad = [r for r, f in chosen if (f.verdict is verdict) == target.startswith("≤")]
            print("    " + " ".join(row["id"] for row in bad))


def retractions(path: Path) -> None:
    rows = list(rows_of(path))
    right = 0
    for row in rows:
        work, found = Work.of(row["record"]), judge(row)
        describes = "notice" if found.rule == "article-of-notice" else "same"
        got = {"work": describes, "status": str(work.status) or "none"}
        right += got == row["expect"]
        if got != row["expect"]:
            print(f"  {row['id']}: {got}, expected {row['expect']}")
    print(f"retractions, status and work or notice: {right} of {len(rows)}")


def show(row: Row) -> None:
    found = judge(row)
    print(row["id"], row["source"], row["label"], row["made"], "→", found)
    print(Work.of(row["record"]), row["block"], sep="\n", end="\n\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--retractions", type=Path)
    parser.add_argument("--show", nargs="*", default=[])
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--folds", type=int, default=0)
    options = parser.parse_args()
    rows = list(rows_of(options.pairs))
    for row in rows:
        if row["id"] in options.show:
            show(row)
    start = time.perf_counter()
    judged = [(row, judge(row)) for row in rows]
    taken = time.perf_counter() - start
    print(f"{len(rows)} blocks in {taken:.1f} s")
    table(judged, wrong=options.wrong)
    for fold in range(options.folds):
        chosen = [x for x in judged if zlib.crc32(x[0]["source"].encode()) % options.folds == fold]
        print(f"\nsources, part {fold + 1} of {options.folds}")
        table(chosen)
    if options.retractions:
        retractions(options.retractions)


if __name__ == "__main__":
    main()
