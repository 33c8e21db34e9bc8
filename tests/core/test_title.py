"""Which texts of a link are the DOI itself, which are another one, and which are neither."""

import pytest

from doilinks import DOI
from doilinks.core.link import frame_of, other_doi

from ..tools.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("text", "name", "names"), TABLES["what_a_text_names"])
def test_what_a_text_names(text, name, names):
    """The name of its link, that of another work, or neither."""
    other = other_doi(text, DOI(name))
    assert (other and other.name) == (names if names.startswith("10") else None)
    if names:
        assert (frame_of(text, DOI(name)) is not None) == (names == "the name")
