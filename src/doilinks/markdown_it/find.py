"""The inline rule: finds a name before the rules of the host see the markup in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from ..core.attribute_lists import may_harm
from ..core.invisible import whole_name
from ..core.link import link_match
from ..core.options import Options
from ..core.scan import Match, may_contain_doi, scan
from ..core.text import SourceText
from .link import Spot, build
from .text import pieces

__all__ = ["Names"]

_Push = Callable[[StateInline, Spot], None]


class _Plan(NamedTuple):
    """The names in the source of an inline token.

    :ivar spots: each name, by the offset at which it begins
    :ivar starts: these offsets
    :ivar plain: for each name, the offset from which nothing but plain text precedes it
    """

    spots: dict[int, Spot]
    starts: list[int]
    plain: list[int]


class Names:
    """Finds the names in the source of inline tokens.

    :param kept: a function that pushes a token for a name, for a program that makes the links
        itself. It is also called for names that the author has escaped. None: the rule makes links
    """

    def __init__(self, options: Options, md: MarkdownIt, kept: _Push | None = None) -> None:
        self._options = options
        self._markdown = md
        self._kept = kept
        # The host asks the rule about each place of a paragraph, so the names of the last paragraph
        # are at hand, and those of several others are cached, because paragraphs are nested.
        self._last: tuple[str, _Plan | None] = "", None
        self._plans = lru_cache(maxsize=8)(self._plan)

    def rule(self, state: StateInline, silent: bool) -> bool:
        """The inline rule: take the name at this place, or the plain text up to the next name."""
        source, plan = self._last
        if source is not state.src:
            plan = self._plans(state.src)
            self._last = state.src, plan
        if plan is None:
            return False
        spot = plan.spots.get(state.pos)
        if spot is None or spot.end > state.posMax:
            return _text(state, plan, silent)
        # In the text of a link, a name is protected from other rules but does not become a link.
        if state.linkLevel > 0:
            if not silent:
                state.push("text_special", "", 0).content = spot.text
        elif spot.link is None and not spot.escaped:
            return _text(state, plan, silent)
        elif not silent:
            self._push(state, spot)
        state.pos = spot.end
        return True

    def _push(self, state: StateInline, spot: Spot) -> None:
        if self._kept:
            self._kept(state, spot)
        elif spot.link:
            build(state, spot.link, self._options, spot)

    def _plan(self, source: str) -> _Plan | None:
        """Every name in the source of an inline token; None if there is no name."""
        if not may_contain_doi(source):
            return None
        plain = SourceText.of(source, pieces(source))
        spots: dict[int, Spot] = {}
        line = at = 0
        for match in scan(plain.text):
            start, end = plain.span(match.start, match.end)
            escaped = plain.is_escaped(match.start, match.end)
            if (escaped and not self._kept) or self._is_of_host(source, start, end, match):
                continue
            line += source.count("\n", at, start)
            at = start
            link = None if escaped else link_match(match, self._options, plain.text)
            text, has_unsafe_list = plain.text[match.start : match.end], may_harm(source, end)
            whole = whole_name(match, plain.text)
            spots[start] = Spot(
                end, match, link, source[start:end], text, line, has_unsafe_list, whole, escaped
            )
        if not spots:
            return None
        starts = list(spots)
        # In markdown-it-py 4.1 and later, plug-ins may have added characters.
        terminator = getattr(self._markdown.inline, "terminator_re", _TERMINATOR)
        return _Plan(spots, starts, list(_begins_of_text(source, starts, terminator)))

    def _is_of_host(self, source: str, start: int, end: int, match: Match) -> bool:
        """Tell whether the host makes a link of a name, and the options leave that link alone."""
        if self._options.urls == "rewrite":
            return _AUTOLINK.match(source, start) is not None
        if self._kept and match.form == "url":
            return True
        return _AUTOLINK.search(source, start, end) is not None


# The text rule of the host stops at these characters, so that another rule may begin there.
_TERMINATOR: Final = re.compile(r"[\n!#$%&*+\-:<=>@\[\\\]^_`{}~]")

# An autolink, which the host itself makes a link of.
_AUTOLINK: Final = re.compile(r"<(?:https?):[^<>\x00-\x20]*>", re.IGNORECASE)
_URL_END: Final = re.compile(r"[\s<>]")  # no URL of linkify-it contains these


def _begins_of_text(source: str, starts: list[int], terminator: re.Pattern[str]) -> Iterator[int]:
    """For each name, the offset after the last character before it at which a rule may begin."""
    up_to_last = _up_to_last(terminator.pattern)
    done = 0
    for start in starts:
        last = up_to_last.match(source, done, start)
        yield last.end() if last else done
        done = start


@cache
def _up_to_last(terminator: str) -> re.Pattern[str]:
    return re.compile(f".*{terminator}", re.DOTALL)


def _text(state: StateInline, plan: _Plan, silent: bool) -> bool:
    """Take the plain text up to the next name. The text rule of the host would not stop there."""
    after = bisect_right(plan.starts, state.pos)
    if after == len(plan.starts) or plan.starts[after] >= state.posMax:
        return False
    start = plan.starts[after]
    # While the host looks for the end of the text of a link, its rule for URLs does nothing.
    if state.pos < plan.plain[after] and (silent or not _is_url_up_to(state, start)):
        return False
    if not silent:
        state.pending += state.src[state.pos : start]
    state.pos = start
    return True


def _is_url_up_to(state: StateInline, start: int) -> bool:
    """Tell whether the host's rule for URLs, which begins at ``://``, would include a name."""
    return (
        state.src.startswith("://", state.pos)
        and bool(state.md.options.get("linkify"))
        and _URL_END.search(state.src, state.pos, start) is None
    )
