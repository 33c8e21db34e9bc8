"""What the check makes of each outcome, under each setting.

The rows are those of ``outcomes.yaml``. All are tried in tests/check; a host tries one of each
severity, because how it says so, and how it fails, is its own: ``tests/hosts/test_check.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from .handle_api import HandleServer

URL = "https://example.org/"
_UNREGISTERED = object()


class Said(NamedTuple):
    """What is said: ``error``, ``warning`` or ``remark``; its code; the message without a place."""

    severity: str
    code: str
    message: str


@dataclass(frozen=True)
class Row:
    """One outcome.

    :ivar name: the name in the document
    :ivar entry: the server's entry for it
    :ivar code: of what is said; ``""``: nothing is
    :ivar message: without a place
    :ivar warn, error: how it is said with ``check: warn`` and with ``check: error``
    :ivar options: to be set beside ``check`` and ``check_api``
    """

    id: str
    name: str
    entry: Any = _UNREGISTERED
    code: str = ""
    message: str = ""
    warn: str = ""
    error: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The name as it stands in the document, in prose of any markup."""
        return f"doi:{self.name}"

    def serve(self, server: HandleServer) -> None:
        """Give the server the records of this row."""
        server.set("10.1000/182", URL)
        if self.entry is not _UNREGISTERED:
            server.set(self.name, self.entry)

    def said(self, check: str, spelled: str = "{}") -> Said | None:
        """What is said; ``spelled`` is how the host spells an option."""
        severity = {"warn": self.warn, "error": self.error}[check]
        hyphens = spelled.startswith(("-", "doi-"))
        option = spelled.format("check-ignore" if hyphens else "check_ignore")
        message = self.message.replace("check_ignore", option)
        return Said(severity, self.code, message) if severity else None


ROWS = tuple(
    Row(**row)
    for row in yaml.safe_load(Path(__file__).with_name("outcomes.yaml").read_text("utf-8"))
)

# What a host makes of each severity, and of none, with an option as it spells it: one document each.
IN_A_HOST = [
    pytest.param(check, [row for row in ROWS if row.id in names], id=f"{'; '.join(names)}; check {check}")
    for check, names in (
        ("error", ("found", "alias")),
        ("error", ("not found", "unknown, busy, error")),
        ("warn", ("found, against expectation",)),
    )
]  # fmt: skip
