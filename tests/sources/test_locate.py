"""The place of a text that a parser has changed, in its source."""

import pytest

from doilinks.sources.locate import Locator

from ..tools.tables import tables

TABLES = tables(__file__)

# What a parser gives, and a source; the place begins and ends at a mark. One mark: it is not found.
MARKDOWN = TABLES["markdown"]
RST = TABLES["rst"]


@pytest.mark.parametrize(
    ("written", "marked", "encoded"),
    [(*row, True) for row in MARKDOWN] + [(*row, False) for row in RST],
)
def test_a_text_is_found_in_its_spelling(written, marked, encoded):
    first, *rest = marked.split("▸")
    start = len(first)
    end = start + len(rest[0]) if len(rest) > 1 else start
    text = marked.replace("▸", "")
    assert written not in text
    span = Locator(text, encoded=encoded).find(written, 0, text.count("\n") + 1)
    assert span == (start, end) if start < end else span[0] == span[1]
