"""The page of accuracy is what its command writes."""

import sys
from pathlib import Path

import pytest

from ..tools import proof

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def accuracy():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import accuracy

    return accuracy


def test_each_table_of_the_page_is_what_the_command_writes(accuracy):
    """Those that take long, with every case of each proof."""
    tables = [name for name in accuracy.TABLES if proof.WHOLE or name not in accuracy.SLOW]
    for each in (accuracy.PAGE, accuracy.DETAILS):
        page = each.read_text(encoding="utf-8")
        assert accuracy.written(page, tables) == page, "run: make accuracy"


def test_each_table_stands_once_and_has_rows(accuracy):
    page = "".join(p.read_text(encoding="utf-8") for p in (accuracy.PAGE, accuracy.DETAILS))
    for name in accuracy.TABLES:
        assert page.count(f"<!-- made: {name} -->\n") == 1
        assert page.count(f"<!-- end: {name} -->\n") == 1
        made = page.partition(f"<!-- made: {name} -->")[2].partition(f"<!-- end: {name} -->")[0]
        assert len(made.split()) > 50, name


def test_what_the_page_says_first_is_what_the_tables_say(accuracy):
    head = " ".join(accuracy.PAGE.read_text(encoding="utf-8").partition("##")[0].split())
    rows = "\n".join(accuracy.TABLES["blind"]())
    assert "| right references, accused | 0 of 30 | 0.0 % | 0.0 to 11.4 % |" in rows
    rows = "\n".join(accuracy.TABLES["elsewhere"]())
    assert "| right references, accused | 1 of 327 | 0.3 % | 0.1 to 1.7 % |" in rows
    assert "Of 167, 30, 114 and 213 right references, 0, 0, 1 and 0 were accused (1 of 524" in head
    folds = "\n".join(accuracy.TABLES["all-folds"]())
    assert "| right references | 3 of 3,399, 0.09 % | 0.03 to 0.26 |" in folds
    assert "3 of 3,399 right references, 0.1 % (0.0 to 0.3 %)" in head
    best = "| in a sentence | 99.98 % | 91.96 % | 95.02 % | 95.02 % | 65.81 % |"
    assert best in accuracy.DETAILS.read_text(encoding="utf-8")
    assert "99.98 %" in (page := accuracy.PAGE.read_text(encoding="utf-8"))
    assert "95.02 %" in page
