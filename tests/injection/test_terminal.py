"""Hostile names, documents and file names on a terminal and in the logs of builds.

Nothing that doilinks writes holds a control character, a format character or another that cannot
be printed; a terminal would obey these (colours, links by OSC 8, the clipboard by OSC 52).
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from doilinks import scan

from ..tools.hosts import numbered, pandoc
from ..tools.modules import BIN, quick, run_module
from ..tools.proof import sample
from .builds import MKDOCS, sphinx
from .corpus import documents, names


def unprintable(text: str) -> list[str]:
    """The lines that hold what a terminal obeys or cannot show."""
    return [line for line in text.split("\n") if not line.isprintable()]


@pytest.fixture
def api(handle_api):
    """A Handle API that knows no name, so that each one is told of."""
    return handle_api.api


def run(*arguments: str, cwd: Path) -> tuple[str, str]:
    done = subprocess.run(
        [quick(BIN / "doilinks"), *arguments], cwd=cwd, capture_output=True, check=False,
        timeout=300,
    )  # fmt: skip
    return done.stdout.decode(), done.stderr.decode()


def hostile(reads: str) -> list[str]:
    """Documents of hostile names."""
    sources = [document.source for document in documents(reads, every=29)]
    return sample("documents of hostile names", f"messages, {reads}", sources, one_in=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Hostile sources of each kind, one with a hostile name."""
    where = tmp_path_factory.mktemp("hostile")
    (where / "docs").mkdir()
    for reads in ("md", "rst"):
        _write(where / "docs" / f"a.{reads}", "\n\n".join(hostile(reads)))
    for ending in ("txt", "html", "bib"):
        _write(where / "docs" / f"a.{ending}", "\n".join(f"<p>See {name}</p>" for name in names()))
    odd = where / "docs" / "a\x1b[31m\u202e\x1b]8;;https:\u2044\u2044evil.example\x07.md"
    odd.write_text("See doi:10.1000/182 and 10.1000/a\u200bb.")
    # What a runner of GitHub would take for a command of its own.
    odd = where / "docs" / "b\n::error file=x::y\r%0A,line=7.md"
    odd.write_text("See doi:10.1000/not-there.")
    return where


def _write(file: Path, text: str) -> None:
    text = text.replace("\0", "")  # a file with a null character is binary, and is not read
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("form", ["text", "csv"])
def test_scan(folder, form):
    out, err = run("scan", "--format", form, "docs", cwd=folder)
    assert out.count("\n") > 300
    assert unprintable(out) == unprintable(err) == []
    assert "\\x1b[31m" in out


@pytest.mark.parametrize(
    "form",
    [
        "text",
        "github",
        *(pytest.param(each, marks=pytest.mark.thorough) for each in ("json", "sarif", "junit")),
    ],
)
def test_check(folder, form, api):
    out, err = run("check", "--check-api", api, "--check-lockfile", "", "--format", form,
                   "docs", cwd=folder)  # fmt: skip
    assert out.count("10.1000/") > 100, err
    assert unprintable(out) == unprintable(err) == []
    reads[form](out)


def is_github(out: str) -> None:
    """Each line is one annotation, whose place and message hold no sign that ends them."""
    *lines, _summary, _end = out.split("\n")
    place = r"(?:file|line|col|title)=[^,:]*"
    one = re.compile(rf"::(?:error|warning|notice) {place}(?:,{place})*::[^\r\n]*")
    assert [line for line in lines if not one.fullmatch(line)] == []
    assert any("%3A%3Aerror file=x%3A%3Ay" in line for line in lines)


reads = {
    "text": lambda out: None, "github": is_github, "json": json.loads, "sarif": json.loads,
    "junit": ET.fromstring,
}  # fmt: skip


def test_the_lock_file(tmp_path, handle_api):
    """It keeps hostile names as they are, in text that can be looked at, and gives them back."""
    known = sorted({match.doi for name in names() for match in scan(name)}, key=str)
    for doi in known:
        handle_api.set(doi.name, "https://example.org/\x1b[31m\u202e<b>")
    text = "\n\n".join(f"See {doi.uri} there." for doi in known)
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    command = ("check", "--check-api", handle_api.api, "--check-lockfile", "lock.json")
    out, err = run(*command, "a.txt", cwd=tmp_path)
    assert "0 not found" in out or "not found" not in out, out + err
    kept = (tmp_path / "lock.json").read_text(encoding="utf-8")
    assert unprintable(kept) == []
    assert json.loads(kept)
    asked = len(handle_api.requests)
    assert asked >= len(known) > 40
    again, err = run(*command, "--check-offline", "a.txt", cwd=tmp_path)
    assert f"{len(known)} from lock.json" in again.replace("all ", ""), again + err
    assert len(handle_api.requests) == asked


def test_show(folder):
    given = [name for name in names() if "\x00" not in name and not name.startswith("-")]
    out, err = run("show", *given, cwd=folder)
    assert out.count("name ") > 50
    assert err.count("\n") > 10
    assert unprintable(out) == unprintable(err) == []


def test_logs_of_sphinx(tmp_path, api):
    sources = hostile("rst")
    conf = f"{CHECK}\ndoi_check_api = {api!r}"
    sphinx(conf=conf).write(tmp_path / "source", numbered(sources))
    err = run_module("sphinx", "--no-color", "-q", "source", "out", cwd=tmp_path).stderr
    ours = [line for line in err.split("\n") if line.endswith("]") and "[doi." in line]
    assert len(ours) > 20, err[-2000:]
    assert unprintable("\n".join(ours)) == []


def test_hostile_names_of_files_in_logs_of_sphinx(tmp_path, handle_api):
    """Sphinx shows the place of a warning itself; doilinks names other places, and what has none."""
    odd = "a\x1b[31m\u202e"
    one = "Paskin, N. (2000). DOI handbook of the system of names. doi:10.1000/182"
    other = "Wiles, A. (1995). Modular elliptic curves and Fermat's theorem. doi:10.1000/182"
    handle_api.set("10/x", {"alias": "10.1000/182"})
    handle_api.set("10.1000/182", "https://example.org/")
    api = f"doi_check_api = {handle_api.api!r}\ndoi_check_works_api = {handle_api.works_api!r}"
    files = {
        "conf.py": f"extensions = ['doilinks.sphinx']\n{CHECK}\ndoi_check_works = 'warn'\n{api}\n"
    }
    files |= {"index.rst": f"{other}\n", f"{odd}.rst": f":orphan:\n\n{one} and doi:10/x\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = run_module("sphinx", "--no-color", ".", "out", cwd=tmp_path)
    [two] = [line for line in done.stderr.split("\n") if "two works" in line]
    [alias] = [line for line in done.stdout.split("\n") if "alias: " in line]
    assert unprintable(two) == unprintable(alias) == []
    assert two.count("\\x1b[31m\\u202e.rst:3") == alias.count("\\x1b[31m\\u202e.rst:3") == 1


def test_a_hostile_folder_in_logs_of_sphinx(tmp_path):
    docs = tmp_path / "a\x1b[31m\u202e/docs"
    docs.mkdir(parents=True)
    (docs / "conf.py").write_text("extensions = ['doilinks.sphinx']\ndoi_cite = True\n")
    (docs / "index.rst").write_text("See :doi:cite:`10.1000/182`.\n")
    (docs.parent / "pyproject.toml").write_text("[tool.doilinks]\ncheck_retries = 1\n")
    done = run_module("sphinx", "--no-color", "-v", ".", "out", cwd=docs)
    said = done.stdout + done.stderr
    ours = [line for line in said.split("\n") if "[tool.doilinks]" in line or "is known" in line]
    assert len(ours) == 2, said
    assert unprintable(ours[0].partition("doilinks: ")[2]) == []
    assert unprintable(ours[1].partition("WARNING: ")[2]) == []


CHECK = "show_warning_types = True\ndoi_check = 'warn'\ndoi_check_lockfile = ''"


def test_logs_of_mkdocs(tmp_path, api):
    sources = hostile("md")
    options = {"check": "warn", "check_api": api, "check_lockfile": ""}
    MKDOCS.write(tmp_path, numbered(sources), options)
    err = run_module("mkdocs", "build", cwd=tmp_path).stderr
    ours = [line for line in err.split("\n") if "doilinks: " in line or "not found: " in line]
    assert len(ours) > 20, err[-2000:]
    assert unprintable("\n".join(ours)) == []


def test_logs_of_pandoc(api, monkeypatch):
    monkeypatch.setenv("DOILINKS_CHECK_API", api)
    sources = [f"See {name} there." for name in names() if "[[[" not in name]
    done = pandoc(
        *("-f", "markdown", "-t", "html", "-M", "doi-check=warn", "-M", "doi-check-lockfile="),
        given="\n\n".join(sources),
    )
    err = done.stderr.decode()
    assert err.count("doi:10.") > 20, err[-2000:]
    assert unprintable(err) == []
