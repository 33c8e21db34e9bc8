"""What readers see of works on a site of MkDocs: on hover, in citations, in lists."""

import json
import os
import posixpath
import re

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from ..tools.modules import run_module
from ..tools.programs import succeeded
from ..tools.projects import write as write_files
from ..tools.projects import write_site
from ..tools.works import HANDBOOK, lock


@pytest.fixture
def site(tmp_path):
    """Write a site with pages, the options of the plug-in, and the rest of its configuration."""

    def write(pages, options="", rest="theme: {name: null, custom_dir: theme}", **files):
        text = f"site_name: A site\n{rest}\nplugins:\n  - search\n  - doilinks: {{{options}}}\n"
        path = write_site(tmp_path, pages, text)
        lock(tmp_path)
        write_files(tmp_path, files)
        return path

    return write


def mkdocs(path, *arguments, cwd=None):
    return run_module("mkdocs", "build", "-f", path, *arguments, cwd=cwd)


def built(path, page):
    return (path.parent / "site" / page).read_text(encoding="utf-8")


HOVER = f'title="{HANDBOOK}"'


PAGES = {
    "index.md": "# Home\n\nAs @doi:10.1000/182 says, [see @doi:10.1000/a_b, p. 3].\n",
    "deep/more.md": "# More\n\n[@doi:10.1000/183], 10.1000/182 and @doi:10.1000/182\n",
    "refs.md": "# References\n\n[doi-list scope=project]\n",
    "own.md": "# Own\n\n@doi:10.1000/183\n\n[doi-list]\n",
}
NAV = "nav: [index.md, deep/more.md, own.md, refs.md]\ntheme: {name: null, custom_dir: theme}\n"


def made(path):
    """The pages of a site, which is built without a warning."""
    succeeded(mkdocs(path, "--strict", cwd=path.parent))
    files = (path.parent / "site").rglob("*.html")
    return {
        file.relative_to(path.parent / "site").as_posix(): file.read_text("utf-8") for file in files
    }


def assert_targets_exist(pages):
    """Every link inside the site leads to a page, and to an id of it."""
    for name, html in pages.items():
        assert "data-doi" not in html
        ids = re.findall(r'<[^<>]* id="([^"]*)"', html)
        assert len(ids) == len(set(ids)), name
        for href in re.findall(r'<a[^<>]* href="([^":]*)"', html):
            target, _, anchor = href.partition("#")
            there = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
            there = name if not target else there
            there = there if there.endswith(".html") else posixpath.normpath(f"{there}/index.html")
            assert f'id="{anchor}"' in pages[there], (name, href)


def test_contents_say_what_headings_say(site):
    heading = "# All [@doi:10.1000/182]\n\n## Of @doi:10.1000/a_b & `more`\n\n"
    raw = '<a data-doi-work="0" href="a">b</a><div class="doi-list" data-doi-list="0"></div>'
    pages = {"index.md": f"{heading}{raw}\n\n[doi-list order=places]\n"}
    template = "{{ page.content }}<nav>{% for a in page.toc %}{{ a.title }};{{ a.children[0].title }}{% endfor %}</nav>"
    html = made(site(pages, "cite: true", **{"theme/main.html": template}))["index.html"]
    assert "<nav>All [1];Of Miller &amp; Berg [2, retracted] &amp; more</nav>" in html
    assert raw in html


def test_contents_have_the_letters_of_the_project(site):
    """The letter of a work on its own page is that of another work in the project."""
    headings = "# All\n\n## First [@a]\n\n## Second [@b]\n\n## Of 2001a\n\n[-@a, p. 3]\n"
    pages = {"index.md": headings, "refs.md": "# References\n\n[@c]\n\n[doi-list scope=project]\n"}
    template = "{% for a in (page.toc|first).children %}{{ a.title }};{% endfor %}"
    works = [
        f"@article{{{key}, author={{Smith, Ann}}, title={{{title}}}, year=2001}}\n"
        for key, title in {"a": "Beta", "b": "Gamma", "c": "Alpha"}.items()
    ]
    files = {"theme/main.html": template, "refs.bib": "".join(works)}
    path = site(pages, "cite: true, cite_bib: [refs.bib]", **files)
    assert made(path)["index.html"] == ("First (Smith, 2001b);Second (Smith, 2001c);Of 2001a;")


@pytest.mark.parametrize("directories", ["true", "false"])
def test_a_list_of_the_project(site, directories):
    rest = f"{NAV}use_directory_urls: {directories}"
    path = site(PAGES, "cite: true, hover: true", rest)
    pages = made(path)
    assert_targets_exist(pages)
    home, up = ("refs/", "../../refs/") if directories == "true" else ("refs.html", "../refs.html")
    assert (
        f'<a class="doi doi-cite" href="{home}#doi-10-1000-182" id="at-doi-10-1000-182-1" '
        f"{HOVER}>Paskin (2000b)</a>" in pages["index.html"]
    )
    deep = pages["deep/more/index.html" if directories == "true" else "deep/more.html"]
    assert f'href="{up}#doi-10-1000-182"' in deep
    assert ">Paskin, 2000a</a>" in deep
    assert 'href="https://doi.org/10.1000/182" title=' in deep
    own = pages["own/index.html" if directories == "true" else "own.html"]
    assert 'href="#doi-10-1000-183"' in own
    assert ">Paskin (2000)</a>" in own
    refs = pages["refs/index.html" if directories == "true" else "refs.html"]
    entries = re.findall(r'<li id="([^"]*)">(.*)</li>', refs)
    assert [anchor for anchor, _ in entries] == [
        "doi-10-1000-a-b-1432b107", "doi-10-1000-183", "doi-10-1000-182",
    ]  # fmt: skip
    assert entries[2][1].count("doi-back") == 3
    index = json.loads((path.parent / "site/search/search_index.json").read_text())
    texts = " ".join(each["text"] for each in index["docs"])
    assert "Paskin (2000b)" in texts
    assert "2000a). Another" in texts


def test_without_the_option_pages_stay_as_they_were(site):
    path = site(PAGES, "cite: false")
    pages = made(path)
    for html in pages.values():
        assert "doi-cite" not in html
        assert "data-doi" not in html
    assert "[doi-list scope=project]" in pages["refs/index.html"]


def test_pages_without_a_list_lead_to_doi_org(site):
    html = made(site({"index.md": "# On @doi:10.1000/182\n\n@doi:10.1000/183"}, "cite: true"))
    link = '<a class="doi doi-cite" href="https://doi.org/10.1000/182">Paskin (2000b)</a>'
    assert f'<h1 id="on-doi101000182">On {link}</h1>' in html["index.html"]


def test_a_work_that_is_not_known_is_one_warning_of_a_strict_build(site):
    pages = {
        "index.md": "# A `@doi:10.1000/xy`\n\n@doi:10.1000/x, @doi:10.1000/x",
        "more.md": "@doi:10.1000/x",
    }
    path = site(pages, "cite: true")
    done = succeeded(mkdocs(path))
    [warning] = [line for line in done.stderr.splitlines() if "WARNING" in line]
    assert warning == (
        "WARNING -  doilinks: docs/index.md:3: the work of doi:10.1000/x is not in "
        f"{path.parent}/doi-lock.json: run doilinks works --fetch in {path.parent}, "
        "or correct the name if it does not exist [doi-cite]"
    )
    assert mkdocs(path, "--strict").returncode == 1


def test_citations_are_listed_with_their_lines(site):
    path = site({"index.md": "# A\n\n[@doi:10.1000/182;\n@doi:10.1000/183]\n"}, "cite: true")
    config = load_config(str(path))
    for _ in range(2):  # as while serving
        build(config)
        dois = config.plugins["doilinks"].dois["index.md"]
        assert [(each.doi.name, each.line) for each in dois] == [
            ("10.1000/182", 3),
            ("10.1000/183", 4),
        ]
        assert built(path, "index.html").count("doi-cite") == 2


def test_beside_material_and_its_blog(site):
    pages = {
        "index.md": "# A @doi:10.1000/182\n\n!!! note\n    [@doi:10.1000/183]\n",
        "refs.md": "# R\n\n[doi-list scope=project]\n",
        "blog/index.md": "# Blog\n",
        "blog/posts/a.md": "---\ndate: 2024-01-01\n---\n\n# Post\n\n@doi:10.1000/182 says.\n\n[doi-list]\n\n"
        "<!-- more -->\n\n@doi:10.1000/183\n",
    }
    rest = (
        "theme: {name: material, features: [navigation.instant, toc.integrate]}\n"
        "markdown_extensions: [admonition, attr_list, footnotes, pymdownx.details]"
    )
    path = site(pages, "cite: true, hover: true", rest)
    text = path.read_text().replace("  - search\n", "  - search\n  - blog\n  - material/typeset\n")
    path.write_text(text)
    pages = made(path)
    assert not [name for name, html in pages.items() if "data-doi-" in html]
    excerpt = pages["blog/index.html"]
    assert 'href="../refs/#doi-10-1000-182"' in excerpt
    assert 'id="at-doi' not in excerpt
    assert "Paskin (2000b)" in pages["index.html"]
    assert pages["refs/index.html"].count("doi-back") == 4


def test_citations_in_docstrings_are_of_the_page(site):
    pages = {"index.md": "# A\n\n@doi:10.1000/182\n\n::: module.f\n\n[doi-list]\n"}
    module = 'def f():\n    """Compute as @doi:10.1000/183, see [@doi:10.1000/182]."""\n'
    path = site(pages, "cite: true", **{"module.py": module})
    path.write_text(path.read_text() + "  - mkdocstrings\n")
    html = made(path)["index.html"]
    assert ">Paskin (2000b)</a>" in html
    assert ">Paskin (2000a)</a>" in html
    for number in (1, 2):
        assert html.count(f'id="at-doi-10-1000-182-{number}"') == 1
    assert html.count("doi-back") == 3
    assert "data-doi" not in html


# Beside mkdocs-autorefs, whose references look like citations.
SIDE_BY_SIDE = {
    "a space": "[@doi:10.1000/182] [@doi:10.1000/183]",
    "a line end": "[@doi:10.1000/182]\n[@doi:10.1000/183]",
    "nothing": "[@doi:10.1000/182][@doi:10.1000/183]",
    "a reference": "[@doi:10.1000/182] and [@doi:10.1000/183] [Some text][]",
    "a reference without a space": "[@doi:10.1000/182] and [@doi:10.1000/183][Some text][]",
    "a SICI": "[@doi:10.1175/1520-0493(1972)100<0081:OTAOSH>2.3.CO;2] [@doi:10.1000/183]",
}


@pytest.mark.parametrize("order", ["doilinks first", "doilinks last"])
def test_citations_side_by_side_beside_mkdocstrings(site, order):
    text = "".join(f"{name}: {each}.\n\n" for name, each in SIDE_BY_SIDE.items())
    pages = {"index.md": f"# Some text\n\n{text}::: module.f\n"}
    path = site(pages, "cite: true")
    inner = text.replace("\n", "\n    ")
    (path.parent / "module.py").write_text(f'def f():\n    """Compute.\n\n    {inner}"""\n')
    begin, _, end = path.read_text().rpartition("  - doilinks")
    rest = f"  - doilinks{end}"
    python = "{handlers: {python: {options: {show_source: false}}}}"
    others = f"  - mkdocstrings: {python}\n  - autorefs\n"
    path.write_text(begin + (rest + others if order == "doilinks first" else others + rest))
    done = succeeded(mkdocs(path, cwd=path.parent))
    assert "@doi" not in done.stderr
    html = built(path, "index.html")
    assert "@doi" not in html
    assert "zdoi" not in html
    assert html.count("doi-cite") == 2 * (2 * len(SIDE_BY_SIDE) - 1)
    assert html.count("0081:OTAOSH") == 2 * 2  # the target, and the text, as it is not known


def test_a_page_that_a_plugin_makes_of_all_pages(site):
    """As mkdocs-print-site-plugin does, which keeps the text of each page until the end."""
    hook = """\
from pathlib import Path
kept = []
def on_page_content(html, page, **_):
    page.html = html
    kept.append(page)
def on_post_build(config):
    text = "".join(page.html for page in kept)
    Path(config.site_dir, "print.html").write_text(text)
"""
    pages = made(site(PAGES, "cite: true", f"{NAV}hooks: [hook.py]", **{"hook.py": hook}))
    page = pages["print.html"]
    assert "data-doi" not in page
    assert page.count('href="#doi-10') + page.count("html#doi-10") + page.count("/#doi-10") > 3
    # They would lead nowhere there.
    assert "doi-back" not in page
    assert "↩" not in page
    assert 'id="at-' not in page
    assert "doi-back" in pages["refs/index.html"]
    assert ">Paskin (2000b)</a>" in page


def test_a_dirty_build(site):
    path = site(PAGES, "cite: true", NAV)
    made(path)
    page = path.parent / "docs" / "index.md"
    later = page.stat().st_mtime + 10
    page.write_text("# Home\n\n[@doi:10.1000/183]\n")
    os.utime(page, (later, later))
    succeeded(mkdocs(path, "--dirty"))
    assert ">Paskin, 2000</a>" in built(path, "index.html")
