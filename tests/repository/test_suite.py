"""What holds for every run of the tests: it reaches loopback alone, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import uuid
from pathlib import Path

import pytest

from ..tools.leftovers import processes
from ..tools.modules import quick
from ..tools.programs import LONGEST, ended, running

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
MARK = "DOILINKS_TESTS_INNER"
NOWHERE = "192.0.2.1"  # an address for documentation [RFC 5737 §3]
CONFTEST = "from tests.tools.guards import leave_nothing, obey_signals, pytest_configure\n"
# A program whose child would outlive it.
PARENT = (
    "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
)
START = f"""
import subprocess, sys, time
from tests.tools.leftovers import processes
from tests.tools.programs import running

PARENT = [sys.executable, "-c", {PARENT!r}]
"""


@pytest.fixture
def inner(tmp_path):
    """Run a test file in a process and a temporary folder of its own: what it says, what it leaves."""

    def run(test, *before, workers=0):
        folder, temporary, mark = tmp_path / "inner", tmp_path / "temporary", uuid.uuid4().hex
        for each in (folder, temporary):
            each.mkdir()
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / "test_inner.py").write_text(START + textwrap.dedent(test))
        line = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", folder,
                "-p", "no:cacheprovider", f"--numprocesses={workers}", folder]  # fmt: skip
        environment = {**os.environ, "TMPDIR": str(temporary), MARK: mark}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ["PYTHONPATH"]])
        done = subprocess.run([*before, *line], env=environment, capture_output=True, text=True,
                              check=False, cwd=folder, timeout=LONGEST)  # fmt: skip
        left = processes(MARK, mark)
        for process in left:
            process.end()
        assert list(temporary.iterdir()) == []
        return done.returncode, done.stdout + done.stderr, left

    return run


def test_a_failing_test_leaves_no_process(inner):
    code, said, left = inner("""
        def test_it():
            with running(*PARENT) as process:
                while len(processes("TMPDIR", __import__("os").environ["TMPDIR"])) < 2:
                    time.sleep(0.01)
                assert not "this fails on purpose"
    """)
    assert (code, left) == (1, [])
    assert "this fails on purpose" in said
    assert "1 failed" in said
    assert "error" not in said.splitlines()[-1]


def test_a_process_that_a_test_has_left_is_ended_and_told(inner):
    code, said, left = inner("""
        def test_it():
            subprocess.Popen(PARENT, start_new_session=True)
            while len(processes("TMPDIR", __import__("os").environ["TMPDIR"])) < 2:
                time.sleep(0.01)
    """)
    assert (code, left) == (1, [])
    assert "left running by a test" in said
    assert said.count("import time; time.sleep(600)") > 0
    assert "1 passed, 1 error" in said


# As a shell does for what it starts in the background, and `nohup`.
@pytest.mark.parametrize("before", [(), ("sh", "-c", 'trap "" INT HUP; exec "$@"', "sh")])
def test_what_a_test_starts_obeys_signals(inner, before):
    code, said, left = inner(
        """
        import signal

        def test_it():
            program = "print('ready', flush=True); import time; time.sleep(600)"
            line = [sys.executable, "-c", program]
            with running(*line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                process.stdout.readline()
                process.send_signal(signal.SIGINT)
                assert b"KeyboardInterrupt" in process.communicate(timeout=60)[1]
            with running(*line, stdout=subprocess.PIPE) as process:
                process.stdout.readline()
                process.send_signal(signal.SIGHUP)
                assert process.wait(60) == -signal.SIGHUP
        """,
        *before,
    )
    assert (code, left) == (0, []), said


@pytest.mark.parametrize("workers", [0, 2])
def test_temporary_files_go_with_the_run(inner, workers):
    test = """
        import os, tempfile

        def test_it(tmp_path):
            (tmp_path / "a").touch()
            for folder in (tempfile.mkdtemp(), os.environ["TMPDIR"]):
                open(os.path.join(folder, "left"), "w").close()
            subprocess.run([sys.executable, "-c", "import tempfile; tempfile.mkdtemp()"], check=True)
    """
    code, said, _ = inner(test, workers=workers)
    assert code == 0, said


REACHES = {
    "an address": f"socket.socket().connect(({NOWHERE!r}, 9))",
    "an address, without an exception": f"socket.socket().connect_ex(({NOWHERE!r}, 9))",
    "IPv6": "socket.socket(socket.AF_INET6).connect(('2001:db8::1', 9, 0, 0))",
    "a datagram": f"socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ({NOWHERE!r}, 9))",
    "a name": "socket.getaddrinfo('doi.org', 443)",
    "a name in bytes": "socket.gethostbyname(b'doi.org')",
}


def test_more_than_loopback_is_refused(inner):
    """In the process of the tests and in those that they start, also when nobody looks."""
    code, said, _ = inner(f"""
        import socket
        import pytest

        @pytest.mark.parametrize("call", {list(REACHES.values())})
        def test_it(call):
            with pytest.raises(RuntimeError, match="loopback alone"):
                exec(call)
            program = f"import socket\\ntry: {{call}}\\nexcept RuntimeError: pass"
            subprocess.run([sys.executable, "-c", program], check=True)
    """)
    assert code == 1
    assert f"{len(REACHES)} passed, 1 error" in said
    said, _, _ = said.partition("short test summary")  # in CI, pytest says it there again, in full
    assert [said.count(f"{host}' by") for host in ("192.0.2.1", "2001:db8::1", "doi.org")] == [
        6, 2, 4,
    ]  # fmt: skip


SHOW = "import os, sys; print(__name__, sys.argv, os.getcwd(), os.environ['X'], sys.stdin.read(), sys.flags.utf8_mode)"
ENDS = {
    "arguments, folder, environment, input": SHOW,
    "a code": "raise SystemExit(3)",
    "words": "raise SystemExit('it failed')",
    "a fault": "import sys; print('said', end=''); sys.excepthook = lambda *_: None; 1 / 0",
    "a signal": "import os; os.kill(os.getpid(), 9)",
    "at exit": "import atexit; atexit.register(print, 'last')",
    "a thread": "import threading; threading.Timer(0.05, print, ['later']).start()",
}


@pytest.mark.parametrize("setting", [{}, {"PYTHONUTF8": "1"}], ids=["", "read at start"])
@pytest.mark.parametrize("code", ENDS.values(), ids=ENDS)
def test_a_quick_program_is_the_same_program(code, setting, tmp_path):
    """As Python starts it, also with a setting that is read when a Python starts."""
    done = [
        subprocess.run([*start, code, "an argument"], cwd=tmp_path, input="given", text=True,
                       env=os.environ | {"X": "y"} | setting, capture_output=True, check=False)
        for start in ([sys.executable, "-c"], [quick("-c")])
    ]  # fmt: skip
    assert len({(each.returncode, each.stdout, each.stderr) for each in done}) == 1


def test_a_quick_program_without_a_stream_goes_without_it():
    line = f"{quick('-c')} 'import sys; print(sys.stderr)' 2>&-"
    said = [subprocess.run(line, shell=True, stdout=subprocess.PIPE, text=True, check=True).stdout]
    assert said == ["None\n"]


def test_a_quick_program_obeys_ctrl_c_and_ends_with_its_caller():
    wait = "import time\ntry: print('ready', flush=True); time.sleep(600)\nexcept KeyboardInterrupt: print('stopped')"
    pipes = {"stdout": subprocess.PIPE, "text": True}
    with running(quick("-c"), wait, **pipes) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert ended(process)[0] == "stopped\n"
    with running(quick("-c"), wait, **pipes) as process:
        process.stdout.readline()
        process.kill()
        assert process.stdout.read() == ""  # which nobody has open any more
