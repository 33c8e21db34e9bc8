"""The report in GitLab's Code Quality format.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format lists the fields.
"""

from __future__ import annotations

import json
from typing import Final

from ..core.printable import printable
from .codes import fingerprints
from .result import CheckReport, Severity

__all__ = ["gitlab"]

_SEVERITIES: Final = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.REMARK: "info"}


def gitlab(report: CheckReport) -> str:
    """The problems as a list. GitLab requires a place: without one, it is the repository."""
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
