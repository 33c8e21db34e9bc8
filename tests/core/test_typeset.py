"""Where lines may end inside a DOI."""

import pytest

from doilinks import DOI
from doilinks.core.markup import pieces

from ..tools import names


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("", []),
        ("10.1000/182", ["10.1000/182"]),
        ("doi:10.1000/456%23789", ["doi:10.1000/", "456%23789"]),
        (
            "https://doi.org/10.5281/zenodo.1234567",
            ["https://doi.org/10.5281/", "zenodo.", "1234567"],
        ),
        ("10.1175/1520-0493(1972)100", ["10.1175/", "1520", "-0493", "(1972)100"]),
        ("doi:10.18260/1-2--11357", ["doi:10.18260/", "1-2--11357"]),
        ("10.1000/" + "a" * 40, ["10.1000/", "a" * 16, "a" * 16, "a" * 8]),
        ("10.1000/" + "a\u0301" * 3, ["10.1000/", "a\u0301" * 2 + "a\u0301"]),
    ],
)
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
