"""Notebooks: what counts in a cell, where it is in the file, and how much memory that takes."""

import json
import tracemalloc

import pytest

from doilinks.core.options import Options
from doilinks.sources import CannotRead, read

from ..tools.places import names, rows
from ..tools.tables import tables

TABLES = tables(__file__)


def notebook(*cells, **dumps):
    cells = [{"cell_type": kind, "source": source} for kind, source in cells]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, **dumps)


@pytest.mark.parametrize("ascii_only", [True, False])
def test_notebook_places_are_those_of_the_file(ascii_only):
    text = notebook(
        ("code", ["x = '10.1000/code'"]),
        ("markdown", ['# Hé "x"\n', 'é\t"𝕏"\\\\ doi:10.1000/1,\n', "10.1000/2"]),
        ("raw", ["10.1000/raw"]),
        ("markdown", "in one string\n\n10.1000/3"),
        indent=1,
        ensure_ascii=ascii_only,
    )
    found = rows(text, "ipynb")
    assert [row[0] for row in found] == ["10.1000/1", "10.1000/2", "10.1000/3"]
    lines = text.split("\n")
    for name, line, column, _ in found:
        assert lines[line - 1][column - 1 :].removeprefix("doi:").startswith(name)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_in_the_cell_of_a_notebook(end):
    cell = end.join(
        ["10.1000/1", "", "    code", "", "!!! note", "    10.1000/2", "", r"10.1000/\_3"]
    )
    for source in (cell, cell.splitlines(keepends=True), list(cell)):
        text = notebook(("markdown", source))
        found = list(read(text, "ipynb", Options()))
        assert [each.doi.name for each in found] == ["10.1000/1", "10.1000/2", "10.1000/_3"]
        if source == cell:
            assert [text[slice(*each.span)] for each in found] == [
                "10.1000/1", "10.1000/2", r"10.1000/\\_3",
            ]  # fmt: skip


@pytest.mark.parametrize(("notebook", "why"), TABLES["a_notebook_of_another_shape_is_an_error"])
def test_a_notebook_of_another_shape_is_an_error(notebook, why):
    with pytest.raises(CannotRead, match=f"^not a notebook .*{why}"):
        list(read(json.dumps(notebook), "ipynb", Options()))


def test_what_a_notebook_may_leave_out():
    cells = [{"cell_type": "markdown"}, {}, {"cell_type": "code", "source": 5}]
    cells.append({"cell_type": "markdown", "source": ["10.1000/1"]})
    # Extensions keep what they like in the metadata.
    kept = {"cells": [{"cell_type": "markdown", "source": "10.1000/no"}]}
    assert names(json.dumps({"metadata": {"a": kept, "b": kept}, "cells": cells}), "ipynb") == [
        "10.1000/1"
    ]


@pytest.mark.parametrize(
    ("source", "output"),
    [("10.1000/1", "iVBORw0K" * 50_000), ("10.1000/1", '\n"' * 100_000), ("ab " * 130_000, "")],
)
def test_a_notebook_takes_a_few_times_its_size_of_memory(source, output):
    cell = {"cell_type": "code", "source": "", "outputs": [{"data": {"image/png": output}}]}
    markdown = {"cell_type": "markdown", "source": source + " 10.1000/2"}
    text = json.dumps({"cells": [markdown, cell]})
    names(notebook(("markdown", "10.1000/1")), "ipynb")  # imports what it needs
    found, peak = peak_of(text, "ipynb")
    assert found[-1] == "10.1000/2"
    assert peak < 10 * len(text)


@pytest.mark.parametrize("kind", [pytest.param("markdown", marks=pytest.mark.thorough), "code"])
def test_only_one_cell_of_a_notebook_is_in_memory(kind):
    prose = ["A line of prose, which contains no name.\n"] * 20
    data = {"output_type": "display_data", "data": {"text/html": prose}}
    other = {"cell_type": "code", "source": "", "outputs": [data]}
    cells = [{"cell_type": kind, "source": prose}, other]
    named = {"cell_type": "markdown", "source": [*prose, "See doi:10.1000/182."]}
    text = json.dumps({"cells": [*cells, named] * 200})
    names(notebook(("markdown", "10.1000/1")), "ipynb")  # imports what it needs
    found, peak = peak_of(text, "ipynb")
    assert found == ["10.1000/182"] * 200
    assert peak < len(text) / 2


def peak_of(text, kind):
    """The names of a text, and the octets of memory that it takes to read it."""
    tracemalloc.start()
    try:
        found = names(text, kind)
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
