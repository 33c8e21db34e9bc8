"""What the check makes of each outcome, under each setting.

Each row is one DOI in a document, what the Handle API has about it, and what is said with
``check: warn`` and with ``check: error``. All rows are tried in tests/check; a host tries one of each
severity, because how it says so, and how it fails, is its own::

    @pytest.mark.parametrize(("row", "check"), IN_A_HOST)
    def test_outcomes(row, check, handle_api):
        row.serve(handle_api)
        options = {"check": check, "check_api": handle_api.api, **row.options}
        ...  # build a document that holds row.text
        said = row.said(check)      # None, or a severity, a code and a message
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from .handle_api import HandleServer
from .programs import LONGEST

URL = "https://example.org/"
_UNREGISTERED = object()
_BUSY = "HTTP 503 without a Handle record"
_OTHER = "the answer is about another name"


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
    entry: Any = field(default=URL)
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


def _unknown(
    name: str, entry: Any, reason: str, means: str, warn: str, error: str, **more: Any
) -> Row:
    return Row(
        f"unknown, {name}, {means}", f"10.1000/{name}", entry, "doi-unknown" if warn else "",
        f"could not tell: doi:10.1000/{name} ({reason})", warn, error,
        {"check_unknown": means, "check_retries": 0, **more},
    )  # fmt: skip


def _fault(name: str, **more: Any) -> dict[str, Any]:
    return {"url": URL, "fault": name, **more}


ROWS = (
    Row("found", "10.1000/found"),
    Row(
        "not found", "10.1000/nope", _UNREGISTERED, "doi-not-found", "not found: doi:10.1000/nope",
        "warning", "error",
    ),
    Row(
        "not found, with a near miss", "10.1000/182x", _UNREGISTERED, "doi-not-found",
        "not found: doi:10.1000/182x (did you mean doi:10.1000/182?)", "warning", "error",
    ),
    Row(
        "no values", "10.1000/empty", None, "doi-no-values", "no values: doi:10.1000/empty",
        "warning", "error",
    ),
    Row(
        "alias", "10.1000/old", {"alias": "10.1000/182"}, "doi-alias",
        "alias: doi:10.1000/old (stands for doi:10.1000/182)", "remark", "remark",
    ),
    Row(
        "not found, as expected", "10.1000/nope", _UNREGISTERED,
        options={"check_ignore": ["10.1000/nope"]},
    ),
    Row(
        "found, against expectation", "10.1000/stale", URL, "doi-stale-ignore",
        "resolves after all: doi:10.1000/stale (remove it from check_ignore)", "warning", "warning",
        {"check_ignore": ["10.1000/stale"]},
    ),
    _unknown("busy", _fault("unavailable"), _BUSY, "ignore", "", ""),
    _unknown("busy", _fault("unavailable"), _BUSY, "warn", "warning", "warning"),
    _unknown("busy", _fault("unavailable"), _BUSY, "error", "warning", "error"),
    _unknown(
        *("slow", _fault("slow", seconds=LONGEST), "timed out", "error", "warning", "error"),
        check_timeout=0.1,
    ),
    _unknown("other", _fault("wrong-handle"), _OTHER, "error", "warning", "error"),
    _unknown("hostile", _fault("hostile"), _OTHER, "error", "warning", "error"),
)  # fmt: skip

# What a host makes of each severity, and of none, with an option as it spells it.
IN_A_HOST = [
    pytest.param(row, check, id=f"{row.id}, check {check}")
    for name, check in (
        ("found", "error"), ("not found", "error"), ("found, against expectation", "warn"), ("alias", "error"),
        ("unknown, busy, error", "error"),
    )
    for row in ROWS
    if row.id == name
]  # fmt: skip
