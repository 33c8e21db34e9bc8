"""The lock file: answers to keep, meant to be committed.

JSON, one name a line, sorted, so that a change of one name is a change of one line::

    {
      "version": 1,
      "found": {
        "doi:10.1000/182": {"checked": "2026-11-20"},
        "doi:10/cr3qwn": {"checked": "2026-11-20", "alias": "doi:10.1017/S0140525X00052432"}
      }
    }

The member ``works`` says what names stand for (:mod:`doilinks.check.kept_works`), and ``agencies``
which agency registers the names of a prefix.

``checked`` is the day on which the Handle API said that the name is found (UTC); ``alias`` the
name that it stands for. Only names that were found are kept: anything else is asked again.

The file is replaced in one step, so a reader sees the old or the new file, also if a writer is
killed. Writers wait for one another and merge; of two answers for a name, the later one stays.
"""

from __future__ import annotations

import os
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, Final

from ..core.doi import DOI
from .entries import NEWER, Damaged, Kept, parse, spell
from .guard import guard
from .kept_works import KeptWork, agencies_in, merged, names_in, works_in
from .storage import read, write

__all__ = ["WAIT", "InvalidLockfile", "Kept", "Lockfile"]

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
