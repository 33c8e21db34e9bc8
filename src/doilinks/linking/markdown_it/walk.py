"""The core rule: one walk over the links of a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ...core.doi import DOI
from ...core.found import Found
from ...core.link import (
    Link,
    after_label,
    attributes,
    leads_to_doi,
    may_contain_any,
    relink,
    with_classes,
)
from ...core.options import Options
from ...core.outline import Block, Outline, own_label
from ...core.scan import Match

if TYPE_CHECKING:
    from .cite import Page, Works

# --------------------------------------------------------------------------------------------------
# Labels that an author wrote before a link, so that the page does not show them twice.

_TEXT: Final = frozenset({"text", "softbreak"})
_MARKED: Final = frozenset({"em_close", "strong_close"})


def text_before(tokens: Sequence[Token], at: int) -> str:
    """The plain text just before the token at ``at``."""
    return "".join(map(_text_of, tokens[_first_of_text(tokens, at) : at]))


def cut_before(tokens: Sequence[Token], at: int, size: int) -> None:
    """Remove the last ``size`` characters of the plain text before the token at ``at``."""
    while size > 0:
        at -= 1
        text = _text_of(tokens[at])
        tokens[at].type, tokens[at].content = "text", text[: max(0, len(text) - size)]
        size -= len(text)


def before(tokens: Sequence[Token], at: int) -> Iterator[tuple[str, bool] | None]:
    """What is before the token at ``at``, as :func:`~doilinks.core.outline.own_label` asks."""
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


def _first_of_text(tokens: Sequence[Token], at: int) -> int:
    while at and tokens[at - 1].type in _TEXT:
        at -= 1
    return at


def _text_of(token: Token) -> str:
    return "\n" if token.type == "softbreak" else token.content


def with_blocks(tokens: Iterable[Token]) -> Iterator[tuple[Token, Block | None]]:
    """Each token of a document, an inline token with its block."""
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
) | {"text", "text_special"}


class Place(NamedTuple):
    """A name in the source of an inline token.

    :ivar end: the offset in the source at which the name ends
    :ivar link: the link for the name; None if the options exclude the name
    :ivar written: the name and its label as in the source
    :ivar text: the name and its label with escapes decoded
    :ivar line: the line of the name in the token, counted from 0
    :ivar has_unsafe_list: whether an attribute list follows that the link must not get
    :ivar whole: the name without an invisible character that ends it, where there is one
    :ivar escaped: whether the author has escaped the name, so that it is not a link
    """

    end: int
    match: Match
    link: Link | None
    written: str
    text: str
    line: int
    has_unsafe_list: bool
    whole: DOI | None
    escaped: bool


def build(state: StateInline, link: Link, options: Options, place: Place) -> None:
    """Push the tokens of a link. The core rule finds the place in ``meta`` and adopts the link."""
    token = state.push("link_open", "a", 1)
    token.attrs |= attributes(link, options)
    token.markup, token.info = "doi", "auto"
    token.meta = {"doi": place}
    # Linkify and typography do not change a token of this type. text_join makes it normal text.
    state.push("text_special", "", 0).content = link.text or place.text
    token = state.push("link_close", "a", -1)
    token.markup, token.info = "doi", "auto"
    if place.has_unsafe_list:
        # The plug-in for attributes gives a list to the token just before it if that ends a link.
        state.push("text_special", "", 0)


def adopt(
    inline: Token, at: int, options: Options, block: Block, empty: list[tuple[int, Token]]
) -> Found | None:
    """Make the link that opens at ``at`` in an inline token canonical if it leads to a DOI.

    :param block: the block of the inline token
    :param empty: a list to which the text for a link without text is added, with its place
    """
    tokens = inline.children or []
    place = tokens[at].meta.get("doi")
    first = None if inline.map is None else inline.map[0] + 1
    if isinstance(place, Place):
        _adopt_ours(tokens, at, options, block, place)
        line = None if first is None else first + place.line
        return Found(
            place.match.doi,
            form=place.match.form,
            line=line,
            written=place.written,
            whole=place.whole,
            around=block.text,
        )
    link = _adopt_other(tokens, at, options, block, empty)
    if link is None:
        return None
    return Found(link.doi, form=link.form, line=first, other=link.other, around=block.text)


def _adopt_ours(
    tokens: Sequence[Token], at: int, options: Options, block: Block, place: Place
) -> None:
    token = tokens[at]
    if token.attrs.get("class", "") != options.class_attribute:
        # The link may have got attributes since it was built.
        token.attrs["class"] = " ".join(with_classes(_classes(token), options))
    if place.link:
        link = after_label(place.link, options, own_label(before(tokens, at), block.head))
        tokens[at + 1].content = link.text or place.text


def _adopt_other(
    tokens: Sequence[Token],
    at: int,
    options: Options,
    block: Block,
    empty: list[tuple[int, Token]],
) -> Link | None:
    token = tokens[at]
    href = str(token.attrs.get("href", ""))
    if not leads_to_doi(href, options):
        return None
    inside = list(_until_close(tokens, at))
    texts = [each for each in inside if each.type in ("text", "text_special")]
    plain = all(each.type in _STYLED for each in inside)
    text = "".join(each.content for each in texts) if plain else "\0"
    link = relink(href, text if inside else href, options, text_before(tokens, at))
    if link is None:
        return None
    if link.label:
        cut_before(tokens, at, link.label)
    elif link.text is not None:
        link = after_label(link, options, own_label(before(tokens, at), block.head))
    token.attrs |= attributes(link, options, _classes(token))
    if link.text is not None:
        if not texts:
            texts = [Token("text_special", "", 0, level=token.level + 1)]
            empty.append((at + 1, texts[0]))
        texts[0].type, texts[0].content = "text_special", link.text
        for each in texts[1:]:
            each.content = ""
    return link


CITATION: Final = "doi_cite"  # a token of a citation has this type until it is shown


def unlink(tokens: list[Token]) -> None:
    """Put back the text that the author wrote in the description of an image."""
    kept: list[Token] = []
    inside: Place | None = None
    for token in tokens:
        place = token.meta.get("doi")
        if isinstance(place, Place):
            inside = place
            continue
        if inside and token.type == "link_close":
            inside = None
            continue
        if token.type == "text_special" and not token.info:  # the token of an escape has it
            # Before markdown-it-py 4, a description is made of normal text alone.
            token.type = "text"
            if inside:
                token.content = inside.text
        elif token.type == CITATION:
            token.type = "text"
        elif token.children:
            unlink(token.children)
        kept.append(token)
    tokens[:] = kept


def _classes(token: Token) -> list[str]:
    return str(token.attrs.get("class", "")).split()


def _until_close(tokens: Sequence[Token], at: int) -> Iterator[Token]:
    level = tokens[at].level
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if token.type == "link_close" and token.level == level:
            return
        yield token


# --------------------------------------------------------------------------------------------------
# The walk.


class Linker:
    """Makes the links of a document canonical, and lists the DOIs.

    :param works: what is shown of them; None if nothing is
    """

    def __init__(self, options: Options, works: Works | None = None) -> None:
        self._options, self._works = options, works

    def rule(self, state: StateCore) -> None:
        """The core rule."""
        dois: list[Found] = state.env.setdefault("dois", [])
        page = self._works.page() if self._works else None
        if may_contain_any(state.src, self._options):
            for token, block in with_blocks(state.tokens):
                if block and token.children:
                    dois += self._links(token, token.children, block, page)
        if page:
            page.show(state)

    def _links(
        self, inline: Token, tokens: list[Token], block: Block, page: Page | None
    ) -> Iterator[Found]:
        empty: list[tuple[int, Token]] = []
        for at, token in enumerate(tokens):
            if token.type == "image" and token.children:
                unlink(token.children)
            if token.type == "link_open" and (
                found := adopt(inline, at, self._options, block, empty)
            ):
                if page:
                    page.link(token, found.doi)
                yield found
            elif token.type == CITATION and page:
                yield from page.cite(inline, token)
        if empty:
            _insert(tokens, empty)


def _insert(tokens: list[Token], added: list[tuple[int, Token]]) -> None:
    """Insert all tokens in one pass, each before the token that is at its place now."""
    done = 0
    kept: list[Token] = []
    for at, token in added:
        kept += tokens[done:at]
        kept.append(token)
        done = at
    tokens[:] = kept + tokens[done:]
