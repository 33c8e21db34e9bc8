r"""The markdown-it-py plug-in.

>>> from markdown_it import MarkdownIt
>>> MarkdownIt().use(doi_plugin).render("See DOI: 10.1000/456#789.")
'<p>See <a class="doi" href="https://doi.org/10.1000/456%23789">doi:10.1000/456%23789</a>.</p>\n'

An inline rule, before all others, takes each name whole, so that no other rule sees the ``<``,
``*`` or ``_`` in it. A core rule then makes the links of the document canonical. Rewriting the
finished tokens instead would come too late: emphasis, autolinks and raw HTML have torn the name.
"""

from __future__ import annotations

import logging
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ..core.attributes import may_harm
from ..core.doi import DOI
from ..core.found import Found
from ..core.link import Link, after_label, attributes, link_match, relink, with_classes
from ..core.options import NO_CHECK, Options
from ..core.scan import Match, may_hold_doi, scan
from ..core.text import SourceText
from .labels import cut_before, has_own_label, text_before, with_heads
from .text import pieces

__all__ = ["doi_plugin"]

_logger: Final = logging.getLogger(__name__)


def doi_plugin(md: MarkdownIt, **options: Any) -> None:
    """Link DOI names; use as ``MarkdownIt().use(doi_plugin, display="name")``.

    The names found are in ``env["dois"]``, a list of :class:`doilinks.Found`, in the order of the
    document.
    Used again, it takes the place of the one before.

    :param options: the options of doilinks
    :raises InvalidOption: (a ValueError) naming each unknown option and each wrong value
    """
    read = Options.read(options)
    if read.check != "off":
        _logger.warning("check: %s", NO_CHECK)
    linker = _Linker(read)
    if "doi" in md.get_all_rules()["core"]:
        md.inline.ruler.at("doi", linker.inline)
        md.core.ruler.at("doi", linker.core)
        return
    md.inline.ruler.before("text", "doi", linker.inline)
    # Behind all that comes after "inline", such as footnotes; before linkify and typography.
    md.core.ruler.before("linkify", "doi", linker.core)


class _Spot(NamedTuple):
    """A name in the source of an inline token.

    :ivar end: the offset in the source at which it ends
    :ivar link: None when the options say no
    :ivar written: the name and its label as in the source
    :ivar text: the same, escapes decoded
    :ivar line: its line within the token, from 0
    :ivar harmed: an attribute list follows that the link must not get
    """

    end: int
    match: Match
    link: Link | None
    written: str
    text: str
    line: int
    harmed: bool


_Plan = tuple[dict[int, _Spot], list[int]]


class _Linker:
    def __init__(self, options: Options) -> None:
        self._options = options
        # A paragraph is parsed rule by rule, and each asks again; a few, because paragraphs nest.
        self._spots = lru_cache(maxsize=8)(self._plan)

    def inline(self, state: StateInline, silent: bool) -> bool:
        """The inline rule: a name at this place, or the plain text up to the next one."""
        found = self._spots(state.src)
        if found is None:
            return False
        spots, starts = found
        spot = spots.get(state.pos)
        if spot is None or spot.end > state.posMax:
            return _text(state, starts, silent)
        # In a link's text a name is protected from other rules, and no link.
        if state.linkLevel > 0:
            if not silent:
                state.push("text_special", "", 0).content = spot.text
        elif spot.link is None:
            return _text(state, starts, silent)
        elif not silent:
            self._push(state, spot, spot.link)
        state.pos = spot.end
        return True

    def _plan(self, source: str) -> _Plan | None:
        """Every name in the source of an inline token, None without any."""
        if not may_hold_doi(source):
            return None
        plain = SourceText.of(source, pieces(source))
        spots: dict[int, _Spot] = {}
        line = at = 0
        for match in scan(plain.text):
            start, end = plain.span(match.start, match.end)
            # An autolink is the host's; the core rule sees it.
            if self._is_autolink(source, start, end) or plain.is_escaped(match.start, match.end):
                continue
            line += source.count("\n", at, start)
            at = start
            link = link_match(match, self._options, plain.text)
            text, harmed = plain.text[match.start : match.end], may_harm(source, end)
            spots[start] = _Spot(end, match, link, source[start:end], text, line, harmed)
        return (spots, list(spots)) if spots else None

    def _is_autolink(self, source: str, start: int, end: int) -> bool:
        """Tell whether a name is the host's link; with a label before it, only if that stays so."""
        if self._options.urls == "rewrite":
            return _AUTOLINK.match(source, start) is not None
        return _AUTOLINK.search(source, start, end) is not None

    def _push(self, state: StateInline, spot: _Spot, link: Link) -> None:
        token = state.push("link_open", "a", 1)
        token.attrs |= attributes(link, self._options)
        token.markup, token.info = "doi", "auto"
        token.meta = {"doi": spot}
        # Linkify and typography leave this kind of text alone; text_join makes it normal.
        state.push("text_special", "", 0).content = link.text or spot.text
        token = state.push("link_close", "a", -1)
        token.markup, token.info = "doi", "auto"
        if spot.harmed:
            # The host gives a list to the token just before, if that is the end of a link.
            state.push("text_special", "", 0)

    def core(self, state: StateCore) -> None:
        """The core rule: existing links become canonical, and what was found is listed."""
        dois: list[Found] = state.env.setdefault("dois", [])
        if not may_hold_doi(state.src):
            return
        for block, head in with_heads(state.tokens):
            if block.children:
                self._block(block, block.children, head, dois)

    def _block(self, block: Token, tokens: list[Token], head: str, dois: list[Found]) -> None:
        first = None if block.map is None else block.map[0] + 1
        empty: list[tuple[int, Token]] = []
        for at, token in enumerate(tokens):
            if token.type == "image" and token.children:
                _unlink(token.children)
            if token.type != "link_open":
                continue
            spot = token.meta.get("doi")
            if isinstance(spot, _Spot):
                if classes := with_classes(_classes(token), self._options):
                    # Again, because attributes may have been given to it since.
                    token.attrs["class"] = " ".join(classes)
                if spot.link and has_own_label(tokens, at, head):
                    tokens[at + 1].content = after_label(spot.link, self._options).text or spot.text
                line = None if first is None else first + spot.line
                found = Found(
                    spot.match.doi,
                    form=spot.match.form,
                    line=line,
                    written=spot.written,
                    around=block.content,
                )
                dois.append(found)
            elif doi := self._relink(tokens, at, head, empty):
                dois.append(Found(doi, form="link", line=first, around=block.content))
        if empty:
            _insert(tokens, empty)

    def _relink(
        self, tokens: list[Token], at: int, head: str, empty: list[tuple[int, Token]]
    ) -> DOI | None:
        """Make the link that opens at ``at`` canonical if it is a DOI's, and return its DOI.

        The text for a link without any goes into ``empty``, with its place.
        """
        token = tokens[at]
        href = str(token.attrs.get("href", ""))
        inside = list(_until_close(tokens, at))
        texts = [each for each in inside if each.type in ("text", "text_special")]
        plain = all(each.type in _STYLED for each in inside)
        text = "".join(each.content for each in texts) if plain else "\0"
        link = relink(href, text if inside else href, self._options, text_before(tokens, at))
        if link is None:
            return None
        if link.label:
            cut_before(tokens, at, link.label)
        elif link.text is not None and has_own_label(tokens, at, head):
            link = after_label(link, self._options)
        token.attrs |= attributes(link, self._options, _classes(token))
        if link.text is not None:
            if not texts:
                texts = [Token("text_special", "", 0, level=token.level + 1)]
                empty.append((at + 1, texts[0]))
            texts[0].type, texts[0].content = "text_special", link.text
            for each in texts[1:]:
                each.content = ""
        return link.doi


# A link's text may be set in these without being more than text.
_STYLED: Final = frozenset(
    f"{kind}{end}" for kind in ("em", "strong", "s") for end in ("_open", "_close")
) | {"text", "text_special"}


def _classes(token: Token) -> list[str]:
    return str(token.attrs.get("class", "")).split()


def _until_close(tokens: list[Token], at: int) -> Iterator[Token]:
    level = tokens[at].level
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if token.type == "link_close" and token.level == level:
            return
        yield token


def _insert(tokens: list[Token], added: list[tuple[int, Token]]) -> None:
    """Insert tokens, all in one go, each before the token that is at its place now."""
    done = 0
    kept: list[Token] = []
    for at, token in added:
        kept += tokens[done:at]
        kept.append(token)
        done = at
    tokens[:] = kept + tokens[done:]


def _unlink(tokens: list[Token]) -> None:
    """Put back what the author wrote as an image's description, which is no place for a link."""
    kept: list[Token] = []
    inside: _Spot | None = None
    for token in tokens:
        spot = token.meta.get("doi")
        if isinstance(spot, _Spot):
            inside = spot
        elif inside and token.type == "text_special":
            token.content = inside.text
            kept.append(token)
        elif inside and token.type == "link_close":
            inside = None
        else:
            kept.append(token)
    tokens[:] = kept


# The characters at which the host's text rule stops, so that another rule may begin there.
_TERMINATOR: Final = re.compile(r"[\n!#$%&*+\-:<=>@\[\\\]^_`{}~]")

# Markup that stands for other text, or for none.
_AUTOLINK: Final = re.compile(r"<(?:https?):[^<>\x00-\x20]*>", re.IGNORECASE)


def _text(state: StateInline, starts: list[int], silent: bool) -> bool:
    """Take the plain text up to the next name, which the host's own rule would run over."""
    after = bisect_right(starts, state.pos)
    if after == len(starts) or starts[after] >= state.posMax:
        return False
    start = starts[after]
    # Plug-ins may have added to them, from markdown-it-py 4.1 on.
    terminator = getattr(state.md.inline, "terminator_re", _TERMINATOR)
    if terminator.search(state.src, state.pos, start):
        return False
    if not silent:
        state.pending += state.src[state.pos : start]
    state.pos = start
    return True
