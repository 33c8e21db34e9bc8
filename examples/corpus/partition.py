"""One partition of a corpus: read its texts one by one, and write a row for each DOI in them.

Nothing here knows Dask. ``work_on`` is a function of a partition, so any engine can call it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from doilinks import __version__, scan

LONGEST = 64 * 2**20  # bytes; a worker keeps one line in memory, so a longer line is a bad record
ROWS = 10_000  # that are written at once
SCHEMA = pa.schema(
    {"id": pa.string(), "name": pa.string(), "form": pa.string(),
     "begin": pa.int64(), "end": pa.int64()}
)  # fmt: skip


class Partition(NamedTuple):
    """A part of a file: a range of bytes of JSON Lines, or one row group of Parquet.

    :ivar size: of the file, when the work was planned
    :ivar changed: when the file was last changed, in nanoseconds
    :ivar columns: what the id and the text are called
    """

    file: str
    begin: int
    end: int
    size: int
    changed: int
    columns: tuple[str, str]

    @property
    def unit(self) -> str:
        return "row" if self.file.endswith(".parquet") else "line"

    @property
    def key(self) -> str:
        """Differs if the file has changed, or doilinks: then the work has to be done again."""
        return hashlib.sha256(repr((*self, __version__)).encode()).hexdigest()[:32]


def work_on(part: Partition, out: str) -> None:
    """Write the results of a partition into the folder ``out / part.key``.

    The folder appears when all is in it, so a run that is killed leaves no half of a result.

    :raises OSError: when the file cannot be read, or the results cannot be written
    :raises ValueError: when the file is damaged, or has changed since the work was planned
    """
    new = Path(out, f"{uuid.uuid4().hex}.new")
    new.mkdir()
    try:
        _write(part, new)
        now = Path(part.file).stat()
        if (now.st_size, now.st_mtime_ns) != (part.size, part.changed):
            raise ValueError("the file has changed while it was read")
        new.rename(Path(out, part.key))
    except OSError:
        if not Path(out, part.key).exists():  # else another worker had the same partition
            raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _write(part: Partition, folder: Path) -> None:
    counts = Counter(records=0, bad=0, texts=0, dois=0)
    prefixes: Counter[str] = Counter()

    def rows(bad: BinaryIO) -> Iterator[tuple[str, str, str, int, int]]:
        for record in _rows_of_parquet(part) if part.unit == "row" else _lines(part):
            counts["records"] += 1
            try:
                text_id, text = _checked(*_fields(record, part.columns))
            except ValueError as error:  # also of decoding
                counts["bad"] += 1
                bad.write(json.dumps([counts["records"], str(error)]).encode() + b"\n")
                continue
            before = counts["dois"]
            for match in scan(text):
                counts["dois"] += 1
                prefixes[match.doi.prefix] += 1
                yield text_id, match.doi.name, match.form, match.start, match.end
            counts["texts"] += counts["dois"] > before

    with (
        (folder / "bad.jsonl").open("wb") as bad,
        pq.ParquetWriter(folder / "dois.parquet", SCHEMA) as writer,
    ):
        all_rows = rows(bad)
        while some := list(islice(all_rows, ROWS)):
            columns = zip(*some, strict=True)
            arrays = [pa.array(c, f.type) for c, f in zip(columns, SCHEMA, strict=True)]
            writer.write_table(pa.table(arrays, schema=SCHEMA))
    summary = {**counts, "prefixes": prefixes}
    (folder / "summary.json").write_text(json.dumps(summary), encoding="utf-8")


def _lines(part: Partition) -> Iterator[bytes]:
    """The lines that begin in the partition. Of one that is too long, only its begin."""
    with Path(part.file).open("rb") as file:
        if part.begin:
            file.seek(part.begin - 1)
            _skip_line(file, part.end)
        while file.tell() < part.end and (line := file.readline(LONGEST)):
            if len(line) == LONGEST and not line.endswith(b"\n"):
                _skip_line(file, part.end)
            yield line


def _skip_line(file: BinaryIO, end: int) -> None:
    """Go to the end of the line, but not on beyond ``end``: there the next partition skips."""
    while file.tell() < end and (piece := file.readline(2**20)) and not piece.endswith(b"\n"):
        pass


def _rows_of_parquet(part: Partition) -> Iterator[tuple[pa.Scalar, pa.Scalar]]:
    with pq.ParquetFile(part.file) as file:
        groups = range(part.begin, part.end)
        for batch in file.iter_batches(64, row_groups=groups, columns=list(part.columns)):
            yield from zip(*map(batch.column, part.columns), strict=True)


def _fields(record: Any, columns: tuple[str, str]) -> tuple[object, object]:
    """The id and the text of a record; ValueError if it is not one."""
    if isinstance(record, tuple):
        return record[0].as_py(), record[1].as_py()
    if len(record) == LONGEST:
        raise ValueError(f"the line has {LONGEST} bytes or more")
    try:
        fields = json.loads(record.decode("utf-8-sig"))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError("not an object of JSON")  # noqa: TRY004  bad data, as all of these
    return fields.get(columns[0]), fields.get(columns[1])


def _checked(text_id: object, text: object) -> tuple[str, str]:
    if text_id is None or text is None:
        raise ValueError("no id" if text_id is None else "no text")
    if not isinstance(text, str):
        raise ValueError(f"the text is of the type {type(text).__name__}, not str")  # noqa: TRY004  as above
    if type(text_id) not in (str, int):
        raise ValueError(f"the id is of the type {type(text_id).__name__}, not str or int")
    str(text_id).encode()  # half of a surrogate pair, which JSON can spell, cannot be written
    return str(text_id), text
