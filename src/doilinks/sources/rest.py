"""Reads reStructuredText, including that of Sphinx, with docutils.

docutils imports, runs and includes nothing here. It also reports no errors, because this module
only looks for names.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache
from itertools import pairwise
from typing import Any, Final, TypeGuard

from docutils import frontend, nodes
from docutils.parsers.rst import Directive, Parser, directives, roles, states
from docutils.utils import new_document

from ..core.found import Found
from ..core.link import link_match, may_contain, may_contain_publisher
from ..core.markup import CODE, LINK_OPTIONS, SPOKEN_OPTIONS, is_spoken
from ..core.options import Options
from ..core.scan import scan, whole_name
from ..hosts.docutils.find import DoiInliner
from ..hosts.docutils.link import IGNORED, LINK, is_url
from ..hosts.docutils.walk import NOT_PROSE, Blocks, picture_of
from .common import begin, found_at, is_read, with_citations, with_line_ends
from .locate import PlaceFinder
from .sieve import part_may_contain_name

# --------------------------------------------------------------------------------------------------
# Reads the content of directives and roles of reStructuredText that docutils does not know.


@contextmanager
def accept_everything() -> Iterator[None]:
    """Make docutils know every directive and role. None of them includes a file or runs code.

    A role that a document defines is known in this document alone; docutils would keep it.
    """
    directive, role, register = directives.directive, roles.role, roles.register_local_role
    own: dict[str, Any] = {}

    def any_directive(name: str, language: Any, document: Any) -> Any:
        if name.lower() == "raw":
            return _Raw, []
        if name.lower() not in CODE:
            registered, _ = directive(name, language, document)
            if registered:
                return registered, []
        return _Content, []

    def any_role(name: str, language: Any, lineno: int, reporter: Any) -> Any:
        if is_read(name.lower()):  # docutils ignores case too
            return _named_role, []
        if name.lower() in own:
            return own[name.lower()], []
        known, _ = role(name, language, lineno, reporter)
        return known or _other_role, []

    def define_role(name: str, function: Any) -> None:
        roles.set_implicit_options(function)
        own[name.lower()] = function

    # docutils has no hook for this, and Sphinx replaces functions too. mypy does not allow it.
    directives.directive = any_directive  # type: ignore[assignment]
    roles.role = any_role  # type: ignore[assignment]
    roles.register_local_role = define_role  # type: ignore[assignment]
    try:
        yield
    finally:
        directives.directive, roles.role = directive, role
        roles.register_local_role = register


class RoleName(nodes.inline):
    """The content of a role that is read, such as ``:doi:``."""


class _AnyOption(dict[str, Any]):
    def __bool__(self) -> bool:
        return True

    def __getitem__(self, name: str) -> Any:
        return directives.unchanged


class _Content(Directive):
    """A directive that docutils does not know. Only its content is read."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = _AnyOption()
    has_content = True

    def run(self) -> list[nodes.Node]:
        box, name = nodes.container(), self.name.lower()
        spoken = [(self.arguments[0], 0)] if self.arguments and is_spoken(name) else []
        lines = self.block_text.split("\n")
        for option in filter(self.options.__contains__, (*SPOKEN_OPTIONS, *LINK_OPTIONS)):
            is_of = [line.lstrip().startswith(f":{option}:") for line in lines]
            value = self.options[option]
            text = f"`a <{value}>`__" if option in LINK_OPTIONS else value
            spoken.append((text, is_of.index(True) if True in is_of else 0))
        for text, line in spoken:
            inline, _ = self.state.inline_text(text, self.lineno + line)
            box += nodes.paragraph("", "", *inline)
        if name not in CODE:
            self.state.nested_parse(self.content, self.content_offset, box, match_titles=True)
        return [box]


class _Raw(_Content):
    """Raw text, such as HTML. A file that it names is not read."""

    required_arguments, optional_arguments = 1, 0

    def run(self) -> list[nodes.Node]:
        raw = nodes.raw("", "\n".join(self.content), format=self.arguments[0].lower())
        raw.line = (self.content.offset(0) if self.content else self.content_offset) + 1
        return [raw]


def _named_role(name: str, raw: str, text: str, *_: Any, **__: Any) -> Any:
    return [RoleName(raw, nodes.unescape(text), role=name.lower())], []


def _other_role(_name: str, raw: str, text: str, *_: Any, **__: Any) -> Any:
    return [nodes.literal(raw, nodes.unescape(text))], []


# --------------------------------------------------------------------------------------------------
# Leaves out the blocks of a reStructuredText document that say nothing about its names.
#
# A block begins at the margin, after an empty line, and contains all lines up to the next such
# line. So its indented lines, such as a literal block, belong to it. Only blocks that may contain a
# name stay, and those that say what a role means. If the meaning of one may depend on other blocks
# [reST], the whole document is read.

_BLOCK: Final = re.compile(r"\n[^\S\n]*\n(?=\S)")  # ends before the first line of a block
# The directive that defines a role; with one that is like a role for names, they may be in any
# markup. It begins with a literal, which the engine finds much faster, as the next two do.
_ROLE: Final = re.compile(
    r"(?i)::(?:(?<=role::)|(?<=role[^\S\n]::))(?P<names>\s*+[^\n]*(?:doi|arxiv))?"
)
# A border of a simple table, which may have empty lines, and a line that may end such a table.
_BORDER: Final = re.compile(r"=(?<!.=)=*+(?>(?:[^\S\n]++=++)+)[^\S\n]*+$", re.MULTILINE)
# A line of = in a simple table; the last one has a blank line after it.
_RULE: Final = re.compile(r"(?m)(=(?<!.=)(?:=|[^\S\n])*+)$(?P<last>\n[^\S\n]*(?:\n|\Z)|\Z)?")
_LITERAL: Final = "::"  # at the end of a block: the next one may be literal, without indentation
# A title and the line below it. A line of fewer characters may be text.
_TITLE: Final = re.compile(r"\w.*\n([!-/:-@\[-`{-~])\1{3,}[^\S\n]*\n(?=\S)")
_ITEM: Final = re.compile(r"^(?=\S)", re.MULTILINE)  # a line without indentation
_BULLETS: Final = ("- ", "* ", "+ ")
# The target of a reference; what refers, or may be referred to.
_TARGET: Final = re.compile(r"^[^\S\n]*(?:\.\.[^\S\n]+_|__[^\S\n])", re.MULTILINE)
# What needs the whole document to be read.
_REFERS: Final = re.compile(r"_(?:(?!\w)|(?<!\w_))|\.\.[^\S\n]+\[|:(?i:name):")
# A word that is a reference if there is a target of that name.
_WORD: Final = re.compile(r"_(?<=[^\W_]_)(?!\w)")
# A field, which may be metadata, but no role; a line of one character and spaces, as below a title;
# an item `i.`, which is a letter or a number by the item before it.
_DEPENDS: Final = re.compile(
    r"(?im)^:(?![\w.+:-]++(?<=:)`)|^(?!=++[^\S\n]++=)[^\S\n]*([!-/:-@\[-`{-~])(?:\1|[^\S\n])*+$"
    r"|\A\(?(?:[a-z]|[ivxlcdm]+)[.)][^\S\n]"
)


def relevant(text: str, options: Options, *, targets: bool = False) -> str:
    r"""Return a document with empty lines for the blocks that say nothing about its names.

    With ``targets``, those stay that refer to others, or that others may refer to.

    >>> relevant("A\n=\n\nOne.\n\nTwo\n  of it.\n\nSee doi:10.1000/182.\n", Options())
    '\n\n\n\n\n\n\n\nSee doi:10.1000/182.\n'
    """

    def defines(part: str) -> bool:
        return bool(_ROLE.search(part) or (targets and _REFERS.search(part)))

    blocks = _blocks(text)
    if blocks is None or any(role["names"] for role in _ROLE.finditer(text)):
        return text
    parts: list[str] = []
    before = ""
    for block in blocks:
        holds = defines(block) or part_may_contain_name(block, "rst", options)
        if holds and before.rstrip().endswith(_LITERAL):
            return text
        for part in _parts(block) if holds else (block,):
            has_name = holds and part_may_contain_name(part, "rst", options)
            stays = has_name or (holds and defines(part))
            if stays and (_DEPENDS.search(part) or part.rstrip().endswith(_LITERAL)):
                return text
            if has_name and _WORD.search(part):
                return text
            if has_name and not targets and _TARGET.search(part):
                return relevant(text, options, targets=True)
            parts.append(part if stays else "\n" * part.count("\n"))
        before = block
    return "".join(parts)


def _blocks(text: str) -> list[str] | None:
    """Cut a document at its blocks; None if it is not clear where a simple table ends."""
    starts = [0, *(found.end() for found in _BLOCK.finditer(text))]
    begins, edges, at = frozenset(starts), [], 0
    while top := _BORDER.search(text, at):
        for number, rule in enumerate(_RULE.finditer(text, top.end())):
            if len(rule[1].rstrip()) != len(top[0].rstrip()):
                return None
            if number or rule["last"] is not None:
                break
        else:
            return None
        at = rule.end(1)
        if top.start() not in begins:
            return None
        edges += [top.start(), at]
    starts = [start for start in starts if not bisect_left(edges, start) % 2]
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]


def _parts(block: str) -> Iterator[str]:
    """Yield the title of a block, if any, and the rest: items of a list, or all at once."""
    if title := _TITLE.match(block):
        yield title[0]
        block = block[title.end() :]
    starts = [found.start() for found in _ITEM.finditer(block)]
    bullet = block[:2]
    if bullet in _BULLETS and all(block.startswith(bullet, start) for start in starts):
        for start, end in pairwise([*starts, len(block)]):
            yield block[start:end]
    else:
        yield block


_IMAGE_LINES: Final = 20  # an image directive with all its options is shorter
# Docutils ends a line at these, and no editor does.
_NOT_LINE_ENDS: Final = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def read(text: str, options: Options, *, metadata: bool = True) -> Iterator[Found]:
    """Find every DOI of a text, in which a field list at the top may be metadata, and no prose."""
    if not may_contain(text, options, roles=True):
        return iter(())
    text = with_citations(with_line_ends(text), cites=options.cites)
    blocks: list[_Block] = []
    document = new_document("", copy(_settings()))
    with accept_everything():
        # For docutils, these characters are line ends too. For an editor, they are not.
        shown = relevant(_NOT_LINE_ENDS.sub(" ", text), options)
        Parser(inliner=_inliner(blocks, options)).parse(shown, document)
    finder = _RestFinder(text, options, document, _metadata(document) if metadata else None)
    for block in blocks:
        finder.block(*block)
    finder.raw()
    finder.targets()
    return iter(sorted(finder.places, key=begin))


@cache
def _settings() -> Any:
    settings = frontend.get_default_settings(Parser)
    settings.report_level, settings.halt_level = 5, 6
    settings.file_insertion_enabled = False
    settings.line_length_limit = sys.maxsize  # docutils does not read a file with a longer line
    settings.warning_stream = False
    return settings


_Block = tuple[Sequence[nodes.Node], int, int]


def _inliner(blocks: list[_Block], options: Options) -> states.Inliner:
    """Build an inliner that keeps, for each block of text, its nodes and its lines.

    In a name there is no markup, as on a page. Citations are in the text of ``with_citations``.
    """
    inliner = DoiInliner()
    inliner.options = options.but(cite=False)
    parse = inliner.parse

    def keeping(text: str, lineno: int, memo: Any, parent: Any) -> Any:
        found, messages = parse(text, lineno, memo, parent)
        blocks.append((found, lineno - 1, lineno + text.count("\n")))
        return found, messages

    inliner.parse = keeping  # type: ignore[method-assign]
    return inliner


class _RestFinder(PlaceFinder):
    def __init__(
        self, text: str, options: Options, document: nodes.document, metadata: nodes.Node | None
    ) -> None:
        super().__init__(text, options)
        self._document = document
        self._elements = [*document.findall(nodes.Element)]
        self._metadata = metadata
        self._blocks = Blocks()
        self._run: list[str] = []  # of the block that is read, a stretch of prose

    def block(self, inline: Sequence[nodes.Node], first: int, last: int) -> None:
        """Read one block of text."""
        if not inline:
            return
        parent, self._lines = inline[0].parent, (first, last)
        if parent is None:
            self._around = cache(lambda: "".join(node.astext() for node in inline))
        else:
            self._around = self._blocks.of(parent).text
        if not self._is_untouched(parent):
            for node in inline:
                self._node(node)
            self._prose()
        elif isinstance(parent, nodes.literal_block):
            # The text of a parsed-literal block is code, but links in it count.
            for node in inline:
                text = node.astext()
                if isinstance(node, nodes.reference) or (_is_name(node) and is_url(text)):
                    self._link(node.get("refuri", text.strip("<>")), (text,))
        self._around = None

    def _is_untouched(self, node: nodes.Node | None) -> bool:
        while node is not None:
            # The text of a substitution is counted where it is written, not where it is used.
            if isinstance(node, nodes.substitution_definition):
                return False
            if node is self._metadata or isinstance(node, NOT_PROSE):
                return True
            node = node.parent
        return False

    def _node(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.Text) or _is_name(node):
            self._run.append(node.astext())
            return
        text = node.astext()
        link = node if isinstance(node, nodes.reference) else None
        uri = link.get("refuri", "") if link else ""
        if link and self._is_text(link) and not may_contain_publisher(uri, self._options):
            self._run.append(link.rawsource or text)
            return
        self._prose()
        if isinstance(node, RoleName):
            self._role(node["role"], text)
        elif link and uri:
            if not self._is_text(link):
                self._skip(text)
            self._link(uri, (text,))
        elif _is_html(node):
            self._raw(text, None)
        elif isinstance(node, NOT_PROSE):
            self._skip(text)
        else:
            for child in node.children:
                self._node(child)
            self._prose()

    def _is_text(self, node: nodes.reference) -> bool:
        """Tell whether docutils made a link of a text that the author wrote.

        This is a URL or an e-mail address, which ends at other characters than a name does, or a
        word with ``_`` at its end that is not the name of a target.
        """
        if "refuri" in node:
            # Only a link with a target of its own, as in `text <target>`_, has a name.
            is_typed: bool = node["refuri"].removeprefix("mailto:") == node.astext()
            return is_typed and "name" not in node
        simple = node.rawsource.endswith("_") and "`" not in node.rawsource
        return simple and node.get("refname") not in self._document.nameids

    def _prose(self) -> None:
        text = "".join(self._run)
        self._run.clear()
        for match in scan(text, self._options.arxiv):
            if link_match(match, self._options, text):
                start, end = place = self._find(text[match.start : match.end])
                slash = self._text.find("/", start, end)
                # A backslash before a character of the label or prefix says that it is no name.
                if "\\" not in self._text[max(0, start - 1) : max(start, slash)]:
                    whole = whole_name(match, text)
                    self.places.append(found_at(match, place, self._text, self._around, whole))
        self._aimed(text)

    def raw(self) -> None:
        """Read the blocks of raw HTML."""
        for node in self._elements:
            if _is_html(node) and not isinstance(node.parent, nodes.TextElement):
                html, first = node.astext(), (node.line or 1) - 1
                self._lines = first, first + html.count("\n") + 1
                self._raw_block(html)

    def targets(self) -> None:
        """Read the links whose target is not beside their text, and pictures that are links."""
        texts: dict[str, list[str]] = {}
        # The texts of anonymous links. docutils gives them the anonymous targets in this order.
        anonymous: list[str] = []
        for node in self._elements:
            if name := node.get("refname"):
                texts.setdefault(name, []).append(node.astext())
            elif isinstance(node, nodes.reference) and node.get("anonymous"):
                anonymous.append(node.astext())
        unnamed = iter(anonymous)
        for node in (each for each in self._elements if isinstance(each, nodes.target)):
            given = [text for name in node["names"] for text in texts.get(name, ())]
            if node.get("anonymous"):
                given = [next(unnamed, "")]
            if given and "refuri" in node and not isinstance(node.parent, nodes.TextElement):
                line = (node.line or 1) - 1
                self._lines = line, line + 1 + node.rawsource.count("\n")
                self._link(node["refuri"], given)
        for link in (each for each in self._elements if isinstance(each, nodes.reference)):
            image = link.next_node()
            if "refuri" in link and isinstance(image, nodes.image):
                begin = link.line or image.line
                first = (begin or 1) - 1
                # If docutils gives no line, as before 0.21, the link may be anywhere.
                self._lines = first, first + (_IMAGE_LINES if begin else sys.maxsize)
                self._around = picture_of(link) or None
                self._link(link["refuri"], ())


def _is_name(node: nodes.Node) -> TypeGuard[nodes.inline]:
    return isinstance(node, nodes.inline) and (LINK in node or IGNORED in node)


def _is_html(node: nodes.Node) -> bool:
    return isinstance(node, nodes.raw) and "html" in node.get("format", "").split()


def _metadata(top: nodes.Element) -> nodes.Node | None:
    before = (nodes.title, nodes.comment, nodes.target)
    node = next((each for each in top.children if not isinstance(each, before)), None)
    if isinstance(node, nodes.section):
        return _metadata(node)
    return node if isinstance(node, nodes.field_list) else None
