"""Where reports go: several formats, each to its own file, in one run."""

import json
import re
import subprocess
from xml.etree import ElementTree as ET

import pytest

from ..tools.command import DOILINKS, doilinks
from ..tools.handle_api import HandleServer
from ..tools.programs import LONGEST

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


def test_a_file_that_cannot_be_written_does_not_lose_the_others(site):
    flags = ("--format", "json", "-o", "/dev/full", "--format", "text", "--format", "sarif")
    code, out, err = check(site, *flags, "-o", "doi.sarif")
    assert code == 2
    assert err == "doilinks: cannot write /dev/full: No space left on device\n"
    assert out.startswith(FAILS)
    assert (site / "doi.sarif").exists()


def test_a_full_disk_leaves_the_old_report(site):
    """The shell limits the size of files, in blocks of 512 octets."""
    names = "\n\n".join(f"doi:10.1000/{number}" for number in range(100))
    (site / "docs/a.md").write_text(names)
    (site / "report.txt").write_text("old")
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", *DOILINKS, "check", "-o", "report.txt", "docs"],
        cwd=site, capture_output=True, text=True, timeout=LONGEST, check=False,
    )  # fmt: skip
    assert done.stderr.endswith("cannot write report.txt: File too large\n")
    assert done.returncode == 2
    assert (site / "report.txt").read_text() == "old"
    assert sorted(path.name for path in site.iterdir()) == ["docs", "pyproject.toml", "report.txt"]


def test_an_output_may_be_a_link_or_a_pipe(site):
    (site / "real").mkdir()
    (site / "report.json").symlink_to("real/report.json")
    check(site, "--format", "json", "-o", "report.json")
    assert (site / "report.json").is_symlink()
    assert json.loads((site / "real/report.json").read_text())["problems"]
    assert check(site, "-o", "/dev/null")[1] == ""


@pytest.mark.parametrize("end", ["a\n::error::b.md", "a\r::error::b.md"])
def test_a_line_break_in_a_name_is_spelled(site, end):
    """A line of its own could be a command to a CI system."""
    (site / "docs" / end).write_text("See http://dx.doi.org/10.1000/1")
    (site / "docs" / f"{end}d").mkdir()
    for command in (("fix", "docs"), ("myst-plugin", f"docs/{end}d"), ("quarto-extension", f"docs/{end}d"), ("skill", f"docs/{end}d")):  # fmt: skip
        _, out, err = doilinks(*command, cwd=site)
        assert "::error::b.md" in out
        assert not re.search(r"^::", out + err, re.MULTILINE)


@pytest.mark.parametrize(
    ("command", "link"),
    [
        ("myst-plugin", "doilinks-plugin.py"),
        ("quarto-extension", "_extensions"),
        ("quarto-extension", "_extensions/doilinks"),
        ("quarto-extension", "_extensions/doilinks/doilinks-filter.py"),
        ("skill", "doilinks"),
        ("skill", "doilinks/references"),
    ],
)
def test_no_link_leads_what_is_written_elsewhere(tmp_path, command, link):
    book, out = tmp_path / "book", tmp_path / "out"
    (book / link).parent.mkdir(parents=True)
    out.mkdir()
    (out / "profile").write_text("mine")
    (out / "profile").chmod(0o600)
    (book / link).symlink_to(out / "profile" if link.endswith(".py") else out)
    code, _, err = doilinks(command, "book", cwd=tmp_path)
    assert (code, "a symbolic link, which may lead anywhere; nothing is written" in err) == (
        2,
        True,
    )
    assert [path.name for path in out.iterdir()] == ["profile"]
    assert (out / "profile").read_text() == "mine"
    assert (out / "profile").stat().st_mode & 0o777 == 0o600
    (tmp_path / "alias").symlink_to(book)  # what the user names may be a link
    (book / link).unlink()
    assert doilinks(command, "alias", cwd=tmp_path)[0] == 0


def test_quiet(site):
    assert check(site, "-q") == (1, FAILS, "")
    (site / "docs/a.md").write_text("doi:10.1000/182 and doi:10/abc1")
    assert check(site, "--quiet") == (0, "", "")


def test_quiet_scan(site):
    code, out, err = doilinks("scan", "docs", cwd=site)
    rows, _, summary = out.rstrip("\n").rpartition("\n")
    assert summary == "2 DOIs, 2 distinct, in 1 of 1 file"
    assert doilinks("scan", "-q", "docs", cwd=site) == (code, f"{rows}\n", err)
