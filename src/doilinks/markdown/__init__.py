"""The Python-Markdown extension, for MkDocs, Zensical, Pelican, Nikola and others.

>>> import markdown
>>> markdown.markdown("See DOI: 10.1000/456#789.", extensions=["doilinks"])
'<p>See <a class="doi" href="https://doi.org/10.1000/456%23789">doi:10.1000/456%23789</a>.</p>'

The host runs its patterns one after another over the whole text, and each leaves a placeholder. An
inline pattern behind code, escapes and links, but before autolinks, raw HTML and emphasis, finds
the names; a tree processor then makes the links of the document canonical.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any, Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, INLINE_PLACEHOLDER_PREFIX, AtomicString

from ..core.doi import DOI
from ..core.link import attributes, relink
from ..core.options import NO_CHECK, Options
from ..core.scan import may_hold_doi
from .classes import BEHIND_LISTS, Classes, classes_of, set_attributes
from .lists import BEFORE_LISTS, Lists
from .markup import escape, reading
from .quotes import AROUND_SMARTY, QUOTES, Quotes
from .raw import unlink_enclosed
from .span import AUTOLINKER, Span, spans

__all__ = ["DoiExtension", "makeExtension"]

_logger: Final = logging.getLogger(__name__)

# Behind references and links in square brackets (125), before autolinks (120) and raw HTML (90).
_INLINE_PRIORITY: Final = 122
# Behind the inline patterns (20), before attribute lists (8), smarty (6) and the toc (5).
_TREE_PRIORITY: Final = 18


class DoiExtension(Extension):
    """Link DOI names; enable it as ``doilinks``, options without a prefix.

    The DOIs of a document are in ``doi`` of the ``Markdown`` instance that has converted it, in the
    order of the document.

    :raises InvalidOption: (a ValueError) naming each unknown option and each wrong value
    """

    def __init__(self, **options: Any) -> None:
        self.options = Options.read(options)
        self.config = {
            each.name: [getattr(self.options, each.name), each.metadata["help"]]
            for each in fields(Options)
        }

    def setConfig(self, key: str, value: Any) -> None:  # noqa: N802  the host's name
        """Set one option.

        :raises InvalidOption: when there is no such option, or it does not take ``value``
        """
        self.options = Options.read({**self.getConfigs(), key: value})
        self.config[key][0] = getattr(self.options, key)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  the host's name
        """Add the pattern and the tree processor to a ``Markdown`` instance."""
        if self.options.check != "off":
            _logger.warning("check: %s", NO_CHECK)
        names = _Names(self.options, md)
        md.inlinePatterns.register(names, "doi", _INLINE_PRIORITY)
        links = _Links(self.options, names, md)
        md.treeprocessors.register(links, "doi", _TREE_PRIORITY)
        md.treeprocessors.register(Classes(self.options, links.linked, md), *BEHIND_LISTS)
        for name, priority in AROUND_SMARTY.items():
            md.treeprocessors.register(Quotes(links.quoted, md), name, priority)
        md.treeprocessors.register(Lists(links.made, md), *BEFORE_LISTS)
        md.registerExtension(links)  # type: ignore[arg-type]  # it has a reset()


def makeExtension(**options: Any) -> DoiExtension:  # noqa: N802  the host's name
    """The extension, for those who name its module."""
    return DoiExtension(**options)


class _Names(InlineProcessor):
    """The inline pattern; in place of a regular expression a scan says where it matches."""

    def __init__(self, options: Options, md: Markdown) -> None:
        super().__init__(r".+", md)
        self._markdown = md
        self._options = options
        self._ahead: Iterator[Span] | None = None
        # Where the last name stood, and how much text followed it.
        self._last = (0, 0)
        self._span: Span | None = None
        self.made: dict[Element, DOI] = {}
        self.written: dict[Element, str] = {}

    def getCompiledRegExp(self) -> Any:  # noqa: N802  the host's name
        """Return this object, as it has the one method that the host calls."""
        return self

    def finditer(self, data: str, _start: int) -> Iterable[re.Match[str]]:
        """Every name in ``data``, as a match that spans it.

        The host asks again after each name, which is then a placeholder. What follows is as it
        was, so the scan goes on; starting over would take quadratic time.
        """
        if self._ahead is None or not self._goes_on(data):
            self._ahead = None
            if not may_hold_doi(data):
                return ()
            inline: Any = self._markdown.treeprocessors["inline"]
            self._ahead = spans(
                data,
                inline.stashed_nodes,
                self._options,
                autolinks=AUTOLINKER in self._markdown.inlinePatterns,
            )
        for span in self._ahead:
            start, end = len(data) - span.before, len(data) - span.after
            found = self.compiled_re.match(data, start, end)
            if found:
                self._span, self._last = span, (start, span.after)
                return (found,)
        self._ahead = None
        return ()

    def _goes_on(self, data: str) -> bool:
        at, follows = self._last
        if not data.startswith(INLINE_PLACEHOLDER_PREFIX, at):
            return False
        return len(data) - data.find(ETX, at) - 1 == follows

    def handleMatch(  # type: ignore[override]  # noqa: N802  the host's name
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002  the host's signature
    ) -> tuple[Element | str, int, int]:
        """The link for the name that :meth:`finditer` found; in a link's text the name alone."""
        span = self._span
        assert span is not None  # noqa: S101  the host calls this for each match
        inline: Any = self._markdown.treeprocessors["inline"]
        if "a" in inline.ancestors:
            return escape(span.written), m.start(), m.end()
        link = Element("a")
        set_attributes(link, attributes(span.link, self._options))
        link.text = AtomicString(escape(span.link.text or span.written))
        self.made[link] = span.link.doi
        self.written[link] = escape(span.written)
        return link, m.start(), m.end()


class _Links(Treeprocessor):
    """The tree processor: existing links become canonical, and what was found is listed."""

    def __init__(self, options: Options, names: _Names, md: Markdown) -> None:
        super().__init__(md)
        self._options = options
        self._names = names
        self.linked: list[Element] = []
        self.made: list[Element] = []
        self.quoted: list[Element] = []
        self.reset()

    def reset(self) -> None:
        """Forget the document before."""
        self._names.made.clear()
        self._names.written.clear()
        self.linked.clear()
        self.made.clear()
        self.quoted.clear()
        self._found: list[DOI] = []
        self.md.doi = self._found  # type: ignore[attr-defined]

    def run(self, root: Element) -> None:
        """Go through the links of a document."""
        made = dict(self._names.made)
        html = self.md.htmlStash.rawHtmlBlocks
        if made and html:
            unlink_enclosed(root, self._names.written, html)
        self.reset()
        for link in root.iter("a"):
            doi = made.get(link) or self._relink(link)
            if doi:
                self._found.append(doi)
            if link in made:
                self.linked.append(link)
                self.made.append(link)
                if (link.tail or "").startswith(QUOTES):
                    self.quoted.append(link)

    def _relink(self, a: Element) -> DOI | None:
        """Make a link canonical if it is a DOI's, and return its DOI."""
        href = a.get("href", "")
        if "10" not in href and "doi" not in href:
            return None
        href = reading(href)
        holders = list(_holders(a))
        plain = all(each.tag in _STYLED for each in a.iter() if each is not a)
        text = reading("".join(getattr(*each) or "" for each in holders)) if plain else "\0"
        link = relink(href, text or href, self._options)
        if link is None:
            return None
        set_attributes(a, attributes(link, self._options, classes_of(a)))
        if link.href is not None:
            self.linked.append(a)
        if link.text is not None:
            first = next((each for each in holders if getattr(*each)), holders[0])
            for element, place in holders:
                setattr(element, place, None)
            setattr(*first, AtomicString(escape(link.text)))
        return link.doi


# A link's text may be set in these without being more than text.
_STYLED: Final = frozenset({"em", "strong", "b", "i", "del", "s"})


def _holders(a: Element) -> Iterator[tuple[Element, str]]:
    """Every place in a link that may hold text, in order."""
    yield a, "text"
    for child in a:
        yield from _holders(child)
        yield child, "tail"
