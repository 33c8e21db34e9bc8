"""The lock file: answers to keep, meant to be committed.

JSON, one name a line, sorted, so that a change of one name is a change of one line::

    {
      "version": 1,
      "found": {
        "doi:10.1000/182": {"checked": "2026-11-20"},
        "doi:10/cr3qwn": {"checked": "2026-11-20", "alias": "doi:10.1017/S0140525X00052432"}
      }
    }

The member ``works`` says what names stand for (:mod:`doilinks.check.entries`), and ``agencies``
which agency registers the names of a prefix.

``checked`` is the day on which the Handle API said that the name is found (UTC); ``alias`` the
name that it stands for. Only names that were found are kept: anything else is asked again.

The file is replaced in one step, so a reader sees the old or the new file, also if a writer is
killed. Writers wait for one another and merge; of two answers for a name, the later one stays.
"""

from __future__ import annotations

import os
import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from ..core.doi import DOI
from ..core.options import Options
from ..core.printable import counted
from ..core.work import Work
from .api import Answer, Outcome
from .entries import (
    NEWER,
    Damaged,
    Kept,
    KeptWork,
    agencies_in,
    merged,
    names_in,
    parse,
    spell,
    works_in,
)
from .problems import Problem, Severity
from .storage import guard, read, write

__all__ = [
    "WAIT",
    "InvalidLockfile",
    "Keeper",
    "Kept",
    "Lockfile",
]


_WORKS: Final = "works"
_AGENCIES: Final = "agencies"  # of prefixes
WAIT: Final = 30.0  # seconds for another writer


class InvalidLockfile(ValueError):
    """A lock file that cannot be read; the file stays as it is.

    :ivar path: the file
    :ivar line: the line, counted from 1, or 0 when the file cannot be read at all
    :ivar reason: what is wrong, a phrase
    """

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(path, line, reason)
        self.path, self.line, self.reason = path, line, reason

    def __str__(self) -> str:
        if self.line == 0:
            return f"{self.path}: cannot read the lock file: {self.reason}"
        if self.reason == NEWER:
            return f"{self.path}:{self.line}: the lock file {NEWER}; update doilinks"
        return (
            f"{self.path}:{self.line}: damaged lock file: {self.reason}; "
            "restore it from version control, or delete it to ask for every name again"
        )


class Lockfile:
    """The answers of one lock file, and those learnt since.

    :param path: the file, which need not exist
    :raises InvalidLockfile: when it is damaged or cannot be read
    """

    def __init__(self, path: Path) -> None:
        # A symbolic link stays one; what it points to is replaced. One that points to itself stays
        # as it is, and then cannot be opened.
        self.path = Path(os.path.realpath(path))
        self._shown = path
        kept = self._read()
        self.exists = kept is not None
        self._kept, rest = kept or ({}, {})
        self._learnt: dict[DOI, Kept | None] = {}
        self._works, self.agencies = works_in(rest.get(_WORKS)), agencies_in(rest.get(_AGENCIES))
        self._with_works = frozenset(names_in(rest.get(_WORKS)).values())
        self._learnt_works: dict[DOI, KeptWork] = {}
        self._learnt_agencies: dict[str, str] = {}
        self._gone: set[DOI] = set()

    def get(self, doi: DOI) -> Kept | None:
        """The kept answer for a name, or None."""
        if self._learnt and doi in self._learnt:
            return self._learnt[doi]
        return self._kept.get(doi)

    def learn(self, doi: DOI, kept: Kept | None) -> None:
        """Note that a name was found, or with None that the kept answer is no longer true."""
        if kept is not None or doi in self._kept:
            self._learnt[doi] = kept

    def work(self, doi: DOI) -> KeptWork | None:
        """The kept work of a name, or None."""
        return self._learnt_works.get(doi) or self._works.get(doi)

    @property
    def has_works(self) -> bool:
        """Whether any work is kept."""
        return bool(self._works or self._learnt_works)

    def learn_work(self, doi: DOI, kept: KeptWork) -> None:
        """Note what a name stands for."""
        self._learnt_works[doi] = kept

    def learn_agencies(self, agencies: Mapping[str, str]) -> None:
        """Note the agencies of prefixes."""
        self._learnt_agencies.update(agencies.items() - self.agencies.items())

    def prune(self, held: Container[DOI]) -> int:
        """Note that all names but these are no longer wanted; returns how many that are."""
        known = self._kept.keys() | self._learnt.keys() | self._with_works
        self._gone = {doi for doi in known if doi not in held}
        for doi in self._gone:
            self.learn(doi, None)
            self._learnt_works.pop(doi, None)
        return len(self._gone)

    def save(self, wait: float = WAIT) -> bool:
        """Write what was learnt, merged with what is in the file by now; tell whether it changed.

        :param wait: seconds for another writer
        :raises InvalidLockfile: when the file has been damaged since; nothing is written
        :raises TimeoutError: when another process writes for all of that time
        :raises OSError: when it cannot be written
        """
        if not (self._learnt or self._learnt_works or self._learnt_agencies or self._gone):
            return False
        with guard(self.path, wait):
            kept, rest = self._read() or ({}, {})
            before = dict(kept)
            for doi, new in self._learnt.items():
                old, mine = kept.get(doi), self._kept.get(doi)
                # Newer answers of another writer stay.
                if old is not None and old != mine and (new is None or new.checked < old.checked):
                    continue
                if new is not None:
                    kept[doi] = Kept(new.checked, new.alias, old.more if old else new.more)
                elif old is not None:
                    del kept[doi]
            works, changed = self._merge_works(rest)
            changed = changed or kept != before
            if changed:
                write(self.path, spell(kept, rest, works))
        self._kept, self._learnt = kept, {}
        self._learnt_works, self._learnt_agencies, self._gone = {}, {}, set()
        return changed

    def _merge_works(self, rest: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        """Entries of the file with those learnt; an entry of another writer that is newer stays."""
        section = rest.get(_WORKS, {})
        before, names = works_in(section), frozenset(names_in(section).values())
        newer = {}
        for doi, learnt in self._learnt_works.items():
            old = before.get(doi)
            if old is None or (old != learnt and old.fetched <= learnt.fetched):
                newer[doi] = learnt
        changed = bool(newer) or not self._gone.isdisjoint(names)
        if changed or isinstance(section, dict):
            section = merged(rest.pop(_WORKS, {}), newer, self._gone)
        else:  # it is no section of works, and stays as it is
            section = {}
        self._works = {doi: work for doi, work in before.items() if doi not in self._gone} | newer
        self._with_works = (names - self._gone) | newer.keys()
        agencies = rest.get(_AGENCIES)
        self.agencies = agencies_in(agencies) | self._learnt_agencies
        if self._learnt_agencies:
            others = agencies if isinstance(agencies, dict) else {}
            rest[_AGENCIES] = dict(sorted((others | self._learnt_agencies).items()))
            changed = True
        return section, changed

    def _read(self) -> tuple[dict[DOI, Kept], dict[str, Any]] | None:
        try:
            octets = read(self.path)
            return None if octets is None else parse(octets)
        except OSError as error:
            raise InvalidLockfile(self._shown, 0, error.strerror or "no reason given") from error
        except Damaged as damage:
            raise InvalidLockfile(self._shown, damage.line, damage.reason) from None


# --------------------------------------------------------------------------------------------------
# The keeper: keeps good answers in the lock file, and reports if it could not.

# Seconds between two saves, so that a build that is killed for taking too long gets further the
# next time; and how many times as long as it takes to save, which is longer for a large file.
_SAVE_EVERY: Final = 2.0
_SAVE_PAUSE: Final = 50.0

# Seconds to wait for another writer, while there are other things to do and somebody waits.
_GLANCE: Final = 2.0


class Keeper:
    """Keeps the good answers of a check.

    :param root: the folder that ``check_lockfile`` is relative to
    :ivar created: there was no lock file, and now there is one
    :raises InvalidLockfile: when the lock file is damaged or unreadable
    """

    def __init__(self, options: Options, root: Path) -> None:
        self.created = False
        self._options = options
        path = options.check_lockfile
        self._lockfile = Lockfile(root / path) if path else None
        self._today = datetime.now(UTC).date()
        self._save_at = time.monotonic() + _SAVE_EVERY
        self._trouble = ""
        self._pruned: int | None = None

    @property
    def exists(self) -> bool:
        """Whether there was a lock file."""
        return self._lockfile is not None and self._lockfile.exists

    def answer(self, doi: DOI, *, update: bool) -> Answer | None:
        """The kept answer for a name, or None if the check has to ask.

        :param update: ask about every name that can be asked about
        """
        kept = self._lockfile.get(doi) if self._lockfile else None
        if kept is None:
            return None
        # A day in the future comes from a wrong clock or another time zone.
        fresh = -1 <= self._days(kept) < self._options.check_max_age
        if self._options.check_offline or (fresh and not update):
            return Answer(Outcome.FOUND, alias=kept.alias)
        return None

    def settled(self, doi: DOI, answer: Answer) -> tuple[Answer, int | None]:
        """An answer; or, if it says nothing, the kept one, however old, and its age in days.

        It counts because a DOI name is persistent [URI §1]. Why there is no other is its reason.
        """
        kept = self._lockfile.get(doi) if self._lockfile else None
        if kept is None or answer.outcome is not Outcome.UNKNOWN:
            return answer, None
        found = replace(answer, outcome=Outcome.FOUND, alias=kept.alias)
        return found, max(0, self._days(kept))

    def _days(self, kept: Kept) -> int:
        return (self._today - kept.checked).days

    def prune(self, held: Container[DOI]) -> None:
        """Take the names out of the lock file that are not among those that documents contain."""
        if self._lockfile is not None:
            self._pruned = self._lockfile.prune(held)

    def learn(self, doi: DOI, answer: Answer) -> None:
        """Keep a good answer, or forget one that is no longer true; save from time to time."""
        if self._lockfile is None or answer.outcome is Outcome.UNKNOWN:
            return
        found = answer.outcome is Outcome.FOUND
        self._lockfile.learn(doi, Kept(self._today, answer.alias) if found else None)
        if time.monotonic() > self._save_at:
            self.save(soon=True)

    @property
    def agencies(self) -> Mapping[str, str]:
        """The agencies of prefixes, as far as they are known."""
        return self._lockfile.agencies if self._lockfile else {}

    def work(self, doi: DOI) -> tuple[Work | None, bool]:
        """The kept work of a name, and whether its status is fresh enough not to ask again."""
        kept = self._lockfile.work(doi) if self._lockfile else None
        if kept is None:
            return None, False
        return kept.work, -1 <= (self._today - kept.fetched).days < self._options.check_max_age

    @property
    def has_works(self) -> bool:
        """Whether the lock file has works, so that the project compares them."""
        return self._lockfile is not None and self._lockfile.has_works

    def learn_work(self, doi: DOI, work: Work, agencies: Mapping[str, str]) -> None:
        """Keep what a name stands for, and the agencies; save from time to time."""
        if self._lockfile is None:
            return
        self._lockfile.learn_work(doi, KeptWork(self._today, work))
        self._lockfile.learn_agencies(agencies)
        if time.monotonic() > self._save_at:
            self.save(soon=True)

    def save(self, *, soon: bool = False) -> None:
        """Write the lock file. If that fails, the results of the check stay the same.

        :param soon: do not wait for another writer, because a later save will follow, or because
            the user pressed Ctrl-C
        """
        if self._lockfile is None or (self._options.check_offline and not self._pruned):
            return
        begun, self._trouble = time.monotonic(), ""
        try:
            changed = self._lockfile.save(_GLANCE if soon else WAIT)
            self.created = self.created or (changed and not self.exists)
        except InvalidLockfile as error:
            self._trouble = str(error)
        except OSError as error:
            why = error.strerror or "another process is writing there"
            name = self._options.check_lockfile
            self._trouble = f"cannot write {name}: {why}; answers are not kept"
        ended = time.monotonic()
        self._save_at = ended + max(_SAVE_EVERY, _SAVE_PAUSE * (ended - begun))

    @property
    def problems(self) -> Sequence[Problem]:
        """Why the last save failed, or how many names were taken out."""
        if self._trouble:
            return (Problem(Severity.WARNING, "doi-lockfile", self._trouble),)
        if self._pruned is None:
            return ()
        names = counted(self._pruned, "name")
        message = f"{names} that no document contains removed from {self._options.check_lockfile}"
        return (Problem(Severity.REMARK, "doi-pruned", message),)
