"""What CI systems read: SARIF, GitLab's Code Quality and JUnit, against their own rules."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import get_args

import jsonschema
import pytest
from lxml import etree
from markdown_it import MarkdownIt

import doilinks.check
from doilinks import DOI
from doilinks.ask.names.codes import CODES, address
from doilinks.check import Problem, Severity, check, render
from doilinks.core.doi import Form
from doilinks.core.options import Options
from doilinks.core.printable import printable
from doilinks.record.kinds import Status
from doilinks.record.work import Work
from doilinks.tools.cli.check import _FORMATS as FORMATS

from ..tools.programs import run, tool
from ..tools.schemas import schema, strict

DATA = Path(__file__).parents[1] / "data"
SOURCE = Path(doilinks.check.__file__).parent / "ask" / "names"


@pytest.fixture
def report(report):
    """One with every severity, every code, and problems with and without a place."""
    [not_found] = [each for each in report.problems if each.file == "docs/my guide.md"]
    more = [replace(not_found, line=14), replace(not_found, file="docs/whole.md", line=None)]
    general = [Problem(Severity.WARNING, code, f"about {code}") for code in CODES]
    return replace(report, problems=(*report.problems, *more, *general))


def test_sarif_is_valid_against_its_schema(report):
    schema = json.loads((DATA / "sarif-2.1.0.json").read_text())
    document = json.loads(render(report, "sarif"))
    jsonschema.validate(document, schema)
    document["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


def test_sarif_follows_the_rules_of_github(report, tmp_path):
    validator = tool("sarif-multitool", "SARIF is not tried with the rules of GitHub")
    (tmp_path / "doi.sarif").write_text(render(report, "sarif"))
    # npm's launcher gives its arguments to a shell.
    kinds = "'Sarif;Ghas'"
    run(validator, "validate", "doi.sarif", "--rule-kind", kinds, "-o", "said.sarif", cwd=tmp_path)
    said = json.loads((tmp_path / "said.sarif").read_text())["runs"][0]
    assert [each["message"] for each in said["results"]] == []
    assert said["invocations"][0]["executionSuccessful"]


def test_sarif_names_rules_places_and_what_has_no_place(report):
    (run,) = json.loads(render(report, "sarif"))["runs"]
    driver = run["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == list(CODES)
    assert {
        rule["id"]: rule["helpUri"].partition("reference/messages.md")[2]
        for rule in driver["rules"]
    } == {code: f"#{code}" for code in CODES}
    assert driver["informationUri"].startswith("https://")
    levels = [result["level"] for result in run["results"]]
    assert levels == ["error", "error", "warning", "note", "error", "error"]
    assert run["results"][1]["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "docs/my%20guide.md"},
        "region": {"startLine": 12, "startColumn": 5},
    }
    hostile = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert hostile.isascii()
    assert "%FF" in hostile
    general = run["invocations"][0]["toolExecutionNotifications"]
    assert [each["associatedRule"]["id"] for each in general] == list(CODES)


@pytest.mark.parametrize("form", ["sarif", "gitlab"])
def test_fingerprints_stay_the_same_when_lines_are_added(form, report):
    def fingerprints(shown):
        document = json.loads(render(shown, form))
        if form == "gitlab":
            return [issue["fingerprint"] for issue in document]
        return [
            each["partialFingerprints"]["doilinks/v1"] for each in document["runs"][0]["results"]
        ]

    moved = [
        replace(problem, line=problem.line and problem.line + 7) for problem in report.problems
    ]
    before = fingerprints(report)
    assert len(set(before)) == len(before)
    assert fingerprints(replace(report, problems=tuple(moved))) == before


def test_json_is_valid_against_its_published_schema(report):
    published = schema("check")
    jsonschema.Draft202012Validator.check_schema(published)
    known = Work(("A study",), ("Miller",), (2000,), status=Status.RETRACTED)
    work = Problem(
        Severity.WARNING, "doi-other-work", "x", work=known, evidence={"verdict": "other"}
    )
    for each in (report, replace(report, problems=(*report.problems, work))):
        document = json.loads(render(each, "json"))
        strict("check").validate(document)
        assert document["version"] == 1
    assert set(published["$defs"]["problem"]["properties"]["code"]["enum"]) == set(CODES)
    document["problems"][0]["severity"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, published)


def test_the_list_of_a_scan_has_a_schema():
    published = schema("scan")
    jsonschema.Draft202012Validator.check_schema(published)
    assert set(published["items"]["properties"]["form"]["enum"]) == set(get_args(Form))


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "![x](https://evil.example/x.png) [y](javascript:alert(1))",
        "`code` | cell | **bold** ~~gone~~ https://evil.example www.evil.example me@evil.example",
        "@user fixes #1 in owner/repo#2, GH-3, gh-4, `@user\\@user\n\n# head\n| a |",
        "\\| \\\\| &lt;b&gt; &#64;user <!-- x",
    ],
)
def test_markdown_is_a_table_in_which_titles_are_text(report, hostile):
    problem = Problem(Severity.WARNING, "doi-other-work", hostile, DOI("10.1000/182"), file=hostile)
    shown = render(replace(report, problems=(problem,)), "markdown")
    page = MarkdownIt("gfm-like").render(shown)
    tree = etree.HTML(page)
    assert [each.tag for each in tree.iter() if each.tag in ("script", "img", "strong", "s")] == []
    assert {each.get("href").partition("/blob/")[0] for each in tree.iter("a")} == {
        "https://doi.org/10.1000/182", address().partition("/blob/")[0],
    }  # fmt: skip
    cells = ["".join(each.itertext()) for each in tree.iter("td")]
    assert cells[:2] == ["warning", printable(hostile)]  # without a line
    assert cells[3] == f"{printable(hostile)} doi-other-work"
    outside = "".join(each.tail or "" for each in tree.iter("code"))
    assert not re.search(r"[@#]\w|(?i:GH-)\d", (tree.find(".//td").text or "") + outside)


def test_markdown_has_at_most_a_hundred_rows(report):
    problems = [Problem(Severity.REMARK, "doi-alias", "x")] * 300
    shown = render(replace(report, problems=tuple(problems)), "markdown")
    assert shown.endswith("\n200 more are not in this table.\n")


@pytest.mark.parametrize("text", ["x" * 9000, "|" * 9000, "@a" * 4500, "\U0001f600" * 9000])
def test_markdown_fits_into_an_issue(report, text):
    name = DOI("10.1000/" + text)
    problems = [Problem(Severity.REMARK, "doi-alias", text, name, file=text, line=1)] * 300
    shown = render(replace(report, problems=tuple(problems)), "markdown")
    assert len(shown) < 65_536 - 1_000  # the action writes lines of its own into an issue
    listed = shown.count("\n| remark |")
    assert listed
    assert shown.endswith(f"\n{300 - listed} more are not in this table.\n")


CODE_QUALITY = json.loads((DATA / "gitlab-code-quality.json").read_text(encoding="utf-8"))


def test_gitlab_has_the_fields_that_it_publishes(report):
    issues = json.loads(render(report, "gitlab"))
    jsonschema.validate(issues, CODE_QUALITY)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) > 1
    for field in CODE_QUALITY["items"]["required"]:
        without = [{key: value for key, value in issues[0].items() if key != field}]
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(without, CODE_QUALITY)


def test_gitlab(report):
    issues = json.loads(render(report, "gitlab"))
    assert len(issues) == len(report.problems)
    assert {key: issues[1][key] for key in ("check_name", "severity", "location")} == {
        "check_name": "doi-not-found",
        "severity": "major",
        "location": {"path": "docs/my guide.md", "lines": {"begin": 12}},
    }
    assert issues[-1]["location"] == {"path": ".", "lines": {"begin": 1}}


def test_junit_is_valid_against_the_schema_of_jenkins(report):
    schema = etree.XMLSchema(etree.parse(DATA / "junit-10.xsd"))
    shown = render(report, "junit")
    schema.assertValid(etree.fromstring(shown.encode()))
    assert not schema.validate(etree.fromstring(shown.replace("classname", "class").encode()))


def test_every_code_of_the_check_is_described():
    """Else SARIF, which names a rule for each result, could not be written."""
    used = set()
    for path in SOURCE.glob("*.py"):
        used |= set(re.findall(r'"(doi-[a-z]+(?:-[a-z]+)*)"', path.read_text(encoding="utf-8")))
    assert used == CODES.keys()


def test_the_command_line_offers_every_format():
    """It does not import the check to know them, because that takes long."""
    assert FORMATS == doilinks.check.FORMATS


def render_one(file, form):
    problem = Problem(Severity.ERROR, "doi-not-found", "not found", DOI("10.1000/nope"), None, file)
    report = check([], Options(check_lockfile=""))
    return render(replace(report, problems=(problem,)), form)


def path(file):
    return json.loads(render_one(file, "gitlab"))[0]["location"]["path"]


def repository(folder):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", folder], check=True)
    (folder / "docs").mkdir()
    return folder


def test_paths_are_relative_to_the_repository(tmp_path, monkeypatch):
    top = repository(tmp_path / "project")
    monkeypatch.chdir(top / "docs")
    assert path("a.md") == "docs/a.md"
    assert path("./sub/../a.md") == "docs/a.md"
    assert path("../README.md") == "README.md"
    monkeypatch.chdir(tmp_path)
    assert path("project/docs/a.md") == "docs/a.md"
    assert path(str(top / "docs" / "a.md")) == "docs/a.md"
    assert path("-") == "-"
    monkeypatch.chdir(top / "docs")
    assert "::error file=docs/a.md," in render_one("a.md", "github")
    assert "docs/a.md: not found" in render_one("a.md", "junit")
    assert render_one("a.md", "text").startswith("a.md: not found")


def test_a_link_within_the_repository_is_followed(tmp_path, monkeypatch):
    top = repository(tmp_path / "project")
    (tmp_path / "elsewhere.md").touch()
    (top / "docs/linked.md").symlink_to(tmp_path / "elsewhere.md")
    (tmp_path / "short").symlink_to(top)
    assert path("short/docs/linked.md") == "docs/linked.md"
    (top / "docs/page.md").symlink_to("../README.md")
    assert path("short/docs/page.md") == "README.md"


def test_in_a_job_the_workspace_decides(tmp_path, monkeypatch):
    outside = repository(tmp_path / "home")
    space = outside / "workspace"
    (space / "docs").mkdir(parents=True)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(space))
    assert path(str(space / "docs/a.md")) == "docs/a.md"  # without a checkout
    checkout = repository(space / "checkout")
    assert path(str(checkout / "docs/a.md")) == "docs/a.md"
    module = repository(checkout / "modules/theme")
    assert path(str(module / "docs/a.md")) == "modules/theme/docs/a.md"
    assert path(str(outside / "docs/a.md")) == "docs/a.md"  # not in the workspace


def test_a_file_outside_of_every_repository_keeps_its_path(tmp_path):
    assert path("docs/a.md") == "docs/a.md"
    absolute = str(tmp_path / "docs/a b.md")
    assert path(absolute) == absolute
    (result,) = json.loads(render_one(absolute, "sarif"))["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == (tmp_path / "docs/a b.md").as_uri()
