"""Which texts of a page belong together, and what names each: tags one after another."""

import re

import pytest

from doilinks.core.outline import Outline

from ..tools.tables import tables

TABLES = tables(__file__)

# A page without texts between elements; for each of its texts what names it, and all of its block.
PAGES = TABLES["pages"]


@pytest.mark.parametrize("name", PAGES)
def test_what_belongs_together(name):
    page, expected = PAGES[name]
    outline, blocks = Outline(), []
    for closes, tag, text in re.findall("<(/?)(\\w+)>|([^<]+)", page):
        if text:
            blocks.append(outline.block(text))
        else:
            (outline.close if closes else outline.open)(tag)
    assert [[each.own, each.head, each.text()] for each in blocks] == expected


def test_a_cell_that_spans_many_columns():
    """The next cell is below the heading of its own column, and no cell is made of the others."""
    outline, blocks = Outline(), []
    for tag, texts in (("th", ("a", "b")), ("td", ("c", "d"))):
        outline.open("tr")
        for text in texts:
            outline.open(tag)
            blocks.append(outline.block(text))
            outline.close(tag)
            outline.span(10**9)
        outline.close("tr")
    assert [each.head for each in blocks] == ["", "", "a", "b"]
    assert blocks[-1].text() == "| c | d |"
