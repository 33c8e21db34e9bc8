"""Hides names and citations from the host while it reads inline markup."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_core import StateCore, inline
from markdown_it.rules_inline import StateInline

from ...cite.citations import Bracket, Cited, Group, Literal, may_cite, parse, works_in
from ...core.doi import DOI
from ...core.link import Link, link_match, may_contain
from ...core.markup import unescape
from ...core.mask import Masks, decoded
from ...core.options import Options
from ...core.scan import Match, may_contain_doi, scan, whole_name
from ...core.text import HIDDEN, SourceText


class NameInText(NamedTuple):
    """A name in the source of an inline token."""

    match: Match
    link: Link | None  # the link for the name; None if it stays text
    written: str  # the name and its label as in the source
    text: str  # the name and its label with escapes decoded
    line: int  # the line of the name in the token, counted from 0
    whole: DOI | None  # the name without an invisible character that ends it, where there is one


Hidden = Any  # one of these, or what a subclass of the finder hides, with a text
Piece = tuple[int, int, str]
Spot = tuple[int, int, Hidden]  # where it is in the source; the word of a bracket is added there
Spots = tuple[tuple[int, int], Sequence[Spot]]  # begin and end of citations that belong together


class Finder:
    """Finds names and citations in the source of inline tokens, and hides them.

    For a program that makes the links itself, ``keeps_escaped`` hides names that the author has
    escaped too, and leaves URLs to the host.
    """

    def __init__(self, options: Options, *, keeps_escaped: bool = False) -> None:
        self._options = options
        self._keeps_escaped = keeps_escaped
        self.inline: Callable[[StateCore], None] = inline
        self._masks: WeakKeyDictionary[StateCore, Masks[Hidden]] = WeakKeyDictionary()

    def enter(self, md: MarkdownIt) -> None:
        """Hide names from the rule that reads inline markup, and from all rules after it.

        It takes the place of that rule, because MyST-NB runs the rules before it once for each
        cell.
        """
        rules = dict(zip(md.core.ruler.get_active_rules(), md.core.ruler.getRules(""), strict=True))
        last = getattr(rules["inline"], "__self__", None)
        self.inline = last.inline if isinstance(last, Finder) else rules["inline"]
        md.core.ruler.at("inline", self.rule)

    def rule(self, state: StateCore) -> None:
        """Hide the names, and read inline markup."""
        if not state.src or self._may_contain(state.src):
            found = [
                token
                for token in state.tokens
                if token.type == "inline" and self._may_contain(token.content)
            ]
            if found:
                contents = () if state.src else (token.content for token in state.tokens)
                known = state.env.get("references") or ""
                masks = Masks[Hidden].for_text("\n".join([state.src, str(known), *contents]))
                self._masks[state] = masks
                for token in found:
                    token.content = self._hide(token.content, state, masks)
        self.inline(state)

    def _may_contain(self, source: str) -> bool:
        if self._keeps_escaped:  # the program finds a name whose full stop or slash is escaped
            source = unescape(source).replace("\\", "")
        return may_contain(source, self._options)

    def masks(self, state: StateCore) -> Masks[Hidden]:
        """Return the masks of a document, and forget them."""
        return self._masks.pop(state, None) or Masks()

    def _hide(self, source: str, state: StateCore, masks: Masks[Hidden]) -> str:
        references = state.env.get("references") or {}

        def is_label(label: str) -> bool:
            return normalizeReference(label) in references

        pieces = [*decoded(source, is_label=is_label if references else None)]
        texts: list[str] = []
        at = 0
        for start, end, item in self._hidden(source, pieces, _Taken(source, state)):
            texts.append(source[at:start])
            at = end
            if isinstance(item, Bracket):
                texts.append(masks.bracket(item, opens=item.opens))
            else:
                texts.append(masks.hide(item, source[start:end]))
        text = "".join(texts) + source[at:]

        def checked(markup: re.Match[str]) -> str:
            sign, rest = markup[0][:1], markup[0][1:]
            is_one = not masks.hides(rest) or (sign == "{" and _is_list(masks.restore(markup[0])))
            return markup[0] if is_one else masks.hide(Literal(sign), sign) + rest

        return _TAG_OR_LIST.sub(checked, text) if "<" in text or "{" in text else text

    def _hidden(self, source: str, pieces: list[Piece], taken: _Taken) -> Iterator[Spot]:
        plain = SourceText.of(source, pieces)
        line_of = partial(bisect_left, [names.start() for names in _BREAK.finditer(source)])
        names: list[tuple[tuple[int, int], Any]] = [
            (plain.span(match.start, match.end), match)
            for match in scan(plain.text, self._options.arxiv)
        ]
        if may_cite(source, self._options):
            names += self.citations(source, pieces, line_of)
        if names:
            done = 0
            for each in _TARGET.finditer(source):
                at = each.start() + 1
                first = source.rfind("[", done, at)
                whole = _WHOLE.match(source, first) if first >= 0 else None
                if not whole or may_contain_doi(whole[0], self._options.arxiv):
                    names.append(((at, at + 1), _LITERAL))
                done = at
        names.sort(key=itemgetter(0))
        for (start, end), what in names:
            if start < taken.done or taken.covers(start):
                continue  # also a name in the words of a citation
            if what is _LITERAL:  # without a link before it
                spots: Sequence[Spot] = [(start, end, what)]
            elif isinstance(what, Match):
                in_link, written = taken.in_link, source[start:end]
                name = self._name(what, written, plain, line_of(start), in_link=in_link)
                spots = [(start, end, name)] if name else []
            else:
                spots = () if any(taken.covers(spot[0]) for spot in what) else what
            if spots:
                yield from spots
                taken.done = end

    def citations(
        self, source: str, pieces: Iterable[Piece], line_of: Callable[[int], int]
    ) -> Iterator[Spots]:
        """Yield the span of each citation, with its parts to hide."""
        visible: list[Piece] = []
        for start, end, text in pieces:
            # An escaped character does not begin a citation: ``\@``, ``\[``.
            before = source[max(0, start - 1) : start].strip(" \n(")
            begins = text == "@" or (text in _SIGNS and not before)
            visible.append((start, end, HIDDEN if begins else text))
        plain = SourceText.of(source, visible)
        for cluster in parse(plain.text, self._options.cite_bib):
            start, end = plain.span(cluster.start, cluster.end)
            if cluster.narrative:
                text = plain.text[cluster.start : cluster.end]
                yield (start, end), [(start, end, Cited(cluster, text, None, line_of(start)))]
                continue
            # The host reads the text between the parts of a group.
            group = Group()
            parts: list[Spot] = [(start + 1, start + 1, Bracket(group, opens=True))]
            for (begin, stop), cited, _, _ in works_in(cluster, plain, group):
                parts.append((begin, stop, cited._replace(line=line_of(begin))))
            yield (start, end), [*parts, (end - 1, end - 1, Bracket(group, opens=False))]

    def _name(
        self, match: Match, written: str, plain: SourceText, line: int, *, in_link: bool
    ) -> NameInText | None:
        """Return the record of a name that is hidden; None if the host has to read it."""
        escaped = plain.is_escaped(match.start, match.end)
        if escaped and not self._keeps_escaped:
            return None
        # The host makes a link of it, and the options may leave that link alone.
        if self._options.urls == "rewrite":
            if written[0] == "<" and _AUTOLINK.match(written):
                return None
        elif (self._keeps_escaped and match.form == "url") or _AUTOLINK.search(written):
            return None
        link = None if escaped else link_match(match, self._options, plain.text)
        if link is None and not (escaped or in_link):
            return None
        text, whole = plain.text[match.start : match.end], whole_name(match, plain.text)
        return NameInText(match, link, written, text, line, whole)


def _is_list(source: str) -> bool:
    """Tell whether a list of attributes is one as its author wrote it, without words for names."""
    try:
        from mdit_py_plugins.attrs.parse import ParseError, parse
    except ImportError:  # then no rule of the host reads lists
        return True
    try:
        parse(source)
    except ParseError:
        return False
    return True


# Text that the host may read as a tag, autolink or list of attributes, although the word of a name
# is in it: then it is none.
_TAG_OR_LIST: Final = re.compile(r"<[/0-9A-Za-z][^<>]*+>|(?<=[)\]`>])\{[^{}]*+\}")
# An autolink, of which the host itself makes a link.
_AUTOLINK: Final = re.compile(r"<(?:https?):[^<>\x00-\x20]*>", re.IGNORECASE)

# Characters that neither begin markup nor end a link: a link or code that consists of these alone
# need not be parsed by the host.
_PLAIN: Final = r"[^][<`$\\{]"
_IN_TARGET: Final = r"""[^][<`$\\{()"']"""
_TARGET: Final = re.compile(r"\]\(")  # a link to an address may begin
# A link without a name or another such character in it is one, whatever words are around it.
_WHOLE: Final = re.compile(rf"\[(?<!\S\[){_PLAIN}*+\]\({_IN_TARGET}*+\)")
_LITERAL: Final = Literal("(")
_BREAK: Final = re.compile("\n")  # each line end, by which the line of a name is counted
_SIGNS: Final = frozenset("[@-")  # the characters with which a citation begins


class _Taken:
    """Tells what the host reads as a whole: code, raw HTML, formulas, roles, targets of links.

    It asks the rules of the host, so it knows those of its plug-ins.
    """

    def __init__(self, source: str, state: StateCore) -> None:
        self._state = StateInline(source, state.md, state.env, [])
        self.done = self._asked = 0  # the offsets up to which the source was looked at
        # The targets of the links in whose text this is, the innermost last.
        self._targets: list[tuple[int, int]] = []

    def covers(self, at: int) -> bool:
        """Tell whether markup that has begun before an offset goes on after it."""
        state = self._state
        while found := _BEGIN.search(state.src, max(self.done, self._asked), at):
            state.pos, self.done = found.start(), found.end()
            if len(found[0]) > 2:
                continue
            state.md.inline.skipToken(state)
            if state.pos <= self.done:
                continue
            if found[0] in ("[", "!["):
                end = state.md.helpers.parseLinkLabel(state, self.done - 1, found[0] == "[")
                self._targets.append((end + 1, state.pos))
            else:
                self.done = state.pos
        self._asked = at - 1  # there may be the "!" of an image
        while self._targets and self._targets[-1][1] <= at:
            self._targets.pop()
        return self.done > at or bool(self._targets and self._targets[-1][0] <= at)

    @property
    def in_link(self) -> bool:
        """Whether the last offset is in the text of a link."""
        return bool(self._targets)


_LINK: Final = rf"\[{_PLAIN}*+\](?:\({_IN_TARGET}*+\)|(?=[\s,.;]))"
# Markup that begins, or the whole of it. Each alternative begins with a plain character, which is
# many times faster.
_BEGIN: Final = re.compile(rf"{_LINK}|!{_LINK}|`{_PLAIN}++`(?!`)|\[|!\[|<|`|\$|\\|\{{")
