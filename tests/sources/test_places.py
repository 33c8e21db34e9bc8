"""Which names of a document count, in which form and where, and what stands around them: data files.

In a document of ``places``, a mark stands before each name. In the blocks of ``blocks``, a sign
stands for the end of a line.
"""

from pathlib import Path

import pytest

from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.places import PLACES, cases, rows, unmarked


@pytest.mark.parametrize(("kind", "marked", "expected"), PLACES)
def test_a_document(kind, marked, expected, capfd):
    text, places = unmarked(marked)
    found = rows(text, kind)
    assert [f"{form} {name}" for name, _, _, form in found] == expected.splitlines()
    assert [(line, column) for _, line, column, _ in found] == places
    assert capfd.readouterr() == ("", "")  # docutils would print what is wrong with a document


BLOCKS = cases(Path(__file__).with_name("blocks"))


@pytest.mark.parametrize(("kind", "text", "expected"), BLOCKS)
def test_the_block_around_each_name(kind, text, expected):
    found = [each.block.strip() for each in read(text, kind, Options(), blocks=True)]
    assert [block.replace("\n", "⏎") for block in found] == expected.splitlines()
