"""The check for Zensical and plain Python-Markdown, which have no place for one of their own.

``doilinks check`` reads the pages that they built, or the Markdown that they build them from.
"""

import subprocess

import markdown
import pytest

from ..tools.check_matrix import ROWS, URL
from ..tools.command import doilinks as command
from ..tools.modules import BIN

NAMES = {row.name: f"page{number}" for number, row in enumerate(ROWS)}
PAGES = {"zensical": "site/{}.html", "plain": "plain/{}.html", "source": "docs/{}.md"}


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
    program = [BIN / "zensical", "build", "--strict"]
    subprocess.run(program, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize(("name", "code"), [("found", 0), ("nope", 1), ("old", 0)])
def test_a_page(name, code, kind, sites, handle_api):
    for row in ROWS:
        row.serve(handle_api)
    file = PAGES[kind].format(NAMES[f"10.1000/{name}"])
    flags = ("--check-api", handle_api.api, "--check-lockfile", "")
    ended, out, err = command("check", *flags, file, cwd=sites)
    *messages, summary = out.splitlines()
    before, link, _ = (sites / file).read_text().partition(f"10.1000/{name}")
    assert link
    place = f"{file}:{before.count(chr(10)) + 1}:"
    assert [each.startswith(place) for each in messages] == [True] * (name != "found")
    assert summary.startswith("1 DOI: ")
    assert (ended, err) == (code, "")


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
