"""How often ``doilinks find`` is right: references whose DOI was cut out, and a search by words.

    python benchmarks/find.py [--check] [--rows PAIRS.jsonl …]

It makes a table of ``docs/explanation/accuracy.md``, and more in ``ACCURACY.md``. Each reference gets the five records that have
most of its words, once with its own record among them and once without, so that each proposal is
wrong then. Two thresholds, the shares of a title that have to be there, are chosen without the
project of the reference (five folds). Rows are those of ``benchmarks/data``; with ``--rows`` also others, whose figures are
kept in ``benchmarks/data/find.json``. A row: see ``tests/works/README.md``.
"""

# ruff: noqa: E402  the path is set first

from __future__ import annotations

import html
import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote
from zlib import crc32

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from accuracy import DETAILS, PAGE, run
from works import wilson

from doilinks import DOI
from doilinks.ask.works import find
from doilinks.record import fitting
from doilinks.record.work import Work
from doilinks.sources.references import is_reference

DATA = ROOT / "benchmarks" / "data"
KEPT = DATA / "find.json"
ROWS = 5
FOLDS = 5
SHARES = [(0.75, 0.45), (0.8, 0.5), (0.85, 0.6)]
KINDS = ("right", "wrong", "several", "none", "not sent")
WORD = re.compile(r"[^\W_]+")
ENTRY = re.compile(r"\b(?:title|author|journal|year)\s*=\s*[{\"]", re.IGNORECASE)

Row = dict[str, Any]


class Outcome(NamedTuple):
    """What was proposed for a reference.

    :ivar kind: right, wrong, several or none
    """

    row: Row
    away: bool
    kind: str
    name: str


def read(paths: Iterable[Path]) -> list[Row]:
    lines = (line for path in paths for line in path.read_text("utf-8").split("\n"))
    return [json.loads(line) for line in lines if line.strip()]


def without(block: str, name: str) -> str:
    """A text without the name, however it is spelt."""
    spelt = {name, quote(name, safe="/"), quote(name, safe=""), html.escape(name)}
    spelt |= {name.replace("_", "\\_"), name.replace("<", "\\textless{}")}
    for each in spelt:
        label = r"(?:<?https?://(?:dx\.|www\.)?doi\.org/|doi:\s*)?"
        block = re.sub(f"{label}{re.escape(each)}>?", "", block, flags=re.IGNORECASE)
    return block


class Pool:
    """All records of the rows, found by their words as a search engine ranks them (BM25)."""

    def __init__(self, rows: Iterable[Row]) -> None:
        records: dict[str, Row] = {}
        for row in rows:
            each = row["record"]
            name = re.sub(r"^https?://(?:dx\.)?doi\.org/", "", str(each.get("DOI", "")).lower())
            if name.startswith("10."):
                records.setdefault(name, each)
        self.works = {name: Work.of(each | {"DOI": name}) for name, each in records.items()}
        self.names = list(self.works)
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._sizes = []
        for number, work in enumerate(self.works.values()):
            people = (f"{each.family} {each.given or ''}" for each in work.people)
            texts = [*work.titles, *people, work.container, *map(str, work.years), work.volume]
            words = Counter(word.lower() for word in WORD.findall(" ".join([*texts, work.page])))
            self._sizes.append(words.total())
            for word, count in words.items():
                self._places[word].append((number, count))
        self._mean = sum(self._sizes) / len(self._sizes)

    @cache  # noqa: B019  there is one pool
    def search(self, text: str) -> list[str]:
        scores: dict[int, float] = defaultdict(float)
        for word in {word.lower() for word in WORD.findall(text)}:
            places = self._places.get(word, [])
            rare = math.log(1 + (len(self.names) - len(places) + 0.5) / (len(places) + 0.5))
            for number, count in places:
                length = 0.25 + 0.75 * self._sizes[number] / self._mean
                scores[number] += rare * count * 2.2 / (count + 1.2 * length)
        best = sorted(scores, key=lambda number: (-scores[number], number))
        return [self.names[number] for number in best[: ROWS + 1]]


def outcomes(rows: Sequence[Row], pool: Pool) -> Iterator[Outcome]:
    for row in rows:
        name = row["doi"].lower()
        block = without(row["block"], name)
        question = find.question_of(block)
        found = pool.search(question.text) if question else []
        for away in (False, True):
            names = [each for each in found if not (away and each == name)][:ROWS]
            fit = fitting.fitting(block, [(DOI(each), pool.works[each]) for each in names])
            got = fit.doi.name if fit.doi else ""
            kind = "several" if fit.works else "none" if question else "not sent"
            yield Outcome(row, away, ("right" if got == name else "wrong") if got else kind, got)


def in_folds(rows: Sequence[Row], pool: Pool) -> list[Outcome]:
    """The outcomes, with the shares of a title that are the best ones for other projects."""
    own, every = (fitting._ENOUGH, fitting._MOST_OF), {}
    for shares in SHARES:
        fitting._ENOUGH, fitting._MOST_OF = shares  # type: ignore[misc]  # final but for the folds
        every[shares] = list(outcomes(rows, pool))
    fitting._ENOUGH, fitting._MOST_OF = own  # type: ignore[misc]  # as they were
    result = []
    for fold in range(FOLDS):
        best = max(SHARES, key=lambda shares: _worth(every[shares], fold))
        result += [each for each in every[best] if _fold(each.row) == fold]
    return result


def _fold(row: Row) -> int:
    return crc32(row["source"].encode()) % FOLDS


def _worth(every: Iterable[Outcome], fold: int) -> float:
    counts = Counter((each.away, each.kind) for each in every if _fold(each.row) != fold)
    # A wrong DOI costs as much as twenty references that get none.
    return counts[False, "right"] - 20 * (counts[False, "wrong"] + counts[True, "wrong"])


def measured(paths: Sequence[Path]) -> Row:
    rows = read(paths)
    pool = Pool(rows)
    same = [row for row in rows if row["label"] == "same" and row["kind"] == "reference"]
    texts = ((row, without(row["block"], row["doi"].lower())) for row in same)
    same = [row for row, text in texts if is_reference(text) or ENTRY.search(text)]
    found = in_folds(same, pool)
    wrong = [
        f"{each.row['source']}, `{each.row['file']}`"
        f"{', its own record not among those found' if each.away else ''}: `{each.name}` for"
        f" `{each.row['doi'].lower()}`"
        for each in found
        if each.kind == "wrong"
    ]
    counts = Counter((each.away, each.kind) for each in found)
    forms = Counter((each.row["format"], each.kind == "right") for each in found if not each.away)
    return {
        "references": len(same),
        "projects": len({row["source"] for row in same}),
        "records": len(pool.names),
        "in": {kind: counts[False, kind] for kind in KINDS},
        "away": {kind: counts[True, kind] for kind in KINDS},
        "forms": {
            form: [forms[form, True], forms[form, True] + forms[form, False]]
            for form in sorted({form for form, _ in forms})
        },
        "wrong": wrong,
    }


def table(figures: Row) -> Iterator[str]:
    count = figures["references"]
    yield (
        f"{count:,} references of {figures['projects']} projects, {figures['records']:,} records:"
    )
    yield ""
    yield "| Its own record is | Right | Wrong | Interval of 95 % | Several, none proposed | None | Not sent |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for which, words in (("in", "among those found"), ("away", "not among them")):
        kinds = figures[which]
        low, high = wilson(kinds["wrong"], count)
        cells = [f"{kinds[kind]:,} ({kinds[kind] / count:.1%})" for kind in kinds]
        cells[1] = f"{kinds['wrong']} ({kinds['wrong'] / count:.2%})"
        cells.insert(2, f"{low:.2%} to {high:.2%}")
        if which == "away":
            cells[0] = "–"
        yield f"| {words} | {' | '.join(cells).replace('%', ' %')} |"
    yield ""
    sent = count - figures["in"]["not sent"]
    yield (
        f"Of the {sent:,} that are sent, {figures['in']['right'] / sent:.1%}".replace("%", " %")
        + " get their own."
    )
    if figures["wrong"]:
        yield ""
        yield "Every wrong proposal:"
        yield ""
        yield from (f"* {each}" for each in figures["wrong"])


def forms(figures: dict[str, Any]) -> str:
    every = (f"{form} {right} of {count}" for form, (right, count) in figures["forms"].items())
    return f"Right by kind of text: {', '.join(every)}."


def written(page: str) -> str:
    """The page for readers has the rows of all projects, the other one also those that are here."""
    kept = json.loads(KEPT.read_text("utf-8"))
    lines = [*table(kept)]
    if "# Accuracy, in detail" in page:
        own = measured(sorted(DATA.glob("works*.jsonl")))
        lines = ["The blocks of `benchmarks/data`:", "", *table(own), "", forms(own)]
        lines += ["", "Blocks of other projects, which are not in the source:", "", forms(kept)]
    begin, end = "<!-- found: find -->\n", "<!-- end of find -->\n"
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n{chr(10).join(lines)}\n\n{end}{rest.partition(end)[2]}"


def main() -> int:
    rows = {"--rows": lambda rows: (KEPT, measured(rows))}
    return max(run(page, written, rows) for page in (PAGE, DETAILS))


if __name__ == "__main__":
    sys.exit(main())
