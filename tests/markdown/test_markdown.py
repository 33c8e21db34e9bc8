"""The Python-Markdown extension beside its host's other extensions."""

import re

import pytest
from markdown import Markdown, markdown
from markdown.inlinepatterns import InlineProcessor

from doilinks.core.options import InvalidOption
from doilinks.markdown import DoiExtension, makeExtension

from ..hosts.test_names import SETTINGS
from ..tools.links import html_links


@pytest.mark.parametrize(
    ("given", "classes"),
    [(".doi", "doi ext"), (".ext .note", "ext note doi"), ("class=note", "note doi ext")],
)
def test_each_class_stands_on_a_link_once(given, classes):
    extension = DoiExtension(css_class="doi ext doi")
    html = markdown(f"[x](doi:10.1000/182){{{given}}}", extensions=["attr_list", extension])
    assert re.findall('class="([^"]*)"', html) == [classes]


def test_table_of_contents_shows_the_name():
    md = Markdown(extensions=["toc", "doilinks"])
    md.convert("# On 10.1002/(SICI)1<S29::AID-HPM465>3.0.CO;2-V now\n")
    assert md.toc_tokens[0]["name"] == ("On doi:10.1002/(SICI)1%3CS29::AID-HPM465%3E3.0.CO;2-V now")


TO_ITSELF = '<a class="headerlink" href="#{}" title="Permanent link">&para;</a>'


@pytest.mark.parametrize(
    "heading",
    [
        "z.doi0x",
        "z&shy;doi0x",
        "\uff5adoi0x",
        "z*d*oi0x",
        "z[d](u)oi0x",
        "z<b>d</b>oi0x",
        "z`do`i0x",
    ],
)
def test_the_id_of_a_heading_is_no_mark(heading):
    md = Markdown(extensions=["toc", "doilinks"])
    html = md.convert(f"[TOC]\n\n# {heading}\n\nDOI: 10.1000/182")
    assert 'id="zdoi0x"' in html
    assert 'href="#zdoi0x"' in html


TOCLINK = '<a class="toclink" href="#{}">{}</a>'


@pytest.mark.parametrize("permalink", [False, True])
def test_a_heading_with_a_doi_is_no_link_to_itself(permalink):
    configs = {"toc": {"anchorlink": True, "permalink": permalink}}
    md = Markdown(extensions=["toc", "doilinks"], extension_configs=configs)
    doi = '<a class="doi" href="https://doi.org/10.1000/182">{}</a>'
    for text, inside in {
        "On doi:10.1000/182 now": f"On {doi.format('doi:10.1000/182')} now",
        "**10.1000/182** *b*": f"<strong>{doi.format('doi:10.1000/182')}</strong> <em>b</em>",
        "[x](https://doi.org/10.1000/182)": doi.format("x"),
    }.items():
        html = md.reset().convert(f"## {text}")
        own = TO_ITSELF.format(md.toc_tokens[0]["id"]) if permalink else ""
        assert html == f'<h2 id="{md.toc_tokens[0]["id"]}">{inside}{own}</h2>'
    own = TO_ITSELF.format("plain-b") if permalink else ""
    plain = TOCLINK.format("plain-b", "Plain <em>b</em>")
    assert md.reset().convert("## Plain *b*") == f'<h2 id="plain-b">{plain}{own}</h2>'


def test_found_in_document_order_and_reset():
    md = Markdown(extensions=["footnotes", "tables", "doilinks"])
    md.convert(
        "[t](doi:10.1000/1) *see 10.1000/2* 10.1000/3[^1]\n\n- 10.1000/4\n\n"
        "![10.1000/alt](x)\n\n[^1]: 10.1000/5"
    )
    assert [each.doi.suffix for each in md.dois] == ["1", "2", "3", "4", "5"]
    assert md.reset().dois == []
    md.convert("10.1000/6")
    assert [each.doi.suffix for each in md.dois] == ["6"]


def test_one_extension_in_two_instances():
    extension = DoiExtension(display="name")
    one, two = Markdown(extensions=[extension]), Markdown(extensions=[extension])
    assert html_links(one.convert("10.1000/1")) == [("10.1000/1", "https://doi.org/10.1000/1")]
    assert html_links(two.convert("10.1000/2")) == [("10.1000/2", "https://doi.org/10.1000/2")]
    assert [each.doi.suffix for each in one.dois] == ["1"]
    assert [each.doi.suffix for each in two.dois] == ["2"]


def test_wrong_options_are_named():
    with pytest.raises(InvalidOption, match=r"display: takes one of 'uri', .*, got 'nmae'"):
        markdown("", extensions=["doilinks"], extension_configs={"doilinks": {"display": "nmae"}})
    with pytest.raises(
        InvalidOption, match=r"proxi: there is no such option \(did you mean proxy\?\)"
    ):
        makeExtension(proxi="x")
    with pytest.raises(InvalidOption, match="bare: takes true or false"):
        DoiExtension().setConfig("bare", "perhaps")


def test_config_is_described():
    extension = DoiExtension(bare="no")
    assert extension.getConfig("bare") is False
    assert dict(extension.getConfigInfo())["bare"].startswith("Also link bare names")


@pytest.mark.parametrize("text", ["'{}'", '"{}"', '("{}")', "| '{}' |\n|--|\n| \"{}\" |", "{}'s"])
def test_quotes_around_a_name_are_those_around_a_word(text):
    extensions = ["smarty", "tables"]
    shown = re.sub(
        "</?a[^>]*>",
        "",
        markdown(text.replace("{}", "10.1000/182"), extensions=[*extensions, "doilinks"]),
    )
    assert shown == markdown(text.replace("{}", "doi:10.1000/182"), extensions=extensions)


@pytest.mark.parametrize(
    "text",
    [
        '[text](doi:10.1000/182){: title="10.1000/1" class="doi:10.1000/2" }',
        '[text](doi:10.1000/182){.x title="10.1000/1"}',
        "**bold**{title='doi:10.1000/1'} 10.1000/182",
        '# Title 10.1000/182 {title="10.1000/1"}',
        '[text](doi:10.1000/182){title="10.1000/a{b}c" .x}',
        "10.1000/182 **bold**{: title='doi:10.1000/a}b{c' }",
        '# Title 10.1000/182 {.x title="it\'s {10.1000/1}"}',
    ],
)
def test_a_name_in_a_list_of_attributes_is_none(text):
    html = markdown(text, extensions=["attr_list", "doilinks"])
    assert len(html_links(html)) == 1
    shown, titles = re.subn(' title="[^"]*"', "", html)
    assert titles == 1
    assert "{" not in shown


def test_a_name_in_a_link_of_the_host_is_none():
    url = "www.example.org/a;10.1000/182"
    html = markdown(f"See {url} there.", extensions=["pymdownx.magiclink", "doilinks"])
    assert html.count("<a ") == 1
    assert html_links(html) == [(url, f"http://{url}")]


LINK = '<a class="doi" href="https://doi.org/10.1000/a">doi:10.1000/a</a>'


@pytest.mark.parametrize("extensions", [["attr_list", "doilinks"], ["doilinks", "extra"]])
@pytest.mark.parametrize("name", ["10.1000/a", "<10.1000/a>", "<doi:10.1000/a>"])
@pytest.mark.parametrize(
    "given", ["{onclick=x}", "{.x onclick='x'}", "{: style=x}", "{.x}{style=x}", "{.note #a}"]
)
def test_a_list_after_a_name_stays_text(extensions, name, given):
    assert markdown(name + given, extensions=extensions) == f"<p>{LINK}{given}</p>"


def test_a_tag_in_a_value_is_no_way_out_of_it():
    html = markdown(
        """10.1000/a{title='<b x="onclick=alert(1) y=">'}""", extensions=["attr_list", "doilinks"]
    )
    assert html == f"""<p>{LINK}{{title='<b x="onclick=alert(1) y=">'}}</p>"""


@pytest.mark.parametrize(
    "text",
    [
        "# See {.b onclick=x} 10.1000/a",
        "a | b\n---|---\nSmith {et al.} 10.1000/a | See {onclick=x} *b* 10.1000/a",
        "See\n{onclick=x}10.1000/a", "See\n{onclick=x}10.1000/a and ![b](c)",
        "- See\n{onclick=x}10.1000/a, *b*\n    - c", "- See\n  {onclick=x}10.1000/a\n    - b",
        "a {x=y}\n: b {onclick=x} 10.1000/a",
    ],
)  # fmt: skip
def test_text_before_a_link_is_no_list(text):
    html = markdown(text, extensions=["extra", "doilinks"])
    assert LINK in html
    assert html.replace(LINK, "10.1000/a") == markdown(text, extensions=["extra"])


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**10.1000/a**{title=b}", f'<strong title="b">{LINK}</strong>'),
        ("_10.1000/a_{.c}", f'<em class="c">{LINK}</em>'),
        ("*see 10.1000/a there*{style=d:e}", f'<em style="d:e">see {LINK} there</em>'),
    ],
)
def test_emphasis_around_a_name_has_its_list(text, html):
    assert markdown(text, extensions=["extra", "doilinks"]) == f"<p>{html}</p>"


def test_raw_html_of_a_text_that_the_host_reads_twice():
    text = (
        'A[^1].\n\n[^1]: 10.1000/182 <code>10.1000/1</code> <a href="x">10.1000/2 *b*</a> 10.1000/a'
    )
    [page] = SETTINGS["PyMdown"].pages([text], {})
    assert [link for link in html_links(page) if link[1][0] != "#"] == [
        ("doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("10.1000/2 b", "x"),
        ("doi:10.1000/a", "https://doi.org/10.1000/a"),
    ]


@pytest.mark.parametrize("target", ["10.1000/(a", "10.1000/a(b)c))"])
def test_a_target_in_angle_brackets_is_the_hosts(target):
    written = f"[text](<{target}>) and [text](<{target}> 'title')"
    assert markdown(written, extensions=["doilinks"]) == markdown(written)


class Stash(InlineProcessor):
    """Keeps its text from the host, as plug-ins for formulas and keys do."""

    def handleMatch(self, m, data):  # noqa: N802  the host's name
        return self.md.htmlStash.store(f"<u>{m[1]}</u>"), m.start(0), m.end(0)


@pytest.mark.parametrize("priority", [190, 200])
def test_a_name_in_what_a_plug_in_keeps_for_itself_is_shown_as_it_was_written(priority):
    md = Markdown(extensions=["doilinks"])
    md.inlinePatterns.register(Stash(r"!!(.+?)!!", md), "stash", priority)
    html = md.convert("See !!of 10.1000/a_b&c now!! and 10.1000/a")
    assert html == f"<p>See <u>of 10.1000/a_b&amp;c now</u> and {LINK}</p>"


@pytest.mark.parametrize("name", ["10.1000/a&amp;b", "10.1002/x<S29::AID>3"])
def test_a_name_in_keys_is_shown_as_any_text_there(name):
    keys, text = "pymdownx.keys", f'++"{name}"++'
    assert markdown(text, extensions=[keys, "doilinks"]) == markdown(text, extensions=[keys])


def test_a_name_without_its_label_may_look_like_an_entity():
    html = markdown("**DOI:** 10.1000/a%26lt;b", extensions=["doilinks"])
    assert html.endswith(">10.1000/a&amp;lt;b</a></p>")
