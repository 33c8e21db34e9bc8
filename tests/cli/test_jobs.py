"""Several processes read what one reads: the same rows, messages and exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from doilinks.core.options import Options
from doilinks.sources import Source
from doilinks.sources.files import LARGEST
from doilinks.tools.cli.files import read_file, results_of

from ..tools.command import DOILINKS, doilinks
from ..tools.handle_api import HandleServer
from ..tools.programs import ended, running, wait

ROOT = Path(__file__).parent.parent.parent
TREES = [
    str(ROOT / name) for name in ("tests/conformance/hosts", "docs/howto", "src/doilinks/core")
]


def test_the_rows_and_messages_of_two_processes_are_those_of_one(tmp_path):
    for number in range(40):
        (tmp_path / f"a{number:02}.md").write_text(f"See doi:10.1000/{number}.")
    (tmp_path / "a05.md").write_bytes(b"\0")
    (tmp_path / "a15.md").write_bytes(b"caf\xe9 doi:10.1000/15")
    (tmp_path / "a25.ipynb").write_text("10.1000/25")
    (tmp_path / "a35.bib").write_text("@misc{a, doi = {none}}")
    arguments = ("scan", "--remarks", "--format", "json", *TREES, ".")
    one = doilinks(*arguments, "--jobs", "1", cwd=tmp_path)
    assert one == doilinks(*arguments, "--jobs", "2", cwd=tmp_path)
    assert (one[0], len(one[1]) > 10_000) == (2, True)
    assert [line.split()[1] for line in one[2].splitlines()][-4:] == [
        "a05.md:", "a15.md:", "a25.ipynb:", "a35.bib:1:17:"
    ]  # fmt: skip


def test_blocks_and_comments_come_from_other_processes_too(tmp_path):
    text = "A title.\ndoi:10.1000/182 <!-- doilinks: ignore -->\n"
    for name in "abcd":
        (tmp_path / f"{name}.md").write_text(text)
    sources = [Source(str(tmp_path / f"{name}.md"), "md") for name in "abcd"]
    task = partial(read_file, options=Options(), blocks=True)
    one, two = (list(results_of(sources, task, jobs)) for jobs in (1, 2))
    assert one == two
    found, silences, _ = two[3].value
    assert found[0].around == one[3].value[0][0].around
    assert "A title." in found[0].around
    assert len(silences) == 1


OLD = "See http://dx.doi.org/10.1000/182 and `code`.\n"
NEW = OLD.replace("http://dx.", "https://")


def test_two_processes_mend_what_one_mends(tmp_path):
    results = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        for number in range(40):
            file = folder / f"{number % 3}" / f"a{number:02}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(OLD)
        (folder / "0" / "a05.md").write_bytes(b"\0")
        (folder / "1" / "a15.py").write_text('x = "http://dx.doi.org/10.1000/182"\n')
        (folder / "1" / "a25.ipynb").write_text("10.1000/25")
        diff = doilinks("fix", "--diff", ".", "--jobs", jobs, cwd=folder, real=True)
        run = doilinks("fix", ".", "--jobs", jobs, cwd=folder)
        files = {
            str(file.relative_to(folder)): file.read_bytes()
            for file in folder.rglob("*") if file.is_file()
        }  # fmt: skip
        results.append((diff, run, files))
    one, two = results
    assert one == two
    (_, (code, out, err), files) = one
    assert (code, out.splitlines()[-1]) == (2, "40 changes made, in 40 of 41 files")
    assert [line.split()[1] for line in err.splitlines()] == ["0/a05.md:", "1/a25.ipynb:"]
    assert sum(each == NEW.encode() for each in files.values()) == 40


def test_two_processes_know_the_names_that_are_checked(tmp_path):
    for number in range(20):
        (tmp_path / f"a{number:02}.md").write_text("doi:10.1000/182x\n")
    with HandleServer({"10.1000/182": "https://example.org"}) as server:
        flags = ("--from-check", "--check-api", server.api, "--jobs", "2")
        code, out, _ = doilinks("fix", ".", *flags, cwd=tmp_path)
        assert len(server.requests) < 20
    assert (code, out.splitlines()[-1]) == (0, "20 changes made, in 20 of 20 files")
    assert {each.read_text() for each in tmp_path.glob("*.md")} == {"doi:10.1000/182\n"}


def test_a_few_files_start_no_process(tmp_path):
    (tmp_path / "a.md").write_text("doi:10.1000/182")
    program = (
        "import sys; from doilinks.tools.cli.command import run; "
        "print(*(run([name, '-q', 'a.md']) for name in ('scan', 'fix'))); "
        "print(sorted(name for name in sys.modules if 'multiprocessing' in name))"
    )
    command = [DOILINKS[0], "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["0 0", "[]"]


def processes_with(path):
    """The numbers of the processes that have a file open."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            files = [each.resolve() for each in (process / "fd").iterdir()]
        except OSError:  # it has ended
            continue
        if path in files:
            found.append(int(process.name))
    return found


@pytest.fixture(params=["scan", "fix"])
def stuck(tmp_path, request):
    """A run with two processes, of which one waits for a pipe, its number, and what lets it go on."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("this system does not say which process has a file open")
    for name in ("a.md", "z.md"):
        (tmp_path / name).write_text(OLD)
    pipe = tmp_path / "m.md"
    os.mkfifo(pipe)
    command = (*DOILINKS, request.param, "--jobs", "2", "a.md", "m.md", "z.md")
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with running(*command, cwd=tmp_path, **both) as process:
        end = os.open(pipe, os.O_WRONLY)  # waits until a process reads
        others = [each for each in processes_with(pipe) if each != os.getpid()]
        assert len(others) == 1
        assert others != [process.pid]
        with ExitStack() as stack:
            stack.callback(os.close, end)
            yield process, others[0], stack.close


def test_the_file_of_a_killed_process_is_named_and_all_others_are_read(stuck):
    process, reading, _ = stuck
    os.kill(reading, signal.SIGKILL)
    out, err = ended(process)
    assert err == "doilinks: m.md: the process that read it was killed (signal 9); not read\n"
    assert [line.split(":")[0] for line in out.splitlines()[:-1]] == ["a.md", "z.md"]
    assert process.returncode == 2


def test_ctrl_c_ends_all_processes_with_one_line(stuck):
    process, reading, _ = stuck
    os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to all of them
    out, err = ended(process)
    assert (process.returncode, err) == (130, "doilinks: interrupted\n")
    # A file that was mended before stays mended.
    assert {line.split(":")[0] for line in out.splitlines()} <= {"a.md"}
    assert not Path(f"/proc/{reading}").exists()


def test_a_process_ends_after_the_one_that_started_it(stuck):
    process, reading, let_go = stuck
    process.kill()
    process.wait()
    let_go()
    wait(lambda: has_ended(reading))


def has_ended(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_a_file_that_is_too_large_is_named(tmp_path):
    (tmp_path / "a.md").write_text("doi:10.1000/182")
    with (tmp_path / "b.md").open("wb") as file:
        file.truncate(LARGEST * 1_000_000 + 1)
    code, out, err = doilinks("scan", ".", cwd=tmp_path)
    assert err == f"doilinks: b.md: it is larger than {LARGEST} MB; split it; not read\n"
    assert out.splitlines()[-1] == "1 DOI, 1 distinct, in 1 of 1 file"
    assert code == 2


def test_a_file_that_changes_while_it_is_read_is_named(tmp_path):
    path = tmp_path / "b.txt"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    grow = "import sys\nwith open(sys.argv[1], 'ab', 0) as file:\n while file.write(b'.'): pass"
    with running(DOILINKS[0], "-c", grow, str(path)):
        wait(lambda: path.stat().st_size > 100_000_000)
        # On a busy machine, nothing may be written while it is read.
        done = (doilinks("scan", "b.txt", cwd=tmp_path) for _ in range(50))
        code, _, err = next((each for each in done if each[0]), (0, "", ""))
    assert err == "doilinks: b.txt: it changed while it was read; try again; not read\n"
    assert code == 2
