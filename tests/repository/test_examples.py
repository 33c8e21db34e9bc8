"""The examples that users copy, built by ``make demo``."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys

import pytest

from ..tools.handle_api import HandleServer
from ..tools.leftovers import living
from ..tools.modules import ROOT, load
from ..tools.programs import ended, wait

EXAMPLES = ROOT / "examples"


demo = load(EXAMPLES / "demo.py")

# How many DOIs each file links; what a link, a citation and a list show is proved in each host.
LINKS = {
    "sphinx/index.html": 1, "sphinx/methods.html": 16, "sphinx/reading.html": 15,
    "sphinx/api.html": 4, "mkdocs/index.html": 3, "mkdocs/protocols.html": 8,
    "mkdocs/reading.html": 9, "pandoc/paper.html": 20, "markdown-it/notes.html": 15,
}  # fmt: skip


@pytest.fixture(scope="module", params=[pytest.param("demo", marks=pytest.mark.thorough)])
def built(tmp_path_factory):
    """What ``make demo`` runs, into a folder of its own."""
    into = tmp_path_factory.mktemp("examples")
    before = _digest()
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "demo.py"), str(into)], cwd=EXAMPLES.parent,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"}, start_new_session=True,
    )  # fmt: skip
    printed, _ = ended(process)
    return into, process, printed, before


def _digest() -> dict[str, str]:
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(EXAMPLES.rglob("*"))
        if file.is_file() and not {"_build", "__pycache__"}.intersection(file.parts)
    }


def test_the_demo_succeeds_and_names_every_example(built):
    _, process, printed, _ = built
    assert process.returncode == 0, printed
    table = printed.partition("What was linked where")[2].partition("What was cited")[0]
    for example in demo.BUILDS:
        assert f"\n{example.name} " in table
        assert example.before in table
        assert example.after in table
        for output in example.outputs:
            assert f"{example.name}/{output} " in table
    assert printed.rstrip().splitlines()[-1].startswith("All as it should be")
    assert "Traceback" not in printed


def test_the_demo_shows_a_build_that_fails(built):
    _, _, printed, _ = built
    failing = printed.partition("A build that fails")[2]
    assert failing.count("(exit code 1, as expected)") == len(demo.FAILING)
    assert (
        "software.rst:9:15: not found: doi:10.1038/s41592%E2%80%93019%E2%80%930686%E2%80%932 "
        "(did you mean doi:10.1038/s41592-019-0686-2?) [doi-not-found]" in failing
    )
    assert "13 DOIs: 12 found (12 from doi-lock.json), 1 not found" in failing


def test_the_demo_leaves_no_process_and_no_changed_file(built):
    _, process, _, before = built
    wait(lambda: not living(process.pid), said=lambda: f"runs still: {living(process.pid)}")
    assert _digest() == before


def test_each_page_links_all_of_its_names(built):
    into, *_ = built
    assert {file: len(demo.doi_links(into / file)) for file in LINKS} == LINKS


def test_each_example_shows_what_it_cites(built):
    _, _, printed, _ = built
    table = printed.partition("What was cited")[2].partition("A build that fails")[0]
    assert "NOT" not in table
    for example in demo.BUILDS:
        assert example.citation in table
        assert f"{example.name}/{example.citing}" in table
    assert table.count("on hover: ") == len(demo.BUILDS)


@pytest.mark.thorough
def test_with_the_name_corrected_the_check_succeeds(tmp_path):
    folder = tmp_path / "check"
    shutil.copytree(EXAMPLES / "check", folder, ignore=shutil.ignore_patterns("_build"))
    page = folder / "software.rst"
    text = page.read_text(encoding="utf-8")
    assert text.count("–") == 3
    page.write_text(text.replace("–", "-"), encoding="utf-8")
    with HandleServer(folder / "records.json") as server:
        for command in demo.FAILING:
            done = demo.run(command, str(folder), out=tmp_path / "out", api=server.api)
            assert done.returncode == 0, done.stdout
        # The first run keeps the answer, so that nobody has to ask again.
        assert [request.name for request in server.requests] == ["10.1038/s41592-019-0686-2"]
    assert '"doi:10.1038/s41592-019-0686-2"' in (folder / "doi-lock.json").read_text()
