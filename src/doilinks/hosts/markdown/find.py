"""Hides names and citations from the host while it reads inline markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, STX, AtomicString

from ...cite.citations import Bracket, Cited, Cluster, Group, Literal, may_cite, parse, works_in
from ...cite.marker import ListRequest, list_request, may_ask
from ...cite.page import WorkLookup
from ...core.doi import DOI, Form
from ...core.link import Link, link_match, may_contain
from ...core.markup import NO_PROSE
from ...core.mask import Mark, Masks, decoded
from ...core.options import Options
from ...core.scan import Match, scan, whole_name
from ...core.text import SourceText


class NameInText(NamedTuple):
    """A name in a text."""

    link: Link  # the link for the name
    form: Form  # how the name is written
    text: str  # the name and its label, with escapes decoded
    whole: DOI | None  # the name without an invisible character that ends it, where there is one


Hidden = NameInText | Cited | Bracket | Literal
Piece = str | Element | Mark[Hidden]


def with_brackets(pieces: Iterable[Piece]) -> list[Piece]:
    """Replace round brackets by square ones for each group of citations that is not shown."""
    row = list(pieces)
    for at, piece in enumerate(row):
        bracket = piece.item if isinstance(piece, Mark) else None
        if not isinstance(bracket, Bracket) or bracket.group.is_shown:
            continue
        beside = at + 1 if bracket.opens else at - 1
        text = row[beside] if 0 <= beside < len(row) else None
        if isinstance(text, str):
            row[beside] = text.removeprefix("(") if bracket.opens else text.removesuffix(")")
        row[at] = bracket.text
    return row


def written(masks: Masks[Hidden], text: str, encode: Callable[[Mark[Hidden]], str]) -> str:
    """Return a text of the host with the source in place of words."""
    row = with_brackets(masks.pieces(text))
    return "".join(encode(each) if isinstance(each, Mark) else str(each) for each in row)


# The target of a link. Parentheses in it are in pairs, which are at most two deep, or in brackets.
_TARGET: Final = (
    r"\]\((?:\s*+<[^<>]*+>\s*+(?:'[^']*+'|\"[^\"]*+\")?\s*+"
    r"|(?>(?:[^()]++|\((?>(?:[^()]++|\([^()]*+\))*)\))*))\)"
)
# A list of attributes may contain braces in quoted values, and opening braces in words. The pattern
# stops at a brace that may begin another list. Otherwise a text would be read again for each list.
_BEFORE: Final = rf"[\s)\]>*_`{ETX}]"
_BRACE: Final = rf"(?<!{_BEFORE})\{{"
_VALUES: Final = rf"""(?>(?:"[^"\n]*+"|'[^'\n]*+'|[^{{}}"'\n]++|{_BRACE})*)\}}"""
_WORDS: Final = rf"(?>(?:[^{{}}\n]++|{_BRACE})*)\}}"
# Markup that the host reads as a whole: texts that it has stashed, links but for their text, lists
# of attributes, and tags that ``decoded`` does not know.
_TAKEN: Final = rf"""
      {STX}[^{STX}{ETX}]*{ETX}
    | \[(?=[^\[\]]{{0,1000}}{_TARGET})
    | {_TARGET}
    | \{{(?<={_BEFORE}\{{):?\ ?(?:[.\#]|[\w-]+=)(?:{_VALUES}|{_WORDS})
    | </?(?!(?i:a|{"|".join(NO_PROSE)})[\s>])[A-Za-z][A-Za-z0-9-]*+
      (?:(?:\s(?>(?:[^<>"']++|"[^"]*+"|'[^']*+')*))?/?>|\s[^<>]*+>)
    |"""
# And formulas, if PyMdown's extension reads them.
_ARITHMATEX: Final = "arithmatex-inline"
_FORMULA: Final = r"""
      \$(?<![\\$]\$)(?!\s)[^$]{1,2000}(?<!\s)\$
    | \\\((?:[^\\]|\\(?![()])){1,2000}\\\)
    |"""
# A tag of raw HTML, which the host leaves as it is.
_TAG: Final = re.compile("<[/!]?[A-Za-z][^<>]*>")
# The host makes a link of it, which is then adopted.
_AUTOLINK: Final = re.compile(r"<https?://[^<>]*>", re.IGNORECASE)
_LABEL: Final = re.compile(r"\s?\[([^\[\]]{0,1000})\]")  # of a link by reference
# By this tree processor, Zensical copies a navigation before words become links. It needs no links.
_COPIER: Final = "zensical_literate_nav_capture"


class HideNames(Treeprocessor):
    """Puts a word in the place of each name and citation, before inline patterns run."""

    def __init__(self, options: Options, lookup: Callable[[], WorkLookup], md: Markdown) -> None:
        super().__init__(md)
        self._options, self._lookup = options, lookup
        self.masks = Masks[Hidden]()  # the words of a document
        self.lists: dict[Element, ListRequest] = {}  # where a document wants lists of references

    def run(self, root: Element) -> None:
        """Hide them in each text that the host will read."""
        md: Any = self.md
        self.masks, self.lists = Masks(), {}
        text = "\n".join(root.itertext())
        if self._options.cites and may_ask(text):
            for p in root.iter("p"):
                if ask := None if len(p) else list_request(p.text or ""):
                    for message in ask.trouble:
                        self._lookup().tell(message, here=True)
                    p.tag, p.text = "div", None  # the place of the list
                    p.set("class", "doi-list")
                    self.lists[p] = ask
        if not may_contain(text, self._options) or _COPIER in md.treeprocessors:
            return
        # The document is more than the text: a word may also be in a target or in raw HTML.
        stashed = (each for each in md.htmlStash.rawHtmlBlocks if isinstance(each, str))
        self.masks = Masks.for_text("\n".join((text, *md.lines, *stashed)))
        for element in root.iter():
            if element.text and not isinstance(element.text, AtomicString):
                element.text = self._hide(element.text)
            if element.tail and not isinstance(element.tail, AtomicString):
                element.tail = self._hide(element.tail)

    def _hide(self, text: str) -> str:
        if not may_contain(text, self._options):
            return text
        escapes = "".join(self.md.ESCAPED_CHARS)
        pieces = decoded(
            text,
            escapes=escapes,
            is_label=self._is_label if self.md.references else None,
            raw_html=True,
            more=_TAKEN + (_FORMULA if _ARITHMATEX in self.md.inlinePatterns else ""),
        )
        plain = SourceText.of(text, pieces)
        texts: list[str] = []
        at = 0
        for what in _names_in(plain.text, self._options):
            start, end = plain.span(what.start, what.end)
            if start < at:
                continue
            if isinstance(what, Match):
                source = text[start:end]
                name = self._name(what, source, plain)
                hidden = [self.masks.hide(name, source)] if name else []
            elif _is_escaped(what, text, plain) or (
                # The host reads the text in brackets as that of a link by reference.
                (label := _LABEL.match(text, end))
                and self._is_label(label[1] or text[start + 1 : end - 1])
            ):
                hidden = [text[start:end]]
            else:
                hidden = [*self._cited(what, text, plain)]
            if hidden:
                texts += text[at:start], *hidden
                at = end
        text = "".join(texts) + text[at:]
        return _TAG.sub(self._no_new_tag, text) if texts and "<" in text else text

    def _no_new_tag(self, tag: re.Match[str]) -> str:
        """Return a tag; hide the ``<`` of one that is a tag only because words stand for names."""
        source = written(self.masks, tag[0], lambda mark: mark.written)
        if source == tag[0] or _TAG.fullmatch(source):
            return source
        return self.masks.hide(Literal("<"), "<") + tag[0][1:]

    def _name(self, match: Match, source: str, plain: SourceText) -> NameInText | None:
        """Return the record of a name that is hidden; None if the host has to read it."""
        if _AUTOLINK.match(source) or plain.is_escaped(match.start, match.end):
            return None
        link = link_match(match, self._options, plain.text)
        if link is None:
            return None
        written = plain.text[match.start : match.end]
        return NameInText(link, match.form, written, whole_name(match, plain.text))

    def _cited(self, cluster: Cluster, text: str, plain: SourceText) -> Iterator[str]:
        """Yield the words for a citation. The host reads the text between the words of a group."""
        hide = self.masks.hide
        if cluster.narrative:
            written = plain.text[cluster.start : cluster.end]
            source = text[slice(*plain.span(cluster.start, cluster.end))]
            yield hide(Cited(cluster, written, None), source)
            return
        group = Group()
        yield hide(Bracket(group, opens=True), "[") + "("
        separator = ""
        for place, cited, before, after in works_in(cluster, plain, group):
            yield separator
            if before[0] < before[1]:
                yield text[slice(*plain.span(*before))] + " "
            yield hide(cited, text[slice(*place)])
            if after[0] < after[1]:
                yield text[slice(*plain.span(*after))]
            separator = "; "
        yield ")" + hide(Bracket(group, opens=False), "]")

    def _is_label(self, label: str) -> bool:
        references: Any = self.md.references
        return bool(references) and label.lower().replace("\n", " ") in references


def _names_in(text: str, options: Options) -> Iterator[Match | Cluster]:
    """Yield names and citations in their order, without names in the words of a citation."""
    clusters = parse(text, options.cite_bib) if may_cite(text, options) else iter(())
    cluster = next(clusters, None)
    for match in scan(text, options.arxiv):
        while cluster and cluster.end <= match.start:
            yield cluster
            cluster = next(clusters, None)
        if not cluster or match.end <= cluster.start:
            yield match
    if cluster:
        yield cluster
        yield from clusters


def _is_escaped(cluster: Cluster, text: str, plain: SourceText) -> bool:
    signs = cluster.signs
    ends = (cluster.start, *signs, cluster.end - 1)
    brackets = (at for at in ends if plain.text[at] in "[]@")
    return any(plain.text[at] != text[slice(*plain.span(at, at + 1))] for at in brackets) or any(
        plain.text[at - 1 : at] == "\\" for at in signs
    )
