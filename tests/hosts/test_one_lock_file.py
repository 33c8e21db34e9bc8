"""One lock file in a project: every command and host reads it and writes it, wherever they run."""

import os
from itertools import product

import pytest

from doilinks.core.options import Options
from doilinks.shared.project import lockfile_of, project_of

from ..tools.command import doilinks as command_line
from ..tools.handle_api import HandleServer
from ..tools.projects import SHOWS, page
from ..tools.proof import sample

NAME, OTHER = "10.1000/182", "10.1000/183"
TEXT = f"As @doi:{NAME} says.\n"
SHOWN = "Paskin (2000)"
PYPROJECT = {
    "pyproject": '[project]\nname = "frogs"\n',
    "configured": '[tool.doilinks]\ncheck-mail = "docs@example.org"\n',
    "cites": "[tool.doilinks]\ncite = true\n",
}


def shown(host, docs, cwd):
    """What a host warns of, run in a folder, and its page."""
    said = SHOWS[host](docs, {"cite": True}, TEXT, cwd)[1]
    return "".join(line for line in said.splitlines() if not line.startswith("INFO")), page(docs)


TOPS = ("nothing", "repository", *PYPROJECT)
WALKS = pytest.mark.parametrize(
    ("top", "host"),
    sample("walks to the lock file", "each", [*product(TOPS, SHOWS)], one_in=7),
    indirect=["top"],
)


@pytest.fixture
def top(request, tmp_path):
    """A project with a folder docs, and what says where its top is."""
    folder = tmp_path / "a project"
    (folder / "docs").mkdir(parents=True)
    if request.param == "repository":
        (folder / ".git").mkdir()
    elif request.param != "nothing":
        (folder / "pyproject.toml").write_text(PYPROJECT[request.param])
    return folder


@pytest.fixture
def fetch(monkeypatch):
    """``doilinks works --fetch``."""
    monkeypatch.setenv("no_proxy", "*")
    people = [{"family": "Paskin", "given": "Norman"}]
    work = {"title": "Handbook", "author": people, "issued": {"date-parts": [[2000]]}}
    records = {NAME: {"url": "https://example.org/", "work": {"type": "book", **work}}}
    with HandleServer(records) as server:
        given = ("--check-api", server.api, "--check-works-api", server.works_api)
        yield lambda path, cwd: command_line("works", "--fetch", *given, path, cwd=cwd)


@WALKS
def test_works_that_were_fetched_anywhere_are_shown(host, top, fetch):
    """From the top, or in docs: the message names the file, and the same file is read."""
    docs, has_top = top / "docs", len([*top.iterdir()]) > 1
    before, html = shown(host, docs, top)
    assert SHOWN not in html
    assert "no work is known, as there is no doi-lock.json: run" in before
    for cwd in (top, docs):
        code, _, err = fetch(str(docs), cwd)
        file = "doi-lock.json" if cwd == top or not has_top else top / "doi-lock.json"
        assert (code, f"doilinks: {file} written: commit it\n" in err) == (0, True)
        for place in (top, docs) if has_top or cwd == top else (docs,):
            said, html = shown(host, docs, place)
            assert (said, SHOWN in html) == ("", True), place
        [written] = top.rglob("doi-lock.json")
        assert written == (top if has_top or cwd == top else docs) / "doi-lock.json"
        written.unlink()


@WALKS
def test_the_message_says_where_to_run_the_command(host, top, fetch):
    """A lock file that is nearer wins, and what the message says to run fills it."""
    docs = top / "docs"
    (docs / "doi-lock.json").write_text('{"version": 1, "found": {}}')
    said, _ = shown(host, docs, docs)
    assert f"the work of doi:{NAME} is not in doi-lock.json: run doilinks works --fetch" in said
    if host in ("sphinx", "mkdocs"):
        said, _ = shown(host, docs, top)
        words = f"the work of doi:{NAME} is not in docs/doi-lock.json: run doilinks works --fetch"
        assert f"{words} in docs" in said
    assert fetch(".", docs)[0] == 0
    assert SHOWN in shown(host, docs, docs)[1]
    assert not (top / "doi-lock.json").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows does not say who may write")
@pytest.mark.parametrize(
    ("place", "mode", "is_found"),
    [
        ("home/project", 0o755, True),
        ("home/project", 0o1777, False),  # as /tmp is
        ("home/project/docs", 0o1777, True),
        ("home", 0o755, False),
        ("", 0o755, False),
    ],
)
def test_a_file_above_counts_where_only_its_owner_writes(
    tmp_path, monkeypatch, place, mode, is_found
):
    """If nothing marks a top: a lock file that a stranger has left in ``/tmp`` is nobody's."""
    docs = tmp_path / "home/project/docs"
    docs.mkdir(parents=True)
    monkeypatch.chdir(docs)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / place).chmod(mode)
    (tmp_path / place / "doi-lock.json").touch()
    there = lockfile_of(Options(), docs).parent
    assert there == (tmp_path / place if is_found else docs)


STRANGER = 12345
ROOT = os.name != "nt" and os.geteuid() == 0
# Of the folder above and of the one in which a program runs: the owner and who may write; and whether what is above counts.
OWNERS = {
    "the user's": (0, 0o755, 0, 0o755, True),
    "shared": (0, 0o1777, 0, 0o755, False),
    "open": (0, 0o777, 0, 0o755, False),
    "both open, as a runner of CI makes them": (0, 0o777, 0, 0o777, True),
    "shared, above an open one": (0, 0o1777, 0, 0o777, False),
    "a stranger's": (STRANGER, 0o755, 0, 0o755, False),
    "both of another user, as in a container": (STRANGER, 0o755, STRANGER, 0o755, True),
    "root's": (0, 0o755, STRANGER, 0o755, True),
}


@pytest.mark.skipif(os.name == "nt", reason="Windows does not say who may write")
@pytest.mark.parametrize("case", OWNERS)
@pytest.mark.parametrize("mark", [".git", "pyproject.toml"])
def test_what_a_stranger_left_above_does_not_count(tmp_path, case, mark, caplog):
    above, mode, here, below, wanted = OWNERS[case]
    if not ROOT and (above, here) != (0, 0):
        pytest.skip("only root gives files to others")
    docs = tmp_path / "shared/docs"
    docs.mkdir(parents=True)
    files = [docs.parent / mark, docs.parent / "doi-lock.json"]
    for file in files:
        file.touch()
    for path, owner, bits in (
        (docs.parent, above, mode),
        (docs, here, below),
        *((each, above, 0o644) for each in files),
    ):
        path.chmod(bits)
        if ROOT:
            os.chown(path, owner, owner)
    with_it = {lockfile_of(Options(), docs).parent == docs.parent for _ in range(3)}
    assert with_it == {wanted}
    assert (project_of(docs) is not None) == (wanted and mark == "pyproject.toml")
    assert lockfile_of(Options(), docs.parent).parent == docs.parent, "where a user runs"
    said = [each.message for each in caplog.records if str(docs.parent / mark) in each.message]
    assert len(said) == (not wanted), "once"


@pytest.mark.skipif(os.name == "nt", reason="Windows does not say who may write")
def test_no_lock_file_is_made_where_it_would_not_count(tmp_path, monkeypatch, caplog):
    docs = tmp_path / "docs"
    docs.mkdir()
    monkeypatch.chdir(tmp_path)
    for mode, wanted in ((0o755, tmp_path), (0o1777, docs)):
        tmp_path.chmod(mode)
        assert lockfile_of(Options(), docs).parent == wanted
    assert not caplog.records


@pytest.mark.skipif(not ROOT, reason="only root gives files to others")
def test_a_lock_file_of_a_stranger_in_the_user_s_project_is_not_replaced(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (tmp_path / ".git").mkdir()
    assert lockfile_of(Options(), docs).parent == tmp_path
    (tmp_path / "doi-lock.json").touch()
    os.chown(tmp_path / "doi-lock.json", STRANGER, STRANGER)
    assert lockfile_of(Options(), docs).parent == docs


@pytest.mark.skipif(os.name == "nt", reason="Windows does not say who may write")
def test_a_stranger_s_checkout_hides_nothing_and_leads_nowhere(tmp_path):
    """Nor do its settings count; and a message says so once."""
    mine = tmp_path / "mine/docs"
    mine.mkdir(parents=True)
    (mine / "a.md").write_text(f"doi:{NAME}\n")
    (tmp_path / "private.md").write_text(f"doi:{OTHER}\n")
    (mine / "link.md").symlink_to(tmp_path / "private.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("a.md\n")
    (tmp_path / "pyproject.toml").write_text('[tool.doilinks]\nexclude = ["a.md"]\n')
    for mode, wanted in ((0o1777, (True, False)), (0o755, (False, True))):
        tmp_path.chmod(mode)
        _, out, err = command_line("scan", "--format=csv", ".", cwd=mine, real=True)
        assert (NAME in out, OTHER in out) == wanted
        said = [
            line for line in err.splitlines() if "is not used: other users can change it" in line
        ]
        assert [line.split()[:2] for line in said] == [
            ["doilinks:", str(tmp_path / mark)]
            for mark in ("pyproject.toml", ".git")
            if mode == 0o1777
        ]
