"""Whatever the tests do, they open no connection but to loopback and leave things as they were."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest
from sphinx.util.docutils import docutils_namespace

_connect = socket.socket.connect


def _loopback_only(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6):
        host = address[0]
        if host not in ("localhost", "::1") and not str(host).startswith("127."):
            raise RuntimeError(f"a test tried to connect to {host}")
    return _connect(self, address)


@pytest.fixture(autouse=True, scope="session")
def _no_network():
    socket.socket.connect = _loopback_only
    yield
    socket.socket.connect = _connect


@pytest.fixture(autouse=True, scope="session")
def _own_temporary_folder():
    # Programs put files there which are to outlive them, such as locks of lock files.
    with (
        tempfile.TemporaryDirectory(prefix="doilinks-", ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        Path(folder).chmod(0o755)  # for tests that go on as another user
        patch.setattr(tempfile, "tempdir", folder)
        patch.setitem(os.environ, "TMPDIR", folder)
        yield


@pytest.fixture(autouse=True)
def _own_roles_and_directives():
    # docutils keeps each role and directive that a text has used, for the whole process; to Sphinx
    # these then are ones that another extension has registered, of which it warns.
    with docutils_namespace():
        yield


def pytest_terminal_summary(terminalreporter):
    """Print what the conformance fixtures covered: cases, hosts, exceptions."""
    from .test_conformance import CASES, HOSTS, cases_of

    exceptions = sum(len(case.exceptions) for case in CASES)
    own = sum(len(cases_of(host)) - len(CASES) for host in HOSTS) + exceptions
    terminalreporter.write_line(
        f"conformance: {len(CASES)} cases in {len(HOSTS)} hosts, {exceptions} exceptions "
        f"with a reason, {own} cases in the markup of some hosts"
    )
