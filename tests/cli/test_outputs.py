"""Where reports go: several formats, each to its own file, in one run."""

import json
from xml.etree import ElementTree as ET

import pytest

from ..tools.command import doilinks
from ..tools.handle_api import HandleServer

FAILS = "docs/a.md:1:1: not found: doi:10.1000/nope [doi-not-found]\n"
SUMMARY = "2 DOIs: 1 found, 1 not found"


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A project with one name that resolves, by an alias, and one that does not."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("doi:10.1000/nope and doi:10/abc1")
    with HandleServer(
        {"10.1000/182": "https://example.org/", "10/abc1": {"alias": "10.1000/182"}}
    ) as api:
        (tmp_path / "pyproject.toml").write_text(
            f'[tool.doilinks]\ncheck-api = "{api.api}"\ncheck-lockfile = ""\n'
        )
        yield tmp_path


def check(site, *arguments):
    return doilinks("check", *arguments, "docs", cwd=site)


def test_several_reports_in_one_run(site):
    code, out, err = check(
        site, "--format", "sarif", "--output", "doi.sarif", "--format=text",
        "--format", "junit", "-o", "doi.xml", "--format=gitlab", "--output=doi.json",
    )  # fmt: skip
    assert (code, err) == (1, "")
    assert out.startswith(FAILS)
    assert out.endswith(f"{SUMMARY}\n")
    assert json.loads((site / "doi.sarif").read_text())["version"] == "2.1.0"
    assert ET.fromstring((site / "doi.xml").read_text()).tag == "testsuites"
    assert json.loads((site / "doi.json").read_text())[0]["check_name"] == "doi-not-found"


@pytest.mark.parametrize(
    "flags",
    [("--format", "json", "-o", "r"), ("--output", "r", "--format", "json")],
)
def test_one_report_to_a_file(site, flags):
    """The order does not matter then, and the log still says how it went."""
    code, out, err = check(site, *flags)
    assert (code, out) == (1, "")
    assert err == f"doilinks: {SUMMARY}; the report is in r\n"
    assert json.loads((site / "r").read_text())["summary"]["not_found"] == 1
    assert check(site, "-q", *flags) == (1, "", "")


def test_text_to_a_file_and_to_standard_output(site):
    assert check(site, "-o", "report.txt")[:2] == (1, "")
    text = (site / "report.txt").read_text()
    assert text.startswith(FAILS)
    assert check(site, "-o", "-") == (1, text, "")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("-o", "a", "-o", "b"), "--output a: needs a --format before it"),
        (
            ("-o", "a", "--format", "text", "--format", "json", "-o", "b"),
            "--output a: needs a --format before it",
        ),
        (
            ("--format", "json", "-o", "a", "-o", "b"),
            "--output b: needs a --format before it",
        ),
        (
            ("--format", "json", "--format", "text"),
            "--format json and --format text would both go to standard output; add an --output",
        ),
        (
            ("--format", "json", "-o", "x", "--format", "text", "-o", "x"),
            "--format json and --format text would both go to the file x",
        ),
        (("-o", "docs"), "--output 'docs': takes the name of a file"),
        (("-o", ""), "--output '': takes the name of a file"),
        (("-o", "nowhere/x"), "--output nowhere/x: there is no such folder"),
    ],
)
def test_wrong_usage_is_an_error_before_anything_is_read(site, flags, words):
    code, out, err = check(site, *flags)
    assert (code, out) == (2, "")
    assert err.endswith(f"doilinks: {words}\n")
    assert not (site / "x").exists()


def test_a_file_that_cannot_be_written_does_not_lose_the_others(site):
    flags = ("--format", "json", "-o", "/dev/full", "--format", "text", "--format", "sarif")
    code, out, err = check(site, *flags, "-o", "doi.sarif")
    assert code == 2
    assert err == "doilinks: cannot write /dev/full: No space left on device\n"
    assert out.startswith(FAILS)
    assert (site / "doi.sarif").exists()


def test_quiet(site):
    assert check(site, "-q") == (1, FAILS, "")
    (site / "docs/a.md").write_text("doi:10.1000/182 and doi:10/abc1")
    assert check(site, "--quiet") == (0, "", "")


def test_quiet_scan(site):
    code, out, err = doilinks("scan", "docs", cwd=site)
    rows, _, summary = out.rstrip("\n").rpartition("\n")
    assert summary == "2 DOIs, 2 distinct, in 1 of 1 file"
    assert doilinks("scan", "-q", "docs", cwd=site) == (code, f"{rows}\n", err)


def test_version():
    assert doilinks("-V", cwd=None) == doilinks("--version", cwd=None)
    assert doilinks("-V", cwd=None)[:1] == (0,)
