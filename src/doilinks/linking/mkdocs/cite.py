"""Citations and lists of references of a site, once the text of all its pages is known.

Each page is converted before any page is written. So the Markdown extension leaves marks in the
pages, and the plug-in replaces them in the event between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from markdown.serializers import to_xhtml_string
from mkdocs.structure.pages import Page

from ..cite import Mention, References
from ..cite.marker import Asked
from ..cite.page import Desk, WorkLink, list_of, mentions_of, point_to_entry
from ..cite.words import no_formula
from ..markdown.cite import WorkLinks, protect, show_citation, words_of

_WORK: Final = "data-doi-work"
_LIST: Final = "data-doi-list"
_WORK_MARK: Final = re.compile(rf' {_WORK}="([0-9]{{1,9}})"')
_LIST_MARK: Final = re.compile(rf'<div class="doi-list" {_LIST}="([0-9]{{1,9}})"></div>')
_LINK: Final = re.compile(r"<a\s[^<>]*+>[^<]*+")
_ID: Final = re.compile(r' id="([^"]*)"')
_HREF: Final = re.compile(r' href="[^"]*"')
_CLASS: Final = re.compile(r' class="')


class Site:
    """The citations and lists of a site.

    :param desk: the works
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._links: list[WorkLink] = []
        self._lists: list[Asked] = []
        self._project: References | None = None
        self._home: Page | None = None  # the page with the list of the project

    def mark(self, works: WorkLinks) -> None:
        """Mark the links of a document that is converted to works.

        Citations show what they would on a page alone, because the table of contents of the page is
        made now.
        """
        references = self._desk.references(works.mentions())
        for a, link in works.all:
            if link.citation:
                show_citation(a, link.citation, references)
            a.set(_WORK, str(len(self._links)))
            self._links.append(link)
        for div, ask in works.lists.items():
            div.set(_LIST, str(len(self._lists)))
            self._lists.append(ask)

    def show(self, pages: Sequence[Page]) -> None:
        """Show citations and lists on all pages.

        :param pages: in the order of the site
        """
        marked = {page.file.src_uri: page for page in pages if _is_marked(page.content or "")}
        mentions = {path: self._mentions(page.content or "", path) for path, page in marked.items()}
        asked = {path: self._asked(page.content or "") for path, page in marked.items()}
        of_project = (
            page
            for path, page in marked.items()
            if any(each.scope == "project" for each in asked[path])
        )
        self._home = next(of_project, None)
        every = [mention for path in marked for mention in mentions[path]]
        if self._home:
            self._project = self._desk.references(every)
        for path, page in marked.items():
            own = mentions[path]
            before = page.content or ""
            html = self._with_links(before, page, own, asked[path])
            page.content = self._with_lists(html, page, own, every, marked)
            # mkdocs-print-site-plugin keeps the text of each page for its own page.
            if getattr(page, "html", None) == before:
                page.html = page.content  # type: ignore[attr-defined]

    def show_late(self, html: str, page: Page) -> str:
        """Show what was converted later, such as excerpts of a blog, without links back."""
        if not _is_marked(html):
            return html
        html = self._with_links(html, page, self._mentions(html, ""), (), has_ids=False)
        return _LIST_MARK.sub("", html)

    def _mentions(self, html: str, path: str) -> list[Mention]:
        links = []
        for link in _LINK.finditer(html):
            if found := self._work_link(link[0]):
                given = _ID.search(link[0])
                links.append(found._replace(attrs={"id": given[1]} if given else {}))
        return mentions_of(links, path)

    def _work_link(self, link: str) -> WorkLink | None:
        mark = _WORK_MARK.search(link)
        number = int(mark[1]) if mark else len(self._links)
        return self._links[number] if number < len(self._links) else None

    def _asked(self, html: str) -> list[Asked]:
        numbers = (int(mark[1]) for mark in _LIST_MARK.finditer(html))
        return [self._lists[number] for number in numbers if number < len(self._lists)]

    def _with_links(
        self,
        html: str,
        page: Page,
        mentions: Sequence[Mention],
        lists: Sequence[Asked],
        *,
        has_ids: bool = True,
    ) -> str:
        """A page with its citations."""
        project = self._project
        if project is None or any(ask.scope == "page" for ask in lists):
            references = self._desk.references(mentions)
        else:
            references = project
        has_ids = has_ids and bool(lists or project)
        address = "" if lists or not self._home else _address(self._home, page)
        leads_to_list = bool(lists or self._home)
        following = iter(mentions)

        def shown(link: re.Match[str]) -> str:
            found = self._work_link(link[0])
            if found is None:
                return link[0]
            mention = next(following)
            tag, _, text = _WORK_MARK.sub("", link[0]).partition(">")
            if has_ids and not _ID.search(tag):
                tag += f' id="{mention.anchor}"'
            if found.citation:
                words = words_of(found.citation, references)
                text = escape(words, quote=False)
                more = " ".join(no_formula(words))
                if more not in tag:
                    tag = _CLASS.sub(f' class="{more} ', tag, count=1)
                if leads_to_list:
                    led: dict[str, str] = {}
                    point_to_entry(led, found.doi, self._desk.shelf, escape(address))
                    if led:
                        tag = _HREF.sub(lambda _: f' href="{led["href"]}"', tag, count=1)
            return f"{tag}>{text}"

        return _LINK.sub(shown, html)

    def _with_lists(
        self,
        html: str,
        page: Page,
        own: Iterable[Mention],
        every: Iterable[Mention],
        by_path: dict[str, Page],
    ) -> str:
        """A page with its lists."""
        ids: set[str] = set()

        def address(mention: Mention) -> str:
            there = by_path[mention.page]
            return f"{'' if there is page else _address(there, page)}#{mention.anchor}"

        def shown(mark: re.Match[str]) -> str:
            if int(mark[1]) >= len(self._lists):
                return ""
            ask = self._lists[int(mark[1])]
            mentions = own if ask.scope == "page" else every
            references = self._desk.references(mentions, ask)
            is_numbered = ask.order == "places"
            made = list_of(references, self._desk.options, ids, address, numbered=is_numbered)
            if made is None:
                return ""
            protect(made)
            return to_xhtml_string(made)

        return _LIST_MARK.sub(shown, html)


def _is_marked(html: str) -> bool:
    return f' {_WORK}="' in html or f' {_LIST}="' in html


def _address(page: Page, other: Page) -> str:
    """The address of a page, relative to another one."""
    return page.file.url_relative_to(other.file)
