"""The docutils front door: parser, role, transform and settings."""

from __future__ import annotations

import io
import re

import pytest
from docutils import nodes
from docutils.core import publish_doctree, publish_string
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser as PlainParser
from docutils.readers import standalone
from docutils.utils import SystemMessage, new_document
from docutils.writers.html5_polyglot import Writer
from myst_parser.docutils_ import Parser as MystParser

from doilinks.core.options import Options
from doilinks.docutils import DoiLinks, Parser
from doilinks.hosts.docutils.walk import Blocks, Linker

from ..tools.links import html_links
from ..tools.modules import run_module
from ..tools.programs import succeeded

SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0"
SICI_URI = "doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0"


def html(text, parser=None, **settings):
    return publish_string(
        text, parser=parser or Parser(), writer=Writer(),
        settings_overrides={"output_encoding": "unicode", "embed_stylesheet": False} | settings,
    )  # fmt: skip


def texts(text, **settings):
    return [shown for shown, _ in html_links(html(text, **settings).split("<main")[1])]


def docutils(*arguments, source="See doi:10.1000/456#789.\n", cwd=None):
    return run_module("docutils", "--parser=doilinks.docutils", *arguments, given=source, cwd=cwd)


def test_the_command_line():
    done = succeeded(docutils("--doi-display=name", "--doi-css-class=cite", "--writer=html5"))
    link = re.search('<a class="([a-z ]+)" (href="[^"]+">[^<]+</a>)', done.stdout)
    assert sorted(link[1].split()) == ["cite", "external", "reference"]
    assert link[2] == 'href="https://doi.org/10.1000/456%23789">10.1000/456#789</a>'


def test_the_help_lists_every_option():
    done = succeeded(docutils("--help"))
    for name in Options.NAMES:
        assert f"--doi-{name.replace('_', '-')}=" in done.stdout
    assert "nothing is checked here" in " ".join(done.stdout.split())


def test_a_check_that_is_asked_for_is_not_passed_over_in_silence():
    done = succeeded(docutils("--doi-check=warn"))
    assert done.stderr.count("(WARNING/2) doi_check: nothing is checked here") == 1
    assert [text for text, _ in html_links(done.stdout)] == ["doi:10.1000/456%23789"]
    assert "doi_check" not in done.stdout
    assert docutils("--doi-check=off").stderr == ""
    assert docutils("--doi-check=error", "--halt=warning").returncode != 0


def test_a_wrong_value_on_the_command_line():
    done = docutils("--doi-display=short")
    assert done.returncode == 2
    assert (
        "--doi-display: takes one of 'uri', 'legible', 'url', 'name', 'source', got 'short'"
        in done.stderr
    )
    assert "Traceback" not in done.stderr


def test_a_list_is_given_entry_by_entry():
    source = "doi:10.5555/1 doi:10.6666/1 doi:10.1000/1\n"
    done = docutils("--doi-ignore=10\\.5555/", "--doi-ignore=10\\.6666/", source=source)
    assert [text for text, _ in html_links(done.stdout)] == ["doi:10.1000/1"]


def test_a_configuration_file(tmp_path):
    config = "[doilinks parser]\ndoi-display: url\ndoi-bare: no\n"
    (tmp_path / "docutils.conf").write_text(config, encoding="utf-8")
    done = docutils(source="doi:10.1000/1 10.1000/2\n", cwd=tmp_path)
    assert [text for text, _ in html_links(done.stdout)] == ["https://doi.org/10.1000/1"]


def test_what_is_wrong_in_a_configuration_file(tmp_path):
    file = tmp_path / "docutils.conf"
    file.write_text("[doilinks parser]\ndoi-display: short\n", encoding="utf-8")
    done = docutils(cwd=tmp_path)
    assert done.returncode != 0
    assert (
        "doi_display: takes one of 'uri', 'legible', 'url', 'name', 'source', got 'short'"
        in done.stderr
    )
    assert "--doi-display" not in done.stderr
    file.write_text("[doilinks parser]\ndoi-dispaly: name\n", encoding="utf-8")
    done = docutils(source="doi:10.1000/1\n", cwd=tmp_path)
    assert done.returncode != 0
    assert "doi_dispaly: there is no such option (did you mean doi_display?)" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_setting_is_severe():
    with pytest.raises(SystemMessage, match="doi_display: takes one of"):
        html("doi:10.1000/182", doi_display="short", warning_stream=io.StringIO())
    warnings = io.StringIO()
    page = html("doi:10.1000/182", doi_display="short", halt_level=5, warning_stream=warnings)
    assert page.count("doi_display: takes one of") == 1
    assert warnings.getvalue().count("doi_display: takes one of") == 1
    assert html_links(page)[0][0] == "doi:10.1000/182"


def test_smart_quotes_leave_the_name_alone():
    text = (
        '10.18260/1-2--11357 "q" 10.1000/it\'s :doi:`10.1000/a--b` :doi:`a--b <10.1000/c>` '
        "`10.1000/d--e <https://doi.org/10.1000/d--e>`_"
    )
    page = html(text, smart_quotes=True)
    assert [shown for shown, _ in html_links(page)] == [
        "doi:10.18260/1-2--11357", "doi:10.1000/it's", "doi:10.1000/a--b", "a–b",
        "doi:10.1000/d--e",
    ]  # fmt: skip
    assert "“q”" in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See 10.1000/*x* there.", ["doi:10.1000/*x"]),
        (".. raw:: html\n\n   <p>10.1000/h</p>\n", []),
    ],
)
def test_a_page_links_other_names_than_a_source_has(text, shown):
    assert texts(text) == shown


def test_a_url_in_document_metadata_stays_a_link():
    page = html(":Source: https://doi.org/10.1000/182 and 10.1000/a\n:doi: 10.1000/b\n\nText.\n")
    assert [href for _, href in html_links(page)] == ["https://doi.org/10.1000/182"]


def test_a_picture_in_a_link():
    text = ".. image:: badge.svg\n   :target: http://dx.doi.org/10.1000/456%23789\n   :alt: doi\n"
    assert [href for _, href in html_links(html(text))] == ["https://doi.org/10.1000/456%23789"]


def test_a_title_keeps_its_id():
    page = html("A doi:10.1000/a_b\n=================\n\nT\n\nB\n=\n\nText\n", doctitle_xform=False)
    assert '<section id="a-doi-10-1000-a-b">' in page


class TransformReader(standalone.Reader):
    """Reads with the transform, for parsers that are not doilinks' own."""

    def get_transforms(self):
        return [*super().get_transforms(), DoiLinks]


def transformed(text, parser, **settings):
    settings |= {"output_encoding": "unicode", "doi_display": "name"}
    return publish_string(
        text, reader=TransformReader(), parser=parser, writer=Writer(), settings_overrides=settings
    )


def test_the_transform_serves_other_parsers():
    page = transformed(f"https://doi.org/{SICI} next urn:doi:10.1000:182.", PlainParser())
    assert [text for text, _ in html_links(page)] == [SICI, "10.1000/182"]


def test_the_transform_joins_what_markdown_takes_for_an_address():
    name = "10.1002/(SICI)1099-1751(199901)14:1<S29::AID-HPM465>3.0.CO;2-K"
    text = f"See {name} and <https://doi.org/10.1000/182>. But 10.1000/a*b*c stays."
    page = transformed(text, MystParser())
    assert [text for text, _ in html_links(page)] == [name, "10.1000/182"]


def test_the_transform_finds_a_name_after_citations():
    text = "See [@doi:10.1000/1], [@doi:10.1000/2] and doi:10.1000/3, too."
    page = transformed(text, MystParser(), doi_cite=True)
    assert "and <a" in page
    assert html_links(page)[-1] == ("10.1000/3", "https://doi.org/10.1000/3")


def test_the_transform_alone_reports_a_wrong_setting():
    with pytest.raises(SystemMessage, match="doi_display: takes one of"):
        publish_string(
            "doi:10.1000/182", reader=TransformReader(), parser=PlainParser(),
            settings_overrides={"doi_display": "short", "warning_stream": io.StringIO()},
        )  # fmt: skip


def test_a_role_of_the_document_wins():
    text = ".. role:: doi(strong)\n\n:doi:`mine`"
    assert "<strong" in html(text)


def test_each_class_stands_on_a_link_once():
    text = ".. role:: cite(doi)\n   :class: ext note\n\n:cite:`10.1000/182` 10.1000/183"
    settings = {"doi_css_class": "doi ext doi"}
    document = publish_doctree(text, parser=Parser(), settings_overrides=settings)
    classes = [link["classes"] for link in document.findall(nodes.reference)]
    assert classes == [["doi", "ext", "note"], ["doi", "ext"]]


def test_a_malformed_role_is_an_error_with_its_line():
    warnings = io.StringIO()
    page = html("Text\n\n:doi:`no name`\n", warning_stream=warnings)
    assert "<string>:3: (ERROR/3) role 'doi': not a DOI name: 'no name'" in warnings.getvalue()
    assert ":doi:`no name`" in page
    # What is wrong is the target, not the title.
    html("Text\n\n:doi:`the Handbook <10.1000>`\n", warning_stream=warnings)
    reason = "not a DOI name: '10.1000' (it has no slash between prefix and suffix)"
    assert reason in warnings.getvalue()


def test_plain_docutils_is_as_it_was():
    """No name is linked in a document that another parser reads; docutils keeps the roles."""
    text = "doi:10.1000/182 and 10.1000/183"
    before = html(text, parser=PlainParser())
    assert len(html_links(html(text))) == 2
    assert html(text, parser=PlainParser()) == before
    assert "doi.org" not in before


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("data:text/html,doi:10.1000/182", []),
        ("javascript:alert(1);doi:10.1000/182", []),
        ("<doi:10.1000/182>javascript:x", []),
        ("https://example.org/,doi:10.1000/182", ["https://example.org/"]),
        ("https://a.example/ data:x,10.1000/182 https://b.example/",
         ["https://a.example/", "https://b.example/"]),
    ],
)  # fmt: skip
def test_a_name_makes_no_url_of_the_text_beside_it(text, targets):
    found = [href for _, href in html_links(html(text))]
    assert "https://doi.org/10.1000/182" in found
    assert [href for href in found if not href.startswith("https://doi.org/")] == targets


def test_text_where_writers_take_no_link_stays():
    """Extensions put text into elements that are not for text, as the titles of tabs."""
    document = new_document("", get_default_settings(Parser))
    document += nodes.paragraph("", "", nodes.Text("10.1000/1"))
    document += nodes.container("", nodes.Text("10.1000/2"), nodes.paragraph("", "10.1000/3"))
    linker = Linker(Options())
    linker.link(document)
    assert [found.doi.name for found in linker.dois] == ["10.1000/1", "10.1000/3"]
    assert document[1][0] == "10.1000/2"


@pytest.mark.parametrize("name", ["10.1000/182", "https://doi.org/10.1000/182"])
def test_a_title_with_a_link_has_no_link_to_the_contents(name):
    text = f"A\n=\n\n.. contents::\n\nOn {name}\n{'=' * 40}\n\nText.\n\nAnother\n=======\n\nText.\n"
    page = html(text)
    heads = page.split("<h2")[2:]  # the first is that of the contents
    assert [head.split("</h2>")[0].count("<a ") for head in heads] == [1, 1]
    assert 'href="https://doi.org/10.1000/182"' in heads[0]
    assert "toc-backref" in heads[1]


def test_a_table_is_read_once_however_many_lists_are_in_it():
    """Otherwise a table of a thousand rows takes minutes."""
    table = ".. list-table::\n\n   * - A cell\n     - * One\n       * Two\n"
    tree = publish_doctree(table)
    cell, one, two = tree.findall(nodes.paragraph)
    blocks = Blocks()
    before = blocks.of(cell)
    assert [blocks.of(each).text() for each in (one, two)] == ["One", "Two"]
    assert blocks.of(cell) is before
