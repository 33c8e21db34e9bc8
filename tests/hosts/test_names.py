"""Names through every host, in each context that its markup allows: a sample of real ones, and odd ones in many settings.

A document for each context holds a name an item. ``DOILINKS_NAMES`` may give another file of names, one a line, in
place of the sample.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from doilinks import DOI

from ..tools.hosts import Host, Markdown, MarkdownIt, Pandoc
from ..tools.links import html_links
from ..tools.names import real_names
from ..tools.proof import sample
from . import HOSTS

MARKDOWN = {
    "plain": "The name {} is one.", "label": "The name doi:{} is one.", "emphasis": "*{}*",
    "strong": "**{}**", "list": "- {}", "heading": "# On {} today",
    "table": "| Name | Year |\n|---|---|\n| {} | 2020 |",
    "footnote": "Text[^f{n}].\n\n[^f{n}]: A. Author, {}.", "definition": "term\n:   {}",
}  # fmt: skip
REST = {
    "plain": "The name {} is one.",
    "label": "The name doi:{} is one.",
    "emphasis": "*{}*",
    "strong": "**{}**",
    "list": "* {}",
    "heading": "On\n==\n\nText.\n\nOn {} today\n" + "-" * 400,
    "numbered reference": ".. [{n}] A. Author. {}.",
    "footnote": ".. [#f{n}] A. Author, {}.",
    "table": "=====  ===\nyear   name\n=====  ===\n2020   {}\n=====  ===",
    "definition": "term\n   {}",
    "field": "Text.\n\n:Name: the name {} here",
}
CONTEXTS = {
    "markdown_it": MARKDOWN, "markdown": MARKDOWN, "mkdocs": MARKDOWN, "pandoc": MARKDOWN,
    "docutils": REST, "sphinx": REST, "myst": MARKDOWN,
}  # fmt: skip
PARAMS = [(host, context) for host, contexts in CONTEXTS.items() for context in contexts]


def misses(host: Host, contexts: Mapping[str, str], names: Sequence[str]) -> dict[str, list[str]]:
    """The names that do not come back from a host, by context; one build for all of these."""
    asked = [(context, DOI(name)) for context in contexts for name in names]
    sentences = [
        contexts[context].replace("{n}", str(n)).replace("{}", doi.name).replace("{url}", doi.url)
        for n, (context, doi) in enumerate(asked)
    ]
    wrong: dict[str, list[str]] = {context: [] for context in contexts}
    for (context, doi), page in zip(asked, host.sentences(sentences, {}), strict=True):
        links = [link for link in html_links(page) if link[1][:1] != "#"]
        if links != [("a title" if context == "title" else doi.uri, doi.url)]:
            wrong[context].append(doi.name)
    return wrong


@cache
def misses_of_real_names(host: str) -> dict[str, list[str]]:
    if file := os.environ.get("DOILINKS_NAMES"):
        names = [name for name in Path(file).read_text(encoding="utf-8").split("\n") if name]
    else:
        names = [name for name in real_names() if "%" not in name][::23]
        turn = list(CONTEXTS).index(host)
        names = sample("real names in contexts", host, names, one_in=3 * len(CONTEXTS), turn=turn)
    return misses(HOSTS[host], CONTEXTS[host], names)


@pytest.mark.parametrize(("host", "context"), PARAMS)
def test_names_survive(host, context):
    assert misses_of_real_names(host)[context] == []


# Real names whose characters mean something in Markdown.
ODD = (
    "10.1000/182", "10.1000/456#789",
    "10.1002/(SICI)1096-987X(199709)18:12<1450::AID-JCC3>3.0.CO;2-I",
    "10.1002/(SICI)1099-1751(199601/03)11:1<S29::AID-HPM465>3.0.CO;2-V",
    "10.1002/1097-4571(2000)9999:9999<::AID-ASI4>3.0.CO;2-0",
    "10.1175/1520-0493(1972)100<0081:OTAOSH>2.3.CO;2",
    "10.1890/0012-9658(2006)87[2832:TIOPMA]2.0.CO;2", "10.18260/1-2--11357", "10.1000/it's",
    "10.1000/a...b", "10.1000/x(c)1", "10.1000/+-1", "10.1207/s15327957pspr0203&4_1",
    "10.1000/a&lt-b", "10.6338/JDA.202212/SP_17(4).0000", "10.1000/a_b_c", "10.1000/a__b__c",
    "10.1000/a*b*c", "10.1000/a**b**c", "10.1000/a~~b~~c", "10.1000/a^b^c", "10.1000/a=b==c",
    "10.1000/a$b$c", "10.1000/a:b:c", "10.1000/a@b.org", "10.1000/a!b", "10.1000/a/../b",
    "10.1000/a//b", "10.1000/100%a", "10.1000/Á", "10.1000/a;b,c", '10.1006/rwei.1999".0001',
    "10.978.8898392/315",
)  # fmt: skip
IN_LINKS = {
    "underscores": "The _see {}_ one.", "quote": "> {}\n", "numbered": "1. {}\n2. next\n", "link": "A [{}]({url}) b",
    "title": "A [a title]({url}) b", "angles": "at <doi:{}> here", "angles alone": "<doi:{}>",
}  # fmt: skip
NOTES = (footnote_plugin, deflist_plugin)
TYPED = ("replacements", "smartquotes")
COMPANIONS = ("tables", "footnotes", "def_list", "attr_list", "toc", "md_in_html", "abbr", "smarty")
PYMDOWNX = ("magiclink", "superfences", "arithmatex", "tilde", "betterem")
SETTINGS = {
    **{name: MarkdownIt(name, NOTES) for name in ("commonmark", "default", "js-default", "gfm-like")},
    **{
        f"{name}, linkify, typographer": MarkdownIt(
            name, NOTES, ("table", "linkify", *TYPED), (("linkify", True), ("typographer", True))
        )
        for name in ("commonmark", "js-default", "gfm-like")
    },
    "Python-Markdown": Markdown(("tables", "footnotes", "def_list")),
    "companions": Markdown(COMPANIONS),
    "PyMdown": Markdown((*COMPANIONS, *(f"pymdownx.{name}" for name in PYMDOWNX))),
    "Pandoc": Pandoc(),
}  # fmt: skip


@pytest.mark.parametrize("setting", SETTINGS)
def test_odd_names_survive(setting):
    # To PyMdown's arithmatex, dollar signs are a formula before anyone else sees them.
    names = [name for name in ODD if not ("$" in name and setting == "PyMdown")]
    wrong = misses(SETTINGS[setting], MARKDOWN | IN_LINKS, names)
    if setting == "Pandoc":  # which alone ends emphasis within a name
        for context in ("emphasis", "strong", "underscores"):
            assert set(wrong.pop(context)) <= {
                "10.1000/a*b*c",
                "10.1000/a**b**c",
                "10.1000/a__b__c",
            }
    assert {context: missed for context, missed in wrong.items() if missed} == {}
