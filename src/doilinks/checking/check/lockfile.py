"""The lock file: answers to keep, meant to be committed and to be read in reviews.

JSON, one name a line, sorted, so that a change of one name is a change of one line::

    {
      "version": 1,
      "renewed": {"found": "2026-12-20"},
      "found": {
        "doi:10.1000/182": {"checked": "2026-11-20"},
        "doi:10/cr3qwn": {"checked": "2026-11-20", "alias": "doi:10.1017/S0140525X00052432"}
      }
    }

The member ``works`` says what names stand for (``record/entries.py``), and ``agencies``
which agency registers the names of a prefix. ``suggested`` says which works fit the text of a
reference.

``checked`` is the day on which the Handle API said that the name is found (UTC); ``alias`` the
name that it stands for. Only names that were found are kept: anything else is asked again. The day
changes if the answer does. An answer that is the same changes it only near its end, and then
``renewed`` changes instead if fewer lines differ.

The file is replaced in one step, so a reader sees the old or the new file, also if a writer is
killed. Writers wait for one another and merge; of two answers for a name, the later one stays.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from ...core.doi import DOI
from ...core.options import Options
from ...core.printable import counted
from ...shared.project import in_messages, lockfile_of
from ...shared.replace import guard, read, write
from ..record.entries import (
    AGEING,
    AGENCIES,
    DATES,
    FOUND,
    KNOWN,
    RENEWED,
    SUGGESTED,
    WORKS,
    Damaged,
    Document,
    Kept,
    KeptWork,
    Suggested,
    day_of,
    is_left,
    key_of,
    merge,
    parse,
    read_found,
    read_suggested,
    read_work,
    section_of,
    spell,
    spell_found,
    spell_suggested,
    spell_work,
    unmerged,
)
from ..record.work import Work
from .api import Answer, Outcome
from .problems import Problem, Severity

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
        return Damaged(self.line, self.reason).in_words(in_messages(self.path))


class Lockfile:
    """The answers of one lock file, and those learnt since.

    :param path: the file, which need not exist
    :param max_age: days after which an answer is asked for again
    :raises InvalidLockfile: when it is damaged or cannot be read
    """

    def __init__(self, path: Path, max_age: float = 0) -> None:
        # A symbolic link stays one; what it points to is replaced. One that points to itself stays
        # as it is, and then cannot be opened.
        self.path = Path(os.path.realpath(path))
        self._shown, self._max_age = path, max_age
        document = self._read()
        self.exists = document is not None
        self._take(document or {FOUND: {}})

    def _take(self, document: Document) -> None:
        self._before = document
        self._now = {
            name: dict(each) if isinstance(each, dict) else each for name, each in document.items()
        }
        # Names with the same answer as before, and the day of that.
        self._same: dict[str, dict[str, date]] = {section: {} for section in DATES}

    def get(self, doi: DOI) -> Kept | None:
        """The kept answer for a name, or None."""
        key = key_of(doi)
        entry = self._entries(FOUND).get(key)
        return read_found(entry)._replace(checked=self._day(FOUND, key)) if entry else None

    def _day(self, section: str, key: str) -> date:
        return self._same[section].get(key) or day_of(self._now, section, key) or date.min

    def _entries(self, section: str) -> dict[str, Any]:
        return section_of(self._now, section)

    def _own(self, section: str) -> dict[str, Any]:
        """The same, to be written into; what is no section is replaced."""
        self._now[section] = self._entries(section)
        return section_of(self._now, section)

    def learn(self, doi: DOI, kept: Kept | None) -> None:
        """Note that a name was found, or with None that the kept answer is no longer true."""
        if kept is None:
            self._entries(FOUND).pop(key_of(doi), None)
        else:
            self._learn(FOUND, key_of(doi), spell_found(kept), kept.checked)

    def _learn(self, section: str, key: str, entry: dict[str, Any], day: date) -> None:
        """Note an entry. Only one that says something else than before is written anew."""
        dated = {DATES[section], RENEWED}
        before = self._entries(section).get(key)
        before = before if isinstance(before, dict) else {}
        entry |= {name: each for name, each in before.items() if name not in KNOWN[section]}
        if before and all(
            entry.get(name) == before.get(name) for name in (entry.keys() | before.keys()) - dated
        ):
            self._same[section][key] = day
        else:
            self._own(section)[key] = entry

    def work(self, doi: DOI) -> KeptWork | None:
        """The kept work of a name, or None."""
        key = key_of(doi)
        kept = read_work(self._entries(WORKS).get(key))
        return kept._replace(fetched=self._day(WORKS, key)) if kept else None

    @property
    def has_works(self) -> bool:
        """Whether any work is kept."""
        return any(map(read_work, self._entries(WORKS).values()))

    def learn_work(self, doi: DOI, kept: KeptWork) -> None:
        """Note what a name stands for."""
        self._learn(WORKS, key_of(doi), spell_work(kept), kept.fetched)

    def suggested(self, text: str) -> Suggested | None:
        """What is kept of the text with this hash, or None."""
        return read_suggested(self._entries(SUGGESTED).get(text))

    def learn_suggested(self, text: str, kept: Suggested) -> None:
        """Note which works fit a text."""
        self._learn(SUGGESTED, text, spell_suggested(kept), kept.asked)

    @property
    def agencies(self) -> dict[str, str]:
        """The agencies of prefixes."""
        entries = self._entries(AGENCIES).items()
        return {prefix: agency for prefix, agency in entries if isinstance(agency, str)}

    def learn_agencies(self, agencies: Mapping[str, str]) -> None:
        """Note the agencies of prefixes."""
        if agencies:
            self._own(AGENCIES).update(agencies)

    def prune(self, held: Iterable[DOI]) -> int:
        """Note that all names but these are no longer wanted; returns how many that are.

        A text whose work the documents name is no longer wanted either.
        """
        wanted = set(map(key_of, held))
        for text in list(self._entries(SUGGESTED)):
            kept = self.suggested(text)
            names = set(map(key_of, kept.names)) if kept else set()
            if kept is None or (names and names <= wanted):
                del self._now[SUGGESTED][text]
            else:
                wanted |= names
        gone = {
            key
            for section in DATES
            for key in self._entries(section).keys() - wanted
            if key.startswith("doi:")
        }
        for section in DATES:
            for key in gone & self._entries(section).keys():
                del self._now[section][key]
        return len(gone)

    def is_ended(self, day: date, kept: date) -> bool:
        """An answer of that day has to be asked for again.

        A day in the future is of a wrong clock or another time zone.
        """
        return not -1 <= (day - kept).days < self._max_age

    def renews(self, section: str, day: date, names: Collection[DOI]) -> bool:
        """Whether all these names are asked for at once, because that changes fewer lines."""
        keys = self._entries(section).keys() & set(map(key_of, names))
        ended = {key for key in keys if self.is_ended(day, self._day(section, key))}
        return self._lines_of_renewal(self._now, section, day, keys) < len(ended)

    def _lines_of_renewal(
        self, document: Document, section: str, day: date, keys: Collection[str]
    ) -> int:
        """How many lines change if the day of renewal does, and not the days of entries."""
        entries = section_of(document, section).items()
        return 1 + sum(
            is_left(entry)
            if key in keys
            else not is_left(entry) and (day_of(document, section, key) or day) < day
            for key, entry in entries
        )

    def save(self, wait: float = WAIT, *, renew: bool = True) -> bool:
        """Write what was learnt, merged with what is in the file by now; tell whether it changed.

        :param wait: seconds for another writer
        :param renew: also write the days of answers that are the same as before
        :raises InvalidLockfile: when the file has been damaged since; nothing is written
        :raises TimeoutError: when another process writes for all of that time
        :raises OSError: when it cannot be written
        """
        if self._now == self._before and not (renew and any(self._same.values())):
            return False
        with guard(self.path, wait):
            theirs = self._read() or {FOUND: {}}
            document = merge(self._before, self._now, theirs)
            for section in AGEING if renew else ():
                self._renew(document, section)
            changed = document != theirs
            if changed:
                write(self.path, spell(document))
        same = self._same
        self._take(document)
        if not renew:
            self._same = same
        return changed

    def _renew(self, document: Document, section: str) -> None:
        """Write the days of answers that are the same as before, in the fewest lines."""
        entries, same = section_of(document, section), self._same[section]
        days = {key: day_of(document, section, key) or date.min for key in same if key in entries}
        near_end = self._max_age * 0.75
        due = [key for key, old in days.items() if not -1 <= (same[key] - old).days < near_end]
        due = [key for key in due if days[key] != same[key]]
        if not due:
            return
        day, member = max(same.values()), DATES[section]
        renewed = dict(section_of(document, RENEWED))
        if self._lines_of_renewal(document, section, day, same) < len(due):
            for key, entry in entries.items():
                old = day_of(document, section, key)
                if key in same and is_left(entry):
                    entries[key] = {name: entry[name] for name in entry if name != RENEWED}
                elif key not in same and old and old < day and not is_left(entry):
                    entries[key] = entry | {member: old.isoformat(), RENEWED: False}
            renewed[section] = day.isoformat()
        else:
            for key in due:
                kept = {name: entries[key][name] for name in entries[key] if name != RENEWED}
                entries[key] = kept | {member: same[key].isoformat()}
            if str(renewed.get(section, "")) > day.isoformat():  # of a wrong clock
                del renewed[section]
        document[RENEWED] = renewed
        if not renewed:
            del document[RENEWED]

    def _read(self) -> Document | None:
        octets = _octets(self.path, self._shown)
        return None if octets is None else _parsed(octets, self._shown)


def _octets(path: Path, shown: Path) -> bytes | None:
    try:
        return read(path)
    except OSError as error:
        raise InvalidLockfile(shown, 0, error.strerror or "no reason given") from error


def _parsed(octets: bytes, shown: Path) -> Document:
    try:
        return parse(octets)
    except Damaged as damage:
        raise InvalidLockfile(shown, damage.line, damage.reason) from None


def merge_files(path: Path, base: Path | None = None, theirs: Path | None = None) -> bool:
    """Merge a lock file with another one, or the two sides of one with conflict markers.

    :param path: our file, which is replaced
    :param base: what both come from
    :return: whether there was anything to merge
    :raises InvalidLockfile: when one of them is damaged or cannot be read; nothing is written
    :raises TimeoutError: when another process writes for all of :data:`WAIT`
    :raises OSError: when it cannot be written
    """
    real = Path(os.path.realpath(path))
    with guard(real, WAIT):
        octets = [_octets(each, each) or b"" if each else b"" for each in (base, real, theirs)]
        if theirs is None:
            sides = unmerged(octets[1].decode("utf-8", "surrogateescape"))
            if sides is None:
                _parsed(octets[1], path)
                return False
            octets[1:] = [side.encode("utf-8", "surrogateescape") for side in sides]
        shown = (base or path, path, theirs or path)
        # Git gives an empty file for one that was not there.
        every = [
            _parsed(each, name) if each.strip() else {FOUND: {}}
            for each, name in zip(octets, shown, strict=True)
        ]
        write(real, spell(merge(*every)))
    return True


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

    :param root: from which :func:`~doilinks.shared.project.lockfile_of` finds the lock file
    :ivar name: the path of the lock file in messages; ``""`` if there is none
    :ivar created: there was no lock file, and now there is one
    :raises InvalidLockfile: when the lock file is damaged or unreadable
    """

    def __init__(self, options: Options, root: Path) -> None:
        self.created = False
        self._options = options
        path = lockfile_of(options, root)
        self.name = in_messages(path)
        self._lockfile = Lockfile(path, options.check_max_age) if path else None
        self._today = datetime.now(UTC).date()
        self._renewed = dict.fromkeys(AGEING, False)
        self._save_at = time.monotonic() + _SAVE_EVERY
        self._trouble = ""
        self._pruned: int | None = None

    @property
    def exists(self) -> bool:
        """Whether there was a lock file."""
        return self._lockfile is not None and self._lockfile.exists

    def expect(self, names: Collection[DOI]) -> None:
        """Say which names will be asked for. If most answers have ended, all are renewed."""
        if self._lockfile is not None:
            for section in AGEING:
                self._renewed[section] = self._lockfile.renews(section, self._today, names)

    def _is_fresh(self, section: str, kept: date) -> bool:
        if self._lockfile is None or self._lockfile.is_ended(self._today, kept):
            return False
        return kept >= self._today or not self._renewed[section]

    def answer(self, doi: DOI, *, update: bool) -> Answer | None:
        """The kept answer for a name, or None if the check has to ask.

        :param update: ask about every name that can be asked about
        """
        kept = self._lockfile.get(doi) if self._lockfile else None
        if kept is None:
            return None
        fresh = not update and self._is_fresh(FOUND, kept.checked)
        if self._options.check_offline or fresh:
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

    def prune(self, held: Iterable[DOI]) -> None:
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
            self.save(soon=True, renew=False)

    @property
    def agencies(self) -> Mapping[str, str]:
        """The agencies of prefixes, as far as they are known."""
        return self._lockfile.agencies if self._lockfile else {}

    def work(self, doi: DOI) -> tuple[Work | None, bool]:
        """The kept work of a name, and whether its status is fresh enough not to ask again."""
        kept = self._lockfile.work(doi) if self._lockfile else None
        if kept is None:
            return None, False
        return kept.work, self._is_fresh(WORKS, kept.fetched)

    @property
    def has_works(self) -> bool:
        """Whether the lock file has works, so that the project compares them."""
        return self._lockfile is not None and self._lockfile.has_works

    def suggested(self, text: str) -> Suggested | None:
        """What is kept of the text with this hash."""
        return self._lockfile.suggested(text) if self._lockfile else None

    def learn_suggested(self, text: str, names: Iterable[DOI]) -> None:
        """Keep which works fit the text with this hash; save from time to time."""
        if self._lockfile is None:
            return
        self._lockfile.learn_suggested(text, Suggested(self._today, tuple(names)))
        if time.monotonic() > self._save_at:
            self.save(soon=True, renew=False)

    def learn_work(self, doi: DOI, work: Work, agencies: Mapping[str, str]) -> None:
        """Keep what a name stands for, and the agencies; save from time to time."""
        if self._lockfile is None:
            return
        self._lockfile.learn_work(doi, KeptWork(self._today, work))
        self._lockfile.learn_agencies(agencies)
        if time.monotonic() > self._save_at:
            self.save(soon=True, renew=False)

    def save(self, *, soon: bool = False, renew: bool = True) -> None:
        """Write the lock file. If that fails, the results of the check stay the same.

        :param soon: do not wait for another writer, because a later save will follow, or because
            the user pressed Ctrl-C
        :param renew: no save will follow, so it is known how many answers are the same
        """
        if self._lockfile is None or (self._options.check_offline and not self._pruned):
            return
        begun, self._trouble = time.monotonic(), ""
        try:
            changed = self._lockfile.save(_GLANCE if soon else WAIT, renew=renew)
            self.created = self.created or (changed and not self.exists)
        except InvalidLockfile as error:
            self._trouble = str(error)
        except OSError as error:
            why = error.strerror or "another process is writing there"
            self._trouble = f"cannot write {self.name}: {why}; answers are not kept"
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
        message = f"{names} that no document contains removed from {self.name}"
        return (Problem(Severity.REMARK, "doi-pruned", message),)
