"""The tree processor: links that are in the document become canonical, and names are listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from ..core.found import Found
from ..core.link import Link, after_label, attributes, relink
from ..core.options import Options
from .blocks import Blocks
from .classes import classes_of, set_attributes
from .find import Names
from .labels import Labels
from .output import QUOTES
from .raw import unlink_enclosed
from .text import escape, reading

__all__ = ["Links"]

# The text of a link may be set in these and is text all the same.
_STYLED: Final = frozenset({"em", "strong", "b", "i", "del", "s"})


class Links(Treeprocessor):
    """Goes through the links of a document.

    :ivar linked: the links to DOIs
    :ivar made: those of them that are ours
    :ivar quoted: those of ours that have a quotation mark just after them
    """

    def __init__(self, options: Options, names: Names, md: Markdown) -> None:
        super().__init__(md)
        self._options = options
        self._names = names
        self.linked: list[Element] = []
        self.made: list[Element] = []
        self.quoted: list[Element] = []
        self.reset()

    def reset(self) -> None:
        """Forget the document before; the host calls this."""
        self._names.reset()
        self.linked.clear()
        self.made.clear()
        self.quoted.clear()
        self._dois: list[Found] = []
        self.md.dois = self._dois  # type: ignore[attr-defined]

    def run(self, root: Element) -> None:
        """Make the links canonical, and list their DOIs."""
        made = dict(self._names.made)
        html = self.md.htmlStash.rawHtmlBlocks
        if made and html:
            unlink_enclosed(root, self._names.written, html)
        self.reset()
        labels, blocks = Labels(root), Blocks(root)
        for link in root.iter("a"):
            ours = made.get(link)
            if ours is None:
                if found := self._adopt(link, labels):
                    self._dois.append(replace(found, around=blocks.around(link)))
                continue
            around = blocks.around(link)
            self._dois.append(
                Found(
                    ours.link.doi,
                    form=ours.form,
                    written=ours.written,
                    whole=ours.whole,
                    around=around,
                )
            )
            self.linked.append(link)
            self.made.append(link)
            if (link.tail or "").startswith(QUOTES):
                self.quoted.append(link)
            if labels.has_own(link):
                shown = after_label(ours.link, self._options).text
                link.text = AtomicString(escape(shown)) if shown else link.text

    def _adopt(self, a: Element, labels: Labels) -> Found | None:
        """Make a link canonical if it is a DOI's."""
        href = a.get("href", "")
        if "10" not in href and "doi" not in href:
            return None
        href = reading(href)
        holders = list(_holders(a))
        plain = all(each.tag in _STYLED for each in a.iter() if each is not a)
        text = reading("".join(getattr(*each) or "" for each in holders)) if plain else "\0"
        link = relink(href, text or href, self._options, labels.text_before(a))
        if link is None:
            return None
        set_attributes(a, attributes(link, self._options, classes_of(a)))
        if link.href is not None:
            self.linked.append(a)
        if link.text is not None:
            _show(holders, self._unlabelled(a, link, labels))
        return Found(link.doi, form="link")

    def _unlabelled(self, a: Element, link: Link, labels: Labels) -> str:
        """The text of a link that does not say again what a label before it says."""
        if link.label:
            labels.cut_before(a, link.label)
        elif labels.has_own(a):
            link = after_label(link, self._options)
        return link.text or ""


def _holders(a: Element) -> Iterator[tuple[Element, str]]:
    """Every place in a link that may contain text, in order."""
    yield a, "text"
    for child in a:
        yield from _holders(child)
        yield child, "tail"


def _show(holders: list[tuple[Element, str]], text: str) -> None:
    first = next((each for each in holders if getattr(*each)), holders[0])
    for element, place in holders:
        setattr(element, place, None)
    setattr(*first, AtomicString(escape(text)))
