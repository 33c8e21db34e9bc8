"""Which names of a document count, in which form and where: the cases of ``places``.

In a document, a mark stands before each name.
"""

import pytest

from ..tools.places import PLACES, rows, unmarked


@pytest.mark.parametrize(("kind", "marked", "expected"), PLACES)
def test_a_document(kind, marked, expected, capfd):
    text, places = unmarked(marked)
    found = rows(text, kind)
    assert [f"{form} {name}" for name, _, _, form in found] == expected.splitlines()
    assert [(line, column) for _, line, column, _ in found] == places
    assert capfd.readouterr() == ("", "")  # docutils would print what is wrong with a document
