"""Hostile input takes linear time, counted in the instructions that the processor executes.

Every entry point is given a text and one of the same kind that is eight times as long, under
valgrind, which counts each instruction of the process: those of Python's interpreter, of its engine
for regular expressions and of the methods of ``str`` alike, so that no loop hides in one of these.
The count does not depend on the machine, on what else it is doing, or on a clock. Linear time makes
it at most eight times as large, because whatever does not grow with the text only lowers the ratio;
quadratic time makes it sixty-four times as large. Eight is three doublings, and a doubling may cost
2.3 times, so the bound is 2.3 ** 3.

What the sizes are too small for, such as copying a text for each name in it, which a processor does
at thirty-two bytes an instruction, ``python -m benchmarks.linear --table`` shows at up to ten million
characters.
"""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sys
from collections import defaultdict

import pytest
from benchmarks.linear.entries import entries
from benchmarks.linear.instructions import COUNTED, in_instructions, pairs
from benchmarks.linear.runs import PLACES, READ, RUNS

from doilinks.core.options import Options
from doilinks.sources import TYPES, CannotRead, read
from doilinks.tools.fix import Original, chosen, mend

from ..tools.programs import tool
from ..tools.proof import sample

tool("valgrind", "instructions are not counted")

TIMES = 8
PROOF = "inputs of the proof of linear time"
ONE_IN = 60  # of the inputs of an entry point, of which most have fewer
BOUND = 2.3**3
SECONDS = 20  # of this process alone, for a text that takes a few hundredths of one


class TooLong(BaseException):
    """Readers let it pass."""


def _too_long(*_):
    raise TooLong


@pytest.mark.parametrize("kind", [*RUNS, "ipynb"])
def test_a_run_in_every_construct_does_not_take_exponential_time(kind):
    """Where a character takes 1.4 times as long as the one before, 80 of them never end."""
    runs = RUNS["md" if kind == "ipynb" else kind]
    places = PLACES["md" if kind == "ipynb" else kind]
    wanted = chosen([], [], asks=False)
    # Cells of a notebook are read as Markdown is.
    some = sample(PROOF, f"runs, {kind}", [*runs.items()], one_in=36 if kind == "ipynb" else 9)
    before = signal.signal(signal.SIGVTALRM, _too_long)
    found = 0
    try:
        for name, make in some:
            text = make(80 * places)
            if kind == "ipynb":
                text = json.dumps({"cells": [{"cell_type": "markdown", "source": text}]})
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            try:
                # YAML has no tabs, and a file with a null octet is not read.
                with contextlib.suppress(CannotRead):
                    found += len(list(read(text, kind, Options())))
                    mend(Original(text.encode(), kind), kind, Options(), wanted)
            except TooLong:
                pytest.fail(f"{name}: more than {SECONDS} seconds")
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert found > 3 * len(some)


def test_no_pattern_is_made_of_a_name(monkeypatch):
    """A pattern made of a text contains what the text contains, and then nobody knows its time."""
    compiled, compile_ = set(), re.compile

    def keeping(pattern, flags=0):
        if sys._getframe(1).f_globals["__name__"].startswith("doilinks."):
            compiled.add(pattern)
        return compile_(pattern, flags)

    monkeypatch.setattr(re, "compile", keeping)
    for kind, runs in RUNS.items():
        patterns = []
        for digits in ("3000", "1000", "2111"):  # the first reading compiles what is kept
            compiled.clear()
            for unit in ("_", "\t", "%20"):
                text = runs[f"runs of {unit!a} in {kind}"](4 * PLACES[kind])
                text = text.replace("1000", digits).replace("10.", "http://dx.doi.org/10.", 1)
                with contextlib.suppress(CannotRead):
                    mend(Original(text.encode(), kind), kind, Options(), chosen([], [], asks=False))
            patterns.append(set(compiled))
        assert patterns[1] == patterns[2]


def test_what_is_counted_is_there():
    assert READ.keys() <= {name for name, _ in entries()}
    assert COUNTED.keys() < {name for name, _ in entries()}
    # Pygments' time has a limit: tests/sources/test_languages.py.
    assert {f"source {kind}" for kind, row in TYPES.items() if not row.lexer} < COUNTED.keys()


QUADRATIC = "quadratic"
LOOPS = sample(PROOF, QUADRATIC, pairs({QUADRATIC: 300}), one_in=9)


def wanted_pairs():
    """Of each entry point as many inputs as this run takes, others of each."""
    by_entry = defaultdict(list)
    for pair in pairs():
        by_entry[pair.entry].append(pair)
    return [
        pair
        for place, (entry, each) in enumerate(by_entry.items())
        for pair in sample(PROOF, entry, each, one_in=ONE_IN, turn=5 * place)
    ]


@pytest.fixture(scope="module", params=[pytest.param("valgrind", marks=pytest.mark.thorough)])
def counted():
    """All at once: the start of the process that counts takes half a minute, and the inputs little."""
    return in_instructions([*LOOPS, *wanted_pairs()], TIMES, module="tests.tools.quadratic")


def test_work_grows_with_the_text(counted):
    wanted = wanted_pairs()
    counts = [count for count in counted if count.entry != QUADRATIC]
    assert {(count.entry, count.made) for count in counts} == {pair[:2] for pair in wanted}
    assert {count.entry for count in counts} == set(COUNTED)
    assert sum(count.large for count in counts) > 10**7, "nothing was counted"
    steep = [count for count in counts if count.grown > BOUND and count.large > 400_000]
    assert not steep, "\n".join(map(str, steep))


def test_a_loop_in_a_loop_is_seen(counted):
    """The measure itself: a search from each place to the end of the text."""
    assert max(count.grown for count in counted if count.entry == QUADRATIC) > BOUND
