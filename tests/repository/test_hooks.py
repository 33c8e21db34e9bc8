"""The hooks for pre-commit: their manifest, and what they do, run by pre-commit itself.

pre-commit would build an environment for each hook, which needs a package index. Here the hooks
run with ``language: system`` instead, in the environment of the tests.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from doilinks.sources import TYPES

from ..tools.documents import ROOT
from ..tools.handle_api import HandleServer
from ..tools.programs import git, run
from ..tools.projects import configure

MANIFEST = ROOT / ".pre-commit-hooks.yaml"
HOOKS = {hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))}
PRE_COMMIT = str(Path(sys.executable).parent / "pre-commit")


RECORDS = {"10.1000/182": "https://www.doi.org/hb.html", "10.1000/183": "https://example.org/"}


@pytest.fixture(scope="module")
def hooks(tmp_path_factory):
    """A repository with the manifest of this one."""
    folder = tmp_path_factory.mktemp("hooks")
    (folder / MANIFEST.name).write_bytes(MANIFEST.read_bytes())
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "hooks")
    return folder


@pytest.fixture
def project(tmp_path, tmp_path_factory, monkeypatch):
    """A repository of a user, whose settings name an API on this machine."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path_factory.mktemp("pre-commit")))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    git(tmp_path, "init", "-q")
    with HandleServer(RECORDS) as server:
        configure(tmp_path, check_api=server.api)
        yield tmp_path


def pre_commit(project, hooks, name):
    """Stage everything and run one hook; its exit code, and what was printed."""
    hook = {"id": name, "language": "system", "additional_dependencies": []}
    config = {
        "repo": str(hooks),
        "rev": git(hooks, "rev-parse", "HEAD").stdout.strip(),
        "hooks": [hook],
    }
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [config]}))
    git(project, "add", ".")
    done = subprocess.run(
        [PRE_COMMIT, "run", name, "--color=never"],
        cwd=project, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_the_manifest_is_valid():
    run(PRE_COMMIT, "validate-manifest", str(MANIFEST))
    assert HOOKS.keys() == {"doilinks-fix", "doilinks-check"}


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_the_hooks_take_the_files_that_doilinks_reads(hook):
    pattern = r"\(\?i\)\(\\\.\(([a-z0-9|]+)\)\|\(\^\|/\)\(([a-z|.\\-]+)\)\)\$"
    endings, names = (part.split("|") for part in re.fullmatch(pattern, hook["files"]).groups())
    assert sorted(endings) == sorted(each for row in TYPES.values() for each in row.endings)
    assert names == [re.escape(name) for row in TYPES.values() for name in row.names]
    assert re.search(hook["files"], "docs/CITATION.CFF")
    assert all(re.search(hook["files"], path) for path in (".zenodo.json", "a/codemeta.json"))
    assert not re.search(hook["files"], "a.zenodo.json")
    assert not re.search(hook["files"], "docs/md")


@pytest.mark.thorough
def test_check_stops_a_commit_with_a_name_that_does_not_exist(project, hooks):
    (project / "a.md").write_text("See doi:10.1000/182x.\n")
    (project / "a.sql").write_text("// See doi:10.1000/999.\n")
    code, said = pre_commit(project, hooks, "doilinks-check")
    assert code == 1
    assert "a.md:1:5: not found: doi:10.1000/182x (did you mean doi:10.1000/182?)" in said
    assert "10.1000/999" not in said


@pytest.mark.thorough
def test_check_stops_a_commit_once_to_add_new_names_to_the_lock_file(project, hooks):
    (project / "a.md").write_text("See doi:10.1000/182.\n")
    assert pre_commit(project, hooks, "doilinks-check")[0] == 0
    assert "doi:10.1000/182" in (project / "doi-lock.json").read_text()
    (project / "a.md").write_text("See doi:10.1000/182 and doi:10.1000/183.\n")
    code, said = pre_commit(project, hooks, "doilinks-check")
    assert (code, "files were modified by this hook" in said) == (1, True)
    assert "doi:10.1000/183" in (project / "doi-lock.json").read_text()
    assert pre_commit(project, hooks, "doilinks-check")[0] == 0


@pytest.mark.thorough
def test_fix_mends_the_files_of_a_commit_and_stops_it_once(project, hooks):
    (project / "a.md").write_text("See http://dx.doi.org/10.1000/182 and `http://dx.doi.org/10`.\n")
    (project / "b.md").write_text("See https://doi.org/10.1000/182.\n")
    (project / "c.sql").write_text("// See http://dx.doi.org/10.1000/182.\n")
    code, said = pre_commit(project, hooks, "doilinks-fix")
    assert (code, "files were modified by this hook" in said) == (1, True)
    assert "a.md:1:5: http://dx.doi.org/10.1000/182 → https://doi.org/10.1000/182" in said
    assert git(project, "diff", "--name-only").stdout == "a.md\n"
    text = "See https://doi.org/10.1000/182 and `http://dx.doi.org/10`.\n"
    assert (project / "a.md").read_text() == text
    assert pre_commit(project, hooks, "doilinks-fix")[0] == 0


@pytest.mark.thorough
@pytest.mark.parametrize("name", HOOKS)
def test_what_the_project_excludes_is_left_out(project, hooks, name):
    (project / "drafts").mkdir()
    (project / "drafts" / "a.md").write_text("See http://dx.doi.org/10.1000/182x.\n")
    with (project / "pyproject.toml").open("a") as settings:
        settings.write('exclude = ["drafts/"]\n')
    assert pre_commit(project, hooks, name)[0] == 0
