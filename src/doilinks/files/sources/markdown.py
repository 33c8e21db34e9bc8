"""Reads Markdown, including that of MyST and Pandoc, by markdown-it-py with the plug-in.

So the names that are found are the names that the plug-in links. Their places are then located in
the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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

from ...core.doi import Form
from ...core.found import Found
from ...core.link import may_contain
from ...core.markup import CITE_ROLES, NO_MARKDOWN
from ...core.options import Options
from ...core.text import SourceText
from ...linking.markdown_it.entry import doi_plugin
from ...linking.markdown_it.walk import with_blocks
from .html import badges
from .locate import Finder
from .prose import (
    ROLES,
    begin,
    found_at,
    found_in_link,
    found_in_prose,
    may_contain_name,
    part_may_contain_name,
    with_citations,
    with_line_ends,
)

# --------------------------------------------------------------------------------------------------
# The names of a document: in its links, its roles and its text.

FRONT_MATTER: Final = re.compile(r"\A(---|\+\+\+)[ \t]*\n(?:.*\n)*?(?:\1|\.\.\.)[ \t]*(?:\n|\Z)")

# A fence with the name of a directive in braces contains Markdown (MyST), except these directives
# and the cells of Quarto and R Markdown. Classes in braces (Pandoc) begin with a full stop.
_DIRECTIVE: Final = re.compile(r"\{([A-Za-z][\w:.+-]*)\}")
# Raw HTML as a fence, in Pandoc and in MyST.
_RAW_HTML: Final = re.compile(r"\{=html\}|\{raw\}\s+html")
# Lines of MyST that are not prose: comments, targets, breaks between blocks
# (https://myst-parser.readthedocs.io/en/stable/syntax/typography.html).
_ASIDE: Final = re.compile(r"%|\(.+\)=\s*\Z|\+(?:[ \t]*\+){2}")
# In MkDocs, indented content follows these: an admonition, a details block, a tab.
_INDENTED: Final = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+[\w\"']")
# Tokens in which no name counts.
_OPAQUE: Final = frozenset({"code_inline", "html_inline", "image", "math_inline"})
_HEAD_REACH: Final = 200  # lines
# A directive inside others is read once more for each of them, so their number is limited.
_DEEPEST: Final = 20
_DIRECTIVE_OPTIONS: Final = re.compile(
    r"\s*(?:---\n(?:.*\n)*?---(?:\n|\Z)|(?::[\w-]+:.*+(?:\n|\Z))+)"
)


@lru_cache(maxsize=4)
def _parser(options: Options) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"store_labels": True}).enable(["table", "strikethrough"])
    md.use(dollarmath_plugin, double_inline=True).use(footnote_plugin)
    md.disable("footnote_tail")  # this rule drops footnotes without a reference
    md.use(deflist_plugin).use(colon_fence_plugin).use(myst_role_plugin)
    md.core.ruler.before("inline", "sieve", partial(_sieve, options=options))
    md.core.ruler.at("inline", _inlines)
    interrupts = ["paragraph", "reference", "blockquote", "list", "footnote_def"]
    md.block.ruler.before("blockquote", "aside", _aside, {"alt": interrupts})
    return md.use(
        doi_plugin, bare=options.bare, ignore=options.ignore, arxiv=options.arxiv, urls="keep"
    )


def _sieve(state: StateCore, options: Options) -> None:
    """Say in which blocks the next rule reads markup: those with a name, or that refer to one."""
    definitions = state.env.get("references", {}).values()
    referred = any(found_in_link(each["href"], options) for each in definitions)
    for token in state.tokens:
        if token.type == "inline":
            token.meta[_READ] = (referred and "[" in token.content) or part_may_contain_name(
                token.content, "md", options
            )


def _inlines(state: StateCore) -> None:
    for token in state.tokens:
        if token.meta.get(_READ):
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


_READ: Final = "doi_read"


def _aside(state: StateBlock, line: int, _last: int, silent: bool) -> bool:
    begin = state.bMarks[line] + state.tShift[line]
    if state.is_code_block(line) or not _ASIDE.match(state.src[begin : state.eMarks[line]]):
        return False
    if not silent:
        state.line = line + 1
    return True


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a Markdown text."""
    if not may_contain(text, options, roles=True):
        return iter(())
    source = with_line_ends(text)
    text = with_citations(source, cites=options.cite)
    front = FRONT_MATTER.match(text)
    body = "\n" * front[0].count("\n") + text[front.end() :] if front else text
    finder = _Finder(text, options, encoded=True)
    finder.read(body, 0)
    cited = _cited_in_front(source, front[0], options) if front and options.cite else ()
    return iter([*cited, *sorted(finder.found, key=begin)])


_COMMENT: Final = re.compile("^#.*", re.MULTILINE)


def _cited_in_front(source: str, front: str, options: Options) -> Iterator[Found]:
    """The names that front matter cites, as Pandoc shows them in a title or an abstract.

    In the front matter here, the signs of citations are blank.
    """
    prose = _COMMENT.sub(lambda comment: " " * len(comment[0]), front)
    for found in found_in_prose(prose, options):
        start, _ = found.span or (0, 0)
        sign = start - 2 if front[start - 1] == "{" else start - 1
        if source[sign] != front[sign]:
            yield found


def _head(lines: Sequence[str], first: int) -> str:
    """The line that the indented line ``first`` belongs to: the last less indented line before."""
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


class _Finder(Finder):
    def read(self, text: str, shift: int, depth: int = 0) -> None:
        """Read a text of Markdown, whose first line is the line ``shift`` of the file."""
        if depth > _DEEPEST or (depth and not may_contain_name(text, "md", self._options)):
            return
        env: dict[str, Any] = {}
        texts: dict[str, list[str]] = {}  # of the links by reference, by their labels
        lines = text.split("\n")
        tokens = _parser(self._options).parse(text, env)
        for token, block in with_blocks(tokens):
            if token.map is None:
                continue
            first, last = token.map[0] + shift, token.map[1] + shift
            self._lines, self._around = (first, last), block.text if block else None
            if block:
                self._inline(token.children or (), texts)
            elif token.type == "html_block":
                self._html_block(token, lines, 0)
            elif token.type in ("fence", "colon_fence") and _RAW_HTML.fullmatch(token.info.strip()):
                self._lines = first + 1, last
                self._html_block(token, lines, 1)
            elif token.type in ("fence", "colon_fence"):
                directive = _DIRECTIVE.match(token.info.strip())
                name = directive[1].lower() if directive else ""
                is_code = name in NO_MARKDOWN if directive else token.type == "fence"
                if not is_code:
                    content = token.content
                    if given := _DIRECTIVE_OPTIONS.match(content):
                        content = "\n" * given[0].count("\n") + content[given.end() :]
                    self.read(content, first + 1, depth + 1)
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

    def _inline(self, tokens: Sequence[Token], texts: dict[str, list[str]]) -> None:
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
                    self.found.append(found)
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
                if may_contain(token.content, self._options, roles=True):
                    start, end = self._find(token.content)
                    is_there = self._text[start:end] == token.content
                    parts = [(token.content, start, end)]
                    self._raw(
                        token.content, SourceText.from_parts(parts) if is_there else None, pictures
                    )
            elif token.type in _OPAQUE:
                self._skip(token.content)
            elif token.type == "myst_role" and token.meta["name"] in ROLES.union(CITE_ROLES):
                self._role(token.meta["name"], token.content)

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
