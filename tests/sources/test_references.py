"""Which texts of a source are references, and whether they have a DOI."""

import json

import pytest

from doilinks.core.options import Options
from doilinks.files.sources.references import is_reference, references


def found(text, kind):
    return [
        (each.line, each.text.split("\n")[0], each.has_doi)
        for each in references(text, kind, Options())
    ]


# ruff: noqa: ISC004

ITEM = "Paskin, N. (2000). Handbook of names."
CASES = {
    "citations and footnotes": (
        "rst",
        f".. [1] {ITEM}\n.. [#] {ITEM}\n.. [Pas00] {ITEM}\n\n   doi:10.1000/182\n",
        [(1, ITEM, False), (2, ITEM, False), (3, ITEM, True)],
    ),
    "two in a paragraph": (
        "rst",
        f"References\n==========\n\n{ITEM}\nMiller, B., 1971. Cooking with\nflour in Italy.\n",
        [(4, ITEM, False), (5, "Miller, B., 1971. Cooking with", False)],
    ),
    "one in sentences": (
        "rst",
        "References\n==========\n\nPaskin, N.\nHandbook of names.\nMiller, B. (Ed.). 2000.\n",
        [(4, "Paskin, N.", False)],
    ),
    "a name in code": ("rst", f".. [1] {ITEM}\n   DOI:`10.1000/182`\n", [(1, ITEM, True)]),
    "a given name at the end": (
        "rst",
        ".. [1] Trusses for social network analysis. Norman\n   Paskin, 2005.\n"
        ".. [2] Fast alignment kernels. Norman Paskin.\n   ICML 2011.\n.. [3] See the manual, 2000.\n",
        [(1, "Trusses for social network analysis. Norman", False),
         (3, "Fast alignment kernels. Norman Paskin.", False)],
    ),
    "a role for the name": ("rst", f".. [1] {ITEM}\n   :DOI:`10.1000/182`\n", [(1, ITEM, True)]),
    "a field is none": ("rst", f".. [1] {ITEM}\n\n:doi: 10.1000/182\n", [(1, ITEM, False)]),
    "lines with less indentation": ("rst", f"  .. [1] {ITEM}\n doi:10.1000/182\n", [(1, ITEM, True)]),
    "numbered, without a heading": (
        "txt",
        f"[1] {ITEM}\n[2] {ITEM} https://doi.org/10.1000/182\n",
        [(1, ITEM, False), (2, f"{ITEM} https://doi.org/10.1000/182", True)],
    ),
    "lists only below a heading": (
        "md",
        f"# Text\n\n* {ITEM}\n\n# Further reading\n\n* {ITEM}\n1. {ITEM}\n\n{ITEM}\n\n# Use\n\n* {ITEM}\n",
        [(7, ITEM, False), (8, ITEM, False), (10, ITEM, False)],
    ),
    "a heading with a line below": (
        "rst",
        f"References\n==========\n\n* {ITEM}\n\nUse\n===\n\n* {ITEM}\n",
        [(4, ITEM, False)],
    ),
    "a rubric": ("rst", f".. rubric:: References\n\n* {ITEM}\n", [(3, ITEM, False)]),
    "a footnote": ("md", f"[^1]: {ITEM}\n    doi:10.1000/182\n\n[^2]: {ITEM}\n",
                   [(1, ITEM, True), (4, ITEM, False)]),
    "in two lines, with a word broken": (
        "md", "# References\n\n* Paskin, N. (2000). Hand-\n  book of names.\n",
        [(3, "Paskin, N. (2000). Hand-", False)],
    ),
    "code": ("md", f"```\n[1] {ITEM}\n```\n", []),
    "a literal block": ("rst", f"See::\n\n    .. [1] {ITEM}\n", []),
    "a table of two columns": ("md", f"# References\n\n| a | b |\n|---|---|\n| 1 | {ITEM} |\n", []),
    "an address of a publisher is no DOI": (
        "md", f"[^1]: {ITEM} https://www.nature.com/articles/s41586-020-2649-2\n",
        [(1, f"{ITEM} https://www.nature.com/articles/s41586-020-2649-2", False)],
    ),
    "arXiv is no DOI": ("md", f"[^1]: {ITEM} arXiv:2301.00001\n",
                        [(1, f"{ITEM} arXiv:2301.00001", False)]),
    "numpydoc": (
        "py",
        f'def f():\n    """F.\n\n    References\n    ----------\n    .. [1] {ITEM}\n\n    {ITEM}\n\n'
        f'    Notes\n    -----\n    {ITEM}\n    """\n',
        [(6, ITEM, False), (8, ITEM, False)],
    ),
    "Google style": (
        "py",
        f'def f():\n    """F.\n\n    References:\n        {ITEM}\n          Chapter 3.\n        {ITEM}\n\n'
        f'    Returns:\n        {ITEM}\n    """\n',
        [(5, ITEM, False), (7, ITEM, False)],
    ),
    "a value is no docstring": ("py", f'x = """\n.. [1] {ITEM}\n"""\n', []),
    "comments": ("py", f"# References:\n# - {ITEM}\n# - {ITEM}\n#   doi:10.1000/182\nx = 1  # {ITEM}\n",
                 [(2, ITEM, False), (3, ITEM, True)]),
    "BibTeX in a docstring is no text": (
        "py", '"""\n.. [1] @book{a, author = {Paskin, N.}, title = {Names}, year = {2000}}\n"""\n', [],
    ),
    "entries": (
        "bib",
        "@book{a, author={Paskin}, title={Names}}\n@book{b, title={Names}}\n@string{x = {y}}\n"
        "@book{c, author={Paskin}, title={Names}, doi={10.1000/182}}\n",
        [(1, "@book{a, author={Paskin}, title={Names}}", False),
         (4, "@book{c, author={Paskin}, title={Names}, doi={10.1000/182}}", True)],
    ),
    "LaTeX": (
        "tex",
        "\\bibitem[P(2000)]{a} N. Paskin. \\emph{Handbook of names}. 2000.\n% \\bibitem{b} N. Paskin 2000\n"
        "\\bibitem{c} N. Paskin, A handbook, 2000. \\doi{10.1000/182}\n",
        [(1, "N. Paskin. Handbook of names. 2000.", False),
         (3, "N. Paskin, A handbook, 2000. 10.1000/182", True)],
    ),
    "R": (
        "rd",
        "\\title{A}\n\\references{\nPaskin, N. (2000). \\emph{Handbook}.\n\n"
        "Miller, A. (2001). Names of all. \\doi{10.1000/182}\n}\n",
        [(3, "Paskin, N. (2000). Handbook.", False), (5, "Miller, A. (2001). Names of all. 10.1000/182", True)],
    ),
    "another script": ("md", "# References\n\n* 王小明. 名字手册[M]. 北京: 名字出版社有限公司, 2000.\n",
                       [(3, "王小明. 名字手册[M]. 北京: 名字出版社有限公司, 2000.", False)]),
    "a text that says that it has none": ("md", f"[^1]: {ITEM} (no DOI)\n[^2]: {ITEM} DOI: n/a\n", []),
    "a notebook": (
        "ipynb",
        json.dumps({"cells": [
            {"cell_type": "markdown", "metadata": {},
             "source": ["# References\n", "\n", f"1. {ITEM}\n", f"2. {ITEM} doi:10.1000/182"]},
            {"cell_type": "code", "metadata": {}, "source": [f"# [1] {ITEM}"]},
        ], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}, indent=1),
        [(9, ITEM, False), (10, f"{ITEM} doi:10.1000/182", True)],
    ),
    "CSL-JSON": (
        "json",
        json.dumps([
            {"title": 'A "name"', "author": [{"family": "Paskin", "given": "Norman"}],
             "container-title": "Journal", "volume": "3", "issued": {"date-parts": [[2000]]}},
            {"title": "Nobody"}, {"author": [{"family": "Paskin"}]}, "title",
            {"title": "Names", "author": [{"family": "Paskin"}], "note": "DOI: 10.1000/182"},
        ]),
        [(1, 'Paskin, N. (2000). A "name". Journal, 3.', False), (1, "Paskin (n.d.). Names.", True)],
    ),
    "metadata of a project are no references": ("json", '{"title": "Names", "author": "Paskin"}', []),
    "nothing": ("rst", "", []),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["rst", "md", "txt", "adoc", "py", "pyx", "tex", "rd", "bib"])
@pytest.mark.parametrize(
    "unit",
    ["", "a", "\\references{ a\n\n", "@book{", "[1] ", "# References\n* x 2000\n", '"""', "{"],
)
def test_no_text_is_too_odd(unit, kind):
    assert [each for each in references(unit * 2_000, kind, Options()) if each.has_doi] == []


@pytest.mark.parametrize("case", CASES)
def test_the_references_of(case):
    kind, text, expected = CASES[case]
    assert found(text, kind) == expected


@pytest.mark.parametrize(
    "text",
    ["", "2000", "https://example.org/2000", "We have measured this in 2000.", "See the manual, 2000.",
     "x" * 20_000],
)  # fmt: skip
def test_what_is_no_reference(text):
    assert not is_reference(text)
