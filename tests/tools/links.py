"""The links of an HTML page, and its text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import unquote

from doilinks import DOI
from doilinks.core.link import relink
from doilinks.core.options import Options

Links = list[tuple[str, str]]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: Links = []
        self.text: list[str] = []
        self._link: list[str] | None = None
        self._href = ""

    def handle_starttag(self, tag, attrs):
        if tag == "a" and dict(attrs).get("href") is not None:
            self._href, self._link = dict(attrs)["href"], []
        if tag in _BLOCKS:
            self.text.append(" ")

    def handle_data(self, data):
        self.text.append(data)
        if self._link is not None:
            self._link.append(data)

    def handle_endtag(self, tag):
        if tag == "a" and self._link is not None:
            self.links.append(("".join(self._link), self._href))
            self._link = None


_BLOCKS = frozenset(
    ("blockquote", "br", "dd", "div", "dl", "dt", "h1", "h2", "li", "ol", "p", "pre", "section",
     "table", "td", "th", "tr", "ul")
)  # fmt: skip

# What typography makes of these characters differs from host to host.
_TYPED = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "--", "—": "---", "…": "...", "\xa0": " "}
)


def link_to(name: str, text: str | None = None) -> tuple[str, str]:
    """The link to a name, which shows its URI, or the text of the author."""
    doi = DOI(name)
    return doi.uri if text is None else text, doi.url


def html_links(html: str) -> Links:
    """Every link of a piece of HTML as (text, href), entities decoded, in order."""
    return _read(html).links


def without_linkified(links: Links) -> Links:
    """Links without those of a linkifier's that lead to no DOI, or nowhere: ``doi:10.1000/xxx``."""
    return [
        (text, href)
        for text, href in links
        if unquote(href) not in (unquote(text), f"http://{text}", f"mailto:{text}")
        or (href.startswith("http") and (link := relink(href, "", Options())) and link.href)
    ]


def visible(html: str) -> str:
    """The text that a reader of a piece of HTML sees, in one line, without typography."""
    return as_typed("".join(_read(html).text))


def as_typed(text: str) -> str:
    """A text in one line, as an author types it: without curly quotation marks and dashes."""
    return re.sub(r"\s+", " ", text.translate(_TYPED)).strip()


def _read(html: str) -> _Page:
    page = _Page()
    page.feed(html)
    page.close()
    return page
