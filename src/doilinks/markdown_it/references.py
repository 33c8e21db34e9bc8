"""The tokens of a list of references."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal

from markdown_it.token import Token

from ..cite.marker import Asked, asked
from ..cite.references import Entry, Mention, References, Style
from ..cite.shelf import Shelf
from ..cite.words import Run, classes_of, no_formula
from ..core.link import attributes, link_to
from ..core.options import Options

_logger: Final = logging.getLogger(__package__)

_TAGS: Final = {"i": "em", "b": "strong"}  # of the tokens that the host has for these styles


def text(content: str, level: int) -> Token:
    """The token of a text."""
    return Token("text", "", 0, content=content, level=level)


def linked(opening: Token, shown: str) -> list[Token]:
    """The tokens of a link.

    :param opening: the first of them
    """
    end = Token("link_close", "a", -1, level=opening.level, markup="doi", info="auto")
    return [opening, text(shown, opening.level + 1), end]


class Lists:
    """The lists that a document asks for. It is false if there are none.

    :param tokens: of the document
    """

    def __init__(self, tokens: Sequence[Token], options: Options) -> None:
        self._options = options
        self._asked: dict[int, Asked] = {}
        for at, token in enumerate(tokens):
            if token.type == "inline" and tokens[at - 1].type == "paragraph_open":
                ask = asked(token.content)
                if ask:
                    self._asked[at] = ask

    def __bool__(self) -> bool:
        return bool(self._asked)

    def show(
        self,
        tokens: list[Token],
        shelf: Shelf,
        mentions: Sequence[Mention],
        style_of: Callable[[str], Style],
    ) -> None:
        """Put the lists in place of the paragraphs that ask for them."""
        shown: list[Token] = []
        done = 0
        for at, ask in self._asked.items():
            for message in ask.trouble:
                _logger.warning("%s", message)
            if ask.scope == "project":
                _logger.warning("doi-list: markdown-it-py knows one document, so scope is page")
            style = style_of(self._options.cite_style if ask.style is None else ask.style)
            works = References(shelf.work, mentions, ask.order, style, same=shelf.same)
            entries = works.entries
            shown += tokens[done : at - 1]
            if entries:
                # An id is that of one element, so the first list has them.
                shown += self._list(entries, ask, tokens[at - 1], has_ids=not done)
            done = at + 2
        tokens[:] = shown + tokens[done:]

    def _list(
        self, entries: Sequence[Entry], ask: Asked, paragraph: Token, *, has_ids: bool
    ) -> Iterator[Token]:
        level = paragraph.level
        kind, tag = ("ordered_list", "ol") if ask.order == "places" else ("bullet_list", "ul")
        attrs = {"class": "doi-list", "role": "doc-bibliography"}
        yield _block("doi_list_open", "div", level, paragraph, attrs)
        yield _block(f"{kind}_open", tag, level + 1, paragraph)
        for entry in entries:
            given = {"id": entry.anchor} if has_ids else {}
            if classes := no_formula("".join(run.text for run in entry.runs)):
                given["class"] = " ".join(classes)
            yield _block("list_item_open", "li", level + 2, paragraph, given)
            inside = _block("inline", "", level + 3, paragraph)
            inside.children = [*self._entry(entry)]
            yield inside
            yield _block("list_item_close", "li", level + 2, paragraph)
        yield _block(f"{kind}_close", tag, level + 1, paragraph)
        yield _block("doi_list_close", "div", level, paragraph)

    def _entry(self, entry: Entry) -> Iterator[Token]:
        for run in entry.runs:
            yield from _styled(run)
        if entry.runs:
            yield text(" ", 0)
        link = link_to(entry.doi, self._options)
        given = attributes(link, self._options)
        if more := classes_of(entry.work) if entry.work else ():
            given["class"] = " ".join((*self._options.classes, *more))
        opening = _opening(given)
        yield from linked(opening, link.text or entry.doi.uri)
        for back in entry.backs:
            yield text(back.before, 0)
            where = {"href": f"#{back.mention.anchor}", "class": "doi-back"}
            yield from linked(_opening({**where, "aria-label": back.label}), back.text)


def _styled(run: Run) -> Iterator[Token]:
    tags = [_TAGS.get(style, style) for style in run.styles]
    for level, tag in enumerate(tags):
        yield Token(f"{tag}_open", tag, 1, level=level)
    yield text(run.text, len(tags))
    for level, tag in reversed([*enumerate(tags)]):
        yield Token(f"{tag}_close", tag, -1, level=level)


def _opening(attrs: Mapping[str, str]) -> Token:
    return Token("link_open", "a", 1, attrs={**attrs}, markup="doi", info="auto")


def _block(
    kind: str, tag: str, level: int, like: Token, attrs: Mapping[str, str] | None = None
) -> Token:
    nesting: Literal[-1, 0, 1] = 1 if kind.endswith("_open") else -1 if kind != "inline" else 0
    place = like.map if nesting >= 0 else None
    return Token(kind, tag, nesting, attrs={**(attrs or {})}, map=place, level=level, block=True)
