"""What holds for every run of the tests: it reaches loopback alone, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import uuid
from pathlib import Path

import pytest

from ..tools.leftovers import processes
from ..tools.programs import LONGEST

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
    """Run a test file in a process and a temporary folder of its own: what it says."""

    def run(test):
        folder, temporary, mark = tmp_path / "inner", tmp_path / "temporary", uuid.uuid4().hex
        for each in (folder, temporary):
            each.mkdir()
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / "test_inner.py").write_text(START + textwrap.dedent(test))
        line = [sys.executable, "-m", "pytest", "-q", "-n0", "-c", os.devnull, "--rootdir", folder,
                "-p", "no:cacheprovider", folder]  # fmt: skip
        environment = {**os.environ, "TMPDIR": str(temporary), MARK: mark}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ["PYTHONPATH"]])
        done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False,
                              cwd=folder, timeout=LONGEST)  # fmt: skip
        left = processes(MARK, mark)
        for process in left:
            process.end()
        assert left == list(temporary.iterdir()) == []
        assert done.returncode == 1
        return done.stdout + done.stderr

    return run


def test_no_process_and_no_file_is_left(inner):
    """Neither by a test that fails, nor by one that forgets its program, which is told."""
    said = inner("""
        import tempfile

        def test_that_fails():
            with running(*PARENT):
                wait()
                assert not "this fails on purpose"

        def test_that_forgets(tmp_path):
            (tmp_path / "a").touch()
            tempfile.mkdtemp()
            subprocess.Popen(PARENT, start_new_session=True)
            wait()

        def wait():
            while len(processes("TMPDIR", __import__("os").environ["TMPDIR"])) < 2:
                time.sleep(0.01)
    """)
    assert "this fails on purpose" in said
    assert "left running by a test" in said
    assert "import time; time.sleep(600)" in said
    assert "1 failed, 1 passed, 1 error" in said


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
    said = inner(f"""
        import socket
        import pytest

        @pytest.mark.parametrize("call", {list(REACHES.values())})
        def test_it(call):
            with pytest.raises(RuntimeError, match="loopback alone"):
                exec(call)
            program = f"import socket\\ntry: {{call}}\\nexcept RuntimeError: pass"
            subprocess.run([sys.executable, "-c", program], check=True)
    """)
    assert f"{len(REACHES)} passed, 1 error" in said
    said, _, _ = said.partition("short test summary")  # in CI, pytest says it there again, in full
    assert [said.count(f"{host}' by") for host in ("192.0.2.1", "2001:db8::1", "doi.org")] == [
        6, 2, 4,
    ]  # fmt: skip
