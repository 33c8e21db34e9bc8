"""Which texts of a source are references, and whether they have a DOI."""

from pathlib import Path

import pytest

from doilinks.core.options import Options
from doilinks.sources.references import is_reference, references

from ..tools.places import cases

CASES = cases(Path(__file__).with_name("references"))


@pytest.mark.parametrize(("kind", "text", "expected"), CASES)
def test_the_references_of(kind, text, expected):
    found = [each for each in references(text, kind, Options()) if not each.unread]
    firsts = [(each.line, each.has_doi, each.text.split("\n")[0]) for each in found]
    said = [f"{line} {'has' if has else 'lacks'}: {first}" for line, has, first in firsts]
    assert said == expected.splitlines()


@pytest.mark.parametrize(
    "kind", ["rst", "md", "txt", "adoc", "py", "pyx", "tex", "rd", "bib", "r", "citation"]
)
@pytest.mark.parametrize(
    "unit",
    [
        "",
        "a",
        "\\references{ a\n\n",
        "@book{",
        "[1] ",
        "# References\n* x 2000\n",
        '"""',
        "{",
        "bibentry(",
        'title = "',
    ],
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
    assert [each.unread for each in references(text, "txt", Options())] == ["two columns"]
    assert len(references(text.replace("towers   [2]", "towers. [2]"), "txt", Options())) == 1


@pytest.mark.parametrize("heading", [
    "References", "Literaturverzeichnis", "Weiterführende Literatur:", "Bibliografía", "Références bibliographiques",
    "Riferimenti", "参考文献", "Literatuur", "Źródła", "Referências", "Список литературы", "参考文献：",
])  # fmt: skip
def test_headings_in_the_languages_of_the_table(heading):
    mark = "" if heading[-1] in ":：" else "## "
    found = references(f"{mark}{heading}\n\n* Paskin, N. (2000). Names of all.\n", "md", Options())
    assert [each.unread for each in found] == [""]


@pytest.mark.parametrize(("item", "reason"), [
    ("Paskin, N.: A handbook of names.", "it has neither year nor volume"),
    ("The manual of names, Oxford 2000", "it names nobody"),
    ("Tools for names", None),
])  # fmt: skip
def test_why_an_item_is_not_read(item, reason):
    found = references(f"# References\n\n* {item}\n", "md", Options())
    assert [each.unread for each in found] == ([reason] if reason else [])
    assert references(f"# Use\n\n* {item}\n", "md", Options()) == []
