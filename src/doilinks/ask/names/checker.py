"""The check: asks about every name once, and reports every place of a name.

It makes a :class:`CheckReport` of what a host found. It decides which names are asked, and which
the lock file answers. It logs and prints nothing: the host does that.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import category, normalize
from urllib.parse import quote, unquote

from ...core.doi import DOI, InvalidDOI
from ...core.found import Found, IgnoreComment, distinct
from ...core.nameless import NoName
from ...core.options import Options
from ...core.remarks import TO_HYPHENS
from ...core.steps import BRACKETS
from ...lock.entries import FOUND
from ...lock.lockfile import Lockfile
from ..loop import AskStep, Loop, Progress, Session, agent, saving, silent
from ..net.client import Answer, Network, Outcome, Sleep
from .api import Resolver
from .ignore import Expected, IgnoreComments
from .problems import (
    UNASKED,
    CheckReport,
    ExtraCheck,
    Interrupted,
    Memory,
    Problem,
    Resolution,
    Severity,
    exit_code,
    fault,
    in_order,
    nameless,
    of_lockfile,
    problems_with,
)

# Heuristic, not in any standard: the commonest mistakes in copied references.

_TRIPLETS: Final = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f]){2,4}")  # one character outside of ASCII
_WHOLES: Final = 2
_LIMIT: Final = 4  # names, besides the whole ones


class Slip(NamedTuple):
    """A mistake that many people make in a kind of names.

    :ivar pattern: matches a whole name with this mistake
    :ivar right: the right name, a template for the groups of the pattern
    :ivar example: such a name, and the right one
    :ivar unlike: a name that looks alike and that this row leaves alone
    """

    name: str
    pattern: str
    right: str
    example: tuple[str, str]
    unlike: str


_DATED: Final = r"(20[0-9]{2}\.[01][0-9]\.[0-3][0-9]\.[0-9]{6,8})"
_FILE: Final = r"(?:\.full(?:[.-]text)?)?(?:\.(?:pdf|html?))?"
SLIPS: Final = tuple(Slip(*row) for row in (
    # A name of bioRxiv and medRxiv stands for all versions; only the URL of a page has one.
    ("version of bioRxiv", rf"(10\.(?:1101|64898)/[0-9.]{{6,24}})v[0-9]{{1,2}}{_FILE}", r"\1",
     ("10.1101/2020.10.30.364968v2", "10.1101/2020.10.30.364968"), "10.1101/gr.364968v2"),
    # https://connect.biorxiv.org/news/2025/11/18/preprint_dois: the prefix is 10.64898 since
    # December 2025, and the names before that keep theirs.
    ("new prefix of bioRxiv", rf"10\.1101/{_DATED}(?:v[0-9]{{1,2}}{_FILE})?", r"10.64898/\1",
     ("10.1101/2026.01.27.702015", "10.64898/2026.01.27.702015"), "10.1101/gr.702015"),
    ("old prefix of bioRxiv", rf"10\.64898/{_DATED}(?:v[0-9]{{1,2}}{_FILE})?", r"10.1101/\1",
     ("10.64898/2020.10.30.364968v2", "10.1101/2020.10.30.364968"), "10.64898/364968"),
    # Since 2026, https://doi.org/10.26434/chemrxiv.15001415/v2; before that chemrxiv-2025-xzp6k-v2;
    # until 2021, when ChemRxiv was at Figshare, chemrxiv.11825958.v1.
    ("version of ChemRxiv since 2026",
     r"(?i:(10\.26434/chemrxiv\.(?:1[5-9]|[2-9][0-9])[0-9]{6})[.-]?(v[0-9]{1,2}))", r"\1/\2",
     ("10.26434/chemrxiv.15001415v2", "10.26434/chemrxiv.15001415/v2"),
     "10.26434/chemrxiv.15001415/v2"),
    ("version of ChemRxiv before 2026",
     r"(?i:(10\.26434/chemrxiv-20[0-9]{2}-[0-9a-z]{5})[./]?(v[0-9]{1,2}))", r"\1-\2",
     ("10.26434/chemrxiv-2025-xzp6k/v2", "10.26434/chemrxiv-2025-xzp6k-v2"),
     "10.26434/chemrxiv-2025-xzp6k-v2"),
    ("version of ChemRxiv at Figshare",
     r"(?i:(10\.26434/chemrxiv\.(?:[0-9]{7}|1[0-4][0-9]{6}))[/-]?(v[0-9]{1,2}))", r"\1.\2",
     ("10.26434/chemrxiv.11825958v1", "10.26434/chemrxiv.11825958.v1"),
     "10.26434/chemrxiv.11825958.v1"),
    # https://info.arxiv.org/help/doi.html
    ("name of arXiv",
     r"10\.48550/(?i:arxiv[.:/]?)?((?:[0-9]{4}\.[0-9]{4,5}|[a-z-]+/[0-9]{7}))(?:v[0-9]{1,2})?",
     r"10.48550/arXiv.\1",
     ("10.48550/2301.00001v2", "10.48550/arXiv.2301.00001"), "10.48550/arXiv.2301.abc"),
    ("name of Zenodo", r"10\.5281/(?i:(?:zenodo[./:]?){0,2})([0-9]{4,9})", r"10.5281/zenodo.\1",
     ("10.5281/zenodo.zenodo.1234567", "10.5281/zenodo.1234567"), "10.5281/inveniordm.1234567"),
    ("file or page of the work",
     (r"(.+?)(?:\.full(?:[.-]text)?(?:\.pdf)?|\.e?pdf|\.html?|\.abstract"
      r"|/(?:abstract|full|fulltext|e?pdf|html|meta)/?)"), r"\1",
     ("10.1088/1367-2630/12/3/033025/meta", "10.1088/1367-2630/12/3/033025"), "10.1088/metadata"),
))  # fmt: skip
# Matches whole names, in which a character may be a line end.
_SLIPS: Final = tuple((re.compile(slip.pattern, re.DOTALL), slip.right) for slip in SLIPS)
# A letter between digits: O for 0, l for 1.
_LETTERS: Final = re.compile(r"(?<=[0-9])[OoIl](?=[0-9])")


def near_misses(doi: DOI, wholes: Iterable[DOI] = ()) -> tuple[DOI, ...]:
    """Suggest names for one that fails, the likeliest first: at most two whole ones, four others.

    :param wholes: the name without invisible characters that cut it, in each of its places
    """
    misses: dict[DOI, None] = {}
    likeliest = list(islice(dict.fromkeys(whole.name for whole in wholes), _WHOLES))
    for name in chain(likeliest, _candidates(doi.name)):
        try:
            near = DOI(name)
        except InvalidDOI:
            continue
        if near != doi:
            misses[near] = None
        if len(misses) == len(likeliest) + _LIMIT:
            break
    return tuple(misses)


def _candidates(name: str) -> Iterator[str]:
    for pattern, right in _SLIPS:
        if slip := pattern.fullmatch(name):
            yield slip.expand(right)
    yield _LETTERS.sub(lambda letter: "0" if letter[0] in "Oo" else "1", name)
    yield _TRIPLETS.sub(_visible, name)
    yield name.translate(TO_HYPHENS)
    yield normalize("NFKC", name)
    # Typography, such as that of Hugo and Jekyll, makes these of hyphens.
    yield name.replace("\u2014", "---").replace("\u2013", "--")
    opened = [each for each, closer in BRACKETS.items() if name.count(each) > name.count(closer)]
    if opened:
        yield name + BRACKETS[max(opened, key=name.rfind)]
    yield name[:-1]


def _visible(triplets: re.Match[str]) -> str:
    """Remove the triplets that stand for invisible characters."""
    text = unquote(triplets[0], errors="replace")
    if "\ufffd" in text:
        return triplets[0]
    return quote("".join(each for each in text if category(each) != "Cf"))


def news(say: Callable[[str], object], every: float = 10.0) -> Progress:
    """Build a ``progress`` for :func:`~doilinks.check.check` that passes lines to ``say``.

    :param say: called with a line
    :param every: the least number of seconds between two lines

    >>> progress = news(print, every=0)
    >>> progress(40, 400, 0), progress(40, 400, 25), progress(40, 400, 24.8)
    asked 40 of 400
    waits 25 seconds, as the server asks
    (None, None, None)
    """
    last, until = time.monotonic(), 0.0

    def progress(done: int, total: int, pause: float) -> None:
        nonlocal last, until
        now = time.monotonic()
        if pause and now + pause > until + 1:  # otherwise it is the same pause
            until = now + pause
            say(f"waits {pause:.0f} seconds, as the server asks")
        elif not pause and now - last >= every:
            last = now
            say(f"asked {done} of {total}")

    return progress


# The number of names whose near misses are asked: invented names must not burden the server.
_NEAR_LIMIT: Final = 20


def check(
    found: Iterable[Found],
    options: Options,
    *,
    silences: Iterable[IgnoreComment] = (),
    root: Path | None = None,
    progress: Progress | None = None,
    update: bool = False,
    prune: bool = False,
    memory: Memory | None = None,
    extra: Callable[[Options, Lockfile], ExtraCheck] | None = None,
    sleep: Sleep = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> CheckReport:
    """Resolve every DOI of the documents.

    :param found: every DOI found, in any order; the same DOI in the same place counts once
    :param options: the ``check_*`` options; ``check`` says whether a name that fails is an error
        (``error``, and ``off``, which keeps hosts from calling this) or a warning (``warn``)
    :param silences: the comments of the documents that silence names
    :param root: the folder from which the lock file is found, and that ``check_lockfile`` is
        relative to; the current one by default
    :param progress: called with the number of names asked, first 0, the number of all, and the
        seconds of a pause that a server has asked for, mostly 0; an exception that it raises ends
        the check, after all answers have been saved
    :param update: ask about every name again, also those in the lock file
    :param prune: remove names from the lock file that no document contains
    :param memory: answers to earlier checks with the same options, which are not asked again;
        this check adds its own. For a host that builds repeatedly
    :param extra: makes an extra check of these names
    :param sleep, clock: wait between two attempts, and tell the time; tests replace them
    :raises InvalidLockfile: when the lock file is damaged or unreadable; nothing is asked
    :raises Interrupted: a KeyboardInterrupt, after all answers have been saved
    :raises ValueError: if the options ask for works, which :func:`doilinks.works.check` checks too
    """
    if options.check_works != "off" and extra is None:
        raise ValueError("check_works: call doilinks.works.check")
    checking = _Checking(
        found, IgnoreComments(silences), options, root or Path(), memory or Memory()
    )
    checking.extra = extra(options, checking.lockfile) if extra else checking.extra
    loop = Loop(options, checking.lockfile, Network(agent(), sleep, clock), progress or silent)
    interrupted = False
    try:
        with saving(checking.lockfile):
            checking.ask(loop, update=update)
            if prune:  # every name that a document or the options contain stays
                checking.lockfile.prune({*checking.names, *checking.expected.names})
    except KeyboardInterrupt:
        interrupted = True
    report = checking.report(loop)
    if interrupted:
        raise Interrupted(report)
    return report


class _NameStep(AskStep[DOI]):
    """Asks the Handle API about names, and about near misses of those that fail.

    :param wholes: gives the names without invisible characters at the places of a name
    :ivar resolutions: the resolution of each name so far
    """

    def __init__(
        self,
        options: Options,
        lockfile: Lockfile,
        memory: Memory,
        expected: Expected,
        wholes: Callable[[DOI], Iterable[DOI]],
    ) -> None:
        super().__init__()
        self._options, self._lockfile, self._memory = options, lockfile, memory
        self._expected, self._wholes = expected, wholes
        self.names: list[DOI] = []
        self.resolutions: dict[DOI, Resolution] = {}
        self._resolver: Resolver | None = None
        self._outage = ""

    @property
    def outage(self) -> str:
        """Why the API gave no answer at all, or ``""``."""
        api = self._resolver
        if api and (api.stopped or not api.answered):
            return api.stopped or "no answer"
        return self._outage

    def wanted(self, *, update: bool) -> list[DOI]:
        """Take answers from the lock file, and return the names to ask about."""
        asked, lockfile, is_offline = [], self._lockfile, self._options.check_offline
        for doi in self.names:
            if doi in lockfile and (is_offline or (not update and lockfile.is_fresh(FOUND, doi))):
                self._know(doi, Answer(Outcome.FOUND, alias=lockfile.alias(doi)), is_kept=True)
            elif not update and doi in self._memory.known:
                resolution = self._memory.known[doi]
                expected = self._expected.covers(doi, resolution.outcome)
                self.resolutions[doi] = replace(resolution, expected=expected)
                # If the API gave no answers then, one message stands for all names now too.
                self._outage = self._memory.outage
            elif is_offline:
                self._know(doi, Answer(Outcome.UNKNOWN, "not in the lock file"))
            else:
                asked.append(doi)
        if is_offline and not lockfile.exists:
            self._outage = f"offline, and there is no {lockfile.name or 'lock file'}"
            for doi, resolution in self.resolutions.items():
                if resolution.outcome is Outcome.UNKNOWN:
                    self.resolutions[doi] = replace(resolution, reason=self._outage, lost=True)
        return asked

    def connect(self, _asked: Sequence[DOI], network: Network) -> Resolver:
        """Make the client of the Handle API."""
        self._resolver = Resolver(self._options, network)
        return self._resolver

    def learn(self, doi: DOI, answer: Answer, *, new: bool) -> None:
        """Take an answer of the API, and write it into the lock file, or remove it from there."""
        self._know(doi, answer)
        if new and answer.outcome is Outcome.FOUND:
            self._lockfile.learn(doi, answer.alias)
        elif new and answer.outcome is not Outcome.UNKNOWN:
            self._lockfile.forget(doi)

    def follow(self, session: Session) -> None:
        """Ask about near misses of the names that fail."""
        failing = [
            doi
            for doi in self.answers
            if self.resolutions[doi].fails and self.resolutions[doi].outcome is not Outcome.DELETED
        ]
        offers = {
            doi: near_misses(doi, self._wholes(doi))
            for doi in sorted(failing, key=str)[:_NEAR_LIMIT]
        }
        resolving = {doi for doi, each in self.resolutions.items() if each.outcome is Outcome.FOUND}
        wanted = {near for offered in offers.values() for near in offered} - self.resolutions.keys()
        for near, answer in session.answers(sorted(wanted, key=str)):
            if answer.outcome is Outcome.FOUND:
                resolving.add(near)
        for doi, offered in offers.items():
            first = next((near for near in offered if near in resolving), None)
            self.resolutions[doi] = replace(self.resolutions[doi], near=first)

    def end(self, asked: Iterable[DOI], trouble: str) -> None:
        """Resolve the names without an answer as unknown, and remember all for the next check."""
        if trouble:
            self._outage, self._resolver = trouble, None
        for doi in asked:
            if doi not in self.resolutions:
                self._know(doi, Answer(Outcome.UNKNOWN, self.outage or UNASKED, lost=True))
            self._memory.known[doi] = self.resolutions[doi]
        self._memory.outage = self.outage

    def _know(self, doi: DOI, answer: Answer, *, is_kept: bool = False) -> None:
        # An answer in the lock file, however old, counts if the new one says nothing, because a
        # DOI name is persistent [URI §1]. Its reason says why there is no new one.
        age = None
        if answer.outcome is Outcome.UNKNOWN and doi in self._lockfile:
            answer = replace(answer, outcome=Outcome.FOUND, alias=self._lockfile.alias(doi))
            age = max(0, self._lockfile.age(FOUND, doi))
        self.resolutions[doi] = Resolution(
            doi,
            answer.outcome,
            answer.reason,
            answer.alias,
            kept=is_kept or age is not None,
            expected=self._expected.covers(doi, answer.outcome),
            lost=answer.lost,
            age=age,
        )


class _Checking:
    """One check: the places of names, and the steps that resolve them."""

    def __init__(
        self,
        places: Iterable[Found],
        silenced: IgnoreComments,
        options: Options,
        root: Path,
        memory: Memory,
    ) -> None:
        self._options, self._silenced, self._memory = options, silenced, memory
        self._places: dict[DOI, list[Found]] = {}
        self._nameless: list[Found] = []  # the places that have no name
        for each in distinct(places):
            if silenced.takes(each):
                continue
            if isinstance(each.doi, NoName):
                self._nameless.append(each)
            else:
                self._places.setdefault(each.doi, []).append(each)
        self.names = dict.fromkeys([*self._places, *silenced.names])
        self.expected = Expected(options.check_ignore, self._places.keys())
        self.lockfile = Lockfile.of(options, root)
        self.extra = ExtraCheck()
        self._step = _NameStep(options, self.lockfile, memory, self.expected, self._wholes)
        self._step.names = list(dict.fromkeys([*self.names, *self.expected.names]))

    def _wholes(self, doi: DOI) -> Iterator[DOI]:
        return (place.whole for place in self._places.get(doi, ()) if place.whole)

    def ask(self, loop: Loop, *, update: bool) -> None:
        """Ask about names, then run the steps of the extra check, also for silenced names."""
        loop.run([self._step], update=update)
        if loop.fault is None:
            resolutions = {doi: self._step.resolutions[doi] for doi in self.names}
            for step in self.extra.steps(self._places, resolutions):
                step.answers = self._memory.extra
                loop.run([step], update=update)

    def report(self, loop: Loop) -> CheckReport:
        """Build the report from the answers so far."""
        by_name = self._step.resolutions
        resolutions = {
            doi: by_name.get(doi) or Resolution(doi, Outcome.UNKNOWN, UNASKED) for doi in self.names
        }
        rows = []
        for doi, places in self._places.items():
            here = resolutions[doi]
            for place in places:
                # The text at a place may say which other name was meant.
                near = self.extra.meant(place) if here.fails and not here.near else None
                rows.append((replace(here, near=near) if near else here, place))
        rows += [(by_name[doi], Found(doi)) for doi in self.expected.stale_names(by_name)]
        problems = problems_with(rows, self._step.outage, self._options)
        problems += nameless(self._nameless, self.expected.listed, self._options)
        problems += self._silenced.problems(by_name, self._places, self.extra)
        option = self._options.spelled("check_ignore")
        words = "every name of this family resolves after all: {} (remove it from {})"
        problems += [
            Problem(Severity.WARNING, "doi-stale-ignore", words.format(family, option))
            for family in self.expected.stale_families(by_name)
        ]
        if loop.fault is not None:
            problems.append(fault(loop.fault, self._options))
        problems += of_lockfile(self.lockfile)
        problems += self.extra.problems(self._places, resolutions)
        return CheckReport(
            resolutions,
            tuple(in_order(problems)),
            self.lockfile.name,
            loop.requests,
            exit_code(problems, loop.fault),
            loop.fault,
            works=self.extra.counts,
            created=self.lockfile.created,
        )
