"""The links of an HTML page."""

from __future__ import annotations

from html.parser import HTMLParser

Links = list[tuple[str, str]]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: Links = []
        self._text: list[str] | None = None
        self._href = ""

    def handle_starttag(self, tag, attrs):
        if tag == "a" and dict(attrs).get("href") is not None:
            self._href, self._text = dict(attrs)["href"], []

    def handle_data(self, data):
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag):
        if tag == "a" and self._text is not None:
            self.links.append(("".join(self._text), self._href))
            self._text = None


def html_links(html: str) -> Links:
    """Every link of a piece of HTML as (text, href), entities decoded, in order."""
    parser = _Links()
    parser.feed(html)
    parser.close()
    return parser.links
