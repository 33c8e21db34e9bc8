"""Nothing of the machine stands between a check and the server of a test."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    """The machine's own proxies are not asked for loopback addresses."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _in_its_folder(tmp_path, monkeypatch):
    """Messages name a lock file from the current folder."""
    monkeypatch.chdir(tmp_path)
