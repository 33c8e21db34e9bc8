"""Works in Python-Markdown: the links of a document to works, with citations and lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

from ...cite.citations import Cluster, group_of
from ...cite.marker import ListRequest
from ...cite.page import WorkLink, WorkLookup, add_classes, add_runs, mentions_of, parts_of, placed
from ...cite.references import Mention, Piece, References, format_all
from ...core.nameless import WorkId
from ...record.words import no_formula
from .link import escape, reading


class WorkLinks:
    """The links of a document to works, in their order, and its lists of references."""

    def __init__(self, lists: dict[Element, ListRequest], groups: Iterable[Element]) -> None:
        self.all: list[tuple[Element, WorkLink]] = []
        self.lists, self._groups = lists, groups

    def mentions(self) -> list[Mention]:
        """Return the mentions of works, in their order."""
        return mentions_of(link for _, link in self.all)

    def is_empty(self, element: Element) -> bool:
        """Tell whether an element is a list of no works: one of works has a role, or a mark."""
        return element in self.lists and [*element.attrib] == ["class"]

    def show(self, lookup: WorkLookup) -> None:
        """Show citations and lists, of which all works are on this page."""
        mentions = self.mentions()
        cited = {a: link.citation for a, link in self.all if link.citation}
        groups = {span: group_of(_parts(span, cited)) for span in self._groups}
        inside = {a: span for span in groups for a in span.iter("a") if a in cited}
        places = dict.fromkeys(inside.get(a, a) for a in cited)  # each group once
        said = [groups.get(each) or cited[each] for each in places]
        works = [lookup.references(mentions, said, ask) for ask in self.lists.values()]
        format_all(works)
        references = works[0] if works else lookup.references(mentions)
        for (a, link), mention in zip(self.all, mentions, strict=True):
            if self.lists:
                a.set("id", mention.anchor)
            if link.citation:
                show_citation(a, link.citation, references)
                if self.lists:
                    lookup.point_to_entry(a.attrib, link.doi)
                if not a.get("href"):
                    del a.attrib["href"]
        for span, group in groups.items():
            if references.changes(group):
                links = [(cited[a].cites[0].doi, a) for a in span.iter("a") if a in cited]
                show_group(span, references.words(group), links)
        ids: set[str] = set()
        for div, listed in zip(self.lists, works, strict=True):
            made = lookup.list_of(listed, ids)
            if made is not None:
                div.attrib, div[:] = made.attrib, made[:]
                protect(div)


def _parts(element: Element, cited: Mapping[Element, Cluster]) -> Iterator[str | Cluster]:
    for part in parts_of(element):
        if isinstance(part, str):
            yield reading(part)
        elif part in cited:
            yield cited[part]
        else:
            yield from _parts(part, cited)


def show_group(
    span: Element, pieces: Iterable[Piece], links: Iterable[tuple[WorkId, Element]]
) -> None:
    """Show a group of citations as its style has it, with the links of its works."""
    span.text, span[:] = None, []
    for piece, a in placed(pieces, links):
        if a is None:
            add_runs(span, piece.runs)
            continue
        if not piece.runs:
            a.tag, a.attrib = "span", {key: a.attrib[key] for key in a.attrib if key == "id"}
        a.tail = None
        span.append(a)
        _show(a, piece)
    protect_texts(span)


def show_citation(a: Element, citation: Cluster, references: References) -> None:
    """Show a work that is cited."""
    _show(a, references.link_words(citation))
    protect_texts(a)


def _show(a: Element, piece: Piece) -> None:
    a.text, a[:] = None, []
    add_runs(a, piece.runs)
    add_classes(a.attrib, *no_formula(piece.text))


def protect_texts(element: Element) -> None:
    """Keep the host from reading the texts in an element as Markdown."""
    for each in element.iter():
        each.text = AtomicString(escape(each.text)) if each.text else None
        if each is not element:
            each.tail = AtomicString(escape(each.tail)) if each.tail else None


def protect(element: Element) -> None:
    """Keep the host from reading the texts and attributes of a list as Markdown."""
    protect_texts(element)
    for each in element.iter():
        each.attrib = {name: escape(value) for name, value in each.attrib.items()}
        if each.tag in ("div", "ul", "ol"):  # one line for each entry
            each.text = "\n"
        if each.tag in ("div", "ul", "ol", "li"):
            each.tail = each.tail or "\n"
