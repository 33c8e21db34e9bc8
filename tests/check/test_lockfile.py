"""The lock file: what it looks like, what damages it, who writes it at the same time."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import tempfile
import time
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path

import pytest

from doilinks import DOI
from doilinks.lock.entries import key_of, parse
from doilinks.lock.lockfile import InvalidLockfile, Lockfile, merge_files
from doilinks.shared.replace import guard
from doilinks.works import Work

from ..tools.checks import URL, outcomes, run, said
from ..tools.modules import quick
from ..tools.programs import ended, running
from ..tools.proof import number

DAY = date(2026, 11, 20)
TEXT = """\
{
  "version": 1,
  "checked": "2026-11-20",
  "found": {
    "doi:10.1000/182": {},
    "doi:10.1000/456%23789": {},
    "doi:10/cr3qwn": {"alias": "doi:10.1017/S0140525X00052432"}
  }
}
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "doi-lock.json"


def learnt(path, *names, day=DAY):
    lockfile = Lockfile(path, 30, day)
    for name in names:
        lockfile.learn(DOI(name))
    return lockfile


def test_format(path):
    lockfile = learnt(path, "10.1000/456#789", "10.1000/182")
    lockfile.learn(DOI("10/CR3QWN"), DOI("10.1017/S0140525X00052432"))
    assert lockfile.save()
    assert path.read_text() == TEXT
    assert Lockfile(path).alias(DOI("10/cr3qwn")) == DOI("10.1017/S0140525X00052432")
    assert [file.name for file in path.parent.iterdir()] == ["doi-lock.json"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_one_more_name_is_one_more_line(path):
    learnt(path, "10.1000/182", "10.1000/zzz").save()
    before = path.read_text().splitlines()
    learnt(path, "10.1000/456#789").save()
    after = path.read_text().splitlines()
    new = '    "doi:10.1000/456%23789": {},'
    assert [line for line in after if line not in before] == [new]
    assert [line for line in before if line not in after] == []


def test_nothing_learnt_writes_nothing(path):
    assert not Lockfile(path).save()
    assert not path.exists()
    path.write_text(TEXT)
    os.utime(path, (0, 0))
    assert not learnt(path, "10.1000/182").save()
    assert path.stat().st_mtime == 0


def test_names_are_equal_but_for_ascii_case(path):
    learnt(path, "10.1000/ABC", "10.1000/Á").save()
    again = Lockfile(path)
    assert DOI("10.1000/abc") in again
    assert DOI("10.1000/á") not in again
    assert '"doi:10.1000/abc"' in path.read_text()
    assert path.read_text().isascii()


def test_unknown_members_are_kept(path):
    document = json.loads(TEXT)
    document["note"] = ["ours", {"a": 1}]
    document["found"]["doi:10.1000/182"]["by"] = "hand"
    path.write_text(json.dumps(document))
    later = DAY + timedelta(days=3)
    learnt(path, "10.1000/182", "10.1000/new", day=later).save()
    after = json.loads(path.read_text())
    assert after["note"] == document["note"]
    assert after["found"]["doi:10.1000/182"] == {"by": "hand"}


def test_what_this_version_does_not_know_of_works_is_kept(path):
    document = json.loads(TEXT)
    document["fetched"] = "2026-11-22"
    works = {
        "doi:10.1000/1": {"title": "T", "names": [], "novel": 5},
        "doi:10.1000/2": {"novel": 1},
        "doi:10.1000/3": {"title": "T", "status": "novel"},
        "isbn:1": {"title": "T", "names": []},
        "doi:10.1000/4": 7,
    }
    agencies = {"10.1000": "Crossref", "10.1001": {"novel": 1}}
    path.write_text(json.dumps(document | {"works": works, "agencies": agencies}))
    learnt(path, "10.1000/new").save()
    assert json.loads(path.read_text())["works"] == works
    lockfile = Lockfile(path)
    for at in (1, 2):
        work = Work(titles=("U",), names=(), years=())
        lockfile.learn_work(DOI(f"10.1000/{at}"), work, {"10.1002": "DataCite"})
    lockfile.save()
    after = json.loads(path.read_text())
    assert [after["works"][f"doi:10.1000/{at}"]["novel"] for at in (1, 2)] == [5, 1]
    assert {after["works"][f"doi:10.1000/{at}"]["title"] for at in (1, 2)} == {"U"}
    assert {key: after["works"][key] for key in [*works][2:]} == {
        key: works[key] for key in [*works][2:]
    }
    assert after["agencies"] == agencies | {"10.1002": "DataCite"}
    lockfile = Lockfile(path)
    lockfile.prune({DOI("10.1000/3")})
    lockfile.save()
    assert set(json.loads(path.read_text())["works"]) == {"doi:10.1000/3", "isbn:1"}


def test_what_is_no_longer_found_goes(path):
    path.write_text(TEXT)
    lockfile = Lockfile(path)
    lockfile.forget(DOI("10.1000/182"))
    lockfile.forget(DOI("10.1000/never-there"))
    assert DOI("10.1000/182") not in lockfile
    lockfile.save()
    assert DOI("10.1000/182") not in Lockfile(path)
    assert DOI("10.1000/456#789") in Lockfile(path)


def test_the_later_of_two_answers_stays(path):
    path.write_text(TEXT)
    later = [DAY + timedelta(days=days) for days in (31, 32)]
    mine, other = (Lockfile(path, 30, day) for day in later)
    names = [DOI("10.1000/182"), DOI("10.1000/456#789")]
    for lockfile, alias in ((mine, "10.1000/a"), (other, "10.1000/b")):
        for name in names:
            lockfile.learn(name, DOI(alias))
        lockfile.renew()
    other.save()
    mine.save()
    kept = Lockfile(path, 30, later[1])
    assert [kept.alias(name) for name in names] == [DOI("10.1000/b")] * 2
    # The earlier day stays, and the name that nobody asked for has its own.
    assert [kept.age("found", name) for name in (*names, DOI("10/cr3qwn"))] == [1, 1, 32]


def test_a_name_in_two_cases(path):
    """By hand, or by a merge: the file has it once again, and all days are the earliest."""
    path.write_text(
        '{"version": 1, "found": {"doi:10.1/A": {"checked": "2026-01-01"},\n'
        '"doi:10.1/a": {"checked": "2026-02-02"}, "10.1/B": {"checked": "2026-01-01"}}}'
    )
    lockfile = learnt(path, "10.1/c")
    assert lockfile.age("found", DOI("10.1/a")) == (DAY - date(2026, 1, 1)).days
    lockfile.save()
    assert path.read_text().count("doi:10.1/") == 3


DAMAGED = [
    ("", 1, "Expecting value"),
    (TEXT[:-30], 7, "Unterminated string"),
    (TEXT.replace('{},\n    "doi:10/', '{}\n    "doi:10/'), 7, "Expecting ',' delimiter"),
    (
        TEXT.replace('    "doi:10.1000/456', '<<<<<<< HEAD\n    "doi:10.1000/456'), 6,
        "a merge conflict",
    ),
    ("[]", 1, 'no object with a member "found"'),
    ('{"version": 1}', 1, 'no object with a member "found"'),
    ('{"version": 0, "found": {}}', 1, "version 0, this doilinks reads version 1"),
    ('{"found": {}}', 1, 'no member "version": 1; restore it'),
    ('{"version": null, "found": {}}', 1, "version null, this doilinks reads version 1"),
    (TEXT.replace("doi:10.1000/456", "doi:11.1000/456"), 6, "not an entry like"),
    (TEXT.replace("{}", '{"checked": "yesterday"}', 1), 5, "not an entry like"),
    (TEXT.replace("{}", "true", 1), 5, "not an entry like"),
    (TEXT.replace("{}", '{"checked": 5}', 1), 5, "not an entry like"),
    (TEXT.replace("doi:10.1017/S", "javascript:"), 7, "not an entry like"),
    (TEXT.replace('"doi:10.1017/S0140525X00052432"', "5"), 7, "not an entry like"),
    (TEXT.replace('"doi:10.1017/S0140525X00052432"', "[]"), 7, "not an entry like"),
    (TEXT.replace("456%23789", "182"), 6, '"doi:10.1000/182" stands there twice'),
    (TEXT.replace("  }\n}", '  },\n  "found": {}\n}'), 9, '"found" stands there twice'),
    (TEXT.replace("  }\n}", '  },\n  "works": {},\n"works": {}\n}'), 10, '"works" stands there'),
    (
        TEXT.replace("  }\n}", '},"works":{"doi:10.1/1":{},\n"doi:10.1/1":{}}}'), 9,
        '"doi:10.1/1" stands there twice',
    ),
    ("[" * 100_000, 1, "not a document of this kind"),
    (TEXT.replace("182", "18\udcff"), 5, "not UTF-8"),
    (TEXT.replace("{}", '{"checked": "2026-02-30"}', 1), 5, "not an entry like"),
    # They would be written as they are, for others to fail on.
    (TEXT.replace("{}", '{"score": NaN}', 1), 5, "a number that JSON does not have"),
    (TEXT.replace("{}", '{"score": 1e999}', 1), 5, "a number that JSON does not have"),
]  # fmt: skip


def test_of_a_newer_version(path):
    path.write_text('{"version": 2, "found": {}}')
    with pytest.raises(InvalidLockfile) as raised:
        Lockfile(path)
    said = f"{path.name}:1: the lock file was written by a newer doilinks; update doilinks"
    assert str(raised.value) == said
    assert path.read_text() == '{"version": 2, "found": {}}'


@pytest.mark.parametrize(("text", "line", "reason"), DAMAGED)
def test_damaged(text, line, reason, path, handle_api):
    """Said with file and line; nothing is asked, nothing is overwritten."""
    octets = text.encode("utf-8", "surrogateescape")
    path.write_bytes(octets)
    with pytest.raises(InvalidLockfile) as raised:
        run(handle_api, path.parent, "10.1000/182")
    assert str(raised.value).startswith(f"{path.name}:{line}: damaged lock file: {reason}")
    assert str(raised.value).endswith("or delete it to ask for every name again")
    assert handle_api.requests == []
    assert path.read_bytes() == octets


def test_damaged_while_asking(path, handle_api):
    handle_api.set("10.1000/182", URL)
    report = run(
        handle_api, path.parent, "10.1000/182", progress=lambda *_: path.write_text("half")
    )
    assert path.read_text() == "half"
    assert "doi-lock.json:1: damaged lock file" in said(report)[0]
    assert report.exit_code == 0


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (Path.mkdir, "Is a directory"),
        (os.mkfifo, "not a regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
        (lambda path: path.symlink_to("/dev/full"), "not a regular file"),
        (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
        (lambda path: path.touch() or os.truncate(path, 2**28 + 1), "larger than 256 MiB"),
    ],
    ids=["folder", "pipe", "endless", "full", "itself", "huge"],
)
def test_what_is_no_file_to_be_read(make, reason, path, handle_api):
    """Said at once: nothing waits for a pipe, nothing is read without end, nothing is asked."""
    make(path)
    with pytest.raises(InvalidLockfile) as raised:
        run(handle_api, path.parent, "10.1000/182")
    assert str(raised.value) == f"{path.name}: cannot read the lock file: {reason}"
    assert handle_api.requests == []


def test_a_symbolic_link_stays_one(path):
    real = path.parent / "real" / "lock.json"
    real.parent.mkdir()
    path.symlink_to(real)
    learnt(path, "10.1000/182").save()
    assert path.is_symlink()
    assert '"doi:10.1000/182"' in real.read_text()


def test_the_owner_of_the_file_stays(path):
    """A container often runs as root in the folder of a user."""
    if os.getuid() != 0:
        pytest.skip("only root can give a file away")
    path.write_text(TEXT)
    os.chown(path, 1000, 1001)
    path.chmod(0o664)
    learnt(path, "10.1000/new").save()
    status = path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (1000, 1001, 0o664)


def test_the_mode_of_the_file_stays(path):
    path.write_text(TEXT)
    path.chmod(0o640)
    learnt(path, "10.1000/new").save()
    assert path.stat().st_mode & 0o777 == 0o640


def test_folder_that_is_not_there(path, handle_api):
    """The outcome of the check is not affected by that its answers cannot be kept."""
    handle_api.set("10.1000/182", URL)
    report = run(handle_api, path.parent, "10.1000/182", check_lockfile="missing/lock.json")
    assert outcomes(report) == {"10.1000/182": "found"}
    message = "cannot write missing/lock.json: No such file or directory; answers are not kept"
    assert said(report) == [f"{message} [doi-lockfile]"]
    assert report.problems[0].severity == "warning"
    assert report.exit_code == 0


WRITER = """
import os, sys
from pathlib import Path
from doilinks import DOI
from doilinks.lock.lockfile import Lockfile
path, who, rounds, names, user = Path(sys.argv[1]), *map(int, sys.argv[2:])
if user:
    os.setuid(user)
for turn in range(rounds):
    lockfile = Lockfile(path)
    for number in range(names):
        lockfile.learn(DOI(f"10.1000/{who}.{turn}.{number}"))
    lockfile.save()
    print(turn, flush=True)
"""


def writer(path, who, rounds, names=20, user=0, **environment):
    numbers = map(str, (who, rounds, names, user))
    command = [quick("-c"), WRITER, str(path), *numbers]
    return running(*command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})


def test_writers_with_an_environment_each(path):
    """Four processes with a folder for temporary files each, as in batch jobs and containers."""
    temporary = [path.parent / f"tmp{who}" for who in range(4)]
    rounds = number("rounds of writers of the lock file", "each", 300, one_in=5)
    for folder in temporary:
        folder.mkdir()
    with ExitStack() as stack:
        writers = [
            stack.enter_context(writer(path, who, rounds, names=1, TMPDIR=str(folder)))
            for who, folder in enumerate(temporary)
        ]
        for each in writers:
            ended(each)
            assert each.returncode == 0
    assert path.read_text().count("{}") == 4 * rounds
    assert [list(folder.iterdir()) for folder in temporary] == [[]] * 4
    assert {file.name for file in path.parent.iterdir() if file.is_file()} == {"doi-lock.json"}


def test_writers_who_are_different_users():
    """In a folder in which all of them may write."""
    if os.getuid() != 0:
        pytest.skip("only root can be several users")
    # Outside of the tests' own folder, which another user may not even enter.
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        Path(name).chmod(0o777)
        path = Path(name, "doi-lock.json")
        writers = [stack.enter_context(writer(path, who, 20, user=2000 + who)) for who in range(4)]
        for each in writers:
            ended(each)
            assert each.returncode == 0
        assert path.read_text().count("{}") == 4 * 20 * 20


def test_another_writer_does_not_end(path, handle_api, monkeypatch):
    """The outcome of the check is not affected by that its answers cannot be kept."""
    monkeypatch.setattr("doilinks.lock.lockfile.WAIT", 0.05)
    handle_api.set("10.1000/182", URL)
    with guard(path, 0):
        report = run(handle_api, path.parent, "10.1000/182")
    assert outcomes(report) == {"10.1000/182": "found"}
    message = "cannot write doi-lock.json: another process is writing there; answers are not kept"
    assert said(report) == [f"{message} [doi-lockfile]"]
    assert not path.exists()
    assert run(handle_api, path.parent, "10.1000/182").problems == ()
    assert path.exists()


@pytest.mark.parametrize("name", ["doi-lock.json", "a[b].json"])
def test_a_live_writers_temporary_file_stays(name, tmp_path):
    """Where writers cannot see one another, as on some network file systems."""
    live, dead = (tmp_path / f".{name}.{which}.tmp" for which in ("live", "dead"))
    for each in (live, dead):
        each.write_text("{")
    os.utime(dead, (0, 0))
    learnt(tmp_path / name, "10.1000/182").save()
    assert (live.exists(), dead.exists()) == (True, False)


def test_a_file_system_without_locks(path, monkeypatch):
    """Better unguarded than not written."""

    def flock(_descriptor, _operation):
        raise OSError(errno.ENOTSUP, "not supported")

    monkeypatch.setattr("fcntl.flock", flock)
    learnt(path, "10.1000/182").save()
    assert '"doi:10.1000/182"' in path.read_text()


def test_killed_at_any_moment(path):
    """SIGKILL while writing: the file is the old one or the new one, and the next writer cleans up."""
    learnt(path, *(f"10.1000/old.{number}" for number in range(1000))).save()
    for turn in range(8):
        with writer(path, turn, 1000) as killed:
            killed.stdout.readline()
            time.sleep(turn * 0.005)
            killed.kill()
            killed.communicate()
        text = path.read_text()
        count = json.loads(text)["found"]
        assert (len(count) - 1000) % 20 == 0
        assert text.endswith("}\n")
        Lockfile(path)
    for left in path.parent.glob(".*.tmp"):
        os.utime(left, (0, 0))  # as if it had been there for long
    learnt(path, "10.1000/last").save()
    assert [file.name for file in path.parent.iterdir()] == ["doi-lock.json"]


@pytest.mark.parametrize(
    "written",
    [
        "doi:10.1000/182", "doi:10.1000.10/a-b_c;(d)%2Fe%2F", "doi:10.1000/A", "doi:10.1000/a%2fb",
        "doi:10.1000/a%23b", "doi:10.1000/%2Fa", "doi:10.1000/é", "doi:10.1000/a%C3%A9",
        "DOI: 10.1000/a", "https://doi.org/10.1000/a?b", "10.1000/a", "doi:10.1000/a..%2F.",
    ],
)  # fmt: skip
def test_a_name_has_one_key_however_it_is_written(written):
    entry = {"checked": "2026-11-20"}
    [key] = parse(json.dumps({"version": 1, "found": {written: entry}}).encode())["found"]
    assert key == key_of(DOI.parse(written))
    assert key_of(DOI.parse(key)) == key


@pytest.mark.parametrize(
    "written", ["doi:10.1000/", "doi:10./a", "doi:10.1000", "doi:10.1000/a\x00"]
)
def test_what_is_no_name_is_damage(written):
    with pytest.raises(InvalidLockfile):
        parse(json.dumps({"version": 1, "found": {written: {"checked": "2026-11-20"}}}).encode())


@pytest.mark.parametrize("empty", ["", "\n", " \r\n"])
@pytest.mark.parametrize("side", ["base", "ours", "theirs"])
def test_a_side_of_a_merge_that_is_empty(tmp_path, side, empty):
    """Git gives such a file for one that was not there."""
    paths = {name: tmp_path / name for name in ("ours", "base", "theirs")}
    for name, path in paths.items():
        path.write_text(empty if name == side else TEXT)
    assert merge_files(*paths.values())
    # What one side lacks and the base has is deleted.
    found = parse(paths["ours"].read_bytes())["found"]
    assert set(found) == (set(parse(TEXT.encode())["found"]) if side == "base" else set())
