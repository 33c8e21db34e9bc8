"""What the page on why says of other tools is so, with the versions that are here."""

import re
from pathlib import Path

import markdown
import pypandoc
import pytest
from markdown_it import MarkdownIt

from doilinks import DOI

from ..hosts import HOSTS as LINKED
from ..tools.links import html_links
from ..tools.modules import run_module

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| ([^|]+) \| (`+) ?(.+?) ?\2 \| (no link|a link to `.+`).* \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs/explanation/why.md").read_text(encoding="utf-8"))

EXTENSIONS = {
    "Sphinx": "",
    "Sphinx, `extlinks`": "sphinx.ext.extlinks",
    "MyST, `myst_url_schemes`": "myst_parser",
}
CONF = """\
extensions = {extensions}
extlinks = {{"doi": ("https://doi.org/%s", "doi:%s")}}
myst_url_schemes = {{"https": None, "doi": "https://doi.org/{{{{path}}}}"}}
html_theme = "basic"
"""


def by_sphinx(tool, source, folder):
    myst = tool.startswith("MyST")
    extensions = EXTENSIONS[tool].split()
    (folder / "conf.py").write_text(CONF.format(extensions=extensions))
    page = f"# T\n\n{source}\n" if myst else f"T\n=\n\n{source}\n"
    (folder / ("index.md" if myst else "index.rst")).write_text(page, encoding="utf-8")
    done = run_module("sphinx", "-q", folder, folder / "out")
    assert done.returncode == 0, done.stderr
    html = (folder / "out" / "index.html").read_text(encoding="utf-8")
    return html.partition('role="main"')[2].partition('role="navigation"')[0]


def by_markdown_it(tool, source, _folder):
    preset = "gfm-like" if "linkify" in tool else "commonmark"
    return MarkdownIt(preset).render(source)


def by_markdown(_tool, source, _folder):
    return markdown.markdown(source, extensions=["pymdownx.magiclink"])


def by_pandoc(_tool, source, _folder):
    return pypandoc.convert_text(source, "html", "markdown+autolink_bare_uris")


HOSTS = {
    "Sphinx": by_sphinx, "MyST": by_sphinx, "markdown-it-py": by_markdown_it,
    "Python-Markdown": by_markdown, "Pandoc": by_pandoc,
}  # fmt: skip


@pytest.mark.parametrize(("tool", "_", "source", "said"), ROWS)
def test_other_tools_do_what_is_said_of_them(tool, _, source, said, tmp_path):
    html = HOSTS[tool.partition(",")[0]](tool, source, tmp_path)
    targets = [href for _, href in html_links(html) if not href.startswith("#")]
    assert targets == ([] if said == "no link" else [said.removeprefix("a link to ").strip("`")])


def test_every_row_is_read():
    assert len(ROWS) == 8
    assert {tool.partition(",")[0] for tool, *_ in ROWS} == set(HOSTS)


def test_the_table_of_the_front_page_is_so(tmp_path):
    text = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)`[^|]* \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    sources = [source for source, _, _ in rows]
    assert len(sources) == 4
    names = [DOI.parse(source) for source in sources]
    pages = [html_links(page) for page in LINKED["sphinx"].pages(sources, {})]
    assert [[href for _, href in links] for links in pages] == [[name.url] for name in names]
    for number, (source, alone, _) in enumerate(rows):
        folder = tmp_path / str(number)
        folder.mkdir()
        page = by_sphinx("Sphinx", source, folder)
        whole = [name.url for name in names]
        assert not [href for _, href in html_links(page) if href in whole]
        assert ("a link to half" in alone) == ('href="https://doi.org/' in page)
