"""The check in each host that has one: what is said and where, how a build ends, and the lock file.

What a report says of each outcome is proved in ``tests/check``; what one host alone does, in its own ``test_check.py``.
"""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest

from doilinks.core.options import tell_no_check

from ..tools.check_matrix import IN_A_HOST, URL
from ..tools.checks import (
    IN_TURN,
    ONE_AT_A_TIME,
    answer_in_turn,
    wait_for_the_last,
    without_progress,
)
from ..tools.hosts import FILTER, Markdown, MarkdownIt, _markdown, _markdown_it
from ..tools.modules import quick
from ..tools.programs import ended, interrupt, running
from ..tools.projects import CHECKS, WRITE, configure, page

GOOD, BAD = "10.1000/182", "10.1000/182x"
HOSTS = pytest.mark.parametrize("host", CHECKS)
FAILS = {"sphinx": 1, "mkdocs": 1, "pandoc": 83}
LEVEL = {"error": "ERROR  ", "warning": "WARNING", "remark": "INFO   "}
OPTION = {"sphinx": "doi_{}", "mkdocs": "{}", "pandoc": "doi-{}"}


@pytest.fixture
def folder(tmp_path, handle_api):
    """A project that asks the Handle API, which knows one name."""
    handle_api.set(GOOD, URL)
    configure(tmp_path, check_api=handle_api.api)
    return tmp_path


def as_said(host, severity, code, message):
    """The line with which a host says something of a name in a document of one line."""
    if host == "mkdocs":
        return f"{LEVEL[severity]} -  doilinks: docs/index.md:1: {message} [{code}]"
    if host == "pandoc":  # whose usual reader knows no places
        return f"pandoc-doilinks: {severity}: {message} [{code}]"
    if severity == "remark":
        return f"index.rst:4: {message} [{code}]"
    subtype = code.removeprefix("doi-").replace("-", "_")
    return f"index.rst:4: WARNING: {message} [doi.{subtype}]"


@HOSTS
@pytest.mark.parametrize(("check", "rows"), IN_A_HOST)
def test_outcomes(host, check, rows, folder, handle_api):
    options = {"check": check}
    for row in rows:
        row.serve(handle_api)
        options |= row.options
    text = f"See {' and '.join(row.text for row in rows)} there."
    code, said = CHECKS[host](folder, options, text, None, host == "sphinx")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", said).replace(f"{folder}{os.sep}", "").splitlines()
    wanted = [row.said(check, OPTION[host]) for row in rows]
    assert [line for line in lines if any(f": {row.text}" in line for row in rows)] == [
        as_said(host, *each) for each in wanted if each
    ]
    fails = any(each and each.severity == "error" for each in wanted)
    assert code == (FAILS[host] if fails else 0)
    # A site is there in any case.
    made = any(folder.rglob("*.html")) and page(folder)
    for row in rows:
        assert made is False if fails and host == "pandoc" else f"{row.text}</a>" in made


@HOSTS
def test_a_lock_file_is_written_and_saves_questions(host, folder, handle_api):
    for offline in (False, False, True):
        is_new = not (folder / "doi-lock.json").exists()
        given = {"check": "error", "check_offline": offline}
        code, said = CHECKS[host](folder, given, f"See doi:{GOOD}.")
        told = is_new and host != "sphinx"  # which is quiet here
        assert (code, "doi-lock.json written: commit it" in said) == (0, told), said
    assert list(json.loads((folder / "doi-lock.json").read_text())["found"]) == [f"doi:{GOOD}"]
    assert len(handle_api.requests) == 1


@HOSTS
def test_a_damaged_lock_file_fails_the_build_and_stays(host, folder, handle_api):
    lock = folder / "doi-lock.json"
    lock.write_text("{\n<<<<<<< HEAD\n")
    code, said = CHECKS[host](folder, {"check": "error"}, f"See doi:{GOOD}.")
    assert code == FAILS[host]
    assert "doi-lock.json:2: damaged lock file: a merge conflict" in said
    assert "most recent call last" not in said
    assert lock.read_text() == "{\n<<<<<<< HEAD\n"
    assert handle_api.requests == []


@HOSTS
def test_a_damaged_lock_file_is_one_warning_where_works_are_shown(host, folder):
    (folder / "doi-lock.json").write_text("{")
    code, said = CHECKS[host](folder, {"hover": True}, f"See doi:{GOOD} and doi:{BAD}.")
    [line] = [line for line in said.splitlines() if "doi-lock.json:1: damaged lock file" in line]
    assert (code, "warning" in line.lower()) == (0, True)
    assert page(folder).count("https://doi.org/") == 2


@pytest.mark.parametrize("check", ["off", "error"])
@pytest.mark.parametrize("host", ["mkdocs", "pandoc"])
def test_only_the_check_needs_its_packages(host, check, folder, handle_api, monkeypatch):
    missing = "raise ModuleNotFoundError(\"No module named 'httpx'\", name='httpx')\n"
    (folder / "httpx.py").write_text(missing)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    code, said = CHECKS[host](folder, {"check": check}, f"See doi:{BAD}.")
    words = 'the check needs the package httpx: pip install "doilinks[check]"'
    assert (code, words in said) == ((0, False) if check == "off" else (FAILS[host], True)), said
    assert "most recent call last" not in said
    assert handle_api.requests == []
    assert not (folder / "doi-lock.json").exists()


@pytest.mark.parametrize("host", [Markdown(), MarkdownIt()], ids=["markdown", "markdown_it"])
def test_who_asks_for_a_check_where_there_is_none_is_told_once(host, caplog):
    for function in (_markdown, _markdown_it, tell_no_check):
        function.cache_clear()
    for css_class in ("a", "b", "c"):  # each another instance of the host
        host.pages(["Text."], {"check": "warn", "css_class": css_class})
    assert caplog.messages == ["doilinks: check: nothing is checked here: run `doilinks check`"]


ENDS = {"sphinx": (2, "Interrupted!"), "mkdocs": (1, "Aborted!"), "pandoc": (None, "")}


@contextmanager
def started(host, folder, times):
    """A host that is on its way to an answer that does not come."""
    program, *given = WRITE[host](folder, {"check": "error", **ONE_AT_A_TIME}, f"See {IN_TURN}.")
    if host == "pandoc":  # whose filter is to get the signal too
        given = [str(FILTER) if each == str(quick(FILTER)) else each for each in given]
    else:
        given = given if times == 1 else ["-m", program, *given]
        program = quick(program) if times == 1 else sys.executable
    with running(program, *given, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        yield process


@pytest.mark.parametrize("times", [1, pytest.param(50, marks=pytest.mark.thorough)])
def test_ctrl_c_keeps_what_was_learnt(times, tmp_path, handle_api):
    """Once, and again and again until the program has ended. The hosts wait together, since each waits for seconds."""
    answer_in_turn(handle_api)
    with ExitStack() as together:
        processes = {}
        for host in CHECKS if times == 1 else ("sphinx", "mkdocs"):
            (tmp_path / host).mkdir()
            configure(tmp_path / host, check_api=handle_api.api)
            processes[host] = together.enter_context(started(host, tmp_path / host, times))
        for number, (host, process) in enumerate(processes.items(), 1):
            wait_for_the_last(handle_api, tmp_path / host, process, number)
        for host, process in processes.items():
            if host == "pandoc":
                os.killpg(process.pid, signal.SIGINT)  # as a terminal does: pandoc and the filter
            else:
                interrupt(process, times)
            is_right_after_ctrl_c(host, process, tmp_path / host)


def is_right_after_ctrl_c(host, process, folder):
    said = without_progress(ended(process)[1])
    code, end = ENDS[host]
    assert process.returncode == code if end else process.returncode != 0
    assert said.count(f"not found: doi:{BAD}") == 1
    assert "interrupted after 2 of 3 DOIs; answers are kept in " in said
    assert said.rstrip().endswith(end)
    assert "Traceback" not in said
    lock = json.loads((folder / "doi-lock.json").read_text())
    assert list(lock["found"]) == [f"doi:{GOOD}"]
    assert not (folder / "a.html").exists()
