"""The lock file: answers to keep, meant to be committed and to be read in reviews.

JSON, one name a line, sorted, so that a change of one name is a change of one line::

    {
      "version": 1,
      "checked": "2026-11-20",
      "found": {
        "doi:10.1000/182": {},
        "doi:10/cr3qwn": {"alias": "doi:10.1017/S0140525X00052432"}
      }
    }

``lock/entries.py`` describes all members. ``checked`` is the last day on which the Handle API
confirmed all names (UTC), ``alias`` the name that another one stands for. Only names that resolve
are kept: all others are asked for again. When the day is too old, a run asks for all of its names.
The day is then set to that of the run if these are at least half of all names; the others get their
old day in their own lines. A run with fewer names leaves the day as it is.

The file is replaced in one step, so a reader sees the old or the new file, also if a writer is
killed. Writers wait for one another and merge; of two answers for a name, the later one stays.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from ..core.doi import DOI
from ..core.options import Options
from ..record.work import Work, doi_in
from ..shared.project import in_messages, lockfile_of
from ..shared.replace import guard, read, write
from . import entries
from .entries import DAYS, FOUND, SECTIONS, SUGGESTED, WORKS, InvalidLockfile, key_of

WAIT: Final = 30.0  # seconds for another writer


# Seconds between two saves, so that a build that is killed for taking too long gets further the
# next time; and how many times as long as it takes to save, which is longer for a large file.
_KEEP_EVERY: Final = 2.0
_KEEP_PAUSE: Final = 50.0

# Seconds to wait for another writer, while there are other things to do and somebody waits.
_GLANCE: Final = 2.0


class Lockfile:
    """The answers of one lock file, and new ones; without a path, they are not saved.

    :ivar name: the path in messages; ``""`` if there is none
    :ivar exists: whether the file was there when it was opened
    :ivar created: whether it was not there, and was written since
    :ivar trouble: why the last :meth:`keep` failed, or ``""``
    :ivar pruned: how many names :meth:`prune` has removed; None if it was not called
    :raises InvalidLockfile: when it is damaged or cannot be read
    """

    def __init__(
        self,
        path: Path | None,
        max_age: float = 0,
        today: date | None = None,
        *,
        offline: bool = False,
    ) -> None:
        # A symbolic link stays: its target is replaced. One that points to itself stays as it is,
        # and then cannot be opened.
        self.path = Path(os.path.realpath(path)) if path else None
        self._written, self._max_age, self._offline = path, max_age, offline
        self.name = in_messages(path)
        self.today = today or datetime.now(UTC).date()
        self._octets = _octets(self.path, path)
        self.exists = self._octets is not None
        self.created, self.trouble = False, ""
        self.pruned: int | None = None
        self._keep_at = time.monotonic() + _KEEP_EVERY
        # The names that were confirmed in this run, by section.
        self._confirmed: dict[str, set[str]] = {section: set() for section in SECTIONS}
        self._take(_parsed(self._octets, path))

    @classmethod
    def of(cls, options: Options, root: Path) -> Lockfile:
        """Open the lock file of a project, as its options say.

        :param root: the folder that ``check_lockfile`` is relative to
        """
        path = lockfile_of(options, root)
        return cls(path, options.check_max_age, offline=options.check_offline)

    def _take(self, document: entries.Document) -> None:
        self._before = document
        self._now = {
            name: dict(each) if isinstance(each, dict) else each for name, each in document.items()
        }

    def __contains__(self, doi: DOI) -> bool:
        """Tell whether the lock file says that a name resolves."""
        return key_of(doi) in self._entries(FOUND)

    def alias(self, doi: DOI) -> DOI | None:
        """Return the alias of a DOI name that was found: the name that it stands for, or None."""
        return entries.read_found(self._entry(FOUND, key_of(doi)))

    def names(self) -> Iterator[DOI]:
        """Yield the names of all works."""
        yield from filter(None, map(doi_in, self._entries(WORKS)))

    def day(self, doi: DOI) -> date | None:
        """Return the day since which there is an answer about a name."""
        key = key_of(doi)
        sections = (each for each in (WORKS, FOUND) if key in self._entries(each))
        days = (entries.day_of(self._now, each, self._entry(each, key)) for each in sections)
        return next(days, None)

    def age(self, section: str, doi: DOI) -> int:
        """Return the days since an answer was confirmed, at most; negative if a clock was wrong."""
        entry = self._entry(section, self._key(section, doi))
        return (self.today - entries.day_of(self._now, section, entry)).days

    def is_fresh(self, section: str, doi: DOI) -> bool:
        """Tell whether an answer need not be asked for again."""
        # A day in the future is from a wrong clock or another time zone.
        return -1 <= self.age(section, doi) < self._max_age

    def _entries(self, section: str) -> dict[str, Any]:
        return entries.section_of(self._now, section)

    def _entry(self, section: str, key: str) -> dict[str, Any]:
        return entries.entry_of(self._now, section, key)

    def _own(self, section: str) -> dict[str, Any]:
        """Return the entries of a section; create the section if the document has none."""
        own = self._now[section] = self._entries(section)
        return own

    def learn(self, doi: DOI, alias: DOI | None = None) -> None:
        """Add a name that resolves."""
        self._learn(FOUND, key_of(doi), {"alias": alias.uri} if alias else {})

    def forget(self, doi: DOI) -> None:
        """Remove an answer that is no longer true."""
        self._entries(FOUND).pop(key_of(doi), None)

    def _learn(self, section: str, key: str, entry: dict[str, Any]) -> None:
        """Confirm an entry, and replace it if it has changed."""
        before = self._entry(section, key)
        entry |= {k: v for k, v in before.items() if k not in entries.MEMBERS[section]}
        same = entry | {"asked": before["asked"]} if "asked" in before else entry
        if section in DAYS and not self._entries(section):
            self._now[DAYS[section]] = self.today.isoformat()
        if same != before or key not in self._entries(section):
            self._own(section)[key] = entries.spell_entry(entry)
        self._confirmed[section].add(key)

    def _key(self, section: str, doi: DOI) -> str:
        """Return the key of a name; that of its work, if it is an alias, is the other name's."""
        return key_of((section == WORKS and self.alias(doi)) or doi)

    def work(self, doi: DOI) -> Work | None:
        """Return the kept work of the name that a DOI name stands for, or its own, or None."""
        keys = map(key_of, filter(None, (self.alias(doi), doi)))
        works = (entries.read_work(self._entry(WORKS, key)) for key in keys)
        return next(filter(None, works), None)

    @property
    def has_works(self) -> bool:
        """Whether any work is kept."""
        return any(entries.read_work(self._entry(WORKS, key)) for key in self._entries(WORKS))

    def learn_work(self, doi: DOI, work: Work, agencies: Mapping[str, str] | None = None) -> None:
        """Add the work of a name, and the agencies of prefixes."""
        self._learn(WORKS, self._key(WORKS, doi), entries.spell_work(work))
        if agencies:
            self._own(entries.AGENCIES).update(agencies)

    def suggested(self, text: str) -> tuple[DOI, ...] | None:
        """Return the works kept for the text with this hash; None if it was not sent."""
        return entries.read_suggested(self._entry(SUGGESTED, text))

    @property
    def has_suggested(self) -> bool:
        """Whether the lock file has any suggestion."""
        return bool(self._entries(SUGGESTED))

    def learn_suggested(self, text: str, names: Iterable[DOI]) -> None:
        """Add the works that fit the text with this hash."""
        fits = [doi.uri for doi in names]
        day = {"asked": self.today.isoformat()}
        self._learn(SUGGESTED, text, day | ({"fits": fits} if fits else {}))

    @property
    def agencies(self) -> dict[str, str]:
        """The agencies of prefixes."""
        kept = self._entries(entries.AGENCIES).items()
        return {prefix: agency for prefix, agency in kept if isinstance(agency, str)}

    def prune(self, held: Iterable[DOI]) -> None:
        """Remove all names but these, which documents contain."""
        if self.path is None:
            return
        wanted = {key for doi in held for key in (key_of(doi), self._key(WORKS, doi))}
        # A text whose work the documents name is no longer wanted either.
        for text in list(self._entries(SUGGESTED)):
            kept = self.suggested(text)
            names = {*map(key_of, kept or ())}
            if kept is None or (names and names <= wanted):
                del self._now[SUGGESTED][text]
            else:
                wanted |= names
        gone = {
            key
            for section in SECTIONS
            for key in self._entries(section).keys() - wanted
            if key.startswith("doi:")
        }
        for section in SECTIONS:
            for key in gone & self._entries(section).keys():
                del self._now[section][key]
        self.pruned = len(gone)

    def renew(self) -> None:
        """Set the common day to today if it is nearly over and half of the names were confirmed."""
        for section, member in DAYS.items():
            kept, confirmed = self._entries(section), self._confirmed[section]
            day = entries.day_of(self._now, section, {})
            is_near_end = not -1 <= (self.today - day).days < self._max_age * 0.75
            if is_near_end and kept and 2 * len(confirmed & kept.keys()) >= len(kept):
                for key in kept.keys() - confirmed:
                    kept[key] = entries.with_day(section, kept[key], day.isoformat())
                self._now[member] = self.today.isoformat()

    def save(self, wait: float = WAIT) -> bool:
        """Write the new answers, merged with the file as it is by now; tell whether it changed.

        :raises InvalidLockfile: when the file has been damaged since; nothing is written
        :raises OSError: when it cannot be written; a TimeoutError after waiting for another
        """
        if self.path is None or self._now == self._before:
            return False
        with guard(self.path, wait):
            octets, document, theirs = _octets(self.path, self._written), self._now, self._before
            if octets != self._octets:
                theirs = _parsed(octets, self._written)
                document = entries.merge(self._before, self._now, theirs)
            if changed := document != theirs:
                octets = entries.spell(document).encode()
                write(self.path, octets)
        self._octets = octets
        self._take(document)
        return changed

    def keep(self, *, soon: bool = False, renew: bool = True) -> None:
        """Save the new answers; if that fails, :attr:`trouble` says why.

        :param soon: a later call will follow, or Ctrl-C was pressed: do not wait for other writers
        :param renew: no call will follow, so all answers of the run are there for :meth:`renew`
        """
        if self._offline and not self.pruned:
            return
        begun, self.trouble = time.monotonic(), ""
        try:
            if renew:
                self.renew()
            changed = self.save(_GLANCE if soon else WAIT)
            self.created = self.created or (changed and not self.exists)
        except InvalidLockfile as error:
            self.trouble = str(error)
        except OSError as error:
            why = error.strerror or "another process is writing there"
            self.trouble = f"cannot write {self.name}: {why}; answers are not kept"
        ended = time.monotonic()
        self._keep_at = ended + max(_KEEP_EVERY, _KEEP_PAUSE * (ended - begun))

    def keep_if_late(self) -> None:
        """Save the new answers if the last time is long ago."""
        if time.monotonic() > self._keep_at:
            self.keep(soon=True, renew=False)


def _octets(path: Path | None, name: Path | None) -> bytes | None:
    try:
        return read(path) if path else None
    except OSError as error:
        raise InvalidLockfile(0, error.strerror or "no reason given", name) from error


def _parsed(octets: bytes | None, name: Path | None) -> entries.Document:
    try:
        return {FOUND: {}} if octets is None else entries.parse(octets)
    except InvalidLockfile as error:
        error.path = name or error.path
        raise


def merge_files(path: Path, base: Path | None = None, theirs: Path | None = None) -> bool:
    """Merge a lock file with another one, or the two sides of one with conflict markers.

    :return: whether there was anything to merge
    :raises InvalidLockfile: when one of them is damaged or cannot be read; nothing is written
    :raises OSError: when it cannot be written
    """
    real = Path(os.path.realpath(path))
    with guard(real, WAIT):
        octets = [_octets(each, each) or b"" if each else b"" for each in (base, real, theirs)]
        if theirs is None:
            sides = entries.unmerged(octets[1].decode("utf-8", "surrogateescape"))
            if sides is None:
                _parsed(octets[1], path)
                return False
            octets[1:] = [side.encode("utf-8", "surrogateescape") for side in sides]
        shown = (base or path, path, theirs or path)
        # Git gives an empty file for one that was not there.
        every = [
            _parsed(each if each.strip() else None, name)
            for each, name in zip(octets, shown, strict=True)
        ]
        write(real, entries.spell(entries.merge(*every)).encode())
    return True
