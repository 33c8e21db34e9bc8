"""The pages of a built site: every command reads the same ones, and a tree of sources is no site."""

import re
import subprocess

import pytest

from ..tools.command import doilinks

READ = (
    "index.html", ".print.html", "404.htm", "a/b.xhtml", "a/index.html", "build/index.html", "docs/dist/c.html",
    "ignored/d.html", "index.html.d/build/e.html",
)  # fmt: skip
LEFT_OUT = {
    ".cache": "it is hidden",
    ".well-known": "it is hidden",
    "a/_build": "tools fill a folder of this name",
    "node_modules": "tools fill a folder of this name",
    "out.html": "it is a link that leads out of all paths that are named",
}
COMMANDS = {
    "html": ("html", "--check"), "scan": ("scan",), "check": ("check", "--offline"),
    "works": ("works",), "fix": ("fix", "--check"),
}  # fmt: skip
PAGE = re.compile(r"\bsite/[^\s:\"]+?\.x?html?\b(?!\.d)")


@pytest.fixture
def site(tmp_path):
    """A site in a checkout, which git ignores in part; a page and a link to it count once."""
    others = [f"{folder}/z.html" for folder in LEFT_OUT if folder != "out.html"]
    outside = ["outside/index.html", "outside/build/o.html"]
    for number, path in enumerate([*(f"site/{each}" for each in (*READ, *others)), *outside]):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"<p>http://dx.doi.org/10.1000/{number}</p>\n")
    (tmp_path / "site" / "robots.txt").write_text("User-agent: *\n")
    (tmp_path / "site" / "out.html").symlink_to(tmp_path / "outside" / "index.html")
    (tmp_path / "site" / "folder").symlink_to(tmp_path / "outside")
    (tmp_path / "site" / "link.html").symlink_to("index.html")
    (tmp_path / ".gitignore").write_text("ignored/\nbuild/\n*.xhtml\n")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    # Without this file, the check does not name each page.
    (tmp_path / "doi-lock.json").write_text('{"version": 1, "found": {}}')
    return tmp_path


def pages(command, *paths, cwd):
    """The pages that a command reads, and what it says about those it leaves out."""
    _, out, err = doilinks(*COMMANDS[command], "-v", *paths, cwd=cwd)
    left_out = [line for line in err.splitlines() if "left out, because" in line]
    return sorted({each.removeprefix("site/") for each in PAGE.findall(out)}), sorted(left_out)


@pytest.mark.parametrize("paths", [("site",), ("site", "./site", "site/"), ("site/build", "site")])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_reads_the_same_pages(site, command, paths):
    found, left_out = pages(command, *paths, cwd=site)
    # A page and a link to it count once, and what git ignores does not matter.
    assert found == sorted(READ)
    said = [f"doilinks: site/{path}: left out, because {why}" for path, why in LEFT_OUT.items()]
    assert list(dict.fromkeys(line.replace(" ./", " ") for line in left_out)) == sorted(said)
