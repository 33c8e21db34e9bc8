"""The report as JUnit's XML, for GitLab, Jenkins and CircleCI.

There is no standard. This follows the schema of Jenkins' xUnit plug-in, ``junit-10.xsd``.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from ..core.doi import DOI
from ..core.printable import printable
from .record import Outcome
from .result import CheckReport, Problem, Severity

__all__ = ["junit"]


def junit(report: CheckReport) -> str:
    """Every name is a test case; errors are failures, unknown ones that do not fail are skipped."""
    told: dict[DOI | None, list[Problem]] = {}
    for problem in report.problems:
        told.setdefault(problem.resolution.doi if problem.resolution else None, []).append(problem)
    suite = ET.Element("testsuite", name="doilinks")
    properties = ET.SubElement(suite, "properties")
    counts = {"names": report.name_counts, "works": report.work_counts}
    for group, each in counts.items():
        for key, count in each.items():
            ET.SubElement(properties, "property", name=f"{group}.{key}", value=str(int(count)))
    failures = skipped = 0
    for doi in [*report.resolutions, *(told.keys() - report.resolutions.keys())]:
        problems = told.get(doi, [])
        name = doi.uri if doi else "doilinks"
        case = ET.SubElement(suite, "testcase", classname="doilinks", name=name)
        words = "\n".join(printable(str(problem)) for problem in problems)
        first = next((each for each in problems if each.severity is Severity.ERROR), None)
        known = report.resolutions.get(doi) if doi else None
        if first:
            failures += 1
            said = ET.SubElement(case, "failure", type=first.code, message=_message(first))
            said.text = words
        elif known and known.outcome is Outcome.UNKNOWN:
            skipped += 1
            reason = _message(problems[0]) if problems else printable(known.reason)
            ET.SubElement(case, "skipped", message=reason)
        elif problems:
            ET.SubElement(case, "system-out").text = words
    suite.attrib |= {
        "tests": str(len(suite) - 1),  # without the properties
        "failures": str(failures),
        "errors": "0",
        "skipped": str(skipped),
    }
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _message(problem: Problem) -> str:
    return printable(problem.message)
