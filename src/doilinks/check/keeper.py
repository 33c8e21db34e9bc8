"""The keeper: keeps good answers in the lock file, and reports if it could not."""

from __future__ import annotations

import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ..core.doi import DOI
from ..core.options import Options
from ..core.printable import counted
from ..works import Work
from .kept_works import KeptWork
from .lockfile import WAIT, InvalidLockfile, Kept, Lockfile
from .record import Answer, Outcome
from .result import Problem, Severity

__all__ = ["Keeper"]

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
