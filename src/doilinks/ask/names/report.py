"""The report in the formats that people and CI systems read.

``text`` for people; ``json`` for programs; ``github`` annotations; ``markdown`` for the summary of
a job or an issue; ``sarif``, ``junit`` and ``gitlab`` (Code Quality). The name of a file can
neither control the terminal nor add an annotation.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from xml.etree import ElementTree as ET

from ...core.doi import DOI
from ...core.printable import inert, printable
from ..net.client import Outcome
from .codes import CODES, address
from .problems import CheckReport, Problem, Resolution, Severity, work_details

# The folder in which a job of GitHub or of GitLab has checked the repository out.
_WORKSPACES: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def in_repository() -> Callable[[str], str]:
    """Return a function that makes a file's path relative to the root of its repository.

    The root is the git checkout that contains the file. In a job of CI it is the outermost checkout
    in the workspace, because that of a submodule is another repository; without a checkout it is
    the workspace. A file outside of all of these keeps its path, and so does ``-``.
    """
    paths = [path for name in _WORKSPACES if (path := os.environ.get(name))]
    workspaces = [Path(os.path.realpath(path)) for path in paths]

    @cache
    def root(folder: Path) -> Path | None:
        workspace = next((each for each in workspaces if folder.is_relative_to(each)), None)
        checkouts = []
        for each in (folder, *folder.parents):
            # A folder, or in a submodule and in a work tree of git a file.
            if os.path.lexists(each / ".git"):  # raises nothing
                checkouts.append(each)
            if each == workspace:
                break
        return (checkouts[-1 if workspace else 0] if checkouts else None) or workspace

    def relative(file: str) -> str:
        path = Path(file)
        folder, itself = Path(os.path.realpath(path.parent)), Path(os.path.realpath(path))
        if file == "-" or not (top := root(folder)):
            return file
        # git knows a link that leads out of the repository by its own name.
        return str((itself if top in itself.parents else folder / path.name).relative_to(top))

    return relative


def fingerprints(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield for each problem a fingerprint that stays the same when lines before it are added.

    It is made of the code, the name, the file, and how many of the same came before.
    """
    times: dict[tuple[str, ...], int] = {}
    for problem in problems:
        name = problem.doi.uri.lower() if problem.doi else problem.message
        key = (problem.code, name, problem.file or "")
        times[key] = times.get(key, -1) + 1
        whole = "\0".join((*key, str(times[key]))).encode("utf-8", "surrogateescape")
        yield hashlib.sha256(whole).hexdigest()


# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
_SEVERITIES: Final = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.REMARK: "info"}


def gitlab(report: CheckReport) -> str:
    """Format the problems as JSON for GitLab, which requires a path: ``.`` without a file."""
    issues = [
        {
            "check_name": problem.code,
            "description": printable(problem.message),
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[problem.severity],
            "location": {
                "path": printable(problem.file or "."),
                "lines": {"begin": problem.line or 1},
            },
        }
        for problem, fingerprint in zip(report.problems, fingerprints(report.problems), strict=True)
    ]
    return json.dumps(issues, indent=2) + "\n"


def junit(report: CheckReport) -> str:
    """Format the report as JUnit XML: a name is a test case, an error a failure, unknown skipped.

    The output of a test case has a line of JSON for each work and its comparison with the text.
    There is no standard. This follows the schema of Jenkins' xUnit plug-in, ``junit-10.xsd``.
    """
    by_name: dict[DOI | None, list[Problem]] = {}
    for problem in report.problems:
        doi = problem.resolution.doi if problem.resolution else None
        by_name.setdefault(doi, []).append(problem)
    suite = ET.Element("testsuite", name="doilinks")
    properties = ET.SubElement(suite, "properties")
    counts = {"names": report.name_counts, "works": report.work_counts}
    for group, each in counts.items():
        for key, count in each.items():
            ET.SubElement(properties, "property", name=f"{group}.{key}", value=str(int(count)))
    for doi in dict.fromkeys([*report.resolutions, *by_name]):
        name = doi.uri if doi else "doilinks"
        case = ET.SubElement(suite, "testcase", classname="doilinks", name=name)
        _fill(case, by_name.get(doi, []), report.resolutions.get(doi) if doi else None)
    suite.attrib |= {
        "tests": str(len(suite) - 1),  # without the properties
        "failures": str(len(suite.findall("testcase/failure"))),
        "errors": "0",
        "skipped": str(len(suite.findall("testcase/skipped"))),
    }
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _fill(case: ET.Element, problems: list[Problem], resolution: Resolution | None) -> None:
    words = "\n".join(printable(str(problem)) for problem in problems)
    first = next((each for each in problems if each.severity is Severity.ERROR), None)
    if first:
        message = printable(first.message)
        ET.SubElement(case, "failure", type=first.code, message=message).text = words
    elif resolution and resolution.outcome is Outcome.UNKNOWN:
        reason = printable(problems[0].message if problems else resolution.reason)
        ET.SubElement(case, "skipped", message=reason)
    output = [words] if problems and not len(case) else []
    output += [
        printable(json.dumps({"code": each.code, **work}, ensure_ascii=False))
        for each in problems
        if (work := _work(each))
    ]
    if output:
        ET.SubElement(case, "system-out").text = "\n".join(output)


# GitHub requires more properties than the standard: ``fullDescription`` and ``help`` of each rule,
# and a line of a file in each result. So a problem without a file is a notification of the run.
# https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "note"}


def sarif(report: CheckReport) -> str:
    """Format the report as a document of SARIF 2.1.0 with one run."""
    from ... import __version__

    page = address()
    driver = {
        "name": "doilinks",
        "version": __version__,
        **({"informationUri": page} if page else {}),
        "rules": list(map(_rule, CODES)),
    }
    placed = [problem for problem in report.problems if problem.file]
    notifications = [
        {
            "level": _LEVELS[problem.severity],
            "message": {"text": _plain(problem.message)},
            "associatedRule": {"id": problem.code, "index": list(CODES).index(problem.code)},
        }
        for problem in report.problems
        if not problem.file
    ]
    more = {"toolExecutionNotifications": notifications} if notifications else {}
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",  # [SARIF §3.14.17]: as Python counts
        "invocations": [{"executionSuccessful": report.fault is None, **more}],
        "results": [
            _result(problem, fingerprint)
            for problem, fingerprint in zip(placed, fingerprints(placed), strict=True)
        ],
        "properties": {
            "summary": report.summary,
            "names": report.name_counts,
            "works": report.work_counts,
        },
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    explanation, page = CODES[code], address(code)
    rule: dict[str, Any] = {
        "id": code,
        # [SARIF §3.49.7]: a name for people is in Pascal case.
        "name": "".join(map(str.capitalize, code.split("-"))),
        "shortDescription": {"text": explanation.short},
        "fullDescription": {"text": f"{explanation.short} {explanation.more}"},
        "help": {"text": explanation.advice},
    }
    return rule | ({"helpUri": page} if page else {})


def _result(problem: Problem, fingerprint: str) -> dict[str, Any]:
    region = {"startLine": problem.line or 1}  # which GitHub requires
    if problem.line and problem.column:
        region["startColumn"] = problem.column
    # A relative reference, or a file URI [RFC 8089] for a path that is absolute.
    path = quote((problem.file or "").replace("\\", "/").encode("utf-8", "surrogateescape"))
    uri = f"file://{path}" if path.startswith("/") else path
    place = {"artifactLocation": {"uri": uri}, "region": region}
    return {
        "ruleId": problem.code,
        "ruleIndex": list(CODES).index(problem.code),
        "level": _LEVELS[problem.severity],
        "message": {"text": _plain(problem.message)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"doilinks/v1": fingerprint},
        **({"properties": _work(problem)} if problem.work else {}),
    }


# [SARIF §3.11.5]: in a message, braces are placeholders unless they are doubled; [SARIF §3.11.6]:
# brackets are a link unless they have a backslash before them.
_PLAIN: Final = str.maketrans({"\\": r"\\", "[": r"\[", "]": r"\]", "{": "{{", "}": "}}"})


def _plain(message: str) -> str:
    """Escape links and placeholders in a message. Titles in it are text of others."""
    return message.translate(_PLAIN)


def render(report: CheckReport, form: str = "text", *, quiet: bool = False) -> str:
    """Format the report as text that ends with a newline.

    Formats that CI systems read name files relative to the root of their repository; relative names
    in the report count from the current folder.

    :param form: one of :data:`FORMATS`
    :param quiet: leave remarks and the summary out of ``text``, which other formats need
    :raises KeyError: for another one
    """
    if quiet and form == "text":
        problems = (each for each in report.problems if each.severity is not Severity.REMARK)
        return "".join(f"{printable(str(problem))}\n" for problem in problems)
    if form not in _LOCAL:
        path = in_repository()
        report = replace(
            report,
            problems=tuple(
                replace(problem, file=path(problem.file)) if problem.file else problem
                for problem in report.problems
            ),
        )
    return _RENDERERS[form](report)


def _text(report: CheckReport) -> str:
    lines = [printable(str(problem)) for problem in report.problems]
    return "\n".join([*lines, report.summary, ""])


# The version of ``report.schema.json``. A new member does not change it.
_VERSION: Final = 1


def _json(report: CheckReport) -> str:
    document = {
        "version": _VERSION,
        "summary": report.name_counts,
        "works": report.work_counts,
        "problems": [
            {
                "severity": problem.severity.value,
                "code": problem.code,
                "message": problem.message,
                "doi": problem.doi.uri if problem.doi else None,
                "file": problem.file or None,
                "line": problem.line or None,
                "column": problem.column or None,
                **_work(problem),
                **(
                    {
                        "outcome": resolution.outcome.value,
                        "reason": resolution.reason or None,
                        "alias": resolution.alias.uri if resolution.alias else None,
                        "near": resolution.near.uri if resolution.near else None,
                    }
                    if (resolution := problem.resolution)
                    else {}
                ),
            }
            for problem in report.problems
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _work(problem: Problem) -> dict[str, Any]:
    if problem.work is None:
        return {}
    return {"work": work_details(problem.work), "evidence": problem.evidence}


_GITHUB: Final = _LEVELS | {Severity.REMARK: "notice"}


def _github(report: CheckReport) -> str:
    # https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    lines = []
    for problem in report.problems:
        properties = {"file": problem.file, "line": problem.line, "col": problem.column}
        properties["title"] = problem.code
        listed = ",".join(
            f"{key}={_escape(str(value), _PROPERTY)}" for key, value in properties.items() if value
        )
        message = _escape(problem.message, _DATA)
        lines.append(f"::{_GITHUB[problem.severity]} {listed}::{message}")
    return "\n".join([*lines, report.summary, ""])


# The runner decodes these: https://github.com/actions/toolkit, packages/core, command.ts.
_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def _escape(text: str, table: dict[int, str]) -> str:
    return printable(text).translate(table)


# GitHub takes a summary of at most 1 MiB, and the body of an issue of at most 65,536 characters.

_ROWS: Final = 100
_ROOM: Final = 60_000  # characters of all rows: the action adds lines of its own to an issue
_LONGEST_LINK: Final = 2_000


def markdown(report: CheckReport) -> str:
    """Format the summary, and a table of the problems with the gravest first, as Markdown."""
    lines = [f"### {inert(report.summary)}", ""]
    problems = sorted(report.problems, key=lambda each: list(Severity).index(each.severity))
    if problems:
        lines += ["| | Place | DOI name | Problem |", "|---|---|---|---|"]
    listed, room = 0, _ROOM
    for row in map(_row, problems[:_ROWS]):
        room -= len(row) + 1
        if room < 0:
            break
        listed += 1
        lines.append(row)
    if len(problems) > listed:
        lines += ["", f"{len(problems) - listed} more are not in this table."]
    return "\n".join([*lines, ""])


def _row(problem: Problem) -> str:
    place = inert(problem.file or "") + (f":{problem.line}" if problem.line else "")
    page = address(problem.code)
    code = f"[`{problem.code}`](<{page}>)" if page else f"`{problem.code}`"
    name = inert(problem.doi.uri) if problem.doi else ""
    if problem.doi and len(problem.doi.url) <= _LONGEST_LINK:
        name = f"[{name}](<{problem.doi.url}>)"
    return f"| {problem.severity.value} | {place} | {name} | {inert(problem.message)} {code} |"


_RENDERERS: Final[dict[str, Callable[[CheckReport], str]]] = {
    "text": _text, "json": _json, "github": _github, "sarif": sarif, "junit": junit,
    "gitlab": gitlab, "markdown": markdown,
}  # fmt: skip
FORMATS: Final = tuple(_RENDERERS)
# Formats for readers on this machine, so that paths stay relative to the current folder.
_LOCAL: Final = ("text", "json")
