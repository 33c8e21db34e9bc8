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
