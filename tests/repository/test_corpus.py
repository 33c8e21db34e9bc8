"""``examples/corpus``: the rows of a Dask cluster are those of one process, whatever is in the files."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import uuid
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from doilinks import scan

from ..tools.modules import ROOT, load
from ..tools.programs import running, wait

pytestmark = pytest.mark.thorough

FOLDER = ROOT / "examples" / "corpus"
CORPUS = [sys.executable, str(FOLDER / "corpus.py")]


@pytest.fixture(scope="module")
def partition():
    """The module that reads a partition. It needs no Dask."""
    return load(FOLDER / "partition.py")


# What is in the files: records as bytes, and what is wrong with the bad ones.

GOOD = [
    {"id": f"t{n}", "text": f"Number {n} é doi:10.{1000 + n % 7}/a.{n}, (10.1175/b({n})), 10.2 m."}
    for n in range(300)
]
BAD = [
    (b"{", "not JSON: Expecting property name enclosed in double quotes"),
    (b"[" * 100_000, "not JSON: "),
    (b'{"id": "x", "text": "doi:10.1000/182 \xff"}', "can't decode byte 0xff in position 37"),
    (b'{"id": "x"}', "no text"),
    (b'{"id": "x", "text": null}', "no text"),
    (b'{"text": "doi:10.1000/182"}', "no id"),
    (b'{"id": "x", "text": 10.1}', "the text is of the type float, not str"),
    (b'{"id": ["x"], "text": "a"}', "the id is of the type list, not str or int"),
    (b'{"id": true, "text": "a"}', "the id is of the type bool, not str or int"),
    (b'{"id": "\\ud800", "text": "a"}', "surrogates not allowed"),
    (b'["doi:10.1000/182"]', "not an object of JSON"),
    (b"", "not JSON: "),
]


def rows(texts):
    """What one process finds."""
    return [
        {"id": str(text["id"]), "name": match.doi.name, "form": match.form,
         "begin": match.start, "end": match.end}
        for text in texts for match in scan(text["text"])
    ]  # fmt: skip


def in_order(found):
    return sorted(found, key=lambda row: (row["id"], row["begin"]))


def rows_in(out):
    return [row for file in sorted(out.glob("partitions/*/*.parquet")) for row in read(file)]


def read(file):
    return pq.ParquetFile(file).read().to_pylist()


def state(file):
    return file.stat().st_size, file.stat().st_mtime_ns


def json_lines(texts):
    return b"".join(json.dumps(text).encode() + b"\n" for text in texts)


def mixed():
    """Good and bad records by turns, as JSON Lines, and which lines are bad."""
    lines = [json.dumps(text).encode() for text in GOOD]
    for at, (bad, _) in enumerate(BAD):
        lines.insert(20 * at + 5, bad)
    return b"\n".join(lines), {20 * at + 6: why for at, (_, why) in enumerate(BAD)}


# One partition


@pytest.mark.parametrize("size", [1, 7, 61, 500, 10**6])
def test_each_line_is_in_one_partition(partition, tmp_path, size):
    data = json_lines(GOOD[:20]) + b"\n" + b'{"id": 1, "text": "the last: doi:10.1000/182"}'
    file = tmp_path / "texts.jsonl"
    file.write_bytes(data)
    got, cuts = [], [*range(0, len(data), size), len(data)]
    for begin, end in pairwise(cuts):
        part = partition.Partition(str(file), begin, end, *state(file), ("id", "text"))
        got += partition._lines(part)
    assert got == data.splitlines(keepends=True)


def test_memory_does_not_grow_with_a_line(partition, tmp_path, monkeypatch):
    monkeypatch.setattr(partition, "LONGEST", 1000)
    file = tmp_path / "texts.jsonl"
    long = b'{"id": "long", "text": "' + b"10.1000/182 " * 1000 + b'"}\n'
    file.write_bytes(json_lines(GOOD[:2]) + long + json_lines(GOOD[2:4]))
    cuts = [*range(0, file.stat().st_size, 500), file.stat().st_size]
    found, bad, number = [], [], 0
    for begin, end in pairwise(cuts):
        part = partition.Partition(str(file), begin, end, *state(file), ("id", "text"))
        partition.work_on(part, str(tmp_path))
        found += read(tmp_path / part.key / "dois.parquet")
        for line in (tmp_path / part.key / "bad.jsonl").read_text().splitlines():
            at, why = json.loads(line)
            bad.append((number + at, why))
        number += json.loads((tmp_path / part.key / "summary.json").read_text())["records"]
    assert found == rows(GOOD[:4])
    assert bad == [(3, "the line has 1000 bytes or more")]


def test_a_file_that_changes_while_it_is_read_gives_no_result(partition, tmp_path):
    file, out = tmp_path / "texts.jsonl", tmp_path / "out"
    file.write_bytes(json_lines(GOOD))
    out.mkdir()
    part = partition.Partition(str(file), 0, 10**6, 1, 1, ("id", "text"))
    with pytest.raises(ValueError, match="the file has changed while it was read"):
        partition.work_on(part, str(out))
    assert list(out.iterdir()) == []
    part = part._replace(size=file.stat().st_size, changed=file.stat().st_mtime_ns)
    for _ in range(2):  # two workers may do the same partition
        partition.work_on(part, str(out))
    assert [each.name for each in out.iterdir()] == [part.key]
    assert part._replace(changed=1).key != part.key


# The whole, on a cluster


@contextmanager
def logged(folder, *command):
    """A program that runs, and what gives all that it has said."""
    log = folder / f"{uuid.uuid4().hex}.log"
    with log.open("wb") as out, running(*command, stdout=out, stderr=out) as process:
        yield process, log.read_text


def run(out, *arguments):
    command = [*CORPUS, "--out", str(out), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_killed_and_run_again_on_the_embedded_cluster(tmp_path):
    texts, out = tmp_path / "texts.jsonl", tmp_path / "out"
    texts.write_bytes(json_lines(GOOD))
    done = out / "partitions"
    arguments = ["--out", out, "--workers", "1", "--bytes", "400", texts]
    partitions = -(-texts.stat().st_size // 400)
    # On a busy machine, all may be done before this process goes on.
    for _ in range(20):
        shutil.rmtree(out, ignore_errors=True)
        with logged(tmp_path, *CORPUS, *arguments) as (process, said):
            wait(lambda: any(done.glob("*[!w]")), process, said=said)
        first = {each.name: each.stat().st_mtime_ns for each in done.iterdir() if not each.suffix}
        if len(first) < partitions:
            break
    assert 0 < len(first) < partitions

    again = run(out, *arguments[2:])
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.startswith(f"{partitions} partitions, {len(first)} of them done before\n")
    assert f"\n{2 * len(GOOD)} DOIs in {len(GOOD)} of {len(GOOD)} texts\n" in again.stdout
    assert in_order(rows_in(out)) == in_order(rows(GOOD))
    now = {each.name: each.stat().st_mtime_ns for each in done.iterdir()}
    assert len(now) == partitions
    assert {name: now[name] for name in first} == first


def test_bad_records_and_files(tmp_path):
    data, lines = mixed()
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    (corpus / "more").mkdir(parents=True)
    (corpus / "a.jsonl").write_bytes(data)
    (corpus / "b.parquet").write_bytes(b"PAR1 and nothing more")
    (corpus / "c\x1b[31m.jsonl").write_bytes(b"{")
    (corpus / "notes.txt").write_text("10.1000/182")
    table = {
        "id": pa.array(range(900, 1205), pa.int64()),
        "text": pa.array([None, *(text["text"] for text in GOOD), *[None] * 4], pa.string()),
    }
    pq.write_table(pa.table(table), corpus / "more" / "d.parquet", row_group_size=100)
    pq.write_table(pa.table({"id": [1]}), corpus / "more" / "e.parquet")
    texts = [{"id": 901 + n, "text": text["text"]} for n, text in enumerate(GOOD)]

    arguments = ["--workers", "1", "--bytes", "5000", corpus, corpus / "a.jsonl"]
    done = run(out, *arguments)
    assert done.returncode == 2
    assert in_order(rows_in(out)) == in_order(rows([*GOOD, *texts]))
    wrong = [json.loads(line) for line in (out / "bad.jsonl").read_text().splitlines()]
    of_lines = {row["line"]: row["problem"] for row in wrong if row["file"].endswith("a.jsonl")}
    assert of_lines.keys() == lines.keys()
    assert all(why in of_lines[line] for line, why in lines.items()), of_lines
    assert [row["row"] for row in wrong if "row" in row] == [1, 302, 303, 304, 305]
    counted = dict(line.split(",") for line in (out / "prefixes.csv").read_text().split())
    assert int(counted["10.1175"]) == 2 * len(GOOD)
    assert len(counted) == 1 + 1 + 7
    assert f"{len(BAD) + 6} bad records" in done.stdout
    assert f"a.jsonl:{min(lines)}: not JSON: Expecting property name" in done.stdout
    assert re.search(r"b\.parquet: .*magic bytes", done.stderr)
    assert re.search(r"e\.parquet: no column 'text'", done.stderr)
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr.endswith("\n2 failures, see above; run it again for the rest\n")

    # A file that has changed is read again, and what was found in it before is gone.
    (corpus / "a.jsonl").write_bytes(json_lines(GOOD[:1]))
    done = run(out, *arguments, corpus / "none.jsonl", corpus / "notes.txt")
    assert re.search(
        r"notes\.txt: the name ends neither in .jsonl, .ndjson nor in .parquet", done.stderr
    )
    assert re.search(r"none\.jsonl: .*No such file", done.stderr)
    assert "partitions done before are of files that have changed or are not read" in done.stdout
    assert in_order(rows_in(out)) == in_order(rows([GOOD[0], *texts]))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--scheduler", "nonsense://a", "a.jsonl"], "corpus.py: unknown address scheme 'nonsense'"),
        (["--bytes", "0", "a.jsonl"], "argument --bytes: has to be more than 0"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line(tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_bytes(json_lines(GOOD[:1]))
    done = run("out", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
