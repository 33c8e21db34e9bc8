"""What the page on why says of other tools is so, with the versions that are here."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from doilinks import DOI

from ..hosts import HOSTS as LINKED
from ..tools.hosts import Markdown, MarkdownIt, Pandoc, Sphinx, body_of
from ..tools.links import html_links

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| ([^|]+) \| (`+) ?(.+?) ?\2 \| (no link|a link to `.+`).* \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs/explanation/why.md").read_text(encoding="utf-8"))

CONF = """\
extlinks = {"doi": ("https://doi.org/%s", "doi:%s")}
myst_url_schemes = {"https": None, "doi": "https://doi.org/{{path}}"}
html_theme = "basic"
"""
SPHINX = Sphinx(conf=CONF, given="T\n=\n\n{}\n".format, taken=body_of)
HOSTS = {
    "Sphinx": SPHINX,
    "Sphinx, `extlinks`": replace(SPHINX, extensions=("sphinx.ext.extlinks",)),
    "MyST, `myst_url_schemes`": replace(SPHINX, suffix=".md", extensions=("myst_parser",), given="# T\n\n{}\n".format),
    "markdown-it-py": MarkdownIt(),
    "markdown-it-py, `linkify`": MarkdownIt("gfm-like"),
    "Python-Markdown, `magiclink`": Markdown(("pymdownx.magiclink",)),
    "Pandoc, `autolink_bare_uris`": Pandoc("markdown+autolink_bare_uris"),
}  # fmt: skip


@pytest.mark.parametrize(("tool", "_", "source", "said"), ROWS)
def test_other_tools_do_what_is_said_of_them(tool, _, source, said):
    [html] = HOSTS[tool].pages([source], None)
    targets = [href for _, href in html_links(html) if not href.startswith("#")]
    assert targets == ([] if said == "no link" else [said.removeprefix("a link to ").strip("`")])


def test_every_row_is_read():
    assert len(ROWS) == 8
    assert {tool for tool, *_ in ROWS} == set(HOSTS)


def test_the_table_of_the_front_page_is_so():
    text = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)`[^|]* \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    sources = [source for source, _, _ in rows]
    assert len(sources) == 4
    names = [DOI.parse(source) for source in sources]
    pages = [html_links(page) for page in LINKED["sphinx"].pages(sources, {})]
    assert [[href for _, href in links] for links in pages] == [[name.url] for name in names]
    for (_, alone, _), page in zip(rows, SPHINX.pages(sources, None), strict=True):
        whole = [name.url for name in names]
        assert not [href for _, href in html_links(page) if href in whole]
        assert ("a link to half" in alone) == ('href="https://doi.org/' in page)
