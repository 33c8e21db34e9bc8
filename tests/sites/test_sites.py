"""Real sites, each built by its own program with nothing but a line of configuration: links and citations."""

import os
import re
import subprocess

import pytest

from ..tools.links import html_links, link_to
from ..tools.modules import BIN
from ..tools.projects import write
from ..tools.versions import since
from ..tools.works import HANDBOOK, lock, lock_file

ZENSICAL = since("Markdown", "3.7", "Zensical does not take it")

PAGE = """\
# Methods after 10.1000/456#789

The parser follows DOI: 10.1002/(SICI)1096-987X(199709)18:12<1450::AID-JCC3>3.0.CO;2-I. It's "fast".

See <doi:10.18260/1-2--11357>, [the Handbook](http://dx.doi.org/10.1000/182) and
https://example.org/10.1234/not-a-doi as well.

| paper            | year |
| ---------------- | ---- |
| 10.1000/a_b_c    | 2001 |

```sh
curl https://doi.org/10.1000/182
```

Call `resolve("10.1000/182")`.[^1]

[^1]: doi:10.1890/0012-9658(2006)87[2832:TIOPMA]2.0.CO;2.
"""

LINKS = [
    link_to("10.1000/456#789"),
    link_to("10.1002/(SICI)1096-987X(199709)18:12<1450::AID-JCC3>3.0.CO;2-I"),
    link_to("10.18260/1-2--11357"), link_to("10.1000/182", "the Handbook"), link_to("10.1000/a_b_c"),
    link_to("10.1890/0012-9658(2006)87[2832:TIOPMA]2.0.CO;2"),
]  # fmt: skip

YAML = """\
site_name: Example
site_url: https://example.org/
markdown_extensions:
  - footnotes
  - smarty
  - tables
"""


def run(program, *arguments, cwd, code=0):
    done = subprocess.run(
        [BIN / program, *arguments], cwd=cwd, env={**os.environ, "COLUMNS": "400"},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    output = done.stdout + done.stderr
    assert done.returncode == code, output
    return output


def check(html):
    """The six names are links, each once in the text; the rest of the page is as it was."""
    found = [link for link in html_links(html) if "doi.org" in link[1]]
    assert found == LINKS
    assert "doi:10.1000/182" not in html
    assert "10.1234/not-a-doi" in html
    assert 'class="doi"' in html
    assert "http://dx.doi.org" not in html


CITING = "As @doi:10.1000/182 says, [see @doi:10.1000/183, p. 3].\n\n[doi-list]\n"


def check_citing(html):
    assert ">Paskin (2000b)</a>" in html
    assert f'title="{HANDBOOK}"' in html
    ids = set(re.findall(r'id="?([^" >]*)', html))
    assert {"doi-10-1000-182", "at-doi-10-1000-182-1", "doi-10-1000-183"} <= ids
    assert html.count("doi-back") == 2


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path, {"docs/index.md": PAGE})


@pytest.mark.parametrize(
    ("program", "more"),
    [
        ("mkdocs", "plugins: [search, doilinks]\n"),
        ("mkdocs", "  - doilinks\n"),
        pytest.param("zensical", "  - doilinks\n", marks=ZENSICAL),
    ],
)
def test_programs_that_read_mkdocs_yml(program, more, folder):
    (folder / "mkdocs.yml").write_text(YAML + more)
    run(program, "build", "--strict", cwd=folder)
    check((folder / "site" / "index.html").read_text())


@ZENSICAL
def test_zensical_toml(tmp_path):
    """From another folder: the lock file and the works by key are those of the project."""
    project, current = tmp_path / "project", tmp_path / "current"
    current.mkdir()
    more = (
        "# More\n\n@doi:10.1000/x 10.1000/182 10.1000/456#789 @ants\n\n[doi-list scope=project]\n"
    )
    write(project, {
        "docs/index.md": f"# Home\n\n{CITING}", "docs/more.md": more, "doi-lock.json": lock_file(),
        "zensical.toml": '[project]\nsite_name = "Example"\n[project.markdown_extensions.doilinks]\n'
        'display = "name"\nhover = true\ncite = true\ncite_bib = ["refs.bib"]\n',
        "refs.bib": "@misc{ants, title={Ants}, author={Ann, A.}, year=2001}",
    })  # fmt: skip
    output = run("zensical", "build", "-f", str(project / "zensical.toml"), cwd=current)
    check_citing((project / "site" / "index.html").read_text())
    page = (project / "site" / "more" / "index.html").read_text()
    assert ("10.1000/456#789", "https://doi.org/10.1000/456%23789") in html_links(page)
    assert ">Ann (2001)</a>" in page
    assert page.count("<li id=") == 4
    assert (
        f"doilinks: more.md: the work of doi:10.1000/x is not in {project}/doi-lock.json: run"
        in output
    )
    said = "doilinks: more.md: doi-list: Python-Markdown knows one page, so scope is page"
    assert output.count(said) == output.count("so scope is page") == 1


@ZENSICAL
def test_zensical_beside_mkdocstrings(folder):
    lock(folder)
    cited = "A [@doi:10.1000/182] [@doi:10.1000/183], B [@doi:10.1000/182][@doi:10.1000/183]."
    write(folder, {
        "docs/index.md": f"# Home\n\n{cited}\n\n@doi:10.1000/x\n\n::: module.f\n",
        "module.py": f'def f():\n    """Compute. {cited}"""\n',
        "mkdocs.yml": "site_name: A\nplugins:\n  - autorefs\n  - mkdocstrings:\n      handlers:\n"
        "        python: {paths: [.], options: {show_source: false}}\nmarkdown_extensions:\n  - doilinks: {cite: true}\n",
    })  # fmt: skip
    output = run("zensical", "build", cwd=folder)
    html = (folder / "site" / "index.html").read_text()
    assert "@doi" not in output + html
    assert "zdoi" not in html
    assert html.count("doi-cite") == 8
    assert "the work of doi:10.1000/x is not in doi-lock.json: run doilinks" in output


PELICAN = """\
SITENAME, AUTHOR, SITEURL = "Example", "A", "https://example.org"
PATH, TIMEZONE, DEFAULT_LANG = "content", "UTC", "en"
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None
PLUGINS = ["doilinks.pelican"]
"""
REST = """\
A title with 10.1000/182
########################

:date: 2024-01-01

The parser follows DOI: 10.1002/(SICI)1096-987X(199709)18:12<1450::AID-JCC3>3.0.CO;2-I.
See :doi:`10.1000/456#789`, ``10.1000/182`` and :doi:`the Handbook <10.1000/182>`.
"""
REST_CITING = """\
Title [@doi:10.1000/182]
########################

:date: 2024-01-01

As @doi:10.1000/183 and @doi:10.1000/x say.

.. doi-list::
"""
DEFINED = "Title: C\nDate: 2024-01-01\n\nSee 10.1000/456#789.\n\nTerm\n:   A definition.\n"


@pytest.fixture
def pelican(tmp_path):
    """Build a blog of articles: what was said, and its pages."""

    def build(conf, code=0, **articles):
        files = {f"content/{name.replace('_', '.')}": text for name, text in articles.items()}
        files["pelicanconf.py"] = f"{PELICAN}SLUGIFY_SOURCE = 'basename'\n{conf}\n"
        write(tmp_path, files)
        output = run("pelican", "-s", "pelicanconf.py", "-o", "out", cwd=tmp_path, code=code)
        return output, {page.stem: page.read_text("utf-8") for page in tmp_path.glob("out/*.html")}

    return build


def test_pelican(pelican, tmp_path):
    lock(tmp_path)
    output, pages = pelican(
        "DOI_CITE = DOI_HOVER = True\nMARKDOWN = {'extension_configs': {'footnotes': {}, 'smarty': {},\n"
        "    'tables': {}}, 'output_format': 'html5'}",
        a_md=f"Title: About 10.1000/182\nDate: 2024-01-01\nSummary: Short.\n\n{PAGE}",
        c_md=f"Title: C\nDate: 2024-01-01\n\n{CITING}", d_rst=REST_CITING,
    )  # fmt: skip
    check(pages["a"])
    assert "<title>About 10.1000/182</title>" in pages["a"]
    check_citing(pages["c"])
    # An article with a warning of docutils would be left out.
    assert 'title="Paskin (2000). Another.">Paskin (2000)</a>' in pages["d"]
    assert pages["d"].count('role="doc-bibliography"') == 1
    assert ">Title (Paskin, 2000)</a>" in pages["d"]
    assert "doi:10.1000/x is not in" in " ".join(output.split())


def test_pelican_reads_both_formats(pelican):
    conf = "DOI_CSS_CLASS, DOI_CHECK = 'reference-doi', 'error'"
    output, pages = pelican(conf, b_rst=REST, c_md=DEFINED)
    assert output.count("DOI_CHECK") == 1  # nothing is checked
    found = [link for link in html_links(pages["b"]) if "doi.org" in link[1]]
    assert found == [LINKS[1], LINKS[0], LINKS[3]]
    assert "A title with 10.1000/182</" in pages["b"]
    assert "reference-doi" in pages["b"]
    assert LINKS[0] in html_links(pages["c"])
    assert (
        "<dd>A definition.</dd>" in pages["c"]
    )  # the extensions that Pelican has by default are on


def test_pelican_stops_at_wrong_settings(pelican):
    output, _ = pelican("DOI_DISPALY = 'name'\nDOI_DISPLAY = 'nmae'", code=1, b_rst=REST)
    said = " ".join(output.split())
    assert "doilinks: DOI_DIS" in said
    assert "DOI_DISPALY: there is no such option (did you mean DOI_DISPLAY?)" in said
    assert "DOI_DISPLAY: takes one of" in said
    assert output.count("\n") == 2, output


NIKOLA = """\
BLOG_TITLE = BLOG_AUTHOR = BLOG_DESCRIPTION = "A"
SITE_URL, BLOG_EMAIL = "https://example.org/", "a@example.org"
POSTS, PAGES, COMPILERS = (("posts/*.rst", "posts", "post.tmpl"),), (), {"rest": [".rst"]}
from doilinks.docutils import link_everywhere
link_everywhere(dispaly="name")
"""


def test_nikola_stops_at_a_wrong_option(tmp_path):
    (tmp_path / "conf.py").write_text(NIKOLA)
    message = "doilinks: dispaly: there is no such option (did you mean display?)\n"
    assert run("nikola", "build", cwd=tmp_path, code=1) == message


def test_nikola(tmp_path):
    (tmp_path / "posts").mkdir()
    lock(tmp_path)
    (tmp_path / "conf.py").write_text(
        'BLOG_TITLE = BLOG_AUTHOR = BLOG_DESCRIPTION = "A"\n'
        'SITE_URL, BLOG_EMAIL = "https://example.org/", "a@example.org"\n'
        'POSTS, PAGES = (("posts/*.md", "posts", "post.tmpl"),), ()\n'
        'COMPILERS = {"markdown": [".md"]}\nDEFAULT_LANG, TIMEZONE = "en", "UTC"\n'
        'MARKDOWN_EXTENSIONS = ["markdown.extensions.extra", "doilinks"]\n'
        'MARKDOWN_EXTENSION_CONFIGS = {"en": {"doilinks": {"cite": True, "hover": True}}}\n'
    )
    head = "<!--\n.. title: A\n.. slug: a\n.. date: 2024-01-01\n-->\n\n"
    (tmp_path / "posts" / "a.md").write_text(f"{head}{CITING}")
    run("nikola", "build", cwd=tmp_path)
    check_citing((tmp_path / "output" / "posts" / "a" / "index.html").read_text())
