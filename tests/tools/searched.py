"""The patterns with which readers search all of a text, and what each takes for a character of it.

As a program under valgrind, this counts instructions, so that no clock decides.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.core import WORDS
from benchmarks.counts import Run, count, counts_of

_MARK = "DOILINKS_SEARCHED"  # set in the process that valgrind runs
TEXT = f"{WORDS}\n{WORDS}\n\n" * 30 + "See doi:10.1000/182.\n"
AROUND = {"c": "/*\n{}*/\n", "py": '"""Title.\n\n{}"""\n', "html": "<p>{}</p>\n"}
# What the engine takes to see that a character begins nothing.
NOTHING = re.compile(r"(?=[%~])(?:(?P<a>%a)|(?P<b>~b))")

Pattern = re.Pattern[Any]


class _Recorder:
    """A pattern that counts the characters which it is to search."""

    def __init__(self, pattern: Pattern, place: str, asked: Counter[str]) -> None:
        self._pattern, self._place, self._asked = pattern, place, asked

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._pattern, name)
        if name not in ("search", "finditer", "findall", "sub", "split"):
            return method

        def recording(*arguments: Any, **others: Any) -> Any:
            text, *at = arguments[name == "sub" :]
            self._asked[self._place] += 0 if at and at[0] else len(text)
            return method(*arguments, **others)

        return recording


def searched(monkeypatch: Any) -> dict[str, Pattern]:
    """The patterns that search at least half of a text of some type, by their places."""
    from doilinks.core.options import Options
    from doilinks.sources import TYPES, CannotRead, read

    kinds = ["c", *(row.name for row in TYPES.values() if not row.lexer)]
    texts = {kind: AROUND.get(kind, "{}").format(TEXT) for kind in kinds}

    def all_read() -> Iterator[str]:
        for kind, text in texts.items():
            with suppress(CannotRead):
                yield from (kind for _ in read(text, kind, Options()))

    assert len({*all_read()}) > 10, "the readers are imported, and read"
    asked: Counter[str] = Counter()
    found: dict[str, Pattern] = {}
    for module in [name for name in sys.modules if name.startswith("doilinks.")]:
        for name, value in [*vars(sys.modules[module]).items()]:
            if isinstance(value, re.Pattern):
                place = f"{module}.{name}"
                found[place] = value
                monkeypatch.setattr(sys.modules[module], name, _Recorder(value, place, asked))
    for _ in all_read():
        pass
    return {place: found[place] for place, size in asked.items() if size > len(TEXT) / 2}


def counts(
    patterns: dict[str, Pattern], file: Path, monkeypatch: Any
) -> Iterator[tuple[str, float]]:
    """For each pattern, how many times as much it takes for a text as one that finds nothing."""
    rows = [
        (place, each.pattern if isinstance(each.pattern, str) else each.pattern.decode("latin-1"),
         each.flags, isinstance(each.pattern, bytes))
        for place, each in patterns.items()
    ]  # fmt: skip
    file.write_text(json.dumps(rows), encoding="utf-8")
    monkeypatch.setenv(_MARK, str(file))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    for place, ours, least in counts_of(__file__, _MARK + "_CHILD"):
        yield place, ours / least


def _pairs(file: str) -> Iterator[tuple[str, Run, Run]]:
    for place, pattern, flags, is_bytes in json.loads(Path(file).read_text(encoding="utf-8")):
        each: Pattern = re.compile(pattern.encode("latin-1") if is_bytes else pattern, flags)
        text: Any = TEXT.encode() if is_bytes else TEXT
        yield (
            place,
            lambda each=each, text=text: sum(1 for _ in each.finditer(text)),
            lambda: sum(1 for _ in NOTHING.finditer(TEXT)),
        )


if __name__ == "__main__":
    count(_pairs(os.environ[_MARK]))
