"""The MkDocs plug-in in sites that MkDocs builds."""

import sys

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from doilinks.markdown import DoiExtension

from ..tools.links import html_links
from ..tools.modules import run_module
from ..tools.programs import run, succeeded
from ..tools.projects import write_site

CONFIG = """\
site_name: A site
use_directory_urls: false
theme: {{name: null, custom_dir: theme}}
{rest}
"""

PAGES = {
    "index.md": "---\ntitle: Home\ndoi: 10.1000/front\n---\n\n# Home\n\nSee 10.1000/456#789 and\n"
    "DOI: 10.1000/a_b, again 10.1000/456#789.\n",
    "more.md": "A [title](http://dx.doi.org/10.1000/182), `10.1000/183`.\n",
    "none.md": "Nothing here.\n",
}


@pytest.fixture
def site(tmp_path):
    """Write a site with the rest of its configuration, and return the path of that."""

    def write(rest):
        return write_site(tmp_path, PAGES, CONFIG.format(rest=rest))

    return write


def mkdocs(path, *arguments):
    return run_module("mkdocs", "build", "-f", path, *arguments)


def page(path, name):
    return html_links((path.parent / "site" / name).read_text(encoding="utf-8"))


def test_properdocs(site):
    """The continuation of MkDocs 1 has the same plug-ins, and finds ours by its own entry point."""
    pytest.importorskip("properdocs", reason="ProperDocs is not installed: not tried with it")
    path = site("plugins:\n  - doilinks:\n      display: name")
    # A process of its own: ProperDocs takes the place of MkDocs where that is imported.
    run(sys.executable, "-m", "properdocs", "build", "--strict", "-q", "-f", str(path))
    assert page(path, "more.html") == [("title", "https://doi.org/10.1000/182")]


def test_dois_are_kept_by_page_and_line_and_afresh_for_each_build(site):
    path = site("plugins: [doilinks]")
    for _ in range(2):
        config = load_config(str(path))
        config.plugins.on_startup(command="serve", dirty=False)
        build(config)
        plugin = config.plugins["doilinks"]
        dois = {
            page: [(each.doi.name, each.file, each.line) for each in found]
            for page, found in plugin.dois.items()
        }
        assert dois == {
            "index.md": [("10.1000/456#789", "index.md", 8), ("10.1000/a_b", "index.md", 9), ("10.1000/456#789", "index.md", 9)],
            "more.md": [("10.1000/182", "more.md", 1)],
        }  # fmt: skip
    # The same configuration again, as a server does that keeps its plug-ins.
    build(config)
    assert [len(found) for found in plugin.dois.values()] == [3, 1]
    assert sum(isinstance(each, DoiExtension) for each in config.markdown_extensions) == 1


@pytest.mark.parametrize(
    "name", ["doilinks", "doilinks.markdown", "doilinks.markdown:DoiExtension"]
)
def test_extension_listed_too(site, name):
    path = site(
        "plugins:\n  - doilinks:\n      display: name\n      css_class: cite\n"
        f"markdown_extensions:\n  - '{name}':\n      display: url"
    )
    config = load_config(str(path))
    build(config)
    assert page(path, "more.html") == [("title", "https://doi.org/10.1000/182")]
    html = (path.parent / "site" / "index.html").read_text()
    assert html.count('<a class="cite" href="https://doi.org/10.1000/a_b">https://doi.org/') == 1


NO_OPTION = "there is no such option"
WRONG = {
    "display: nmae": ["'display': takes one of 'uri', 'legible', 'url', 'name', 'source', got 'nmae'"],
    "displya: name, 3: x": [f"'displya': {NO_OPTION} (did you mean display?)", f"'3': {NO_OPTION}"],
}  # fmt: skip


@pytest.mark.parametrize("options", WRONG)
def test_wrong_options_abort(options, site):
    done = mkdocs(site(f"plugins:\n  - doilinks: {{{options}}}"))
    assert done.returncode != 0
    for words in WRONG[options]:
        assert f"Plugin 'doilinks' option {words}" in done.stderr
    assert "ERROR   -  Config value 'plugins': " in done.stderr
    assert "Traceback" not in done.stderr
    assert "Unrecognised" not in done.stderr


def test_bare_off_of_yaml_is_a_choice(site):
    config = load_config(str(site("plugins:\n  - doilinks:\n      check: off")))
    assert config.plugins["doilinks"].config["check"] == "off"


def test_a_page_that_another_plugin_renders_is_said_once(site):
    path = site("plugins: [doilinks]\nhooks: [hook.py]")
    (path.parent / "hook.py").write_text(
        "def on_page_read_source(page, config):\n"
        "    if page.file.src_uri != 'index.md':\n"
        "        page.render = lambda config, files: setattr(page, 'content', '<p>Other</p>')\n"
    )
    done = succeeded(mkdocs(path))
    assert done.stderr.count("DOIs are not linked") == 1
    assert "DOIs are not linked on more.md and 1 more: another plug-in" in done.stderr


def test_a_page_without_text_is_not_taken_for_a_page_of_another_plugin(site):
    path = site("plugins: [doilinks]\nhooks: [hook.py]")
    (path.parent / "docs" / "empty.md").write_text("---\ntitle: Only a template\n---\n")
    (path.parent / "hook.py").write_text(
        "def on_page_content(html, page, config, files): return html + '\\n'\n"
    )
    done = succeeded(mkdocs(path, "--strict"))
    assert "DOIs are not linked" not in done.stderr
