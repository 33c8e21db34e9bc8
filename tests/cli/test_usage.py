"""Wrong usage of each command: an error before anything is read, asked or written."""

import shlex

import pytest

from ..tools.command import doilinks

# What is typed, and what is said; nobody listens where these settings lead to.
SETTINGS = (
    '[tool.doilinks]\ncheck-api = "http://127.0.0.1:9/"\ncheck_works_api = "http://127.0.0.1:9/"\n'
)
WRONG = [
    ("frobnicate", "No such command 'frobnicate'"),
    ("chek a.md", "No such command 'chek'. (Did you mean check?)"),
    ("scan", "Missing argument 'PATH...'."),
    ("scan --format xml .", "Invalid value for '--format'"),
    ("scan --ignore ( .", "--ignore: takes a list of regular expressions, got ('(',)"),
    ("scan --display nmae .", "--display: takes one of 'uri', 'legible', 'url', 'name'"),
    ("scan --bogus .", "No such option"),
    ("check --check-timeout soon docs", "--check-timeout: takes a number of seconds greater than 0, got 'soon'"),
    ("check --check off docs", "--check: takes one of 'warn', 'error', got 'off'"),
    ("check --works error docs", "--works: takes no value; write --check-works error\n"),
    ("check --check-works docs docs", "--check-works: takes one of 'off', 'warn', 'error', got 'docs'"),
    ("check --offline --update docs", "--update: check_offline is on, so nothing can be asked"),
    ("check -o a -o b docs", "--output a: needs a --format before it\n"),
    ("check -o a --format text --format json -o b docs", "--output a: needs a --format before it\n"),
    ("check --format json -o a -o b docs", "--output b: needs a --format before it\n"),
    ("check --format json --format text docs",
     "--format json and --format text would both go to standard output; add an --output\n"),
    ("check --format json -o x --format text -o x docs",
     "--format json and --format text would both go to the file x\n"),
    ("check -o docs docs", "--output 'docs': takes the name of a file\n"),
    ("check -o '' docs", "--output '': takes the name of a file\n"),
    ("check -o nowhere/x docs", "--output nowhere/x: there is no such folder\n"),
    ("works --check-lockfile '' .", "there is no lock file"),
    ("works --format html --format text .", "would both go to standard output"),
    ("works --format pdf .", "'pdf' is not one of"),
    ("works -o missing/works.txt .", "there is no such folder"),
    ("html site --output site/sub/b", "one folder is inside the other"),
    ("html site --output .", "one folder is inside the other"),
    ("html site --output site/index.html/x", "one folder is inside the other"),
    ("html site other --output new", "takes one folder as SITE"),
    ("html site/index.html --output new", "takes one folder as SITE"),
    ("html site --output new --check", "--diff and --check write nothing"),
    ("html", "Missing argument 'SITE...'"),
    ("html --type md site/index.html", "'md' is not one of 'html', 'xhtml'"),
    ("fix --select doi-uri,doi-url .", "of these, a project needs one"),
    ("fix --select doi-resolve .", "there is no rule 'doi-resolve'"),
    (r"fix --ignore '10\.1000/.*' .", "to leave names as they are, set ignore in [tool.doilinks] of pyproject.toml"),
    ("find --write --diff docs", "exclude each other"),
    ("find --write --type rst -", "standard input"),
    ("check --check-lockfile half.json docs", "half.json:1: damaged lock file"),
    ("works --check-lockfile half.json docs", "half.json:1: damaged lock file"),
    ("fix --from-check --check-lockfile half.json docs", "half.json:1: damaged lock file"),
    ("show --check-lockfile half.json 10.1000/182", "half.json:1: damaged lock file"),
    ("lock --merge", "Usage:"),
    ("lock --merge doi-lock.json doi-lock.json", "Usage:"),
    ("lock doi-lock.json", "Usage:"),
]  # fmt: skip


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
