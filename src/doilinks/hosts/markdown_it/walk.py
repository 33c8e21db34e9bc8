"""The core rule that makes the links of a document, when the host has read its inline markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import isLinkClose, isLinkOpen
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ...cite.citations import Bracket, Cited, Literal, text_and_target
from ...core.found import Found
from ...core.link import (
    after_label,
    aimed,
    attributes,
    bare_target,
    leads_to_doi,
    may_contain,
    relink,
)
from ...core.mask import Masks
from ...core.nameless import may_aim
from ...core.options import Options
from ...core.outline import Block, Outline, own_label
from .find import Finder, Hidden, NameInText

if TYPE_CHECKING:
    from .cite import Page

# --------------------------------------------------------------------------------------------------
# Labels that an author wrote before a link, so that the page does not show them twice.

_TEXT: Final = frozenset({"text", "softbreak"})
_BREAKS: Final = frozenset({"softbreak", "hardbreak"})
_MARKED: Final = frozenset({"em_close", "strong_close"})


def text_before(tokens: Sequence[Token], at: int) -> str:
    """Return the plain text just before the token at ``at``."""
    first = at
    while first and tokens[first - 1].type in _TEXT:
        first -= 1
    return "".join(map(_text_of, tokens[first:at]))


def cut_before(tokens: Sequence[Token], at: int, size: int) -> None:
    """Remove the last ``size`` characters of the plain text before the token at ``at``."""
    while size > 0:
        at -= 1
        text = _text_of(tokens[at])
        tokens[at].type, tokens[at].content = "text", text[: max(0, len(text) - size)]
        size -= len(text)


def before(tokens: Sequence[Token], at: int) -> Iterator[tuple[str, bool] | None]:
    """Yield the texts before a token, for :func:`~doilinks.core.outline.own_label`."""
    while at:
        at -= 1
        token = tokens[at]
        if token.type in _TEXT:
            yield _text_of(token), False
        elif token.type in _MARKED:
            begin = at
            while begin and not (tokens[begin].nesting == 1 and tokens[begin].level == token.level):
                begin -= 1
            yield "".join(each.content for each in tokens[begin:at]), True
        else:
            yield None


def _text_of(token: Token) -> str:
    return "\n" if token.type == "softbreak" else token.content


def with_blocks(tokens: Iterable[Token]) -> Iterator[tuple[Token, Block | None]]:
    """Yield each token of a document, an inline token with its block."""
    outline = Outline()
    for token in tokens:
        block = None
        if token.type == "inline":
            block = outline.block(token.content)
        elif token.nesting < 0:
            outline.close(token.tag)
        else:
            outline.open(token.tag)
        yield token, block


# --------------------------------------------------------------------------------------------------
# The tokens of a link to a DOI: ``build`` makes them, ``adopt`` takes those of the document.

# If a link contains only these tokens, its content counts as text.
_STYLED: Final = frozenset(
    f"{kind}{end}" for kind in ("em", "strong", "s") for end in ("_open", "_close")
) | {"text"}


def build(item: NameInText | Cited | Literal, level: int, options: Options) -> list[Token]:
    """Build the tokens of a link. The walk finds the item in ``meta``."""
    if isinstance(item, Cited):
        text, href = text_and_target(item.cite.doi, options)
    elif isinstance(item, Literal) or item.link is None:
        return [Token("text", "", 0, content=item.text, level=level)]
    else:
        text, href = item.link.text or item.text, item.link.href
    tokens = link_tokens({**attributes(href, options)}, text, level)
    tokens[0].meta = {"doi": item}
    return tokens


def link_tokens(attrs: dict[str, str | int | float], text: str, level: int) -> list[Token]:
    """Build the tokens of a link with a text."""
    return [
        Token("link_open", "a", 1, attrs, level=level, markup="doi", info="auto"),
        Token("text", "", 0, content=text, level=level + 1),
        Token("link_close", "a", -1, level=level, markup="doi", info="auto"),
    ]


def adopt(inline: Token, at: int, options: Options, block: Block) -> Found | None:
    """List the link that opens at ``at`` in an inline token, and make it canonical."""
    tokens = inline.children or []
    ours = tokens[at].meta.get("doi")
    line = None if inline.map is None else inline.map[0] + 1
    if isinstance(ours, (NameInText, Cited)) and line is not None:
        line += ours.line
    if isinstance(ours, Cited):
        return ours.cite.place(ours.text, line)
    if isinstance(ours, NameInText) and ours.link:
        shown = after_label(ours.link, options, own_label(before(tokens, at), block.head))
        tokens[at + 1].content = shown.text or ours.text
        return Found(
            ours.match.doi, form=ours.match.form, line=line, written=ours.written,
            whole=ours.whole, around=block.text,
        )  # fmt: skip
    found = _adopt_other(tokens, at, options, block)
    if found:
        found.line = line
    return found


def _texts_of(tokens: list[Token], at: int) -> tuple[list[Token], str]:
    """Return the texts of a link, and all of its text, which is no text if it has more."""
    closing = (
        index
        for index in range(at + 1, len(tokens))
        if tokens[index].type == "link_close" and tokens[index].level == tokens[at].level
    )
    inside = tokens[at + 1 : next(closing, None)]
    texts = [each for each in inside if each.type == "text"]
    plain = all(each.type in _STYLED for each in inside)
    return texts, "".join(each.content for each in texts) if plain else "\0"


def _adopt_other(tokens: list[Token], at: int, options: Options, block: Block) -> Found | None:
    token = tokens[at]
    href = str(token.attrs.get("href", ""))
    if not leads_to_doi(href, options):
        return bare_target(href, options, lambda: _texts_of(tokens, at)[1:])
    texts, text = _texts_of(tokens, at)
    link = relink(href, text or href, options, text_before(tokens, at))
    if link is None:
        return None
    if link.label:
        cut_before(tokens, at, link.label)
    elif link.text is not None:
        link = after_label(link, options, own_label(before(tokens, at), block.head))
    classes = str(token.attrs.get("class", "")).split()
    token.attrs |= attributes(link.href, options, classes)
    if link.text is not None:
        texts[0].content = link.text
        for each in texts[1:]:
            each.content = ""
    return Found(link.doi, form=link.form, other=link.other, around=block.text)


# --------------------------------------------------------------------------------------------------
# Hidden items become links, or again the source.

Build = Callable[[Hidden, int], list[Token]]


class Restorer:
    """Puts links, or the source, in place of the words in a document."""

    def __init__(self, md: MarkdownIt, masks: Masks[Hidden], build: Build) -> None:
        self._md, self._masks, self._build = md, masks, build

    def restore(self, tokens: Iterable[Token]) -> None:
        """Restore the tokens of a document."""
        for token in tokens:
            hidden = self._masks.hides(token.content)
            # A plug-in may have made an inline token without its source.
            if token.children and (hidden or not token.content):
                token.children = self._inline(token.children)
            if hidden:
                token.content = self._masks.restore(token.content)
            if token.attrs:
                self._attributes(token)

    def _attributes(self, token: Token) -> None:
        for name, value in token.attrs.items():
            if isinstance(value, str) and self._masks.hides(value):
                if name in ("href", "src"):
                    token.attrs[name] = self._md.normalizeLink(self._as_text(value))
                else:  # of a list of attributes, in which the host decodes nothing
                    token.attrs[name] = self._masks.restore(value)

    def _as_text(self, text: str) -> str:
        """Return a text with the source in place of words, decoded."""
        pieces = self._masks.pieces(text)
        return "".join(
            each if isinstance(each, str) else each.written and each.item.text for each in pieces
        )

    def _inline(self, tokens: Sequence[Token]) -> list[Token]:
        restored: list[Token] = []
        linked = done = 0
        hides = self._masks.hides
        for at, token in enumerate(tokens):
            if at < done:
                continue
            kind, hidden = token.type, bool(token.content) and hides(token.content)
            if kind == "text" and not hidden:
                restored.append(token)
                continue
            if token.info == "auto" and token.nesting > 0 and hides(tokens[at + 1].content):
                restored += self._cut(*tokens[at : at + 3])
                done = at + 3
                continue
            if kind == "html_inline" and hidden:
                kind = token.type = "text"  # the words made a tag of it
            elif kind == "html_inline":
                linked += isLinkOpen(token.content) - isLinkClose(token.content)
            elif kind in ("link_open", "link_close"):
                linked += token.nesting
            if token.attrs:
                self._attributes(token)
            if kind == "text" and linked <= 0:
                restored += self._text(token)
                continue
            if kind == "footnote_ref" and hides(label := str(token.meta.get("label", ""))):
                token.meta["label"] = self._masks.restore(label)  # MyST shows that of no note
            if hidden:
                is_text = kind in ("text", "text_special")
                restore = self._as_text if is_text else self._masks.restore
                token.content = restore(token.content)
            if token.children:
                self._describe(token)
            restored.append(token)
        return restored

    def _describe(self, token: Token) -> None:
        for each in token.children or ():
            self._attributes(each)
            each.content = self._as_text(each.content)
            self._describe(each)

    def _cut(self, opening: Token, text: Token, closing: Token) -> Iterator[Token]:
        """Yield the link of a bare URL, ended before the name that the host took with it."""
        before, href = self._masks.before, str(opening.attrs.get("href", ""))
        url, rest = before(text.content), before(href)
        size = len(url.rstrip(".,;:!?'(*_~"))
        href = rest[: len(rest) - len(url) + size]
        if opening.markup == "linkify" and self._md.linkify:
            match = next(iter(self._md.linkify.match(url) or ()), None)
            size = match.last_index if match and match.index == 0 else 0
            href = self._md.normalizeLink(match.url) if match else ""
        if size:
            opening.attrs["href"] = href
            yield opening
            yield Token("text", "", 0, content=url[:size], level=text.level)
            yield closing
        text.content, text.level = text.content[size:], opening.level
        yield from self._text(text)

    def _text(self, token: Token) -> list[Token]:
        """Build the tokens of a text in which names may be links."""
        result: list[Token] = []
        text = ""
        closes: Bracket | None = None

        def flush(bracket: Bracket | None = None) -> None:
            nonlocal text
            if text:
                meta = {"doi": bracket} if bracket else token.meta
                result.append(Token("text", "", 0, content=text, level=token.level, meta=meta))
            text = ""

        for piece in self._masks.pieces(token.content):
            if isinstance(piece, str):
                is_closed = closes and piece.startswith("]")
                if is_closed:
                    flush()
                    text = ")"
                    flush(closes)
                text += piece.removeprefix("]") if is_closed else piece
                closes = None
            elif not isinstance(piece.item, Bracket):
                flush()
                result += self._build(piece.item, token.level)
            elif not piece.item.opens:
                closes = piece.item if piece.item.group.is_shown else None
            elif text.endswith("["):
                piece.item.group.is_shown = True
                text = text[:-1]
                flush()
                text = "("
                flush(piece.item)
        flush()
        return result


class Linker:
    """Makes the links of a document, and lists the DOIs."""

    def __init__(self, options: Options, finder: Finder) -> None:
        self._options, self._finder = options, finder

    def rule(self, state: StateCore) -> None:
        """Run the core rule: restore hidden items, link the DOIs, and show the works."""
        dois: list[Found] = state.env.setdefault("dois", [])
        page = None
        if self._options.hovers or self._options.cites:
            from .cite import page_of  # works take most of the time that an import needs

            page = page_of(self._options, state.src)
        if masks := self._finder.masks(state):
            build_with = partial(build, options=self._options)
            Restorer(state.md, masks, build_with).restore(state.tokens)
        if may_contain(state.src, self._options):
            for token, block in with_blocks(state.tokens):
                if block and token.children:
                    dois += self._links(token, token.children, block, page)
        if page:
            page.show(state)

    def _filled(self, tokens: Iterable[Token]) -> Iterator[Token]:
        """Yield the tokens, with a text in each link without text."""
        kind = ""
        for token in tokens:
            if token.type == "link_close" and kind == "link_open":
                yield Token("text", "", 0, level=token.level + 1)
            yield token
            kind = token.type

    def _links(
        self, inline: Token, tokens: list[Token], block: Block, page: Page | None
    ) -> Iterator[Found]:
        line, linked = inline.map[0] + 1 if inline.map else None, 0
        for at, token in enumerate(tokens):
            kind = token.type
            if kind == "text":
                if not linked and may_aim(token.content):
                    if self._options.cite == "auto" and "@" in token.content:
                        from .cite import lookup_at  # as above

                        lookup_at(self._options).tell_typed(token.content)
                    for each in aimed(token.content, self._options):
                        yield replace(each, line=line, span=None, around=block.text)
            elif kind == "link_close":
                linked -= 1
            elif line is not None and kind in _BREAKS:
                line += 1
            if kind != "link_open":
                continue
            linked += 1
            href = str(token.attrs.get("href", ""))
            if tokens[at + 1].type == "link_close" and leads_to_doi(href, self._options):
                tokens[at:] = [*self._filled(tokens[at:])]  # no link after it is without text
            found, ours = adopt(inline, at, self._options, block), token.meta.get("doi")
            doi = ours.cite.doi if isinstance(ours, Cited) else found.doi if found else None
            if page and doi:
                page.add(token, doi)
            if found:
                yield found
