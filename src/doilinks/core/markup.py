"""Rules of markup that hosts share: of HTML, of writers for paper, of directives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape as _unescape
from typing import Final

# --------------------------------------------------------------------------------------------------
# HTML: character references, elements without markup, elements without links.

# A character reference in Markdown, after its "&":
# https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
ENTITY: Final = r"(?:[#][xX][0-9A-Fa-f]{1,6}|[#][0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});"
# And in HTML, which allows more digits:
# https://html.spec.whatwg.org/multipage/syntax.html#character-references
REFERENCE: Final = re.compile(r"&#?[0-9A-Za-z]{1,32};")
# Numbers that may be too long. The last code point, 1114111, has seven digits.
_LONG_NUMBER: Final = re.compile(r"&#([0-9]{8,})")

# https://html.spec.whatwg.org/multipage/parsing.html, "generic raw text element parsing algorithm":
# A browser reads their content as text, if need be up to the end of the page.
RAW_TEXT: Final = (
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext",
)  # fmt: skip
# In these elements no name is linked or read: code, mathematics, pictures, what a browser does not
# show, and controls, in which no link is allowed.
NO_PROSE: Final = (
    "code", "kbd", "samp", "tt", "var", "pre", "math", "svg",
    "head", "template", "noscript", "object", "select", "datalist", "button", *RAW_TEXT,
)  # fmt: skip
# A link contains no other link.
_TAG: Final = re.compile(rf"<(/?)({'|'.join(('a', *NO_PROSE))})(?=[\s/>])", re.IGNORECASE)

# The end of a SICI, which tools take for a web site: 2.0.CO;2.
TAIL: Final = r"[0-9]\.[0-9]\.[A-Za-z]{2}(?:;[0-9A-Za-z])?"
TAIL_SITE: Final = rf"(?:(?i:https?):)?//{TAIL}/?"
_HREF: Final = rf"(?=\s[^<>]{{0,200}}\bhref=[\"']?{TAIL_SITE}[\"'\s>])"
TAIL_LINK: Final = rf"(?i:<a{_HREF}[^<>]*>{TAIL}</a\s*>)"


def unescape(text: str) -> str:
    """Decode the character references of HTML; a number that is too large gives U+FFFD.

    Python raises an error for a number of some thousands of digits. Zeros at its beginning say
    nothing. Source: https://html.spec.whatwg.org/multipage/parsing.html,
    "numeric character reference end state".
    """
    return _unescape(_LONG_NUMBER.sub(_shortened, text) if "&" in text else text)


def _shortened(number: re.Match[str]) -> str:
    digits = number[1].lstrip("0") or "0"
    return f"&#{digits if len(digits) < 8 else '1114112'}"


def enclosed(row: Sequence[str | None]) -> list[bool]:
    """Tell for each node whether it is inside an element of raw HTML in which no link is allowed.

    Some hosts pass a tag of raw HTML and the text after it as separate nodes.

    >>> enclosed(['<a href="x">', None, "</a>", None])
    [False, True, False, False]
    """
    last: dict[str, tuple[int, int]] = {}
    tags: list[list[re.Match[str]]] = []
    for at, raw in enumerate(row):
        tags.append([] if raw is None or raw.startswith("<!") else list(_TAG.finditer(raw)))
        last |= {tag[2].lower(): (at, tag.start()) for tag in tags[-1] if tag[1]}
    inside = ""
    found = []
    for at, raw in enumerate(row):
        for tag in tags[at]:
            name = tag[2].lower()
            if inside:
                if tag[1] and name == inside:
                    inside = ""
            elif not tag[1] and (name in RAW_TEXT or last.get(name, (-1, 0)) > (at, tag.start())):
                inside = name
        found.append(bool(inside) and raw is None)
    return found


# --------------------------------------------------------------------------------------------------
# A DOI on paper: where a line may end within it, and how LaTeX writes it.

# Scheme and prefix stay together. Every other piece consists of leading characters (the percent
# sign of a triplet, a hyphen, an opening bracket), a run of letters or digits, and trailing
# characters; each is limited, so that a piece fits into a narrow column.
_PIECE: Final = re.compile(
    r"\A(?:doi:|https?://[^/\s]{1,60}/)?10\.[0-9.]{1,20}/|[-%(\[{<]{0,16}[^\W_]{0,16}(?:[^\w%(\[{<-]|_){0,4}"
)

# In characters: no line begins or ends with less of a name.
_SHORT: Final = 4
# Characters that LaTeX changes: those of quotes and accents; a hyphen, after which it may end the
# line; and pairs that it replaces by one character.
_LATEX: Final = re.compile(r"([`^]|-|,(?=,)|<(?=<)|>(?=>))")
_COMMANDS: Final = {"`": r"\textasciigrave{}", "^": r"\textasciicircum{}"}
# The LaTeX before and after a text to which TeX must not apply the patterns of a language.
LATEX_UNDIVIDED: Final = (r"{\language255 ", "}")


def pieces(text: str) -> list[str]:
    """Split a DOI, in any of its forms, where a line may end.

    A hyphen begins a piece and never ends one, although typesetters split words after a hyphen: at
    the end of a line, readers and programs that copy text from a PDF take it for hyphenation.
    Heuristic, after LaTeX's ``url`` package, which does not split URLs there by default.
    """
    made: list[str] = []
    for piece in filter(None, _PIECE.findall(text)):
        if made and len(made[-1]) < _SHORT:
            made[-1] += piece
        else:
            made.append(piece)
    if len(made) > 1 and len(made[-1]) < _SHORT:
        made[-2:] = [made[-2] + made[-1]]
    return made


def is_divided_by_latex(text: str) -> bool:
    """Tell whether TeX would hyphenate the first word of a DOI.

    TeX hyphenates the first word after a space if it has at least five letters.
    """
    return not text.startswith("doi:")


def latex(text: str) -> Iterator[tuple[str, bool]]:
    r"""Split the text of a DOI for LaTeX into runs, each with a flag: LaTeX, or plain text.

    >>> runs = list(latex("10.1000/a-b,,c"))
    >>> runs[1:4]
    [('\\allowbreak{}', True), ('a', False), ('\\mbox{', True)]
    >>> print("".join(run for run, _ in runs))
    10.1000/\allowbreak{}a\mbox{-}b,{},c
    """
    for number, piece in enumerate(pieces(text)):
        if number:
            yield r"\allowbreak{}", True
        # Every second item is a character that LaTeX would change.
        for at, run in enumerate(_LATEX.split(piece)):
            if run in _COMMANDS:
                yield _COMMANDS[run], True
            elif at % 2 == 0:
                if run:
                    yield run, False
            elif run == "-":
                yield from ((r"\mbox{", True), (run, False), ("}", True))
            else:
                yield from ((run, False), ("{}", True))


# --------------------------------------------------------------------------------------------------
# Directives of reStructuredText and MyST, and languages of cells in Markdown, by content.

# Directives whose content is not prose. The content of all other directives is prose.
CODE: Final = frozenset((
    "autosummary", "bibliography", "code", "code-block", "code-cell", "command-output",
    "currentmodule", "digraph", "doctest", "footbibliography", "graph", "graphviz", "highlight",
    "image-sg", "include", "index", "inheritance-diagram", "ipython", "jupyter-execute",
    "literalinclude", "math", "mermaid", "module", "nbgallery", "nbinfo",
    "plantuml", "plot", "program-output", "productionlist", "prompt", "raw", "sourcecode",
    "tabularcolumns", "testcleanup", "testcode", "testoutput", "testsetup", "toctree", "uml",
))  # fmt: skip

# Directives whose argument is no prose: a language, a file, a signature. All others may show it.
_UNSPOKEN: Final = CODE | {
    "attribute", "class", "cmdoption", "confval", "container", "cssclass", "data", "describe",
    "envvar", "exception", "figure", "function", "image", "method", "object", "only", "option",
    "program", "rst-class", "title",
}  # fmt: skip
_DOMAINS: Final = ("auto", "c:", "cpp:", "js:", "py:", "rst:")
# Options of directives whose value is prose, and those whose value is an address.
SPOKEN_OPTIONS: Final = (
    "caption", "fig-cap", "fig-subcap", "footer", "lst-cap", "subtitle", "tbl-cap", "tbl-subcap",
)  # fmt: skip
LINK_OPTIONS: Final = ("link", "target")
# Roles whose content pages show as prose, also the badges of sphinx-design.
_SPOKEN_ROLES: Final = frozenset((
    "command", "del", "dfn", "emphasis", "guilabel", "index", "mailheader", "menuselection",
    "program", "sc", "smallcaps", "strike", "strong", "sub", "subscript", "sup", "superscript",
    "u", "underline",
))  # fmt: skip
# The roles that cite works: in brackets, and as a part of the sentence.
CITE_ROLES: Final = ("doi:cite", "doi:cite:p", "doi:cite:t", "doi:citep", "doi:citet")
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
NO_MARKDOWN: Final = LITERAL | CELLS | {"image"}


def is_spoken(directive: str) -> bool:
    """Tell whether the argument of a directive is prose."""
    return directive not in _UNSPOKEN and not directive.startswith(_DOMAINS)


def is_spoken_role(role: str) -> bool:
    """Tell whether the content of a role is prose."""
    return role in _SPOKEN_ROLES or role.startswith("bdg")
