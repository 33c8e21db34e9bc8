"""Fit the weights of the comparison of works to labelled blocks. Pure Python; the same to the digit.

    python benchmarks/fit_works.py PAIRS.jsonl … [--write]

Multinomial logistic regression with an L2 penalty on scaled features. Its three classes are the
verdicts; a row weighs 1/√(rows of its project). The thresholds are those at which folds by project
find the most, while they accuse no more than 0.1 % of good references and 0.3 % of mentions.
``--write`` makes ``src/doilinks/record/weights.py``. A row: see ``tests/works/README.md``.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import add, mul
from pathlib import Path
from typing import Any, NamedTuple

from doilinks import DOI
from doilinks.record.registered import Registered
from doilinks.record.states import States
from doilinks.record.text import Text
from doilinks.record.work import Work

TABLE = Path(__file__).parents[1] / "src/doilinks/record/weights.py"
PENALTY = 1 / 0.03
FOLDS = 12
ROUNDS = 30  # seven are enough
CLOSE = 1e-6
GOOD, MENTIONS = 0.001, 0.003  # that may be accused
SAME = 0.65  # chance from which a work is the same one

Weights = dict[str, tuple[float, float]]


class Example(NamedTuple):
    """A labelled row and what the comparison sees of it."""

    row: dict[str, Any]
    file: str
    group: str
    home: str
    states: States
    features: dict[str, float]


def examples_of(paths: Iterable[Path]) -> list[Example]:
    """Read rows. Not splitlines: blocks contain other line ends than \\n."""
    every = []
    for path in paths:
        for line in path.read_text(encoding="utf-8").strip().split("\n"):
            for row in rows_of(json.loads(line)):
                text = Text.of(row["block"], DOI(row["doi"]))
                states = States(text, Registered(Work.of(row["record"])))
                features = states.features()
                every.append(Example(row, path.stem, group(row), home(row), states, features))
    return every


def rows_of(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The row, and one for each wrong record that it has in ``swaps``."""
    swaps = row.pop("swaps", {})
    yield {"made": "real", **row}
    for made, record in swaps.items():
        yield {**row, "label": "other", "made": made, "record": record}


def group(row: dict[str, Any]) -> str:
    """How a swap was made, ``same`` for a good reference, ``nothing`` for all that is no reference."""
    if row["label"] == "other":
        return str(row["made"])
    return "same" if (row["label"], row["kind"]) == ("same", "reference") else "nothing"


def home(row: dict[str, Any]) -> str:
    """The project of a row: the owner of a repository, or a distribution."""
    kind, _, name = row["source"].partition(":")
    name = (name.split("/")[0] if kind == "github" else name).lower().replace("_", "-")
    return {"theislab": "scanpy", "scverse": "scanpy"}.get(name, name)


def fitted(examples: Sequence[Example], start: Weights | None = None) -> Weights:
    """The weights of another work against the same one, and against a text that says too little.

    By Newton's method from ``start``, until nothing moves.
    """
    names = [*sorted({name for example in examples for name in example.features}), ""]
    sizes = Counter(example.home for example in examples)
    weights = [sizes[example.home] ** -0.5 for example in examples]
    mean = sum(weights) / len(weights)
    weights = [weight / mean for weight in weights]
    columns = [[e.features.get(name, 0.0) for e in examples] for name in names[:-1]]
    scale = [*map(_deviation, columns), 1.0]
    columns = [[x / size for x in c] for c, size in zip(columns, scale, strict=False)]
    columns.append([1.0] * len(examples))
    rows, classes = list(zip(*columns, strict=True)), [*map(_class, examples)]
    width = len(names)
    begin = [(start or {}).get(name, (0.0, 0.0)) for name in names]
    beta = [each[k] * size for k in (0, 1) for each, size in zip(begin, scale, strict=True)]
    for _ in range(ROUNDS):
        one, other = beta[:width], beta[width:]
        powers = [(math.exp(-_dot(row, one)), math.exp(-_dot(row, other))) for row in rows]
        same, nothing = ([p[k] / (1 + sum(p)) for p in powers] for k in (0, 1))
        # The penalty is on the weights of three classes, of which these are differences.
        held = [PENALTY] * (width - 1) + [0.0]
        slope = [
            _dot([w * (p - (k == c)) for w, p, c in zip(weights, chances, classes, strict=True)], x)
            - hold * (2 * mine - others) / 3
            for k, chances, own, rest in ((1, same, one, other), (0, nothing, other, one))
            for x, hold, mine, others in zip(columns, held, own, rest, strict=True)
        ]
        curve = [[0.0] * (2 * width) for _ in range(2 * width)]
        for at, to, p, q in ((0, 0, same, same), (0, 1, same, nothing), (1, 1, nothing, nothing)):
            bent = [w * a * ((at == to) - b) for w, a, b in zip(weights, p, q, strict=True)]
            for n in range(width):
                line = list(map(mul, bent, columns[n]))
                for m in range(n + 1):
                    value = _dot(line, columns[m])
                    value += (n == m) * held[n] * (2 if at == to else -1) / 3
                    for y, x in ((n, m), (m, n)):
                        curve[at * width + y][to * width + x] = value
                        curve[to * width + x][at * width + y] = value
        steps = _solved(curve, slope)
        beta = list(map(add, beta, steps))
        if max(map(abs, steps)) < CLOSE:
            break
    return {name: (beta[n] / scale[n], beta[width + n] / scale[n]) for n, name in enumerate(names)}


def _dot(one: Iterable[float], other: Iterable[float]) -> float:
    return sum(map(mul, one, other))


def _class(example: Example) -> int:
    if example.row["label"] == "other":
        return 2
    return int(example.row["label"] == "same" and example.row["kind"] != "mention")


def _deviation(values: list[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values)) or 1.0


def _solved(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """By elimination; the matrix is positive definite."""
    lines = [[*line, value] for line, value in zip(matrix, vector, strict=True)]
    for n in range(len(lines)):
        lines[n] = pivot = [value / lines[n][n] for value in lines[n]]
        for m, line in enumerate(lines):
            if m != n and (factor := line[n]):
                lines[m] = [a - factor * b for a, b in zip(line, pivot, strict=True)]
    return [line[-1] for line in lines]


Scores = tuple[float, float]


def scores(features: dict[str, float], weights: Weights) -> Scores:
    """The log odds of another work against the same one, and against too little."""
    same, nothing = weights[""]
    for name, value in features.items():
        one, other = weights.get(name, (0.0, 0.0))
        same, nothing = same + one * value, nothing + other * value
    return same, nothing


def cross_validated(examples: Sequence[Example], start: Weights) -> list[Scores]:
    """The scores of each row by weights that were fitted without its project."""
    found: dict[int, Scores] = {}
    for fold in range(FOLDS):
        outside = [n for n, e in enumerate(examples) if zlib.crc32(e.home.encode()) % FOLDS == fold]
        if outside:
            left_out = set(outside)
            weights = fitted([e for n, e in enumerate(examples) if n not in left_out], start)
            found |= {n: scores(examples[n].features, weights) for n in outside}
    return [found[n] for n in range(len(examples))]


def by_file(examples: Sequence[Example], start: Weights) -> list[Scores]:
    """The scores of each row by weights fitted to the other files, without projects of this one."""
    found: dict[int, Scores] = {}
    for file in sorted({example.file for example in examples}):
        outside = {n for n, e in enumerate(examples) if e.file == file}
        homes = {examples[n].home for n in outside}
        weights = fitted([e for e in examples if e.file != file and e.home not in homes], start)
        found |= {n: scores(examples[n].features, weights) for n in outside}
    return [found[n] for n in range(len(examples))]


def is_other(example: Example, found: Scores, thresholds: Scores) -> bool:
    """The verdict at some thresholds."""
    return found[0] > thresholds[0] and found[1] > thresholds[1] and not example.states.is_spared


def is_same(found: Scores) -> bool:
    """The other verdict."""
    same, nothing = math.exp(-found[0]), math.exp(-found[1])
    return same / (1 + same + nothing) > SAME


def picked(examples: Sequence[Example], found: Sequence[Scores]) -> Scores:
    """The thresholds at which the most is found among those that accuse few enough."""
    sizes = Counter(example.group for example in examples)
    best = (-1.0, 9.0, 9.0)
    free = [(e.group, s) for e, s in zip(examples, found, strict=True) if not e.states.is_spared]
    for first in range(10, 36):  # never below 1: an even chance is no reason
        for second in range(5, 31):
            at = first * 0.1, second * 0.1
            hits = Counter(g for g, s in free if s[0] > at[0] and s[1] > at[1])
            if hits["same"] > GOOD * sizes["same"] or hits["nothing"] > MENTIONS * sizes["nothing"]:
                continue
            share = {name: hits[name] / max(1, sizes[name]) for name in sizes}
            value = share.get("near", 0) + share.get("random", 0) + 0.3 * share.get("digit", 0)
            best = max(best, (value, *at))
    return best[1:]


def spelled(weights: Weights, thresholds: Scores) -> str:
    """The module with the weights."""
    lines = [
        '"""What each state of agreement weighs. Made by ``benchmarks/fit_works.py``: do not edit.',
        "",
        "Of each state: its weight for another work against the same one, and against a text that says",
        'too little. ``""`` is the constant.',
        '"""',
        "",
        "from typing import Final",
        "",
        "# Log odds from which a work is another one rather than the same one, and from which a text says",
        "# enough; the chance from which it is the same one.",
        f"OTHER: Final = {thresholds[0]:.2f}",
        f"ENOUGH: Final = {thresholds[1]:.2f}",
        f"SAME: Final = {SAME}",
        "",
        "WEIGHTS: Final[dict[str, tuple[float, float]]] = {",
    ]
    lines += [f'    "{name}": ({a:.3f}, {b:.3f}),' for name, (a, b) in sorted(weights.items())]
    return "\n".join([*lines, "}", ""])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    examples = examples_of(options.pairs)
    weights = fitted(examples)
    thresholds = picked(examples, cross_validated(examples, weights))
    text = spelled(weights, thresholds)
    if options.write:
        TABLE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
