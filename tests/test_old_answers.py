"""An answer in the lock file counts in every host, however old, while nobody can be asked."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pypandoc
import pytest
import yaml

from .tools.modules import run_module

DEAD = "http://127.0.0.1:9/api/handles/"  # nobody listens there
TEXT = "See doi:10.1000/182.\n"
SAID = "found 45 days ago: doi:10.1000/182 (not asked now: "
CHECK = {"check": "error", "check_unknown": "error", "check_api": DEAD, "check_retries": 0}


def _sphinx(folder):
    conf = "".join(f"doi_{name} = {value!r}\n" for name, value in CHECK.items())
    (folder / "conf.py").write_text(f"extensions = ['doilinks.sphinx']\n{conf}")
    (folder / "index.rst").write_text(f"T\n=\n\n{TEXT}")
    done = run_module("sphinx", "-b", "dummy", folder, folder / "out")
    return done.returncode, done.stdout + done.stderr


def _mkdocs(folder):
    (folder / "docs").mkdir()
    (folder / "docs/index.md").write_text(TEXT)
    config = {"site_name": "S", "plugins": [{"doilinks": CHECK}]}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config))
    done = run_module("mkdocs", "build", cwd=folder)
    return done.returncode, done.stdout + done.stderr


def _pandoc(folder):
    given = {f"DOILINKS_{name.upper()}": str(value) for name, value in CHECK.items()}
    command = [pypandoc.get_pandoc_path(), "-t", "html", "--filter"]
    done = subprocess.run(
        [*command, Path(sys.executable).with_name("pandoc-doilinks")],
        input=TEXT, cwd=folder, env=os.environ | given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize("host", [_sphinx, _mkdocs, _pandoc])
def test_an_old_answer_is_no_fault(host, tmp_path):
    day = (datetime.now(UTC).date() - timedelta(days=45)).isoformat()
    found = {"doi:10.1000/182": {"checked": day}}
    (tmp_path / "doi-lock.json").write_text(json.dumps({"version": 1, "found": found}))
    code, said = host(tmp_path)
    assert (code, said.count(SAID), said.count("doi-unknown")) == (0, 1, 0), said
