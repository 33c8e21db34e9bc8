"""To markdown-it-py, Python-Markdown and their plug-ins a name is a word, and no page shows what stands for it.

A word of a text is replaced by a name. The page is the page of another word, with the link in its
place. The texts are made by chance; ``DOILINKS_SUITE`` names a folder with tests of both hosts, of
which the examples are taken too, such as unpacked source distributions of them.
"""

import json
import os
import re
from functools import partial
from pathlib import Path

import pytest
from markdown import Markdown as Md
from markdown.treeprocessors import Treeprocessor
from markdown_it import MarkdownIt as MdIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.substitution import substitution_plugin
from mdit_py_plugins.tasklists import tasklists_plugin
from mdit_py_plugins.texmath import texmath_plugin
from mdit_py_plugins.wordcount import wordcount_plugin

from doilinks.markdown_it import doi_plugin

from ..damage.documents import markdown as by_chance
from ..tools.hosts import Markdown, MarkdownIt
from ..tools.versions import since

SOURCE = {"display": "source"}
NAME, PLAIN = "10.4999/w", "worded"
WORD = re.compile(r"""(?<![\w&/:.@#<\\!=)-])[A-Za-z]{3,}(?=[\s)?"\]|]|[.,;!*_]+(?:\s|$)|$)""")
LINK = re.compile(r'<a class="doi" href="https://doi.org/10.4999/w">(.*?)</a>')
# Words that are no prose to Python-Markdown: those of an admonition, of a block; code in colours.
BLOCKS = re.compile(r"(?m)^[ >]*(?:!!!|\?\?\?|///|\*\[|\[).*")
CODE = re.compile(r'<div class="(?:highlight|codehilite)">.*?</div>', re.DOTALL)
EXTRA = ("extra", "smarty", "toc", "sane_lists", "admonition", "wikilinks")
PYMDOWNX = "arithmatex betterem caret keys mark magiclink smartsymbols superfences tasklist tilde"


PLUGINS = (
    footnote_plugin, deflist_plugin, partial(attrs_plugin, spans=True), attrs_block_plugin,
    tasklists_plugin, dollarmath_plugin,
)  # fmt: skip
RULES = ("table", "strikethrough", "replacements", "smartquotes", "linkify")
SETTINGS = {
    "commonmark": (), "js-default": (), "gfm-like": (("linkify", True), ("html", True)),
}  # fmt: skip
FULL = {
    **{name: MarkdownIt(name, PLUGINS, RULES, (("typographer", True), *more)) for name, more in SETTINGS.items()},
    "markdown": Markdown(),
    "extra": Markdown(EXTRA),
    "PyMdown": Markdown((*EXTRA, *(f"pymdownx.{name}" for name in PYMDOWNX.split()))),
}  # fmt: skip
HOSTS = {"markdown_it": MarkdownIt(enable=()), "markdown": Markdown()}


def page_of(host, text, options=None):
    """Its page; without options, without doilinks."""
    return host({"": text}, options).pages[""]


def of_suite(folder):
    """The examples of the fixtures of both hosts, and those of CommonMark."""
    for path in sorted(Path(folder).rglob("*")):
        if path.name == "commonmark.json":
            yield from (each["markdown"] for each in json.loads(path.read_text()))
        elif path.suffix == ".md" and "fixtures" in path.parts:
            text = path.read_text(encoding="utf-8")
            yield from re.findall(r"(?ms)^\.\n(.*?)^\.\n.*?^\.$", text)
        elif path.suffix == ".txt" and path.with_suffix(".html").exists():
            yield path.read_text(encoding="utf-8")


TEXTS = [by_chance(seed, dois=False) for seed in range(15)]
TEXTS += of_suite(os.environ["DOILINKS_SUITE"]) if "DOILINKS_SUITE" in os.environ else []


def with_words(text):
    """The text with a name and with another word in the place of one word, for some words."""
    words = list(WORD.finditer(text))
    for word in words[:: max(1, len(words) // 4)]:
        before, after = text[: word.start()], text[word.end() :]
        if "<" not in before.rpartition(">")[2]:  # another word would be an attribute
            yield tuple(f"{before}{each}{after}" for each in (NAME, PLAIN))


@pytest.mark.parametrize("name", FULL)
def test_a_name_acts_as_a_word(name):
    host, is_python = FULL[name], name in ("markdown", "extra", "PyMdown")
    # Where raw HTML is text, other names of a text may be links.
    without = None if is_python else SOURCE
    compared = linked = 0
    for text in TEXTS:
        for named, worded in with_words(BLOCKS.sub("", text) if is_python else text):
            page, expected = page_of(host, named, SOURCE), page_of(host, worded, without)
            assert "zdoi" not in page.lower(), named
            shown, links = LINK.subn(r"\1", page)
            shown = shown.replace(NAME, PLAIN)
            if is_python:  # the slug of a heading has no stop and no stroke
                shown = shown.replace("104999w", PLAIN)
                shown, expected = CODE.sub("", shown), CODE.sub("", expected)
            assert shown == expected, named
            compared, linked = compared + 1, linked + links
    assert linked > compared / 3 > 10


NO_TAG = [
    "<DOI: {}>", "<b {}>", "</{} >", "<{}:>", "<{}:x y>", "<x:{}>", "[x](doi: {})", "[x](u '{}'y')",
    "*[x]*(u '{}'y') [y](u \"{}\"y\")", "![x](<doi: {}>)", "<a {}>b",
]  # fmt: skip
NO_TAG_OF_PYTHON = ["<b x={}<b>", "<img onerror=x src={}<b>", '[x](u "{}<b> ")', "[x]({}<b>(1)"]


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name in HOSTS for text in NO_TAG + NO_TAG_OF_PYTHON * (name == "markdown")],
)
def test_a_word_makes_no_tag_and_no_link(name, text):
    text = f"{text.replace('{}', NAME)} *x*"
    pages = page_of(HOSTS[name], text, SOURCE), page_of(HOSTS[name], text)
    assert len({re.sub("</?a[^>]*>", "", page) for page in pages}) == 1, pages


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_a_reference_whose_label_has_a_name(host):
    text = "[10.1000/a_b] [x][10.1000/a_b] [10.1000/a_b][] [at 10.1000/c]\n\n"
    text += "[10.1000/a_b]: u\n[at 10.1000/c]: v"
    assert page_of(host, text, {}) == page_of(host, text)


def test_what_other_plug_ins_make_of_a_name():
    md = MdIt().use(anchors_plugin).use(wordcount_plugin).use(doi_plugin)
    env = {}
    html = md.render("# DOI: 10.1000/a_B *x*\n\nsee 10.1000/182 there", env)
    assert '<h1 id="doi101000a_b-x">' in html
    assert env["wordcount"]["words"] == 3


DASHES = since("markdown-it-py", "4", "two hyphens in a comment end it, so it is no comment")
WHOLE = [
    (lambda md: md.use(dollarmath_plugin), "${}$"),
    (lambda md: md.use(dollarmath_plugin, double_inline=True), "$${}$$"),
    (lambda md: md.use(texmath_plugin, delimiters="brackets"), r"\({}\)"),
    (lambda md: md.use(amsmath_plugin), "\n\n\\begin{{align}}\n{}\n\\end{{align}}\n\n"),
    (lambda md: md.use(substitution_plugin), "{{{{ '{}' }}}}"),
    (lambda md: md, "`{}`"),
    (lambda md: md, '<b title="{}">x</b>'),
    pytest.param(lambda md: md, "<!-- {}-->", marks=DASHES),
    (lambda md: md, "<code>{}</code>"),
    (lambda md: md, "<a href=u>{}</a>"),
    (lambda md: md, "[a]({} '{0}')"),
    (lambda md: md, "![{}]({0} '{0}')"),
    (lambda md: md, "<https://example.org/{}>"),
]


@pytest.mark.parametrize(("use", "place"), WHOLE)
def test_a_name_in_what_the_host_takes_as_a_whole_stays(use, place):
    for name in (NAME, "10.1000/a_b--c"):
        text = place.replace("{}", "{0}").format(name)
        page = use(MdIt()).use(doi_plugin).render(f"See {text} 10.1000/after")
        expected = use(MdIt()).render(f"See {text} x")
        after = '<a class="doi" href="https://doi.org/10.1000/after">doi:10.1000/after</a>'
        assert page == re.sub(r"x</p>$", f"{after}</p>", expected), page


class Copy(Treeprocessor):
    """Copies the text of a document as the navigation of Zensical does."""

    def run(self, root):
        self.text = "".join(root.itertext())


def test_a_navigation_that_zensical_copies_has_no_words():
    md = Md(extensions=["doilinks"])
    copy = Copy(md)
    md.treeprocessors.register(copy, "zensical_literate_nav_capture", 19)
    md.convert(f"* [{NAME}](a.md)")
    assert NAME in copy.text
