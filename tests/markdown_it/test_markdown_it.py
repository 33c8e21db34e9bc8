"""The markdown-it-py plug-in beside its host's presets and other plug-ins."""

import re

import html5lib
import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.attrs import attrs_plugin

from doilinks.core.options import InvalidOption
from doilinks.markdown_it import doi_plugin

from ..hosts.test_names import SETTINGS
from ..tools.hosts import MarkdownIt as Host
from ..tools.links import html_links
from ..tools.versions import since

DESCRIPTIONS = {
    "at 10.1000/a_b_c, <doi:10.1000/2>": "at 10.1000/a_b_c, &lt;doi:10.1000/2&gt;",
    "[10.1000/a_b_c](u) there": "10.1000/a_b_c there",
    "a ![10.1000/a_b_c](v) there": "a 10.1000/a_b_c there",
    "10.1000/182{onclick=x}": "10.1000/182{onclick=x}",
}


@pytest.mark.parametrize("written", DESCRIPTIONS)
def test_the_description_of_an_image_keeps_its_names(written):
    html = MarkdownIt().use(doi_plugin).render(f"![{written}](w) 10.1000/182")
    assert f'<img src="w" alt="{DESCRIPTIONS[written]}" />' in html


def test_env_is_there_without_dois_and_is_new_for_each_document():
    md = MarkdownIt().use(doi_plugin)
    first, second = {}, {}
    md.render("10.1000/182", first)
    md.render("nothing", second)
    assert len(first["dois"]) == 1
    assert second["dois"] == []


@since("mdit-py-plugins", "0.5", "it has no gfm_autolink")
def test_beside_another_plugin_that_stops_at_a_letter():
    from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

    md = MarkdownIt().use(gfm_autolink_plugin).use(doi_plugin)
    assert html_links(md.render("at www.example.org and 10.1000/182")) == [
        ("www.example.org", "http://www.example.org"),
        ("doi:10.1000/182", "https://doi.org/10.1000/182"),
    ]
    text = "www.example.org,doi:10.1000/1 or https://example.org/ä、doi:10.1000/2"
    assert html_links(md.render(text)) == [
        ("www.example.org", "http://www.example.org"),
        ("doi:10.1000/1", "https://doi.org/10.1000/1"),
        ("https://example.org/ä、", "https://example.org/%C3%A4%E3%80%81"),
        ("doi:10.1000/2", "https://doi.org/10.1000/2"),
    ]


@pytest.mark.parametrize("host", [each for each in SETTINGS.values() if isinstance(each, Host)])
def test_a_link_whose_text_has_a_url_stays_a_link(host):
    url = "https://doi.org/10.1000/182"
    for text in ("https://example.org", "at https://example.org"):
        [page] = host.pages([f"See [{text}]({url})."], {})
        assert html_links(page) == [(text, url)]


@pytest.mark.parametrize(
    ("before", "linked"),
    [
        # Where linkify ends a URL.
        ("参见 https://example.org/W27、", [("https://example.org/W27、", "https://example.org/W27%E3%80%81")]),
        ("See example.org#", [("example.org", "http://example.org")]),
        ("See mailto:a@b.org-", []),
    ],
)  # fmt: skip
def test_a_url_that_the_host_links_ends_before_a_name(before, linked):
    text = f"{before}doi:10.1000/182 和 https://example.org/a b"
    [page] = SETTINGS["gfm-like, linkify, typographer"].pages([text], {})
    assert html_links(page) == [
        *linked,
        ("doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("https://example.org/a", "https://example.org/a"),
    ]


@pytest.mark.parametrize(
    ("given", "classes"), [(".doi", "doi ext"), (".note .ext", "note ext doi")]
)
def test_each_class_stands_on_a_link_once(given, classes):
    md = MarkdownIt().use(attrs_plugin).use(doi_plugin, css_class="doi ext doi")
    [found] = re.findall('class="([^"]*)"', md.render(f"[x](doi:10.1000/182){{{given}}}"))
    assert sorted(found.split()) == sorted(classes.split())


@pytest.mark.parametrize("name", ["10.1000/a", "<10.1000/a>", "10.1000/<a::b>"])
@pytest.mark.parametrize(
    "given",
    ["{.c #i}", "{style=x}", "{.x}{style=x}", """{title="\\" lang='" style="x" %'}"""],
)
def test_a_list_after_a_name_stays_text(name, given):
    md = MarkdownIt().use(attrs_plugin).use(doi_plugin, display="source")
    html = html5lib.parseFragment(md.render(f"See {name}{given}."), namespaceHTMLElements=False)
    (a,) = html.iter("a")
    assert a.attrib == {"class": "doi", "href": a.get("href")}
    assert a.tail == given.replace("\\", "") + "."


def test_wrong_options_are_named():
    with pytest.raises(InvalidOption) as caught:
        MarkdownIt().use(doi_plugin, display="nmae", proxi="x")
    message = str(caught.value)
    assert "display: takes one of 'uri', 'legible', 'url', 'name', 'source', got 'nmae'" in message
    assert "proxi: there is no such option (did you mean proxy?)" in message


@pytest.mark.parametrize(
    "written",
    [
        "[a](https://e.org/){.10.1000/a=b #i2}",
        "![a](b.png){title=10.1000/a=b}",
        '[a](https://e.org/){title="10.1000/a\\_b&amp;c"}',
    ],
)
def test_a_list_of_attributes_is_one_only_as_its_author_wrote_it(written):
    """With a word in the place of a name, a list could become valid."""
    without = MarkdownIt().use(attrs_plugin).render(written)
    with_links = MarkdownIt().use(attrs_plugin).use(doi_plugin, display="source").render(written)
    assert re.sub(r'<a class="doi"[^>]*>(.*?)</a>', r"\1", with_links) == without
