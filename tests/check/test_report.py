"""The report in each format, and that no file name can write to the terminal."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from doilinks import DOI, Found
from doilinks.check import FORMATS, Outcome, Problem, Severity, check, render
from doilinks.core.options import Options

from ..tools.checks import URL
from .conftest import HOSTILE

FORBIDDEN = "HTTP 403 without a Handle record"


def test_text(report):
    assert render(report) == (
        'a\\x1b[2J,b:c%\\n::error::owned\\r\\u202e\\udcff<&">.md:1:1: '
        "not found: doi:10.1000/456%23789x (did you mean doi:10.1000/456%23789?) [doi-not-found]\n"
        "docs/my guide.md:12:5: "
        "not found: doi:10.1000/182x (did you mean doi:10.1000/182?) [doi-not-found]\n"
        "docs/refs.rst:40: could not check: doi:10.5281/zenodo.1 "
        "(HTTP 403 without a Handle record) [doi-unknown]\n"
        "docs/refs.rst:41:2: alias: doi:10/abc1 (stands for doi:10.1000/182) [doi-alias]\n"
        "5 DOIs: 2 found, 2 not found, 1 could not be checked\n"
    )


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("form", FORMATS)
def test_nothing_steers_the_terminal(form, quiet, report):
    """Neither names of files do, nor what a server or an agency has said."""
    said = [replace(each, message=f"{each.message} {HOSTILE}") for each in report.problems]
    of_whole = Problem(Severity.WARNING, "doi-unknown", HOSTILE)
    shown = render(replace(report, problems=(*said, of_whole)), form, quiet=quiet)
    if form == "gitlab":  # shows them after it has read the JSON
        shown = "\n".join(
            each["description"] + each["location"]["path"] for each in json.loads(shown)
        )
    assert all(sign.isprintable() or sign == "\n" for sign in shown)
    assert "\n::error::owned" not in shown
    shown.encode("utf-8")


@pytest.mark.parametrize("form", FORMATS)
def test_the_name_of_the_lock_file_adds_no_line(form, handle_api, tmp_path):
    handle_api.set("10.1000/182", URL)
    options = Options(check_api=handle_api.api, check_lockfile="x\n::error::owned\x1b<b>.json")
    for _ in range(2):
        report = check([Found(DOI("10.1000/182"))], options, root=tmp_path)
    assert "owned" in report.summary
    shown = render(report, form)
    assert form != "markdown" or "<b>" not in shown.replace(r"\<", "")
    assert "\n::error::owned" not in shown
    assert all(sign.isprintable() or sign == "\n" for sign in shown)


def test_json(report):
    document = json.loads(render(report, "json"))
    assert document["summary"] == {
        "names": 5, "kept": 0, "found": 2, "not_found": 2, "no_values": 0, "deleted": 0, "unknown": 1,
    }  # fmt: skip
    assert document["problems"][1] == {
        "severity": "error", "code": "doi-not-found",
        "message": "not found: doi:10.1000/182x (did you mean doi:10.1000/182?)",
        "doi": "doi:10.1000/182x", "file": "docs/my guide.md", "line": 12, "column": 5,
        "outcome": "not found", "reason": None, "alias": None, "near": "doi:10.1000/182",
    }  # fmt: skip
    assert document["problems"][2]["column"] is None
    assert document["problems"][0]["file"] == HOSTILE


def test_github(report):
    lines = render(report, "github").splitlines()
    assert lines[0].startswith(
        '::error file=a\\x1b[2J%2Cb%3Ac%25\\n%3A%3Aerror%3A%3Aowned\\r\\u202e\\udcff<&">.md,line=1,'
    )
    assert [line.partition(",title=") for line in lines[1:4]] == [
        (place, ",title=", words)
        for place, words in (
            (
                "::error file=docs/my guide.md,line=12,col=5",
                "doi-not-found::not found: doi:10.1000/182x (did you mean doi:10.1000/182?)",
            ),
            (
                "::warning file=docs/refs.rst,line=40",
                f"doi-unknown::could not check: doi:10.5281/zenodo.1 ({FORBIDDEN})",
            ),
            (
                "::notice file=docs/refs.rst,line=41,col=2",
                "doi-alias::alias: doi:10/abc1 (stands for doi:10.1000/182)",
            ),
        )
    ]
    assert lines[4:] == ["5 DOIs: 2 found, 2 not found, 1 could not be checked"]
    # The percent sign of a name survives the runner, which reads %25 as one.
    assert "doi:10.1000/456%2523789x" in lines[0]


def test_junit(report):
    root = ET.fromstring(render(report, "junit"))
    (suite,) = root
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5", "failures": "2", "errors": "0", "skipped": "1",
    }  # fmt: skip
    cases = {case.get("name"): case for case in suite}
    failure = cases["doi:10.1000/182x"].find("failure")
    assert failure.get("message").startswith("not found: doi:10.1000/182x")
    assert failure.get("type") == "doi-not-found"
    assert failure.text.startswith("docs/my guide.md:12:5: ")
    assert cases["doi:10.5281/zenodo.1"].find("skipped") is not None
    assert len(cases["doi:10.1000/182"]) == 0


def test_junit_says_of_each_skipped_name_why(report):
    asked, *rest = report.resolutions.values()
    unasked = replace(rest[0], outcome=Outcome.UNKNOWN, reason="not asked")
    told = replace(report, resolutions={asked.doi: asked, unasked.doi: unasked}, problems=())
    cases = ET.fromstring(render(told, "junit")).iter("testcase")
    [case] = [each for each in cases if len(each)]
    assert case.find("skipped").get("message") == "not asked"


def test_junit_has_names_in_the_order_of_the_report(report):
    more = [DOI(f"10.1000/{n}") for n in range(20)]
    known = next(iter(report.resolutions.values()))
    problems = [
        Problem(Severity.WARNING, "doi-alias", "x", doi, replace(known, doi=doi)) for doi in more
    ]
    told = replace(report, problems=tuple(problems))
    cases = ET.fromstring(render(told, "junit")).iter("testcase")
    assert [each.get("name") for each in cases][-20:] == [doi.uri for doi in more]


def test_a_general_problem_in_every_format(handle_api, tmp_path):
    options = Options(check_api=handle_api.api, check_offline=True, check_unknown="error")
    where = [Found(DOI(f"10.1000/{name}"), file="a.md", line=1, column=1) for name in "ab"]
    report = check(where, options, root=tmp_path)
    words = "could not check: 2 DOIs (offline, and there is no doi-lock.json)"
    for form in FORMATS:
        assert words in render(report, form)
    root = ET.fromstring(render(report, "junit"))
    assert root[0].get("failures") == "1"
