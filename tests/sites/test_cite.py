"""Citations and lists of references on sites that use the Python-Markdown extension."""

import re
import subprocess

import pytest

from ..tools.works import lock
from .test_sites import BIN, ZENSICAL, run

PAGE = "As @doi:10.1000/182 says, [see @doi:10.1000/183, p. 3].\n\n[doi-list]\n"
CITED = "Paskin (2000b)"
HANDBOOK = 'title="Paskin (2000). DOI Handbook."'


def assert_cites(html):
    assert f">{CITED}</a>" in html
    assert HANDBOOK in html
    ids = set(re.findall(r'id="?([^" >]*)', html))
    assert {"doi-10-1000-182", "at-doi-10-1000-182-1", "doi-10-1000-183"} <= ids
    assert html.count("doi-back") == 2


@ZENSICAL
@pytest.mark.parametrize("elsewhere", [False, True])
def test_zensical(tmp_path, elsewhere):
    project, current = tmp_path / "project", tmp_path / "current"
    (project / "docs").mkdir(parents=True)
    current.mkdir()
    lock(project)
    (project / "docs" / "index.md").write_text(f"# Home\n\n{PAGE}")
    (project / "docs" / "more.md").write_text(
        "# More\n\n@doi:10.1000/x 10.1000/182\n\n[doi-list scope=project]\n"
    )
    (project / "zensical.toml").write_text(
        '[project]\nsite_name = "Example"\n'
        "[project.markdown_extensions.doilinks]\nhover = true\ncite = true\n"
    )
    where = current if elsewhere else project
    output = run("zensical", "build", "-f", str(project / "zensical.toml"), cwd=where)
    assert_cites((project / "site" / "index.html").read_text())
    more = (project / "site" / "more" / "index.html").read_text()
    assert more.count("<li id=") == 2
    assert "doilinks: more.md: the work of doi:10.1000/x is not in " in output
    assert ("" if where == project else f"{project}/") + "doi-lock.json: run doilinks" in output
    assert output.count("knows one page, so scope is page") == 1


@ZENSICAL
def test_zensical_beside_mkdocstrings(tmp_path):
    lock(tmp_path)
    (tmp_path / "docs").mkdir()
    cited = "A [@doi:10.1000/182] [@doi:10.1000/183], B [@doi:10.1000/182][@doi:10.1000/183]."
    (tmp_path / "docs" / "index.md").write_text(f"# Home\n\n{cited}\n\n::: module.f\n")
    (tmp_path / "module.py").write_text(f'def f():\n    """Compute. {cited}"""\n')
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: A\nplugins:\n  - autorefs\n  - mkdocstrings:\n      handlers:\n"
        "        python: {paths: [.], options: {show_source: false}}\nmarkdown_extensions:\n  - doilinks: {cite: true}\n"
    )
    output = run("zensical", "build", cwd=tmp_path)
    html = (tmp_path / "site" / "index.html").read_text()
    assert "@doi" not in output + html
    assert "zdoi" not in html
    assert html.count("doi-cite") == 8


def test_pelican(tmp_path):
    (tmp_path / "content").mkdir()
    lock(tmp_path)
    (tmp_path / "content" / "a.md").write_text(f"Title: A\nDate: 2024-01-01\nSlug: a\n\n{PAGE}")
    (tmp_path / "pelicanconf.py").write_text(
        "SITENAME = 'Example'\nSITEURL = 'https://example.org'\nPATH = 'content'\n"
        "TIMEZONE = 'UTC'\nFEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None\n"
        "PLUGINS = ['doilinks.pelican']\nDOI_CITE = DOI_HOVER = True\n"
    )
    run("pelican", "-s", "pelicanconf.py", "-o", "out", cwd=tmp_path)
    assert_cites((tmp_path / "out" / "a.html").read_text())


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
    (tmp_path / "posts" / "a.md").write_text(
        f"<!--\n.. title: A\n.. slug: a\n.. date: 2024-01-01\n-->\n\n{PAGE}"
    )
    done = subprocess.run(
        [BIN / "nikola", "build"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert_cites((tmp_path / "output" / "posts" / "a" / "index.html").read_text())
