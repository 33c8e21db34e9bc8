"""Ratios of the core's speed, each pair measured side by side in one run.

``python benchmarks/core.py`` prints the table. No test depends on a time.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time

from doilinks import scan

WORDS = (
    "The effect of forcing on surface temperature was small, and/or it was masked by noise: "
    "a survey of 2010 stations in 12 regions (see Table 3) shows the same trend; "
)
CROSSREF = re.compile(r"10.\d{4,9}/[-._;()/:A-Z0-9]+", re.IGNORECASE)
NAME = "10.1016/S0022-2836(05)80360-2"


def prose(length: int, name: str = "") -> str:
    """About ``length`` characters of prose, with one DOI in the middle when ``name`` is given."""
    text = (WORDS * (length // len(WORDS) + 1))[:length]
    half = length // 2
    return f"{text[:half]} doi:{name}, {text[half:]}" if name else text


def sparse() -> str:
    """2,000 characters with a name and its label in parentheses."""
    plain = prose(2000)
    return f"{plain[:1000]} (doi:10.1016/j.jmb.2004.10.032) {plain[1000:]}"


def seconds(run, *arguments, at_least: float = 0.15) -> float:
    """The best of five mean times of a call."""
    number = 1
    while True:
        start = time.perf_counter()
        for _ in range(number):
            run(*arguments)
        taken = time.perf_counter() - start
        if taken > at_least / 5:
            break
        number *= 2
    best = taken / number
    for _ in range(4):
        start = time.perf_counter()
        for _ in range(number):
            run(*arguments)
        best = min(best, (time.perf_counter() - start) / number)
    return best


def all_of(text: str) -> list:
    return list(scan(text))


def by_pattern(text: str) -> list:
    return list(CROSSREF.finditer(text))


def by_find(text: str) -> int:
    return text.find("10.")


def main() -> None:
    rows = []
    for length in (200, 2000, 200_000):
        plain = prose(length)
        rows.append(
            (
                f"scan, no DOI, {length:,} characters",
                seconds(all_of, plain),
                seconds(by_find, plain),
                "<= 1",
            )
        )
    for length, aim in ((2000, "<= 6"), (200, "<= 12")):
        text = prose(length, NAME)
        rows.append(
            (
                f"scan, a DOI in {length:,}, against Crossref's pattern",
                seconds(all_of, text),
                seconds(by_pattern, text),
                aim,
            )
        )
    text = sparse()
    rows.append(
        (
            "scan, a label in parentheses in 2,000, against it",
            seconds(all_of, text),
            seconds(by_pattern, text),
            "<= 6",
        )
    )
    try:
        from linkify_it import LinkifyIt
    except ImportError:
        print("linkify-it-py is not installed: its rows are left out")
    else:
        linkify = LinkifyIt()
        for length, aim in ((2000, ">= 400 faster"), (200, ">= 40 faster")):
            text = prose(length, NAME)
            rows.append(
                (
                    f"scan, a DOI in {length:,}, against linkify-it-py",
                    seconds(all_of, text),
                    seconds(linkify.match, text),
                    aim,
                )
            )
    for what, ours, theirs, aim in rows:
        ratio = f"{theirs / ours:.0f} x faster" if "faster" in aim else f"{ours / theirs:.2f} x"
        print(f"{what:52} {ours * 1e6:10.2f} us  {theirs * 1e6:12.2f} us  {ratio:>14}   aim {aim}")
    empty = [sys.executable, "-I", "-c", "pass"]
    ours = [sys.executable, "-I", "-c", "from doilinks import scan"]
    run = lambda command: min(_process(command) for _ in range(10))  # noqa: E731
    print(
        f"from doilinks import scan: {(run(ours) - run(empty)) * 1000:.1f} ms more than an empty program   aim <= 15 ms"
    )


def _process(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
