"""What was found: where it is, as it is written, and the block around it, from each reader and host."""

import json
import pickle
from dataclasses import replace

import pytest
from docutils.core import publish_doctree
from markdown import Markdown
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from doilinks import DOI, Found
from doilinks.core.found import distinct
from doilinks.core.options import Options
from doilinks.docutils import Parser
from doilinks.markdown_it import doi_plugin
from doilinks.pandoc import rewrite
from doilinks.sources import read

from ..tools.hosts import pandoc
from ..tools.links import html_links
from . import HOSTS

NAME = DOI("10.1000/182")

# A source, and of each DOI in it the text as written and a text that its block begins with.
SOURCES = {
    "txt": (
        "One\nDOI: 10.1000/1, two.\n  \nThree <10.1000/2>\n10.1000/3\n",
        [("DOI: 10.1000/1", "One"), ("<10.1000/2>", "Three"), ("10.1000/3", "Three")],
    ),
    "md": (
        (
            "A\n\n> See [t](<http://dx.doi.org/10.1000/1>) *and doi:\n> 10.1000/a\\_b*\n\n"
            "| a |\n|---|\n| 10.1000/2 x |\n\n[r] {doi}`10.1000/3`\n\n[r]: doi:10.1000/4\n"
        ),
        [
            ("http://dx.doi.org/10.1000/1", "See"),
            ("doi:\n> 10.1000/a\\_b", "See"),
            ("10.1000/2", "| 10.1000/2 x |"),
            ("10.1000/3", "[r]"),
            ("doi:10.1000/4", None),
        ],
    ),
    "rst": (
        (
            "A\n=\n\nSee *10.1000/1* and\ndoi:10.1000/a\\_b\n\n- `t <https://doi.org/10.1000/2>`_ x"
            "\n- :doi:`10.1000/3`\n"
        ),
        [("10.1000/1", "See"), ("doi:10.1000/a\\_b", "See"), ("https://doi.org/10.1000/2", "t x"), ("10.1000/3", "10.1000/3")],
    ),
    "html": (
        (
            "<p>See 10&#46;1000/<wbr>1,<br><a href=' doi:10.1000/2?a&amp;b '>t</a> &amp; <b>y</b></p>"
            "<li>DOI: 10.1000/3</li>"
        ),
        [
            ("10&#46;1000/<wbr>1", "See 10.1000/1,\nt & y"),
            ("doi:10.1000/2?a&amp;b", "See 10.1000/1,\nt & y"),
            ("DOI: 10.1000/3", "DOI: 10.1000/3"),
        ],
    ),
    "bib": (
        (
            "% x\n@misc{a, title = {A}, doi = {10.1000/{\\_}1.},\n  url = {https://doi.org/10.1000/2} }\n"
            "@misc{b, doi = {10.1000/3, 10.1000/4}}"
        ),
        [
            ("10.1000/{\\_}1.", "@misc{a"),
            ("https://doi.org/10.1000/2", "@misc{a"),
            ("10.1000/3", "@misc{b"),
            ("10.1000/4", "@misc{b"),
        ],
    ),
    "ipynb": (
        json.dumps(
            {
                "cells": [
                    {"cell_type": "markdown", "source": ["# A\n", "\n", "é\\\\ 10.1000/1\n", "b"]},
                    {"cell_type": "markdown", "source": 'See "doi:10.1000/a\\_b"'},
                ]
            }
        ),
        [("10.1000/1", "é"), ("doi:10.1000/a\\\\_b", "See")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", SOURCES)
def test_readers_give_the_place_the_writing_and_the_block(kind):
    text, expected = SOURCES[kind]
    found = list(read(text, kind, Options(), "a file", blocks=True))
    assert [each.written for each in found] == [written for written, _ in expected]
    for each, (_, block) in zip(found, expected, strict=True):
        start, end = each.span
        assert text[start:end] == each.written
        before = text[:start].split("\n")
        assert (each.file, each.line, each.column) == ("a file", len(before), len(before[-1]) + 1)
        assert each.block == block or each.block.startswith(block)


@pytest.mark.parametrize("kind", SOURCES)
def test_readers_keep_no_block_that_was_not_asked_for(kind):
    text, expected = SOURCES[kind]
    found = list(read(text, kind, Options()))
    assert [each.block for each in found] == [None] * len(expected)
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    "written",
    ['https://doi.org/10.1000/a"b', "https://doi.org/10.1000/a&copy;b", "doi:10.1000/%c3%a9"],
)  # fmt: skip
def test_a_target_that_the_parser_has_encoded_is_found(written):
    [each] = read(f"a\n\n[t]({written})", "md", Options())
    assert each.written == written


def test_what_is_looked_up_in_vain_has_a_line_and_no_span():
    """A name with an escaped space in it, in a substitution, which docutils reads apart."""
    text = "a |x|\n\n.. |x| replace:: see doi:10.1000/18\\ 2\n"
    [each] = read(text, "rst", Options())
    assert (each.line, each.span, each.written) == (3, None, None)


def test_a_block_is_made_once_however_many_names_it_contains():
    text = "10.1000/1 10.1000/2 " * 50
    blocks = {id(each.block) for each in read(text, "txt", Options(), blocks=True)}
    assert len(blocks) == 1


TEXT = "A\n\nSee *this*\nDOI: 10.1000/a\\_b and [t](doi:10.1000/2)[^1].\n\n- x 10.1000/3\n\n[^1]: 10.1000/4\n"


def rows(found):
    return [(each.doi.suffix, each.form, each.line, each.written) for each in found]


def found_by(host, text):
    """What a host, or the reader of a type, finds in a text."""
    if host in SOURCES:
        return list(read(text, host, Options(), blocks=True))
    if host == "docutils":
        return publish_doctree(text, "a.rst", parser=Parser()).dois
    if host == "markdown":
        md = Markdown(extensions=["footnotes", "def_list", "doilinks"])
        md.convert(text)
        return md.dois
    if host == "markdown_it":
        env = {}
        MarkdownIt().use(footnote_plugin).use(deflist_plugin).use(doi_plugin).render(text, env)
        return env["dois"]
    reader = {"pandoc": "markdown", "places": "commonmark_x+sourcepos"}[host]
    made = pandoc("-f", reader, "-t", "json", given=text, doilinks=False)
    return rewrite(made.stdout.decode()).dois


def test_markdown_it():
    found = found_by("markdown_it", TEXT)
    assert rows(found) == [
        ("a_b", "label", 4, "DOI: 10.1000/a\\_b"), ("2", "link", 3, None),
        ("3", "bare", 6, "10.1000/3"), ("4", "bare", 8, "10.1000/4"),
    ]  # fmt: skip
    first = TEXT.split("\n\n")[1]
    assert [each.block for each in found] == [first, first, "x 10.1000/3", "10.1000/4"]


def test_python_markdown():
    found = found_by("markdown", TEXT)
    assert rows(found) == [
        ("a_b", "label", None, "DOI: 10.1000/a_b"), ("2", "link", None, None),
        ("3", "bare", None, "10.1000/3"), ("4", "bare", None, "10.1000/4"),
    ]  # fmt: skip
    first, *others = (each.block for each in found)
    assert first.startswith("See this\ndoi:10.1000/a_b and t")
    assert others[:2] == [first, "x doi:10.1000/3"]
    assert "\x02" not in "".join([first, *others])


def test_docutils():
    text = "A\n=\n\nSee *DOI: 10.1000/1*\nand `t <doi:10.1000/2>`_.\n\n- :doi:`x <10.1000/3>`\n"
    found = found_by("docutils", text)
    assert sorted(rows(found)) == [
        ("1", "label", 4, "DOI: 10.1000/1"), ("2", "link", 5, "`t <doi:10.1000/2>`_"),
        ("3", "role", 7, ":doi:`x <10.1000/3>`"),
    ]  # fmt: skip
    assert {each.file for each in found} == {"a.rst"}
    assert [each.block for each in found] == ["See doi:10.1000/1\nand t."] * 2 + ["x"]


def test_pandoc():
    found = found_by("places", TEXT)
    assert [(each.doi.suffix, each.form, each.line, each.column) for each in found] == [
        ("a_b", "label", 4, 1), ("2", "link", 4, 23), ("4", "bare", 8, 7), ("3", "bare", 6, 5),
    ]  # fmt: skip
    assert found[0].written == "DOI: 10.1000/a_b"
    assert found[0].block == found[1].block
    assert found[1].block.startswith("See this doi:10.1000/a_b and t")
    assert [each.block for each in found[2:]] == ["doi:10.1000/4", "x doi:10.1000/3"]
    # Without positions, it knows no places.
    found = found_by("pandoc", "See 10.1000/1.")
    assert found == [Found(DOI("10.1000/1"), form="bare", written="10.1000/1")]


# A definition with its term is a block; one with a list in it is not.
TERMS = """\
Paskin 10.1000/1

:   One

    and 10.1000/2

Two

:   10.1000/3 *x*

Three

:   10.1000/4

    * 10.1000/5
"""
REST_TERMS = TERMS.replace("\n\n:  ", "\n   ")
WHOLE = ["Paskin {}10.1000/1\n\nOne\n\nand {}10.1000/2"] * 2 + ["Two\n\n{}10.1000/3 x"]


NO_ENDS = (
    "<dl><dt>Paskin 10.1000/1<dd>One<p>and 10.1000/2<dt>Two<dd>10.1000/3 <b>x</b>"
    "<dt>Three<dd>10.1000/4<ul><li>10.1000/5</ul></dl>"
)
IN_MARKDOWN = ("md", "markdown_it", "markdown", "pandoc", "places")


@pytest.mark.parametrize(
    ("host", "text"),
    [*((host, TERMS) for host in IN_MARKDOWN), ("rst", REST_TERMS), ("docutils", REST_TERMS), ("html", ""), ("html", NO_ENDS)],
)  # fmt: skip
def test_a_definition_is_a_block_with_its_term(host, text):
    made = (
        text or pandoc("-f", "markdown", "-t", "html", given=TERMS, doilinks=False).stdout.decode()
    )
    *whole, four, five = (each.block for each in found_by(host, made))
    label = "doi:" if host in ("docutils", "markdown", "pandoc", "places") else ""
    assert [each.replace("*", "") for each in whole] == [
        each.format(label, label) for each in WHOLE
    ]
    assert "Three" not in f"{four}{five}"
    assert five.startswith(f"{label}10.1000/5")


# A list of definitions in a definition; what follows it belongs to the outer list again.
NESTED = "Outer\n\n:   One\n\n    Inner\n\n    :   10.1000/1\n\n:   10.1000/2\n"


@pytest.mark.parametrize("host", ["html", "markdown_it", "markdown"])
def test_a_definition_belongs_to_its_own_list(host):
    html = MarkdownIt().use(deflist_plugin).render(NESTED)
    blocks = [
        each.block.replace("doi:", "")
        for each in found_by(host, html if host == "html" else NESTED)
    ]
    assert blocks == ["Inner\n\n10.1000/1", "Outer\n\n10.1000/2"]


def test_a_row_goes_on_after_a_table_in_a_cell():
    inner = "<table><tr><td>x</td></tr></table>"
    text = f"<table><tr><td>Paskin</td><td>{inner}</td><td>10.1000/1</td></tr></table>"
    [found] = read(text, "html", Options(), blocks=True)
    assert found.block.startswith("| Paskin |")
    assert found.block.endswith("| 10.1000/1 |")


def test_a_term_is_no_label_of_a_list():
    md = MarkdownIt().use(deflist_plugin).use(doi_plugin)
    assert ">doi:10.1000/1</a>" in md.render("DOI\n\n:   - 10.1000/1\n")


def test_a_message_of_docutils_is_no_text_of_a_cell():
    text = """\
.. list-table::

   * - Paskin
     - `10.1000/1 <https://doi.org/10.1000/1>`_ and `x <https://example.org/1>`_

       .. nothing::
   * - Two
     - 10.1000/2
"""
    quiet = {"report_level": 1, "warning_stream": False, "halt_level": 5}
    found = publish_doctree(text, parser=Parser(), settings_overrides=quiet).dois
    assert found[0].block.startswith("| Paskin | doi:10.1000/1 and x")


def test_the_signature_of_a_function_is_not_a_term():
    """Its documentation, as Sphinx writes it, is a text of many paragraphs."""
    text = "<dl class='py function'><dt class='sig py'>f(x)</dt><dd><p>One.</p><p>10.1000/1</p></dd></dl>"
    [found] = read(text, "html", Options(), blocks=True)
    assert found.block == "10.1000/1"


@pytest.mark.parametrize(
    "host", ["txt", "md", "rst", "html", "markdown_it", "markdown", "pandoc", "docutils"]
)
def test_a_name_that_an_invisible_character_cuts_is_known_whole(host):
    found = found_by(host, "See 10.1016/j.\u200bpoly, 10.1000/1\u200b and (10.1000/ab\u00adcd).")
    assert [(each.doi.name, each.whole) for each in found] == [
        ("10.1016/j", DOI("10.1016/j.poly")),
        ("10.1000/1", None),
        ("10.1000/ab", DOI("10.1000/abcd")),
    ]


OTHER = "[10.1000/181](https://doi.org/10.1000/182) [10.1000/183](https://doi.org/10.1000/183)"
OTHER_IN_REST = (
    "`10.1000/181 <https://doi.org/10.1000/182>`__ `10.1000/183 <https://doi.org/10.1000/183>`__"
)


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("md", OTHER),
        ("md", "[doi:10.1000/181][r] [10.1000/183]\n\n[r]: doi:10.1000/182\n[10.1000/183]: doi:10.1000/183"),
        ("md", "{doi}`10.1000/181 <10.1000/182>` {doi}`10.1000/183`"),
        ("rst", OTHER_IN_REST),
        ("rst", "`10.1000/181`__ `10.1000/183`__\n\n__ https://doi.org/10.1000/182\n__ doi:10.1000/183"),
        ("rst", "`10.1000/181`_ doi:10.1000/183\n\n.. _10.1000/181: https://doi.org/10.1000/182"),
        ("rst", ":doi:`10.1000/181 <10.1000/182>` :doi:`10.1000/183`"),
        ("html", "<a href='doi:10.1000/182'>DOI <b>10.1000/181</b></a><a href='doi:10.1000/183'>10.1000/183"),
        ("bib", "@a{b, note = {\\href{https://doi.org/10.1000/182}{10.1000/181}, doi:10.1000/183}}"),
        ("ipynb", json.dumps({"cells": [{"cell_type": "markdown", "source": OTHER}]})),
        ("markdown_it", OTHER),
        ("markdown", OTHER),
        ("pandoc", OTHER),
        ("docutils", OTHER_IN_REST),
        ("docutils", ":doi:`10.1000/181 <10.1000/182>` :doi:`10.1000/183`"),
    ],
)  # fmt: skip
def test_a_text_that_names_another_doi_than_the_target_is_known(host, text):
    found = found_by(host, text)
    others = {each.doi.name: each.other for each in found}
    assert others == {"10.1000/182": DOI("10.1000/181"), "10.1000/183": None}
    if host in SOURCES:
        codes = {each.doi.name: [remark.code for remark in each.remarks] for each in found}
        assert codes == {"10.1000/182": ["text-names-another"], "10.1000/183": []}


def test_the_block_is_no_part_of_the_value():
    one = Found(NAME, line=1, around=lambda: "one")
    assert one == Found(NAME, line=1, around="two") == Found(NAME, line=1)
    assert hash(one) == hash(Found(NAME, line=1))
    assert one.block == "one"
    assert replace(one, around=None).block is None


def test_distinct_is_by_place():
    first = Found(NAME, file="a", line=1, form="bare")
    found = [
        first, Found(NAME, file="a", line=2), replace(first, form="link"), Found(NAME), Found(NAME),
    ]  # fmt: skip
    assert distinct(found) == [first, found[1], found[3]]


MARKED = "[10.1000/1](http://dx.doi.org/10.1000/1) <https://dx.doi.org/10.1000/2> 10.1000/3"
IN_REST = "`10.1000/1 <http://dx.doi.org/10.1000/1>`__ https://dx.doi.org/10.1000/2 10.1000/3"


@pytest.mark.parametrize("urls", ["keep", "target"])
@pytest.mark.parametrize("name", [name for name in HOSTS if name not in ("core", "html")])
def test_links_are_as_the_option_says_and_are_listed_all_the_same(name, urls):
    made = HOSTS[name](
        {"page": IN_REST if name in ("docutils", "sphinx") else MARKED}, {"urls": urls}
    )
    taken = name.startswith(
        ("docutils", "sphinx", "myst")
    )  # a link that is kept is taken out of the page
    wanted = [("10.1000/1", "http://dx.doi.org/10.1000/1"), ("https://dx.doi.org/10.1000/2",) * 2]
    wanted = [] if taken and urls == "keep" else wanted
    if urls == "target":
        wanted = [(text, f"https://doi.org/10.1000/{at}") for at, (text, _) in enumerate(wanted, 1)]
    assert html_links(made.pages["page"]) == [
        *wanted,
        ("doi:10.1000/3", "https://doi.org/10.1000/3"),
    ]
    assert [sorted(doi.name for doi in dois) for dois in made.asked.values()] in (
        [], [["10.1000/1", "10.1000/2", "10.1000/3"]],
    )  # fmt: skip
