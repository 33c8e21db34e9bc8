"""One HTML page: what to change in it so that its DOIs are canonical links.

The reader of :mod:`doilinks.files.sources.html` finds the names, so that what is linked is what is
listed. Only links change: all other characters of the page stay as they are. A name whose
characters have tags between them stays as it is, unless they only say where a line may end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from ...core.doi import DOI
from ...core.link import Link, after_label, attributes, link_match, relink
from ...core.markup import unescape
from ...core.options import Options
from ...core.outline import own_label
from ...core.scan import scan
from ...core.text import SourceText
from ...linking.cite import Shelf
from ..sources.html import Page, Tag, is_phrase, may_contain_name, tags

Edit = tuple[int, int, str]


class PageLink(NamedTuple):
    """What to change for one link.

    :ivar start: where the name or the link begins in the page, with a label that goes
    :ivar end: where it ends
    :ivar block: how many tags are before it at which a block may begin or end
    :ivar is_new: whether the page has no link there yet
    :ivar edits: ``(start, end, new)`` in characters of the page, in order and disjoint
    """

    start: int
    end: int
    block: int
    is_new: bool
    edits: tuple[Edit, ...]


class Linked(NamedTuple):
    """What to change in a page.

    :ivar links: the links, in order and disjoint
    :ivar made: how many links are new
    :ivar changed: how many links of the page become canonical
    :ivar left: the names that stay as they are, because there are tags inside them
    :ivar doubtful: where the names and links begin that stay as they are, because the page would be
        read in another way
    """

    links: list[PageLink]
    made: int = 0
    changed: int = 0
    left: tuple[DOI, ...] = ()
    doubtful: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, links: list[PageLink], left: tuple[DOI, ...], doubtful: tuple[int, ...] = ()
    ) -> Linked:
        """The same, with the links counted."""
        made = sum(each.is_new for each in links)
        return cls(links, made, len(links) - made, left, doubtful)

    @property
    def edits(self) -> list[Edit]:
        """The edits of all links, in order and disjoint."""
        return [edit for link in self.links for edit in link.edits]


def link_page(
    text: str, options: Options, shelf: Shelf | None = None, *, xml: bool = False
) -> Linked:
    """What to change in a page so that its DOIs are canonical links.

    :param shelf: the works that links show on hover; None for no hover
    :param xml: whether the page has the syntax of XML

    >>> linked = link_page("<p>See 10.1000/182.</p>", Options())
    >>> linked.edits
    [(7, 18, '<a class="doi" href="https://doi.org/10.1000/182">doi:10.1000/182</a>')]
    """
    if not may_contain_name(text, options):
        return Linked([])
    page = _Linking(text, options, shelf)
    page.read(xml=xml)
    return page.linked()


class _Linking(Page):
    """Reads a page, and notes for each name what to change."""

    def __init__(self, text: str, options: Options, shelf: Shelf | None) -> None:
        super().__init__(text, options)
        self._shelf = shelf
        self._links: list[PageLink] = []
        self._block = 0
        self._left: list[DOI] = []
        self._before: list[tuple[int, int, bool]] = []  # the run before the link that is open
        self._is_anchor = False  # inside an element ``a`` that is not a link
        # Inside a table but in no cell: a browser moves this text, but not the spaces beside it.
        self._is_moved = False
        self._in_section = False  # inside a CDATA section, in which a tag would be text

    def linked(self) -> Linked:
        """What to change."""
        return Linked.of(self._links, tuple(self._left))

    def _edit(self, start: int, end: int, edits: Sequence[Edit], *, is_new: bool = False) -> None:
        """Note the edits of one link, unless the text before it is in another one."""
        edits = tuple(sorted(edits))
        if edits and not (self._links and edits[0][0] < self._links[-1].edits[-1][1]):
            start = min(start, edits[0][0])
            self._links.append(PageLink(start, end, self._block, is_new, edits))

    # What the reader goes past.

    def _tag(self, tag: Tag) -> None:
        if self._untouched:
            if tag.name == "a" and not self._link and self._untouched not in _APART:
                self._anchor_in_untouched(tag)
        else:
            if tag.name == "a":
                self._anchor(is_anchor=not tag.closes and tag.href is None)
            elif not tag.name and self._text[tag.start : tag.end] in _SECTION:
                self._flush()
                self._in_section = not self._in_section
                self._link_text.append((tag.start, tag.start))  # so the text is not plain
        super()._tag(tag)
        self._block += not is_phrase(tag.name)
        if tag.name in _OF_TABLE and not self._untouched:
            is_cell = tag.name in _CELLS and not tag.closes
            self._is_moved = not is_cell and (tag.name, tag.closes) != ("table", True)

    def _anchor_in_untouched(self, tag: Tag) -> None:
        """Go past an element ``a`` which may continue after the element in which it begins.

        https://html.spec.whatwg.org/#reconstruct-the-active-formatting-elements
        """
        if not tag.closes or len(self._scopes) == 1:
            self._anchor(is_anchor=not tag.closes)

    def _anchor(self, *, is_anchor: bool) -> None:
        # No link is allowed inside another element ``a``, even if that one leads nowhere.
        if is_anchor is not self._is_anchor:
            self._flush()
            self._is_anchor = is_anchor

    def _begin_link(self, tag: Tag) -> None:
        self._before = self._run
        super()._begin_link(tag)

    # What to change.

    def _read_run(self, run: SourceText) -> None:
        if self._is_anchor or self._in_section or self._is_moved:
            return
        for match in scan(run.text, self._options.arxiv):
            link = link_match(match, self._options, run.text)
            if link is None:
                continue
            start, end = run.span(match.start, match.end)
            source = self._text[start:end]
            inside = list(tags(source)) if "<" in source else []
            if any(tag.name != "wbr" for tag in inside):
                start += inside[-1].end
                start += len(self._text[start:end]) - len(self._text[start:end].lstrip())
                rest = unescape(self._text[start:end])
                whole = next(scan(rest), None)  # if only the label before it has tags
                if whole is None or (whole.doi, whole.end) != (match.doi, len(rest)):
                    self._left.append(match.doi)
                    continue
                link = link_match(whole, self._options, rest) or link
            label = own_label(_before(self._text, start), self._blocks.now.head)
            link = after_label(link, self._options, label)
            title, states = self._on_hover(link.doi)
            classes = (*self._options.classes, *states)
            given = attributes(link, self._options, classes) | {"title": title}
            values = "".join(f' {key}="{escape(value)}"' for key, value in given.items() if value)
            shown = escape(link.text or run.text[match.start : match.end], quote=False)
            self._edit(start, end, [(start, end, f"<a{values}>{shown}</a>")], is_new=True)

    def _read_link(self, tag: Tag) -> None:
        """Make a link of the page canonical."""
        # Stands for a text with tags inside, or for none: it is not a name, so the content stays.
        text = self._shown() if len(self._link_text) == 1 else "\0"
        before = SourceText.from_parts(self._parts(self._before_link(tag.start)))
        link = relink((tag.href or "").strip(), text, self._options, before.text)
        if link and link.href and link.form == "publisher":
            # Its new target is a DOI, so a second run would read the text as that of such a link.
            link = relink(link.href, link.text or text, self._options, before.text) or link
        if link is None or link.href is None:
            return
        label = self._label_of(link, before)
        if link.text is not None and not label:
            own = own_label(_before(self._text, tag.start), self._blocks.now.head)
            link = after_label(link, self._options, own)
        edits = self._attributes(tag, link)
        if link.text is not None and link.text != text:
            edits.append(self._text_of_link(text, link.text))
        if label and edits:
            edits.append((*label, ""))
        self._edit(tag.start, self._link_text[-1][1] if self._link_text else tag.end, edits)

    def _text_of_link(self, text: str, new: str) -> Edit:
        """The edit of a link's text. The spaces around it stay as they are written."""
        source = SourceText.from_parts(self._parts([(*self._link_text[0], False)]))
        start, end = source.span(len(text) - len(text.lstrip()), len(text.rstrip()))
        return start, end, escape(new.strip(), quote=False)

    def _before_link(self, at: int) -> Iterator[tuple[int, int, bool]]:
        """The end of the run before a link, which is long enough for a label."""
        begin = at - _REACH
        first = len(self._before)
        while first and self._before[first - 1][1] > begin:
            first -= 1
        for start, end, is_tag in self._before[first:]:
            yield max(start, begin), end, is_tag

    def _label_of(self, link: Link, run: SourceText) -> tuple[int, int] | None:
        """Where the label is that the new text of a link repeats; None if it has tags."""
        if not link.label:
            return None
        start, end = run.span(len(run.text) - link.label, len(run.text))
        return None if any(tags(self._text[start:end])) else (start, end)

    def _attributes(self, tag: Tag, link: Link) -> list[Edit]:
        """The edits of a start tag: those values that are others now."""
        given = attributes(link, self._options, tag.classes)
        edits: list[Edit] = []
        if tag.href != given["href"]:
            edits.append(self._value(tag.href_span, given["href"]))
        title, states = self._on_hover(link.doi)
        wanted = (*given.get("class", "").split(), *states)
        present = frozenset(tag.classes)
        classes = " ".join(each for each in dict.fromkeys(wanted) if each not in present)
        after_name = tag.start + 1 + len(tag.name)
        new = ""
        if classes and tag.class_span:
            edits.append(self._value(tag.class_span, classes, after=tag.classes))
        elif classes:
            new += f' class="{escape(classes)}"'
        if title and not tag.has_title:
            new += f' title="{escape(title)}"'
        return [*edits, (after_name, after_name, new)] if new else edits

    def _value(self, span: tuple[int, int], value: str, after: Sequence[str] = ()) -> Edit:
        """The edit of the value of an attribute, in quotes if it has none.

        :param after: words of the old value, which stays as it is if there are any
        """
        start, end = span
        quoted = self._text[start - 1 : start] in ('"', "'")
        new = escape(value)
        if after and quoted:
            return end, end, f" {new}"
        if after:
            new = f"{self._text[start:end]} {new}".replace('"', "&quot;")
        return start, end, new if quoted else f'"{new}"'

    def _on_hover(self, doi: DOI) -> tuple[str, tuple[str, ...]]:
        """The title of a link to a name, and its classes; nothing if the work is not known."""
        return (self._shelf and self._shelf.on_hover(doi)) or ("", ())


_CELLS: Final = frozenset({"td", "th", "caption"})
_OF_TABLE: Final = _CELLS | {"table", "colgroup", "thead", "tbody", "tfoot", "tr"}
_APART: Final = frozenset({"template", "svg", "math"})  # no link in them continues after them
_SECTION: Final = ("<![CDATA[", "]]>")
_REACH: Final = 200  # characters of the page, more than a label and its tags
_MARKED: Final = frozenset({"b", "strong", "em", "i"})
_TAG: Final = re.compile(r"<(/?)([A-Za-z][^\s/<>]*+)(?:[\s/][^<>]*+)?>")


def _before(page: str, at: int) -> Iterator[tuple[str, bool] | None]:
    """What is before a name, as :func:`doilinks.core.outline.own_label` asks.

    >>> own_label(_before("<td><b>DOI</b>: 10.1000/182", 16), "")
    'DOI: '
    """
    begin = max(0, at - _REACH)
    tag = _tag_before(page, begin, at)
    yield unescape(page[tag.end() if tag else begin : at]), False
    if tag is None or not is_phrase(name := tag[2].lower()):
        return  # the name begins a block
    opens = _tag_before(page, begin, tag.start()) if tag[1] and name in _MARKED else None
    is_marked = opens and opens[2].lower() == name
    yield (unescape(page[opens.end() : tag.start()]), True) if opens and is_marked else None


def _tag_before(page: str, begin: int, at: int) -> re.Match[str] | None:
    """The last tag that begins and ends in a stretch of a page."""
    start = page.rfind("<", begin, at)
    while start >= 0:
        if tag := _TAG.match(page, start, at):
            return tag
        start = page.rfind("<", begin, start)
    return None
