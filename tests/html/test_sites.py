"""Sites that generators have built without doilinks, and pages with names everywhere."""

import re

import pytest
from markdown_it import MarkdownIt

from doilinks.core.options import Options
from doilinks.files.pages import link_page

from ..sites.test_sites import LINKS, PAGE, run
from ..tools.command import doilinks
from ..tools.documents import DOCS
from ..tools.hosts import replaced
from ..tools.links import html_links
from ..tools.proof import sample
from .trees import marked, tree

BARE = (
    PAGE.replace("<doi:10.18260/1-2--11357>", "doi:10.18260/1-2--11357")
    # Typography would change the first, and Markdown takes a part of it for a tag.
    .replace("<450", "&lt;450").replace("<1450::AID-JCC3>", "&lt;1450::AID-JCC3&gt;")
    .replace("a_b_c", r"a\_b\_c")
)  # fmt: skip


def mkdocs(folder, theme):
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(BARE)
    (folder / "mkdocs.yml").write_text(
        f"site_name: Example\ntheme: {{name: {theme}}}\n"
        "markdown_extensions: [footnotes, tables, toc: {permalink: true}]\n"
    )
    run("mkdocs", "build", cwd=folder)
    return folder / "site", "index.html"


def sphinx(folder, theme):
    (folder / "conf.py").write_text(
        f"extensions = ['myst_parser']\nhtml_theme = '{theme}'\n"
        "smartquotes = False\n"  # or "--" in a name would be a dash
    )
    (folder / "index.md").write_text(BARE)
    run("sphinx-build", "-q", ".", "out", cwd=folder)
    return folder / "out", "index.html"


def pelican(folder, theme):
    (folder / "content").mkdir()
    (folder / "content" / "a.md").write_text(f"Title: A\nDate: 2024-01-01\nSlug: a\n\n{BARE}")
    (folder / "pelicanconf.py").write_text(
        f"THEME = '{theme}'\nTIMEZONE = 'UTC'\nDEFAULT_LANG = 'en'\nPATH = 'content'\n"
        "MARKDOWN = {'extension_configs': {'footnotes': {}, 'tables': {}, 'fenced_code': {}}}\n"
    )
    run("pelican", "-s", "pelicanconf.py", "-o", "out", cwd=folder)
    return folder / "out", "a.html"


BUILT = [
    (mkdocs, "mkdocs"), (mkdocs, "readthedocs"), (sphinx, "alabaster"), (sphinx, "classic"),
    (pelican, "notmyidea"), (pelican, "simple"),
]  # fmt: skip


BUILT = sample("themes of sites", "each", BUILT, one_in=3)


@pytest.mark.parametrize(("build", "theme"), BUILT, ids=[each[1] for each in BUILT])
def test_in_a_site_only_links_change(build, theme, tmp_path):
    site, name = build(tmp_path, theme)
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    assert doilinks("html", site.name, cwd=tmp_path)[::2] == (0, "")
    found = [link for link in html_links((site / name).read_text()) if "doi.org" in link[1]]
    assert list(dict.fromkeys(found)) == LINKS  # a theme repeats the title
    changed = {path for path, octets in before.items() if path.read_bytes() != octets}
    assert site / name in changed
    for path in changed:
        assert path.suffix == ".html"
        old = before[path].decode()
        edits = link_page(old, Options()).edits
        assert path.read_bytes() == replaced(old, edits).encode()
        one, other = marked(old, edits)
        assert tree(one) == tree(other)
    assert doilinks("html", "--check", site.name, cwd=tmp_path)[0] == 0


def documentation():
    """The pages of our own documentation, as they are everywhere."""
    for path in sorted(DOCS.rglob("*.md")):
        yield path, MarkdownIt("gfm-like", {"linkify": False}).render(path.read_text("utf-8"))


# A text between two tags, which may also be code, a script or a title.
_TEXT = re.compile(r">([^<>]{4,}?) ([^<>]*)<")


def test_between_any_two_tags_only_links_change():
    links = 0
    pages = [*documentation()]
    some = sample("pages of the documentation", "between tags", pages, one_in=8)
    for path, text in some:
        page = _TEXT.sub(r">\1 10.1000/182, DOI: 10.1000/a#b. \2<", text)
        edits = link_page(page, Options()).edits
        links += len(edits)
        before, after = marked(page, edits)
        assert tree(before) == tree(after), path
        assert link_page(replaced(page, edits), Options()).edits == [], path
    assert links > 20 * len(some)
