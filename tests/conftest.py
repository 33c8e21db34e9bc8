"""Whatever the tests do, they reach nothing but loopback, and leave things as they were."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings
from sphinx.util.docutils import docutils_namespace

from .tools import proof
from .tools.guards import leave_nothing, obey_signals, pytest_configure
from .tools.handle_api import HandleServer
from .tools.order import pytest_addoption, pytest_collection_modifyitems
from .tools.works import lock

__all__ = [
    "leave_nothing",
    "obey_signals",
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
]


gc.set_threshold(50_000, 20, 100)  # that Python looks for garbage was a tenth of a run

# How fast examples are made says something about the machine, and nothing about doilinks. They are
# always the same, as Hypothesis has it in CI: to look for others by chance is what `fuzz` is for.
settings.register_profile(
    "doilinks", suppress_health_check=[HealthCheck.too_slow], deadline=None, derandomize=True
)
settings.load_profile("doilinks")


@pytest.fixture(autouse=True)
def _own_roles_and_directives():
    # docutils keeps each role and directive that a text has used, for the whole process; to Sphinx
    # these then are ones that another extension has registered, of which it warns.
    with docutils_namespace():
        yield


@pytest.fixture
def handle_api(monkeypatch):
    """A Handle API without records on the loopback interface; no proxy is in its way."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    with HandleServer() as server:
        yield server


@pytest.fixture
def works_here(tmp_path, monkeypatch):
    """The current folder, with a lock file that keeps works."""
    monkeypatch.chdir(tmp_path)
    lock(tmp_path)
    return tmp_path


def pytest_collection_finish():
    """Do not look for garbage among the tests, which stay."""
    gc.freeze()


def pytest_sessionfinish(session):
    """Give the process that prints the summary what this one, one of several, knows for it."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["proof"] = list(proof.TAKEN.items())


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Take what such a process has given."""
    given = getattr(node, "workeroutput", {}).get("proof", [])
    proof.TAKEN.update({tuple(part): tuple(numbers) for part, numbers in given})


def pytest_terminal_summary(terminalreporter):
    """Print what was sampled, and what the conformance fixtures covered: cases, hosts, exceptions."""
    from .hosts.test_conformance import ALL, CASES, cases_of

    lines = proof.summary()
    for line in [*lines, *(["make proof takes all of these"] if lines else [])]:
        terminalreporter.write_line(line)
    exceptions = sum(len(case.exceptions) for case in CASES)
    own = sum(len(cases_of(host)) - len(CASES) for host in ALL) + exceptions
    terminalreporter.write_line(
        f"conformance: {len(CASES)} cases in {len(ALL)} hosts, {exceptions} exceptions "
        f"with a reason, {own} cases in the markup of some hosts"
    )
