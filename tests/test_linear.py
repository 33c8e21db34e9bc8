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

from benchmarks.linear.entries import entries
from benchmarks.linear.instructions import COUNTED, in_instructions, pairs

from doilinks.sources import TYPES

from .tools.programs import tool
from .tools.proof import sample

tool("valgrind", "instructions are not counted")

TIMES = 8
ONE_IN = 25  # of the 27 or more inputs that every entry point has
BOUND = 2.3**3


def test_what_is_counted_is_there():
    assert COUNTED.keys() < {name for name, _ in entries()}
    assert {f"source {kind}" for kind in TYPES} < COUNTED.keys()


def test_work_grows_with_the_text():
    wanted = sample("inputs of the proof of linear time", "all", pairs(), one_in=ONE_IN)
    counts = in_instructions(wanted, TIMES)
    assert {(count.entry, count.made) for count in counts} == {pair[:2] for pair in wanted}
    assert {count.entry for count in counts} == set(COUNTED)
    assert sum(count.large for count in counts) > 10**7, "nothing was counted"
    steep = [count for count in counts if count.grown > BOUND and count.large > 400_000]
    assert not steep, "\n".join(map(str, steep))


def test_a_loop_in_a_loop_is_seen():
    """The measure itself: a search from each place to the end of the text."""
    wanted = sample(
        "inputs of the proof of linear time", "a loop", pairs({"quadratic": 300}), one_in=9
    )
    counts = in_instructions(wanted, TIMES, module="tests.tools.quadratic")
    assert max(count.grown for count in counts) > BOUND
