"""The metadata of the package, built for real, and the README as a package index shows it."""

import email
import importlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from html.parser import HTMLParser

import pytest
from readme_renderer.markdown import render

import doilinks

from ..tools.documents import PAGES, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE = PROJECT["urls"]["Source"]
BUILD = """\
import sys
from hatchling.build import build_sdist, build_wheel
print(build_sdist(sys.argv[1]))
print(build_wheel(sys.argv[1]))
"""


def build(source, folder):
    """The source distribution and the wheel that are made of a folder."""
    built = subprocess.run(
        [sys.executable, "-c", BUILD, folder],
        cwd=source, check=True, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    return [folder / name for name in built.stdout.split()]


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    return build(ROOT, tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="module")
def metadata(published):
    with zipfile.ZipFile(published[1]) as files:
        [name] = [each for each in files.namelist() if each.endswith("/METADATA")]
        return email.message_from_bytes(files.read(name))


def test_what_is_published_is_whole(published):
    sdist, wheel = published
    with zipfile.ZipFile(wheel) as files:
        assert {
            "doilinks/tools/cli/quarto_filter.py", "doilinks/tools/cli/myst_plugin.py",
            "doilinks/py.typed", "doilinks/SKILL.md", "doilinks/ask/names/report.schema.json",
        } <= set(files.namelist())  # fmt: skip
    with tarfile.open(sdist) as files:
        folder = f"{sdist.name.removesuffix('.tar.gz')}/_extensions/doilinks"
        assert files.getmember(f"{folder}/doilinks-filter.py").mode & 0o111
        assert files.getmember(f"{folder}/_extension.yml").isfile()


@pytest.mark.thorough
def test_a_wheel_is_the_same_octets_each_time(published, tmp_path):
    for name in ("src", "README.md", "pyproject.toml", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, tmp_path / name)
    (tmp_path / "made").mkdir()
    assert build(tmp_path, tmp_path / "made")[1].read_bytes() == published[1].read_bytes()


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.pictures = [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "href" in given:
            self.targets.append(given["href"])
        if tag == "img":
            self.pictures.append(given["src"])
        elif tag == "source":  # an index that allows it
            self.pictures.append(given["srcset"])


@pytest.fixture(scope="module")
def readme(metadata):
    assert metadata["Description-Content-Type"] == "text/markdown"
    html = render(metadata.get_payload(), stream=sys.stderr)
    assert html
    links = Links()
    links.feed(html)
    return links


def test_no_link_of_the_readme_is_relative(readme):
    assert len(readme.targets) >= 8
    assert readme.pictures
    for target in readme.targets + readme.pictures:
        assert target.startswith(("https://", "#")), target


def test_links_into_the_repository_lead_to_files_of_this_version(readme):
    version = re.escape(doilinks.__version__)
    pages = re.compile(f"{re.escape(BASE)}/blob/v{version}/(.+)")
    pictures = re.compile(f"{re.escape(BASE)}/raw/v{version}/(.+)")
    inside = [found[1] for found in map(pages.fullmatch, readme.targets) if found]
    inside += [pictures.fullmatch(target)[1] for target in readme.pictures]
    assert {"LICENSE", "docs/index.md", "docs/_static/before-after-light.png"} <= set(inside)
    assert [path for path in inside if not (ROOT / path).is_file()] == []


MADE = re.compile(r"^<!-- made: (\S+).*?^<!-- end: \1 -->$", re.MULTILINE | re.DOTALL)


def by_hand(path):
    """What a person has written of a file, and not ``make tables``."""
    return MADE.sub("", (ROOT / path).read_text(encoding="utf-8"))


def test_links_of_the_readme_in_the_repository_are_relative():
    assert BASE not in by_hand("README.md")


def test_the_address_of_the_repository_stands_in_one_file():
    """Whoever changes the address changes that file, and runs ``make tables``."""
    found = subprocess.run(
        ["git", "grep", "--no-index", "--exclude-standard", "--files-with-matches",
         "--fixed-strings", BASE.partition("://")[2]],
        cwd=ROOT, check=True, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    address = BASE.partition("://")[2]
    assert [each for each in found.stdout.split() if address in by_hand(each)] == ["pyproject.toml"]


@pytest.mark.parametrize("address", ["https://a.example", "https://x.test/a/doilinks"])
def test_a_reader_can_copy_what_the_pages_show(address, monkeypatch):
    """Before a release, what works without an address; after it, the address."""
    tables = importlib.import_module("docs.tables")
    is_public = "example" not in address
    monkeypatch.setattr(tables, "ADDRESS", address)
    monkeypatch.setattr(tables, "IS_PUBLIC", is_public)
    ci, readme = (
        tables.written((ROOT / name).read_text(encoding="utf-8"))
        for name in ("docs/howto/ci.md", "README.md")
    )
    version = f"v{doilinks.__version__}"
    assert ("repo: local" in ci, "uses: ./doilinks" in ci) == (not is_public, not is_public)
    assert (f"repo: {address}\n    rev: {version}\n" in ci) == is_public
    assert (f"uses: a/doilinks@{version}\n" in ci) == is_public
    assert (f"{address}/actions/workflows/test.yml/badge.svg" in readme) == is_public
    for page in PAGES:
        assert "OWNER" not in page.read_text(encoding="utf-8")


def test_the_address_of_the_repository_is_one(metadata):
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    links = metadata.get_all("Project-URL")
    assert sorted(links) == sorted(f"{name}, {url}" for name, url in PROJECT["urls"].items())
    assert all(url.startswith(BASE) for url in PROJECT["urls"].values())
    hook = text.partition("fancy-pypi-readme]\n")[2].partition("\n\n")[0]
    assert hook.count(f"{BASE}/") == hook.count("replacement")
