"""Hosts show the same works in the same words: on hover, in citations, in lists, in messages.

What one host alone has is in its own ``test_cite.py``; hostile works are in ``tests/injection``, styles of CSL
and works by key in the files beside this one.
"""

import logging
import re
from functools import partial
from html import unescape
from html.parser import HTMLParser

import pytest
from docutils.core import publish_parts
from docutils.writers import get_writer_class
from markdown import Markdown
from markdown_it import MarkdownIt
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.footnote import footnote_plugin

from doilinks.docutils import Parser
from doilinks.markdown import DoiExtension
from doilinks.markdown_it import doi_plugin

from ..tools.projects import SHOWS
from ..tools.works import HANDBOOK, RETRACTED, WORKS, lock

pytestmark = pytest.mark.usefixtures("works_here")

NONE = (
    "the work of doi:10.1000/x is not in doi-lock.json: run doilinks works --fetch, "
    "or correct the name if it does not exist [doi-cite]"
)


def by_markdown(*extensions, **options):
    md = Markdown(extensions=[*extensions, DoiExtension(**options)])
    return lambda text: md.reset().convert(text)


def by_markdown_it(**options):
    md = MarkdownIt("commonmark", {"typographer": True}).enable(["table", "replacements", "smartquotes"])  # fmt: skip
    return md.use(footnote_plugin).use(attrs_plugin, spans=True).use(doi_plugin, **options).render


def by_docutils(**options):
    given = {f"doi_{name}": value for name, value in options.items()}
    given |= {"output_encoding": "unicode", "_disable_config": True}
    html = partial(publish_parts, parser=Parser(), writer=get_writer_class("html5")())
    return lambda text: html(as_rest(text), settings_overrides=given)["html_body"]


def as_rest(text):
    """The same in reStructuredText: a heading, a link, the place of a list."""
    text = re.sub(r"(?m)^# (.*)$", lambda head: f"{head[1]}\n{'=' * len(head[1])}", text)
    text = re.sub(r"(?<!\\)\[([^][]*)\]\((\S+)\)", r"`\1 <\2>`__", text)
    lists = re.sub(r"(?m)^\[doi-list(.*)\]$", r".. doi-list::\1", text)
    return re.sub(r" (\w+)=(\S+)$", r"\n   :\1: \2\n", lists)


BOTH = {"markdown": by_markdown, "markdown_it": by_markdown_it}
HOSTS = {**BOTH, "docutils": by_docutils}
EACH = pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
MARKDOWNS = {**BOTH, "extra": partial(by_markdown, "extra", "attr_list", "smarty")}


@pytest.fixture
def told(caplog, capsys):
    """What hosts have said since it was last asked, without what they put before a message."""
    caplog.set_level(logging.WARNING)

    def messages():
        lines = [*caplog.messages, *re.split(r"\n(?=<string>:)", capsys.readouterr().err.strip())]
        caplog.clear()
        return [re.sub(r"^(doilinks: |line \d+: |<string>:\d*: \(\w+/\d\) )*", "", each) for each in lines if each]  # fmt: skip

    return messages


def said(html):
    """What is read, with what is in italics or bold."""
    html = re.sub(r"<(/?)(em|strong|i|b)( [^>]*)?>", lambda tag: f"‹{tag[1]}{'bi'[tag[2] in ('em', 'i')]}›", html)  # fmt: skip
    text = re.sub("<[^<>]*>", "", html).replace("&#64;", "@").replace("‹", "<").replace("›", ">")
    return " ".join(text.split())


def links(html):
    return [(re.search(' title="([^"]*)', tag), tag) for tag in re.findall("<a [^>]*>", html)]


def titles(html):
    return [title and title[1] for title, _ in links(html)]


CITATIONS = [
    ("As @doi:10.1000/182 says.", "As Paskin (2000) says."),
    ("As @doi:10.1000/182.", "As Paskin (2000)."),
    ("As @doi:10.1000/182 [p. 3] says.", "As Paskin (2000, p. 3) says."),
    ("Paskin -@doi:10.1000/182 says.", "Paskin (2000) says."),
    ("[see @doi:10.1000/182, p. 3; also @doi:10.1000/a_b]!", "(see Paskin, 2000, p. 3; also Miller &amp; Berg, 1999, retracted)!"),
    ("[@doi:10.1000/183; -@doi:10.1000/182] @doi:10.1000/182\n\n[doi-list]", "(Paskin, 2000a; 2000b) Paskin (2000b)"),
    ("@{doi:10.1000/a_b}s", "Miller &amp; Berg (1999, retracted)s"),
    ("two\nlines [@doi:10.1000/182,\np. 3]", "two lines (Paskin, 2000, p. 3)"),
    ("*as @doi:10.1000/182*", "<i>as Paskin (2000)</i>"),
    ("[@doi:10.1000/rtl]", "(\u2068\u05d2\u05d3\u2069, 2001)"),
    ("[@doi:10.1000/x] 10.1000/182", "(doi:10.1000/x) doi:10.1000/182"),
    # These are none.
    ("me@doi:10.1000/182", "me@doi:10.1000/182"),
    (r"\@doi:10.1000/182 \[\@doi:10.1000/182]", "@doi:10.1000/182 [@doi:10.1000/182]"),
    ("``@doi:10.1000/182``", "@doi:10.1000/182"),
    ("[text @doi:10.1000/a_b x](https://example.org)", "text @doi:10.1000/a_b x"),
]  # fmt: skip
IN_MARKDOWN = [
    ("[see *also* @{doi:10.1000/182}, p. **3**]", "(see <i>also</i> Paskin, 2000, p. <b>3</b>)"),
    ("[**cf.** @doi:10.1000/182, *ibid*.; _or_ @doi:10.1000/a\\_b]", "(<b>cf.</b> Paskin, 2000, <i>ibid</i>.; <i>or</i> Miller &amp; Berg, 1999, retracted)"),
    ("[*see @doi:10.1000/182, p*. _3_]", "(<i>see Paskin, 2000, p</i>. <i>3</i>)"),
    (r"[\*see\* @doi:10.1000/182]", "(*see* Paskin, 2000)"),
    ("[see `a` @doi:10.1000/182 [x](y)]", "[see a Paskin (2000) x]"),
    ("[&lt;b&gt; @doi:10.1000/182, p. &amp;]", "(&lt;b&gt; Paskin, 2000, p. &amp;)"),
    ("[@doi:10.1000/182, 10.1000/183]", "(Paskin, 2000, 10.1000/183)"),
    ("[@doi:10.1000/182] (x)", "(Paskin, 2000) (x)"),
    ("@doi:10.1000/182 [a](b)", "Paskin (2000) a"),
    ("@doi:10.1000/182 [a][b]\n\n[b]: b", "Paskin (2000) a"),
    ("@doi:10.1000/a_b and _x_", "Miller &amp; Berg (1999, retracted) and <i>x</i>"),
    ("@doi:10.1000/182 [p. `3`]", "Paskin (2000) [p. 3]"),
    ("@doi:10.1000/182 [p. &lt;]", "Paskin (2000, p. &lt;)"),
    # These are none.
    ("    @doi:10.1000/182", "@doi:10.1000/182"),
    ("[@doi:10.1000/182](x)", "@doi:10.1000/182"),
    ("[@doi:10.1000/182]\n\n[@doi:10.1000/182]: u", "@doi:10.1000/182"),
    ("<i title='@doi:10.1000/182'>b</i>", "<i>b</i>"),
    ("<code>@doi:10.1000/182</code>", "@doi:10.1000/182"),
    ("<a href='x'>[@doi:10.1000/182]</a>", "[@doi:10.1000/182]"),
    ("<div>@doi:10.1000/182</div>", "@doi:10.1000/182"),
]  # fmt: skip
IN_MARKDOWN_IT = [
    (r"\[see @doi:10.1000/182]", "[see Paskin (2000)]"),
    ("[see <b>10.1000/183, @doi:10.1000/182</b>]", "(see <b>10.1000/183, Paskin, 2000</b>)"),
    ("a^[see @doi:10.1000/182]", "a[1] see Paskin (2000) ↩︎"),
]
ROWS = [(name, *row) for name in (*MARKDOWNS, "docutils") for row in CITATIONS]
ROWS += [(name, *row) for name in MARKDOWNS for row in IN_MARKDOWN]
ROWS += [("markdown_it", *row) for row in IN_MARKDOWN_IT]


@pytest.mark.parametrize(("name", "text", "shown"), ROWS)
def test_a_citation(name, text, shown):
    host = {**MARKDOWNS, **HOSTS}[name]
    assert (
        said(host(cite=True)(text)).partition(" Miller, M.")[0].partition(" Paskin, N.")[0] == shown
    )
    without = host()(text)
    assert "doi-c" not in without
    assert "doi-list" not in without or "doi-list" in text


HOVER = "10.1000/182, [x](https://dx.doi.org/10.1000/182), 10.1000/x, 10.1000/a_b, @doi:10.1000/a_b"
SHOWN = [HANDBOOK, HANDBOOK, None, RETRACTED, RETRACTED]


@EACH
def test_links_show_works_on_hover(host):
    html = host(hover=True, cite=True, css_class="y")(HOVER)
    assert titles(html) == SHOWN
    names = ("182", "182", "x", "a_b", "a_b")
    assert re.findall(' href="([^"]*)', html) == [
        f"https://doi.org/10.1000/{name}" for name in names
    ]
    retracted = ["doi-retracted" in tag for _, tag in links(html)]
    assert retracted == [False, False, False, True, True]
    assert re.findall('class="([^"]*)"', links(html)[-1][1])[0].split()[-3:] in (
        ["y", "doi-cite", "doi-retracted"], ["doi-retracted", "reference", "external"],
    )  # fmt: skip


@pytest.mark.parametrize("host", MARKDOWNS.values(), ids=MARKDOWNS)
def test_a_title_of_the_author_stays(host):
    assert titles(host(hover=True)("[y](https://doi.org/10.1000/182 'mine')")) == ["mine"]


@pytest.mark.parametrize("host", [MARKDOWNS["markdown_it"], MARKDOWNS["extra"]])
def test_an_id_of_the_author_is_where_lists_lead_back(host):
    text = "[a](https://doi.org/10.1000/182){#mine}\n\n[doi-list]\n\n[doi-list order=places]\n"
    html = host(cite=True)(text)
    assert html.count('href="#mine"') == 2
    assert html.count('id="mine"') == 1


@EACH
@pytest.mark.parametrize(("options", "hovers"), [({}, False), ({"check_works": "warn"}, True), ({"check_works": "warn", "hover": False}, False)])  # fmt: skip
def test_hover_is_shown_where_works_are_checked(host, options, hovers):
    assert ("title=" in host(**options)("10.1000/182")) is hovers


@EACH
def test_a_lock_file_that_is_not_there_or_damaged_or_new(host, works_here, told):
    shows = host(hover=True)
    assert HANDBOOK in shows("10.1000/182")
    lock(works_here, {"10.1000/182": {**WORKS["10.1000/182"], "title": "A much longer title"}})
    assert "A much longer title" in shows("10.1000/182")
    (works_here / "doi-lock.json").unlink()
    assert "title=" not in host(hover=True)("10.1000/182")
    assert told() == []
    assert "title=" not in host(hover=True, check_lockfile=".")("10.1000/182")
    assert [message for message in told() if "Is a directory" not in message] == []
    (works_here / "doi-lock.json").write_text("<<<<<<< HEAD\n")
    for option in ("hover", "cite"):
        shows = host(**{"cite": False, option: True})
        assert "title=" not in shows("Nothing.")
        assert told() == []
        html = shows("10.1000/182 @doi:10.1000/183 [@doi:10.1000/183]\n\n[doi-list]")
        assert said(html).startswith("doi:10.1000/182 ")
        [message] = told()
        assert message.startswith("doi-lock.json:1: damaged lock file")


WARNED = [
    ("@doi:10.1000/x\n@doi:10.1000/x @doi:10.1000/182", NONE),
    ("10.1000/182\n\n[doi-list scope=project]", "so scope is page"),
    ("10.1000/182\n\n[doi-list order=days]", "order"),
    ("10.1000/182\n\n[doi-list sort=years]", "sort"),
    ("10.1000/182\n\n[doi-list style=no-such-style]", "the style 'no-such-style' is not used: "),
]


@EACH
@pytest.mark.parametrize(("text", "words"), WARNED)
def test_what_is_wrong_is_said_once(host, text, words, told):
    shows = host(cite=True)
    html = shows(text)
    [message] = told()
    assert words in message
    if "style" in text:  # the plain style counts; to docutils, each document is the first
        assert "Paskin, N. (2000)" in said(html)
        shows(text)
        assert host is by_docutils or told() == []
    elif words is NONE and host is not by_markdown:  # which does not know where a build begins
        shows(text)  # another document
        assert told() == [NONE]


@EACH
def test_a_wrong_style_is_nothing_without_a_list(host, told):
    host(cite=True, cite_style="no-such-name")("@doi:10.1000/182")
    assert told() == []


@EACH
@pytest.mark.parametrize("text", ["[doi-list]", "Text.\n\n[doi-list]\n\nThe end."])
def test_a_list_without_works_shows_nothing(host, text):
    html = host(cite=True)(text)
    assert "doi-list" not in html
    assert ("The end." in html) is ("The end." in text)


PAGE = """\
# Head [@doi:10.1000/183]

See *@doi:10.1000/182*, 10.1000/182, [own](https://doi.org/10.1000/182) and @doi:10.1000/x.

* an item

  @doi:10.1000/a_b

[doi-list]

[doi-list order=places]
"""


@EACH
def test_lists_lead_back_and_forth_and_a_second_list_has_no_ids(host):
    html = host(cite=True)(PAGE)
    assert said(html[html.index("<li") :].split("</ul>", 2)[1]).endswith(
        "<b>Retracted.</b> Miller, M. &amp; Berg, B. (1999). <i>Third</i>. doi:10.1000/a_b ↩ "
        "Paskin, N. (2000a). <i>Another</i>. doi:10.1000/183 ↩ "
        "Paskin, N. (2000b). <i>DOI Handbook</i>. doi:10.1000/182 ↩ 1 2 3 doi:10.1000/x ↩"
    )
    assert html.count('role="doc-bibliography"') == 2
    ids, targets = re.findall(r' id="([^"]*)"', html), re.findall(r'href="#([^"]*)"', html)
    assert len(ids) == len(set(ids))
    assert set(targets) <= set(ids)
    assert {"doi-10-1000-182", "at-doi-10-1000-182-3"} <= set(targets)
    back = re.findall('aria-label="([^"]*)"', html)[:5]
    assert back == ["Back to the text"] * 2 + [f"Back to the text, {at}" for at in (1, 2, 3)]


@pytest.mark.parametrize("host", MARKDOWNS.values(), ids=MARKDOWNS)
def test_a_name_with_an_entity_is_the_same_in_the_list(host):
    html = host(cite=True)("10.1000/a&amp;lt;b\n\n[doi-list]")
    assert html.count('href="https://doi.org/10.1000/a&amp;lt;b"') == 2


# --------------------------------------------------------------------------------------------------
# One page in all hosts, with its attributes.

ONE = {
    "title": "One", "author": [["Ångström", "A."]], "year": 2001, "container": "Journal",
    "type": "",
}  # fmt: skip
TEXT = (
    "As @doi:10.1000/182 [p. 3] says [see @doi:10.1000/two, p. 4; @doi:10.1000/one].\n"
    "Of doi:10.1000/a_b, [@doi:10.1000/a_b], @doi:10.1000/alone and @doi:10.1000/x.\n"
    "Also [@doi:10.1000/alias] and -@doi:10.1000/alias.\n\n"
)
# Attributes of which hosts have others; and those that say where a link leads to.
OWN = {"reference", "external", "internal", "simple", "docutils", "container", "compact", "arabic"}
OWN |= {"mathjax_ignore", "tex2jax_ignore", "doi-citation"}
SAME = {"em": "i", "strong": "b"}
ATTRIBUTES = ("id", "href", "title", "role", "aria-label")


class Page(HTMLParser):
    """What a page shows, as a text in which hosts should not differ."""

    def __init__(self, html):
        super().__init__()
        self.said = []
        self.feed(html[html.index("As ") :].partition("</main>")[0])

    def handle_starttag(self, tag, attrs):
        if tag in ("a", "div", "ol", "ul", "li", "i", "b", "em", "strong"):
            given = {name: value for name, value in attrs if name in ATTRIBUTES}
            given["class"] = sorted({*(dict(attrs).get("class") or "").split()} - OWN)
            self.said.append(f"<{SAME.get(tag, tag)} {sorted(given.items(), key=str)}>")

    def handle_endtag(self, tag):
        if tag in ("a", "i", "em"):
            self.said.append(f"</{SAME.get(tag, tag)}>")

    def handle_data(self, data):
        if self.said and self.said[-1][:1] != "<":
            data = self.said.pop() + data
        self.said.append(data)


@pytest.mark.parametrize("order", ["names", "places", "years"])
@pytest.mark.parametrize("hover", [True, False])
def test_hosts_show_the_same(works_here, order, hover, told):
    more = {"10.1000/one": ONE, "10.1000/two": {**ONE, "title": "Two"}, "10.1000/alone": {"title": "Costs of $5 and $6"}}  # fmt: skip
    lock(works_here, WORKS | more, alias="10.1000/182")
    text = f"{TEXT}[doi-list order={order}]"
    pages = [Page(host(cite=True, hover=hover)(text)).said for host in HOSTS.values()]
    expected, *others = [
        [" ".join(each.split()) for each in page if each.strip()] for page in pages
    ]
    assert others == [expected, expected]
    # A name that stands for another one is the same work.
    assert "#doi-10-1000-alias" not in str(expected)
    assert expected.count("Paskin [1, p. 3]" if order == "places" else "Paskin, 2000") == 1
    assert told() == [NONE] * 3


TYPED = "``@doi:10.1000/1`` and a@doi:10.1000/2.example are none.\n\nBut [see @doi:10.1000/182], or @doi:10.1000/183.\n"


def typed(option):
    return f"@doi:10.1000/182 is shown as it is typed: turn {option} on to cite works, or set it to false"


@EACH
def test_a_citation_that_stays_as_it_is_typed_is_told_once(host, told):
    convert = host()
    assert "[see @doi:10.1000/182]" in unescape(convert(TYPED))
    if host is not by_docutils:  # which converts one document
        convert(TYPED)
    option = "doi_cite" if host is by_docutils else "cite"
    assert told() == [f"{typed(option)} [doi-cite]"]
    host(cite=False)(TYPED)
    host()(TYPED.partition("\n")[0])
    assert told() == []


@pytest.mark.parametrize("host", SHOWS)
def test_a_build_tells_it_once(host, tmp_path):
    def warnings(options, text=TYPED):
        said = SHOWS[host](tmp_path, options, text)[1]
        return [line for line in said.splitlines() if "typed" in line]

    option = {"mkdocs": "cite", "pandoc": "doi-cite"}.get(host, "doi_cite")
    [line] = warnings({})
    assert typed(option) in line
    assert warnings({"cite": False}) == []
    assert warnings({}, "``@doi:10.1000/1`` is code.\n") == []
