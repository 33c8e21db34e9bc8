"""What readers see of works: the text on hover, citations, and lists of references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from markdown.util import AtomicString

from ..cite import Mention, References, Run, Shelf
from ..cite.citations import Cluster
from ..cite.marker import Asked, asked
from ..cite.references import Style, anchor_of, place_of, plain_style
from ..cite.words import classes_of, no_formula
from ..core.doi import DOI
from ..core.link import attributes, link_to
from ..core.options import Options
from .link import escape, set_attributes

# --------------------------------------------------------------------------------------------------
# The works of a project, and the text on hover.


class Desk:
    """The works that pages show, and the messages about them.

    :param options: those of the extension
    :param root: the folder that the lock file is relative to
    :param warn: logs a message as the host does
    :ivar place: the page that is being made, as messages show it
    """

    def __init__(self, options: Options, root: Path, warn: Callable[[str], None]) -> None:
        self.options = options
        self.root = root
        self.shelf = Shelf.of(options, root)
        self.place = ""
        self._warn = warn
        self._told: set[str] = set()
        self._unknown: set[DOI] = set()
        self._styles: dict[str, Style] = {}

    def tell(self, message: str) -> None:
        """Warn, once for each message."""
        if message and message not in self._told:
            self._told.add(message)
            self._warn(message)

    def tell_here(self, message: str) -> None:
        """Warn of something on this page."""
        self.tell(f"{self.place}: {message}" if self.place else message)

    def adorn(self, a: Element, doi: DOI) -> tuple[str, ...]:
        """Give a link its text on hover, and return the classes that its work gives it."""
        if not self.options.hovers:
            return ()
        shown = self.shelf.on_hover(doi)
        self.tell(self.shelf.trouble)
        if shown is None:
            return ()
        if "title" not in a.attrib:
            set_attributes(a, {"title": shown.text})
        return shown.classes

    def adorn_citation(self, a: Element, doi: DOI) -> tuple[str, ...]:
        """The same for a citation. One of a work that is not known is reported."""
        work = self.shelf.work(doi)
        self.tell(self.shelf.trouble)
        if work is not None:
            self.adorn(a, doi)
            return CITATION, *classes_of(work)
        if doi not in self._unknown and not self.shelf.trouble:
            self._unknown.add(doi)
            for _, message in self.shelf.unknown([doi]):
                self.tell_here(f"{message} [doi-cite]")
        return ()

    def references(self, mentions: Iterable[Mention], ask: Asked | None = None) -> References:
        """The works of a page or a project.

        :param ask: the list that shows them; None for citations alone
        """
        options = self.options
        order, style = (ask.order, ask.style) if ask else ("names", "")
        return References(
            self.shelf.work,
            mentions,
            order,
            self._style(options.cite_style if style is None else style),
            lambda doi: link_to(doi, options).text or doi.uri,
            self.shelf.same,
        )

    def _style(self, name: str) -> Style:
        if name and name not in self._styles:
            from ..cite.style import style_of  # reads styles, which few pages need

            self._styles[name] = style_of(name, self.root, self.tell)
        return self._styles[name] if name else plain_style


CITATION: Final = "doi-cite"


def desk_of(options: Options, root: Path, warn: Callable[[str], None]) -> Desk:
    """The desk of a host that does not tell when a build begins.

    It stays the same for all pages until the lock file changes.
    """
    return _desk_of(options, root, warn, Shelf.stamp(options, root))


@lru_cache(maxsize=4)
def _desk_of(
    options: Options,
    root: Path,
    warn: Callable[[str], None],
    stamp: tuple[int, ...],  # noqa: ARG001  another state of the file is another desk
) -> Desk:
    return Desk(options, root, warn)


# --------------------------------------------------------------------------------------------------
# The places of lists, while a document is converted.


def lists_in(root: Element, tell: Callable[[str], None]) -> dict[Element, Asked]:
    """Each paragraph that asks for a list, made the place of the list."""
    lists: dict[Element, Asked] = {}
    for p in root.iter("p"):
        ask = None if len(p) else asked(p.text or "")
        if ask:
            for message in ask.trouble:
                tell(message)
            p.tag, p.text = "div", None
            p.set("class", "doi-list")
            lists[p] = ask
    return lists


# --------------------------------------------------------------------------------------------------
# Citations and lists, once all of a document is known.


class Spot(NamedTuple):
    """A place in a document that mentions a work.

    :ivar a: its link
    :ivar citation: what it cites; None if it only links the work
    """

    a: Element
    doi: DOI
    citation: Cluster | None


class Spots:
    """The places of a document, and what is shown there.

    :ivar all: the places in their order
    :ivar lists: the lists
    """

    def __init__(self) -> None:
        self.all: list[Spot] = []
        self.lists: dict[Element, Asked] = {}

    def mentions(self, page: str = "") -> list[Mention]:
        """The places, each with an id."""
        numbers: Counter[DOI] = Counter()
        mentions: list[Mention] = []
        for a, doi, citation in self.all:
            numbers[doi] += 1
            anchor = a.get("id") or place_of(doi, numbers[doi])
            mentions.append(Mention(doi, anchor, page, citation is not None))
        return mentions

    def show(self, desk: Desk) -> None:
        """Show citations and lists, of which all works are on this page."""
        mentions = self.mentions()
        references = desk.references(mentions)
        for (a, doi, citation), mention in zip(self.all, mentions, strict=True):
            if self.lists:
                a.set("id", mention.anchor)
            if citation:
                show_citation(a, citation, references)
                if self.lists and desk.shelf.work(doi):
                    a.set("href", f"#{anchor_of(desk.shelf.same(doi))}")
        ids: set[str] = set()
        for div, ask in self.lists.items():
            ordered = desk.references(mentions, ask)
            fill(div, ordered, desk.options, ids, numbered=ask.order == "places")


def show_citation(a: Element, citation: Cluster, references: References) -> None:
    """Show a work that is cited."""
    text = words_of(citation, references)
    a.text = AtomicString(escape(text))
    if more := no_formula(text):
        a.set("class", " ".join((a.get("class", ""), *more)).strip())


def words_of(citation: Cluster, references: References) -> str:
    """What the link of a citation says."""
    return next(piece.text for piece in references.words(citation) if piece.doi)


def fill(
    div: Element,
    references: References,
    options: Options,
    ids: set[str],
    address: Callable[[Mention], str] = lambda mention: f"#{mention.anchor}",
    *,
    numbered: bool = False,
) -> None:
    """Make the list of references. One without works stays empty.

    :param ids: those of entries on the page, to which this list adds its own
    :param address: the target of a link back to a place
    """
    if not references.entries:
        return
    div.set("role", "doc-bibliography")
    items = SubElement(div, "ol" if numbered else "ul")
    div.text = items.text = items.tail = "\n"
    for entry in references.entries:
        item = SubElement(items, "li")
        item.tail = "\n"
        if entry.anchor not in ids:
            ids.add(entry.anchor)
            item.set("id", entry.anchor)
        if more := no_formula("".join(run.text for run in entry.runs)):
            item.set("class", " ".join(more))
        _add_runs(item, entry.runs)
        if entry.runs:
            _add(item, " ")
        link = link_to(entry.doi, options)
        a = SubElement(item, "a")
        set_attributes(a, attributes(link, options))
        if more := classes_of(entry.work) if entry.work else ():
            a.set("class", " ".join((*options.classes, *more)))
        a.text = AtomicString(escape(link.text or entry.doi.uri))
        for back in entry.backs:
            _add(item, back.before)
            a = SubElement(item, "a")
            where = {"href": address(back.mention), "aria-label": back.label}
            set_attributes(a, {"class": "doi-back", **where})
            a.text = AtomicString(back.text)


def _add_runs(item: Element, runs: Sequence[Run]) -> None:
    for run in runs:
        if not run.styles:
            _add(item, run.text)
            continue
        inner = item
        for style in run.styles:
            inner = SubElement(inner, style)
        inner.text = AtomicString(escape(run.text))


def _add(item: Element, text: str) -> None:
    """Add a text at the end of an element."""
    if len(item):
        item[-1].tail = AtomicString((item[-1].tail or "") + escape(text))
    else:
        item.text = AtomicString((item.text or "") + escape(text))
