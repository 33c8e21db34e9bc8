"""Options, roles and errors of the Sphinx front door, on real builds."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from sphinx.errors import ConfigError, ExtensionError

from ..tools.hosts import body, build
from ..tools.sphinx_projects import doi_links, sphinx_build, write

INDEX = "I\n=\n\n"


def site(folder, conf, text, **more):
    pages = {"conf.py": f"html_theme = 'basic'\n{conf}\n", "index.rst": INDEX + text + "\n"}
    return write(folder / "source", pages | more)


def links(folder, conf, text, warning=None, **more):
    source = site(folder, conf, text, **more)
    build(source, folder / "out", warning=warning)
    return doi_links(folder / "out" / "index.html")


EXTENSION = "extensions = ['doilinks.sphinx']\n"


@pytest.mark.parametrize(
    ("conf", "said"),
    [
        ("doi_display = 'short'", "doi_display: takes one of 'uri', 'legible', 'url', 'name', 'source', got"),
        ("doi_ignore = ['(']", "doi_ignore: takes"),
        ("doi_proxy = 'doi.org'", "doi_proxy: takes"),
        ("doi_dislpay = 'name'", "doi_dislpay: there is no such option (did you mean doi_display?)"),
        ("doi_bare = {}", "doi_bare: takes"),
        ("doi_ignore = {'a': 1}", "doi_ignore: takes a list of regular expressions, got {'a': 1}"),
        ("doi_ignore = [['a']]", "doi_ignore: takes a list of regular expressions, got (['a'],)"),
    ],
)  # fmt: skip
def test_a_wrong_option_stops_the_build(tmp_path, conf, said):
    source = site(tmp_path, EXTENSION + conf, "doi:10.1000/182")
    with pytest.raises(ConfigError, match=re.escape(said)):
        build(source, tmp_path / "out")


def test_a_projects_own_name_is_no_option(tmp_path):
    conf = EXTENSION + "doi_of_this_project = '10.1000/182'\n"
    assert links(tmp_path, conf, "doi:10.1000/182")


def test_options_on_the_command_line(tmp_path):
    text = "doi:10.1000/182 and 10.1000/183 and doi:10.5555/1"
    rest = (site(tmp_path, EXTENSION, text), tmp_path / "out")
    given = (
        "doi_display=name", "doi_bare=false", "doi_check_timeout=2.5",
        r"doi_ignore=10\.5555/,10\.6666/",
    )  # fmt: skip
    done = sphinx_build("-q", "-W", *(flag for each in given for flag in ("-D", each)), *rest)
    assert (done.returncode, done.stderr) == (0, "")
    assert doi_links(tmp_path / "out" / "index.html") == [
        ("10.1000/182", "https://doi.org/10.1000/182")
    ]
    wrong = {
        "doi_display=x": "doi_display: takes", "doi_check=x": "doi_check: takes",
        "doi_check_timeout=soon": "doi_check_timeout: takes a number of seconds greater than 0, got 'soon'\n",
        "doi_check_retries=x": "doi_check_retries: takes a whole number, 0 or more, got 'x'\n",
    }  # fmt: skip
    done = sphinx_build("-q", *(flag for each in wrong for flag in ("-D", each)), *rest)
    assert done.returncode == 2
    assert [words for words in wrong.values() if words not in done.stderr] == []  # all at once
    assert "InvalidOption" not in done.stderr


OTHERS_ROLE = """
def setup(app):
    from docutils import nodes
    def role(name, rawtext, text, lineno, inliner, options=None, content=()):
        return [nodes.strong(text, "mine: " + text)], []
    app.add_role("doi", role)
"""


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("whose", ["extlinks", "project", "extension"])
def test_a_role_of_the_project_or_another_extension_wins(tmp_path, whose, first, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path / "source")
    module = f"others_role_{first}".lower()
    names = {"extlinks": ["sphinx.ext.extlinks"], "project": [], "extension": [module]}[whose]
    names.insert(0 if first else len(names), "doilinks.sphinx")
    conf = f"extensions = {names}\n"
    if whose == "extlinks":
        conf += "extlinks = {'doi': ('https://doi.org/%s', 'mine: %s')}\n"
    elif whose == "project":
        conf += OTHERS_ROLE
    said = StringIO()
    source = site(tmp_path, conf, ":doi:`10.1000/role`", **{f"{module}.py": OTHERS_ROLE})
    build(source, tmp_path / "out", warning=said)
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "mine: " in page
    assert said.getvalue() == ""


def test_another_parser_of_restructuredtext_is_left_in_place(tmp_path):
    conf = EXTENSION + (
        "def setup(app):\n"
        "    from sphinx.parsers import RSTParser\n"
        "    class Own(RSTParser): pass\n"
        "    app.add_source_parser(Own, override=True)\n"
    )
    sici = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0"
    text = f"https://doi.org/{sici} and urn:doi:10.1000:1"
    said = StringIO()
    assert [text for text, _ in links(tmp_path, conf, text, said)] == [
        "doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0",
        "doi:10.1000/1",
    ]
    assert said.getvalue() == ""


def test_a_doi_target_that_names_no_doi_is_told(tmp_path):
    said = StringIO()
    page = "# T\n\n[a](doi:intro) [e](DOI:10.1000/182)\n"
    conf = "extensions = ['doilinks.sphinx', 'myst_parser']\n"
    found = links(tmp_path, conf, ".. toctree::\n\n   page", said, **{"page.md": page})
    assert found == []  # on the other page
    assert "page.md:3: WARNING: doi:intro is not the target of a DOI" in said.getvalue()
    linked = body(tmp_path / "out" / "page.html")
    assert '<a class="doi reference external" href="https://doi.org/10.1000/182">e</a>' in linked


def test_the_package_in_place_of_the_extension_is_an_error_that_names_it(tmp_path):
    (tmp_path / "conf.py").write_text("extensions = ['doilinks']\n")
    (tmp_path / "index.rst").write_text("Index\n=====\n")
    with pytest.raises(ExtensionError, match=r'write "doilinks\.sphinx"'):
        build(tmp_path, tmp_path / "out")
