"""Wrong usage of each command: an error before anything is read, asked or written."""

import shlex

import pytest

from ..tools.command import doilinks
from ..tools.tables import tables

TABLES = tables(__file__)

# What is typed, and what is said; nobody listens where these settings lead to.
SETTINGS = (
    '[tool.doilinks]\ncheck-api = "http://127.0.0.1:9/"\ncheck_works_api = "http://127.0.0.1:9/"\n'
)
WRONG = TABLES["wrong"]


@pytest.fixture
def folder(tmp_path):
    texts = {
        "pyproject.toml": SETTINGS, "docs/a.md": "http://dx.doi.org/10.1000/182\n",
        "site/index.html": "<p>10.1000/182</p>\n", "site/sub/a.html": "<p>10.1000/182</p>\n",
        "doi-lock.json": '{"version": 1, "found": {}}', "half.json": "{",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(("typed", "said"), WRONG, ids=[typed for typed, _ in WRONG])
def test_wrong_usage(folder, typed, said):
    before = {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}
    code, out, err = doilinks(*shlex.split(typed), cwd=folder)
    assert (code, out) == (2, "")
    assert err.endswith(f"doilinks: {said}") if said.endswith("\n") else said in err
    assert "Traceback" not in err
    assert {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")} == before
