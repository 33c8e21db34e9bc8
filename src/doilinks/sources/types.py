r"""The types of files that doilinks reads: a row for each. Everything else follows from the rows.

A row names the function that reads the type. It has the text of a file and the options, and yields
a :class:`~doilinks.core.found.Found` for each name, in the order of the text, with the offsets
``span`` at which the name begins and ends. ``read`` of this package adds line and column. This
is a reader of a format with code between backticks, and links such as ``[[target][text]]``:

>>> from dataclasses import replace
>>> from doilinks.core.options import Options
>>> from doilinks.sources.common import begin, found_in_link, found_in_prose, hidden
>>> CODE, LINK = re.compile("`[^`]*`"), re.compile(r"\[\[([^\[\]]+)\]\[([^\[\]]+)\]\]")
>>> def read(text, options):
...     text = hidden(text, CODE)
...     names = list(found_in_prose(hidden(text, LINK), options))
...     for link in LINK.finditer(text):
...         if found := found_in_link(link[1], options, texts=[link[2]]):
...             names.append(replace(found, span=link.span(1)))
...     return iter(sorted(names, key=begin))
>>> text = "`10.1000/1` [[doi:10.1000/182][this]], 10.1000/183"
>>> [(each.doi.name, each.form, each.span) for each in read(text, Options())]
[('10.1000/182', 'link', (14, 29)), ('10.1000/183', 'bare', (39, 50))]

A reader that knows that a name should be at a place, but cannot read it, yields an
:class:`~doilinks.sources.files.Unread`. If the text is not of the type at all, it raises
:exc:`~doilinks.sources.files.CannotRead`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from ..core.found import (
    HTML_COMMENT,
    MARKDOWN_COMMENTS,
    REST_COMMENTS,
    WORD,
    Comment,
    CommentSyntax,
    verbatim,
)
from ..core.text import field_pieces
from .escapes import (
    Escapes,
    LatexPlaces,
    backslashes,
    of_json,
    of_latex,
    of_markdown,
    of_rd,
    references,
    to_json,
    to_rd,
)

# A declaration in the first or second line, as Python [PEP 263], docutils (`Input.coding_slug`) and
# Emacs read it, and as JabRef writes it.
_CODING: Final = re.compile(rb"\A(?:[^\n]*\n)?[^\n]*?coding[:=][ \t]*([\w.-]+)", re.IGNORECASE)
# The encoding that a page declares.
_META: Final = re.compile(rb"<meta[^>]*?[\s\"';]charset\s*=\s*+[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML: Final = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([\w.:-]+)")  # the declaration of XML


class Sieve(NamedTuple):
    """What may stand between two characters of a name, so that no name is missed before parsing."""

    markup: bytes  # its characters, each as an octet
    prefixes: bytes = b""  # letters before a string, which may stand there together with these
    # Finds an escape that may stand for a character of a name, in its label or before its suffix.
    escape: re.Pattern[str] | None = None
    joint: tuple[re.Pattern[str], str] | None = None  # longer markup, and what is left without it
    always: str = ""  # a text with this word is read, whatever else is in it
    is_text: bool = False  # whether it has no roles, and a label is just before a name


class FieldSyntax(NamedTuple):
    """How a format writes the field that contains nothing but a name."""

    before: re.Pattern[str]  # what is between the name of the field and its value
    special: re.Pattern[str]  # what would mean something else in the format than in a URL


class FileType(NamedTuple):
    """A type of files."""

    name: str  # what `--type` calls it
    what: str  # what it is, for the documentation
    reader: str  # the module that reads it, with `:` and the function if that is not `read`
    endings: tuple[str, ...]  # of its files, without the full stop
    # The names of its files, in lower case, if no ending is theirs alone. Such a file is read
    # although it is hidden.
    names: tuple[str, ...] = ()
    # How a file names its encoding: the first group is the name.
    encodings: tuple[re.Pattern[bytes], ...] = (_CODING,)
    comments: CommentSyntax | None = None  # how it writes comments for the check
    # What reads these if the format contains texts of another one, named as a reader is.
    comments_by: str = ""
    sieve: Sieve | None = None  # tells before parsing that a file contains no name
    escapes: tuple[Escapes, ...] = ()  # the outermost first
    escape: Callable[[str], str] = str  # escapes a text for the target of a link
    # Makes, of a document, what gives the `escape` for an offset; None if all need the same.
    places: Callable[[str], Callable[[int], Callable[[str], str]]] | None = None
    # Matches what is between the text and the target of a link, in either order; empty if a link
    # has no text.
    between: str = ""
    field: FieldSyntax | None = None  # how it writes a field for a name
    latex: bool = False  # whether its prose is LaTeX, in which a percent begins a comment
    aligned: bool = False  # whether tables and titles need lines of a certain length [reST]
    program: bool = False  # whether it is Python, whose strings are values or documentation
    lexer: str = ""  # the language of another program, as Pygments calls it


_HTML_COMMENTS: Final = CommentSyntax((HTML_COMMENT,))
HASH_COMMENTS: Final = CommentSyntax(
    (Comment("# doilinks: ignore", "# see doilinks: ignore", rf"#[ \t]*{WORD}$"),)
)
_PERCENT: Final = Comment("% doilinks: ignore", r"\% doilinks: ignore", rf"(?<!\\)%[ \t]*{WORD}$")
_PERCENT_COMMENTS: Final = CommentSyntax((_PERCENT,))
# What LaTeX does not set, or sets as it stands. A block that is not closed goes on to the end.
LATEX_CODE: Final = (
    r"\\begin\s*+\{(?P<env>[BLv]?[vV]erbatim|lstlisting|minted|comment|filecontents)\*?\}"
    r"(?s:.*?)(?:\\end\s*+\{(?P=env)\*?\}|\Z)|\\iffalse\b(?s:.*?)(?:\\fi\b|\Z)"
    r"|\\end\s*+\{document\}(?s:.*)"
)
# No comment in code.
_LATEX_COMMENTS: Final = CommentSyntax((_PERCENT,), verbatim(re.compile(LATEX_CODE)))
# A block that AsciiDoc shows as it stands, or not at all.
ASCIIDOC_FENCE: Final = (
    r"(?P<rule>-{4,}+|\.{4,}+|\+{4,}+|/{4,}+|```)(?:[ \t]*+|(?<=```)[^\n`]*+)(?:\n|\Z)"
    r"(?s:.*?)(?:^(?P=rule)[ \t]*+$|\Z)"
)
# No comment in a block of code.
_ASCIIDOC_COMMENTS: Final = CommentSyntax(
    (Comment("// doilinks: ignore", "a // doilinks: ignore", rf"^//[ \t]*{WORD}$"),),
    verbatim(re.compile(rf"^{ASCIIDOC_FENCE}", re.MULTILINE)),
)
# A comment of Typst that may have several lines, with comments in it, three deep, and raw text,
# which ends at as many backquotes as begin it. The limit keeps the time linear.
_COMMENT: Final = r"/\*(?>(?:[^*/]++|\*(?!/)|/(?!\*)|{})*)(?:\*/|\Z)"
TYPST_HIDDEN: Final = (
    _COMMENT.format(_COMMENT.format(_COMMENT.format("/")))
    + r"|(?P<ticks>`{3,40}+)(?s:.*?)(?:(?P=ticks)|\Z)"
)
# No comment in code, and not the // of an address.
_TYPST_COMMENTS: Final = CommentSyntax(
    (Comment("// doilinks: ignore", "`// doilinks: ignore`", rf"(?<![:`])//[ \t]*{WORD}$"),),
    verbatim(re.compile(TYPST_HIDDEN)),
)

_WHITE: Final = b" \t\n\v\f\r\x1c\x1d\x1e\x1f"
# The end of a line in the target of a link [reST].
_REST_SIEVE: Final = Sieve(_WHITE + b"\\")
# White space and markup may stand in a label, references for its signs.
_MARKDOWN_SIEVE: Final = Sieve(
    _WHITE + b"\\*_~`",
    escape=re.compile(r"&(?:#|period;|sol;|percnt;|colon;|lpar;|rpar;|[lr]cub;|[lr]brace;)"),
)
# The end and the beginning of a string, with letters before it, and comments between two strings.
_PROGRAM_SIEVE: Final = Sieve(
    _WHITE + b"\\()\"'",
    prefixes=b"rubft",
    escape=re.compile(r"\\(?:x[2-7]|u00[2-7]|U000000[2-7]|N\{|[01]?[0-7]{2})"),
    joint=(re.compile(r"([\"'])(?:[\s()\\]*+#[^\n]*+)+"), r"\1"),
)
# The beginning of a line in a comment.
_COMMENT_SIEVE: Final = Sieve(_WHITE + b"*#!;-", is_text=True)
# A character reference, what joins two strings, and a command that has no text. A field of the name
# `doi` counts without a DOI too.
_BIBTEX_SIEVE: Final = Sieve(
    _WHITE + b"\\{}$~",
    escape=re.compile("[&#]"),
    joint=(re.compile(r"\\(?:url|href|doi|path|nolinkurl|texttt|protect|string)\b"), ""),
    always="doi",
)

# The end of the sentence, and white space, which in a notebook may be a line end.
_AFTER: Final = r"(?:[\s.,;:)]|\\n|\",\s*\")*"
_MARKDOWN_LINK: Final = rf"{_AFTER}\]\(\s*<?"  # [text](target
_REST_LINK: Final = rf"{_AFTER}\s<"  # `text <target
_HTML_LINK: Final = r"[\"']?(?:\s[^<>]{0,200})?>\s*"  # href="target">text
_LATEX_LINK: Final = r"\}\s?\{\s*"  # \href{target}{text

# An argument for a name, and what ends its value.
_R_FIELD: Final = FieldSyntax(
    re.compile(r"\bdoi[ \t]*=\s*[\"']\Z", re.IGNORECASE), re.compile(r"[\\\"']")
)
_YAML_SPECIAL: Final = re.compile(r"[\\\"':#]")  # a plain scalar with one of these needs quotes

# What it is, what Pygments calls it, how a comment begins, and the endings of its files.
_LANGUAGES: Final = (
    ("C", "c", "//", ("c", "h")),
    ("C++", "cpp", "//", ("cpp", "cc", "cxx", "hpp", "hh", "hxx")),
    ("C#", "csharp", "//", ("cs",)),
    ("CUDA", "cuda", "//", ("cu", "cuh")),
    ("Cython", "cython", "#", ("pyx", "pxd", "pxi")),
    ("Fortran", "fortran", "!", ("f90", "f95", "f03", "f08", "fypp")),
    ("Fortran in fixed form", "fortranfixed", "!", ("f", "for", "f77")),
    ("Go", "go", "//", ("go",)),
    ("Groovy and Nextflow", "groovy", "//", ("groovy", "nf")),
    ("Haskell", "haskell", "--", ("hs",)),
    ("Java", "java", "//", ("java",)),
    ("JavaScript", "javascript", "//", ("js", "mjs", "cjs", "jsx")),
    ("Julia", "julia", "#", ("jl",)),
    ("Kotlin", "kotlin", "//", ("kt",)),
    ("Lua", "lua", "--", ("lua",)),
    ("MATLAB", "matlab", "%", ("m",)),
    ("Ruby", "ruby", "#", ("rb",)),
    ("Rust", "rust", "//", ("rs",)),
    ("Scala", "scala", "//", ("scala",)),
    ("shells", "bash", "#", ("sh", "bash")),
    ("Stan", "stan", "//", ("stan",)),
    ("Swift", "swift", "//", ("swift",)),
    ("TypeScript", "typescript", "//", ("ts", "tsx", "mts")),
)
_IN_COMMENT: Final = rf"(?:[/*#%!-]+|\{{-)[ \t]*{WORD}(?:\*+/|-\}}|=#|%\}})?$"
PROGRAM_COMMENTS: Final = CommentSyntax((Comment("", "", _IN_COMMENT),))
DOCUMENTED: Final = frozenset({"cython", "julia"})  # by strings


def _program(language: str, lexer: str, mark: str, endings: tuple[str, ...]) -> FileType:
    comment = Comment(f"{mark} doilinks: ignore", f'a = "{mark} doilinks: ignore"', _IN_COMMENT)
    strings = "documentation strings and " if lexer in DOCUMENTED else ""
    return FileType(
        endings[0], f"{language}: {strings}comments", "languages", endings,
        comments=CommentSyntax((comment,)), comments_by="languages:comments", lexer=lexer,
        sieve=_PROGRAM_SIEVE if strings else _COMMENT_SIEVE,
    )  # fmt: skip


_PROGRAMS: Final = tuple(_program(*each) for each in _LANGUAGES)

_ROWS: Final = (
    FileType(
        "md", "Markdown, also that of MyST, Pandoc, Quarto and R Markdown", "markdown",
        ("md", "markdown", "mdown", "qmd", "rmd"),
        comments=MARKDOWN_COMMENTS, sieve=_MARKDOWN_SIEVE, escapes=(of_markdown,),
        between=f"{_MARKDOWN_LINK}|{_HTML_LINK}",
    ),
    FileType(
        "rst", "reStructuredText, also that of Sphinx", "rest", ("rst", "rest"),
        comments=REST_COMMENTS, sieve=_REST_SIEVE, escapes=(backslashes,),
        between=f"{_REST_LINK}|{_HTML_LINK}", aligned=True,
    ),
    FileType(
        "ipynb", "Jupyter notebooks: their Markdown cells", "notebook", ("ipynb",), encodings=(),
        comments=MARKDOWN_COMMENTS, comments_by="notebook:comments",
        escapes=(of_json, of_markdown), between=_MARKDOWN_LINK,
    ),
    FileType(
        "html", "HTML pages", "html", ("html", "htm"),
        # XHTML that is served as HTML: https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing
        encodings=(_META, _XML), comments=_HTML_COMMENTS,
        escapes=(references,), escape=escape, between=_HTML_LINK,
    ),
    FileType(
        "xhtml", "XHTML pages, such as the chapters of an EPUB", "html:read_xhtml",
        ("xhtml", "xht"), encodings=(_XML, _META), comments=_HTML_COMMENTS,
        escapes=(references,), escape=escape, between=_HTML_LINK,
    ),
    FileType(
        "txt", "plain text", "common:read_prose", ("txt", "text"), escapes=(of_markdown,)
    ),
    FileType(
        "bib", "BibTeX and biblatex", "bibtex", ("bib",), comments=_PERCENT_COMMENTS,
        sieve=_BIBTEX_SIEVE, escapes=(field_pieces,), between=_LATEX_LINK, latex=True,
        field=FieldSyntax(re.compile(r"=\s*+[{\"]{0,2}\s*\Z"), re.compile(r"[\\{}%#$&^~\"]")),
    ),
    FileType(
        "tex", "LaTeX documents, and the bibliographies that BibTeX and biber write for them",
        "latex", ("tex", "ltx", "bbl"), comments=_LATEX_COMMENTS, escapes=(of_latex,),
        places=LatexPlaces, between=_LATEX_LINK, latex=True,
    ),
    FileType(
        "adoc", "AsciiDoc", "asciidoc", ("adoc", "asciidoc"), comments=_ASCIIDOC_COMMENTS,
        escapes=(of_markdown,), between=r"\[",
    ),
    FileType(
        "typ", "Typst", "typst", ("typ",), comments=_TYPST_COMMENTS, escapes=(backslashes,),
        between=r"\"[\s,]{0,80}\)?\[",
    ),
    FileType(
        "rd", "R documentation", "rd", ("rd",), comments=_PERCENT_COMMENTS, escapes=(of_rd,),
        escape=to_rd, between=_LATEX_LINK,
    ),
    FileType(
        "r", "R: comments, also those of roxygen2, and `bibentry()`", "rd:read_r", ("r",),
        comments=HASH_COMMENTS, escapes=(of_rd,), between=_LATEX_LINK, field=_R_FIELD,
    ),
    FileType(
        "citation", "what an R package asks to cite, or a text that says so", "rd:read_citation",
        (), names=("citation",), comments=HASH_COMMENTS, escapes=(of_rd,), between=_LATEX_LINK,
        field=_R_FIELD,
    ),
    FileType(
        "dcf", "descriptions of R packages", "rd:read_dcf", ("dcf",), names=("description",)
    ),
    FileType(
        "cff", "citation files, and `meta.yml` of nf-core", "citation", ("cff",),
        names=("meta.yml",), comments=HASH_COMMENTS,
        field=FieldSyntax(
            re.compile(r"(?:doi|value)[\"']?\s*:\s*[\"']?\Z"), _YAML_SPECIAL
        ),
    ),
    FileType(
        "json", "metadata of software and works", "metadata", (),
        names=(
            ".zenodo.json", "codemeta.json", "manual-references.json", "ro-crate-metadata.json",
        ),
        encodings=(), escapes=(of_json,), escape=to_json,
        field=FieldSyntax(
            re.compile(r"\"(?:doi|DOI)\"\s*+:\s*+\"\s*+\Z"), re.compile(r"[\\\"\x00-\x1f]")
        ),
    ),
    FileType(
        "py", "Python: docstrings and comments", "python", ("py", "pyi", "pyw"),
        comments=HASH_COMMENTS, comments_by="python:comments", sieve=_PROGRAM_SIEVE,
        between=_REST_LINK, aligned=True, program=True,
    ),
    *_PROGRAMS,
)  # fmt: skip

TYPES: Final = {row.name: row for row in _ROWS}

# The fields before a document of Markdown, as if they were a file of their own.
FRONT_MATTER: Final = FileType(
    "front matter", "", "", (), field=FieldSyntax(re.compile(""), _YAML_SPECIAL)
)


def type_of(path: str) -> str | None:
    """Return the type that the name of a file or its ending stands for, or None."""
    name = Path(path.lower()).name
    if named := next((row.name for row in TYPES.values() if name in row.names), None):
        return named
    *_, before, last = ["", "", *Path(path.lower()).suffixes]
    # Sphinx adds .txt to the names of its copies of sources.
    return (_of_ending(before) if last == ".txt" else None) or _of_ending(last)


def _of_ending(ending: str) -> str | None:
    return next((row.name for row in TYPES.values() if ending[1:] in row.endings), None)
