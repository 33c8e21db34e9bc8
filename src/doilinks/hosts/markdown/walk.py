"""Shows links and citations when the host has read its inline markup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from html import escape as escape_html
from itertools import chain, count, zip_longest
from typing import Any, Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.postprocessors import Postprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from ...cite.citations import Bracket, Cited, Group, Literal
from ...cite.page import WorkLink, WorkLookup, add_classes, append
from ...core.found import Found
from ...core.link import aimed
from ...core.markup import NO_PROSE
from ...core.mask import Mark
from ...core.nameless import may_aim
from ...core.options import Options
from .cite import WorkLinks
from .find import Hidden, HideNames, NameInText, Piece, with_brackets, written
from .link import (
    Surroundings,
    adopt,
    build,
    classes_of,
    escape,
    prose_of,
    reading,
    set_attributes,
    text_of,
)

# --------------------------------------------------------------------------------------------------
# Hidden items become links, or again the source.


def _in_text(mark: Mark[Hidden]) -> str:
    return escape(mark.item.text)


_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))


class ShowLinks(Treeprocessor):
    """Shows links and citations, and makes links of the author canonical."""

    def __init__(
        self,
        options: Options,
        hide: HideNames,
        lookup: Callable[[], WorkLookup],
        finish: Callable[[Markdown, WorkLinks], None],
        md: Markdown,
    ) -> None:
        super().__init__(md)
        self._options, self._hide, self._lookup, self._finish = options, hide, lookup, finish
        self.linked: set[Element] = set()  # the links to DOIs
        self.reset()

    def reset(self) -> None:
        """Forget the document that was converted before. The host calls this."""
        self.linked.clear()
        self._groups: list[Element] = []  # of citations
        self._dois: list[Found] = []
        self.md.dois = self._dois  # type: ignore[attr-defined]

    def run(self, root: Element) -> None:
        """Show links and citations, and remove lists without works."""
        self.reset()
        items = self._unhide(root) if self._hide.masks else {}
        works = WorkLinks(self._hide.lists, self._groups)
        surroundings = Surroundings(root)
        cites = any(isinstance(ours, Cited) for ours in items.values())
        lookup = self._lookup() if self._options.hovers or cites else None
        for link in [*root.iter("a")]:
            ours = items.get(link)
            place = adopt(link, surroundings, self._options, ours)
            doi = ours.cite.doi if isinstance(ours, Cited) else place.doi if place else None
            if doi is None:
                continue
            if place:
                self._dois.append(place)
            # The author's link may stay as it was.
            if not ours and not set(self._options.classes).issubset(classes_of(link)):
                continue
            self.linked.add(link)
            citation = ours.citation if isinstance(ours, Cited) else None
            if lookup:
                attributes = dict.fromkeys(link.attrib, "")
                classes = (lookup.cite if citation else lookup.hover)(attributes, doi)
                set_attributes(link, {name: text for name, text in attributes.items() if text})
                add_classes(link.attrib, *classes)
            if self._options.cites:
                works.all.append((link, WorkLink(doi, link.attrib, citation)))
        for parent, text in prose_of(root) if may_aim("".join(root.itertext())) else ():
            if not may_aim(text):
                continue
            if self._options.cite == "auto" and "@" in text:
                self._lookup().tell_typed(text)
            around = partial(surroundings.text_around, parent)
            self._dois += (
                replace(each, span=None, around=around)
                for each in aimed(reading(text), self._options)
            )
        if cites:
            # Citations get the text of records later, which must not be compared with the records.
            self._dois[:] = [replace(each, around=each.block) for each in self._dois]
            self._name_headings(root, items)
        self._finish(self.md, works)
        if any(map(works.is_empty, works.lists)):
            for parent in root.iter():
                parent[:] = [each for each in parent if not works.is_empty(each)]

    def _name_headings(self, root: Element, items: Mapping[Element, NameInText | Cited]) -> None:
        """Give an id to each heading that cites, made of names, as Sphinx does.

        The text of a citation changes with the lock file, and a link to a heading must not break.
        """
        if "toc" not in self.md.treeprocessors:
            return
        toc: Any = self.md.treeprocessors["toc"]
        taken = {each.get("id") for each in root.iter()}
        for heading in root.iter():
            cites = (isinstance(items.get(each), Cited) for each in heading.iter("a"))
            if heading.tag not in _HEADINGS or "id" in heading.attrib or not any(cites):
                continue
            name = toc.slugify(text_of(heading), toc.sep)
            ids = chain((name,), (f"{name}_{number}" for number in count(1)))
            heading.set("id", next(each for each in ids if each not in taken))
            taken.add(heading.get("id"))

    def _unhide(self, root: Element) -> dict[Element, NameInText | Cited]:
        """Put links in place of words; return each link with its item."""
        items: dict[Element, NameInText | Cited] = {}
        masks = self._hide.masks
        hides, everything = masks.hides, [*root.iter()]
        links = {each for link in root.iter("a") for each in link.iter()}
        code = {each for tree in everything if tree.tag in NO_PROSE for each in tree.iter()}
        for parent in everything:
            hidden = parent.text and hides(parent.text)
            for child in parent:
                hidden = hidden or (child.tail and hides(child.tail))
            for name, value in parent.items():
                if value and hides(value):
                    parent.set(name, written(masks, value, _in_text))
            if not hidden:
                continue
            in_link, in_code = parent in links, parent in code
            row: list[Piece] = []
            for text, child in zip_longest((parent.text, *(each.tail for each in parent)), parent):
                if text and (in_link or in_code or isinstance(text, AtomicString)):
                    encode = (lambda mark: mark.written) if in_code else _in_text
                    row.append(written(masks, text, encode))
                elif text:
                    row += masks.pieces(text) if hides(text) else (text,)
                if child is not None:
                    row.append(child)
            self._fill(parent, row, items)
        return items

    def _fill(
        self, parent: Element, row: list[Piece], items: dict[Element, NameInText | Cited]
    ) -> None:
        opened: set[Group] = set()
        for piece in row:
            if isinstance(piece, Mark) and isinstance(piece.item, Bracket):
                group = piece.item.group
                group.is_shown = not piece.item.opens and group in opened
                opened.add(group)
        parent.text, parent[:] = None, []
        into = parent
        for piece in with_brackets(row) if opened else row:
            if isinstance(piece, str):
                append(into, piece)
            elif isinstance(piece, Element):
                piece.tail = None
                into.append(piece)
            elif isinstance(piece.item, Bracket):
                into = parent
                if piece.item.opens:
                    into = Element("span", {"class": "doi-citation"})
                    parent.append(into)
                    self._groups.append(into)
            elif isinstance(piece.item, Literal):
                append(into, piece.item.text)
            else:
                a = build(piece.item, self._options)
                items[a] = piece.item
                into.append(a)


class ShowRest(Postprocessor):
    """Puts the source in place of each word in raw HTML, or wherever one may be left."""

    def __init__(self, hide: HideNames, md: Markdown) -> None:
        super().__init__(md)
        self._hide = hide

    def run(self, text: str) -> str:
        """Encode it for HTML, whatever is around it."""
        masks = self._hide.masks
        if not masks or not masks.hides(text):
            return text
        return written(masks, text, lambda mark: escape_html(mark.item.text))


class Headings(Treeprocessor):
    """Removes the link around a heading with a DOI, because a link may not contain another link.

    Source: https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-a-element, content
    model.
    """

    def __init__(self, links: set[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: Element) -> None:
        """Remove this link from each such heading."""
        linked = self._links
        for heading in root.iter() if linked else ():
            if heading.tag not in _HEADINGS:
                continue
            for at, anchor in enumerate(heading):
                to_itself = anchor.tag == "a" and anchor.get("href") == f"#{heading.get('id')}"
                if to_itself and not linked.isdisjoint(anchor.iter("a")):
                    if at:  # after the permanent link
                        heading[at - 1].tail = anchor.text
                    else:
                        heading.text = anchor.text
                    heading[at : at + 1] = anchor
                    break
