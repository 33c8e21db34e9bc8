"""Citations and lists of references of a site, once the text of all its pages is known.

Each page is converted before any page is written. So the Markdown extension leaves marks in the
pages, and the plug-in replaces them in the event between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final
from xml.etree.ElementTree import Element

from markdown.serializers import to_xhtml_string
from mkdocs.structure.pages import Page

from ...core.markup import unescape
from ..cite import Cluster, Mention, References, Run
from ..cite.citations import group_of
from ..cite.marker import Asked
from ..cite.page import Desk, WorkLink, add_runs, mentions_of, placed
from ..cite.references import Piece, format_all
from ..cite.words import no_formula
from ..markdown.cite import WorkLinks, protect, protect_texts, show_citation

_WORK: Final = "data-doi-work"
_LIST: Final = "data-doi-list"
_WORK_MARK: Final = re.compile(rf' {_WORK}="([0-9]{{1,9}})"')
_LIST_MARK: Final = re.compile(rf'<div class="doi-list" {_LIST}="([0-9]{{1,9}})"></div>')
_LINK: Final = re.compile(r"<a\s[^<>]*+>[^<]*+")
# A group of citations, or a link.
_CITATION: Final = re.compile(
    rf'<span class="doi-citation">(?>(?:[^<]++|<(?!/?span\b))*)</span>|{_LINK.pattern}'
)
_TAG: Final = re.compile(r"<[^<>]*+>")
_ID: Final = re.compile(r' id="([^"]*)"')
_HREF: Final = re.compile(r' href="[^"]*"')
_CLASS: Final = re.compile(r' class="')
_BACKS: Final = re.compile(
    r'(?: [↩…])? <a (?>[^<>]*?class="doi-back")[^<>]*+>[^<]*+</a>| id="at-doi-[^"]*"'
)


class Site:
    """The citations and lists of a site."""

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
        """Show citations and lists on all pages."""
        marked = {page.file.src_uri: page for page in pages if _is_marked(page.content or "")}
        mentions = {path: self._mentions(page.content or "", path) for path, page in marked.items()}
        said = {path: self._citations(page.content or "") for path, page in marked.items()}
        asked: dict[str, list[Asked]] = {}
        for path, page in marked.items():
            numbers = (int(mark[1]) for mark in _LIST_MARK.finditer(page.content or ""))
            asked[path] = [self._lists[at] for at in numbers if at < len(self._lists)]
        of_project = (
            page
            for path, page in marked.items()
            if any(each.scope == "project" for each in asked[path])
        )
        self._home = next(of_project, None)
        every = [mention for path in marked for mention in mentions[path]]
        every_said = [citation for path in marked for citation in said[path]]
        works: dict[str, list[References]] = {path: [] for path in marked}
        for path, listed in works.items():
            for ask in asked[path]:
                own = mentions[path], said[path]
                shown = own if ask.scope == "page" else (every, every_said)
                listed.append(self._desk.references(*shown, ask))
        format_all(each for listed in works.values() for each in listed)
        if self._home:
            path = self._home.file.src_uri
            lists = zip(asked[path], works[path], strict=True)
            self._project = next(each for ask, each in lists if ask.scope == "project")
        for path, page in marked.items():
            before = page.content or ""
            html = self._with_links(before, page, mentions[path], works[path])
            page.content = self._with_lists(html, page, works[path], marked)
            # mkdocs-print-site-plugin keeps the text of each page for its own page, in which links
            # to ids of other elements than headings, notes and entries lead nowhere.
            if getattr(page, "html", None) == before:
                page.html = _BACKS.sub("", page.content)  # type: ignore[attr-defined]

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
        references = lists[0] if lists else project or self._desk.references(mentions)
        has_ids = has_ids and bool(lists or project)
        address = ""
        if self._home and not lists:
            address = self._home.file.url_relative_to(page.file)
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
                if leads_to_list:
                    led: dict[str, str] = {}
                    self._desk.point_to_entry(led, found.doi, escape(address))
                    if led:
                        tag = _HREF.sub(lambda _: f' href="{led["href"]}"', tag, count=1)
                tag = tag.replace(' href=""', "")
                return _with_words(tag, references.link_words(found.citation))
            return f"{tag}>{text}"

        def shown_group(found: re.Match[str]) -> str:
            group = found[0]
            if not group.startswith("<span") or not references.changes(self._group(group)):
                return _LINK.sub(shown, group)
            links = [(self._work_link(each[0]), shown(each)) for each in _LINK.finditer(group)]
            tags = [(link.doi, tag.partition(">")[0]) for link, tag in links if link]
            html = "".join(
                _html(piece.runs) if tag is None else f"{_with_words(tag, piece)}</a>"
                for piece, tag in placed(references.words(self._group(group)), tags)
            )
            return f'<span class="doi-citation">{html}</span>'

        return _CITATION.sub(shown_group, html)

    def _citations(self, html: str) -> list[Cluster]:
        found = []
        for each in _CITATION.finditer(html):
            if each[0].startswith("<span"):
                found.append(self._group(each[0]))
            elif (link := self._work_link(each[0])) and link.citation:
                found.append(link.citation)
        return found

    def _group(self, html: str) -> Cluster:
        parts: list[str | Cluster] = []
        at = 0
        for each in _LINK.finditer(html):
            link = self._work_link(each[0])
            if link and link.citation:
                parts += [unescape(_TAG.sub("", html[at : each.start()])), link.citation]
                at = each.end()
        return group_of([*parts, unescape(_TAG.sub("", html[at:]))])

    def _with_lists(
        self, html: str, page: Page, works: Iterable[References], by_path: dict[str, Page]
    ) -> str:
        ids: set[str] = set()
        lists = iter(works)

        def address(mention: Mention) -> str:
            there = by_path[mention.page]
            path = "" if there is page else there.file.url_relative_to(page.file)
            return f"{path}#{mention.anchor}"

        def shown(mark: re.Match[str]) -> str:
            if int(mark[1]) >= len(self._lists):
                return ""
            made = self._desk.list_of(next(lists), ids, address)
            if made is None:
                return ""
            protect(made)
            return to_xhtml_string(made)

        return _LIST_MARK.sub(shown, html)


def _with_words(tag: str, piece: Piece) -> str:
    more = " ".join(no_formula(piece.text))
    if more not in tag:
        tag = _CLASS.sub(f' class="{more} ', tag, count=1)
    return f"{tag}>{_html(piece.runs)}"


def _html(runs: Iterable[Run]) -> str:
    element = Element("span")
    add_runs(element, runs)
    protect_texts(element)
    return to_xhtml_string(element).removeprefix("<span>").removesuffix("</span>")


def _is_marked(html: str) -> bool:
    return f' {_WORK}="' in html or f' {_LIST}="' in html
