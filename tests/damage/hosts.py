"""The hosts, each without doilinks (0), with it (1), and with it twice (2)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from docutils import nodes, utils
from docutils.parsers.rst import roles
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from ..tools import hosts
from ..tools.pages import MADE
from .difference import Comparison, compare_html, compare_json

OPTIONS = {"css_class": MADE}
# Documents by name to pages by name; a page that the host could not make is not there.
Documents = Mapping[str, str]
Pages = dict[str, str]


class Host(NamedTuple):
    """A host in one of its settings.

    :ivar markup: the kind of document it takes: ``md``, ``rst``, or another format of pandoc
    :ivar pages: makes the pages of some documents, with doilinks so many times
    :ivar compare: compares two pages
    :ivar site: pages know of each other
    """

    markup: str
    pages: Callable[[Documents, int], Pages]
    compare: Callable[[str, str], Comparison] = compare_html
    site: bool = False


def _each(host: hosts.Host) -> Callable[[Documents, int], Pages]:
    """A host that makes one page at a time."""

    def pages(documents: Documents, times: int) -> Pages:
        made = {}
        for name, text in documents.items():
            try:
                with warnings.catch_warnings(action="ignore"):
                    made[name] = host({name: text}, OPTIONS, times).pages[name]
            except Exception as error:  # noqa: BLE001  the host's own trouble, unless doilinks makes it
                if times:
                    made[name] = f"{type(error).__name__}: {error}"
        return made

    return pages


def _site(host: hosts.Host) -> Callable[[Documents, int], Pages]:
    def pages(documents: Documents, times: int) -> Pages:
        if not documents:
            return {}
        with warnings.catch_warnings(action="ignore"):
            made = host(documents, OPTIONS, times)
        if made.code:
            raise RuntimeError(made.log[-2000:])
        return made.pages

    return pages


def _docutils(**settings: Any) -> Callable[[Documents, int], Pages]:
    def role(name: str, rawtext: str, text: str, *_: Any, **__: Any) -> tuple[list[Any], list[Any]]:
        # A project has a role of that name, or else the page without doilinks has an error there.
        shown = utils.unescape(text)
        href = f"https://doi.org/{shown.removeprefix('doi:')}"
        return [nodes.reference(rawtext, shown, refuri=href)], []

    given = {
        "halt_level": 6, "file_insertion_enabled": False, "syntax_highlight": "none", **settings,
    }  # fmt: skip
    pages = _each(hosts.Docutils(("html_title", "subtitle", "docinfo", "body"), settings=given))

    def with_role(documents: Documents, times: int) -> Pages:
        roles.register_local_role("doi", role)
        try:
            return pages(documents, times)
        finally:
            vars(roles)["_roles"].pop("doi")  # or else every later document has it

    return with_role


_PLUGINS = (
    footnote_plugin, deflist_plugin, dollarmath_plugin, front_matter_plugin, tasklists_plugin,
    attrs_plugin, anchors_plugin,
)  # fmt: skip
_USUAL = ("extra", "sane_lists", "smarty", "admonition", "toc", "codehilite", "wikilinks", "meta")
_PYMDOWN = (
    "pymdownx.extra", "pymdownx.magiclink", "pymdownx.betterem", "pymdownx.caret",
    "pymdownx.tilde", "pymdownx.mark", "pymdownx.smartsymbols", "pymdownx.arithmatex",
    "pymdownx.details", "pymdownx.tabbed", "pymdownx.tasklist", "pymdownx.critic", "pymdownx.keys",
    "pymdownx.inlinehilite", "admonition", "toc",
)  # fmt: skip


# A project whose own role and scheme for DOIs are there with doilinks and without.
_CONF = """
html_theme = "basic"
exclude_patterns = ["_none"]
suppress_warnings = []
extlinks = {"doi": ("https://doi.org/%s", "%s")}
numfig = True
myst_heading_anchors = 3
myst_url_schemes = ["http", "https", "mailto", "ftp", "doi"]
"""
_MYST = (
    "amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist",
    "linkify", "replacements", "smartquotes", "substitution", "tasklist",
)  # fmt: skip


def _sphinx(
    suffix: str, *extensions: str, myst: tuple[str, ...] = ()
) -> Callable[[Documents, int], Pages]:
    used = ("sphinx.ext.extlinks", "sphinx.ext.todo", "sphinx.ext.mathjax", *extensions)
    return _site(
        hosts.Sphinx(
            suffix, (*used, "doilinks.sphinx"), f"{_CONF}myst_enable_extensions = {list(myst)}",
            builder="json", taken=lambda page: json.loads(page)["body"],
        )
    )  # fmt: skip


_SITE = {
    "site_url": "https://example.org/",
    "not_in_nav": "*",

    "markdown_extensions": [
        "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "smarty", "tables",
        {"toc": {"permalink": True}}, "pymdownx.details", "pymdownx.superfences", "pymdownx.tilde",
        {"pymdownx.tabbed": {"alternate_style": True}}, "pymdownx.magiclink", "pymdownx.arithmatex",
    ],
}  # fmt: skip


HOSTS: dict[str, Host] = {
    "docutils": Host("rst", _docutils()),
    "docutils, smart quotes": Host("rst", _docutils(smart_quotes=True)),
    "Sphinx": Host("rst", _sphinx(".rst"), site=True),
    "MyST": Host("md", _sphinx(".md", "myst_parser"), site=True),
    "MyST, extensions": Host("md", _sphinx(".md", "myst_parser", myst=_MYST), site=True),
    "markdown-it-py": Host("md", _each(hosts.MarkdownIt())),
    "markdown-it-py, plug-ins": Host(
        "md", _each(hosts.MarkdownIt("js-default", _PLUGINS, (), (("html", True), ("typographer", True))))
    ),
    "markdown-it-py, gfm-like": Host("md", _each(hosts.MarkdownIt("gfm-like", (), (), (("typographer", True),)))),
    "Python-Markdown": Host("md", _each(hosts.Markdown(toc=True))),
    "Python-Markdown, extra": Host("md", _each(hosts.Markdown(_USUAL, toc=True))),
    "Python-Markdown, PyMdown": Host("md", _each(hosts.Markdown(_PYMDOWN, toc=True))),
    "MkDocs": Host("md", _site(hosts.MkDocs(_SITE)), site=True),
    **{
        f"Pandoc, {reader}": Host(markup, _each(hosts.Filter(reader)), compare_json)
        for markup, reader in (
            ("md", "markdown"), ("md", "gfm"), ("md", "commonmark_x"), ("rst", "rst"),
            ("latex", "latex"), ("html", "html"), ("org", "org"),
        )
    },
    "Pandoc, markdown to html": Host("md", _each(hosts.Filter("markdown", "html"))),
    "Pandoc, rst to html": Host("rst", _each(hosts.Filter("rst", "html"))),
}  # fmt: skip
