"""The check for Zensical, which has no place for one of its own: ``doilinks check`` reads the pages that it built."""

import subprocess

from ..tools.check_matrix import ROWS, URL
from ..tools.command import doilinks as command
from ..tools.modules import BIN
from ..tools.projects import write_site


def test_a_whole_site(tmp_path, handle_api):
    """Every page that Zensical made, its search index and feeds included: no name is made up."""
    names = {row.name for row in ROWS}
    config = "site_name: A site\nuse_directory_urls: false\nmarkdown_extensions: [doilinks]\n"
    pages = {
        f"page{number}.md": f"# A page\n\nSee doi:{name}.\n" for number, name in enumerate(names)
    }
    write_site(tmp_path, {"index.md": "# Home\n", **pages}, config)
    program = [BIN / "zensical", "build", "--strict"]
    subprocess.run(program, cwd=tmp_path, check=True, capture_output=True)
    for row in ROWS:
        row.serve(handle_api)
    handle_api.set("10.1000/slow", URL)
    flags = ["--check-api", handle_api.api, "--check-retries", "0"]
    code, out, err = command("check", *flags, "--check-lockfile", "", "site", cwd=tmp_path)
    assert (code, err) == (1, "")
    assert {each.name for each in handle_api.requests} >= names  # and near misses
    assert out.splitlines()[-1].startswith(f"{len(names)} DOIs: ")
