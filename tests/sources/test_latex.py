"""LaTeX: which names of a document count, where they are, and what is around them."""

from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.places import names


def test_groups_may_be_nested_deeply():
    deep = "{" * 10_000 + "doi:10.1000/1" + "}" * 10_000
    assert names(deep, "tex") == ["10.1000/1"]
    assert names(f"\\href{{https://doi.org/10.1000/2}}{{{deep}}} 10.1000/3", "tex") == [
        "10.1000/2", "10.1000/3",
    ]  # fmt: skip


def test_the_rest_of_a_command_whose_argument_is_no_name_is_not_prose():
    (found,) = read(r"\url{see 10.1000/1}, Doe 2001.", "tex", Options(), blocks=True)
    assert found.span == (9, 18)
    assert names(r"\url{10.1000/1 10.1000/a}b", "tex") == ["10.1000/1", "10.1000/a"]
