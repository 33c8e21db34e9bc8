"""The blocks of a reStructuredText document that are left out say nothing about its names."""

from __future__ import annotations

from functools import partial
from random import Random

from doilinks.core.options import Options
from doilinks.sources import markdown, rest

from ..tools.proof import number
from ..tools.tables import tables
from ..tools.unsieved import names_in, unsieved

TABLES = tables(__file__)

# Blocks of reStructuredText. What one means may depend on the blocks around it.
REST_BLOCKS = TABLES["rest_blocks"]


def test_a_block_means_the_same_without_the_blocks_that_are_left_out():
    chance = Random(16)
    rounds = number("blocks of rst in a row", "each", 800, one_in=5)
    shorter = found = 0
    for _ in range(rounds):
        some = chance.choices(REST_BLOCKS, k=chance.randint(1, 5))
        first, last = chance.choice(((), ("Words.",))), ("Some words.", "See 10.1000/last.\n")
        text = "\n\n".join((*first, *some, *last))
        names = names_in(text, "rst")
        assert names == unsieved(text, "rst"), text
        shorter += rest.relevant(text, Options()) != text
        found += len(names)
    assert shorter > rounds / 4
    assert found > rounds


def test_a_block_of_markdown_means_the_same_without_those_that_are_stepped_over(monkeypatch):
    over = []
    monkeypatch.setattr(markdown, "_plain", partial(_keeping, markdown._plain, over))
    markdown._parser.cache_clear()
    chance = Random(53)
    rounds = number("blocks of md in a row", "each", 6_000, one_in=12)
    found = 0
    for _ in range(rounds):
        some = [
            block + chance.choice(("\n\n", "\n\n", "\n\n\n", "\n", "\n \n"))
            for block in chance.choices(TABLES["markdown_blocks"], k=chance.randint(1, 6))
        ]
        text = "".join((*some, "See 10.1000/last.\n"))
        names = names_in(text, "md")
        assert names == unsieved(text, "md"), text
        found += len(names)
    markdown._parser.cache_clear()
    assert len(over) > rounds / 4
    assert found > rounds


def _keeping(rule, over, *arguments, **options):
    is_over = rule(*arguments, **options)
    over += [is_over] if is_over else []
    return is_over


def test_a_list_after_a_block_that_is_left_out_is_not_literal():
    text = "See 10.1000/182::\n\nNo literal block.\n\n- 10.1000/183\n"
    assert [str(each) for each in names_in(text, "rst")] == [
        str(each) for each in unsieved(text, "rst")
    ]
    assert len(names_in(text, "rst")) == 2


def test_a_role_of_one_document_is_unknown_in_the_next():
    page = "See :work:`10.1000/182` and 10.5.\n"
    assert not names_in(page, "rst")
    assert names_in(f".. role:: work(doi)\n\n{page}", "rst")
    assert not names_in(page, "rst")


def test_a_target_on_a_line_of_its_own_is_in_no_block_of_text():
    text = ":Field: of the metadata\n\n__ https://doi.org/10.1000/182\n\n`See`__.\n"
    assert [block for _, block in names_in(text, "rst")] == [None]
