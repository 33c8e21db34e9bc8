"""What the extension runs: the inline pattern that finds names, and the walks that mend links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, INLINE_PLACEHOLDER_PREFIX, STX

from ...core.arxiv import ANCHOR as ANCHOR_OF_PAPER
from ...core.found import Found
from ...core.markup import ENTITY, enclosed, may_harm
from ...core.options import Options
from ...core.scan import ANCHOR, ANCHOR_OF_PREFIX, may_contain_doi
from ..cite import Cluster
from ..cite.marker import may_ask
from ..cite.page import Desk, WorkLink
from .cite import Spots, lists_in
from .link import (
    AUTOLINKER,
    Cited,
    Place,
    Surroundings,
    adopt,
    build,
    classes_of,
    escape,
    places_in,
    quote,
    set_attributes,
)

# --------------------------------------------------------------------------------------------------
# The inline pattern: finds a name before the host reads the markup in it.

# The pattern for a document: the host searches each of its texts with it, so it finds no more than
# it has to.
_ANY: Final = re.compile(ANCHOR)
_PREFIX: Final = re.compile(ANCHOR_OF_PREFIX)
_PAPER: Final = re.compile(f"{ANCHOR}|{ANCHOR_OF_PAPER}")
_NOTHING: Final = re.compile(r"\x00")


class Finder(InlineProcessor):
    """The inline pattern. It matches an anchor, and a scan says whether a name contains the anchor.

    :ivar made: the links that doilinks has made, each with its name
    :ivar cites: the links of citations
    :ivar written: for each of these elements, the text that the host would read without doilinks
    """

    def __init__(self, options: Options, md: Markdown) -> None:
        super().__init__(ANCHOR, md)
        self._markdown = md
        self._options = options
        self.made: dict[Element, Place] = {}
        self.cites: dict[Element, Cluster] = {}
        self.written: dict[Element, str] = {}
        self._data = ""
        self._places: Iterator[Place | Cited] = iter(())
        self._place: Place | Cited | None = None
        # The offset of the last name, and the length of the text after it.
        self._last = (0, 0)

    def reset(self) -> None:
        """Forget the document that was converted before."""
        self.made.clear()
        self.cites.clear()
        self.written.clear()
        self._data, self._places, self._place = "", iter(()), None
        self.compiled_re = _ANY

    def expect(self, text: str) -> None:
        """Look for nothing but what is in the text of a document, until the next reset."""
        if not may_contain_doi(text, self._options.arxiv):
            self.compiled_re = _NOTHING
        elif self._options.arxiv:
            self.compiled_re = _PAPER
        else:
            self.compiled_re = _ANY if "doi.org/" in text else _PREFIX

    def handleMatch(  # type: ignore[override]  # noqa: N802  the host's name
        self, m: re.Match[str], data: str
    ) -> tuple[Element | str | None, int | None, int | None]:
        """The link for the name that contains an anchor; inside a link, only the name."""
        place = self._around(m.start(), data)
        if place is None:
            return None, None, None
        start, end = len(data) - place.before, len(data) - place.after
        self._last = start, place.after
        # After this, some versions of the host begin again at the start of the text.
        self._place = next(self._places, None)
        inline: Any = self._markdown.treeprocessors["inline"]
        is_linked = "a" in inline.ancestors
        if isinstance(place, Cited):
            return (None, None, None) if is_linked else (self._quote(place), start, end)
        if is_linked:
            return escape(place.written), start, end
        link = build(place, self._options)
        self.made[link] = place
        self.written[link] = escape(place.written)
        return link, start, end

    def _quote(self, cited: Cited) -> Element:
        """The element for citations. A name in the words beside them stays text."""
        sides = [(self._hidden(before), self._hidden(after)) for before, after in cited.sides]
        element, links = quote(cited._replace(sides=tuple(sides)), self._options)
        self.cites.update(links)
        self.written[element] = escape(cited.written)
        return element

    def _hidden(self, text: str) -> str:
        """A text in which the pattern matches nothing, because the first characters are escaped."""
        return self.compiled_re.sub(lambda at: f"{STX}{ord(at[0][0])}{ETX}{at[0][1:]}", text)

    def _around(self, anchor: int, data: str) -> Place | Cited | None:
        """The name that contains an anchor.

        After each name the host asks about a new text, in which a placeholder replaces the name.
        The rest of the text is the same as before, so the scan continues. A new scan for each name
        would take quadratic time.
        """
        if data is not self._data:
            if not self._goes_on(data):
                inline: Any = self._markdown.treeprocessors["inline"]
                autolinks = AUTOLINKER in self._markdown.inlinePatterns
                stash = inline.stashed_nodes
                self._places = places_in(data, stash, self._options, autolinks=autolinks)
                self._place = next(self._places, None)
            self._data = data
        while self._place and len(data) - self._place.after <= anchor:
            self._place = next(self._places, None)
        place = self._place
        return place if place and len(data) - place.before <= anchor else None

    def _goes_on(self, data: str) -> bool:
        at, follows = self._last
        if not self._data or not data.startswith(INLINE_PLACEHOLDER_PREFIX, at):
            return False
        return len(data) - data.find(ETX, at) - 1 == follows


class Expect(Treeprocessor):
    """The tree processor that tells the pattern what to look for, just before the host uses it."""

    def __init__(self, options: Options, names: Finder, linker: Linker, md: Markdown) -> None:
        super().__init__(md)
        self._options = options
        self._names = names
        self._linker = linker

    def run(self, root: Element) -> None:
        """Read the text of the document, and where it wants lists of references."""
        text = "\n".join(root.itertext())
        self._names.expect(text)
        if self._options.cite and may_ask(text):
            self._linker.spots.lists = lists_in(root, self._linker.desk())


# --------------------------------------------------------------------------------------------------
# Removes links inside raw HTML in texts that the host reads twice.
#
# The host reads a text twice in footnotes, and wherever a paragraph has elements before its text is
# read. The second time, tags are placeholders, and a text does not contain the tags around it. So
# the inline pattern cannot see that a name is inside raw HTML.

_TAG: Final = re.compile(f"{STX}wzxhzdk:([0-9]{{1,9}}){ETX}")


def unlink_enclosed(root: Element, written: Mapping[Element, str], html: Sequence[object]) -> None:
    """Put back the text of each link that is inside a link or code of raw HTML.

    :param written: the links that doilinks has made, each with the text that it has replaced
    :param html: the raw HTML that the host has stashed
    """
    row: list[str | None] = []
    links: list[tuple[Element, Element] | None] = []
    stack: list[tuple[Element, Element, bool]] = [(root, root, False)]
    while stack:
        element, parent, after = stack.pop()
        if not after and element in written:
            row.append(None)
            links.append((parent, element))
        for tag in _TAG.finditer((element.tail if after else element.text) or ""):
            number = int(tag[1])
            row.append(str(html[number]) if number < len(html) else "")
            links.append(None)
        if not after:
            for child in reversed(element):
                stack += (child, element, True), (child, element, False)
    gone: dict[Element, set[Element]] = {}
    for inside, place in zip(enclosed(row), links, strict=True):
        if inside and place:
            gone.setdefault(place[0], set()).add(place[1])
    for parent, inside_it in gone.items():
        _put_back(parent, inside_it, written)


def _put_back(parent: Element, links: set[Element], written: Mapping[Element, str]) -> None:
    kept: list[Element] = []
    texts = [[parent.text or ""]]
    for child in parent:
        if child in links:
            texts[-1] += written[child], child.tail or ""
        else:
            kept.append(child)
            texts.append([child.tail or ""])
    parent[:] = kept
    parent.text = "".join(texts[0])
    for child, text in zip(kept, texts[1:], strict=True):
        child.tail = "".join(text)


# --------------------------------------------------------------------------------------------------
# The walk.


class Linker(Treeprocessor):
    """Goes through the links of a document.

    :param desk: gives the works for the text on hover
    :ivar spots: where the document mentions works, if the options say to cite works
    :ivar linked: the links to DOIs, each with its classes besides those of the options
    :ivar made: the links among them that doilinks has made
    :ivar quoted: the links that doilinks has made and that a quotation mark follows
    """

    def __init__(
        self, options: Options, names: Finder, desk: Callable[[], Desk], md: Markdown
    ) -> None:
        super().__init__(md)
        self._options = options
        self._names = names
        self.desk = desk
        self.linked: dict[Element, tuple[str, ...]] = {}
        self.made: list[Element] = []
        self.quoted: list[Element] = []
        self.reset()

    def reset(self) -> None:
        """Forget the document that was converted before. The host calls this."""
        self._names.reset()
        self.spots = Spots()
        self.linked.clear()
        self.made.clear()
        self.quoted.clear()
        self._dois: list[Found] = []
        self.md.dois = self._dois  # type: ignore[attr-defined]

    def run(self, root: Element) -> None:
        """Make the links canonical, and list their DOIs."""
        made, cites = dict(self._names.made), dict(self._names.cites)
        written, lists = dict(self._names.written), self.spots.lists
        html = self.md.htmlStash.rawHtmlBlocks
        if written and html:
            unlink_enclosed(root, written, html)
        self.reset()
        self.spots.lists = lists
        surroundings = Surroundings(root)
        desk = self.desk() if self._options.hovers or cites else None
        for link in root.iter("a"):
            ours, citation = made.get(link), cites.get(link)
            if citation:
                [cite] = citation.cites
                found: Found | None = Found(
                    cite.doi,
                    form="cite",
                    written=f"@{cite.doi.uri}",
                )
            else:
                found = adopt(link, surroundings, self._options, ours)
            if found is None:
                continue
            self._dois.append(found)
            # The author's link may stay as it was.
            if ours or citation or set(self._options.classes).issubset(classes_of(link)):
                given = dict.fromkeys(link.attrib, "")
                adorn = desk and (desk.cite if citation else desk.hover)
                self.linked[link] = adorn(given, found.doi) if adorn else ()
                set_attributes(link, {name: text for name, text in given.items() if text})
                if self._options.cite:
                    place = WorkLink(found.doi, link.attrib, citation)
                    self.spots.all.append((link, place))
            if ours or citation:
                self._made(link)
        for element in written.keys() - made.keys() - cites.keys():
            self._made(element)  # a group of citations
        if cites:
            # Later the text says what the works are, and must not be compared with itself.
            self._dois[:] = [replace(each, around=each.block) for each in self._dois]

    def _made(self, element: Element) -> None:
        self.made.append(element)
        if (element.tail or "").startswith(QUOTES):
            self.quoted.append(element)


# --------------------------------------------------------------------------------------------------
# Citations and lists of references.

# Name and priority of the tree processor; attr_list has 8, which may give ids to links.
SHOW: Final = ("doi-cite", 7.4)


class Show(Treeprocessor):
    """Shows citations and lists of references, at the end of a document.

    :param show: shows those of a document
    """

    def __init__(self, linker: Linker, show: Callable[[Spots], None], md: Markdown) -> None:
        super().__init__(md)
        self._linker = linker
        self._show = show

    def run(self, root: Element) -> None:
        """Show them. A list without works goes."""
        spots = self._linker.spots
        if spots.all or spots.lists:
            self._show(spots)
        if any(map(_is_empty, spots.lists)):
            for parent in root.iter():
                parent[:] = [
                    each for each in parent if not (each in spots.lists and _is_empty(each))
                ]


def _is_empty(div: Element) -> bool:
    # A list with works has a role, and the place of one that is made later a mark.
    return list(div.attrib) == ["class"]


# --------------------------------------------------------------------------------------------------
# Removes the links of ``toc`` around headings that contain a link.

# Name and priority of the tree processor; toc has 5.
AFTER_TOC: Final = ("doi-headings", 4.5)

_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))


class Headings(Treeprocessor):
    """Removes the link around a heading with a DOI, because a link may not contain another link.

    Source: https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-a-element, content
    model.

    :param links: the links to DOIs
    """

    def __init__(self, links: Iterable[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: Element) -> None:
        """Remove this link from each such heading."""
        linked = set(self._links)
        for heading in root.iter() if linked else ():
            if heading.tag not in _HEADINGS:
                continue
            for anchor in list(heading):
                to_itself = anchor.tag == "a" and anchor.get("href") == f"#{heading.get('id')}"
                if to_itself and not linked.isdisjoint(anchor.iter("a")):
                    _unwrap(heading, anchor)


def _unwrap(parent: Element, child: Element) -> None:
    """Replace a child by its content."""
    at = list(parent).index(child)
    _append(parent, at, child.text)
    parent[at : at + 1] = list(child)
    _append(parent, at + len(child), child.tail)


def _append(parent: Element, at: int, text: str | None) -> None:
    """Add a text before the child at ``at``."""
    if at:
        parent[at - 1].tail = (parent[at - 1].tail or "") + (text or "")
    else:
        parent.text = (parent.text or "") + (text or "")


# --------------------------------------------------------------------------------------------------
# Attribute lists after a link, for the host's ``attr_list``.

# Names and priorities of the tree processors. attr_list has the priority 8.
BEFORE_LISTS: Final = ("doi-before-lists", 8.5)
AFTER_LISTS: Final = ("doi-after-lists", 7.6)

_ENTITY: Final = re.compile(f"&{ENTITY}")
_STASHED: Final = re.compile(f"{STX}wzxhzdk:([0-9]{{1,9}}){ETX}")
_BRACE: Final = f"{STX}{ord('{')}{ETX}"  # the host keeps an escaped brace in this form


class BeforeLists(Treeprocessor):
    """Hides lists from attr_list that could harm, and braces that are a list only with doilinks.

    The brace of a list that could harm is escaped. If nothing follows the last element of a block,
    attr_list takes a list from before the first element, such as ``{.b}`` in the table cell
    ``a {.b} 10.1000/182``. So, until attr_list has run, a space follows each link, and each element
    of a block that begins with a link.

    :param links: the links that doilinks has made
    """

    def __init__(self, links: Sequence[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links
        self.spaced: list[Element] = []

    def run(self, root: Element) -> None:
        """Escape the braces and add the spaces."""
        self.spaced.clear()
        if not self._links:
            return
        for link in self._links:
            tail = link.tail or ""
            if tail.startswith("{") and may_harm(_STASHED.sub(self._entity, tail)):
                link.tail = _BRACE + tail[1:]
        links = set(self._links)
        for parent in root.iter():
            first = len(parent) and parent[0] in links
            for child in parent:
                if (first or child in links) and not child.tail:
                    child.tail = " "
                    self.spaced.append(child)

    def _entity(self, stashed: re.Match[str]) -> str:
        """A character in place of an entity, which the host stashes like a tag. A tag stays."""
        html: Any = self.md.htmlStash.rawHtmlBlocks
        number = int(stashed[1])
        is_entity = number < len(html) and _ENTITY.fullmatch(str(html[number]))
        return "." if is_entity else stashed[0]


class AfterLists(Treeprocessor):
    """Removes the spaces that :class:`BeforeLists` has added."""

    def __init__(self, before: BeforeLists, md: Markdown) -> None:
        super().__init__(md)
        self._before = before

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Remove the spaces."""
        for element in self._before.spaced:
            element.tail = None


# --------------------------------------------------------------------------------------------------
# Quotation marks just after a link, for the host's ``smarty``.

# Names and priorities of the two tree processors. smarty has the priority 6, abbreviations 7.
BEFORE_SMARTY: Final = ("doi-quotes", 6.5)
AFTER_SMARTY: Final = ("doi-quotes-end", 5.5)

QUOTES: Final = ("'", '"')

# smarty reads each text between two elements alone. If such a text begins with a quote, smarty
# cannot see the character before it and may open a quotation. After a letter, it closes one.
_LETTER: Final = "a"


class HideQuotes(Treeprocessor):
    """Puts a letter before each quotation mark that follows a link, so that smarty closes there.

    :param links: the links that a quotation mark follows
    """

    def __init__(self, links: list[Element], md: Markdown) -> None:
        super().__init__(md)
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Add the letter."""
        if "smarty" in self.md.treeprocessors:
            for link in self._links:
                link.tail = _LETTER + (link.tail or "")


class ShowQuotes(HideQuotes):
    """Removes the letter that :class:`HideQuotes` has added."""

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Remove the letter."""
        if "smarty" in self.md.treeprocessors:
            for link in self._links:
                link.tail = (link.tail or "").removeprefix(_LETTER)
