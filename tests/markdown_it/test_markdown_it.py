"""The markdown-it-py plug-in beside its host's presets and other plug-ins."""

import re

import html5lib
import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from doilinks import DOI
from doilinks.core.options import InvalidOption, tell_no_check
from doilinks.markdown_it import doi_plugin

from ..tools.links import html_links
from ..tools.odd_names import CONTEXTS, NAMES
from ..tools.untouched import UNTOUCHED
from ..tools.versions import since


def preset(name, *, linkify=False, typographer=False):
    md = MarkdownIt(name, {"linkify": linkify, "typographer": typographer}).enable("table")
    if linkify:
        md.enable("linkify")
    if typographer:
        md.enable(["replacements", "smartquotes"])
    return md


PRESETS = {
    "commonmark": preset("commonmark"),
    "commonmark, linkify, typographer": preset("commonmark", linkify=True, typographer=True),
    "default": preset("default"),
    "js-default": preset("js-default"),
    "js-default, linkify, typographer": preset("js-default", linkify=True, typographer=True),
    "gfm-like": preset("gfm-like"),
    "gfm-like, linkify, typographer": preset("gfm-like", linkify=True, typographer=True),
}
for each in PRESETS.values():
    each.use(footnote_plugin).use(deflist_plugin).use(doi_plugin)


def links(md, text):
    return [link for link in html_links(md.render(text)) if not link[1].startswith("#")]


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("name", PRESETS)
def test_odd_names_survive(name, context):
    md = PRESETS[name]
    for each in NAMES:
        doi = DOI(each)
        assert links(md, CONTEXTS[context].format(each)) == [(doi.uri, doi.url)], each


@pytest.mark.parametrize("name", PRESETS)
def test_odd_names_as_link_text(name):
    md = PRESETS[name]
    for each in NAMES:
        doi = DOI(each)
        assert links(md, f"A [{each}]({doi.url}) b") == [(doi.uri, doi.url)], each
        assert links(md, f"A [the title]({doi.url}) b") == [("the title", doi.url)], each


@pytest.mark.parametrize("name", PRESETS)
def test_angle_brackets(name):
    md = PRESETS[name]
    for each in NAMES:
        doi = DOI(each)
        assert links(md, f"at <doi:{each}> here") == [(doi.uri, doi.url)], each


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


@pytest.mark.parametrize("text", UNTOUCHED)
def test_untouched(text):
    assert MarkdownIt().use(doi_plugin).render(text) == MarkdownIt().render(text)


def test_math_is_untouched():
    text = "$10.1000/182$ and\n\n$$\n10.1000/182\n$$"
    plain = MarkdownIt().use(dollarmath_plugin)
    assert MarkdownIt().use(dollarmath_plugin).use(doi_plugin).render(text) == plain.render(text)


def test_whole_page():
    md = MarkdownIt("commonmark").use(footnote_plugin).use(doi_plugin)
    env = {}
    html = md.render(
        "Intro.\n\nFirst\nDOI: 10.1000/a_b and\n<doi:10.1000/2>, [title](http://dx.doi.org/10.1000/3),\n"
        "![10.1000/alt](x.png).\n\n> 10.1000/4[^1]\n\n[^1]: doi:10.1000/5\n",
        env,
    )
    assert [(each.doi.name, each.line, each.form) for each in env["dois"]] == [
        ("10.1000/a_b", 4, "label"),
        ("10.1000/2", 5, "angle"),
        ("10.1000/3", 3, "link"),
        ("10.1000/4", 8, "bare"),
        ("10.1000/5", 10, "label"),
    ]
    assert '<a href="https://doi.org/10.1000/3" class="doi">title</a>' in html
    assert 'alt="10.1000/alt"' in html


def test_env_is_there_without_dois_and_is_new_for_each_document():
    md = MarkdownIt().use(doi_plugin)
    first, second = {}, {}
    md.render("10.1000/182", first)
    md.render("nothing", second)
    assert len(first["dois"]) == 1
    assert second["dois"] == []


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"10.1000/a\_b\*c", "10.1000/a_b*c"),
        (r"10.1002/x\<S29::AID\>3", "10.1002/x<S29::AID>3"),
        ("10.1002/x&lt;S29::AID&gt;3", "10.1002/x<S29::AID>3"),
        ("10.1000/a&amp;b", "10.1000/a&b"),
        ("10.1000/a&#35;b", "10.1000/a#b"),
        ("doi:\n10.1000/182", "10.1000/182"),
        ("10.1000/182`code`", "10.1000/182"),
        ("10.1000/182[^note]", "10.1000/182"),
        ("10.1000/182{.class}", "10.1000/182"),
        ("10.1000/182\\\nnext", "10.1000/182"),
    ],
)
def test_markup_in_and_beside_a_name(written, name):
    doi = DOI(name)
    assert links(MarkdownIt().use(doi_plugin), f"see {written} x") == [(doi.uri, doi.url)]


def test_a_label_at_the_end_of_a_line_is_swallowed():
    html = MarkdownIt().use(doi_plugin).render("See doi:\n10.1000/182 there.")
    assert html == (
        '<p>See <a class="doi" href="https://doi.org/10.1000/182">doi:10.1000/182</a> there.</p>\n'
    )


def test_keep_and_target():
    text = "[10.1000/1](http://dx.doi.org/10.1000/1) <https://dx.doi.org/10.1000/2> 10.1000/3"
    env = {}
    kept = html_links(MarkdownIt().use(doi_plugin, urls="keep").render(text, env))
    assert kept == [
        ("10.1000/1", "http://dx.doi.org/10.1000/1"),
        ("https://dx.doi.org/10.1000/2", "https://dx.doi.org/10.1000/2"),
        ("doi:10.1000/3", "https://doi.org/10.1000/3"),
    ]
    assert [found.doi.suffix for found in env["dois"]] == ["1", "2", "3"]
    target = html_links(MarkdownIt().use(doi_plugin, urls="target").render(text))
    assert target[:2] == [
        ("10.1000/1", "https://doi.org/10.1000/1"),
        ("https://dx.doi.org/10.1000/2", "https://doi.org/10.1000/2"),
    ]


@since("mdit-py-plugins", "0.5", "it has no gfm_autolink")
def test_beside_another_plugin_that_stops_at_a_letter():
    from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

    md = MarkdownIt().use(gfm_autolink_plugin).use(doi_plugin)
    assert links(md, "at www.example.org and 10.1000/182") == [
        ("www.example.org", "http://www.example.org"),
        ("doi:10.1000/182", "https://doi.org/10.1000/182"),
    ]
    text = "www.example.org,doi:10.1000/1 or https://example.org/ä、doi:10.1000/2"
    assert links(md, text) == [
        ("www.example.org", "http://www.example.org"),
        ("doi:10.1000/1", "https://doi.org/10.1000/1"),
        ("https://example.org/ä、", "https://example.org/%C3%A4%E3%80%81"),
        ("doi:10.1000/2", "https://doi.org/10.1000/2"),
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_a_link_whose_text_has_a_url_stays_a_link(name):
    url = "https://doi.org/10.1000/182"
    for text in ("https://example.org", "at https://example.org"):
        assert links(PRESETS[name], f"See [{text}]({url}).") == [(text, url)]


def test_a_url_that_the_host_links_ends_before_a_name():
    text = "参见 https://example.org/W27、doi:10.1000/182 和 https://example.org/a b"
    assert links(PRESETS["gfm-like, linkify, typographer"], text) == [
        ("https://example.org/W27、", "https://example.org/W27%E3%80%81"),  # where linkify ends it
        ("doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("https://example.org/a", "https://example.org/a"),
    ]


def test_attributes_join():
    md = MarkdownIt().use(attrs_plugin).use(doi_plugin, css_class="doi ref")
    html = md.render("[title](doi:10.1000/182){.note}")
    assert 'href="https://doi.org/10.1000/182"' in html
    assert "note" in html
    assert "doi ref" in html


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


def test_ignored_and_bare_names_stay_text():
    md = MarkdownIt().use(doi_plugin, bare=False, ignore=["10[.]5555/"])
    assert links(md, "10.1000/1, doi:10.5555/2 and doi:10.1000/3") == [
        ("doi:10.1000/3", "https://doi.org/10.1000/3")
    ]


def test_hostile_names_stay_inside_their_attribute():
    md = MarkdownIt("js-default").use(doi_plugin, display="name")
    html = md.render(
        """10.1000/x"onmouseover='a [t](<doi:10.1000/"><img src=x>) 10.1000/&quot;&gt;"""
    )
    assert "<img" not in html
    assert html.count('"') == 2 * html.count('="')


def test_twice_is_once():
    text = "DOI: 10.1000/a_b, <doi:10.1000/2>, [t](doi:10.1000/3) ![10.1000/4](x)"
    once = MarkdownIt().use(doi_plugin).render(text)
    assert (
        MarkdownIt().use(doi_plugin).use(doi_plugin).render(text).replace("doi doi", "doi") == once
    )


def test_wrong_options_are_named():
    with pytest.raises(InvalidOption) as caught:
        MarkdownIt().use(doi_plugin, display="nmae", proxi="x")
    message = str(caught.value)
    assert "display: takes one of 'uri', 'legible', 'url', 'name', 'source', got 'nmae'" in message
    assert "proxi: there is no such option (did you mean proxy?)" in message


@pytest.mark.parametrize(
    "piece", ["10.1000/a ", "a `", "10.1000/a`", "<code>10.1000/", "\\10.1", "["]
)
def test_long_texts_end(piece):
    html = MarkdownIt().use(doi_plugin).render(piece * 3000)
    assert html.startswith("<p>")


def test_used_twice_is_used_once():
    text = "10.1000/182, [a](doi:10.1000/182)"
    md, env = MarkdownIt().use(doi_plugin, display="name").use(doi_plugin), {}
    assert md.render(text, env) == MarkdownIt().use(doi_plugin).render(text)
    assert len(env["dois"]) == 2


def test_who_asks_for_a_check_is_told_that_there_is_none(caplog):
    tell_no_check.cache_clear()
    for _ in range(3):
        MarkdownIt().use(doi_plugin, check="warn")
    assert caplog.messages == ["doilinks: check: nothing is checked here: run `doilinks check`"]


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
