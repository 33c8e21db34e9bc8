"""The records of the test server, from a mapping or a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["read_records"]


def read_records(records: Mapping[str, Any] | Path | str | None) -> Mapping[str, Any]:
    """Name → entry.

    :raises ValueError: for a file that is not an object of names and entries
    """
    if records is None or isinstance(records, Mapping):
        return records or {}
    try:
        document = json.loads(Path(records).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{records}: {error}") from error
    if not isinstance(document, dict):
        raise ValueError(f"{records}: not an object of names and entries")  # noqa: TRY004
    return document
