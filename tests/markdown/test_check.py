"""The check for Zensical and plain Python-Markdown, which have no place for one of their own.

``doilinks check`` reads the pages that they built, or the Markdown that they build them from.
"""

import subprocess
import sys
from pathlib import Path

import markdown
import pytest

from ..tools.check_matrix import IN_A_HOST, ROWS, URL
from ..tools.command import doilinks as command

CODES = {"doi-not-found": 1, "doi-no-values": 1, "doi-unknown": 3}
NAMES = {row.name: f"page{number}" for number, row in enumerate(ROWS)}


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """A folder with a page for each name: its source, and built by both."""
    folder = tmp_path_factory.mktemp("sites")
    for name in ("docs", "plain"):
        (folder / name).mkdir()
    (folder / "docs/index.md").write_text("# Home\n")
    for doi, name in NAMES.items():
        text = f"# A page\n\nText.\n\nSee doi:{doi}, of course.\n"
        (folder / f"docs/{name}.md").write_text(text)
        html = markdown.markdown(text, extensions=["doilinks"])
        (folder / f"plain/{name}.html").write_text(html + "\n")
    (folder / "mkdocs.yml").write_text(
        "site_name: A site\nuse_directory_urls: false\nmarkdown_extensions: [doilinks]\n"
    )
    program = Path(sys.executable).with_name("zensical")
    subprocess.run([program, "build", "--strict"], cwd=folder, check=True, capture_output=True)
    return folder


def line_of(page, name):
    """The line of the link in a built page, counted from 1."""
    before, link, _ = page.partition(f'href="https://doi.org/{name}"')
    assert link
    return before.count("\n") + 1


@pytest.mark.parametrize("kind", ["zensical", "plain", "source"])
@pytest.mark.parametrize(("row", "check"), IN_A_HOST)
def test_outcomes(row, check, kind, sites, handle_api, tmp_path):
    row.serve(handle_api)
    name = NAMES[row.name]
    file = {
        "zensical": f"site/{name}.html",
        "plain": f"plain/{name}.html",
        "source": f"docs/{name}.md",
    }[kind]
    options = {"check": check, "check_api": handle_api.api, "check_lockfile": "", **row.options}
    flags = []
    for option, value in options.items():
        for each in value if isinstance(value, list) else [value]:
            flags += ["--" + option.replace("_", "-"), str(each)]
    code, out, err = command("check", *flags, file, cwd=sites)
    want = row.said(check, "--{}")
    *messages, summary = out.splitlines()
    line = 5 if kind == "source" else line_of((sites / file).read_text(), row.name)
    if want is None:
        assert messages == []
    else:
        (message,) = messages
        place, _, rest = message.partition(": ")
        assert place.startswith(f"{file}:{line}:")
        assert rest == f"{want.message} [{want.code}]"
    assert summary.startswith("1 DOI: ")
    fails = want is not None and want.severity == "error"
    assert (code, err) == (CODES[want.code] if fails else 0, "")


def test_a_whole_site(sites, handle_api):
    """Every page that Zensical made, its search index and feeds included: no name is made up."""
    for row in ROWS:
        row.serve(handle_api)
    handle_api.set("10.1000/slow", URL)
    flags = ["--check-api", handle_api.api, "--check-retries", "0"]
    code, out, err = command("check", *flags, "--check-lockfile", "", "site", cwd=sites)
    assert (code, err) == (1, "")
    assert {each.name for each in handle_api.requests} >= set(NAMES)  # and near misses
    assert out.splitlines()[-1].startswith(f"{len(NAMES)} DOIs: ")
