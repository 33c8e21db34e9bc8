"""Reads Markdown, including that of MyST and Pandoc, by markdown-it-py with the plug-in.

So the names that are found are the names that the plug-in links. Their places are then located in
the source.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice, takewhile
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from ..core.doi import Form
from ..core.found import Found
from ..core.link import bare_target, may_contain
from ..core.markup import LINK_OPTIONS, NO_MARKDOWN, SPOKEN_OPTIONS, is_spoken
from ..core.nameless import NoName, nowhere
from ..core.options import Options
from ..core.text import SourceText
from ..hosts.markdown_it.entry import doi_plugin
from ..hosts.markdown_it.walk import with_blocks
from .common import (
    begin,
    found_at,
    found_in_link,
    found_in_prose,
    found_in_role,
    is_read,
    with_citations,
    with_line_ends,
)
from .html import badges
from .locate import PlaceFinder
from .sieve import may_contain_name, part_may_contain_name

# The settings at the top of a page, in YAML or TOML.
FRONT_MATTER: Final = re.compile(r"\A(---|\+\+\+)[ \t]*\n(?:.*\n)*?(?:\1|\.\.\.)[ \t]*(?:\n|\Z)")

# A fence with the name of a directive in braces contains Markdown (MyST), except these directives
# and the cells of Quarto and R Markdown. Classes in braces (Pandoc) begin with a full stop.
_DIRECTIVE: Final = re.compile(r"\{([A-Za-z][\w:.+-]*)\}")
# Raw HTML as a fence, in Pandoc and in MyST.
_RAW_HTML: Final = re.compile(r"\{=html\}|\{raw\}\s+html")
# Lines of MyST that are not prose: comments, targets, breaks between blocks
# (https://myst-parser.readthedocs.io/en/stable/syntax/typography.html).
_ASIDE: Final = re.compile(r"%|\(.+\)=\s*\Z|\+(?:[ \t]*\+){2}")
# In MkDocs, indented content follows these: an admonition, a details block, a tab; a definition,
# also one of what is no term in other dialects, such as a comment.
_INDENTED: Final = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+[\w\"']|:[ \t]")
# A role of mystmd that cites, and the works in it (`citeRole` in its package myst-roles).
_OF_MYSTMD: Final = re.compile(r"cite(?::|\Z)")
_LABEL: Final = re.compile(r"(?<![^},;])[^{},;]+")  # a key in a role of mystmd that cites several
_ATTRIBUTES: Final = re.compile(r"(?:\{[^{}]*+\})?\s*+")  # of an image, in Pandoc
# A heading, a paragraph or a list at the margin; the last group is there if it ends where it seems
# to. Nothing else, such as a fence, HTML or a definition, begins at one of its lines; what follows
# makes no term of a paragraph, and is no more of a list.
_LINE: Final = r"(?!```|\$\$|\[\^|\(.*\)=|\d+[.)])[*_`\"'!\[({$]{0,3}[^\W_].*+(?:\n|\Z)"
_ITEM: Final = r"(?:[-+*]|\d{1,9}[.)])[ ]{1,4}"
# A heading, a paragraph or a list without markup that counts.
_PLAIN: Final = re.compile(
    rf"\#{{1,6}}[ ].*+(?:\n|\Z)()"
    rf"|{_LINE}(?>(?:[ \t]*{_LINE})*)(?:(?=[ \t]*(?:\Z|\n(?!\s*[:~])))())?"
    rf"|{_ITEM}{_LINE}(?>(?:[ \t]*(?:{_ITEM})?{_LINE})*)(?:(?=\n*(?:\Z|(?<=\n\n)[#A-Za-z]))())?"
)
# A line that may define what references lead to. The definition of a footnote does not.
_DEFINES: Final = re.compile(r"^(?>(?:[ \t]*\[\^[^][\s]+\]:)?).*\]:", re.MULTILINE)
# Tokens in which no name counts.
_OPAQUE: Final = frozenset({"code_inline", "html_inline", "image", "math_inline"})
_OPENS: Final = re.compile(r"<a[\s>]", re.IGNORECASE)  # the tag of a link in raw HTML
_CLOSES: Final = re.compile(r"</a\s*>", re.IGNORECASE)  # its end tag
_TOKENS_OF_LINK, _LINK = 9, 2000  # tokens and characters of such a link that are looked at
_HEAD_REACH: Final = 200  # lines
# A directive inside others is read once more for each of them, so their number is limited.
_DEEPEST: Final = 20
# The options of a directive, and those of a cell, after the sign of a comment:
# https://quarto.org/docs/reference/cells/cells-knitr.html
_OF_CELL: Final = r"(?:#|//|--|%%)\|"
# An option of a directive, with the lines that go on.
_OPTION: Final = re.compile(
    rf"^(?:{_OF_CELL}[ ]|:)?([\w-]++):[ \t]*+(.*+(?>(?:\n(?:{_OF_CELL}[ ])?[ \t].+)*))",
    re.MULTILINE,
)
_OF_CSV: Final = frozenset({"delim", "keepspace", "quote", "escape"})
# All options of a directive, in YAML or one a line.
_DIRECTIVE_OPTIONS: Final = re.compile(
    rf"\s*(?:---\n(?:.*\n)*?---(?:\n|\Z)|(?::[\w-]+:.*+(?:\n|\Z))+|(?:{_OF_CELL}.*+(?:\n|\Z))+)"
)


@lru_cache(maxsize=4)
def _parser(options: Options) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"store_labels": True}).enable(["table", "strikethrough"])
    # Dollars enclose a formula by Pandoc's rule, so that two prices do not. Markup may go on in an
    # inline note.
    md.use(dollarmath_plugin, double_inline=True, allow_space=False, allow_digits=False)
    md.use(footnote_plugin).disable("footnote_inline")
    md.disable("footnote_tail")  # this rule drops footnotes without a reference
    md.use(deflist_plugin).use(colon_fence_plugin).use(myst_role_plugin)
    md.core.ruler.before("inline", "sieve", partial(_sieve, options=options))
    md.core.ruler.at("inline", _inlines)
    md.block.ruler.before("table", "plain", partial(_plain, options=options))
    interrupts = ["paragraph", "reference", "blockquote", "list", "footnote_def"]
    md.block.ruler.before("blockquote", "aside", _aside, {"alt": interrupts})
    return md.use(
        doi_plugin,
        bare=options.bare,
        ignore=options.ignore,
        arxiv=options.arxiv,
        urls="keep",
        cite=False,
    )


_READ: Final = "doi_read"
_DEFINITIONS: Final = "doi_definitions"  # whether the document may define what references lead to
_TRIED: Final = "doi_tried"  # the offset before which no block is tried again
_NAMED: Final = "doi_named"  # the first lines of the blocks that may contain a name


def _plain(state: StateBlock, line: int, _last: int, _silent: bool, options: Options) -> bool:
    """Go past a block that says nothing about a name."""
    at, env = state.bMarks[line], state.env
    block = None if state.level or at < env[_TRIED] else _PLAIN.match(state.src, at)
    if block is None:
        return False
    env[_TRIED] = block.end()
    if not block.lastindex or (env[_DEFINITIONS] and "[" in block[0]):
        return False
    if part_may_contain_name(block[0], "md", options):
        env[_NAMED].add(line)
        return False
    state.line = line + (block[0].count("\n") or 1)
    return True


def _sieve(state: StateCore, options: Options) -> None:
    """Say in which blocks the next rule reads markup: those with a name, or that refer to one."""
    definitions = state.env.get("references", {}).values()
    hrefs = [each["href"] for each in definitions]
    referred = any(
        found_in_link(href, options) or bare_target(href, options, tuple) for href in hrefs
    )
    for token in state.tokens:
        if token.type == "inline":
            token.meta[_READ] = (
                (token.map and token.map[0] in state.env[_NAMED])
                or (referred and "[" in token.content)
                or part_may_contain_name(token.content, "md", options)
            )


def _inlines(state: StateCore) -> None:
    for token in state.tokens:
        if token.meta.get(_READ):
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _aside(state: StateBlock, line: int, _last: int, silent: bool) -> bool:
    begin = state.bMarks[line] + state.tShift[line]
    if state.is_code_block(line) or not _ASIDE.match(state.src[begin : state.eMarks[line]]):
        return False
    if not silent:
        state.line = line + 1
    return True


def read(text: str, options: Options) -> Iterator[Found]:
    """Find every DOI of a Markdown text."""
    if not may_contain(text, options, roles=True):
        return iter(())
    source = with_line_ends(text)
    text = with_citations(source, cites=options.cites, of_mystmd=True)
    front = FRONT_MATTER.match(text)
    body = "\n" * front[0].count("\n") + text[front.end() :] if front else text
    finder = _MarkdownFinder(text, options, encoded=True)
    finder.read(body, 0)
    cited = _cited_in_front(source, front[0], options) if front and options.cites else ()
    return iter([*cited, *sorted(finder.places, key=begin)])


_COMMENT: Final = re.compile("^#.*", re.MULTILINE)  # a comment of YAML


def _cited_in_front(source: str, front: str, options: Options) -> Iterator[Found]:
    """Yield the names that front matter cites, as Pandoc shows them in a title or abstract.

    In the front matter here, the signs of citations are blank.
    """
    prose = _COMMENT.sub(lambda comment: " " * len(comment[0]), front)
    for found in found_in_prose(prose, options):
        start, _ = found.span or (0, 0)
        sign = start - 2 if front[start - 1] == "{" else start - 1
        if source[sign] != front[sign]:
            yield found


def _head(lines: Sequence[str], first: int) -> str:
    """Return the line that line ``first`` belongs to: the last less indented one before."""
    width = len(lines[first]) - len(lines[first].lstrip())
    for line in reversed(lines[max(0, first - _HEAD_REACH) : first]):
        if line.strip() and len(line) - len(line.lstrip()) < width:
            return line.lstrip()
    return ""


def _text_of_link(tokens: Sequence[Token], at: int) -> str:
    inside = takewhile(
        lambda token: token.type != "link_close" or token.level != tokens[at].level,
        islice(tokens, at + 1, None),
    )
    return "".join(token.content for token in inside)


def _is_figure(tokens: Sequence[Token]) -> bool:
    """Tell whether an image is all of a paragraph: to Pandoc, it is a figure with a caption."""
    is_alone = len(tokens) <= 2 and tokens[0].type == "image"
    return is_alone and _ATTRIBUTES.fullmatch(tokens[-1].content if tokens[1:] else "") is not None


class _MarkdownFinder(PlaceFinder):
    def read(self, text: str, shift: int, depth: int = 0) -> None:
        """Read a text of Markdown, whose first line is the line ``shift`` of the file."""
        if depth > _DEEPEST or (depth and not may_contain_name(text, "md", self._options)):
            return
        defines = "]:" in text and _DEFINES.search(text)
        env: dict[str, Any] = {_TRIED: 0, _NAMED: set(), _DEFINITIONS: defines}
        texts: dict[str, list[str]] = {}  # of the links by reference, by their labels
        lines = text.split("\n")
        tokens = _parser(self._options).parse(text, env)
        for token, block in with_blocks(tokens):
            if token.map is None:
                continue
            first, last = token.map[0] + shift, token.map[1] + shift
            self._lines, self._around = (first, last), block.text if block else None
            if block:
                self._inline(token.children or (), texts, depth)
            elif token.type == "html_block":
                self._html_block(token, lines, 0)
            elif token.type in ("fence", "colon_fence") and _RAW_HTML.fullmatch(token.info.strip()):
                self._lines = first + 1, last
                self._html_block(token, lines, 1)
            elif token.type in ("fence", "colon_fence"):
                if directive := _DIRECTIVE.match(token.info.strip()):
                    self._directive(directive, token.content, first, depth + 1)
                    continue
                if "{" in token.info:  # a title or caption among its attributes
                    self.read(token.info, first, depth + 1)
                if token.type == "colon_fence":
                    self.read(token.content, first + 1, depth + 1)
            elif token.type == "code_block" and _INDENTED.match(_head(lines, token.map[0])):
                # Without an extension of MkDocs, indented content is code.
                self.read(token.content, first, depth + 1)
        # A link by reference counts once, at the place of its target.
        self._around = None
        for label in texts.keys() & env.get("references", {}).keys():
            definition = env["references"][label]
            first, last = definition["map"]
            self._lines = first + shift, last + shift
            self._link(definition["href"], texts[label])

    def _directive(self, begin: re.Match[str], content: str, line: int, depth: int) -> None:
        """Read the parts of a directive that are prose: its argument, options, its content."""
        if not may_contain_name(begin.string + content, "md", self._options):
            return
        name = begin[1].lower()
        options: dict[str, tuple[str, int]] = {}  # with their lines
        if is_spoken(name):
            self.read(begin.string[begin.end() :].strip(), line, depth)
        if given := _DIRECTIVE_OPTIONS.match(content):
            for option in _OPTION.finditer(given[0]):
                first = line + 1 + given[0].count("\n", 0, option.start())
                options[option[1]] = option[2], first
            content = "\n" * given[0].count("\n") + content[given.end() :]
        for key, (value, first) in options.items():
            if key in SPOKEN_OPTIONS:
                self.read(value, first, depth)
            elif key in LINK_OPTIONS:
                self._lines = first, first + 1
                self._link(value.strip(" \"'"), ())
        if name == "eval-rst":
            self._rest(content, line + 1)
        elif name == "csv-table":
            for text, first in (options.get("header", ("", 0)), (content, line + 1)):
                self._cells(text, first, depth, {key: value for key, (value, _) in options.items()})
        elif name not in NO_MARKDOWN:
            self.read(content, line + 1, depth)

    def _rest(self, content: str, line: int) -> None:
        from . import rest  # docutils takes long to import

        self._lines = line, line + content.count("\n") + 1
        whole = self._placed(content)
        for found in rest.read(content, self._options, metadata=False):
            start, end = found.span or (0, 0)
            span = whole.span(start, end) if whole else self._find(content[start:end])
            self.places.append(replace(found, span=span))

    def _cells(self, content: str, line: int, depth: int, options: Mapping[str, str]) -> None:
        """Read the cells of a table, as docutils separates them."""
        from docutils.parsers.rst.directives.tables import CSVTable  # as above

        known = CSVTable.option_spec or {}
        with suppress(csv.Error, ValueError):  # then no page has the table
            given = {key: known[key](options[key]) for key in _OF_CSV & options.keys()}
            rows = csv.reader(content.splitlines(keepends=True), CSVTable.DocutilsDialect(given))
            first = line
            for row in rows:
                for cell in row:
                    self.read(cell, first, depth)
                first = line + rows.line_num

    def _inline(self, tokens: Sequence[Token], texts: dict[str, list[str]], depth: int) -> None:
        """Read a block's inline tokens, and note the texts of links by reference."""
        html = "".join(token.content for token in tokens if token.type == "html_inline")
        pictures = dict(badges(html))
        linked = 0
        for at, token in enumerate(tokens):
            linked += token.nesting if token.type in ("link_open", "link_close") else 0
            if token.type == "link_open":
                if place := token.meta.get("doi"):
                    span = self._find(place.written)
                    found = found_at(place.match, span, self._text, self._around, place.whole)
                    self.places.append(found)
                elif label := token.meta.get("label"):
                    texts.setdefault(label, []).append(_text_of_link(tokens, at))
                else:
                    form: Form = "angle" if token.markup == "autolink" else "link"
                    href, text = str(token.attrs.get("href", "")), _text_of_link(tokens, at)
                    if form == "link":
                        self._skip(text)
                    self._link(href, (text,), form)
            elif token.type == "text" and not linked:
                self._aimed(token.content)
            elif token.type == "html_inline":
                self._raw_inline(tokens, at, pictures)
            elif token.type == "image" and _is_figure(tokens):
                self.read(token.content, self._lines[0], depth + 1)
            elif token.type in _OPAQUE:
                self._skip(token.content)
            elif token.type == "myst_role" and is_read(token.meta["name"]):
                self._role(token.meta["name"], token.content)
            elif token.type == "myst_role" and _OF_MYSTMD.match(token.meta["name"]):
                self._cited(token.content)

    def _raw_inline(self, tokens: Sequence[Token], at: int, pictures: Mapping[str, str]) -> None:
        """Read a tag of raw HTML; if it opens a link that ends soon, the whole link."""
        tag = tokens[at].content
        is_whole = _OPENS.match(tag) and any(
            token.type == "html_inline" and _CLOSES.match(token.content)
            for token in islice(tokens, at + 1, at + _TOKENS_OF_LINK)
        )
        if is_whole or may_contain(tag, self._options, roles=True):
            start, end = self._find(tag)
            closes = _CLOSES.search(self._text, end, end + _LINK) if is_whole else None
            written = self._text[start : closes.end() if closes else end]
            whole = SourceText.from_parts([(written, start, start + len(written))])
            if written.startswith(tag):
                self._raw(written, whole, pictures)
            else:
                self._raw(tag, None, pictures)

    def _cited(self, content: str) -> None:
        """Read the works that mystmd cites in a role: names, and keys of bibliographies."""
        for each in _LABEL.finditer(content) if self._options.cites else ():
            found = found_in_role(cited := each[0].strip(), self._options)
            # A key is no name, unless it is an address of doi.org.
            if found and (not isinstance(found.doi, NoName) or nowhere(cited)):
                self._add(replace(found, form="cite"), self._find(cited))

    def _html_block(self, token: Token, lines: Sequence[str], skipped: int) -> None:
        """Read a block of raw HTML, with the lines that were left out if that is the same.

        ``skipped`` are the lines of the block before its content.
        """
        html = token.content
        if not token.level and token.map:
            first = token.map[0] + skipped
            html = "\n".join(lines[first : first + html.count("\n")])
        if may_contain(html, self._options, roles=True):
            self._raw_block(html)
