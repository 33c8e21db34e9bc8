"""Works in plain docutils: on hover, in citations, and in lists of references."""

from __future__ import annotations

import json
import re

import pytest
from docutils.core import publish_string
from docutils.parsers.rst import directives, roles
from docutils.writers import get_writer_class

from doilinks.docutils import Parser

from ..tools.modules import run_module

HOSTILE = '"><script>alert(1)</script> ]]> {{ x }} \\input{x} $$x$$ `a`_ ](javascript:x)'
WORKS = {
    "10.1000/182": {"title": "DOI Handbook", "author": [["Paskin", "Norman"]], "year": 2000},
    "10.1000/183": {"title": "Another", "author": [["Paskin", "Norman"]], "year": 2000},
    "10.1000/a_b": {"title": "Third", "author": [["Miller", "Ann"]], "year": 1999, "status": "retracted"},
    "10.1000/hostile": {"title": HOSTILE + " 5" * 2_500, "author": [["O'Neil & <b>Söhne</b>", "\u202eA"]]},
    "10.1000/rtl": {"title": "\u05d0\u05d1", "author": [["\u05d2\u05d3"]], "year": 2001},
}  # fmt: skip


def lock_file(works=WORKS):
    """The text of a lock file that keeps some works."""
    entries = {f"doi:{name}": {"fetched": "2026-11-20", **work} for name, work in works.items()}
    return json.dumps({"version": 1, "found": {}, "works": entries})


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "doi-lock.json").write_text(lock_file(), encoding="utf-8")
    return tmp_path


def publish(text, writer="html5", **settings):
    given = {"output_encoding": "unicode", "embed_stylesheet": False, "stylesheet_path": ""}
    given |= {"warning_stream": False, "_disable_config": True, **settings}
    given |= {"use_latex_citations": True, "legacy_column_widths": False}
    return publish_string(
        text, parser=Parser(), writer=get_writer_class(writer)(), settings_overrides=given
    )


def body(text, **settings):
    return publish(text, **settings).split("<main", 1)[1]


def classes(html):
    """The classes of the first link."""
    return set(re.search('<a class="([^"]*)"', html)[1].split())


def plain(html):
    return re.sub("<[^>]+>", "", html).replace("&#64;", "@")


@pytest.mark.parametrize("writer", ["html5", "html4"])
def test_a_link_shows_its_work_on_hover(writer):
    page = publish("See doi:10.1000/182 and doi:10.1000/none.", writer, doi_hover=True)
    assert 'href="https://doi.org/10.1000/182" title="Paskin (2000). DOI Handbook."' in page
    assert page.count("title=") == 1


def test_a_retracted_work_has_a_class():
    page = body("doi:10.1000/a_b", doi_hover=True)
    assert 'title="Retracted. Miller (1999). Third."' in page
    assert classes(page) == {"reference", "external", "doi", "doi-retracted"}


def test_without_the_options_pages_are_the_same(folder):
    text = "See doi:10.1000/182, [@doi:10.1000/182] and @doi:10.1000/183."
    page = publish(text)
    (folder / "doi-lock.json").unlink()
    assert publish(text) == page
    assert "[@doi:10.1000/182] and @doi:10.1000/183." in plain(page)


@pytest.mark.parametrize("writer", ["latex", "manpage", "pseudoxml", "xml", "odt"])
def test_only_html_has_texts_on_hover(writer):
    if writer == "odt":
        settings = {"output_encoding": "utf-8"}
        page = str(publish("See doi:10.1000/182.", writer, doi_hover=True, **settings))
    else:
        page = publish("See doi:10.1000/182.", writer, doi_hover=True)
        assert page == publish("See doi:10.1000/182.", writer)
    assert "Handbook" not in page


def test_a_damaged_lock_file_is_one_warning(folder, capsys):
    (folder / "doi-lock.json").write_text("{", encoding="utf-8")
    page = publish("doi:10.1000/182 :doi:cite:`10.1000/182`", doi_hover=True, warning_stream=None)
    assert capsys.readouterr().err.count("damaged lock file") == 1
    assert ">doi:10.1000/182</a>" in page


CITATIONS = [
    ("As @doi:10.1000/182 [p. 3] says.", "As Paskin (2000, p. 3) says."),
    ("So [see @doi:10.1000/182, p. 3; @doi:10.1000/a_b].", "So (see Paskin, 2000, p. 3; Miller, 1999, retracted)."),
    (":doi:cite:`see 10.1000/182, p. 3; 10.1000/a_b`", "(see Paskin, 2000, p. 3; Miller, 1999, retracted)"),
    (":doi:cite:t:`10.1000/182` says", "Paskin (2000) says"),
    (":doi:citet:`10.1000/182` says", "Paskin (2000) says"),
    (":DOI:CiteT:`10.1000/182 [p. 3]` says", "Paskin (2000, p. 3) says"),
    ("So :doi:cite:p:`10.1000/182`, :doi:citep:`10.1000/182`", "So (Paskin, 2000), (Paskin, 2000)"),
    ("Paskin :doi:cite:`-10.1000/182, p. 3`", "Paskin (2000, p. 3)"),
    ("*as @doi:10.1000/182*", "as Paskin (2000)"),
    ("[@doi:10.1000/rtl]", "(\u2068\u05d2\u05d3\u2069, 2001)"),
    # These are none.
    (r"\@doi:10.1000/182", "@doi:10.1000/182"),
    (r"\[@doi:10.1000/182]", "[@doi:10.1000/182]"),
    ("``@doi:10.1000/182``", "@doi:10.1000/182"),
    ("`x @doi:10.1000/182 <https://example.org>`_", "x @doi:10.1000/182"),
    # Markup of the author stays markup.
    ("[see *Paskin* @doi:10.1000/182]", "[see Paskin Paskin (2000)]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), CITATIONS)
def test_a_citation(text, said):
    page = body(text, doi_cite=True).split("<p>", 1)[1].split("</p>")[0]
    assert plain(page) == said


def test_roles_need_no_option_and_the_other_role_stays():
    page = body(":doi:cite:`10.1000/182` :doi:`10.1000/182`")
    cited, linked = page.split(") ")
    assert classes(cited) == {"reference", "external", "doi", "doi-cite"}
    assert 'href="https://doi.org/10.1000/182">Paskin, 2000</a>' in cited
    assert classes(linked) == {"reference", "external", "doi"}


def test_a_role_without_a_name_is_an_error(capsys):
    publish(":doi:cite:`nothing`", warning_stream=None)
    assert "(ERROR/3) role 'doi:cite': " in capsys.readouterr().err


def test_names_of_citations_are_listed():
    from docutils.core import publish_doctree

    text = "As @doi:10.1000/182.\n\nSo [@doi:10.1000/183; @doi:10.1000/a_b] :doi:cite:`10.1000/x`."
    document = publish_doctree(text, parser=Parser(), settings_overrides={"doi_cite": True})
    listed = [(each.doi.suffix, each.line, each.written) for each in document.dois]
    group = "[@doi:10.1000/183; @doi:10.1000/a_b]"
    assert listed == [
        ("182", 1, "@doi:10.1000/182"),
        ("183", 3, group),
        ("a_b", 3, group),
        ("x", 3, "10.1000/x"),
    ]


def test_a_work_that_is_not_known_is_reported_once(capsys):
    text = "A\n\n@doi:10.1000/x and [@doi:10.1000/x] and doi:10.1000/y"
    page = publish(text, doi_cite=True, warning_stream=None)
    said = capsys.readouterr().err
    assert said.count("[doi-cite]") == 1
    assert said.startswith(
        "<string>:3: (WARNING/2) the work of doi:10.1000/x is not in doi-lock.json"
    )
    assert 'href="https://doi.org/10.1000/x">doi:10.1000/x</a>' in page


LIST = """
A title [@doi:10.1000/182]
==========================

.. contents::

Second @doi:10.1000/183
-----------------------

See doi:10.1000/182.

.. doi-list::

"""


def test_a_list_and_its_links_there_and_back():
    page = body(LIST, doi_cite=True)
    assert page.count('<div class="doi-list') == page.count('role="doc-bibliography"') == 1
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall('href="#(doi-[^"]+|at-[^"]+)"', page)) <= set(ids)
    items = [
        plain(each) for each in re.findall("<li id=.*?</li>", page, re.DOTALL) if "doi.org" in each
    ]
    assert items == [
        "Paskin, N. (2000a). Another. doi:10.1000/183 ↩",
        "Paskin, N. (2000b). DOI Handbook. doi:10.1000/182 ↩ 1 2",
    ]
    assert 'aria-label="Back to the text"' in page
    # In the table of contents, a citation is text.
    assert ">Second Paskin (2000a)</a>" in page
    assert "<a" not in re.sub("</?a[^>]*>", "", re.sub("<a[^>]*>[^<]*</a>", "", page))


def test_a_list_by_places():
    page = body(
        "*as @doi:10.1000/183* :doi:cite:`10.1000/a_b`\n\n.. doi-list::\n   :order: places\n",
        doi_cite=True,
    )
    assert re.search('<li id="([^"]+)"', page)[1] == "doi-10-1000-183"


def test_a_list_without_works_shows_nothing():
    page = body("A page.\n\n.. doi-list::\n\nThe end.")
    assert "doi-list" not in page
    assert "The end." in page


@pytest.mark.parametrize("option", ["scope: page site", "order: sizes"])
def test_a_wrong_option_of_a_list(option, capsys):
    publish(f".. doi-list::\n   :{option}\n", warning_stream=None)
    assert 'Error in "doi-list" directive' in capsys.readouterr().err


def test_a_list_of_the_project_is_one_of_the_page(capsys):
    text = "As doi:10.1000/182.\n\n.. doi-list::\n   :scope: project\n"
    page = publish(text, warning_stream=None)
    assert 'class="doi-list' in page
    assert "docutils knows one document, so scope is page" in capsys.readouterr().err


def test_the_process_keeps_no_role_and_no_directive():
    publish(":doi:cite:`10.1000/182`\n\n.. doi-list::\n")
    assert "doi-list" not in vars(directives)["_directives"]
    assert not [name for name in vars(roles)["_roles"] if name.startswith("doi")]


@pytest.mark.parametrize("writer", ["html5", "latex", "manpage", "xml"])
def test_a_hostile_work(writer):
    text = "As @doi:10.1000/hostile and doi:10.1000/hostile says.\n\n.. doi-list::\n"
    page = publish(text, writer, doi_cite=True, doi_hover=True)
    assert "<script" not in page
    assert "\u202e" not in page
    if writer == "latex":
        assert r"\input{x}" not in page
        assert "$$" not in page.replace(r"\$\$", "")
    if writer == "html5":
        assert len(re.search(' title="([^"]*)"', page)[1]) < 500
        assert re.search('class="doi-list mathjax_ignore tex2jax_ignore', page)


def test_typography_leaves_works_alone():
    page = body('As [@doi:10.1000/hostile] "says".', doi_cite=True, smart_quotes=True)
    assert "O'Neil" in page.replace("&#39;", "'")
    assert "“says”" in page


def test_pelican_shows_works_and_keeps_its_titles_plain(folder):
    # An article with a warning of docutils is left out.
    article = "Title [@doi:10.1000/182]\n========================\n\nAs @doi:10.1000/183 and @doi:10.1000/x say.\n\n.. doi-list::\n"
    (folder / "content").mkdir()
    (folder / "content" / "a.rst").write_text(f"{article}\n", encoding="utf-8")
    (folder / "conf.py").write_text(
        "PATH, PLUGINS, DOI_CITE, DOI_HOVER = 'content', ['doilinks.pelican'], True, True\n"
        "DEFAULT_DATE, ARTICLE_SAVE_AS, TIMEZONE = (2020, 1, 1), 'a.html', 'UTC'\n"
    )
    done = run_module("pelican", "-s", "conf.py", "-o", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    page = (folder / "out" / "a.html").read_text("utf-8")
    assert 'title="Paskin (2000). Another.">Paskin (2000)</a>' in page
    assert page.count('role="doc-bibliography"') == 1
    assert ">Title (Paskin, 2000)</a>" in page
    assert "doi:10.1000/x is not in" in " ".join((done.stdout + done.stderr).split())


def test_the_title_of_the_page_says_what_its_heading_says():
    page = publish("As :doi:cite:t:`10.1000/182`\n====\n\nText.\n")
    assert "<title>As Paskin (2000)</title>" in page
    assert 'href="https://doi.org/10.1000/182"' in page


@pytest.mark.parametrize("reference", ["[1]_", "[#a]_", "[CIT]_"])
def test_a_footnote_after_a_citation_stays(reference):
    label = reference.removesuffix("_")
    page = body(f"As @doi:10.1000/182 {reference}.\n\n.. {label} Note\n", doi_cite=True)
    assert re.search(r"As Paskin \(2000\) \[(1|CIT)\]\.", plain(page))


def test_words_beside_a_work_have_the_typography_of_other_text():
    text = ':doi:cite:`see "x" 10.1000/182, pp. 3--5` and "@doi:10.1000/a_b [it\'s...]" [@doi:10.1000/a--b]'
    page = plain(body(text, smart_quotes=True, doi_cite=True))
    assert (
        "(see “x” Paskin, 2000, pp. 3–5) and “Miller (1999, retracted, it’s…)” (doi:10.1000/a--b)"
        in page
    )
    assert 'see "x" Paskin, 2000, pp. 3--5' in plain(body(text, doi_cite=True)).replace(
        "&quot;", '"'
    )
