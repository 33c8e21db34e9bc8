"""How often doilinks is right: makes the tables of ``docs/explanation/accuracy.md`` and ``ACCURACY.md``.

    python benchmarks/accuracy.py [--check] [--passages PROSE.jsonl NEGATIVES.jsonl]
        [--blind ROWS.jsonl …]

A table stands between two comments with its name. ``--check`` writes nothing, and exits with 1 if
a page is not what would be written. Passages of documents by others are not in the repository:
``--passages`` measures them, and keeps the figures in ``benchmarks/data/passages.json``. A row has
``text``, ``fmt`` (``md`` or ``rst``), and either ``gold``, the names in it in order, with
``linked``, those that are links already, or ``kind``, why nothing in it is a name to link.
``--blind`` does the same with rows of works, in ``benchmarks/data/blind.json``.
"""

# ruff: noqa: E402  the path is set first

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path += [str(ROOT), str(ROOT / "benchmarks")]

from fit_works import Example, cross_validated, examples_of, fitted, is_other, picked
from tests.tools.fixtures import CONFORMANCE, read_cases
from works import kind, wilson

from doilinks import DOI, scan
from doilinks.core.options import Options
from doilinks.record.comparing import Verdict
from doilinks.record.comparing import judged as verdict_of
from doilinks.sources import read

PAGE = ROOT / "docs" / "explanation" / "accuracy.md"
DETAILS = ROOT / "benchmarks" / "ACCURACY.md"
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
DATA = ROOT / "benchmarks" / "data"
KEPT = DATA / "passages.json"
KEPT_BLIND = DATA / "blind.json"
NAMES = ROOT / "tests" / "data" / "names.txt"

Find = Callable[[str], list[str]]

# --------------------------------------------------------------------------------------------------
# The finders that are compared. The expressions are published, as the page says. Where they are
# anchored to a whole text, the anchors are left out.

MODERN = re.compile(r"10.\d{4,9}/[-._;()/:A-Z0-9]+", re.IGNORECASE)
OTHERS = [
    re.compile(expression, re.IGNORECASE)
    for expression in (
        r"10.1002/[^\s]+",
        r"10.\d{4}/\d+-\d+X?(\d+)\d+<[\d\w]+:[\d\w]*>\d+.\d+.\w+;\d",
        r"10.1021/\w\w\d++",
        r"10.1207/[\w\d]+\&\d+_\d+",
    )
]
COMET = re.compile(
    r"(?:doi[:\s]*|(?:https?://)?(?:dx\.)?doi\.org/)?(10\.\d{4,}/[^\s\]\)>,;\"']+)", re.IGNORECASE
)
DECODED = {"%2f": "/", "%3a": ":", "%28": "(", "%29": ")", "%3c": "<", "%3e": ">"}


def by_doilinks(text: str) -> list[str]:
    return [match.doi.name for match in scan(text)]


def by_crossref(text: str) -> list[str]:
    return MODERN.findall(text)


def by_crossref_all(text: str) -> list[str]:
    """The longest match of any of the five at the first place that one matches."""
    every = [match.span() for each in (MODERN, *OTHERS) for match in each.finditer(text)]
    found: list[str] = []
    done = 0
    for start, end in sorted(every, key=lambda span: (span[0], -span[1])):
        if start >= done:
            found.append(text[start:end])
            done = end
    return found


def by_crossref_trimmed(text: str) -> list[str]:
    """The same without the punctuation of the sentence, as programs that use them take it away."""
    names = [name.rstrip(".,;:") for name in by_crossref_all(text)]
    unpaired = [name.endswith(")") and name.count(")") > name.count("(") for name in names]
    return [
        name[:-1].rstrip(".,;:") if last else name
        for name, last in zip(names, unpaired, strict=True)
    ]


def by_comet(text: str) -> list[str]:
    """With what is done to a match there, but not in lower case, and each as often as it occurs."""
    return [_cleaned(match[1]) for match in COMET.finditer(text)]


def _cleaned(name: str) -> str:
    name = re.sub("%[0-9a-fA-F]{2}", lambda found: DECODED.get(found[0].lower(), found[0]), name)
    name = name.rstrip(".,;:)]>\"' ")
    for entity in ("&gt", "&lt", "&amp", "&quot"):
        name = name.removesuffix(entity)
    return name


FINDERS: dict[str, Find] = {
    "doilinks": by_doilinks,
    "Crossref, recommended": by_crossref,
    "Crossref, all five": by_crossref_all,
    "Crossref, all five, trimmed": by_crossref_trimmed,
    "COMET": by_comet,
}


class Tally(NamedTuple):
    """How many names were to be found, how many finds there are, and how many of these are right."""

    wanted: int
    found: int
    right: int

    def row(self, title: str) -> str:
        precision, recall = (share(self.right, of) for of in (self.found, self.wanted))
        return f"| {title} | {self.right} of {self.wanted} | {self.found - self.right} | {precision} | {recall} |"


def tally(texts: Iterable[tuple[str, Sequence[str]]], find: Find) -> Tally:
    """A name with one character too many or too few is a wrong find, and another one is missed."""
    wanted = found = right = 0
    for text, names in texts:
        gold, got = Counter(map(folded, names)), Counter(map(folded, find(text)))
        wanted, found = wanted + gold.total(), found + got.total()
        right += (gold & got).total()
    return Tally(wanted, found, right)


def folded(name: str) -> str:
    return "".join(each.upper() if each.isascii() else each for each in name)


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def between(part: int, whole: int) -> str:
    low, high = wilson(part, whole)
    return f"{100 * low:.1f} to {100 * high:.1f} %"


DETECTION = "| Finder | Names found | Wrong finds | Precision | Recall |\n|---|--:|--:|--:|--:|"


def compared(texts: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    return [DETECTION, *(tally(texts, find).row(name) for name, find in FINDERS.items())]


# --------------------------------------------------------------------------------------------------
# The tables, by name. ``SLOW`` names those that take more than some seconds.


def sentences() -> list[str]:
    """The sentences of the tests that need no option and no markup."""
    cases = [
        case
        for path in sorted(CONFORMANCE.glob("*.md"))
        if path.name not in ("README.md", "arxiv.md")
        for case in read_cases(path)
        if not case.options and "core" not in case.exceptions
    ]
    texts = [(case.source, [DOI.parse(href).name for _, href in case.links]) for case in cases]
    return [f"{len(texts)} sentences:", "", *compared(texts)]


def blocks() -> list[str]:
    """The labelled blocks that contain their name as it is, and nothing else that looks like one."""
    looks = re.compile(r"10\.\d{4,}")
    rows = [row for path in WORKS for row in rows_of_file(path)]
    some = [
        row
        for row in rows
        if len(looks.findall(row["block"])) == 1 and folded(row["doi"]) in folded(row["block"])
    ]
    texts = [(row["block"], [row["doi"]]) for row in some]
    lines = [
        f"{len(some)} of {len(rows)} blocks:",
        "",
        *compared(texts),
        "",
        "What doilinks has wrong:",
        "",
    ]
    for row in some:
        got = by_doilinks(row["block"])
        if list(map(folded, got)) != [folded(row["doi"])]:
            lines.append(f"* {_wrong(place(row), got, [row['doi']])}")
    return lines


SURROUNDINGS = {
    "in a sentence": "see {} for more", "after a label": "see doi:{} for more",
    "in parentheses": "as shown (see {}) before", "in brackets": "as shown [{}] before",
    "in quotes": 'the name "{}" is one', "before a full stop": "This is {}.",
    "before a comma": "First {}, then more", "before a semicolon": "First {}; then more",
}  # fmt: skip


def names() -> list[str]:
    """Registered names in eight kinds of sentences. A name that ends in punctuation is left out."""
    every = NAMES.read_text(encoding="utf-8").split("\n")
    every = [name for name in every if name and name[-1] not in ".,;:!?"]
    heads = list(FINDERS)
    lines = [f"Of {len(every):,} names, found as they are:", ""]
    lines += [f"| Where | {' | '.join(heads)} |", f"|---{'|--:' * len(heads)}|"]
    missed: dict[str, list[str]] = {}
    for title, template in SURROUNDINGS.items():
        cells = []
        for find in FINDERS.values():
            wrong = [name for name in every if find(template.format(name)) != [name]]
            cells.append(f"{100 * (1 - len(wrong) / len(every)):.2f} %")
            for name in wrong if find is by_doilinks else ():
                missed.setdefault(name, []).append(title)
        lines.append(f"| {title} | {' | '.join(cells)} |")
    lines += ["", "What doilinks has wrong:", ""]
    everywhere = len(SURROUNDINGS)
    for name, where in missed.items():
        lines.append(f"* `{name}`: {'always' if len(where) == everywhere else ', '.join(where)}")
    return lines


def passages() -> list[str]:
    """What was measured with ``--passages``."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    lines = [f"{kept['texts']} passages:", "", DETECTION]
    lines += [Tally(*each).row(name) for name, each in kept["prose"].items()]
    lines += ["", f"{kept['negatives']} passages in which nothing is to be linked:", ""]
    lines += ["| Finder | Passages in which it finds a name |", "|---|--:|"]
    lines += [f"| {name} | {count} |" for name, count in kept["found"].items()]
    lines += ["", "What doilinks has wrong there:", ""]
    return [*lines, *(f"* {each}" for each in kept["wrong"] or ["nothing"])]


def measured(prose: Path, negatives: Path) -> dict[str, Any]:
    """The figures of passages. doilinks reads their markup; expressions read the text as it is."""
    rows, others = rows_of_file(prose), rows_of_file(negatives)
    kept: dict[str, Any] = {"texts": len(rows), "prose": {}, "negatives": len(others), "found": {}}
    wrong: list[str] = []
    for name, find in FINDERS.items():
        wanted = found = right = hits = 0
        for row in rows:
            got = in_markup(row, links=True) if find is by_doilinks else find(row["text"])
            gold = Counter(map(folded, row["gold"]))
            free = Counter(map(folded, row["linked"]))
            names = Counter(map(folded, got))
            names -= (names - gold) & free  # a link of the author, which is right and not counted
            wanted, found = wanted + gold.total(), found + names.total()
            right += (gold & names).total()
            if find is by_doilinks and names != gold:
                wrong.append(_wrong(row["source"], got, row["gold"], row["linked"]))
        for row in others:
            got = in_markup(row) if find is by_doilinks else find(row["text"])
            hits += bool(got)
            if find is by_doilinks and got:
                wrong.append(_wrong(row["source"], got, []))
        kept["prose"][name], kept["found"][name] = [wanted, found, right], hits
    return {**kept, "wrong": wrong}


def in_markup(row: dict[str, Any], *, links: bool = False) -> list[str]:
    """The names that doilinks finds in Markdown or reStructuredText.

    :param links: whether links that are there already count
    """
    found = read(row["text"], row["fmt"], Options())
    return [each.doi.name for each in found if links or each.form not in ("link", "angle")]


def place(row: dict[str, Any]) -> str:
    kind, _, name = row["source"].partition(":")
    return "a single text" if kind == "stored" else f"{name}, `{row['file']}`, line {row['line']}"


def _wrong(where: str, got: Sequence[str], gold: Sequence[str], free: Sequence[str] = ()) -> str:
    allowed = {folded(name) for name in (*gold, *free)}
    present = set(map(folded, got))
    said = [f"finds `{name}`" for name in got if folded(name) not in allowed]
    said += [f"misses `{name}`" for name in gold if folded(name) not in present]
    return f"{where}: {', '.join(said)}"


# Works


WORKS = (DATA / "works.jsonl", DATA / "works-2.jsonl", DATA / "works-3.jsonl")
UNSEEN = DATA / "works-4.jsonl"
CALLED = {
    "same": "right references, accused", "nothing": "mentions and lists of names, accused",
    "random": "record of a random other work, found", "digit": "record of a name that differs in a digit, found",
    "near": "record of a similar work, found", "real": "real mistakes, found",
}  # fmt: skip


def rows_of_file(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").strip().split("\n")]


@cache
def folds() -> list[str]:
    """These files, each row judged by weights that are fitted without its project."""
    examples = examples_of(WORKS)
    found = cross_validated(examples, fitted(examples))
    at = picked(examples, found)
    accused = [is_other(e, s, at) for e, s in zip(examples, found, strict=True)]
    return [*shares(examples, accused), "", *by_kind(examples, accused)]


def elsewhere() -> list[str]:
    """What was measured with ``--blind``."""
    return list(json.loads(KEPT_BLIND.read_text(encoding="utf-8")))


def measured_blind(paths: Iterable[Path]) -> list[str]:
    """The figures of rows that are not in the source, with the place of each accusation and real mistake."""
    examples = examples_of(paths)
    accused = [verdict_of(example.states)[0] is Verdict.OTHER for example in examples]
    lines = [*shares(examples, accused), "", *confirmed(examples), ""]
    wrong = [
        f"* {CALLED[e.group].replace(', found', ', not found')}: {place(e.row)}"
        for e, was in zip(examples, accused, strict=True)
        if e.group in ("same", "nothing", "real") and was is not (e.group == "real")
    ]
    return "\n".join(
        [
            *lines,
            "Each false alarm, and each real mistake that is missed:",
            "",
            *(wrong or ["* none"]),
        ]
    ).split("\n")


@cache
def unseen() -> tuple[Sequence[Example], list[Verdict]]:
    """The file that nothing is fitted to, by the weights of the package."""
    examples = examples_of((UNSEEN,))
    return examples, [verdict_of(example.states)[0] for example in examples]


def blind() -> list[str]:
    examples, verdicts = unseen()
    accused = [verdict is Verdict.OTHER for verdict in verdicts]
    return [*shares(examples, accused), "", *confirmed(examples)]


def confirmed(examples: Sequence[Example]) -> list[str]:
    lines = []
    for group, title in (("same", "Right references"), ("near", "Records of a similar work")):
        same = [verdict_of(e.states)[0] is Verdict.SAME for e in examples if e.group == group]
        hits, count = sum(same), len(same)
        said = f"{title} that are confirmed: {hits} of {count}, {share(hits, count)}"
        lines += ["", f"{said} ({between(hits, count)})."]
    return lines[1:]


def blind_kinds() -> list[str]:
    examples, verdicts = unseen()
    return list(by_kind(examples, [verdict is Verdict.OTHER for verdict in verdicts]))


def shares(examples: Sequence[Example], accused: Sequence[bool]) -> Iterator[str]:
    every = list(zip(examples, accused, strict=True))
    homes = len({example.home for example in examples})
    yield f"{len({e.row['id'] for e in examples})} blocks of {homes} projects:"
    yield ""
    yield "| Called another work | | | Interval of 95 % |\n|---|--:|--:|--:|"
    for group, title in CALLED.items():
        hits = [was for example, was in every if example.group == group]
        if hits:
            yield f"| {title} | {sum(hits)} of {len(hits)} | {share(sum(hits), len(hits))} | {between(sum(hits), len(hits))} |"


def by_kind(examples: Sequence[Example], accused: Sequence[bool]) -> Iterator[str]:
    every = list(zip(examples, accused, strict=True))
    yield "| Kind of text | Right ones accused | Similar works found |"
    yield "|---|--:|--:|"
    for name in sorted({kind(example) for example in examples}):
        cells = []
        for group in ("same", "near"):
            hits = [was for e, was in every if e.group == group and kind(e) == name]
            cells.append(f"{sum(hits)} of {len(hits)}")
        yield f"| {KINDS.get(name, name)} | {' | '.join(cells)} |"
    yield ""
    yield "Each false alarm:"
    yield ""
    alarms = [e.row for e, was in every if was and e.group in ("same", "nothing")]
    for row in alarms:
        text = " ".join(row["block"].replace("`", "'").split())
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]} …"
        yield f"* {place(row)}: `{shown}`"
    if not alarms:
        yield "* none"
    missed = [e.row for e, was in every if not was and e.group == "real"]
    yield ""
    yield "Each real mistake that is missed:"
    yield ""
    for row in missed:
        yield f"* {place(row)}"
    if not missed:
        yield "* none"


SHOWN = 200
KINDS = {
    "adoc": "AsciiDoc", "rd": "help of R",
    "bib": "BibTeX", "cff": "`CITATION.cff`", "comment": "comments of programs",
    "docstring": "docstrings", "html": "HTML", "ipynb": "notebooks", "md": "Markdown",
    "rst": "reStructuredText", "row of a table": "rows of tables", "tex": "LaTeX", "txt": "plain text",
    "table": "lines of CSV and TSV",
}  # fmt: skip


def reported(begin: str) -> list[str]:
    """A paragraph of the file with all measurements."""
    text = RESULTS.read_text(encoding="utf-8")
    paragraphs = [each for each in text.split("\n\n") if each.startswith(begin)]
    if len(paragraphs) != 1:
        raise SystemExit(f"{RESULTS}: not one paragraph begins with {begin!r}")
    return paragraphs


TABLES: dict[str, Callable[[], list[str]]] = {
    "sentences": sentences,
    "blocks": blocks,
    "names": names,
    "passages": passages,
    "blind": blind,
    "elsewhere": elsewhere,
    "blind-kinds": blind_kinds,
    "folds": folds,
    "all-folds": lambda: [
        *reported("`python benchmarks/works.py PAIRS.jsonl …` compares"),
        "",
        *reported("| Called another work | Fitted, in folds |"),
    ],
}
SLOW = {"names", "folds", "blind", "blind-kinds"}


def written(page: str, tables: Iterable[str]) -> str:
    """The page with new tables, of those that it has."""
    for name in tables:
        begin, end = f"<!-- made: {name} -->\n", f"<!-- end: {name} -->\n"
        if begin not in page:
            continue
        head, _, rest = page.partition(begin)
        _, _, tail = rest.partition(end)
        lines = "\n".join(TABLES[name]())
        page = f"{head}{begin}\n{lines}\n\n{end}{tail}"
    return page


def run(
    page: Path,
    written: Callable[[str], str],
    measure: Mapping[str, Callable[[list[Path]], tuple[Path, Any]]],
) -> int:
    """The program of a page with figures: writes them, or says with --check that they are others.

    :param measure: flags that take files, and what gives the figures of these and where to keep them
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    for flag in measure:
        parser.add_argument(flag, type=Path, nargs="+", default=[], metavar="FILE")
    options = vars(parser.parse_args())
    for flag, figures in measure.items():
        if paths := options[flag.strip("-")]:
            kept, values = figures(paths)
            text = json.dumps(values, indent=1, ensure_ascii=False)
            kept.write_text(text + "\n", encoding="utf-8")
    before = page.read_text(encoding="utf-8")
    after = written(before)
    if not options["check"]:
        page.write_text(after, encoding="utf-8")
    elif after != before:
        print(f"{page}: is not what `make accuracy` writes")
        return 1
    return 0


def main() -> int:
    measure: dict[str, Callable[[list[Path]], tuple[Path, Any]]] = {
        "--passages": lambda paths: (KEPT, measured(*paths)),
        "--blind": lambda paths: (KEPT_BLIND, measured_blind(paths)),
    }
    return max(run(page, lambda text: written(text, TABLES), measure) for page in (PAGE, DETAILS))


if __name__ == "__main__":
    sys.exit(main())
