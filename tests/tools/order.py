"""Which tests run, and in which order: long ones first, so that all processes end together; or any.

``--shuffle=SEED`` shuffles the files, and keeps the order within each.
"""

from __future__ import annotations

import os
import random
from itertools import groupby

import pytest

from . import proof

# The tests that take longest, by how their names begin; each line is for one process, because what
# it begins with is shared. Each takes more than five seconds.
LONG = (
    "tests/repository/test_linear.py", "tests/agreement/", "tests/injection/",
    "tests/hosts/test_conformance.py", "tests/hosts/test_browser.py", "tests/hosts/test_formats.py",
    "tests/damage/test_damage.py", "tests/repository/test_action.py",
    "tests/repository/test_examples.py", "tests/repository/test_docs_examples.py",
    "tests/repository/test_suite.py", "tests/repository/test_fuzz.py", "tests/sphinx/",
    "tests/mkdocs/test_check.py", "tests/pandoc/test_cite.py",
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    words = "run the files of tests in an order that this number gives"
    parser.addoption("--shuffle", type=int, metavar="SEED", help=words)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests into order, the same in each process, and leave out what nobody waits for."""
    _leave_out(config, items)
    seed = config.getoption("shuffle")
    if seed is not None:
        files = [list(tests) for _, tests in groupby(items, lambda item: item.path)]
        random.Random(seed).shuffle(files)
        items[:] = [item for tests in files for item in tests]
    else:
        processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        items[:] = dealt(items, processes, lambda item: item.nodeid)


def _leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without the tests that only CI and ``make proof`` run, unless they alone were named."""
    thorough = [item for item in items if item.get_closest_marker("thorough")]
    if proof.THOROUGH or len(thorough) == len(items):
        return
    proof.TAKEN["tests marked thorough", ""] = (0, len(thorough))
    config.hook.pytest_deselected(items=thorough)
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def dealt(items, processes, name_of):
    """The tests, so that each process begins with some of the long ones.

    With ``--dist=worksteal``, each begins with as many tests as any other, in this order.

    >>> dealt(["a", "tests/repository/test_linear.py", "b", "tests/repository/test_fuzz.py"], 2, str)
    ['tests/repository/test_linear.py', 'a', 'tests/repository/test_fuzz.py', 'b']
    """
    long = [[item for item in items if name_of(item).startswith(each)] for each in LONG]
    long = [tests for tests in long if tests]
    rest = [item for item in items if not name_of(item).startswith(LONG)]
    result = []
    for number in range(processes):
        size = len(items) // processes + (number < len(items) % processes)
        first = [item for tests in long[number::processes] for item in tests]
        taken = max(0, size - len(first))
        result += [*first, *rest[:taken]]
        del rest[:taken]
    return [*result, *rest]
