"""The documentation of doilinks, built with doilinks."""

import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

from doilinks import __version__

HERE = Path(__file__).parent
# The tables' directives, and the reader of the conformance cases.
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

project = "doilinks"
author = "The doilinks maintainers"
copyright = "2026, The doilinks maintainers"
version = release = __version__

extensions = ["doilinks.sphinx", "myst_parser", "sphinx.ext.autodoc", "tables"]
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


def name_repository(_app, _page, source):
    """In the sources, examples have the name OWNER; in the pages, the address of the repository."""
    if _REPOSITORY:
        text = source[0].replace("https://github.com/OWNER/doilinks", _REPOSITORY)
        source[0] = text.replace("OWNER/doilinks", urlsplit(_REPOSITORY).path.strip("/"))


def one_field_each(_app, _what, _name, _object, _options, lines):
    """``:ivar line, column: …`` documents two; Sphinx takes the first for a type."""
    split = re.compile(r":(ivar|param) (\w+), (\w+): (.*)")
    for at in range(len(lines) - 1, -1, -1):
        if found := split.match(lines[at]):
            kind, first, second, text = found.groups()
            lines[at : at + 1] = [f":{kind} {name}: {text}" for name in (first, second)]


def setup(app):
    app.connect("source-read", name_repository)
    app.connect("autodoc-process-docstring", one_field_each)
