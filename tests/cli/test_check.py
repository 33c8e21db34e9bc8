"""``doilinks check`` as a user runs it, against a real Handle API on the loopback interface."""

import codecs
import json

import pytest

from doilinks import DOI

from ..tools.checks import today
from ..tools.command import doilinks
from ..tools.handle_api import HandleServer

RECORDS = {
    "10.1000/182": "https://www.doi.org/hb.html",
    "10.1000/2": "https://example.org/",
    "10.1000/empty": None,
    "10.5281/zenodo.1": {"url": "https://example.org/", "fault": "unavailable"},
}


@pytest.fixture
def api():
    with HandleServer(RECORDS) as server:
        yield server


@pytest.fixture
def site(tmp_path, api, monkeypatch):
    """A project whose pyproject.toml names the API."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "docs").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.doilinks]\ncheck-api = "{api.api}"\ncheck-retries = 0\n'
    )
    return tmp_path


def write(site, **files):
    for name, text in files.items():
        (site / "docs" / f"{name}.md").write_text(text)


def test_all_resolve(site, api):
    write(site, a="doi:10.1000/182, doi:10.1000/2", b="[again](https://doi.org/10.1000/182)")
    assert doilinks(
        "check", "docs", cwd=site, real=True,
    ) == (0, "2 DOIs: 2 found\n", "doilinks: doi-lock.json written: commit it\n")  # fmt: skip
    assert sorted(json.loads((site / "doi-lock.json").read_text())["found"]) == [
        "doi:10.1000/182",
        "doi:10.1000/2",
    ]
    asked = len(api.requests)
    code, out, err = doilinks("check", "docs", cwd=site)
    assert (code, out, err) == (0, "2 DOIs: 2 found (2 from doi-lock.json)\n", "")
    assert len(api.requests) == asked
    doilinks("check", "--update", "docs", cwd=site)
    assert len(api.requests) == asked + 2


def test_some_do_not(site):
    write(site, guide="# G\n\nSee doi:10.1000/182x.\n\nAnd doi:10.1000/182, doi:10.1000/empty\n")
    code, out, err = doilinks("check", "docs/", cwd=site, real=True)
    assert out.splitlines() == [
        (
            "docs/guide.md:3:5: not found: doi:10.1000/182x (did you mean doi:10.1000/182?) "
            "[doi-not-found]"
        ),
        "docs/guide.md:5:22: no values: doi:10.1000/empty [doi-no-values]",
        "3 DOIs: 1 found, 1 not found, 1 without values",
    ]
    assert (code, err) == (1, "doilinks: doi-lock.json written: commit it\n")


def test_an_unreadable_file_is_not_all_well(site):
    write(site, a="doi:10.1000/182")
    (site / "docs/b.ipynb").write_text("[]")
    code, out, err = doilinks("check", "docs", cwd=site)
    assert (code, out) == (2, "1 DOI: 1 found\n")
    assert err.startswith("doilinks: docs/b.ipynb: not a notebook (")
    (site / "docs/b.ipynb").write_bytes(b"\0")
    code, out, err = doilinks("check", "docs", cwd=site)
    assert (code, out.splitlines()[-1][:14]) == (0, "1 DOI: 1 found")
    assert err == "doilinks: docs/b.ipynb: a binary file (octet 1 is null); skipped\n"


def test_a_file_may_be_called_as_a_value_of_an_option(site):
    (site / "error").write_text("no DOI\n")
    assert doilinks("check", "--works", "--offline", "error", cwd=site)[0] == 0


def test_the_lock_file_stands_beside_the_pyproject(site):
    write(site, a="doi:10.1000/182")
    code, _, _ = doilinks("check", "a.md", cwd=site / "docs")
    assert code == 0
    assert (site / "doi-lock.json").exists()
    code, _, _ = doilinks("check", "a.md", "--check-lockfile", "my.json", cwd=site / "docs")
    assert (site / "docs/my.json").exists()


def test_prune(site):
    write(site, a="doi:10.1000/182")
    lock = site / "doi-lock.json"
    lock.write_text('{"version": 1, "found": {"doi:10.1000/old": {"checked": "2026-01-01"}}}')
    code, _, err = doilinks("check", "--prune", "docs", "nowhere.md", cwd=site)
    assert code == 2
    assert "nothing is removed from doi-lock.json, because not all files were read" in err
    assert "10.1000/old" in lock.read_text()
    (site / "docs" / "b.md").write_bytes(b"doi:10.1000/old\0")
    code, _, err = doilinks("check", "--prune", "docs", cwd=site)
    assert (code, "because not all files were read" in err) == (0, True)
    assert "10.1000/old" in lock.read_text()
    (site / "docs" / "b.md").unlink()
    code, out, _ = doilinks("check", "--prune", "docs", cwd=site)
    assert code == 0
    assert "removed from doi-lock.json: 1 name that no document contains [doi-pruned]" in out
    assert "10.1000/old" not in lock.read_text()
    assert "10.1000/182" in lock.read_text()
    code, out, err = doilinks("check", "--prune", "--check-lockfile", "", "docs", cwd=site)
    assert (code, out) == (2, "")
    assert "check_lockfile is empty" in err


@pytest.mark.parametrize("name", ["10.1000/182", "10.1000/a*", '10.1000/a"\\b'])
def test_the_line_that_accepts_what_is_cited_on_purpose(site, api, name):
    work = {"title": "DOI Handbook", "author": [{"family": "Paskin"}]}
    api.set(name, {"url": "https://e.org/", "work": work})
    with (site / "pyproject.toml").open("a") as file:
        file.write(f'check_works_api = "{api.works_api}"\n')
    text = f"Miller, A. (1998). On the growth of grass in the gardens of Kent. <{DOI(name).url}>\n"
    write(site, a=text)
    asked = ("check", "--works", "docs")
    code, out, err = doilinks(*asked, cwd=site)
    assert (code, "[doi-other-work]" in out) == (0, True)
    line = err.splitlines()[-1].partition("pyproject.toml: ")[2]
    assert line.startswith('check_accept = ["10.1000/')
    assert "check_accept" not in doilinks(*asked, "--quiet", cwd=site)[2]
    with (site / "pyproject.toml").open("a") as file:
        file.write(f"{line}\n")
    code, out, err = doilinks(*asked, cwd=site)
    assert (code, "1 accepted" in out, "check_accept" in err) == (0, True, False)


SETTINGS = """[project]  # a comment
name   = "a"

[tool.doilinks]
check-ignore = ["10.1000/2"]  # kept
display = "legible"

[tool.other]
x = 1
"""


def test_a_baseline_makes_the_next_check_green(api, tmp_path):
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "a.md").write_text(
        "doi:10.1000/2x doi:10.1000/empty doi:10.1000/182 doi:10.1000/2\n"
    )
    flags = ("check", "--check-api", api.api)
    assert doilinks(*flags, "a.md", cwd=tmp_path)[0] == 1
    code, _, err = doilinks(*flags, "--baseline", "a.md", cwd=tmp_path)
    assert code == 0, err
    assert "2 names written into check-ignore of pyproject.toml" in err
    wanted = SETTINGS.replace(
        '["10.1000/2"]  # kept',
        '["10.1000/2",\n'
        f'    "10.1000/2x", # not found, {today()}\n    "10.1000/empty", # has no values, {today()}\n'
        "]  # kept",
    )
    assert (tmp_path / "pyproject.toml").read_text() == wanted
    code, out, _ = doilinks(*flags, "a.md", cwd=tmp_path)
    assert (code, "resolves after all: doi:10.1000/2 " in out) == (0, True)
    assert "2 known not to resolve" in out
    doilinks(*flags, "--baseline", "a.md", cwd=tmp_path)
    assert (tmp_path / "pyproject.toml").read_text() == wanted, "nothing is written twice"


NEW = f'    "10.1000/nowhere", # not found, {today()}\n'
EXTENDED = {
    "a text": ('check_ignore = """10.1000/a\n10.1000/b"""', f'check_ignore = [\n    "10.1000/a",\n    "10.1000/b",\n{NEW}]'),
    "nothing": ("check_ignore = []", f"check_ignore = [\n{NEW}]"),
    "line ends": ('check_ignore = []\n[x]\r\na = """b\r\nc\n"""', f'check_ignore = [\n{NEW}]\n[x]\r\na = """b\r\nc\n"""'),
    "those of Windows": (
        'check_ignore = []\r\n[x]\na = """b\r\nc\n"""', f"check_ignore = [\n{NEW}]\n".replace("\n", "\r\n") + '[x]\na = """b\r\nc\n"""',
    ),
    "no numbers": ("check_ignore = []\n[x]\na = [nan, 2020-01-01, inf]", f"check_ignore = [\n{NEW}]\n[x]\na = [nan, 2020-01-01, inf]"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXTENDED)
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_a_baseline_changes_nothing_else(api, tmp_path, name, mark):
    (tmp_path / "a.md").write_text("doi:10.1000/nowhere\n")
    before, after = (mark + b"[tool.doilinks]\n" + text.encode() for text in EXTENDED[name])
    if name == "those of Windows":
        before, after = (text.replace(b"]\nch", b"]\r\nch") for text in (before, after))
    (tmp_path / "pyproject.toml").write_bytes(before)
    flags = ("check", "--check-api", api.api, "--baseline", "--check-lockfile=", "a.md")
    code, _, err = doilinks(*flags, cwd=tmp_path)
    assert ((tmp_path / "pyproject.toml").read_bytes(), code) == (after, 0), err


REFUSED = {
    "[tool.doilinks]\ncheck_ignore = [\n  '10.1000/a'  # why\n  ,\n]\n": "check_ignore cannot be extended as it stands: put each comma right after its entry",
    "tool = 3": "tool: takes a table, got 3",
    "[[tool]]\na = 1": "tool: takes a table, got [{'a': 1}]",
}  # fmt: skip


@pytest.mark.parametrize("toml", REFUSED)
def test_a_baseline_writes_nothing_that_is_read_otherwise(api, tmp_path, toml):
    (tmp_path / "a.md").write_text("doi:10.1000/nowhere\n")
    (tmp_path / "pyproject.toml").write_text(toml)
    flags = ("check", "--check-api", api.api, "--baseline", "--check-lockfile=", "a.md")
    code, _, err = doilinks(*flags, cwd=tmp_path)
    said = f"doilinks: {tmp_path / 'pyproject.toml'}: {REFUSED[toml]}; not written"
    assert (code, err.splitlines()[-1]) == (2, said)
    assert (tmp_path / "pyproject.toml").read_text() == toml


def test_a_baseline_needs_settings_and_hides_nothing_else(api, tmp_path):
    (tmp_path / "a.md").write_text("doi:10.1000/nowhere\n")
    flags = ("check", "--check-api", api.api, "--baseline")
    code, _, err = doilinks(*flags, "a.md", cwd=tmp_path)
    assert (code, err.splitlines()[-1]) == (
        2,
        "doilinks: --baseline: there is no pyproject.toml to write into: make one, which may be empty",
    )
    (tmp_path / "pyproject.toml").write_bytes(b"[tool.x]\r\na = 1\r\n")
    code, _, err = doilinks(*flags, "a.md", "gone.md", cwd=tmp_path)
    assert code == 2, "a file that cannot be read"
    lines = (tmp_path / "pyproject.toml").read_bytes().split(b"\r\n")
    reason = f'    "10.1000/nowhere", # not found, {today()}'.encode()
    wanted = [
        b"[tool.x]", b"a = 1", b"", b"[tool.doilinks]", b"check_ignore = [", reason, b"]", b"",
    ]  # fmt: skip
    assert lines == wanted
