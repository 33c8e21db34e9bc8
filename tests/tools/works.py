"""Works for tests of citations, and lock files that keep them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WORKS: dict[str, dict[str, Any]] = {
    "10.1000/182": {"title": "DOI Handbook", "author": [["Paskin", "Norman"]], "year": 2000},
    "10.1000/183": {"title": "Another", "author": [["Paskin", "Norman"]], "year": 2000},
    "10.1000/a_b": {
        "title": "Third", "author": [["Miller", "M."], ["Berg", "B."]], "year": 1999, "status": "retracted",
    },
    "10.1000/rtl": {"title": "\u05d0\u05d1", "author": [["\u05d2\u05d3"]], "year": 2001},
}  # fmt: skip
HANDBOOK = "Paskin (2000). DOI Handbook."  # on hover
RETRACTED = "Retracted. Miller, Berg (1999). Third."


def lock_file(works: Mapping[str, dict[str, Any]] = WORKS, **found: str) -> str:
    """The text of a lock file with works; ``found`` are aliases, by their suffixes."""
    entries = {f"doi:{name}": {"fetched": "2026-11-20", "type": "book", **work} for name, work in works.items()}  # fmt: skip
    names = {f"doi:10.1000/{name}": {"checked": "2026-11-20", "alias": f"doi:{alias}"} for name, alias in found.items()}  # fmt: skip
    return json.dumps({"version": 1, "found": names, "works": entries})


def lock(folder: Path, works: Mapping[str, dict[str, Any]] = WORKS, **found: str) -> Path:
    """Write a lock file into a folder; returns its path."""
    path = folder / "doi-lock.json"
    path.write_text(lock_file(works, **found), encoding="utf-8")
    return path
