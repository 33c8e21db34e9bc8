"""How the DOI of a reference that has none is written, in the form of its place."""

from pathlib import Path

import pytest

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.sources import read
from doilinks.sources.references import Reference, references
from doilinks.tools.fix import Missing, Original, mend
from doilinks.tools.fix.missing import has_name

from ..tools.places import cases

NAME = DOI("10.1000/182")
LONG = "Paskin, N. and Miller, A. (2000). *A handbook of names for digital objects*. IDF"


def written(text, kind, name=NAME, *, roles=False, wanted=("doi-missing",)):
    found = references(text, kind, Options())
    missing = Missing({each.text: name for each in found if not each.has_doi}, roles)
    done = mend(Original(text.encode(), kind), kind, Options(), frozenset(wanted), missing=missing)
    after = done.octets.decode()
    again = references(after, kind, Options()) if done.changes else []
    assert all(each.has_doi for each in again)
    assert not mend(
        Original(done.octets, kind), kind, Options(), frozenset(wanted), missing=missing
    ).changes
    return after


REST = ".. [1] Paskin, N. Handbook of names. 2000{}\n"
CASES = cases(Path(__file__).with_name("missing"))


@pytest.mark.parametrize(("kind", "before", "after"), CASES)
def test_the_form_of_the_place(kind, before, after):
    assert written(before, kind) == after


def test_a_role_if_the_project_has_it():
    assert ":doi:`10.1000/182`" in written(REST.format("."), "rst", roles=True)


def test_only_if_the_rule_is_wanted():
    assert written(REST.format("."), "rst", wanted=["doi-resolver"]) == REST.format(".")


@pytest.mark.parametrize(
    "name", ["10.1000/a_b*c", "10.1000/a<b>;2-c", "10.1000/a`b", "10.1000/a(b)c", "10.1000/ab%2Fc"]
)
@pytest.mark.parametrize("kind", ["rst", "md", "tex", "bib", "py", "rd"])
def test_an_odd_name_is_read_as_it_is_or_not_written(name, kind):
    texts = {
        "md": "[^1]: Paskin, N. (2000). *Handbook of names*.\n",
        "tex": "\\bibitem{a} N. Paskin. Handbook of names. 2000.\n\n",
        "bib": "@book{a,\n  author = {Paskin, Norman},\n  title = {Handbook},\n  year = 2000\n}\n",
        "py": '"""F.\n\n.. [1] Paskin, N. A handbook. 2000.\n"""\n',
        "rd": "\\references{\nPaskin, N. (2000). \\emph{Handbook of names}.\n}\n",
    }
    before = texts.get(kind, REST.format("."))
    after = written(before, kind, DOI(name))
    found = [each.doi for each in read(after, kind, Options())]
    assert found == [DOI(name)] or after == before


@pytest.mark.parametrize(
    ("kind", "begin", "rest", "is_written"),
    [
        ("md", "", "Springer, Berlin. doi:10.1000/183\n", False),
        ("md", "- ", "  and more\n  17. 1-9. <https://doi.org/10.1000/183>\n", False),
        ("md", "- ", "- Miller, A. (2001). Names. doi:10.1000/183\n", True),
        ("md", "1. ", "2. Miller, A. (2001). Names. doi:10.1000/183\n", True),
        ("rst", ".. [1] ", "   Names, vol.\n   17. :doi:`10.1000/183`\n", False),
        ("rst", ".. [1] ", ".. [Mil00] Miller, A. :doi:`10.1000/183`\n", True),
        ("rst", ".. [1] ", "\nSee :doi:`10.1000/183`\n", True),
    ],
)
def test_a_reference_gets_no_second_name_whatever_its_reader_says(kind, begin, rest, is_written):
    text = f"{begin}{LONG}.\n{rest}"
    reference = Reference(len(begin), len(begin) + len(LONG) + 1, len(text), f"{LONG}.", "text")
    assert has_name(text, reference) is not is_written


def test_line_ends_stay():
    text = f".. [1] {LONG}.\r\n"
    missing = Missing({f"{LONG}.": NAME})
    done = mend(Original(text.encode(), "rst"), "rst", Options(), {"doi-missing"}, missing=missing)
    assert done.octets.decode() == f".. [1] {LONG},\r\n   doi:10.1000/182.\r\n"
