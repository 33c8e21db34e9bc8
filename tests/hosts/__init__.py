"""The hosts as the sentences of ``tests/conformance`` go through them; a new host is a row."""

from __future__ import annotations

from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from ..tools.hosts import (
    BARE,
    BARE_THEME,
    Core,
    Docutils,
    Host,
    Html,
    Markdown,
    MarkdownIt,
    MkDocs,
    Pandoc,
    Sphinx,
    body_of,
)


def without_foreign_links(html: str) -> str:
    """docutils makes links of other URLs in plain text by itself; only ours have a class more."""
    return html.replace('<a class="reference external" href=', "<a ")


def _site(text: str) -> str:
    return f"A page.\n\n{text}\n"  # so that no sentence is taken for front matter


def _sphinx(suffix: str, *extensions: str, myst: tuple[str, ...] = ()) -> Sphinx:
    conf = {**BARE, "myst_enable_extensions": ["deflist", *myst]}
    return Sphinx(
        suffix, extensions, "".join(f"{name} = {value!r}\n" for name, value in conf.items()), files=BARE_THEME,
        given="{}\n".format, taken=lambda page: without_foreign_links(body_of(page)),
    )  # fmt: skip


MYST = (
    "amsmath", "attrs_block", "attrs_inline", "colon_fence", "dollarmath", "fieldlist",
    "html_admonition", "html_image", "linkify", "replacements", "smartquotes", "strikethrough",
    "substitution", "tasklist",
)  # fmt: skip
USUAL = ("tables", "footnotes", "def_list")
HOSTS: dict[str, Host] = {
    "core": Core(),
    "markdown_it": MarkdownIt(plugins=(footnote_plugin, deflist_plugin)),
    "markdown": Markdown(USUAL),
    "docutils": Docutils(taken=without_foreign_links),
    "sphinx": _sphinx(".rst"),
    "myst": _sphinx(".md", "myst_parser"),
    "mkdocs": MkDocs(
        {"markdown_extensions": USUAL}, given=_site,
        taken=lambda page: page.replace("<p>A page.</p>", "", 1),
    ),
    "pandoc": Pandoc(),
    "html": Html(),
    # With every extension that reads other markup, makes links of URLs, or changes characters.
    "markdown_companions": Markdown(
        ("pymdownx.magiclink", "smarty", "pymdownx.smartsymbols", *USUAL)
    ),
    "myst_companions": _sphinx(".md", "myst_parser", myst=MYST),
    "pandoc_gfm": Pandoc("gfm"),
    "pandoc_uris": Pandoc("markdown+autolink_bare_uris"),
}  # fmt: skip
