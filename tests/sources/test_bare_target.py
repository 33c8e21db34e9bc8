"""A link whose target is nothing but a name: a remark, a warning, and a rule of its own."""

import json

import pytest

from ..tools.command import doilinks

TEXTS = {
    "md": "See [a paper](10.1000/182) and [b].\n\n[b]: 10.1000/a%3Cb\n",
    "rst": "See `a paper <10.1000/182>`__ and b_.\n\n.. _b: 10.1000/a%3Cb\n",
}
SAID = "this target leads to a file, and there is none: write https://doi.org/10.1000/{}"
NAMES = ("182", "a%3Cb")


@pytest.mark.parametrize("kind", TEXTS)
def test_scan_remarks_on_it(kind, tmp_path):
    (tmp_path / f"a.{kind}").write_text(TEXTS[kind])
    code, out, err = doilinks("scan", "--format", "json", ".", cwd=tmp_path)
    rows = json.loads(out)
    assert (code, err) == (0, "")
    assert [(row["form"], row["line"]) for row in rows] == [("target", 1), ("target", 3)]
    remarks = [remark for row in rows for remark in row["remarks"]]
    assert remarks == [{"code": "bare-target", "message": SAID.format(name)} for name in NAMES]


@pytest.mark.parametrize("kind", TEXTS)
def test_the_check_warns(kind, tmp_path):
    (tmp_path / f"a.{kind}").write_text(TEXTS[kind])
    flags = ("check", "--offline", "--check-unknown", "ignore", "--format")
    code, out, _ = doilinks(*flags, "json", ".", cwd=tmp_path)
    problems = json.loads(out)["problems"]
    assert code == 0
    said = [(each["severity"], each["code"], each["message"], each["line"]) for each in problems]
    assert said == [
        ("warning", "doi-bare-target", SAID.format(name), line)
        for name, line in zip(NAMES, (1, 3), strict=True)
    ]
    rules = json.loads(doilinks(*flags, "sarif", ".", cwd=tmp_path)[1])["runs"][0]["results"]
    assert [(each["ruleId"], each["level"]) for each in rules] == [
        ("doi-bare-target", "warning")
    ] * 2


def test_fix_changes_it_only_if_asked_to(tmp_path):
    (tmp_path / "a.md").write_text(TEXTS["md"])
    assert doilinks("fix", "a.md", cwd=tmp_path)[1:] == ("0 changes made, in 0 of 1 file\n", "")
    doilinks("fix", "--select", "doi-bare-target", "a.md", cwd=tmp_path)
    assert (tmp_path / "a.md").read_text() == TEXTS["md"].replace(
        "10.1000", "https://doi.org/10.1000"
    )


@pytest.mark.parametrize("there", ["10.1000/182", "10.1000/182.md", "10.1000/182/index.html"])
def test_a_file_or_folder_may_have_that_name(there, tmp_path):
    (tmp_path / "docs" / there).parent.mkdir(parents=True)
    (tmp_path / "docs" / there).write_text("a")
    (tmp_path / "docs/a.md").write_text(
        "[a paper](10.1000/182), [c](10.1000/182.md#a), [d](10.5/a)\n"
    )
    assert doilinks("scan", "docs/a.md", cwd=tmp_path)[1].startswith("0 DOIs")


def test_what_is_ignored_code_or_a_label_is_not_said(tmp_path):
    (tmp_path / "a.md").write_text(
        "(10.1000/2)=\n`[a](10.1000/182)` [b](10.5555/1) [c](10.1000/2)\n"
    )
    out = doilinks("scan", "--ignore", "10.5555", "a.md", cwd=tmp_path)[1]
    assert out.startswith(("0 DOIs", "a.md:1"))
