"""Pages before and after, as the Markdown files beside this one list them, and pages made by chance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from markdown_it import MarkdownIt

from doilinks.core.markup import unescape
from doilinks.core.options import Options
from doilinks.tools.pages import link_page
from doilinks.tools.pages.proof import keeps_text

from ..tools.documents import DOCS, FENCE
from ..tools.fixtures import dotted
from ..tools.hosts import replaced
from ..tools.programs import tool
from ..tools.proof import number, sample
from .trees import IN_BROWSER, marked, odd_page

CHROMIUM = tool("chromium", "pages are not read by a browser", "chromium-browser", "google-chrome")
OPTIONS = Options()


class Case(NamedTuple):
    title: str
    before: str
    after: str


CASES = [
    Case(title, before, after or before)
    for path in sorted(Path(__file__).parent.glob("*.md"))
    for _, [title], before, after in dotted(path)
]


def linked(page: str, options: Options = OPTIONS, *, xml: bool = False) -> str:
    return replaced(page, link_page(page, options, xml=xml).edits)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_a_case(case):
    assert linked(case.before) == case.after
    assert linked(case.after) == case.after


def test_the_page_before_and_after_in_the_guide():
    guide = (DOCS / "howto" / "html.md").read_text(encoding="utf-8")
    before, after = (found[4] for found in FENCE.finditer(guide) if found[3] == "html")
    assert linked(before) == after


# html5lib reads a template as any other element.
TEMPLATES = {
    "<p>10.1000/1<template><table><tr><td>10.1000/2</template>10.1000/3</p>": 2,
    "<button><template></button>10.1000/1</template></template>10.1000/2</button>10.1000/3": 1,
    "<template><template><object></template></object>10.1000/1</template>10.1000/2": 1,
    "<p></template><code></template></code>10.1000/1": 1,
}


@pytest.mark.parametrize("page", TEMPLATES)
def test_the_end_of_a_template_ends_whatever_is_open_in_it(page):
    edits = link_page(page, OPTIONS).edits
    assert len(edits) == TEMPLATES[page]
    assert "10.1000/3" not in page or edits[-1][0] == page.index("10.1000/3")


def test_a_page_in_xml():
    page = "<p><code/>10.1000/1 <![CDATA[10.1000/2 <a href='doi:10.1/2'/>]]> 10.1000/3</p>"
    assert linked(page, xml=True) == page.replace(
        "10.1000/1", '<a class="doi" href="https://doi.org/10.1000/1">doi:10.1000/1</a>'
    ).replace("10.1000/3", '<a class="doi" href="https://doi.org/10.1000/3">doi:10.1000/3</a>')
    page = '<p><a href="http://dx.doi.org/10.1000/1"><![CDATA[10.1000/1]]></a></p>'
    wanted = '<p><a class="doi" href="https://doi.org/10.1000/1"><![CDATA[10.1000/1]]></a></p>'
    assert linked(page, xml=True) == wanted


NEW = '<a class="doi" href="https://doi.org/10.1000/3">doi:10.1000/3</a>'
XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'


@pytest.mark.parametrize(
    "page",
    [
        # A declaration, the text that stands for it, and another one of which nothing is read.
        (
            '<!DOCTYPE html [<!ENTITY e "<p>10.1000/1</p>"><!ENTITY f SYSTEM "f">]>'
            f"<html {XHTML}><body>&e;&f;<p>@&nbsp;&eacute;</p></body></html>"
        ),
        (
            f"<html {XHTML} xmlns:m='http://www.w3.org/1998/Math/MathML' xmlns:dc='x'><m:math><m:mi>"
            "10.1000/1</m:mi></m:math><dc:identifier>10.1000/2</dc:identifier><p>é漢 @</p></html>"
        ),
        # A new element would be in no namespace.
        f"<h:p xmlns:h='{XHTML[7:-1]}'>10.1000/1 <h:a href='doi:10.1000/2'>it</h:a></h:p>",
        "<p>10.1000/1<br></p>",
    ],
)
def test_what_xml_says_of_a_page_in_xml(page):
    assert linked(page.replace("@", "10.1000/3"), xml=True) == page.replace("@", NEW)


def test_names_that_stay_are_named():
    found = link_page("<p>10.1000/<span>182</span> and doi:10.1000/1<!-- x -->83</p>", OPTIONS)
    assert [doi.uri for doi in found.left] == ["doi:10.1000/182", "doi:10.1000/183"]
    assert found.edits == []


def test_what_is_done_is_counted():
    found = link_page("<p>10.1000/1 <a href='doi:10.1000/2'>it</a> doi:10.1000/3</p>", OPTIONS)
    assert (found.new, found.changed, found.left) == (2, 1, ())
    assert link_page("<p>Nothing.</p>", OPTIONS) == ([], 0, 0, (), "")


def test_a_page_stays_whose_text_would_be_another_one(monkeypatch):
    def one_piece(text, start, end):
        found = re.search("&[a-z]+", text[start:end])
        return [(start + found.start(), start + found.end(), unescape(found[0]))] if found else []

    monkeypatch.setattr("doilinks.sources.html.references", one_piece)
    found = link_page("<p>b&nbspdoi:10.1000/1", OPTIONS)
    assert (found.edits, found.trouble) == ([], "more than its links would change")
    assert link_page("<p>b&nbsp;doi:10.1000/1", OPTIONS).trouble == ""


@pytest.mark.parametrize(
    ("page", "edit", "seen", "shown", "keeps"),
    [
        ("a doi:1", (2, 7, "<a>doi:1</a>"), "doi:1", "doi:1", True),
        ("a&ltdoi:1", (4, 9, "<a>doi:1</a>"), "doi:1", "doi:1", True),
        ("a&ltdoi:1", (1, 9, "<a>doi:1</a>"), "doi:1", "doi:1", False),
        ("a&am1", (4, 5, "<a>p;1</a>"), "1", "p;1", False),
        ("a&lt1", (3, 5, "<a>1</a>"), "1", "1", False),
        ("a 1 b", (2, 3, "<a>1 b</a>"), "1", "1", False),
        ("<p title=1>b", (9, 10, "<a>2</a>"), "1", "2", False),
    ],
)  # fmt: skip
def test_what_links_replace_is_all_that_differs(page, edit, seen, shown, keeps):
    assert keeps_text(page, [edit], [(*edit[:2], seen, shown)]) is keeps


def test_options_count():
    page = '<p>10.1000/182, <a href="http://dx.doi.org/10.1000/182">10.1000/182</a></p>'
    shown = linked(page, Options(display="url", css_class="", urls="target", bare=False))
    assert shown == page.replace("http://dx.", "https://")
    assert linked(page, Options(ignore=(r"10\.1000/.*",))) == page


def test_the_text_of_a_link_to_a_publisher_is_what_a_second_run_would_show():
    page = "<p>DOI: <a href='https://zenodo.org/record/1'>{}</a></p>"
    link = "<a class=\"doi\" href='https://doi.org/10.5281/zenodo.1'>{}</a></p>"
    for text, wanted in (
        ("10.5281/zenodo.1", f"<p>{link.format('doi:10.5281/zenodo.1')}"),
        ("https://zenodo.org/record/1", f"<p>{link.format('doi:10.5281/zenodo.1')}"),
        ("our data", f"<p>DOI: {link.format('our data')}"),
    ):
        options = Options(publisher_urls="link")
        assert linked(page.format(text), options) == wanted
        assert linked(wanted, options) == wanted


# A text between two tags, which may also be code, a script or a title.
_TEXT = re.compile(r">([^<>]{4,}?) ([^<>]*)<")


def with_names_between_tags():
    """Pages of our own documentation."""
    markdown = MarkdownIt("gfm-like", {"linkify": False})
    files = sorted(DOCS.rglob("*.md"))
    for path in sample("pages of the documentation", "between tags", files, one_in=8):
        page = markdown.render(path.read_text("utf-8"))
        yield _TEXT.sub(r">\1 10.1000/182, DOI: 10.1000/a#b. \2<", page)


def test_a_second_run_changes_nothing():
    """Of a page with misplaced tags it may be sure of what the first one was not, and a third one is not."""
    odd = [odd_page(seed) for seed in range(number("odd pages", "read again", 4000, one_in=40))]
    again = 0
    for page in (*odd, *with_names_between_tags()):
        if not any(each in page for each in ("<noscript", "<svg", "<math", "<frameset")):
            once = linked(page)
            twice = linked(once)
            again += once != twice
            assert linked(twice) == twice, page
    assert again <= len(odd) // 500


def test_of_what_a_browser_reads_only_links_change():
    from playwright.sync_api import sync_playwright

    pages = [odd_page(seed) for seed in range(number("odd pages", "a browser", 4000, one_in=80))]
    pages += [*TEMPLATES, *(case.before for case in CASES), *with_names_between_tags()]
    both = [marked(page, link_page(page, OPTIONS).edits) for page in pages]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        tab = chromium.new_page()
        read: list[str] = []
        for at in range(0, len(both), 50):  # of many pages at once, each takes longer
            read += tab.evaluate(IN_BROWSER, [page for pair in both[at : at + 50] for page in pair])
        chromium.close()
    for (before, _), one, other in zip(both, read[::2], read[1::2], strict=True):
        assert one == other, before
