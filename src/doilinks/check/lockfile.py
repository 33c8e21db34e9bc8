"""The lock file: good answers to keep, meant to be committed.

JSON, one name a line, sorted, so that a change of one name is a change of one line::

    {
      "version": 1,
      "found": {
        "doi:10.1000/182": {"checked": "2026-11-20"},
        "doi:10/cr3qwn": {"checked": "2026-11-20", "alias": "doi:10.1017/S0140525X00052432"}
      }
    }

``checked`` is the day on which the Handle API said that the name is found (UTC); ``alias`` the
name that it stands for. Names are in URI form, ASCII letters folded to lower case. Only names that
were found are kept: anything else is asked again. Members that this version does not know, beside
``found`` or within an entry, are kept as they are.

The file is replaced in one step, so that whoever is killed or reads at the same time sees the old
or the new one. Writers wait for one another and merge; of two answers for a name the later stays.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from filelock import FileLock

from ..core.doi import DOI, InvalidDOI, decode_name

__all__ = ["InvalidLockfile", "Kept", "Lockfile"]

VERSION: Final = 1
NEWER: Final = "was written by a newer doilinks"
_WAIT: Final = 30  # seconds for another writer


class InvalidLockfile(ValueError):
    """A lock file that cannot be read; it is left as it is.

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


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept answer: the name was found.

    :ivar checked: on which day
    :ivar alias: the name that it stands for
    :ivar more: members of the entry that this version does not know
    """

    checked: date
    alias: DOI | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


class Lockfile:
    """The answers of one lock file, and those learnt since.

    :param path: the file, which need not exist
    :raises InvalidLockfile: when it is damaged or cannot be read
    """

    def __init__(self, path: Path) -> None:
        # A symbolic link stays one; what it points to is replaced.
        self.path = path.resolve()
        self._shown = path
        self.exists = self.path.exists()
        self._kept, _ = self._read()
        self._learnt: dict[DOI, Kept | None] = {}

    def get(self, doi: DOI) -> Kept | None:
        """The kept answer for a name, or None."""
        if self._learnt and doi in self._learnt:
            return self._learnt[doi]
        return self._kept.get(doi)

    def learn(self, doi: DOI, kept: Kept | None) -> None:
        """Note that a name was found, or with None that a kept answer no longer holds."""
        if kept is not None or doi in self._kept:
            self._learnt[doi] = kept

    def save(self) -> bool:
        """Write what was learnt, merged with what is in the file by now; tell whether it changed.

        :raises InvalidLockfile: when the file has been damaged since; nothing is written
        :raises OSError: when it cannot be written
        """
        if not self._learnt:
            return False
        with FileLock(_guard(self.path), timeout=_WAIT):
            kept, rest = self._read()
            before = dict(kept)
            for doi, new in self._learnt.items():
                old, mine = kept.get(doi), self._kept.get(doi)
                # What another writer has learnt since is left, unless ours is as new.
                if old is not None and old != mine and (new is None or new.checked < old.checked):
                    continue
                if new is not None:
                    kept[doi] = Kept(new.checked, new.alias, old.more if old else new.more)
                elif old is not None:
                    del kept[doi]
            if kept != before:
                _replace(self.path, _text(kept, rest))
        self._kept, self._learnt = kept, {}
        return kept != before

    def _read(self) -> tuple[dict[DOI, Kept], dict[str, Any]]:
        """The entries, and the other members of the file."""
        try:
            octets = self.path.read_bytes()
        except FileNotFoundError:
            return {}, {}
        except OSError as error:
            raise InvalidLockfile(self._shown, 0, error.strerror or "no reason given") from error
        text = octets.decode("utf-8", "replace")
        try:
            octets.decode("utf-8")
            document = json.loads(text)
        except json.JSONDecodeError as error:
            raise self._damaged(error.lineno, error.msg, text) from None
        except UnicodeDecodeError as error:
            line = octets.count(b"\n", 0, error.start) + 1
            raise self._damaged(line, "not UTF-8", "") from None
        except (ValueError, RecursionError):
            raise self._damaged(1, "not a document of this kind", "") from None
        found = document.get("found") if isinstance(document, dict) else None
        if not isinstance(document, dict) or not isinstance(found, dict):
            raise self._damaged(1, 'no object with a member "found"', "")
        version = document.get("version")
        if version != VERSION:
            newer = isinstance(version, int) and version > VERSION
            reason = f"version {json.dumps(version)[:20]}, this doilinks reads version {VERSION}"
            raise self._damaged(1, NEWER if newer else reason, "")
        del document["found"], document["version"]
        kept: dict[DOI, Kept] = {}
        for name, entry in found.items():
            try:
                doi, answer = _doi(name), _entry(entry)
            except (InvalidDOI, ValueError, TypeError, KeyError):
                line = text[: max(text.find(json.dumps(name)), 0)].count("\n") + 1
                reason = 'not an entry like "doi:10.1000/182": {"checked": "2026-11-20"}'
                raise self._damaged(line, reason, "") from None
            # The same name twice, in two cases of its letters, is an edit by hand.
            if kept.setdefault(doi, answer).checked < answer.checked:
                kept[doi] = answer
        return kept, document

    def _damaged(self, line: int, reason: str, text: str) -> InvalidLockfile:
        for number, content in enumerate(text.split("\n"), 1):
            if content.startswith(("<<<<<<<", "=======", ">>>>>>>", "|||||||")):
                return InvalidLockfile(self._shown, number, "a merge conflict")
        return InvalidLockfile(self._shown, line, reason)


def _doi(name: str) -> DOI:
    # What this module writes, read without trying all the forms that people use.
    if name.startswith("doi:10"):
        return DOI(decode_name(name.removeprefix("doi:")))
    return DOI.parse(name)


def _entry(entry: Any) -> Kept:
    more = dict(entry)
    checked = date.fromisoformat(more.pop("checked"))
    alias = more.pop("alias", None)
    return Kept(checked, None if alias is None else DOI.parse(alias), more)


def _text(kept: Mapping[DOI, Kept], rest: Mapping[str, Any]) -> str:
    members = [f'"version": {VERSION}']
    members += [f"{_json(name)}: {_json(value)}" for name, value in sorted(rest.items())]
    entries = sorted(_line(doi, answer) for doi, answer in kept.items())
    body = ",\n".join(f"    {entry}" for entry in entries)
    members.append(f'"found": {{\n{body}\n  }}' if body else '"found": {}')
    return "{\n" + ",\n".join(f"  {member}" for member in members) + "\n}\n"


def _line(doi: DOI, kept: Kept) -> str:
    entry: dict[str, Any] = {"checked": kept.checked.isoformat()}
    if kept.alias is not None:
        entry["alias"] = kept.alias.uri
    return f"{_json(DOI(doi.folded).uri)}: {_json(entry | dict(kept.more))}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)


def _guard(path: Path) -> str:
    """The file by which writers wait for one another.

    In the directory for temporary files, not beside the lock file: it must not be deleted, and
    nobody wants to commit it or to list it in .gitignore.
    """
    user = os.getuid() if hasattr(os, "getuid") else ""
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return os.path.join(tempfile.gettempdir(), f"doilinks-{user}-{digest}.lock")  # noqa: PTH118


def _replace(path: Path, text: str) -> None:
    """Replace a file in one step: written beside it, flushed to the disk, then renamed."""
    try:
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        mode = 0o666 & ~_umask()
    # What a killed writer left behind; no other one is at work, for this one holds the guard.
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with contextlib.suppress(OSError):
            left.unlink()
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
