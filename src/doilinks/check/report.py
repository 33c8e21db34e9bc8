"""The report in the formats that people and CI systems read.

``text`` for people; ``json`` for programs; ``github`` annotations; ``sarif``, ``junit`` and
``gitlab`` (Code Quality) in modules of their own. The name of a file can neither control the
terminal nor add an annotation.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from ..core.printable import printable
from .gitlab import gitlab
from .junit import junit
from .repository import in_repository
from .result import CheckReport, Problem, Severity, work_details
from .sarif import sarif

__all__ = ["FORMATS", "render"]


def render(report: CheckReport, form: str = "text", *, quiet: bool = False) -> str:
    """The report as text, ending in a newline.

    Formats that CI systems read name files relative to the root of their repository; relative names
    in the report count from the current folder.

    :param form: one of :data:`FORMATS`
    :param quiet: leave remarks and the summary out of ``text``, which other formats need
    :raises KeyError: for another one
    """
    if quiet and form == "text":
        said = (each for each in report.problems if each.severity is not Severity.REMARK)
        return "".join(f"{printable(str(problem))}\n" for problem in said)
    if form not in _AS_GIVEN:
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


def _json(report: CheckReport) -> str:
    document = {
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
                **_details(problem),
            }
            for problem in report.problems
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _details(problem: Problem) -> dict[str, Any]:
    work = {"work": work_details(problem.work)} if problem.work else {}
    known = problem.resolution
    if known is None:
        return work
    return {
        **work,
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


_RENDERERS: Final[dict[str, Callable[[CheckReport], str]]] = {
    "text": _text,
    "json": _json,
    "github": _github,
    "sarif": sarif,
    "junit": junit,
    "gitlab": gitlab,
}
FORMATS: Final = tuple(_RENDERERS)
# For people and programs where the check runs.
_AS_GIVEN: Final = ("text", "json")
