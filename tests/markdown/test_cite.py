"""Works in Python-Markdown: beside its extensions, and in the elements that it makes."""

import re

import pytest
from markdown import Markdown, markdown

from doilinks.markdown import DoiExtension

from ..tools.works import WORKS, lock

pytestmark = pytest.mark.usefixtures("works_here")


def shown(text, *extensions, **options):
    """The HTML of a text, in which works are cited."""
    return markdown(text, extensions=[*extensions, DoiExtension(cite=True, **options)])


@pytest.mark.parametrize("text", [r"\@doi:10.1000/182 and me\@example.org", r"# \@doi:10.1000/182"])
def test_an_escaped_sign_is_shown_without_the_backslash(text):
    html = shown(text, "toc")
    assert "\\" not in html
    assert "@doi:10.1000/182" in html
    assert "<a " not in html
    assert r"\@doi" in markdown(text, extensions=["doilinks"])


def test_attribute_lists_win_and_classes_stay():
    text = '[a](doi:10.1000/a_b){.note title="mine"}'
    link = '<a class="note doi doi-retracted" href="https://doi.org/10.1000/a_b" title="mine">a</a>'
    assert shown(text, "attr_list", hover=True) == f"<p>{link}</p>"


def test_a_list_of_references():
    """As it is written; other hosts are compared with it."""
    text = "@doi:10.1000/182, 10.1000/183 and @doi:10.1000/182; @doi:10.1000/x\n\n[doi-list]\n"
    assert shown(text) == (
        '<p><a class="doi doi-cite" href="#doi-10-1000-182" id="at-doi-10-1000-182-1">'
        'Paskin (2000)</a>, <a class="doi" href="https://doi.org/10.1000/183" '
        'id="at-doi-10-1000-183-1">doi:10.1000/183</a> and '
        '<a class="doi doi-cite" href="#doi-10-1000-182" id="at-doi-10-1000-182-2">'
        'Paskin (2000)</a>; <a class="doi" href="https://doi.org/10.1000/x" '
        'id="at-doi-10-1000-x-1">doi:10.1000/x</a></p>\n'
        '<div class="doi-list" role="doc-bibliography">\n<ul>\n'
        '<li id="doi-10-1000-183">Paskin, N. (2000). <i>Another</i>. '
        '<a class="doi" href="https://doi.org/10.1000/183">doi:10.1000/183</a> '
        '<a aria-label="Back to the text" class="doi-back" href="#at-doi-10-1000-183-1">↩</a>'
        '</li>\n<li id="doi-10-1000-182">Paskin, N. (2000). <i>DOI Handbook</i>. '
        '<a class="doi" href="https://doi.org/10.1000/182">doi:10.1000/182</a> ↩ '
        '<a aria-label="Back to the text, 1" class="doi-back" href="#at-doi-10-1000-182-1">1</a> '
        '<a aria-label="Back to the text, 2" class="doi-back" href="#at-doi-10-1000-182-2">2</a>'
        '</li>\n<li id="doi-10-1000-x">'
        '<a class="doi" href="https://doi.org/10.1000/x">doi:10.1000/x</a> '
        '<a aria-label="Back to the text" class="doi-back" href="#at-doi-10-1000-x-1">↩</a>'
        "</li>\n</ul>\n</div>"
    )


def test_headings_footnotes_and_tables():
    md = Markdown(extensions=["extra", "toc", "admonition", DoiExtension(cite=True)])
    html = md.convert(
        "# On @doi:10.1000/182\n\nA[^1]\n\n[^1]: [@doi:10.1000/183]\n\n"
        "!!! note\n    @doi:10.1000/a_b\n\n| a | b |\n|---|---|\n| [@doi:10.1000/182] | c |\n\n"
        "* x\n\n  [doi-list]\n"
    )
    assert md.toc_tokens[0]["name"] == "On Paskin (2000b)"
    assert md.toc_tokens[0]["id"] == "on-doi101000182"
    assert html.count("doi-cite") == 4
    assert [found.doi.suffix for found in md.dois] == ["182", "a_b", "182", "183"]
    assert {*re.findall(r'href="#([^"]*)"', html)} <= {*re.findall(r'id="([^"]*)"', html)}


def test_what_is_shown_is_not_compared_with_the_work_itself():
    md = Markdown(extensions=[DoiExtension(cite=True)])
    md.convert("As @doi:10.1000/182 says, after 10.1000/183.")
    blocks = [found.block for found in md.dois]
    assert blocks == [None, "As doi:10.1000/182 says, after doi:10.1000/183."]


PLACES = ["a [doi-list]", "# [doi-list]", "`[doi-list]`", "    [doi-list]", "[doi-lists]"]


@pytest.mark.parametrize("text", PLACES)
def test_the_place_of_a_list(text):
    html = shown(f"@doi:10.1000/182\n\n{text}")
    assert "[doi-list" in html
    assert "doc-bibliography" not in html


@pytest.mark.parametrize(
    "text",
    [
        "@doi:10.1000/182{}", "[@doi:10.1000/182]{}", "[@doi:10.1000/182{}]",
        "@doi:10.1000/a_, @doi:10.1000/b_{}", "[@doi:10.1000/a_], [@doi:10.1000/b_]{}",
    ],
)  # fmt: skip
def test_lists_of_attributes_that_could_harm_stay_text(text):
    html = shown(text.replace("{}", "{onclick=alert(1)}"), "attr_list", "extra")
    assert not re.search(r"<[^<>]*onclick", html), html


def test_the_id_of_a_heading_does_not_depend_on_a_record(works_here):
    text = "# On [@doi:10.1000/182]\n\n# On [@doi:10.1000/182]\n\n# Own @doi:10.1000/182 {#own}\n"
    for works in (WORKS, {}):
        lock(works_here, works)
        ids = re.findall('<h1 id="([^"]*)"', shown(text, "extra", "toc"))
        assert ids == ["on-doi101000182", "on-doi101000182_1", "own"]
