"""The documentation of doilinks, built with doilinks."""

import re
import tomllib
from pathlib import Path

from docutils import nodes

from doilinks import __version__

HERE = Path(__file__).parent

project = "doilinks"
author = "The doilinks maintainers"
copyright = "2026, The doilinks maintainers"
version = release = __version__

extensions = ["doilinks.sphinx", "myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "_templates"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
python_use_unqualified_type_names = True
# Names that are documented elsewhere; the build fetches nothing.
_FOREIGN = (
    r"(collections|pathlib|re|docutils|nodes|markdown|markdown_it|mkdocs|pytest)\b.*",
    r"(MarkdownIt|Markdown|KeyboardInterrupt|ValueError|optparse|Inliner|Path).*",
    r"FAULTS",  # a table on the same page
    # For an extra check of doilinks.
    r"doilinks\.(lock\.lockfile\.Lockfile|ask\.names\.problems\.ExtraCheck|hosts\.pandoc\.text\.Settings)",
)
nitpick_ignore_regex = [(r"py:.*", name) for name in _FOREIGN]

html_theme = "furo"
html_static_path = ["_static"]
html_title = "doilinks"
html_css_files = ["docs.css"]
html_copy_source = False
templates_path = ["_templates"]
# The only place of the address. While it is a placeholder [RFC 2606], the footer has no link.
_TOML = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
_SOURCE = _TOML["project"]["urls"]["Source"]
_REPOSITORY = "" if ".example" in _SOURCE else _SOURCE
html_context = {"repository": _REPOSITORY}


# A page reads as well in the repository: what Sphinx alone understands is in a comment.
FOR_SPHINX = re.compile(r"<!-- sphinx\n(.*?)-->", re.DOTALL)


def prepare(_app, page, source):
    """Show what a comment has for Sphinx, and the changelog."""
    if page == "reference/changes":
        source[0] = (HERE.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    source[0] = FOR_SPHINX.sub(r"\1", source[0])


# What an author types may be long.
TYPED = {"You type", "You write", "In the text"}


def name_parts(app, document):
    """Give options and codes, such as ``doi-not-found``, anchors, and tables classes."""
    page = app.env.docname
    if page == "reference/options":
        for section in document.findall(nodes.section):
            name = section.next_node(nodes.title).astext()
            if "_" in name and name not in section["ids"]:
                section["ids"].append(name)
    for table in document.findall(nodes.table):
        first = table.next_node(nodes.entry).astext()
        if first in TYPED:
            table["classes"].append("typed")
        elif first.endswith("pyproject.toml"):
            table["classes"].append("spellings")
    if page in ("reference/messages", "howto/fix"):
        for row in document.findall(nodes.row):
            code = row[0].astext()
            if re.fullmatch("[a-z]+(-[a-z]+)+", code) and row.next_node(nodes.literal):
                row["ids"].append(code)


def one_field_each(_app, _what, _name, _object, _options, lines):
    """``:ivar line, column: …`` documents two; Sphinx takes the first for a type."""
    split = re.compile(r":(ivar|param) (\w+), (\w+): (.*)")
    for at in range(len(lines) - 1, -1, -1):
        if found := split.match(lines[at]):
            kind, first, second, text = found.groups()
            lines[at : at + 1] = [f":{kind} {name}: {text}" for name in (first, second)]


def setup(app):
    app.connect("source-read", prepare)
    app.connect("doctree-read", name_parts)
    app.connect("autodoc-process-docstring", one_field_each)
