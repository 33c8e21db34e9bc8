"""The line that the MkDocs plug-in gives for each name of a page, and whose names a page has."""

from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from ..tools.fixtures import dotted
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


PAGES = {
    title: (text, [None if line == "none" else int(line) for line in lines.split()])
    for _, [title], text, lines in dotted(Path(__file__).with_name("lines.md"))
}
PAGES["Windows' line ends"] = ("one\r\n\r\n10.1000/a\r\n", [3])


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
