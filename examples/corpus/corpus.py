"""Every DOI in the texts of a corpus, on all cores of this machine or on a cluster, with Dask.

    python corpus.py --out dois FILE_OR_FOLDER...

Run it again after it was stopped: it goes on with what is not done.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from pathlib import Path

import dask
import partition
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster, as_completed
from partition import Partition

JSON_LINES = (".jsonl", ".ndjson")
SHOWN = 10  # bad records and prefixes on the terminal; the files list all
PROBLEMS = (OSError, ValueError, pa.ArrowException)
OURS = re.compile(r"[0-9a-f]{32}(\.new)?")


def main() -> int:
    """Do the work; the exit code is 2 when a part of the corpus could not be read."""
    given = arguments()
    done = given.out / "partitions"
    done.mkdir(parents=True, exist_ok=True)
    parts: dict[Partition, None] = {}  # each once, in order
    failed = 0
    for file in files(given.inputs):
        try:
            parts |= dict.fromkeys(partitions(file, (given.id, given.text), given.bytes))
        except PROBLEMS as error:
            failed += complain(str(file), error)
    forget(done, {part.key for part in parts})
    todo = [part for part in parts if not (done / part.key).exists()]
    print(f"{len(parts)} partitions, {len(parts) - len(todo)} of them done before")
    if todo:
        with cluster(given) as where, Client(where) as client:
            failed += run(client, todo, str(done.resolve()))
    report(given.out, [part for part in parts if (done / part.key).exists()])
    if failed:
        print(f"{failed} failures, see above; run it again for the rest", file=sys.stderr)
    return 2 if failed else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("inputs", nargs="+", type=Path, help="JSON Lines, Parquet, or folders")
    parser.add_argument("--out", required=True, type=Path, help="folder for the results")
    parser.add_argument("--scheduler", help="address, such as tcp://10.0.0.1:8786")
    parser.add_argument("--workers", type=positive, help="processes here (default: one a core)")
    parser.add_argument("--bytes", type=positive, default=2**24, help="of JSON Lines a partition")
    parser.add_argument("--id", default="id", help="name of the field with the text's id")
    parser.add_argument("--text", default="text", help="name of the field with the text")
    return parser.parse_args()


def positive(text: str) -> int:
    if (number := int(text)) > 0:
        return number
    raise argparse.ArgumentTypeError("has to be more than 0")


def files(inputs: list[Path]) -> Iterator[Path]:
    """The files that are named, and those of folders that end as the formats do."""
    for path in inputs:
        if path.is_dir():
            inside = sorted(path.rglob("*"))
            yield from (each for each in inside if each.suffix in (*JSON_LINES, ".parquet"))
        else:
            yield path


def partitions(file: Path, columns: tuple[str, str], size: int) -> list[Partition]:
    """The parts of a file, each of which one worker reads."""
    stat = file.stat()
    if file.suffix in JSON_LINES:
        cuts = [*range(0, stat.st_size, size), stat.st_size]
    elif file.suffix == ".parquet":
        with pq.ParquetFile(file) as opened:
            missing = [each for each in columns if each not in opened.schema_arrow.names]
            if missing:
                raise ValueError(f"no column {missing[0]!r}; see --id and --text")
            cuts = list(range(opened.num_row_groups + 1))
    else:
        raise ValueError(f"the name ends neither in {', '.join(JSON_LINES)} nor in .parquet")
    path, state = str(file.resolve()), (stat.st_size, stat.st_mtime_ns)
    return [Partition(path, begin, end, *state, columns) for begin, end in pairwise(cuts)]


def forget(done: Path, keys: set[str]) -> None:
    """Remove what earlier runs have left that is not a result of this one."""
    old = [each for each in done.iterdir() if OURS.fullmatch(each.name) and each.name not in keys]
    for folder in old:
        shutil.rmtree(folder)
    if changed := sum(not folder.suffix for folder in old):
        print(f"{changed} partitions done before are of files that have changed or are not read")


def cluster(given: argparse.Namespace) -> AbstractContextManager[LocalCluster | str]:
    """Workers on this machine, which only this machine can reach, or the scheduler's address."""
    if given.scheduler:
        return nullcontext(given.scheduler)
    # A worker has one partition at a time: if it dies, no other partition is to blame. It is
    # restarted, which may take longer than the 15 seconds after which Dask gives it up.
    dask.config.set(
        {
            "distributed.scheduler.worker-saturation": 1.0,
            "distributed.deploy.lost-worker-timeout": "1 hour",
        }
    )
    return LocalCluster(
        n_workers=given.workers or os.cpu_count(),
        threads_per_worker=1,  # the scan keeps Python's lock, so threads would only take turns
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,  # what fails is printed below, in one line
    )


def run(client: Client, todo: list[Partition], out: str) -> int:
    """Let the workers do the partitions; the number of those that failed."""
    client.wait_for_workers(1, timeout=60)
    client.upload_file(partition.__file__)
    futures = client.map(partition.work_on, todo, out=out, pure=False)
    part_of = dict(zip(futures, todo, strict=True))
    failed = 0
    for future in as_completed(futures):
        if future.status != "finished":
            part = part_of[future]
            why = future.exception() if future.status == "error" else future.status
            failed += complain(f"{os.path.relpath(part.file)}, {part.begin} to {part.end}", why)
    return failed


def complain(where: str, why: object) -> int:
    """Print one line about a failure, and count it."""
    lines = str(why).splitlines() or [repr(why)]
    print(f"{printable(where)}: {printable(lines[0])}", file=sys.stderr)
    return 1


def printable(text: str) -> str:
    """A file name may contain what a terminal obeys."""
    return text if text.isprintable() else ascii(text)


def report(out: Path, parts: list[Partition]) -> None:
    """Add up what the partitions counted, and list their bad records with absolute lines."""
    total: Counter[str] = Counter()
    prefixes: Counter[str] = Counter()
    records: Counter[str] = Counter()  # of each file, so far
    with (out / "bad.jsonl").open("w", encoding="utf-8") as listed:
        for part in parts:
            folder = out / "partitions" / part.key
            with (folder / "bad.jsonl").open(encoding="utf-8") as bad:
                for shown, (number, why) in enumerate(map(json.loads, bad), total["bad"]):
                    row = {"file": part.file, part.unit: records[part.file] + number}
                    listed.write(json.dumps({**row, "problem": why}) + "\n")
                    if shown < SHOWN:
                        place = f"{os.path.relpath(part.file)}:{row[part.unit]}"
                        print(f"{printable(place)}: {printable(why)}")
            summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
            prefixes.update(summary.pop("prefixes"))
            total.update(summary)
            records[part.file] += summary["records"]
    with (out / "prefixes.csv").open("w", encoding="utf-8") as table:
        table.write("prefix,dois\n")
        table.writelines(f"{prefix},{number}\n" for prefix, number in prefixes.most_common())
    good = total["records"] - total["bad"]
    print(f"{total['dois']:,} DOIs in {total['texts']:,} of {good:,} texts")
    print(f"{total['bad']:,} bad records, all listed in {printable(str(out / 'bad.jsonl'))}")
    for prefix, number in prefixes.most_common(SHOWN):
        print(f"{number:9,}  {prefix}")


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main())
    except PROBLEMS as problem:  # no scheduler there, or no space for the results
        sys.exit(complain("corpus.py", problem) + 1)
    except KeyboardInterrupt:
        sys.exit(130)
