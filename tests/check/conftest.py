"""The server of ``doilinks.testing``, as a user's conftest.py would have it."""

from __future__ import annotations

import os

import pytest

from doilinks.testing import handle_api

__all__ = ["handle_api"]


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    """The machine's own proxies are not asked for loopback addresses."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
            monkeypatch.delenv(name)
