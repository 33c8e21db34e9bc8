"""What is for a DOI name and has none: an error of the check in every type, at its place."""

import json

import pytest

from ..tools.command import doilinks

ODD = "https://doi.org/abc"
LINKS = {  # each with a link for %s
    "md": "See\n[a](%s) there.\n",
    "Rmd": "See\n[a][b].\n\n[b]: %s\n",
    "rst": "See\n`a <%s>`__.\n",
    "html": "<!DOCTYPE html><p>\n<a href='%s'>a</a></p>\n",
    "xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>\n<a href="%s">a</a></p></body></html>\n',
    "tex": "See\n\\href{%s}{a}.\n",
    "ltx": "See\n\\url{%s}.\n",
    "typ": 'See\n#link("%s")[a].\n',
    "adoc": "See\n%s[a].\n",
    "rd": "\\name{a}\n\\references{\\href{%s}{a}}\n",
    "R": "#' A.\n#' \\href{%s}{a}\n",
    "py": '"""See\n`a <%s>`__."""\n',
    "ipynb": json.dumps({"cells": [{"cell_type": "markdown", "source": ["\n", "[a](%s)"], "metadata": {}}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}),
}  # fmt: skip
FIELDS = {
    "a.rst": ":doi:`1016/j.x`",
    "a.md": "{doi}`1016/j.x`",
    "a.tex": "\\doi{1016/j.x}",
    "a.Rd": "\\references{\\doi{1016/j.x}}",
    "a.R": "#' \\doi{1016/j.x}",
    "a.bib": "@misc{a, doi = {1016/j.x}}",
    "a.cff": "doi: 1016/j.x",
    "codemeta.json": '{"DOI": "1016/j.x"}',
    "a.ris": "TY  - JOUR\nDO  - 1016/j.x1",
    "csl.yaml": "- id: a\n  DOI: 1016/j.x1",
    "flow.yaml": "- {id: a, type: book, DOI: 1016/j.x1}",
    "csl.xyz": '[{"DOI":"1016/j.x1"}]',
    "jats.xml": '<pub-id pub-id-type="doi">1016/j.x1</pub-id>',
    "a.typ": '#let doi = "1016/j.x"',
}


def checked(folder, name, text, *flags):
    (folder / name).write_text(f"{text}\n")
    more = ("--check-unknown", "ignore", "--check-lockfile", "", "--format", "json", *flags)
    code, out, err = doilinks("check", "--offline", *more, name, cwd=folder)
    assert err == ""
    return code, json.loads(out)["problems"]


@pytest.mark.parametrize("kind", LINKS)
def test_a_link(kind, tmp_path):
    code, (problem,) = checked(tmp_path, f"a.{kind}", LINKS[kind].replace("%s", ODD))
    assert (code, problem["code"], problem["severity"]) == (1, "doi-no-name", "error")
    assert problem["message"] == f"no DOI name: {ODD}"
    assert kind in ("Rmd", "ipynb") or problem["line"] == 2
    for quiet in ("https://doi.org/", "https://www.doi.org/index.html", "https://doi.org/$1"):
        assert checked(tmp_path, f"a.{kind}", LINKS[kind].replace("%s", quiet)) == (0, [])


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_with_a_blank_after_the_prefix(name, tmp_path):
    text = FIELDS[name].replace("1016/j.x1", "1016/j.x").replace("1016/j.x", "10.1000/ 182")
    code, problems = checked(tmp_path, name, text)
    if name != "a.typ":
        assert code == 1
        assert [each["code"] for each in problems] == ["doi-no-name"]


@pytest.mark.parametrize("name", FIELDS)
def test_a_field(name, tmp_path):
    code, (problem,) = checked(tmp_path, name, FIELDS[name])
    assert (code, problem["code"]) == (1, "doi-no-name")
    assert "no DOI name: 1016/j.x" in problem["message"]
    assert "did you mean doi:10.1016/j.x" in problem["message"]


def test_a_key_of_a_bibliography_is_not_for_a_name(tmp_path):
    keys = "The doi {cite}`morency:doin:2004`, {cite:p}`tool-doi-v1.5;1016/j.x` {cite:t}`doi`.\n"
    assert checked(tmp_path, "a.md", keys) == (0, [])
    code, (problem,) = checked(tmp_path, "a.md", f"{keys}{{cite:t}}`a:1;{ODD}`")
    assert (code, problem["message"]) == (1, f"no DOI name: {ODD}")


@pytest.mark.parametrize(
    "path", ["{10.1000/182}", "[10.1000/182]", "%3C10.1000/182%3E", "10.1000\\182"]
)
@pytest.mark.parametrize("kind", ["html", "Rmd", "typ"])
def test_a_name_that_is_not_all_of_the_address(kind, path, tmp_path):
    link = LINKS[kind].replace("%s", f"https://doi.org/{path}")
    code, problems = checked(tmp_path, f"a.{kind}", link)
    assert (code, [each["code"] for each in problems]) == (1, ["doi-no-name"])


@pytest.mark.parametrize("path", [" 10.1000/182", "10.1000/ab\\relax cd"])
def test_an_address_of_latex_with_a_blank(path, tmp_path):
    code, problems = checked(tmp_path, "a.tex", f"\\href{{https://doi.org/{path}}}{{a}}")
    assert (code, [each["code"] for each in problems]) == (1, ["doi-no-name"])


def test_it_is_silenced_and_ignored(tmp_path):
    odd = f"[a]({ODD}) <!-- doilinks: ignore -->"
    assert checked(tmp_path, "a.md", odd) == (0, [])
    two = f"[a]({ODD}) [b](http://dx.doi.org/1O.1000/182)"
    entries = ("--check-ignore", ODD, "--check-ignore", "https://doi.org/1O.*")
    assert checked(tmp_path, "a.md", two, *entries) == (0, [])
    code, problems = checked(tmp_path, "a.md", two, "--check", "warn")
    assert (code, {each["severity"] for each in problems}) == (0, {"warning"})


def test_a_handle_and_a_guess_are_remarks(tmp_path):
    text = "[a](https://doi.org/10779/crick.1) and doi:1O.1000/182"
    code, problems = checked(tmp_path, "a.md", text)
    assert code == 0
    assert [(each["severity"], each["message"]) for each in problems] == [
        ("remark", "no DOI name, perhaps a handle: https://doi.org/10779/crick.1"),
        ("remark", "no DOI name: doi:1O.1000/182 (did you mean doi:10.1000/182?)"),
    ]


def test_scan_says_it_and_lists_no_name(tmp_path):
    (tmp_path / "a.md").write_text(f"[a]({ODD})\n")
    assert doilinks("scan", "-q", "--format", "json", "a.md", cwd=tmp_path)[1:] == (
        "[]\n",
        f"doilinks: a.md:1:5: no DOI name: {ODD}\n",
    )


EMPTY = {
    "md": "[https://doi.org/10.1000/182]() [10.1000/182](#) [10.1000/182](#ref-1)",
    "html": "<p><a href='javascript:;'>10.1000/182</a> <a href=''>doi:10.1000/182</a></p>",
    "tex": "\\href{}{10.1000/182} \\href{\\#}{10.1000/182}",
}
BARE = {
    "html": "<p><a href='10.1000/182'>a</a></p>",
    "tex": "\\href{10.1000/182}{a}",
    "typ": '#link("10.1000/182")[a]',
    "R": "#' \\href{10.1000/182}{a}",
    "adoc": "link:10.1000/182[a]",
    "md": "[a][b]\n\n[b]: 10.1000/182",
}


@pytest.mark.parametrize("kind", EMPTY)
def test_a_name_as_the_text_of_a_link_without_a_target(kind, tmp_path):
    _, problems = checked(tmp_path, f"a.{kind}", EMPTY[kind])
    said = "this link leads nowhere: write https://doi.org/10.1000/182"
    assert [each["message"] for each in problems] == [said] * 2


@pytest.mark.parametrize("kind", BARE)
def test_a_name_as_a_target(kind, tmp_path):
    _, (problem,) = checked(tmp_path, f"a.{kind}", BARE[kind])
    assert problem["code"] == "doi-bare-target"


WHOLE = {  # fields that are more than a name, and one beside them that is prose
    "a.ris": "TY  - JOUR\nDO  - 10.1000/182 (online)\nN1  - doi: 10.1000/183 (online)\n",
    "a.yaml": '- id: a\n  type: book\n  DOI: "10.1000/182 (online)"\n  note: 10.1000/183 (online)\n',
    "b.yaml": "- {id: a, type: book, note: 10.1000/183, DOI: 10.1000/182 (online), title: T}\n",
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_field_of_a_plain_text_that_is_more_than_a_name(name, tmp_path):
    _, (problem,) = checked(tmp_path, name, WHOLE[name])
    said = "the field contains more than doi:10.1000/182: '10.1000/182 (online)'"
    assert (problem["code"], problem["message"]) == ("doi-field", said)
    out = doilinks("scan", "--format", "json", name, cwd=tmp_path)[1]
    assert sorted(each["name"] for each in json.loads(out)) == ["10.1000/182", "10.1000/183"]
