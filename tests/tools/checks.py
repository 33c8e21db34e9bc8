"""What the tests of the check share."""

from __future__ import annotations

import asyncio

from doilinks import DOI, Found
from doilinks.core.options import Options
from doilinks.works.check import check

URL = "https://example.org/"


class Clock:
    """Waiting without waiting: remembers for how long, and lets everybody else go on."""

    def __init__(self):
        self.waits = []
        self.now = 0.0

    async def sleep(self, seconds):
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def places(*names):
    return [
        Found(DOI(name), file="guide.md", line=line, column=5) for line, name in enumerate(names, 1)
    ]


def run(server, folder, *names, update=False, progress=None, clock=None, memory=None, **options):
    """Check names, one a line of guide.md, against the server."""
    clock = clock or Clock()
    settings = {"check": "error", "check_api": getattr(server, "api", server), **options}
    return check(
        places(*names),
        Options(**settings),
        root=folder,
        update=update,
        progress=progress,
        memory=memory,
        sleep=clock.sleep,
        clock=lambda: clock.now,
    )


def outcomes(report):
    return {doi.name: known.outcome.value for doi, known in report.resolutions.items()}


def said(report):
    return [str(problem) for problem in report.problems]
