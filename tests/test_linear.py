"""Hostile input takes linear time, counted in the instructions that the processor executes.

Every entry point is given a text and one of the same kind that is eight times as long, under
valgrind, which counts each instruction of the process: those of Python's interpreter, of its engine
for regular expressions and of the methods of ``str`` alike, so that no loop hides in one of these.
The count does not depend on the machine, on what else it is doing, or on a clock. Linear time makes
it at most eight times as large, because whatever does not grow with the text only lowers the ratio;
quadratic time makes it sixty-four times as large. Eight is three doublings, and a doubling may cost
2.3 times, so the bound is 2.3 ** 3.

What the sizes are too small for, such as copying a text for each name in it, which a processor does
at thirty-two bytes an instruction, ``benchmarks/linear.py`` shows at up to ten million characters.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

if shutil.which("valgrind") is None:
    if os.environ.get("CI"):
        pytest.fail("valgrind is needed in CI: apt-get install valgrind", pytrace=False)
    pytest.skip(
        "valgrind, which counts the instructions, is not installed", allow_module_level=True
    )

FILE = Path(__file__).parents[1] / "benchmarks" / "linear.py"
TIMES = 8
BOUND = 2.3**3

# The size of the smaller text, as small as shows a loop in a loop, and the entry points.
SIZES = {
    250: ("link_match, remarks", "all but scan"),
    300: ("near misses", "API answer", "lock file", "source bib", "source html"),
    150: ("source md", "source ipynb", "markdown-it-py", "Python-Markdown"),
    151: ("source rst", "docutils Parser", "docutils and Sphinx trees", "pandoc rewrite"),
}


@pytest.fixture(scope="module")
def linear():
    spec = importlib.util.spec_from_file_location("linear", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["linear"] = module  # for its named tuples
    spec.loader.exec_module(module)
    yield module
    del sys.modules["linear"]


def test_no_entry_point_is_left_out(linear):
    assert sorted(name for names in SIZES.values() for name in names) == sorted(linear.FOR_CI)
    assert set(linear.FOR_CI) < {name for name, _ in linear.entries()}


@pytest.mark.parametrize("size", SIZES)
def test_work_grows_with_the_text(linear, size):
    counts = linear.in_instructions(SIZES[size], size, TIMES)
    assert {count.entry for count in counts} == set(SIZES[size])
    assert sum(count.large for count in counts) > 10**7, "nothing was counted"
    steep = [count for count in counts if count.grown > BOUND and count.large > 400_000]
    assert not steep, "\n".join(map(str, steep))


def test_a_loop_in_a_loop_is_seen(linear, tmp_path):
    """The measure itself: a search from each place to the end of the text."""
    linear_file = tmp_path / "linear.py"
    text = FILE.read_text(encoding="utf-8")
    loop = "[re.compile('[?]').search(text, at) for at in range(len(text))]"
    quadratic = f"    yield 'quadratic', Entry(lambda text: {loop})\n"
    head, yields, rest = text.partition('    yield "scan", ')
    linear_file.write_text(head + quadratic + yields + rest, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("quadratic", linear_file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["quadratic"] = module
    spec.loader.exec_module(module)
    counts = module.in_instructions(["quadratic"], 300, TIMES)
    del sys.modules["quadratic"]
    assert max(count.grown for count in counts) > BOUND
