"""The server as a fixture of pytest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .server import HandleServer


@pytest.fixture
def handle_api(monkeypatch: pytest.MonkeyPatch) -> Iterator[HandleServer]:
    """A Handle API without records on the loopback interface; no proxy is in its way."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    with HandleServer() as server:
        yield server
