"""Works in plain docutils: roles, writers, typography, titles, and what is listed for the check."""

from __future__ import annotations

import re

import pytest
from docutils.core import publish_doctree, publish_string
from docutils.writers import get_writer_class

from doilinks.docutils import Parser

from ..tools.works import HANDBOOK, lock

pytestmark = pytest.mark.usefixtures("works_here")

HOSTILE = '"><script>alert(1)</script> ]]> {{ x }} \\input{x} $$x$$ `a`_ ](javascript:x)'


def publish(text, writer="html5", **settings):
    given = {"output_encoding": "unicode", "embed_stylesheet": False, "stylesheet_path": ""}
    given |= {"warning_stream": False, "_disable_config": True, **settings}
    given |= {"use_latex_citations": True, "legacy_column_widths": False}
    return publish_string(
        text, parser=Parser(), writer=get_writer_class(writer)(), settings_overrides=given
    )


def body(text, **settings):
    return publish(text, **settings).split("<main", 1)[1]


def plain(html):
    return re.sub("<[^>]+>", "", html).replace("&amp;", "&").replace("&quot;", '"')


@pytest.mark.parametrize(
    "writer", ["html5", "html4", "latex", "manpage", "pseudoxml", "xml", "odt"]
)
def test_only_html_has_texts_on_hover(writer):
    text, encoding = (
        "See doi:10.1000/182 and doi:10.1000/none.",
        "utf-8" if writer == "odt" else "unicode",
    )
    page, without = (
        str(publish(text, writer, doi_hover=on, output_encoding=encoding)) for on in (True, False)
    )
    if writer.startswith("html"):
        assert f'href="https://doi.org/10.1000/182" title="{HANDBOOK}"' in page
        assert page.count("title=") == 1
    else:
        assert "Handbook" not in page
        assert writer == "odt" or page == without


ROLES = [
    (":doi:cite:`see 10.1000/182, p. 3; 10.1000/a_b`", "(see Paskin, 2000, p. 3; Miller & Berg, 1999, retracted)"),
    (":doi:cite:t:`10.1000/182` says", "Paskin (2000) says"),
    (":doi:citet:`10.1000/182` says", "Paskin (2000) says"),
    (":DOI:CiteT:`10.1000/182 [p. 3]` says", "Paskin (2000, p. 3) says"),
    ("So :doi:cite:p:`10.1000/182`, :doi:citep:`10.1000/182`", "So (Paskin, 2000), (Paskin, 2000)"),
    ("Paskin :doi:cite:`-10.1000/182, p. 3`", "Paskin (2000, p. 3)"),
    (r"\[@doi:10.1000/182]", "[@doi:10.1000/182]"),
    # Markup of the author stays markup.
    ("[see *Paskin* @doi:10.1000/182]", "[see Paskin Paskin (2000)]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), ROLES)
def test_a_citation(text, said):
    page = body(text, doi_cite=True).split("<p>", 1)[1].split("</p>")[0]
    assert plain(page).replace("&#64;", "@") == said


def test_roles_need_no_option_and_the_other_role_stays(capsys):
    cited, linked = body(":doi:cite:`10.1000/182` :doi:`10.1000/182`").split(") ")
    classes = [set(re.search('<a class="([^"]*)"', each)[1].split()) for each in (cited, linked)]
    assert classes[0] - {"doi-cite"} == classes[1] == {"reference", "external", "doi"}
    assert 'href="https://doi.org/10.1000/182">Paskin, 2000</a>' in cited
    publish(":doi:cite:`nothing`", warning_stream=None)
    assert "(ERROR/3) role 'doi:cite': " in capsys.readouterr().err


def test_names_of_citations_are_listed():
    text = "As @doi:10.1000/182.\n\nSo [@doi:10.1000/183; @doi:10.1000/a_b] :doi:cite:`10.1000/x`."
    document = publish_doctree(text, parser=Parser(), settings_overrides={"doi_cite": True})
    group = "[@doi:10.1000/183; @doi:10.1000/a_b]"
    assert [(each.doi.suffix, each.line, each.written) for each in document.dois] == [
        ("182", 1, "@doi:10.1000/182"), ("183", 3, group), ("a_b", 3, group), ("x", 3, "10.1000/x"),
    ]  # fmt: skip


def test_a_work_that_is_not_known_is_reported_with_its_line(capsys):
    publish("A\n\n@doi:10.1000/x and [@doi:10.1000/x]", doi_cite=True, warning_stream=None)
    assert capsys.readouterr().err.startswith("<string>:3: (WARNING/2) the work of doi:10.1000/x")


def test_titles_and_contents_say_what_headings_say():
    page = publish("As :doi:cite:t:`10.1000/182`\n====\n\nText.\n")
    assert "<title>As Paskin (2000)</title>" in page
    assert 'href="https://doi.org/10.1000/182"' in page
    page = body("A\n=\n\n.. contents::\n\nSecond @doi:10.1000/183\n-----------------------\n\n.. doi-list::\n", doi_cite=True)  # fmt: skip
    assert ">Second Paskin (2000)</a>" in page
    assert "<a" not in re.sub("</?a[^>]*>", "", re.sub("<a[^>]*>[^<]*</a>", "", page))


def test_a_list_by_places_begins_with_what_is_in_markup():
    text = "*as @doi:10.1000/183* :doi:cite:`10.1000/a_b`\n\n.. doi-list::\n   :order: places\n"
    assert re.search('<li id="([^"]+)"', body(text, doi_cite=True))[1] == "doi-10-1000-183"


def test_a_hostile_work_in_latex(works_here):
    lock(
        works_here,
        {"10.1000/h": {"title": HOSTILE, "author": [["O'Neil & <b>Söhne</b>", "\u202eA"]]}},
    )
    text = 'As @doi:10.1000/h and doi:10.1000/h "says".\n\n.. doi-list::\n'
    page = publish(text, "latex", doi_cite=True, doi_hover=True)
    assert r"\input{x}" not in page
    assert "$$" not in page.replace(r"\$\$", "")
    page = body(text, doi_cite=True, smart_quotes=True)
    assert "O'Neil" in page.replace("&#39;", "'")  # typography leaves works alone
    assert "“says”" in page


@pytest.mark.parametrize("reference", ["[1]_", "[#a]_", "[CIT]_"])
def test_a_footnote_after_a_citation_stays(reference):
    label = reference.removesuffix("_")
    page = body(f"As @doi:10.1000/182 {reference}.\n\n.. {label} Note\n", doi_cite=True)
    assert re.search(r"As Paskin \(2000\) \[(1|CIT)\]\.", plain(page))


def test_words_beside_a_work_have_the_typography_of_other_text():
    text = ':doi:cite:`see "x" 10.1000/182, pp. 3--5` and "@doi:10.1000/a_b [it\'s...]" [@doi:10.1000/a--b]'
    page = plain(body(text, smart_quotes=True, doi_cite=True))
    assert (
        "(see “x” Paskin, 2000, pp. 3–5) and “Miller & Berg (1999, retracted, it’s…)” (doi:10.1000/a--b)"
        in page
    )
    assert 'see "x" Paskin, 2000, pp. 3--5' in plain(body(text, doi_cite=True))


def test_a_hostile_name_of_a_source_in_a_log(caplog):
    """Where a warning would end the run, as in Pelican, it is logged."""
    settings = {"doi_cite": True, "doi_check_lockfile": "", "halt_level": 2}
    publish_string(
        "See :doi:cite:`10.1000/x`.", source_path="a\x1b\u202e.rst", parser=Parser(),
        settings_overrides=settings, writer=get_writer_class("html5")(),
    )  # fmt: skip
    [message] = [each for each in caplog.messages if "no work is known" in each]
    assert message.startswith("a\\x1b\\u202e.rst: ")
