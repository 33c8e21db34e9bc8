"""Where lines may end inside a DOI."""

import pytest

from doilinks import DOI
from doilinks.core.markup import pieces

from ..tools import names
from ..tools.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("text", "parted"), TABLES["a_name_is_parted"])
def test_a_name_is_parted(text, parted):
    assert pieces(text) == parted


def test_pieces_make_the_whole_and_are_of_some_length():
    for name in [*names.WEIRD, *names.LONG, *names.real_names()]:
        doi = DOI(name)
        for form in (doi.name, doi.uri, doi.url):
            parted = pieces(form)
            assert "".join(parted) == form
            assert all(3 < len(piece) <= 60 for piece in parted)
            assert not any(piece.endswith("-") for piece in parted[:-1])
