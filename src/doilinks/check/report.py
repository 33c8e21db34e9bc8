"""The report in the formats that people and CI systems read.

``text`` for people; ``json`` for programs; ``github`` annotations; ``sarif`` 2.1.0 (GitHub code
scanning, Azure DevOps, editors); ``junit`` (GitLab, Jenkins, CircleCI). The name of
a file can neither control the terminal nor add an annotation.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote
from xml.etree import ElementTree as ET

from ..core.printable import printable
from .record import Outcome
from .result import CheckReport, Problem, Severity

__all__ = ["FORMATS", "render"]

_CODES: Final = {
    "doi-not-found": "The DOI system has no record of the name.",
    "doi-no-values": "The name is registered, but its record is empty.",
    "doi-unknown": "Whether the name resolves could not be found out.",
    "doi-stale-ignore": "A name listed in check_ignore resolves after all.",
    "doi-alias": "The name stands for another one.",
    "doi-lockfile": "The lock file could not be written.",
    "doi-fault": "A fault of doilinks ended the check early.",
}


def render(report: CheckReport, form: str = "text") -> str:
    """The report as text, ending in a newline.

    :param form: one of :data:`FORMATS`
    :raises KeyError: for another one
    """
    return _RENDERERS[form](report)


def _text(report: CheckReport) -> str:
    lines = [printable(str(problem)) for problem in report.problems]
    return "\n".join([*lines, report.summary, ""])


def _json(report: CheckReport) -> str:
    document = {
        "summary": {
            "names": len(report.resolutions),
            "kept": sum(known.kept for known in report.resolutions.values()),
            **{outcome.value.replace(" ", "_"): report.count(outcome) for outcome in Outcome},
        },
        "problems": [
            {
                "severity": problem.severity.value,
                "code": problem.code,
                "message": problem.message,
                "doi": problem.doi.uri if problem.doi else None,
                "file": problem.file or None,
                "line": problem.line or None,
                "column": problem.column or None,
                **_details(problem),
            }
            for problem in report.problems
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _details(problem: Problem) -> dict[str, str | None]:
    known = problem.resolution
    if known is None:
        return {}
    return {
        "outcome": known.outcome.value,
        "reason": known.reason or None,
        "alias": known.alias.uri if known.alias else None,
        "near": known.near.uri if known.near else None,
    }


_GITHUB: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "notice"}


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


# How the runner reads them back: https://github.com/actions/toolkit, packages/core, command.ts.
_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def _escape(text: str, table: dict[int, str]) -> str:
    return printable(text).translate(table)


_SARIF: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "note"}


def _sarif(report: CheckReport) -> str:
    from .. import __version__

    rules = [{"id": code, "shortDescription": {"text": words}} for code, words in _CODES.items()]
    driver = {"name": "doilinks", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(problem) for problem in report.problems],
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, indent=2) + "\n"


def _sarif_result(problem: Problem) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": problem.code,
        "level": _SARIF[problem.severity],
        "message": {"text": problem.message},
    }
    if problem.file:
        uri = quote(problem.file.replace("\\", "/").encode("utf-8", "surrogateescape"))
        place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
        if problem.line:
            place["region"] = {"startLine": problem.line}
            if problem.column:
                place["region"]["startColumn"] = problem.column
        result["locations"] = [{"physicalLocation": place}]
    return result


def _junit(report: CheckReport) -> str:
    """Every name is a test case; errors are failures, unknown ones that do not fail are skipped."""
    told: dict[Any, list[Problem]] = {}
    for problem in report.problems:
        told.setdefault(problem.resolution.doi if problem.resolution else None, []).append(problem)
    suite = ET.Element("testsuite", name="doilinks")
    failures = skipped = 0
    for doi in [*report.resolutions, *(told.keys() - report.resolutions.keys())]:
        problems = told.get(doi, [])
        name = doi.uri if doi else "doilinks"
        case = ET.SubElement(suite, "testcase", classname="doilinks", name=name)
        words = "\n".join(printable(str(problem)) for problem in problems)
        severities = {problem.severity for problem in problems}
        if Severity.ERROR in severities:
            failures += 1
            ET.SubElement(case, "failure", message=printable(problems[0].message)).text = words
        elif (known := report.resolutions.get(doi)) and known.outcome is Outcome.UNKNOWN:
            skipped += 1
            said = problems[0].message if problems else known.reason
            ET.SubElement(case, "skipped", message=printable(said))
        elif problems:
            ET.SubElement(case, "system-out").text = words
    suite.attrib |= {
        "tests": str(len(suite)),
        "failures": str(failures),
        "errors": "0",
        "skipped": str(skipped),
    }
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


_RENDERERS: Final[dict[str, Callable[[CheckReport], str]]] = {
    "text": _text,
    "json": _json,
    "github": _github,
    "sarif": _sarif,
    "junit": _junit,
}
FORMATS: Final = tuple(_RENDERERS)
