"""How the DOI of a reference that has none is written, in the form of its place."""

import pytest

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.files.fix import Missing, Original, mend
from doilinks.files.sources import read
from doilinks.files.sources.references import references

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


# ruff: noqa: ISC004

REST = ".. [1] Paskin, N. Handbook of names. 2000{}\n"
CASES = {
    "before the full stop": ("rst", REST.format("."), REST.format(", doi:10.1000/182.")),
    "without a full stop": ("rst", REST.format(""), REST.format(", doi:10.1000/182")),
    "after a comma": ("rst", REST.format(","), REST.format(", doi:10.1000/182")),
    "a role, as beside it": (
        "rst",
        REST.format(".") + ".. [2] See :doi:`10.1000/183`.\n",
        REST.format(", :doi:`10.1000/182`.") + ".. [2] See :doi:`10.1000/183`.\n",
    ),
    "an address, as beside it": (
        "rst",
        REST.format(".") + ".. [2] See https://doi.org/10.1000/183.\n",
        REST.format(", https://doi.org/10.1000/182.") + ".. [2] See https://doi.org/10.1000/183.\n",
    ),
    "wrapped, with the indentation of a citation": (
        "rst",
        f".. [1] {LONG}.\n",
        f".. [1] {LONG},\n   doi:10.1000/182.\n",
    ),
    "wrapped as the lines before": (
        "rst",
        ".. [1] Paskin, N. and Miller, A.\n       A handbook of names for digital objects and others"
        ", 2000, 12-19.\n",
        ".. [1] Paskin, N. and Miller, A.\n       A handbook of names for digital objects and others"
        ", 2000, 12-19,\n       doi:10.1000/182.\n",
    ),
    "the end of an address is no full stop": (
        "md",
        "[^1]: Paskin, N. (2000). Handbook. https://example.org/a.\n",
        "[^1]: Paskin, N. (2000). Handbook. https://example.org/a., doi:10.1000/182\n",
    ),
    "a footnote of Markdown": (
        "md",
        "[^1]: Paskin, N. (2000). *Handbook of names*.\n",
        "[^1]: Paskin, N. (2000). *Handbook of names*, doi:10.1000/182.\n",
    ),
    "a list below a heading": (
        "md",
        "# References\n\n* Paskin, N. (2000). Handbook of names.\n* Miller, A. 2001. A handbook.\n",
        "# References\n\n* Paskin, N. (2000). Handbook of names, doi:10.1000/182.\n"
        "* Miller, A. 2001. A handbook, doi:10.1000/182.\n",
    ),
    "a docstring": (
        "py",
        'def f():\n    """F.\n\n    References\n    ----------\n    .. [1] Paskin, N. A handbook. 2000.\n'
        '    """\n',
        'def f():\n    """F.\n\n    References\n    ----------\n'
        '    .. [1] Paskin, N. A handbook. 2000, doi:10.1000/182.\n    """\n',
    ),
    "a docstring that ends in the line": (
        "py",
        'def f():\n    """F.\n\n    .. [1] Paskin, N. Handbook of names. 2000."""\n',
        'def f():\n    """F.\n\n    .. [1] Paskin, N. Handbook of names. 2000, doi:10.1000/182."""\n',
    ),
    "a comment": (
        "py",
        f"# References:\n#   [1] {LONG}.\nx = 1\n",
        f"# References:\n#   [1] {LONG},\n#       doi:10.1000/182.\nx = 1\n",
    ),
    "an entry": (
        "bib",
        "@book{a,\n  author = {Paskin, Norman},\n  title = {Handbook},\n  year = 2000\n}\n",
        "@book{a,\n  author = {Paskin, Norman},\n  title = {Handbook},\n  doi = {10.1000/182},\n"
        "  year = 2000\n}\n",
    ),
    "an entry with columns and quotes": (
        "bib",
        '@book{a,\n\tauthor    = "Paskin",\n\tyear      = 2000,\n\ttitle     = "Names",\n}\n',
        '@book{a,\n\tauthor    = "Paskin",\n\tyear      = 2000,\n\tdoi       = "10.1000/182",\n'
        '\ttitle     = "Names",\n}\n',
    ),
    "an entry in one line": (
        "bib",
        "@book{a, author = {Paskin}, title = {Names}, year = {2000}}\n",
        "@book{a, author = {Paskin}, title = {Names}, doi = {10.1000/182}, year = {2000}}\n",
    ),
    "an entry with an empty field": (
        "bib",
        "@book{a, author = {Paskin}, title = {Names}, doi = {}, year = {2000}}\n",
        "@book{a, author = {Paskin}, title = {Names}, doi = {10.1000/182}, year = {2000}}\n",
    ),
    "an item of CSL-JSON": (
        "json",
        '[{"title": "Names", "author": [{"family": "Paskin"}]}]',
        '[{"title": "Names", "DOI": "10.1000/182", "author": [{"family": "Paskin"}]}]',
    ),
    "an item of CSL-JSON on lines": (
        "json",
        '[\n  {\n    "author": [{"family": "Paskin"}],\n    "title": "\\"Names\\""\n  }\n]\n',
        '[\n  {\n    "author": [{"family": "Paskin"}],\n    "title": "\\"Names\\"",\n'
        '    "DOI": "10.1000/182"\n  }\n]\n',
    ),
    "LaTeX": (
        "tex",
        "\\bibitem{a} N. Paskin. Handbook of names. 2000.\n\n",
        "\\bibitem{a} N. Paskin. Handbook of names. 2000, doi:10.1000/182.\n\n",
    ),
    "LaTeX with \\doi": (
        "tex",
        "\\bibitem{a} N. Paskin. Handbook of names. 2000.\n\nSee \\doi{10.1000/183}.\n",
        "\\bibitem{a} N. Paskin. Handbook of names. 2000, \\doi{10.1000/182}.\n\n"
        "See \\doi{10.1000/183}.\n",
    ),
    "LaTeX with \\href": (
        "tex",
        "\\bibitem{a} N. Paskin. Names of all. 2000.\n\n\\href{https://example.org}{x}\n",
        "\\bibitem{a} N. Paskin. Names of all. 2000,\n"
        "\\href{https://doi.org/10.1000/182}{doi:10.1000/182}.\n\n\\href{https://example.org}{x}\n",
    ),
    "R": (
        "rd",
        "\\references{\nPaskin, N. (2000). \\emph{Handbook of names}.\n}\n",
        "\\references{\nPaskin, N. (2000). \\emph{Handbook of names}, \\doi{10.1000/182}.\n}\n",
    ),
    "other names stay where they are": (
        "rst",
        f".. [1] {LONG}.\n.. [2] Miller, A. 2001. A name. doi:10.1000/183\n\nSee doi:10.1000/184.\n",
        f".. [1] {LONG},\n   doi:10.1000/182.\n.. [2] Miller, A. 2001. A name. doi:10.1000/183\n\n"
        "See doi:10.1000/184.\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_form_of_the_place(case):
    kind, before, after = CASES[case]
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
        "md": "[^1]: Paskin, N. (2000). *Handbook of names*.\n", "tex": CASES["LaTeX"][1],
        "bib": CASES["an entry"][1], "py": CASES["a docstring"][1], "rd": CASES["R"][1],
    }  # fmt: skip
    before = texts.get(kind, REST.format("."))
    after = written(before, kind, DOI(name))
    found = [each.doi for each in read(after, kind, Options())]
    assert found == [DOI(name)] or after == before


def test_line_ends_stay():
    text = f".. [1] {LONG}.\r\n"
    missing = Missing({f"{LONG}.": NAME})
    done = mend(Original(text.encode(), "rst"), "rst", Options(), {"doi-missing"}, missing=missing)
    assert done.octets.decode() == f".. [1] {LONG},\r\n   doi:10.1000/182.\r\n"
