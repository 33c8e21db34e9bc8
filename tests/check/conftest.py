"""Nothing of the machine stands between a check and the server of a test; a report for all formats."""

from __future__ import annotations

import os

import pytest

from doilinks import DOI, Found
from doilinks.check import check
from doilinks.core.options import Options

from ..tools.checks import URL

HOSTILE = 'a\x1b[2J,b:c%\n::error::owned\r\u202e\udcff<&">.md'


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    """The machine's own proxies are not asked for loopback addresses."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _in_its_folder(tmp_path, monkeypatch):
    """Messages name a lock file from the current folder, which is in no job of CI."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def report(handle_api, tmp_path):
    handle_api.set("10.1000/182", URL)
    handle_api.set("10.1000/456#789", URL)
    handle_api.set("10/abc1", {"alias": "10.1000/182"})
    handle_api.set("10.5281/zenodo.1", {"fault": "forbidden"})
    where = [
        Found(DOI("10.1000/182x"), file="docs/my guide.md", line=12, column=5),
        Found(DOI("10.5281/zenodo.1"), file="docs/refs.rst", line=40),
        Found(DOI("10.1000/456#789x"), file=HOSTILE, line=1, column=1),
        Found(DOI("10/abc1"), file="docs/refs.rst", line=41, column=2),
        Found(DOI("10.1000/182"), file="docs/refs.rst", line=42, column=2),
    ]
    return check(where, Options(check="error", check_api=handle_api.api), root=tmp_path)
