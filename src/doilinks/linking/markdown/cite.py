"""Works in Python-Markdown: the links of a document to works, and what is shown there."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

from ...core.options import Options
from ..cite import Mention, References
from ..cite.citations import Cluster
from ..cite.marker import Asked
from ..cite.page import Desk, WorkLink, add_classes, list_of, mentions_of, point_to_entry
from ..cite.words import no_formula
from .link import escape


@lru_cache(maxsize=4)
def desk_of(
    options: Options,
    root: Path,
    warn: Callable[[str], None],
    stamp: tuple[int, ...],  # noqa: ARG001  another state of the file is another desk
    language: str,
) -> Desk:
    """The desk of a host that does not tell when a build begins: until the lock file changes."""
    return Desk(options, root, warn, language)


class WorkLinks:
    """The links of a document to works, in their order, and its lists of references."""

    def __init__(self, lists: dict[Element, Asked]) -> None:
        self.all: list[tuple[Element, WorkLink]] = []
        self.lists = lists

    def mentions(self) -> list[Mention]:
        """Where they are."""
        return mentions_of(link for _, link in self.all)

    def is_empty(self, element: Element) -> bool:
        """Tell whether an element is a list of no works: one of works has a role, or a mark."""
        return element in self.lists and [*element.attrib] == ["class"]

    def show(self, desk: Desk) -> None:
        """Show citations and lists, of which all works are on this page."""
        mentions = self.mentions()
        references = desk.references(mentions)
        for (a, link), mention in zip(self.all, mentions, strict=True):
            if self.lists:
                a.set("id", mention.anchor)
            if link.citation:
                show_citation(a, link.citation, references)
                if self.lists:
                    point_to_entry(a.attrib, link.doi, desk.shelf)
        ids: set[str] = set()
        for div, ask in self.lists.items():
            numbered = ask.order == "places"
            made = list_of(desk.references(mentions, ask), desk.options, ids, numbered=numbered)
            if made is not None:
                div.attrib, div[:] = made.attrib, made[:]
                protect(div)


def show_citation(a: Element, citation: Cluster, references: References) -> None:
    """Show a work that is cited."""
    text = words_of(citation, references)
    a.text = AtomicString(escape(text))
    add_classes(a.attrib, *no_formula(text))


def words_of(citation: Cluster, references: References) -> str:
    """What the link of a citation says."""
    return next(piece.text for piece in references.words(citation) if piece.doi)


def protect(made: Element) -> None:
    """Keep the host from reading the texts and attributes of elements as Markdown."""
    for each in made.iter():
        each.attrib = {name: escape(value) for name, value in each.attrib.items()}
        if each.tag in ("div", "ul", "ol"):  # one line for each entry
            each.text, each.tail = "\n", each.tail or "\n"
            continue
        each.text = AtomicString(escape(each.text)) if each.text else None
        tail = "\n" if each.tag == "li" else each.tail
        each.tail = AtomicString(escape(tail)) if tail else None
