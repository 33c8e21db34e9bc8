"""What ``make counts`` says of the numbers that it counts."""

import json

import pytest
from benchmarks import counts

from ..tools.programs import tool

tool("valgrind", "instructions are not counted")


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Whether the check passes for one ratio, where 2.0 is the number for this Python."""
    monkeypatch.setattr(counts, "NUMBERS", tmp_path / "counts.json")

    def check(ratio, *arguments, version=counts.VERSION):
        counts.NUMBERS.write_text(json.dumps({version: {"a scan": 2.0}}))
        monkeypatch.setattr(counts, "ratios", lambda: iter([("a scan", ratio)]))
        monkeypatch.setattr("sys.argv", ["counts.py", *arguments])
        return counts.main() == 0

    return check


@pytest.mark.parametrize(("ratio", "passes"), [(1.5, True), (2.05, True), (2.07, False)])
def test_three_per_cent(check, ratio, passes, capsys):
    assert check(ratio) is passes
    assert ("more than 3% worse: a scan" in capsys.readouterr().out) is not passes


def test_a_version_without_numbers(check, capsys):
    assert check(9.0, version="2.7")
    assert f"no number for Python {counts.VERSION}" in capsys.readouterr().out


def test_the_numbers_are_written(check):
    assert check(9.0, "--write")
    assert json.loads(counts.NUMBERS.read_text()) == {counts.VERSION: {"a scan": 9.0}}


@pytest.mark.parametrize("ci", ["true", ""])
def test_without_valgrind(check, ci, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", ci)
    assert check(2.0) is not bool(ci)


@pytest.mark.thorough
def test_a_program_that_does_more_needs_more(tmp_path):
    """The measure itself."""
    one, two = (
        counts.program("-I", "-c", f"import {each}", given=b"", folder=tmp_path)
        for each in ("errno", "json")
    )
    assert two > one * counts.MORE
