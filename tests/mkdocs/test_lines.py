"""The line that the MkDocs plug-in gives for each name of a page, and whose names a page has."""

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from ..tools.projects import write_site

CONFIG = """\
site_name: A site
theme: {{name: null, custom_dir: theme}}
markdown_extensions: [admonition, def_list, footnotes, md_in_html, tables, pymdownx.superfences]
plugins: [doilinks]
hooks: [{hooks}]
"""


@pytest.fixture
def found(tmp_path):
    """Build a site of these pages in this order; what the plug-in has found on each of them."""

    def run(pages, hook=""):
        if hook:
            (tmp_path / "hook.py").write_text(hook)
        text = CONFIG.format(hooks="hook.py" if hook else "")
        config = load_config(str(write_site(tmp_path, pages, text)))
        build(config)
        plugin = config.plugins["doilinks"]
        return {
            page: [(each.doi.name, each.line) for each in names]
            for page, names in plugin.dois.items()
        }

    return run


NAME = "10.1000/a"

# A page, and the line of each of its links. The lines are those that the reader of Markdown finds,
# which follows CommonMark. In three of these pages, Python-Markdown reads other text as code: "more
# ticks than the partner has", "a fence without an end", "raw HTML before".
PAGES = {
    "a longer name before": ("10.1000/ab\n\n10.1000/a\n", [1, 3]),
    "the end of a longer name before": ("110.1000/a\n\n10.1000/a\n", [3]),
    "in the URL of another site before": ("https://a.example/10.1000/a\n\n10.1000/a\n", [3]),
    "a code span before": ("`10.1000/a` and ``10.1000/a ` ``\n\n10.1000/a\n", [3]),
    "a code span over two lines": ("`x\n10.1000/a`\n10.1000/a\n", [3]),
    "ticks without a partner": ("` 10.1000/a\n\n` 10.1000/a\n", [1, 3]),
    "a tick that is escaped": ("\\` 10.1000/a\n\n10.1000/a `\n", [1, 3]),
    "escaped ticks before two": ("\\``` 10.1000/a\n\n10.1000/a ``\n", [1, 3]),
    "escaped ticks and their partner": ("\\``` 10.1000/a\n10.1000/a ``\n10.1000/a\n", [3]),
    "ticks after an escape": ("\\`` 10.1000/a\n\na \\``b`` 10.1000/a\n", [1, 3]),
    "more ticks than the partner has": ("``` 10.1000/a\n10.1000/a ``\n10.1000/a\n", [None]),
    "ticks in a heading": ("# a `` b\n10.1000/a ``\n# c\n\n10.1000/a\n", [2, 5]),
    "ticks before a heading": ("a `` b\n# 10.1000/a ``\n", [2]),
    "a fence before": ("```python\n10.1000/a\n```\n\n10.1000/a\n", [5]),
    "a fence of tildes with ticks": ("~~~\n```\n10.1000/a\n~~~\n\n10.1000/a\n", [6]),
    "a fence in a list": ("* a\n\n    ```\n    10.1000/a\n    ```\n\n10.1000/a\n", [7]),
    "a fence without an end": ("10.1000/a\n\n~~~\n10.1000/a\n", [1, 1]),
    "indented code before": ("Text:\n\n    10.1000/a\n\n    10.1000/a\n\n10.1000/a\n", [7]),
    "code after a list": ("* a\n\nText:\n\n    10.1000/a\n\n10.1000/a\n", [7]),
    "code in a list": ("* a\n\n        10.1000/a\n\n10.1000/a\n", [5]),
    "a paragraph of a list": ("* a\n* b\n\n    10.1000/a\n\n10.1000/a\n", [4, 6]),
    "a list in a list": ("* a\n    * b\n\n        10.1000/a\n\n10.1000/a\n", [4, 6]),
    "a paragraph that is indented": ("Text\n    10.1000/a\n\n10.1000/a\n", [2, 4]),
    "an admonition": ("!!! note\n\n    10.1000/a\n\n10.1000/a\n", [3, 5]),
    "a definition": ("term\n:   one\n\n    10.1000/a\n\n10.1000/a\n", [4, 6]),
    "a footnote": ("One.[^1]\n\n[^1]: a\n\n    10.1000/a\n\n10.1000/a\n", [5, 7]),
    # The page ends with its footnotes; the lines of one name come in their order all the same.
    "a footnote before": ("[^1]: 10.1000/b\n\n10.1000/a[^1]\n\n10.1000/b\n", [3, 1, 5]),
    "a comment before": ("<!-- 10.1000/a\n\n10.1000/a -->\n\n10.1000/a\n", [5]),
    "a tick in a comment": ("<!-- ` -->\n\n10.1000/a `10.1000/a`\n", [3]),
    "raw HTML before": ("<div>\n<div></div>\n10.1000/a\n\n</div>\n\n10.1000/a\n", [3]),
    "raw HTML with Markdown in it": ("<div markdown>\n10.1000/a\n</div>\n\n10.1000/a\n", [2, 5]),
    "an attribute before": ('<b title="10.1000/a">b</b>\n\n10.1000/a\n', [3]),
    "front matter before": ("---\ndoi: 10.1000/a\n---\n\n\n10.1000/a\n", [6]),
    "MultiMarkdown's front matter": ("doi: 10.1000/a\n\n10.1000/a\n", [3]),
    "a link of its own text": (f"[{NAME}](https://doi.org/{NAME})\n\n{NAME}\n\n{NAME}\n", [1, 3, 5]),
    "a link of its own styled text": (f"[**{NAME}**](<https://doi.org/{NAME}>)\n\n{NAME}\n", [1, 3]),
    "a link by reference": ("[one][b] and\n[two][b]\n\n[b]: https://doi.org/10.1000/a\n", [4, 4]),
    "labels and angles": ("A doi:10.1000/a\n<doi:10.1000/a>\n<https://doi.org/10.1000/A>\n", [1, 2, 3]),
    "an encoded name": ("[t](https://dx.doi.org/10.1000/a%3Cb)\n\n10.1000/a%3Cb\n", [1, 3]),
    "escapes and entities": ("\n10.1000/a\\_b\n\n10.1000/a&amp;b\n", [2, 4]),
    "an escaped name before": ("10\\.1000/a\n\n10.1000/a\n", [3]),
    "a table": ("| a | b |\n|---|---|\n| c | 10.1000/a |\n| 10.1000/a | `10.1000/a` |\n", [3, 4]),
    "headings and quotes": ("# 10.1000/a\n\n> 10.1000/a\n", [1, 3]),
    "Windows' line ends": ("one\r\n\r\n10.1000/a\r\n", [3]),
}  # fmt: skip


def test_lines_of_names(found):
    """Every page is a site's own, since a build takes longer than a page of it."""
    pages = {f"p{number:02}.md": text for number, (text, _) in enumerate(PAGES.values())}
    lines = {page: [line for _, line in names] for page, names in found(pages).items()}
    want = dict(zip(pages, (each for _, each in PAGES.values()), strict=True))
    wrong = [
        f"{title}: {lines.get(page)} in place of {want[page]}"
        for title, page in zip(PAGES, pages, strict=True)
        if lines.get(page) != want[page]
    ]
    assert not wrong, "\n".join(wrong)


def test_lines_are_those_of_the_file_when_a_plugin_changes_the_text(found):
    hook = """\
def on_page_markdown(markdown, **_):
    return markdown.replace("{{ macro }}", "One\\n\\n10.1000/macro\\n\\ntwo, 10.1000/a")
"""
    assert found({"index.md": "# Title\n\n{{ macro }}\n\n10.1000/b, 10.1000/a\n"}, hook) == {
        "index.md": [("10.1000/macro", None), ("10.1000/a", 5), ("10.1000/b", 5), ("10.1000/a", 5)]
    }


def test_a_page_whose_text_another_plugin_reads_from_elsewhere(found):
    hook = """\
from pathlib import Path
def on_pre_page(page, **_):
    Path(page.file.abs_src_path).unlink()
    return page
def on_page_read_source(page, **_):
    return "10.1000/a"
"""
    assert found({"index.md": "Nothing.\n"}, hook) == {"index.md": [("10.1000/a", None)]}


def test_a_page_that_is_rendered_by_other_means_has_no_names_of_another_page(found):
    """As notebooks are by mkdocs-jupyter, which replaces ``render`` in the same event."""
    hook = """\
def on_pre_page(page, **_):
    if page.file.name == "notebook":
        def render(config, files):
            page.content = "<p>No names.</p>"
        page.render = render
    return page
"""
    pages = {"index.md": "10.1000/a\n", "notebook.md": "A notebook.\n", "other.md": "10.1000/b\n"}
    assert found(pages, hook) == {
        "index.md": [("10.1000/a", 1)],
        "other.md": [("10.1000/b", 1)],
    }


def test_what_another_plugin_converts_belongs_to_the_page_alone(found):
    """As docstrings are by mkdocstrings, while the page is converted that names their module."""
    hook = """\
from markdown import Markdown
from markdown.preprocessors import Preprocessor
from markdown.extensions import Extension

class Inner(Preprocessor):
    def run(self, lines):
        if "::: module" in lines:
            inner = Markdown(extensions=[self.doilinks])
            inner.convert("A docstring, 10.1000/inner.")
        return lines

class Outer(Extension):
    def __init__(self, doilinks):
        self.doilinks = doilinks
    def extendMarkdown(self, md):
        inner = Inner(md)
        inner.doilinks = self.doilinks
        md.preprocessors.register(inner, "inner", 50)

def on_config(config):
    config.markdown_extensions.append(Outer(config.markdown_extensions[-1]))

def on_post_page(output, page, config, **_):
    Markdown(extensions=[config.markdown_extensions[-2]]).convert("10.1000/later")
    return output
"""
    pages = {"index.md": "10.1000/a\n", "module.md": "::: module\n\n10.1000/b\n", "z.md": "Text.\n"}
    assert found(pages, hook) == {
        "index.md": [("10.1000/a", 1)],
        "module.md": [("10.1000/inner", None), ("10.1000/b", 3)],
    }
