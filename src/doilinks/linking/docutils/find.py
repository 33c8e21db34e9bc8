"""Reads a DOI before docutils can take its characters for inline markup.

docutils looks for inline markup first, and looks for URLs only in the text that is left. This
inliner looks for markup and for DOIs together, and reads first what begins first. So it never sees
a DOI inside a literal, a role or a hyperlink, and the characters of a DOI are never markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from docutils import nodes
from docutils.parsers.rst import states
from docutils.utils import escape2null
from docutils.utils.urischemes import schemes

from ...core.doi import DOI, Form
from ...core.link import Link, leads_to_doi, may_contain
from ...core.markup import enclosed
from ...core.options import Options
from ...core.scan import may_contain_doi, scan
from ...core.text import SourceText, whole_name
from ..cite import Cluster
from .cite import citations_in, cite_mark
from .link import FOUND, IGNORED, UNLINKED, is_url, link_written, mark

# --------------------------------------------------------------------------------------------------
# Tells which nodes of a document tree the linker has to look at. This changes no node.

# Code, mathematics, raw HTML, comments, keys of citations and footnotes, and document metadata are
# not prose. A reference is here because its text is read together with the link.
NOT_PROSE: Final = (
    nodes.FixedTextElement, nodes.literal, nodes.math, nodes.raw, nodes.comment, nodes.docinfo,
    nodes.label, nodes.citation_reference, nodes.footnote_reference, nodes.title_reference,
    nodes.option_group, nodes.system_message, nodes.problematic, nodes.substitution_definition,
    nodes.substitution_reference, nodes.image, nodes.target, nodes.reference, nodes.meta,
)  # fmt: skip
# Nodes of Sphinx are given by name, because docutils is also used without Sphinx.
NOT_PROSE_IN_SPHINX: Final = frozenset(
    ("desc_signature", "pending_xref", "download_reference", "number_reference")
)
# This node is a subclass of comment only so that writers that do not know it leave it out.
PROSE_IN_SPHINX: Final = frozenset({"autosummary_table"})


def breaks(node: nodes.Node) -> int:
    """How many lines of the source end in a node of running text."""
    return (node if isinstance(node, nodes.Text) else node.astext()).count("\n")


def enclosed_in_html(children: Sequence[nodes.Node]) -> list[bool] | None:
    """Which children are inside raw HTML that may not contain a link; None without raw HTML."""
    raw = [
        child.astext() if isinstance(child, nodes.raw) and child.get("format") == "html" else None
        for child in children
    ]
    return enclosed(raw) if any(raw) else None


def is_mark(node: nodes.Node) -> bool:
    """Tell whether a node is a mark that the inliner has left for the linker."""
    return isinstance(node, nodes.inline) and (FOUND in node or IGNORED in node)


def is_host_link(node: nodes.inline) -> bool:
    """Tell whether the host without doilinks would make a link of the text of a mark.

    docutils makes a link of a URL wherever it reads inline markup, also in a parsed literal and in
    the metadata of a document. It does not do so in a table of contents, where the whole entry is a
    link. MyST does so only with its extension ``linkify``.
    """
    if UNLINKED in node:
        return False
    return is_url(node.astext()) and not isinstance(node.parent, nodes.reference)


def is_prose(kind: type[nodes.Element]) -> bool:
    """Tell whether a kind of node may contain prose."""
    if kind.__name__ in PROSE_IN_SPHINX:
        return True
    return not issubclass(kind, NOT_PROSE) and kind.__name__ not in NOT_PROSE_IN_SPHINX


def may_contain_link(document: nodes.Element, options: Options) -> bool:
    """Tell quickly whether a document may contain a DOI, because most documents contain none."""
    stack, texts = [document], []
    while stack:
        for child in stack.pop().children:
            if isinstance(child, nodes.Text):
                texts.append(child)
            elif isinstance(child, nodes.reference) and (
                FOUND in child or _may_be_doi(str(child.get("refuri", "")), options)
            ):
                return True
            elif isinstance(child, nodes.Element):
                stack.append(child)
    return may_contain("\n".join(texts), options)  # one search is quicker than hundreds


def _may_be_doi(href: str, options: Options) -> bool:
    return "doi" in href.lower() or leads_to_doi(href, options)


def may_change(child: nodes.Node, arxiv: bool | str, *, touch: bool) -> bool:
    """Tell whether a child may become a link or is one already. ``touch``: text may be changed."""
    if isinstance(child, nodes.Text):
        return touch and may_contain_doi(child, arxiv)
    return isinstance(child, (nodes.reference, nodes.inline))


# --------------------------------------------------------------------------------------------------
# Runs of text: joins the pieces into which a parser has cut a text.
#
# linkify takes ``3.0.CO`` for a web site, docutils ends a URL at ``<``, and ``*b*`` is emphasis in
# the middle of a word. Each piece is a node of its own, although the author typed one name.


def texts_of_run(run: Iterable[nodes.Node]) -> list[str]:
    """The texts of a run of nodes, for each of which :func:`belongs_to_run` is true."""
    return [_as_text(node) or "" for node in run]


def belongs_to_run(siblings: Sequence[nodes.Node], index: int) -> bool:
    """Tell whether a node may be a part of a name that its siblings continue."""
    node = siblings[index]
    if isinstance(node, nodes.Text):
        return True
    if isinstance(node, (nodes.emphasis, nodes.strong)):
        # Markdown has emphasis inside words: 10.1000/a*b*c. Heuristic: emphasis with a letter or
        # digit just before and just after it may be a part of a name.
        before = siblings[index - 1] if index else None
        after = siblings[index + 1] if index + 1 < len(siblings) else None
        if not isinstance(before, nodes.Text) or not isinstance(after, nodes.Text):
            return False
        if not before[-1:].isalnum() or not after[:1].isalnum():
            return False
    if isinstance(node, nodes.reference) and "refname" in node:
        # A reference that has found no target: the under_score_ of 10.1000/under_score_.
        before = siblings[index - 1] if index else None
        return isinstance(before, nodes.Text) and not before[-1:].isspace()
    return _as_text(node) is not None


def _as_text(node: nodes.Node) -> str | None:
    """The text of a node as the author typed it; None if a parser did not make it from text."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, (nodes.emphasis, nodes.strong)):
        stars = "*" if isinstance(node, nodes.emphasis) else "**"
        plain = len(node.children) == 1 and isinstance(node.children[0], nodes.Text)
        return f"{stars}{node.astext()}{stars}" if plain else None
    if not isinstance(node, nodes.reference) or FOUND in node or len(node.children) != 1:
        return None
    text, href = node.astext(), node.get("refuri")
    if "refname" in node and not node.resolved:
        return node.rawsource or None
    if not isinstance(node.children[0], nodes.Text) or not isinstance(href, str):
        return None
    if href in (f"http://{text}", f"mailto:{text}"):
        return text
    if unquote(href) != unquote(text):
        return None
    # A CommonMark autolink takes any scheme, docutils known ones: <S29::AID-HPM465>.
    scheme, colon, _ = text.partition(":")
    return f"<{text}>" if colon and scheme.lower() not in schemes and scheme != "doi" else text


# --------------------------------------------------------------------------------------------------
# The inliner, which reads a name before the markup in it.

_ESCAPED: Final = re.compile("\x00.", re.DOTALL)
_SPACE: Final = re.compile(r"\s")
_AHEAD: Final = 256  # this many characters of a name show whether a URL continues into the name

# This character is put before a text that follows a name. Otherwise docutils would take the
# beginning of the text for the beginning of a block. No URL begins with this character or just
# after it.
_GUARD: Final = "\ue000"

_COVER: Final = "\x01"  # hides a citation; it ends every name

_Parsed = tuple[list[nodes.Node], list[nodes.system_message]]


class DoiInliner(states.Inliner):
    """The inliner of docutils, which also reads DOIs.

    :ivar options: the options of the document; set before each document is parsed
    """

    options: Options = Options()
    _after = ""  # the text after the one that is searched for URLs

    def init_customizations(self, settings: Any) -> None:
        """Take over the patterns of docutils, which calls this before each document.

        docutils builds its patterns from strings in the namespace of the inliner's class. This
        class has no such strings, so an inliner of docutils builds the patterns.
        """
        stock = states.Inliner()
        stock.init_customizations(settings)
        vars(self).update(vars(stock))
        self.implicit_dispatch = [
            (pattern, getattr(self, method.__name__)) for pattern, method in stock.implicit_dispatch
        ]

    def parse(self, text: str, lineno: int, memo: Any, parent: nodes.Element) -> _Parsed:
        """Parse one run of text, as :meth:`docutils.parsers.rst.states.Inliner.parse` does.

        The loop is the loop of docutils, with one more thing that may begin: a name.
        """
        if not may_contain(text.replace("\\", ""), self.options):
            return super().parse(text, lineno, memo, parent)
        self.document, self.language, self.parent = memo.document, memo.language, parent
        self.reporter = self.document.reporter
        remaining = escape2null(text)
        names, markup = _Finder(remaining, self.options), _Markup(self.patterns.initial)
        unprocessed: list[str] = []
        processed: list[nodes.Node] = []
        messages: list[nodes.system_message] = []
        after_name = False
        while remaining:
            size = len(remaining)
            found = markup.search(remaining, after_name=after_name and not unprocessed)
            name = names.next_in(remaining)
            if name and not (found and found.start() < size - name.start):
                start, end = size - name.start, size - name.end
                unprocessed.append(remaining[:start])
                self._after = remaining[start : start + _AHEAD]
                inlines: list[nodes.Node] = [name.mark()]
                rest = remaining[end:]
            elif found:
                groups = found.groupdict()
                kind = groups["start"] or groups["backquote"] or groups["refend"] or groups["fnend"]
                method: Any = self.dispatch[kind]  # the stubs know another signature
                before, inlines, rest, more = method(self, found, lineno)
                unprocessed.append(before)
                messages += more
                self._after = ""
                name = None
            else:
                break
            if inlines:
                processed += self._urls("".join(unprocessed), lineno, after_name=after_name)
                processed += inlines
                unprocessed = []
                after_name = name is not None
            remaining = rest
        self._after = ""
        processed += self._urls("".join(unprocessed) + remaining, lineno, after_name=after_name)
        return processed, messages

    def _urls(self, text: str, lineno: int, *, after_name: bool) -> list[nodes.Node]:
        """The nodes for a text without markup, in which docutils recognises URLs and the like."""
        found: list[Any] = list(self.implicit_inline((_GUARD if after_name else "") + text, lineno))
        if after_name:
            rest = str(found[0]).removeprefix(_GUARD)  # with the escapes that docutils marks
            found[:1] = [nodes.Text(rest)] if rest else []
        return found

    def standalone_uri(self, match: re.Match[str], lineno: int) -> Any:
        """The link for a URL that docutils would also see together with the name after it.

        ``data:text/html,`` is only half of the URL ``data:text/html,doi:10.1000/182``.

        :raises MarkupMismatch: if docutils would then see another URL, or none
        """
        if self._after and not _SPACE.search(match.string, match.end()):
            first = max(0, match.start() - 1)
            around = match.string[first:] + self._after
            whole = match.re.match(around, match.start() - first)
            if whole is None or not (
                whole["whole"] == match["whole"] or match["whole"].lower().startswith("http")
            ):
                raise states.MarkupMismatch
        return super().standalone_uri(match, lineno)


class _Place(NamedTuple):
    """A DOI of a text. Its offsets are counted from the end of the text, which does not move."""

    start: int
    end: int
    written: str
    form: Form
    link: Link | None
    whole: DOI | None = None
    cluster: Cluster | None = None

    def mark(self) -> nodes.inline:
        """The mark that stays in the place."""
        if self.cluster:
            return cite_mark(self.written, self.cluster)
        return mark(self.written, self.link, self.form, self.whole)


class _Finder:
    """The DOIs of a text whose beginning is used up step by step."""

    def __init__(self, text: str, options: Options) -> None:
        self._options = options
        self._cited, self._visible = self._citations(text)
        self._names = self._find(text)
        self._next = next(self._names, None)

    def next_in(self, remaining: str) -> _Place | None:
        """The first name that begins in the text that remains."""
        size = len(remaining)
        while self._next and self._next.start > size:
            if self._next.end < size:
                # Markup has ended inside this name, so it is not a name. Search again after that.
                self._names = self._find(remaining)
            self._next = next(self._names, None)
        return self._next

    def _citations(self, escaped: str) -> tuple[list[_Place], str]:
        """The citations of a text, the first one last, and the text in which they are hidden."""
        if not self._options.cite or "@" not in escaped:
            return [], escaped
        plain = SourceText.of(escaped, _unescaped(escaped) if "\x00" in escaped else ())
        size, done = len(escaped), 0
        places: list[_Place] = []
        visible: list[str] = []
        for each in citations_in(plain.text, self._options):
            start, end = plain.span(each.start, each.end)
            is_escaped = escaped[start] == "\x00" or "\x00@" in escaped[start:end]
            written = plain.text[each.start : each.end]
            cluster = None if is_escaped else each
            places.append(_Place(size - start, size - end, written, "label", None, cluster=cluster))
            visible += [escaped[done:start], _COVER * (end - start)]
            done = end
        return places[::-1], "".join([*visible, escaped[done:]])

    def _find(self, remaining: str) -> Iterator[_Place]:
        """The DOIs and citations of the text that remains."""
        while self._cited and self._cited[-1].start > len(remaining):
            self._cited.pop()
        names = self._named(self._visible[len(self._visible) - len(remaining) :])
        if not self._cited:
            return names
        return merge(reversed(self._cited), names, key=lambda place: -place.start)

    def _named(self, escaped: str) -> Iterator[_Place]:
        """The DOIs of a text in which docutils has put a NUL before each escaped character."""
        size = len(escaped)
        plain = SourceText.of(escaped, _unescaped(escaped) if "\x00" in escaped else ())
        text = plain.text
        for match in scan(text, self._options.arxiv):
            link = link_written(match, self._options, text)
            start, end = plain.span(match.start, match.end)
            if escaped[start] == "\x00":
                link = None
            elif link is None:
                continue
            written = text[match.start : match.end]
            whole = whole_name(match, text)
            yield _Place(size - start, size - end, written, match.form, link, whole)


class _Markup:
    """The inline markup of a text. A text without markup is searched once, not for each name."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        # The offset at which markup begins, counted from the end of the text. 0: there is none.
        self._at: int | None = None

    def search(self, remaining: str, *, after_name: bool) -> re.Match[str] | None:
        """The first markup that docutils would find in the text that remains."""
        size, known, first = len(remaining), self._at, 0
        if after_name:
            # No markup begins just after a name: the asterisk of 10.1000/182* is text.
            first = 1
        elif found := self._pattern.match(remaining):
            return found  # the "^" of the pattern can match here, although it did not before
        if known is None or known > size - first:
            found = self._pattern.search(remaining, first)
            self._at = size - found.start() if found else 0
            return found
        return self._pattern.search(remaining, size - known) if known else None


def _unescaped(escaped: str) -> Iterator[tuple[int, int, str]]:
    """Each escape in a text, with the character that it stands for.

    Escaped white space shows nothing in reStructuredText but separates words. So the text that
    replaces it is the NUL.
    """
    for found in _ESCAPED.finditer(escaped):
        yield found.start(), found.end(), found[0][0 if found[0][1].isspace() else 1]
