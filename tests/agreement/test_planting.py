"""Of names that were planted into documents and directives, pages link those that ``scan`` lists."""

import json
import re
from functools import cache, partial

import pytest
from docutils.parsers.rst.directives import _directive_registry
from mdit_py_plugins.footnote import footnote_plugin
from pymdownx.tabbed import TabbedExtension

from ..tools.hosts import BARE, BARE_THEME, Docutils, Markdown, MarkdownIt, Pandoc, Sphinx, apart
from ..tools.proof import sample
from .planting import (
    LEFT,
    TELLS,
    Directive,
    Planted,
    documents,
    in_eval_rst,
    in_myst,
    in_rest,
    linked,
    listed,
    parts_of,
    plant,
)  # fmt: skip

CONF = (
    "".join(f"{name} = {value!r}\n" for name, value in BARE.items())
    + "html_domain_indices = False\ntodo_include_todos = True\nmyst_enable_extensions = ['colon_fence', 'deflist']\n"
)
TOLD = ["sphinx.ext.todo", "sphinx.ext.graphviz", "myst_parser"]
# The extensions that Material's guide has its readers put into mkdocs.yml.
MATERIAL = (
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc",
    "pymdownx.arithmatex", "pymdownx.betterem", "pymdownx.caret", "pymdownx.details",
    "pymdownx.highlight", "pymdownx.inlinehilite", "pymdownx.keys", "pymdownx.mark",
    "pymdownx.smartsymbols", "pymdownx.superfences", "pymdownx.tasklist", "pymdownx.tilde",
    TabbedExtension(alternate_style=True), "pymdownx.blocks.admonition", "pymdownx.blocks.caption",
    "pymdownx.blocks.details", "pymdownx.blocks.tab",
)  # fmt: skip


def sphinx(suffix):
    return Sphinx(suffix, TOLD, CONF + TELLS, files=BARE_THEME)


HOSTS = {
    "rst": {"docutils": Docutils(("whole",)), "Sphinx": sphinx(".rst")},
    "md": {
        "MyST": sphinx(".md"),
        "markdown-it-py": MarkdownIt("commonmark", (footnote_plugin,)),
        "Python-Markdown": Markdown(MATERIAL),
        "Pandoc": Pandoc("markdown"),
        "Pandoc, gfm": Pandoc("gfm"),
    },
}
# What only pages have, or only the list: the host, the place, and why.
EXCEPTIONS = [
    (
        r"listed alone: (acks|date|doi-list|hlist|parsed-literal|replace|sectnum|table|target-notes|unicode): ",
        "the directive is an error with that argument or content, and the page has none of it",
    ),
    (r"listed alone: (code|module|section)author: ", "shown if the project sets show_authors"),
    (
        r"listed alone: (contents|footer|header|toctree): ",
        "shown where there are headings, or other pages",
    ),
    (
        r"listed alone: (c:alias|figure-md|sidebar): ",
        "shown by another parser, or in another place",
    ),
    (r"listed alone: raw: ", "raw HTML is read as a page, and hosts link nothing in it"),
    (
        r"listed alone: .* in ' *:(alt|target): ",
        "with the name in it, an option of a picture is an error",
    ),
    (
        r"^Pandoc: linked alone: (mkdocs-get-deps|zensical|zizmor): .*(there|<http)",
        "Pandoc reads Markdown in raw HTML",
    ),
]


def built(host, texts):
    """The planted names that the page of each text links."""
    run = partial(apart, host) if isinstance(host, Sphinx) else host
    made = run(texts, {})
    assert made.code == 0, made.log
    return {name: linked(made.pages[name]) for name in texts}


def unexplained(views):
    """What is in one view alone, by an exception for none: the host, the place, the view."""
    return [
        view for view in views if not any(re.search(pattern, view) for pattern, _ in EXCEPTIONS)
    ]


@pytest.mark.parametrize("kind", HOSTS)
def test_names_after_random_words_of_documents(kind):
    known = documents(kind)
    chosen = sample("documents with planted names", kind, [*known], one_in=40)
    planted = {f"p{at}": plant(name, known[name], kind) for at, name in enumerate(chosen)}
    texts = {name: each.text for name, each in planted.items()}
    found = {name: listed(text, kind) for name, text in texts.items()}
    anywhere, views = {name: set() for name in texts}, []
    for host, run in HOSTS[kind].items():
        for name, numbers in built(run, texts).items():
            anywhere[name] |= numbers
            unread = numbers - found[name]
            views += [f"{host}: linked alone: {planted[name].places[at]}" for at in sorted(unread)]
    for name, numbers in anywhere.items():
        alone = found[name] - numbers
        views += [f"no host: listed alone: {planted[name].places[at]}" for at in sorted(alone)]
    assert unexplained(views) == []


@cache
def directives():
    """What is registered in a project of Sphinx with MyST."""
    told = apart(sphinx(".rst"), {"index": ""}, {}).pages["index"]
    return {name: Directive(*row) for name, row in json.loads(told).items() if name not in LEFT}


# What needs a step after the parser, for which MyST does not provide here.
LEFT_BY = {
    "MyST, eval-rst": {"class", "contents", "sectnum", "target-notes", "rst-class", "cssclass"}
}
WRITERS = {
    "docutils": (in_rest, HOSTS["rst"]["docutils"]),
    "Sphinx": (in_rest, HOSTS["rst"]["Sphinx"]),
    "MyST, backquotes": (in_myst("```"), HOSTS["md"]["MyST"]),
    "MyST, colons": (in_myst(":::"), HOSTS["md"]["MyST"]),
    "MyST, eval-rst": (in_eval_rst, HOSTS["md"]["MyST"]),
}


@pytest.mark.parametrize("host", WRITERS)
def test_names_in_each_part_of_each_directive(host):
    write, run = WRITERS[host]
    known = [name for name in directives() if name not in LEFT_BY.get(host, ())]
    if host == "docutils":
        known = [name for name in known if name in _directive_registry]
    chosen = sample("directives with planted names", host, known, one_in=20)
    # The first page is the root of a project.
    planted = {"index": Planted("", {})} | {
        name.replace(":", "-"): parts_of(name, directives()[name], write) for name in chosen
    }
    texts = {name: each.text for name, each in planted.items()}
    kind, views = "rst" if write is in_rest else "md", []
    for name, numbers in built(run, texts).items():
        found = listed(texts[name], kind)
        views += [
            f"{host}: linked alone: {planted[name].places[at]}" for at in sorted(numbers - found)
        ]
        views += [
            f"{host}: listed alone: {planted[name].places[at]}" for at in sorted(found - numbers)
        ]
    assert unexplained(views) == []
