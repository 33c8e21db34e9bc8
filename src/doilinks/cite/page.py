"""Texts on hover, citations and lists of a document, for every host.

A host gives each link to a work as a dictionary of attributes of HTML, and gets citations as pieces
of text and lists as elements of ElementTree, which it makes tokens, nodes or text of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from xml.etree.ElementTree import Element, SubElement

from ..core.link import attributes
from ..core.nameless import WorkId
from ..core.options import Options
from ..lock.bib_files import is_unknown
from ..lock.known_works import KnownWorks
from ..record.words import StyledText, classes_of, no_formula
from .citations import Cluster, parse, text_and_target, typed
from .marker import ListRequest
from .references import Mention, Piece, References, Style, anchor_of, place_of

CITATION: Final = "doi-cite"
Attributes = MutableMapping[str, Any]


class WorkLookup:
    """Looks up works for one build, and warns once about each that is missing."""

    def __init__(
        self, options: Options, root: Path, warn: Callable[[str], None], language: object = ""
    ) -> None:
        self.options, self.root = options, root
        self.known_works = KnownWorks.of(options, root, language)
        self.place = self.source = ""  # of the page that is being made, as messages show it
        self._warn = warn
        self._messages: set[str] = set()
        self._has_typed = False  # whether a citation was found while they are off
        self._unknown: set[WorkId] = set()
        self._styles: dict[str, Style] = {"": None}
        for message in self.known_works.bib_files.trouble:
            self.tell(message)

    def tell(self, message: str, *, here: bool = False, line: int = 0) -> None:
        """Warn once; ``here`` puts the place of the current page before the message."""
        at = f":{line}" if self.place else f"line {line}"
        place = self.place + (at if line else "")
        message = f"{place}: {message}" if here and place and message else message
        if message and message not in self._messages:
            self._messages.add(message)
            self._warn(message)

    def tell_typed(self, text: str, warn: Callable[[str], None] | None = None) -> None:
        """Warn once of a citation that stays as it is typed, because ``cite`` is off."""
        if not self._has_typed and (message := typed(text, self.options)):
            self._has_typed = True
            (warn or partial(self.tell, here=True))(message)

    def forget(self) -> None:
        """Begin a document: report messages about works again, but not those about the file."""
        self._messages &= {self.known_works.trouble, *self.known_works.bib_files.trouble}
        self._unknown.clear()

    def hover(self, attrs: Attributes, doi: WorkId) -> tuple[str, ...]:
        """Show the work of a link on hover; return the classes of the link."""
        shown = self.known_works.on_hover(doi) if self.options.hovers else None
        self.tell(self.known_works.trouble if self.options.hovers else "")
        if shown:
            attrs.setdefault("title", shown.text)
        return shown.classes if shown else ()

    def cite(self, attrs: Attributes, doi: WorkId) -> tuple[str, ...]:
        """Show the work of a citation on hover; warn if it is not known."""
        work = self.known_works.work(doi)
        self.tell(self.known_works.trouble)
        if work is not None:
            self.hover(attrs, doi)
            return CITATION, *classes_of(work)
        if doi not in self._unknown and not self.known_works.trouble:
            self._unknown.add(doi)
            line = _lines_of(self.source, self.options.cite_bib).get(doi, 0)
            here = self.known_works.has_file or is_unknown(doi)  # a file is missing everywhere
            for _, message in self.known_works.unknown([doi]):
                self.tell(f"{message} [doi-cite]", here=here, line=line)
        return ()

    def references(
        self,
        mentions: Iterable[Mention],
        citations: Iterable[Cluster] = (),
        ask: ListRequest | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> References:
        """Collect the works of a page or project; ``ask`` is the list that shows them, if any.

        ``warn`` reports a style that cannot be used.
        """
        order, style = (ask.order, ask.style) if ask else ("names", "")
        if ask and ask.scope == "all":  # also what nobody cites
            mentions = [
                *mentions,
                *(Mention(doi, cited=False) for doi in self.known_works.bib_files.records),
            ]
        name = self.options.cite_style if style is None else style
        if name not in self._styles:
            from .style import style_of  # reads styles, which few pages need

            warn = warn or partial(self.tell, here=style is not None)
            self._styles[name] = style_of(name, self.root, warn)
        work_of, same, language = (
            self.known_works.work,
            self.known_works.same,
            self.known_works.language,
        )
        known = self._styles[name]
        return References(work_of, mentions, citations, order, known, self.uri, same, language)

    def list_of(
        self,
        references: References,
        ids: set[str],
        address: Callable[[Mention], str] = lambda mention: f"#{mention.anchor}",
    ) -> Element | None:
        """Build a list of references; None without works. ``ids`` are all ids of its page."""
        if not references.entries:
            return None
        div = Element("div", {"class": "doi-list", "role": "doc-bibliography"})
        items = SubElement(div, "ol" if references.is_numbered else "ul")
        for entry in references.entries:
            item = SubElement(items, "li")
            if entry.anchor not in ids:
                ids.add(entry.anchor)
                item.set("id", entry.anchor)
            add_classes(item.attrib, *no_formula("".join(run.text for run in entry.text)))
            add_runs(item, entry.runs)
            label, href = text_and_target(entry.doi, self.options)
            if href:
                append(item, " " if entry.runs and not entry.after else "")
                a = SubElement(item, "a", attributes(href, self.options))
                a.text = label
                add_classes(a.attrib, *(classes_of(entry.work) if entry.work else ()))
            add_runs(item, entry.after)
            for back in entry.backs:
                append(item, back.before)
                where = {"href": address(back.mention), "class": "doi-back"}
                SubElement(item, "a", {**where, "aria-label": back.label}).text = back.text
        return div

    def point_to_entry(self, attrs: Attributes, doi: WorkId, page: str = "") -> None:
        """Let a citation lead to the entry of its work in a list, if the work is known."""
        if self.known_works.work(doi):
            attrs["href"] = f"{page}#{anchor_of(self.known_works.same(doi))}"

    def uri(self, doi: WorkId) -> str:
        """Return the text of a citation whose work is not known."""
        return text_and_target(doi, self.options)[0]


def lookup_of(
    options: Options, root: Path, warn: Callable[[str], None], language: str = ""
) -> WorkLookup:
    """Return a lookup, cached until the lock file changes, for hosts without build events."""
    root = root.absolute()
    return _lookup(options, root, warn, language, KnownWorks.stamp(options, root))


@lru_cache(4)
def _lookup(
    options: Options, root: Path, warn: Callable[[str], None], language: str, _: tuple[int, ...]
) -> WorkLookup:
    return WorkLookup(options, root, warn, language)


@lru_cache(1)
def _lines_of(source: str, files: Sequence[str]) -> dict[WorkId, int]:
    """Find the first line that cites each work."""
    lines: dict[WorkId, int] = {}
    line = done = 0
    for each in parse(source, files):
        for cite, sign in zip(each.cites, each.signs, strict=True):
            line, done = line + source.count("\n", done, sign), sign
            lines.setdefault(cite.doi, line + 1)
    return lines


class WorkLink(NamedTuple):
    """A link of a document to a work."""

    doi: WorkId
    attrs: Attributes  # those of its element
    citation: Cluster | None = None  # what is cited there, if it is a citation


def mentions_of(links: Iterable[WorkLink], page: str = "") -> list[Mention]:
    """Return the places of a page's links: each has the id of its element, or one of ours."""
    numbers: Counter[WorkId] = Counter()
    mentions = []
    for doi, attrs, citation in links:
        numbers[doi] += 1
        anchor = str(attrs.get("id") or place_of(doi, numbers[doi]))
        mentions.append(Mention(doi, anchor, page, citation is not None))
    return mentions


_T = TypeVar("_T")


def placed(
    pieces: Iterable[Piece], links: Iterable[tuple[WorkId, _T]]
) -> Iterator[tuple[Piece, _T | None]]:
    """Yield each piece of a citation, with the link of its work."""
    left = [*links]
    for piece in pieces:
        link = next((each for each in left if each[0] == piece.doi), None)
        if link:
            left.remove(link)
        yield piece, link and link[1]


def add_classes(attrs: Attributes, *names: str) -> None:
    """Add classes to an element, each once."""
    if names:
        attrs["class"] = " ".join(dict.fromkeys((*str(attrs.get("class", "")).split(), *names)))


def add_runs(item: Element, runs: Iterable[StyledText]) -> None:
    """Add texts with their styles at the end of an element."""
    for run in runs:
        inner = item
        for style in run.styles:
            inner = SubElement(inner, style)
        if run.styles:
            inner.text = run.text
        else:
            append(item, run.text)


def append(item: Element, text: str) -> None:
    """Add a text at the end of an element."""
    if len(item):
        item[-1].tail = (item[-1].tail or "") + text
    else:
        item.text = (item.text or "") + text


def parts_of(element: Element) -> Iterator[str | Element]:
    """Yield the texts and child elements of an element, in order."""
    if element.text:
        yield element.text
    for child in element:
        yield child
        if child.tail:
            yield child.tail
