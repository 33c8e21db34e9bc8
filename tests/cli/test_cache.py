"""A run that reads a tree again gives what it gave before, and what it would give without a cache."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from doilinks.tools.cli import cache, files

from ..tools.command import doilinks
from .test_jobs import ROOT, TREES

SAMPLES = [*TREES, str(ROOT / "tests" / "fix"), str(ROOT / "examples" / "demo")]


@pytest.fixture(autouse=True)
def reads(tmp_path, monkeypatch):
    """Keep every reading in a folder of the test; the result lists the files that are parsed."""
    monkeypatch.setattr(files, "_WORTH_KEEPING", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    parsed, read = [], files.read

    def listing(text, kind, options, path, *more, **others):
        parsed.append(Path(path).name)
        return read(text, kind, options, path, *more, **others)

    monkeypatch.setattr(files, "read", listing)
    return parsed


@pytest.fixture
def tree(tmp_path):
    """Two files, the second with a name whose block and remark are kept too."""
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.md").write_text("See doi:10.1000/182.")
    (folder / "b.rst").write_text("In a sentence (doi:10.1000/a(b).\n")
    return folder


def run(tree, *more, command="scan"):
    return doilinks(command, ".", "--format", "json", *more, cwd=tree)


def kept(tree):
    return next((tree.parent / "cache" / "doilinks").iterdir())


@pytest.mark.parametrize(
    "command",
    [
        ("scan", "--format", "json"),
        ("scan", "--remarks"),
        ("check", "--offline"),
        ("works", "--offline"),
    ],
)
def test_samples_that_are_read_again_give_the_same(command, tmp_path, reads):
    plain = doilinks(*command, "--no-cache", *SAMPLES, cwd=tmp_path)
    runs = [doilinks(*command, *SAMPLES, "--jobs", jobs, cwd=tmp_path) for jobs in "1121"]
    assert runs == [plain] * 4
    assert len(reads) < 2.7 * len(set(reads))  # all, all, and those with messages


def test_only_what_has_changed_is_read_again(tree, reads):
    assert run(tree) == run(tree)
    assert reads == ["a.md", "b.rst"]
    (tree / "a.md").write_text("See doi:10.1000/183.")
    assert "10.1000/183" in run(tree)[1]
    shutil.move(tree / "b.rst", tree / "b.txt")
    assert "b.txt" in run(tree)[1]
    assert reads[2:] == ["a.md", "b.txt"]


@pytest.mark.parametrize("flags", [["--arxiv", "true"], ["--ignore", "10.1000/182"], ["--no-bare"]])
def test_another_option_reads_anew(flags, tree, reads):
    run(tree)
    assert run(tree, *flags) == run(tree, *flags, "--no-cache")
    assert len(reads) == 6


def test_another_version_reads_anew(tree, reads, monkeypatch):
    run(tree)
    monkeypatch.setattr(cache, "_programs", lambda: "other")
    run(tree)
    assert len(reads) == 4


def test_what_depends_on_another_file_is_not_kept(tree):
    (tree / "a.md").write_text("See [this](10.1000/182).")
    assert "10.1000/182" in run(tree)[1]
    (tree / "10.1000").mkdir()
    (tree / "10.1000" / "182.md").write_text("A page.")
    assert "10.1000/182" not in run(tree)[1]
    shutil.rmtree(tree / "10.1000")
    assert "10.1000/182" in run(tree)[1]


def test_messages_and_comments_are_those_of_the_first_run(tree):
    (tree / "c.md").write_text("doi:10.1000/182 <!-- doilinks: ignore -->\n")
    (tree / "d.md").write_bytes(b"doi:10.1000/caf\xe9")
    (tree / "e.bib").write_text("@misc{a, doi = {none}}")
    for command in ("scan", "check"):
        more = ["--offline"] if command == "check" else []
        first = run(tree, *more, command=command)
        assert first == run(tree, *more, command=command)
        assert "d.md" in first[2]


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\n", None])
def test_a_damaged_cache_is_as_good_as_none(damage, tree, reads):
    first = run(tree)
    octets = kept(tree).read_bytes()
    kept(tree).write_bytes(octets.replace(b"10.1000", b"10.1001") if damage is None else damage)
    assert run(tree) == first
    assert run(tree) == first
    assert len(reads) == 4
    assert kept(tree).read_bytes() == octets


def test_of_two_writers_one_stays(tree, reads):
    one, two = cache.Cache(), cache.Cache()
    one.save({"a": []})
    two.save({"b": []})
    assert [each.get("b") for each in (one, two, cache.Cache())] == [None, None, []]
    assert [file.name for file in kept(tree).parent.iterdir()] == [kept(tree).name]


def test_of_few_files_nothing_is_kept(tree, monkeypatch):
    monkeypatch.setattr(files, "_WORTH_KEEPING", 3)
    run(tree)
    assert not (tree.parent / "cache").exists()
    (tree / "c.md").write_text("doi:10.1000/184")
    run(tree)
    assert kept(tree)


@pytest.mark.parametrize("home", ["relative", "/dev/null/none"])
def test_without_a_folder_nothing_is_kept(home, tree, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    before = sorted(tree.iterdir())
    assert run(tree) == run(tree)
    assert sorted(tree.iterdir()) == before


def test_the_names_of_folders_that_are_gone_go(tree):
    run(tree)
    old = kept(tree)
    os.utime(old, (0, 0))
    run(tree, "--no-bare")
    assert not old.exists()
