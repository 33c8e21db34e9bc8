"""Readers: what all types of files have in common, and what goes wrong in any."""

import pytest

from doilinks import DOI, InvalidDOI
from doilinks.core.arxiv import paper_of
from doilinks.core.options import Options
from doilinks.sources import CannotRead, read

from ..hosts.test_conformance import CASES
from ..tools.fixtures import CONFORMANCE, read_cases
from ..tools.places import names, rows


def _expected(case, proxy):
    found = []
    for _, href in case.links:
        try:
            paper = paper_of(href)
            url = paper.doi.url if paper else href.replace(proxy, "https://doi.org/", 1)
            found.append(DOI.parse(url).name)
        except InvalidDOI:
            continue
    return found


def _cases(kind):
    host = {"md": "markdown_it", "rst": "docutils", "txt": "core", "html": "core"}[kind]
    own = CONFORMANCE / "hosts" / f"{host}.md"
    cases = [*CASES, *(read_cases(own) if own.exists() and kind != "html" else [])]
    # A link that hosts are told to leave alone is a DOI of the document nevertheless.
    return [c for c in cases if host not in c.exceptions and c.options.get("urls") != "keep"]


@pytest.mark.parametrize("kind", ["md", "rst", "txt", "html"])
def test_a_sentence_names_what_the_host_links(kind):
    """All sentences are one test: to start and to report one takes as long as to read it."""
    wrong = []
    for case in _cases(kind):
        options = Options.read(case.options)
        source = case.source
        if kind == "html":
            source = "<p>" + source.replace("&", "&amp;").replace("<", "&lt;") + "</p>"
        try:
            found = [o.doi.name for o in read(source, kind, options)]
        except CannotRead as error:
            found = error
        if found != (wanted := _expected(case, options.proxy)):
            wrong.append(f"{case.place}: {case.title}\n  found  {found}\n  wanted {wanted}")
    assert not wrong, "\n".join(wrong)


NESTED = {
    "lists": "- " * 170 + "10.1000/2",
    "block quotes": "\n".join(" " * depth + "10.1000/2" for depth in range(1, 400)),
    "directives": "\n\n".join("  " * depth + ".. note:: 10.1000/2" for depth in range(200)),
    "option lists": "".join("-a  " for _ in range(400)) + "10.1000/2",
}


@pytest.mark.parametrize("name", NESTED)
def test_what_is_nested_too_deeply_for_docutils_is_an_error(name):
    with pytest.raises(CannotRead, match=r"^nested too deeply$"):
        list(read(NESTED[name], "rst", Options()))
    assert names("10.1000/1", "rst") == ["10.1000/1"]


@pytest.mark.parametrize(
    "error", [TypeError("x"), KeyError(3), AssertionError(), OSError(5, "x"), RuntimeError("x\ny")]
)
def test_whatever_a_reader_raises_is_a_file_that_cannot_be_read(error, monkeypatch):
    """Parsers of others have bugs that nobody has met yet."""
    from doilinks.sources import common

    def fail(text, options):
        yield from real(text, options)
        raise error

    real = common.read_prose
    monkeypatch.setattr(common, "read_prose", fail)
    name = type(error).__name__
    with pytest.raises(CannotRead, match=rf"^reading it as txt failed \({name}\)$"):
        list(read("10.1000/1", "txt", Options()))


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_what_is_no_fault_of_the_file_is_not_taken_for_one(error, monkeypatch):
    def fail(text, options):
        raise error

    monkeypatch.setattr("doilinks.sources.common.read_prose", fail)
    with pytest.raises(error):
        list(read("10.1000/1", "txt", Options()))


@pytest.mark.parametrize(
    "kind", ["md", "rst", "html", "txt", "tex", "adoc", "typ", "rd", "dcf", "citation"]
)
def test_options_count(kind):
    text = "See 10.1000/1, doi:10.1000/2 and doi:10.5555/3."
    assert names(text, kind) == ["10.1000/1", "10.1000/2", "10.5555/3"]
    assert names(text, kind, bare=False) == ["10.1000/2", "10.5555/3"]
    assert names(text, kind, ignore=[r"10\.5555/"]) == ["10.1000/1", "10.1000/2"]


# What is not closed: it ends with its paragraph, or it goes on to the end.
UNCLOSED = {
    "adoc": [
        "pass:[a", "+++a", "`a", "++a", "<<a", "[[a", "https://a.org[b", "link:b[", "image::a[",
        "|===", "[source]",
    ],
    "tex": [
        "\\href{https://doi.org/10.1000/1", "\\url{", "\\doi{10.1000/1", "\\cite[",
        "\\verb|10.1000/1", "{{{", "\\href{https://doi.org/10.1000/1}{here", "\\item[",
        "\\verb{doi}\n\\verb", "\\", "}}}", "\\textless", "\\catcode`\\%=12 ", "\\href[a", "%",
    ],
    "typ": ['#link("https://a.org', '#link("a', "#f(", "[", "<a", "@a", "\\"],
    "rd": ["\\doi{", "\\url{a", "\\item[", "{{{", "}", "\\href{a}", "\\"],
}  # fmt: skip
ENDLESS = {
    "adoc": ["----", "....", "////", "++++", "```"],
    "tex": ["\\begin{verbatim}", "\\begin{minted}", "\\begin{comment}"],
    "typ": ["`", "```", "````\n```", "/*", "/* /* */"],
    "rd": ["\\code{", "\\href{a}{", "\\examples{"],
}


def rows_of(table):
    return [(kind, text) for kind, texts in table.items() for text in texts]


@pytest.mark.parametrize(("kind", "broken"), rows_of(UNCLOSED))
def test_what_is_not_closed_ends_with_its_paragraph(kind, broken):
    found = names(f"{broken}\n\nSee doi:10.1000/2.\n", kind)
    assert found == (["10.1000/1"] * ("10.1000/1" in found)) + ["10.1000/2"]


@pytest.mark.parametrize(("kind", "begin"), rows_of(ENDLESS))
def test_what_is_not_shown_goes_on_to_the_end(kind, begin):
    assert names(f"10.1000/1\n\n{begin}\n10.1000/2\n\n10.1000/3\n", kind) == ["10.1000/1"]


@pytest.mark.parametrize(
    ("kind", "text", "at", "written", "count"),
    [
        ("cff", "references:\n- doi: to appear\n- doi: ''\n- {doi: [10.1000/1], url: 10.1000/2}\n", "2:8", "to%20appear", 0),
        ("json", '{"doi": "10.x", "a": {"doi": ""}}', "1:10", "10.x", 0),
        ("r", 'bibentry("Misc",\n  doi = "in press")\n# doi:10.1000/1\n', "2:10", "in%20press", 1),
    ],
)  # fmt: skip
def test_a_doi_field_without_a_doi_is_reported(kind, text, at, written, count):
    said = []
    assert len(list(read(text, kind, Options(), "a", said.append))) == count
    assert said == [f"a:{at}: no DOI name: {written}"]


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        *(("ipynb", text, "not a notebook") for text in ("", "{", "[]", "{}", '{"cells": 3}', "[" * 100_000)),
        ("json", '{"doi": "10.1000/1",}', "^not JSON "),
        ("json", "10.1000/1", "^not JSON "),
        ("json", '{"a": "10.1000/1", "b": ' + "[" * 100_000, "^nested too deeply$"),
        ("cff", "doi: 10.1000/1\ntitle: a: b\n", r"^not YAML \(mapping values are not allowed here, line 2\)$"),
        ("cff", "doi: *a\nurl: 10.1000/1", r"^not YAML \(found undefined alias 'a', line 1\)$"),
        ("cff", "doi: 10.1000/1\n--- \n", r"^not YAML \(but found another document, line 2\)$"),
        ("cff", "doi: 10.1000/1\0", r"^not YAML \(it contains a control character\)$"),
        ("cff", "doi: 10.1000/1\nurl: " + "[" * 1000, r"^nested too deeply$"),
    ],
)  # fmt: skip
def test_what_is_no_file_of_its_type_is_an_error(kind, text, why):
    with pytest.raises(CannotRead, match=why):
        list(read(text, kind, Options()))


def test_remarks_come_along():
    (found,) = read("A https://doi.org/10.5555/a#b", "md", Options())
    assert [remark.code for remark in found.remarks] == ["test-prefix", "url-fragment"]
    (found,) = read("[A](https://doi.org/10.1000/a#b)", "md", Options())
    assert [remark.code for remark in found.remarks] == ["url-fragment"]
    (found,) = read("*See* doi:10.1000/ab).", "rst", Options())
    assert [remark.code for remark in found.remarks] == ["cut-bracket"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("tex", r"\href{https://doi.org/10.1000/1}{doi:10.1000/a\_2}"),
        ("typ", r'#link("https://doi.org/10.1000/1")[10.1000\/a_2]'),
    ],
)
def test_a_link_whose_text_names_another_work_says_so(kind, text):
    (found,) = read(text, kind, Options())
    assert found.other.name == "10.1000/a_2"


@pytest.mark.parametrize("role", ["doi:cite", "doi:cite:t", "DOI:Cite", "doi:citep"])
def test_the_roles_that_cite_count(role):
    text = f"So :{role}:`see 10.1000/182, p. 3; 10.1000/183`.\n"
    at = text.index("10.")
    assert rows(text, "rst") == [
        ("10.1000/182", 1, at + 1, "cite"),
        ("10.1000/183", 1, text.index("10.1000/183") + 1, "cite"),
    ]
    assert rows(text, "rst", ignore=["10.1000/18"]) == []
    text = f"So {{{role.lower()}}}`see @doi:10.1000/182, p. 3; 10.1000/183`.\n"
    assert names(text, "md") == ["10.1000/182", "10.1000/183"]
    assert names(text, "md", cite=True) == ["10.1000/182", "10.1000/183"]
    assert names(f":{role}:`no name at all, not in doi:`\n", "rst") == []


@pytest.mark.parametrize(
    ("kind", "written"), [("tex", r"10.1000/a\cmd b"), ("rd", r"10.1000/a\ldots{}b")]
)
def test_a_name_that_a_command_cuts_is_told(kind, written):
    cut, prose = read(f"\\doi{{{written}}}, 10.1000/b\\par c", kind, Options())
    assert (cut.doi.name, [each.code for each in cut.remarks]) == ("10.1000/a", ["cut-command"])
    assert (prose.doi.name, prose.remarks) == ("10.1000/b", ())
