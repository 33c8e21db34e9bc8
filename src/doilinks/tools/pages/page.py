"""Changes one HTML page so that its DOIs are canonical links.

The reader of :mod:`doilinks.sources.html` finds the names, so that the names that are linked are
those that are listed. Only links change: all other characters of the page stay. A name whose
characters have tags between them stays as it is, unless they only say where a line may end.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from ...core.doi import DOI
from ...core.link import Link, after_label, attributes, link_match, relink
from ...core.markup import TAIL_LINK, unescape
from ...core.options import Options
from ...core.outline import own_label
from ...core.scan import Match, scan
from ...core.text import SourceText
from ...lock.known_works import KnownWorks
from ...sources.browsers import MARKUP, Tag
from ...sources.html import HtmlPage, Stretch, is_phrase, may_contain_name
from .proof import Edit, Swap, keeps_text, unsure


class Linked(NamedTuple):
    """The changes of a page."""

    edits: list[Edit]  # `(start, end, new)` in characters of the page, in order and disjoint
    new: int = 0  # the number of new links
    changed: int = 0  # the number of links of the page that become canonical
    left: tuple[DOI, ...] = ()  # the names that stay, because of tags inside or around them
    trouble: str = ""  # the reason why the page may not be changed


def link_page(
    text: str, options: Options, known_works: KnownWorks | None = None, *, xml: bool = False
) -> Linked:
    """Return the changes of a page of HTML or XML that make its DOIs canonical links.

    Links to works of the lock file show these on hover.

    >>> linked = link_page("<p>See 10.1000/182.</p>", Options())
    >>> linked.edits
    [(7, 18, '<a class="doi" href="https://doi.org/10.1000/182">doi:10.1000/182</a>')]
    """
    if not may_contain_name(text, options):
        return Linked([])
    page = _Linking(text, options, known_works)
    page.read(xml=xml)
    return page.linked(xml=xml)


class _PageChange(NamedTuple):
    edits: list[Edit]
    swaps: list[Swap]  # the texts that the edits replace
    doi: DOI
    at: int  # where the name begins, or the link that becomes canonical
    is_new: bool


class _Linking(HtmlPage):
    """Reads a page, and lists the change of each name."""

    def __init__(self, text: str, options: Options, known_works: KnownWorks | None) -> None:
        super().__init__(text, options)
        self._known_works = known_works
        self._changes: list[_PageChange] = []
        self._left: list[DOI] = []
        self._before: list[Stretch] = []  # the run before the link that is open
        self._done = 0  # the end of the last name in a run

    def linked(self, *, xml: bool) -> Linked:
        """Return the changes of the page; only the reason if it may not be changed."""
        if self.trouble:
            return Linked([], trouble=self.trouble)
        kept: list[_PageChange] = []
        for change in sorted(self._changes if xml else self._sure(), key=lambda each: each.edits):
            # The text before a link may be in another one already.
            if not kept or kept[-1].edits[-1][1] <= change.edits[0][0]:
                kept.append(change)
        made = sum(each.is_new for each in kept)
        edits = [edit for each in kept for edit in each.edits]
        swaps = sorted(swap for each in kept for swap in each.swaps)
        if edits and not keeps_text(self._text, edits, swaps):
            return Linked([], trouble="more than its links would change")
        return Linked(edits, made, len(kept) - made, tuple(self._left))

    def _sure(self) -> Iterator[_PageChange]:
        """Yield the changes at places at which every browser has a text or a tag."""
        places = {at for each in self._changes for at in (each.at, each.edits[0][0])}
        doubts = frozenset(unsure(self._text, places))
        for each in self._changes:
            if doubts.isdisjoint((each.at, min(each.at, each.edits[0][0]))):
                yield each
            else:
                self._left.append(each.doi)

    def _begin_link(self, tag: Tag) -> None:
        self._before = self._last
        super()._begin_link(tag)

    # New links.

    def _read_run(self, run: SourceText, stretches: Sequence[tuple[int, int]]) -> None:
        if self._around or not self._is_sure:
            return
        for match in scan(run.text, self._options.arxiv):
            if link := link_match(match, self._options, run.text):
                self._link_name(match, link, run, stretches)

    def _link_name(
        self, match: Match, link: Link, run: SourceText, stretches: Sequence[tuple[int, int]]
    ) -> None:
        start, end = run.span(match.start, match.end)
        seen = run.text[match.start : match.end]
        for inside in _INSIDE.finditer(self._text, start, end + _REACH):
            if inside.start() < end < inside.end():  # a link that ends where the name ends
                end = inside.end()
        if MARKUP.search(_INSIDE.sub("", self._text[start:end])):
            # Only the label before the name may have tags.
            last = bisect_left(stretches, (end,)) - 1
            start = stretches[last][0]
            start += len(self._text[start:end]) - len(self._text[start:end].lstrip())
            seen = unescape(self._text[start:end])
            whole = next(scan(seen), None)
            if whole is None or (whole.doi, whole.end) != (match.doi, len(seen)):
                self._left.append(match.doi)
                return
            link = link_match(whole, self._options, seen) or link
        self._done = end
        link = after_label(link, self._options, self._own_label(start))
        title, states = self._on_hover(link.doi)
        classes = (*self._options.classes, *states)
        given = attributes(link.href, self._options, classes) | {"title": title}
        values = "".join(f' {key}="{escape(value)}"' for key, value in given.items() if value)
        shown = link.text or seen
        new = f"<a{values}>{escape(shown, quote=False)}</a>"
        swaps = [(start, end, seen, shown)]
        self._changes.append(_PageChange([(start, end, new)], swaps, link.doi, start, is_new=True))

    # Links of the page, which become canonical.

    def _read_link(self, tag: Tag) -> None:
        if not tag.is_sure:
            return
        # Stands for a text with tags inside, or for none: it is not a name, so the content stays.
        is_plain = self._is_plain and len(self._link_text) == 1
        href, text = (tag.href or "").strip(), self._text_of_link() if is_plain else "\0"
        rest = self._rest(tag)
        if rest:
            href, text = rest.doi.url, rest.text
        before = SourceText.from_parts(self._parts(self._before_link(tag.start)))
        link = relink(href, text, self._options, before.text)
        if link and link.href and link.form == "publisher":
            # Its new target is a DOI, so a second run would read the text as that of such a link.
            link = relink(link.href, link.text or text, self._options, before.text) or link
        if link is None or link.href is None:
            return
        label = None  # where the one is that the new text repeats, if there is no tag in it
        if link.label:
            start, end = before.span(len(before.text) - link.label, len(before.text))
            label = None if MARKUP.search(self._text[start:end]) else (start, end)
        if link.text is not None and not label:
            link = after_label(link, self._options, self._own_label(tag.start))
        edits, swaps = self._attributes(tag, link), list[Swap]()
        if link.text is not None and (link.text != text or rest):
            # The spaces around the text stay as they are written.
            source = SourceText.from_parts(self._parts(self._link_text))
            shown = source.text
            place = source.span(len(shown) - len(shown.lstrip()), len(shown.rstrip()))
            swaps.append((*place, shown.strip(), link.text.strip()))
        if rest:
            swaps.append((rest.start, rest.end, rest.text[len(self._text_of_link()) :], ""))
        if label and (edits or swaps):
            swaps.append((*label, before.text[-link.label :], ""))
        edits += [(start, end, escape(new, quote=False)) for start, end, _, new in swaps]
        if edits:
            change = _PageChange(sorted(edits), swaps, link.doi, tag.start, is_new=False)
            self._changes.append(change)

    def _before_link(self, at: int) -> Iterator[Stretch]:
        """Yield the end of the run before a link, which is long enough for a label."""
        begin = max(self._done, at - _REACH)
        first = len(self._before)
        while first and ((each := self._before[first - 1]) is None or each[1] > begin):
            first -= 1
        for each in self._before[first:]:
            yield each and (max(each[0], begin), each[1])

    def _attributes(self, tag: Tag, link: Link) -> list[Edit]:
        """Return the edits of a start tag for those attributes that change or are new."""
        given = attributes(link.href, self._options, tag.classes)
        edits: list[Edit] = []
        if tag.href != given["href"]:
            edits.append(self._value(tag.href_span, given["href"]))
        title, states = self._on_hover(link.doi)
        wanted = (*given.get("class", "").split(), *states)
        present = frozenset(tag.classes)
        classes = " ".join(each for each in dict.fromkeys(wanted) if each not in present)
        after_name = tag.start + len("<a")
        new = ""
        if classes and tag.class_span:
            edits.append(self._value(tag.class_span, classes, after=tag.classes))
        elif classes:
            new += f' class="{escape(classes)}"'
        if title and not tag.has_title:
            new += f' title="{escape(title)}"'
        return [*edits, (after_name, after_name, new)] if new else edits

    def _value(self, span: tuple[int, int], value: str, after: Sequence[str] = ()) -> Edit:
        """Return the edit that sets an attribute's value, or adds it after the words in it."""
        start, end = span
        quoted = self._text[start - 1 : start] in ('"', "'")
        new = escape(value)
        if after and quoted:
            return end, end, f" {new}"
        if after:
            new = f"{self._text[start:end]} {new}".replace('"', "&quot;")
        return start, end, new if quoted else f'"{new}"'

    def _on_hover(self, doi: DOI) -> tuple[str, tuple[str, ...]]:
        """Return the title and classes of a link to a name; empty if the work is not known."""
        return (self._known_works and self._known_works.on_hover(doi)) or ("", ())

    def _own_label(self, at: int) -> str:
        return own_label(_before(self._text, at), self._blocks.now.head)


_INSIDE: Final = re.compile(rf"</?wbr(?:[\s/][^<>]*)?>|{TAIL_LINK}", re.IGNORECASE)
_REACH: Final = 200  # characters of the page, more than a label and its tags
_MARKED: Final = frozenset({"b", "strong", "em", "i"})
_TAG: Final = re.compile(r"<(/?)([A-Za-z][^\s/<>]*+)(?:[\s/][^<>]*+)?>")


def _before(page: str, at: int) -> Iterator[tuple[str, bool] | None]:
    """Yield the texts before a name, for :func:`doilinks.core.outline.own_label`."""
    begin = max(0, at - _REACH)
    tag = _tag_before(page, begin, at)
    yield unescape(page[tag.end() if tag else begin : at]), False
    if tag is None or not is_phrase(name := tag[2].lower()):
        return  # the name begins a block
    opens = _tag_before(page, begin, tag.start()) if tag[1] and name in _MARKED else None
    is_marked = opens and opens[2].lower() == name
    yield (unescape(page[opens.end() : tag.start()]), True) if opens and is_marked else None


def _tag_before(page: str, begin: int, at: int) -> re.Match[str] | None:
    """Find the last tag that begins and ends in a stretch of a page."""
    start = page.rfind("<", begin, at)
    while start >= 0:
        if tag := _TAG.match(page, start, at):
            return tag
        start = page.rfind("<", begin, start)
    return None
