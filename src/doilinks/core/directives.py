"""Directives of reStructuredText and MyST, and languages of cells in Markdown, by content."""

from __future__ import annotations

from typing import Final

# Directives whose content is not prose. The content of all other directives is prose.
CODE: Final = frozenset((
    "autosummary", "bibliography", "code", "code-block", "code-cell", "command-output",
    "currentmodule", "digraph", "doctest", "footbibliography", "graph", "graphviz", "highlight",
    "image-sg", "include", "index", "inheritance-diagram", "ipython", "jupyter-execute",
    "literalinclude", "math", "mermaid", "module", "nbgallery", "nbinfo",
    "plantuml", "plot", "program-output", "productionlist", "prompt", "raw", "sourcecode",
    "tabularcolumns", "testcleanup", "testcode", "testoutput", "testsetup", "toctree", "uml",
))  # fmt: skip

# Directives whose argument is prose.
SPOKEN: Final = frozenset((
    "card", "centered", "deprecated", "dropdown", "seealso", "versionadded", "versionchanged",
    "versionremoved",
))  # fmt: skip

# Languages of cells in Quarto (https://quarto.org/docs/computations/) and R Markdown
# (https://bookdown.org/yihui/rmarkdown/language-engines.html, `names(knitr::knit_engines$get())`),
# without those whose content is Markdown. No directive of Sphinx has one of these names.
CELLS: Final = frozenset((
    "asy", "awk", "bash", "c", "cat", "cc", "coffee", "comment", "cpp", "css", "dot", "embed",
    "eviews", "exec", "fortran", "fortran95", "gawk", "glue", "go", "groovy", "haskell",
    "javascript", "js", "julia", "lein", "mysql", "node", "octave", "ojs", "perl", "php", "psql",
    "pyodide", "pyodide-python", "python", "r", "rcpp", "rscript", "ruby", "rust", "sas", "sass",
    "scala", "scss", "sed", "sh", "sql", "stan", "stata", "targets", "tikz", "typescript",
    "verbatim", "webr", "webr-r", "zsh",
))  # fmt: skip

# Directives of reStructuredText whose content is shown as it is, or not at all. Links of a
# parsed literal count.
LITERAL: Final = CODE | {"parsed-literal"}

# Names in braces after a fence of Markdown whose content is not Markdown.
NO_MARKDOWN: Final = LITERAL | CELLS | {"csv-table", "eval-rst", "image"}
