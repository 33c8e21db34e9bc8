"""The fuzz targets hold for their seeds, and for what fuzzing has found."""

from __future__ import annotations

import pytest
from fuzz.run import seeds_of
from fuzz.targets import SEEDS, TARGETS

from doilinks import DOI, InvalidDOI, scan
from doilinks.core.options import Options
from doilinks.files.sources import read

from ..tools.proof import sample


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_holds_for_its_seeds(target):
    run = TARGETS[target]()
    turn = list(TARGETS).index(target)
    assert len(SEEDS) > 200
    taken = sample("seeds of fuzzing", target, SEEDS, one_in=24, turn=turn)
    for seed in seeds_of(target, tuple(taken)):
        run(seed)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\x00\xed\xa0\x80 10.1000/\xed\xa0\x80",
        b"\x00https://doi.org/10011.6/",
        b"\x0010.1000/a\\\x00b\x0b\x0c\x1c\x85 10.1000/a",
        b"\x00urn:doi:/10.1000/a, urn:doi://10.1000/b, urn:doi :10.1000/c",
        b"\x0210.1002/6\xb710.1002/c\xe3\x82\x92{}",
        b"\x00Write \\```python to begin. See 10.1000/182.",
    ],
)
def test_a_target_holds_for_what_was_found(target, data):
    TARGETS[target]()(data)


@pytest.mark.parametrize("text", ["10.1000/adoi.org/10.1000/a", "10.5555/doi.org/cr3qwn"])
def test_no_name_is_found_inside_another(text):
    assert [(match.start, match.end) for match in scan(text)] == [(0, len(text))]


def test_a_urn_with_an_encoded_slash_keeps_its_colons():
    assert DOI.parse("urn:doi:10.1000%2Fa:b").name == "10.1000/a:b"


def test_a_placeholder_before_a_query_is_no_name():
    assert list(scan("https://doi.org/10.1000/%2E?doi.org/10.1000/")) == []


def _names(text, kind):
    return [(found.doi.name, found.line) for found in read(text, kind, Options())]


def test_fields_behind_one_that_is_never_closed_are_read_line_by_line():
    text = '@a{b,\n doi = {10.1000/1\n doi = {10.1000/2},\n note = {x,\n doi = "10.1000/3\n'
    text += "@a{c, doi = {\n10.1000/4}}"
    assert _names(text, "bib") == [
        ("10.1000/1", 2),
        ("10.1000/2", 3),
        ("10.1000/3", 5),
        ("10.1000/4", 7),
    ]


def test_a_reference_to_a_number_of_thousands_of_digits_does_not_hide_the_page():
    page = f'<a href="&#{"1" * 5000};">a</a> 10.1000/182'
    assert _names(page, "html") == [("10.1000/182", 1)]


def test_directives_in_hundreds_of_directives_are_no_recursion():
    fences = ["`" * n for n in range(303, 3, -1)]
    text = "\n".join(f"{fence}{{note}}" for fence in fences) + "\n10.1000/182\n"
    text += "\n".join(reversed(fences))
    assert _names("10.1000/181\n\n" + text, "md") == [("10.1000/181", 1)]


def test_a_role_of_angle_brackets_is_read_in_linear_time():
    assert _names("{doi}`" + "<  >  " * 20_000 + "x 10.1000/a`", "md") == []


def test_a_name_that_the_parser_has_changed_is_at_its_place():
    text = "See 10.1000/a\0" + "\0b" * 500 + " and 10.1000/b."
    assert [line for _, line in _names(text, "md")] == [1, 1]
    assert next(read(text, "md", Options())).column == 5


def test_digits_that_are_no_shortdoi_are_refused():
    with pytest.raises(InvalidDOI):
        DOI.parse("https://doi.org/10")
    assert DOI.parse("https://doi.org/10011").name == "10/10011"
