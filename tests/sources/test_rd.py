"""R documentation: which names count, where they are, and what is around them."""

import pytest

from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.places import document, names


def test_the_block_is_the_entry():
    text = document("R: the strings of an entry")
    blocks = [each.block for each in read(text, "r", Options(), blocks=True)]
    assert blocks[2].startswith("bibentry(")
    assert blocks[2].endswith('10.1000/5."))')
    assert blocks[2] == blocks[4]
    assert blocks[5] == 'bibentry("Misc", doi = "", DOI="10.1000/6<7>")'


@pytest.mark.parametrize("broken", ['bibentry("a', "bibentry(", "bibentry(()", "citEntry(doi='"])
def test_an_entry_may_be_broken(broken):
    assert names(f"# 10.1000/1\n{broken}", "r") == ["10.1000/1"]


def test_another_file_of_that_name_is_a_text():
    assert names("If you use it, cite 'doi:10.1000/1'.\n", "citation") == ["10.1000/1"]


def test_the_block_of_a_description_is_a_field():
    found = list(read(document("R: a description"), "dcf", Options(), blocks=True))
    assert [each.block.split(":")[0] for each in found] == ["Description"] * 3 + ["URL"] * 2


def test_a_function_of_another_name_cites_nothing():
    assert names(
        'my.bibentry("10.1000/1"); x_bibentry("10.1000/1"); bibentry("10.1000/2")', "r"
    ) == ["10.1000/2"]
