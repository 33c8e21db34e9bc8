"""The extension for Quarto: its filter, run as Quarto runs one, with the real pandoc."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest
import yaml

import doilinks as package

from ..tools.command import doilinks
from ..tools.hosts import pandoc
from ..tools.links import html_links
from ..tools.modules import BIN, ROOT
from ..tools.quarto import lua_filter

PLACE = Path("_extensions", "doilinks")
PAGE = """\
---
title: A page
doi-css-class: cite
---

::: {.callout data-quarto-custom="1"}
See doi:10.1000/456#789.
:::
"""
LINK = ("doi:10.1000/456%23789", "https://doi.org/10.1000/456%23789")


@pytest.fixture
def extension(tmp_path):
    code, out, err = doilinks("quarto-extension", "book", cwd=made(tmp_path))
    assert (code, err) == (0, ""), err
    assert "_quarto.yml" in out
    assert "filters:\n  - doilinks" in out
    return tmp_path / "book" / PLACE


def made(folder):
    (folder / "book").mkdir()
    return folder


def run_filter(extension, page=PAGE, check=True, path=f"{BIN}{os.pathsep}{os.environ['PATH']}"):
    """Convert a page as Quarto does, whose filters are those that the extension contributes."""
    contributed = yaml.safe_load((extension / "_extension.yml").read_text())["contributes"]
    (script,) = contributed["filters"]
    lua = lua_filter(extension.parent / "quarto.lua", extension / script)
    done = pandoc(
        "-f", "markdown", "-t", "html", f"--lua-filter={lua}",
        given=page, doilinks=False, check=check, env={"PATH": path},
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def folder_with(folder, **programs):
    """A folder of programs, each a line of a shell script."""
    folder.mkdir()
    for name, line in programs.items():
        program = folder / name
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)
    return str(folder)


def test_the_filter_links(extension):
    code, html, err = run_filter(extension)
    assert (code, err) == (0, "")
    assert html_links(html) == [LINK]
    assert 'class="cite"' in html
    assert '<div class="callout" data-quarto-custom="1">' in html


def test_text_whose_spelling_is_lost_stays(extension):
    """Quarto does not say how its reader was configured, so nobody knows which quotes were typed."""
    link = '[https://doi.org/10.1000/182#"a"b](https://doi.org/10.1000/182#c)'
    page = f"---\ndoi-display: source\n---\n\n{link}\n"
    html = run_filter(extension, page)[1]
    assert html_links(html) == [
        ("https://doi.org/10.1000/182#“a”b", "https://doi.org/10.1000/182#c")
    ]


def test_the_filter_runs_where_no_file_is_executable(extension, tmp_path):
    """Some programs that unpack an archive lose the permission; pandoc knows the ending."""
    (extension / "doilinks-filter.py").chmod(0o644)
    path = folder_with(tmp_path / "bin", python=f'exec {sys.executable} "$@"')
    assert html_links(run_filter(extension, path=path)[1]) == [LINK]


def test_the_filter_is_told_the_format(extension, tmp_path):
    seen = tmp_path / "seen"
    line = f'echo "$@" > {shlex.quote(str(seen))}; exec cat'
    path = folder_with(
        tmp_path / "bin", **{"pandoc-doilinks": line, "python3": f'exec {sys.executable} "$@"'}
    )
    code, html, _ = run_filter(extension, path=f"{path}{os.pathsep}/usr/bin:/bin")
    assert code == 0
    assert html_links(html) == []
    assert seen.read_text() == "html\n"


def test_what_is_wrong_stops_the_build(extension):
    page = PAGE.replace("doi-css-class: cite", "doi-display: nmae")
    code, _, err = run_filter(extension, page, check=False)
    assert code == 1
    assert "pandoc-doilinks: doi-display: takes one of" in err


def test_the_package_is_found_without_its_program(extension, tmp_path):
    path = folder_with(tmp_path / "bin", python3=f'exec {sys.executable} "$@"')
    assert html_links(run_filter(extension, path=path)[1]) == [LINK]


def test_a_package_that_is_missing_is_named(extension, tmp_path):
    path = folder_with(tmp_path / "bin", python3=f'exec {sys.executable} -S "$@"')
    code, _, err = run_filter(extension, check=False, path=path)
    assert code == 1
    assert 'pip install "doilinks[pandoc]"' in err
    assert "Traceback" not in err


def test_the_repository_has_it_for_quarto_add(extension):
    """If this fails, run `doilinks quarto-extension` in the folder of the repository."""
    names = sorted(each.name for each in extension.iterdir())
    assert names == sorted(each.name for each in (ROOT / PLACE).iterdir())
    for name in names:
        assert (extension / name).read_text() == (ROOT / PLACE / name).read_text(), name
        # Of the mode, Git keeps whether a file can be run; the rest is the umask of who checked out.
        runs = [(folder / name).stat().st_mode & 0o100 for folder in (extension, ROOT / PLACE)]
        assert runs[0] == runs[1], name
    about = yaml.safe_load((extension / "_extension.yml").read_text())
    assert about["version"] == package.__version__


def test_writing_it_again_updates_it(extension, tmp_path):
    (extension / "doilinks-filter.py").write_text("old")
    assert doilinks("quarto-extension", "book", cwd=tmp_path)[0] == 0
    assert (extension / "doilinks-filter.py").read_text() != "old"


def test_a_folder_that_cannot_be_written_to(tmp_path):
    (tmp_path / "_extensions").write_text("a file")
    code, _, err = doilinks("quarto-extension", cwd=tmp_path)
    assert code == 2
    assert "_extensions" in err
    assert "cannot write" in err
    code, _, err = doilinks("quarto-extension", "nowhere", cwd=tmp_path)
    assert code == 2
    assert "nowhere" in err
