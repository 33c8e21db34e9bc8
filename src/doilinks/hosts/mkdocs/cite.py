"""Citations and lists of references of a site, once the text of all its pages is known.

Each page is converted before any page is written. So the Markdown extension leaves marks in the
pages, and the plug-in replaces them in the event between.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import chain
from secrets import token_hex
from typing import Final
from xml.etree.ElementTree import Element

from markdown.serializers import to_xhtml_string
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

from ...cite.citations import Cluster, group_of
from ...cite.marker import ListRequest
from ...cite.page import WorkLink, WorkLookup, mentions_of
from ...cite.references import Mention, References, format_all
from ...core.markup import unescape
from ..markdown.cite import WorkLinks, protect, show_citation, show_group

_KEY: Final = token_hex(8)  # nobody can guess it, so no raw HTML has an attribute with it
_WORK: Final = f"data-doi-work-{_KEY}"
_LIST: Final = f"data-doi-list-{_KEY}"
_WORK_MARK: Final = re.compile(rf' {_WORK}="([0-9]{{1,9}})"')  # the mark of a link to a work
# The place of a list, which the extension has left in the page.
_LIST_MARK: Final = re.compile(rf'<div class="doi-list" {_LIST}="([0-9]{{1,9}})"></div>')
_LINK: Final = re.compile(r"<a\s[^<>]*+>(?:[^<]*+</a>)?")  # the texts of marked links have no tags
# A group of citations, or a link.
_CITATION: Final = re.compile(
    rf'<span class="doi-citation">(?>(?:[^<]++|<(?!/?span\b))*)</span>|{_LINK.pattern}'
)
_TAG: Final = re.compile(r"<[^<>]*+>")  # left out of texts that are compared
_ID: Final = re.compile(r' id="([^"]*)"')  # the id that a tag has already
# A heading with its id and its content.
_HEADING: Final = re.compile(
    r'<h[1-6]\b(?>[^<>]*? id=")([^"<>]*+)"[^<>]*+>(?>(?:[^<]++|<(?!/?h[1-6]\b))*)'
)
# Links back and the ids to which they lead, for a text in which they would lead nowhere.
_BACKS: Final = re.compile(
    r'(?: [↩…])? <a (?>[^<>]*?class="doi-back")[^<>]*+>[^<]*+</a>| id="at-doi-[^"]*"'
)


class Site:
    """The citations and lists of a site."""

    def __init__(self, lookup: WorkLookup) -> None:
        self._lookup = lookup
        self._links: list[WorkLink] = []
        self._lists: list[ListRequest] = []
        # The offset of each citation of a page, its text when the page was converted, and now.
        self._edits: list[tuple[int, str, str]] = []
        self._project: References | None = None
        self._home: Page | None = None  # the page with the list of the project

    def mark(self, works: WorkLinks) -> None:
        """Mark the links of a document that is converted to works.

        Citations get the text that they would have on a page alone, because the table of contents
        of the page is made now.
        """
        references = self._lookup.references(works.mentions())
        for a, link in works.all:
            if link.citation:
                show_citation(a, link.citation, references)
            a.set(_WORK, str(len(self._links)))
            self._links.append(link)
        for div, ask in works.lists.items():
            div.set(_LIST, str(len(self._lists)))
            self._lists.append(ask)

    def show(self, pages: Sequence[Page]) -> None:
        """Show citations and lists on all pages."""
        marked = {page.file.src_uri: page for page in pages if _is_marked(page.content or "")}
        texts = {path: page.content or "" for path, page in marked.items()}
        mentions = {path: self._mentions(html, path) for path, html in texts.items()}
        clusters = {path: self._citations(html) for path, html in texts.items()}
        numbers = {path: map(int, _LIST_MARK.findall(html)) for path, html in texts.items()}
        asked = {
            path: [self._lists[at] for at in every if at < len(self._lists)]
            for path, every in numbers.items()
        }
        of_all = [*chain(*mentions.values())], [*chain(*clusters.values())]
        works: dict[str, list[References]] = {path: [] for path in marked}
        for path, listed in works.items():
            for ask in asked[path]:
                scope = (mentions[path], clusters[path]) if ask.scope == "page" else of_all
                listed.append(self._lookup.references(*scope, ask))
                if ask.scope != "page" and not self._home:
                    self._home, self._project = marked[path], listed[-1]
        format_all(chain(*works.values()))
        for path, page in marked.items():
            before = texts[path]
            html = self._with_links(before, page, mentions[path], works[path])
            page.content = self._with_lists(html, page, works[path], marked)
            self._name_contents(page.toc, before)
            # mkdocs-print-site-plugin keeps the text of each page for its own page, in which links
            # to ids of other elements than headings, notes and entries lead nowhere.
            if getattr(page, "html", None) == before:
                page.html = _BACKS.sub("", page.content)  # type: ignore[attr-defined]

    def _name_contents(self, links: Iterable[AnchorLink], html: str) -> None:
        """Copy citations in headings to a table of contents; ``html`` is the page before that."""
        headings = {each[1]: each.span() for each in _HEADING.finditer(html)}
        todo = [*links]
        while todo:
            link = todo.pop()
            todo += link.children
            first, last = (bisect_left(self._edits, (at,)) for at in headings.get(link.id, (0, 0)))
            at = 0
            for _, before, after in self._edits[first:last]:
                if (start := link.title.find(before, at)) >= 0:
                    at = start + len(after)
                    link.title = link.title[:start] + after + link.title[start + len(before) :]

    def show_late(self, html: str, page: Page) -> str:
        """Show citations in text converted later, as excerpts of a blog, without links back."""
        if not _is_marked(html):
            return html
        html = self._with_links(html, page, self._mentions(html, ""), (), has_ids=False)
        return _LIST_MARK.sub("", html)

    def _mentions(self, html: str, path: str) -> list[Mention]:
        every = ((self._work_link(each[0]), _ID.search(each[0])) for each in _LINK.finditer(html))
        links = (link._replace(attrs={"id": id_ and id_[1]}) for link, id_ in every if link)
        return mentions_of(links, path)

    def _work_link(self, link: str) -> WorkLink | None:
        mark = _WORK_MARK.search(link)
        number = int(mark[1]) if mark else len(self._links)
        return self._links[number] if number < len(self._links) else None

    def _citations(self, html: str) -> list[Cluster]:
        return [group for each in _CITATION.finditer(html) if (group := self._citation(each[0]))]

    def _citation(self, html: str) -> Cluster | None:
        """Read a citation: a link, or a group with the words between its links."""
        parts: list[str | Cluster] = []
        at = 0
        for each in _LINK.finditer(html):
            link = self._work_link(each[0])
            if link and link.citation:
                parts += [unescape(_TAG.sub("", html[at : each.start()])), link.citation]
                at = each.end()
        if not html.startswith("<span"):
            return link and link.citation
        return group_of([*parts, unescape(_TAG.sub("", html[at:]))])

    def _with_links(
        self,
        html: str,
        page: Page,
        mentions: Sequence[Mention],
        lists: Sequence[References],
        *,
        has_ids: bool = True,
    ) -> str:
        project = self._project
        references = lists[0] if lists else project or self._lookup.references(mentions)
        has_ids = has_ids and bool(lists or project)
        address = self._home.file.url_relative_to(page.file) if self._home and not lists else ""
        following = iter(mentions)

        def link_of(html: str, link: WorkLink) -> Element:
            a, mention = Element("a", {**link.attrs}), next(following)
            del a.attrib[_WORK]
            if has_ids or _ID.search(html):
                a.set("id", mention.anchor)
            if lists or self._home:
                self._lookup.point_to_entry(a.attrib, link.doi, address)
            if not a.get("href"):
                a.attrib.pop("href", None)
            return a

        def replace_link(match: re.Match[str]) -> str:
            html, link = match[0], self._work_link(match[0])
            if link is None:
                return html
            if link.citation:
                a = link_of(html, link)
                show_citation(a, link.citation, references)
                return to_xhtml_string(a)
            tag, _, text = _WORK_MARK.sub("", html).partition(">")
            anchor = next(following).anchor
            id_ = f' id="{anchor}"' if has_ids and not _ID.search(tag) else ""
            return f"{tag}{id_}>{text}"

        def replace_group(match: re.Match[str]) -> str:
            group = self._citation(match[0])
            if not match[0].startswith("<span") or not group or not references.changes(group):
                return _LINK.sub(replace_link, match[0])
            every = ((each[0], self._work_link(each[0])) for each in _LINK.finditer(match[0]))
            links = [(link.doi, link_of(html, link)) for html, link in every if link]
            span = Element("span", {"class": "doi-citation"})
            show_group(span, references.words(group), links)
            return to_xhtml_string(span)

        def replace_and_note(match: re.Match[str]) -> str:
            after = replace_group(match)
            was, now = (_TAG.sub("", each) for each in (match[0], after))
            if was and was != now:
                self._edits.append((match.start(), was, now))
            return after

        self._edits.clear()
        return _CITATION.sub(replace_and_note, html)

    def _with_lists(
        self, html: str, page: Page, works: Iterable[References], by_path: dict[str, Page]
    ) -> str:
        ids: set[str] = set()
        lists = iter(works)

        def address(mention: Mention) -> str:
            there = by_path[mention.page]
            path = "" if there is page else there.file.url_relative_to(page.file)
            return f"{path}#{mention.anchor}"

        def replace_mark(mark: re.Match[str]) -> str:
            if int(mark[1]) >= len(self._lists):
                return ""
            element = self._lookup.list_of(next(lists), ids, address)
            if element is None:
                return ""
            protect(element)
            return to_xhtml_string(element)

        return _LIST_MARK.sub(replace_mark, html)


def _is_marked(html: str) -> bool:
    return f' {_WORK}="' in html or f' {_LIST}="' in html
