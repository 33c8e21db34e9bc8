"""A DOI as fields of bibliographies contain it."""

import pytest

from doilinks import DOI, InvalidDOI
from doilinks.core.field import doi_in_field, of_field
from doilinks.core.text import plain_field

from ..tools.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("written", "name"), TABLES["latex_and_references_are_undone"])
def test_latex_and_references_are_undone(written, name):
    assert plain_field(written) == name
    assert doi_in_field(written).name == name
    made = of_field(f"https://doi.org/{written}", f"doi:{written}")
    assert made == (DOI(name).url, DOI(name).uri)


@pytest.mark.parametrize(("written", "name"), TABLES["a_field_is_read_as_a_name_is_everywhere"])
def test_a_field_is_read_as_a_name_is_everywhere(written, name):
    assert doi_in_field(written) == DOI(name)


def test_a_field_without_a_doi():
    with pytest.raises(InvalidDOI):
        doi_in_field(r"{\_}")
