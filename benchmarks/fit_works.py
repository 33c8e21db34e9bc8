"""Fit the weights of the comparison of works to labelled blocks. Pure Python; the same to the digit.

    python benchmarks/fit_works.py PAIRS.jsonl … [--write]

Multinomial logistic regression with an L2 penalty on scaled features. Its three classes are the
verdicts; a row weighs 1/√(rows of its project). The thresholds are those at which folds by project
find the most, while they accuse no more than 0.25 % of good references and 0.3 % of mentions.
``--write`` makes ``src/doilinks/checking/works/weights.py``. A row: see ``tests/works/README.md``.
"""

from __future__ import annotations

import argparse
import json
import math
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from doilinks import DOI
from doilinks.checking.record.work import Work
from doilinks.checking.works.comparing import Registered, States
from doilinks.checking.works.text import Text

TABLE = Path(__file__).parents[1] / "src/doilinks/checking/works/weights.py"
PENALTY = 1 / 0.03
FOLDS = 12
ROUNDS = 400
CLOSE = 1e-5
GOOD, MENTIONS = 0.0025, 0.003  # that may be accused
SAME = 0.72  # chance from which a work is the same one

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

    Each round solves for the slope with a fixed bound of the curvature [Böhning 1992], so that it
    needs neither a step length nor a random number.
    """
    names = sorted({name for example in examples for name in example.features})
    sizes = Counter(example.home for example in examples)
    weights = [sizes[example.home] ** -0.5 for example in examples]
    total = sum(weights) / len(weights)
    weights = [weight / total for weight in weights]
    scale = {name: _deviation([e.features.get(name, 0.0) for e in examples]) for name in names}
    width = len(names)
    rows = [
        [
            (n, e.features[name] / scale[name])
            for n, name in enumerate(names)
            if e.features.get(name)
        ]
        + [(width, 1.0)]
        for e in examples
    ]
    classes = [_class(example) for example in examples]
    bound = [[0.0] * (width + 1) for _ in range(width + 1)]
    for row, weight in zip(rows, weights, strict=True):
        for n, value in row:
            line, half = bound[n], 0.5 * weight * value
            for m, other in row:
                line[m] += half * other
    for n in range(width):
        bound[n][n] += PENALTY
    inverse = _inverse(bound)
    beta = [[0.0] * (width + 1) for _ in range(3)]
    if start:
        for n, name in enumerate([*names, ""]):
            same, nothing = start.get(name, (0.0, 0.0))
            mean, size = (same + nothing) / 3, scale.get(name, 1.0)
            for k, value in enumerate((mean - nothing, mean - same, mean)):
                beta[k][n] = value * size
    previous, push = beta, 0
    for _ in range(ROUNDS):
        ahead = [
            [b + push / (push + 3) * (b - p) for b, p in zip(now, then, strict=True)]
            for now, then in zip(beta, previous, strict=True)
        ]
        slope = [[-PENALTY * b for b in line[:-1]] + [0.0] for line in ahead]
        for row, kind, weight in zip(rows, classes, weights, strict=True):
            powers = [math.exp(sum([line[n] * value for n, value in row])) for line in ahead]
            every = sum(powers)
            for k, power in enumerate(powers):
                error, line = weight * ((k == kind) - power / every), slope[k]
                for n, value in row:
                    line[n] += error * value
        steps = [[sum(map(float.__mul__, line, s)) for line in inverse] for s in slope]
        after = [
            [a + step for a, step in zip(line, moves, strict=True)]
            for line, moves in zip(ahead, steps, strict=True)
        ]
        turned = sum(
            step * (new - old)
            for moves, news, olds in zip(steps, after, beta, strict=True)
            for step, new, old in zip(moves, news, olds, strict=True)
        )
        push = 0 if turned < 0 else push + 1
        previous, beta = beta, after
        if max(abs(step) for moves in steps for step in moves) < CLOSE:
            break
    return {
        name: tuple((beta[2][n] - beta[k][n]) / scale.get(name, 1.0) for k in (1, 0))  # type: ignore[misc]
        for n, name in enumerate([*names, ""])
    }


def _class(example: Example) -> int:
    if example.row["label"] == "other":
        return 2
    return int(example.row["label"] == "same" and example.row["kind"] != "mention")


def _deviation(values: list[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values)) or 1.0


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """By elimination; the matrix is positive definite."""
    size = len(matrix)
    lines = [[*line, *(float(n == m) for m in range(size))] for n, line in enumerate(matrix)]
    for n in range(size):
        pivot = lines[n][n]
        lines[n] = [value / pivot for value in lines[n]]
        for m in range(size):
            if m != n and (factor := lines[m][n]):
                lines[m] = [a - factor * b for a, b in zip(lines[m], lines[n], strict=True)]
    return [line[size:] for line in lines]


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
    for first in range(4, 15):  # never below 1: an even chance is no reason
        for second in range(5, 31):
            at = first * 0.25, second * 0.1
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
