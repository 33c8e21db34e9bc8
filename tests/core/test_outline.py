"""Which texts of a page belong together, and what names each: tags one after another."""

import re

import pytest

from doilinks.core.outline import Outline

# A page without texts between elements; for each of its texts what names it, and all of its block.
PAGES = {
    "the last row of a head": (
        "<table><thead><tr><td>Names<tr><td>DOI<td>Year</thead><tbody><tr><td>10.1000/1<td>1999",
        [
            ("Names", "", "| Names |"),
            ("DOI", "", "| DOI | Year |"),
            ("Year", "", "| DOI | Year |"),
            ("10.1000/1", "DOI", "| 10.1000/1 | 1999 |"),
            ("1999", "Year", "| 10.1000/1 | 1999 |"),
        ],
    ),
    "a first row of headings": (
        "<table><tr><th>DOI<tr><td>10.1000/1</table>",
        [("DOI", "", "| DOI |"), ("10.1000/1", "DOI", "| 10.1000/1 |")],
    ),
    "a row with a cell of text": (
        "<table><tr><th>DOI<td>10.1000/1<tr><td>10.1000/2</table>",
        [
            ("DOI", "", "| DOI | 10.1000/1 |"),
            ("10.1000/1", "", "| DOI | 10.1000/1 |"),
            ("10.1000/2", "", "| 10.1000/2 |"),
        ],
    ),
    "a table in a cell": (
        "<table><tr><th>A<th>DOI<tr><td><table><tr><td>x</table><td>10.1000/1</table>",
        [
            ("A", "", "| A | DOI |"),
            ("DOI", "", "| A | DOI |"),
            ("x", "", "| x |"),
            ("10.1000/1", "DOI", "|  | 10.1000/1 |"),
        ],
    ),
    "paragraphs of a definition": (
        "<dl><dt>DOI<dd><p>10.1000/1</p><p>a</p></dl>b",
        [
            ("DOI", "", "DOI\n\n10.1000/1\n\na"),
            ("10.1000/1", "DOI", "DOI\n\n10.1000/1\n\na"),
            ("a", "", "DOI\n\n10.1000/1\n\na"),
            ("b", "", "b"),
        ],
    ),
    "a definition with more than paragraphs": (
        "<dl><dt>DOI<dd><div>10.1000/1</div><p>a</p><dd>b</dl>",
        [("DOI", "", "DOI"), ("10.1000/1", "", "10.1000/1"), ("a", "", "a"), ("b", "", "DOI\n\nb")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_what_belongs_together(name):
    page, expected = PAGES[name]
    outline, blocks = Outline(), []
    for closes, tag, text in re.findall("<(/?)(\\w+)>|([^<]+)", page):
        if text:
            blocks.append(outline.block(text))
        else:
            (outline.close if closes else outline.open)(tag)
    assert [(each.own, each.head, each.text()) for each in blocks] == expected
