"""The report as SARIF 2.1.0, for GitHub code scanning, Azure DevOps and editors.

GitHub requires more properties than the standard: ``fullDescription`` and ``help`` of each rule,
and a line of a file in each result. So a problem without a file is a notification of the run.
https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support
"""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import quote

from .codes import CODES, address, fingerprints
from .result import CheckReport, Problem, Severity, work_details

__all__ = ["sarif"]

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.REMARK: "note"}


def sarif(report: CheckReport) -> str:
    """The report as one run of SARIF."""
    placed = [problem for problem in report.problems if problem.file]
    run: dict[str, Any] = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",  # [SARIF §3.14.17]: as Python counts
        "invocations": [_invocation(report)],
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


def _driver() -> dict[str, Any]:
    from .. import __version__

    page = address()
    where = {"informationUri": page} if page else {}
    return {"name": "doilinks", "version": __version__, **where, "rules": list(map(_rule, CODES))}


def _rule(code: str) -> dict[str, Any]:
    known, page = CODES[code], address(code)
    rule: dict[str, Any] = {
        "id": code,
        # [SARIF §3.49.7]: a name for people is in Pascal case.
        "name": "".join(map(str.capitalize, code.split("-"))),
        "shortDescription": {"text": known.short},
        "fullDescription": {"text": f"{known.short} {known.more}"},
        "help": {"text": known.advice},
    }
    return rule | ({"helpUri": page} if page else {})


def _invocation(report: CheckReport) -> dict[str, Any]:
    unplaced = [problem for problem in report.problems if not problem.file]
    said = [
        {
            "level": _LEVELS[problem.severity],
            "message": {"text": _plain(problem.message)},
            "associatedRule": {"id": problem.code, "index": list(CODES).index(problem.code)},
        }
        for problem in unplaced
    ]
    told = {"toolExecutionNotifications": said} if said else {}
    return {"executionSuccessful": report.fault is None, **told}


def _result(problem: Problem, fingerprint: str) -> dict[str, Any]:
    region = {"startLine": problem.line or 1}  # which GitHub requires
    if problem.line and problem.column:
        region["startColumn"] = problem.column
    place = {"artifactLocation": {"uri": _uri(problem.file or "")}, "region": region}
    return {
        "ruleId": problem.code,
        "ruleIndex": list(CODES).index(problem.code),
        "level": _LEVELS[problem.severity],
        "message": {"text": _plain(problem.message)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"doilinks/v1": fingerprint},
        **({"properties": {"work": work_details(problem.work)}} if problem.work else {}),
    }


# [SARIF §3.11.5]: in a message, braces are placeholders unless they are doubled; [SARIF §3.11.6]:
# brackets are a link unless they have a backslash before them.
_PLAIN: Final = str.maketrans({"\\": r"\\", "[": r"\[", "]": r"\]", "{": "{{", "}": "}}"})


def _plain(message: str) -> str:
    """A message in which nothing is a link or a placeholder. Titles are text of others."""
    return message.translate(_PLAIN)


def _uri(file: str) -> str:
    """A relative reference, or a file URI [RFC 8089] for a path that is absolute."""
    path = quote(file.replace("\\", "/").encode("utf-8", "surrogateescape"))
    return f"file://{path}" if path.startswith("/") else path
