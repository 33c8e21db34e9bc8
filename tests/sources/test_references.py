"""Which texts of a source are references, and whether they have a DOI."""

from pathlib import Path

import pytest

from doilinks.core.options import Options
from doilinks.sources.references import is_reference, references

from ..tools.places import cases

CASES = cases(Path(__file__).with_name("references"))


@pytest.mark.parametrize(("kind", "text", "expected"), CASES)
def test_the_references_of(kind, text, expected):
    found = references(text, kind, Options())
    firsts = [(each.line, each.has_doi, each.text.split("\n")[0]) for each in found]
    said = [f"{line} {'has' if has else 'lacks'}: {first}" for line, has, first in firsts]
    assert said == expected.splitlines()


@pytest.mark.parametrize("kind", ["rst", "md", "txt", "adoc", "py", "pyx", "tex", "rd", "bib"])
@pytest.mark.parametrize(
    "unit",
    ["", "a", "\\references{ a\n\n", "@book{", "[1] ", "# References\n* x 2000\n", '"""', "{"],
)
def test_no_text_is_too_odd(unit, kind):
    assert [each for each in references(unit * 2_000, kind, Options()) if each.has_doi] == []


@pytest.mark.parametrize(
    "text",
    ["", "2000", "https://example.org/2000", "We have measured this in 2000.", "See the manual, 2000.",
     "x" * 20_000],
)  # fmt: skip
def test_what_is_no_reference(text):
    assert not is_reference(text)


def test_people_before_a_colon():
    assert is_reference("Paskin N and Miller A: Comparing names. Journal of Names 2:193-218, 1985.")


def test_columns_are_no_reference():
    text = "References\n==========\n\n[1] Berg, B. (2003). The old towers   [2] Miller, M. (2004). Flour\n    of Rome. Moons 3.                 and salt. Moons 4.\n"
    assert references(text, "txt", Options()) == []
    assert len(references(text.replace("towers   [2]", "towers. [2]"), "txt", Options())) == 1
