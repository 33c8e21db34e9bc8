"""Hosts show the same works in the same words: citations, lists, anchors and messages."""

import json
import logging
import re
from html.parser import HTMLParser

import pytest

docutils = pytest.importorskip("docutils.core")
markdown = pytest.importorskip("markdown")
markdown_it = pytest.importorskip("markdown_it")

WORKS = {
    "182": {"title": "DOI Handbook", "author": [["Paskin", "Norman"]], "year": 2000},
    "bad": {"title": "A study", "author": [["Young", "CD"]], "year": 1998, "status": "retracted"},
    "one": {"title": "One", "author": [["Ångström", "A."]], "year": 2001, "container": "Journal"},
    "two": {"title": "Two", "author": [["Ångström", "A."]], "year": 2001, "container": "Journal"},
    "alone": {"title": "Costs of $5 and $6"},
}
ALIAS = "doi:10.1000/alias"
TEXT = (
    "As @doi:10.1000/182 [p. 3] says [see @doi:10.1000/two, p. 4; @doi:10.1000/one].\n"
    "Of doi:10.1000/bad, [@doi:10.1000/bad], @doi:10.1000/alone and @doi:10.1000/none.\n"
    "Also [@doi:10.1000/alias] and -@doi:10.1000/alias.\n\n"
)
# Attributes of which hosts have others; and those that say where a link leads to.
OWN = {"reference", "external", "internal", "simple", "docutils", "container", "compact", "arabic"}
OWN |= {"mathjax_ignore", "tex2jax_ignore"}
SHOWN = ("id", "href", "title", "role", "aria-label")
TAGS = {"em": "i", "strong": "b"}


class Page(HTMLParser):
    """What a page shows, as a text in which hosts should not differ."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag in ("a", "div", "ol", "ul", "li", "i", "b", "em", "strong"):
            given = {name: value for name, value in attrs if name in SHOWN}
            given["class"] = sorted({*(dict(attrs).get("class") or "").split()} - OWN)
            self.said.append(f"<{TAGS.get(tag, tag)} {sorted(given.items(), key=str)}>")

    def handle_endtag(self, tag):
        if tag in ("a", "i", "b", "em", "strong"):
            self.said.append(f"</{TAGS.get(tag, tag)}>")

    def handle_data(self, data):
        if self.said and self.said[-1][:1] != "<":
            data = self.said.pop() + data
        self.said.append(data)


def page_of(html: str) -> list[str]:
    page = Page()
    page.feed(html[html.index("As ") :].partition("</main>")[0])
    return [" ".join(each.split()) for each in page.said if each.strip()]


def by_markdown(text: str, options) -> str:
    return markdown.markdown(text, extensions=["doilinks"], extension_configs={"doilinks": options})


def by_markdown_it(text: str, options) -> str:
    from doilinks.markdown_it import doi_plugin

    return markdown_it.MarkdownIt().use(doi_plugin, **options).render(text)


def by_docutils(text: str, options) -> str:
    from docutils.writers import get_writer_class

    from doilinks.docutils import Parser

    marker, _, order = text.splitlines()[-1].strip("[]").partition(" order=")
    text = text.rpartition("[")[0] + f".. {marker}::\n" + (f"   :order: {order}\n" if order else "")
    settings = {f"doi_{name}": value for name, value in options.items()}
    return docutils.publish_string(
        text,
        parser=Parser(),
        writer=get_writer_class("html5")(),
        settings_overrides={**settings, "output_encoding": "unicode", "embed_stylesheet": False},
    )


@pytest.fixture
def lock(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    works = {f"doi:10.1000/{key}": {"fetched": "2026-11-20", **each} for key, each in WORKS.items()}
    found = {ALIAS: {"checked": "2026-11-20", "alias": "doi:10.1000/182"}}
    (tmp_path / "doi-lock.json").write_text(
        json.dumps({"version": 1, "found": found, "works": works})
    )


@pytest.mark.parametrize("order", ["names", "places", "years"])
@pytest.mark.parametrize("hover", [True, False])
def test_hosts_show_the_same(lock, order, hover, caplog, capsys):
    text = f"{TEXT}[doi-list order={order}]"
    options = {"cite": True, "hover": hover}
    with caplog.at_level(logging.WARNING):
        expected = page_of(by_markdown(text, options))
        assert page_of(by_markdown_it(text, options)) == expected
        assert page_of(by_docutils(text, options)) == expected
    # A name that stands for another one is the same work.
    assert "#doi-10-1000-alias" not in str(expected)
    assert expected.count("Paskin [1, p. 3]" if order == "places" else "Paskin, 2000") == 1
    said = "the work of doi:10.1000/none is not in doi-lock.json: run doilinks works --fetch"
    every = caplog.text + capsys.readouterr().err
    assert every.count(said + " [doi-cite]") == 3


MARKUP = [
    ("[see *also* @doi:10.1000/182, p. 3]", "(see <i>also</i> Paskin, 2000, p. 3)"),
    (
        "[**cf.** @doi:10.1000/182, *ibid*.; _or_ @doi:10.1000/bad]",
        "(<b>cf.</b> Paskin, 2000, <i>ibid</i>.; <i>or</i> Young, 1998, retracted)",
    ),
    (r"[\*see\* @doi:10.1000/182]", "(*see* Paskin, 2000)"),
    ("[*see @doi:10.1000/182, p*. 3]", "(<i>see Paskin, 2000, p</i>. 3)"),
    ("[see 10.1000/183, @doi:10.1000/182]", "(see 10.1000/183, Paskin, 2000)"),
]


@pytest.mark.parametrize(("text", "expected"), MARKUP)
def test_words_around_a_work_have_markup(lock, text, expected):
    """In Markdown. In reStructuredText the brackets stay, and the name is a citation of its own."""
    for by_host in (by_markdown, by_markdown_it):
        said = [each for each in page_of(by_host(f"As {text}", {"cite": True})) if "<a" not in each]
        shown = "".join(re.sub("<(/?[a-z]+).*>", r"<\1>", each) for each in said)
        assert shown.replace("</a>", "").replace(" ", "") == f"As{expected}".replace(" ", "")
