"""AsciiDoc: which names of a document count, where they are, and what is around them."""

from doilinks.core.options import Options
from doilinks.files.sources import read


def test_the_block_is_a_paragraph_or_an_item():
    found = read("* J. Doe. A. doi:10.1000/1\n* R. Roe. B. doi:10.1000/2\n\nC\n", "adoc", Options(), blocks=True)  # fmt: skip
    assert [each.block for each in found] == [
        "* J. Doe. A. doi:10.1000/1", "* R. Roe. B. doi:10.1000/2",
    ]  # fmt: skip
