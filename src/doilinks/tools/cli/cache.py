"""The names of files, kept from run to run, so that an unchanged file is not parsed again.

They are in the folder of the user and not in the project, because somebody could commit a cache
that hides a name from the check.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from ...core.doi import DOI
from ...core.found import Found
from ...core.nameless import NoName
from ...core.remarks import Remark
from ...shared import replace
from ...sources import Source

_LONGEST: Final = 30 * 24 * 3600  # seconds that names are kept without a change
_PARTS: Final = [each.name for each in fields(Found)]


class Cache:
    """The names of files in an earlier run like this one, by a digest of each file."""

    def __init__(self, *settings: object) -> None:
        # Unlike that of pathlib, this raises nothing without a home.
        folder = Path(os.path.expanduser(os.environ.get("XDG_CACHE_HOME") or "~/.cache"))  # noqa: PTH111
        folder = Path(os.path.realpath(folder) if folder.is_absolute() else os.devnull)
        name = _digest(repr((settings, Path.cwd(), sys.version, _programs())).encode())
        self._file = folder / "doilinks" / name
        self._rows: dict[str, str] = {}
        with suppress(OSError, ValueError):  # one that is damaged is as good as none
            digest, _, rows = (replace.read(self._file) or b"").decode().partition("\n")
            if digest == _digest(rows.encode()):
                self._rows = dict(row.split(" ", 1) for row in rows.split("\n"))

    def key(self, source: Source, octets: bytes) -> str:
        """Return the key of a file that has these octets."""
        return _digest(repr((source.path, source.kind)).encode() + octets)

    def get(self, key: str) -> list[Found] | None:
        """Return the names of a file, or None."""
        return [*map(_place_of, json.loads(self._rows[key]))] if key in self._rows else None

    def save(self, names: Mapping[str, Sequence[Found]]) -> None:
        """Keep the names of this run, by the keys of their files."""
        if names.keys() <= self._rows.keys():
            return
        rows = (f"{key} {self._rows.get(key) or _row(names[key])}" for key in names)
        octets = "\n".join(rows).encode()
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace.write(self._file, f"{_digest(octets)}\n".encode() + octets)
            for other in self._file.parent.iterdir():
                if time.time() - other.stat().st_mtime > _LONGEST:
                    other.unlink()


def _digest(octets: bytes) -> str:
    return sha256(octets).hexdigest()


def _programs() -> object:
    """Return what differs between versions: the packages, and the modules of doilinks."""
    folders = os.walk(Path(__file__).parents[2])
    modules = (
        Path(at, each).stat() for at, _, names in folders for each in names if each[-3:] == ".py"
    )
    # A folder that may not be read has no packages to import either.
    tops = (names for at in sys.path for _, *every in islice(os.walk(at), 1) for names in every)
    packages = (each for names in tops for each in names if each.endswith("-info"))
    return sorted((each.st_size, each.st_mtime_ns) for each in modules), sorted(packages)


def _row(places: Sequence[Found]) -> str:
    rows = [[getattr(each, part) for part in _PARTS] for each in places]
    return json.dumps(rows, default=lambda doi: doi.__reduce__()[1])


def _place_of(row: Sequence[Any]) -> Found:
    parts = dict(zip(_PARTS, row, strict=True))
    parts["remarks"] = tuple(Remark(*each) for each in parts["remarks"])
    parts["span"] = parts["span"] and tuple(parts["span"])
    for part in ("doi", "whole", "other"):
        if written := parts[part]:
            parts[part] = NoName(*written) if written[1:] else DOI(*written)
    return Found(**parts)
