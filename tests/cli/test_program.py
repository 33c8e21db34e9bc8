"""How the commands end: by a fault of their own, by Ctrl-C, by a closed stream."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest

from ..tools.checks import (
    FOUND,
    ONE_AT_A_TIME,
    SILENT,
    answer_in_turn,
    wait_for_the_last,
    without_progress,
)  # fmt: skip
from ..tools.handle_api import HandleServer
from ..tools.modules import quick, run_module
from ..tools.programs import ended, running

URL = "https://example.org/"
PASSWORD = "s3cret"

# A command, and a function of it in the place of which stands one that fails.
FAULTY = """
import sys, {module} as module
def fail(*arguments, **options):
    raise LookupError("http://user:s3cret@proxy/ \\x1b[2J")
module.{function} = fail
from {package} import main
sys.exit(main())
"""
PANDOC = '{"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": [{"t":"Para","c":[{"t":"Str","c":"DOI"}]}]}'


def faulty(package, module, function, *arguments, given="", **environment):
    program = FAULTY.format(package=package, module=module, function=function)
    return run_module("-c", program, *arguments, given=given, **environment)


COMMANDS = [
    (
        "doilinks", "doilinks.tools.cli", "doilinks.tools.cli.show", "_describe", "show",
        "10.1000/182",
    ),
    ("doilinks", "doilinks.tools.cli", "doilinks.tools.cli.files", "walk", "scan", "."),
    ("doilinks", "doilinks.tools.cli", "doilinks.tools.cli.files", "walk", "check", "."),
    ("pandoc-doilinks", "doilinks.pandoc", "doilinks.hosts.pandoc.document", "rewrite", "html"),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=[command[4] for command in COMMANDS])
def test_a_fault_has_an_exit_code_of_its_own(command):
    """One line, with nothing of the error's text, which may contain a password."""
    name, *call = command
    done = faulty(*call, given=PANDOC)
    assert done.returncode == 4
    assert done.stdout == ""
    words = "a fault of doilinks: LookupError in __main__:4; please report it"
    hint = "DOILINKS_DEBUG=1 in the environment shows its traceback"
    assert done.stderr == f"{name}: {words}; {hint}\n"
    # The traceback, for whoever asks.
    done = faulty(*call, given=PANDOC, DOILINKS_DEBUG="1")
    assert done.returncode == 4
    lines = done.stderr.splitlines()
    assert all(line.startswith(f"{name}: ") and line.isprintable() for line in lines)
    assert f"{name}: Traceback (most recent call last):" in lines
    assert f"{name}: LookupError: http://user:s3cret@proxy/ \\x1b[2J" in lines
    assert lines[-1].endswith("LookupError in __main__:4; please report it")


def test_a_fault_in_the_check(tmp_path):
    """What was learnt before it is said, and is in the lock file."""
    (tmp_path / "a.md").write_text("doi:10.1000/182")
    with HandleServer({"10.1000/182": URL}) as server:
        call = ("doilinks.tools.cli", "doilinks.ask.names.api", "read_record", "check")
        done = faulty(*call, "--check-api", server.api, str(tmp_path), NO_PROXY="127.0.0.1")
    assert done.returncode == 4
    report, summary = done.stdout.splitlines()
    assert report.startswith(
        "the check ended early by a fault of doilinks: LookupError in __main__"
    )
    assert report.endswith("; please report it [doi-fault]")
    words = "a fault of doilinks ended the check early"
    assert summary == f"1 DOI: 0 found, 1 could not be checked; {words}"
    assert done.stderr.startswith("doilinks: a fault of doilinks: LookupError in __main__:4")
    assert PASSWORD not in done.stdout + done.stderr


def test_a_fault_in_the_check_of_a_document(tmp_path):
    text = {"t": "Para", "c": [{"t": "Str", "c": "doi:10.1000/182"}]}
    call = ("doilinks.pandoc", "doilinks.ask.names.api", "read_record", "html")
    with HandleServer({"10.1000/182": URL}) as server:
        for check, code in (("error", 4), ("warn", 0)):
            options = {"doi-check": check, "doi-check-lockfile": ""}
            meta = {key: {"t": "MetaString", "c": value} for key, value in options.items()}
            given = json.loads(PANDOC) | {"meta": meta, "blocks": [text]}
            reader = {"DOILINKS_CHECK_API": server.api, "NO_PROXY": "127.0.0.1"}
            done = faulty(*call, given=json.dumps(given), **reader)
            assert done.returncode == code
            assert "a fault of doilinks: LookupError in __main__:4" in done.stderr
            assert bool(done.stdout) == (code == 0)


def test_two_quick_ctrl_c(tmp_path):
    """The second one disturbs nothing: wrappers send one too, and so do impatient users."""
    slowly = [f"--{name.replace('_', '-')}={value}" for name, value in ONE_AT_A_TIME.items()]
    pauses = {0: [sys.executable, "-W", "error", "-m", "doilinks"], 0.2: [quick("doilinks")]}
    with HandleServer() as server, ExitStack() as together:  # for each has to wait for seconds
        answer_in_turn(server)
        processes = {}
        for pause, start in pauses.items():
            folder = tmp_path / str(pause)
            folder.mkdir()
            (folder / "a.md").write_text(f"doi:{FOUND} doi:{SILENT}")
            command = running(
                *start, "check", "a.md", "--check-api", server.api, *slowly, cwd=folder,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env={**os.environ, "NO_PROXY": "127.0.0.1"},
            )  # fmt: skip
            processes[pause] = together.enter_context(command)
        for number, (pause, process) in enumerate(processes.items(), 1):
            wait_for_the_last(server, tmp_path / str(pause), process, number)
        for pause, process in processes.items():
            process.send_signal(signal.SIGINT)
            time.sleep(pause)
            process.send_signal(signal.SIGINT)
            out, err = ended(process)
            assert process.returncode == 130
            words = "interrupted after 1 of 2 DOIs; answers are kept in doi-lock.json"
            assert without_progress(err) == f"doilinks: {words}\n"
            assert out == "2 DOIs: 1 found, 1 could not be checked\n"
            assert FOUND in (tmp_path / str(pause) / "doi-lock.json").read_text()


def test_a_closed_standard_error_does_not_move_messages(tmp_path):
    """What was meant for it must not be in the output."""
    (tmp_path / "a.ipynb").write_text("not a notebook")
    done = subprocess.run(
        f"{sys.executable} -m doilinks scan a.ipynb 2>&-", shell=True, cwd=tmp_path,
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "0 DOIs, 0 distinct, in 0 of 0 files\n")
