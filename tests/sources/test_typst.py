"""Typst: which names of a document count, where they are, and what is around them."""

from doilinks.core.options import Options
from doilinks.files.sources import read


def test_a_link_whose_text_names_another_work_says_so():
    text = '#link("https://doi.org/10.1000/1")[10.1000\\/2]'
    (found,) = read(text, "typ", Options(), blocks=True)
    assert found.other.name == "10.1000/2"
    assert found.block == text


def test_the_block_is_a_paragraph_or_an_item():
    text = """#grid(
  [A. Doe. #link("https://doi.org/10.1000/1")],
  [B. Roe. doi:10.1000/2],
)
- C. Moe. 10.1000/3
+ D. Loe. 10.1000/4
"""
    blocks = [each.block.strip() for each in read(text, "typ", Options(), blocks=True)]
    assert [block.splitlines()[-1].strip() for block in blocks] == [
        '[A. Doe. #link("https://doi.org/10.1000/1")],', "[B. Roe. doi:10.1000/2],",
        "- C. Moe. 10.1000/3", "+ D. Loe. 10.1000/4",
    ]  # fmt: skip
