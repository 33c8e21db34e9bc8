"""What the tests of the check share."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from doilinks import DOI, Found
from doilinks.ask.works.check import check
from doilinks.core.options import Options
from doilinks.lock import lockfile

from .programs import LONGEST, wait

URL = "https://example.org/"


def today():
    """The day by which the check counts; in the last minute of a day, wait for the next."""
    while (now := datetime.now(UTC)).date() != (now + timedelta(minutes=1)).date():
        time.sleep(1)
    return now.date()


def without_progress(said):
    """What a program said, without the lines that a check which takes long says now and then."""
    return re.sub(r"(?m)^.*\basked \d+ of \d+\n", "", said)


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
    api = getattr(server, "api", server)
    settings = {"check": "error", "check_api": api, "check_timeout": LONGEST, **options}
    return check(
        places(*names), Options(**settings), root=folder, update=update, progress=progress,
        memory=memory, sleep=clock.sleep, clock=lambda: clock.now,
    )  # fmt: skip


def run_works(server, folder, *blocks, file="a.md", column=3, **options):
    """Check the works of names, one a line of a file with the text around it, against the server."""
    found = [
        Found(DOI(name), file=file, line=line, column=column, around=text)
        for line, (name, text) in enumerate(blocks, 1)
    ]
    more = {
        key: options.pop(key) for key in {"silences", "update", "prune", "memory"} & options.keys()
    }
    settings = {
        "check": "error", "check_works": "warn", "check_api": server.api,
        "check_works_api": server.works_api, "check_retries": 0, "check_timeout": LONGEST,
    }  # fmt: skip
    return check(found, Options(**settings | options), root=folder, **more)


def outcomes(report):
    return {doi.name: known.outcome.value for doi, known in report.resolutions.items()}


def said(report):
    return [str(problem) for problem in report.problems]


class _Loop(asyncio.SelectorEventLoop):
    """An event loop whose time can be put forward, so that what has to be done by then is late."""

    ahead = 0.0

    def time(self):
        return super().time() + self.ahead

    def put_forward(self, seconds):
        self.ahead += seconds


@contextmanager
def out_of_patience(server, name, patch, ready=lambda: True, times=LONGEST):
    """In this block, ``check_timeout`` is over when the server was asked for a name, and no sooner.

    :param patch: a ``monkeypatch``
    :param ready: is asked before whether all other answers have come
    :param times: so often; what is asked then is answered
    """
    loops, over, before = [], threading.Event(), server.count(name)

    def make():
        loops.append(_Loop())
        return loops[-1]

    def watch():
        late = 0
        while not over.wait(0.002):
            if late < min(times, server.count(name) - before) and ready():
                late += 1
                with suppress(RuntimeError):  # its check has ended
                    loops[-1].call_soon_threadsafe(loops[-1].put_forward, LONGEST)

    watching = threading.Thread(target=watch)
    with patch.context() as patched:
        patched.setattr(asyncio, "new_event_loop", make)
        watching.start()
        try:
            yield
        finally:
            over.set()
            watching.join()


# A check that asks for these one at a time, and that waits for the answer about the last one.
MISSING, FOUND, SILENT = "10.1000/182x", "10.1000/182", "10.1000/slow"
IN_TURN = f"doi:{MISSING} doi:{FOUND} doi:{SILENT}"
ONE_AT_A_TIME = {"check_concurrency": 1, "check_timeout": 60}


def answer_in_turn(server):
    """Give a server the records of these."""
    # Of all that happens in a check, only its lock file is seen from outside. It is written when an
    # answer is learnt that comes so late.
    late = lockfile._KEEP_EVERY + 0.1
    server.set(FOUND, {"url": URL, "fault": "slow", "seconds": late})
    server.set(SILENT, {"url": URL, "fault": "slow", "seconds": LONGEST})


def wait_for_the_last(server, folder, process, checks=1):
    """Wait until a check in another process knows all answers but the last, for which so many checks have asked."""
    wait(lambda: (folder / "doi-lock.json").exists() and server.count(SILENT) >= checks, process)
