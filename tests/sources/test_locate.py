"""The place of a text that a parser has changed, in its source."""

import pytest

from doilinks.files.sources.locate import Locator

# What a parser gives, and a source; the place begins and ends at a mark. One mark: it is not found.
MARKDOWN = [
    ("10.1000/a_b", r"see ▸10.1000/a\_b▸ and"),
    ("10.1000/a&b", "see ▸10.1000/a&amp;b▸."),
    ("10.1000/a&amp;b c", "`▸10.1000/a&amp;b\n> c▸`"),
    ("https://doi.org/10.1000/%C3%81", "[a](▸https://doi.org/10.1000/Á▸)"),
    ("https://doi.org/10.1000/a%20%3Cb%3E", "[a](<▸https://doi.org/10.1000/a \\<b>▸>)"),
    ("a 10.1000/a > b", "[▸a\n>  10.1000/a &gt; b▸](c)"),
    ("10.1000/a\ufffdb_c", "▸10.1000/a\0b\\_c▸"),
    ("10.1000/(x)<y>", "▸10.1000/(x)\\<y>▸\n> b"),
    ("10.1000/(x)<y>", "| a | ▸10.1000/(x)\\<y\\>▸ | b |"),
    ("10.1000/a|b", "| ▸10.1000/a\\|b▸ |"),
    ("10.1000/a%20_", "▸10.1000/a%20\\_▸  b"),
    ("10.1000/a_b", "▸10.1000/ab"),
]
RST = [
    ("10.1000/a&lt", r"▸10\.1000/a&lt▸; b"),  # there are no entities
    ("10.1000/a\\b_", "▸10.1000/a\\\\b\\_▸"),
    ("a   10.1000/a", "``▸a\n\t10.1000/a▸``"),
    ("10.1000/%41", r"▸10.1000/\A"),
]


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
