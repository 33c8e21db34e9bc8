"""The plug-in: adds the rules of doilinks in the right order. Its inline rule finds the names."""

from __future__ import annotations

import logging
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from ...core.link import link_match
from ...core.markup import ENTITY, NO_PROSE, may_harm, unescape
from ...core.options import Options, tell_no_check
from ...core.scan import Match, may_contain_doi, scan
from ...core.text import HIDDEN, SourceText, whole_name
from .walk import CITATION, Linker, Place, build

if TYPE_CHECKING:
    from .cite import Works

_logger: Final = logging.getLogger("doilinks.markdown_it")


def doi_plugin(md: MarkdownIt, **options: Any) -> None:
    """Link DOI names. Use the plug-in as ``MarkdownIt().use(doi_plugin, display="name")``.

    ``env["dois"]`` lists the DOIs of the document, as objects of :class:`doilinks.Found`, in the
    order of the document. If the plug-in is used again, the new options replace the old ones.

    :param options: the options of doilinks
    :raises InvalidOption: (a ValueError) with each unknown option and each wrong value
    """
    read = Options.read(options)
    if read.check != "off":
        tell_no_check(_logger)
    names, linker = Finder(read, md), Linker(read, _works(md, read))
    if "doi" in md.get_all_rules()["core"]:
        md.inline.ruler.at("doi", names.rule)
        md.core.ruler.at("doi", linker.rule)
        return
    md.inline.ruler.before("text", "doi", names.rule)
    # The rule runs after all rules that follow "inline", such as footnotes, and before linkify and
    # typography.
    md.core.ruler.before("linkify", "doi", linker.rule)


def _works(md: MarkdownIt, options: Options) -> Works | None:
    """What is shown of works, and the rule for citations; None if nothing is."""
    known = CITATION in md.get_all_rules()["inline"]
    if known:
        md.inline.ruler.disable(CITATION)
    if not (options.hovers or options.cite):
        return None
    from .cite import CiteFinder, Works  # works take most of the time that an import needs

    if options.cite:
        rule = CiteFinder(decoded).rule
        if known:
            md.inline.ruler.at(CITATION, rule)
            md.inline.ruler.enable(CITATION)
        else:
            first = md.get_all_rules()["inline"][0]
            md.inline.ruler.before(first, CITATION, rule)
    return Works(options, Path())


# --------------------------------------------------------------------------------------------------
# Decodes or hides the markup of CommonMark, so that a text can be scanned for names.

# Each alternative begins with a plain character, which makes the search many times faster.
_MARKUP: Final = re.compile(
    rf"""\\(?P<escaped>[!-/:-@\[-`{{-~])
    | &(?P<entity>{ENTITY})
    | `(?P<ticks>`*)
    | <(?P<element>(?i:{"|".join(NO_PROSE)}))(?=[\s>])
    | \[(?P<footnote>\^[^\[\]\s]+\])
    | \{{(?P<attributes>:?\ ?[.\#])
    """,
    re.VERBOSE,
)
_TICKS: Final = re.compile("``*")  # begins with a plain character too


def decoded(source: str) -> Iterator[tuple[int, int, str]]:
    r"""The pieces of a source that are not prose, hidden, and its escapes and entities, decoded.

    >>> from doilinks.core.text import SourceText
    >>> [SourceText.of(text, decoded(text)).text for text in (r"a\_b&lt;c", "a `b` c")]
    ['a_b<c', 'a \x00 c']
    """
    runs: dict[str, list[int]] = {}
    unclosed: set[str] = set()  # end tags that are missing; searched once, for linear time
    done = 0
    for found in _MARKUP.finditer(source):
        start, end = found.span()
        if start < done:
            continue
        if found["escaped"]:
            yield start, end, found["escaped"]
        elif found["entity"]:
            text = unescape(found[0])
            if text == found[0]:
                continue
            yield start, end, text
        elif found["footnote"] or found["attributes"]:
            yield start, end, HIDDEN
        elif found["ticks"] is not None:
            if not runs:
                for run in _TICKS.finditer(source):
                    runs.setdefault(run[0], []).append(run.start())
            same = runs.get(found[0], [])
            after = bisect_left(same, end)
            if after == len(same):
                continue
            end = same[after] + len(found[0])
            yield start, end, HIDDEN
        else:
            close, name = None, found["element"].lower()
            if name not in unclosed:
                close = re.compile(rf"</{name}(?=[\s>])", re.IGNORECASE).search(source, end)
            if not close:
                unclosed.add(name)
                continue
            end = close.start()
            yield start, end, HIDDEN
        done = end


# --------------------------------------------------------------------------------------------------
# Keeps names as they are typed, for a program that makes the links itself after the parser.

_RULE: Final = "doi"
KEPT: Final = "doi_name"  # the token has this type until every rule has run


def keep_names(md: MarkdownIt, options: Options) -> None:
    """Keep the rules of a parser from changing names.

    Each name becomes a text token of its own, for which :func:`name_of` returns the name. Neither
    emphasis, ``linkify`` nor typography changes it. If the options do not link a name, or leave
    URLs as they are, these rules may change the name or the URL.
    """
    md.inline.ruler.before("text", _RULE, Finder(options, md, _keep).rule)
    md.core.ruler.push(_RULE, _become_text)


def name_of(meta: dict[str, object]) -> Place | None:
    """The name that a text token contains, according to its ``meta``; None without a name."""
    place = meta.get("doi")
    return place if isinstance(place, Place) else None


def _keep(state: StateInline, place: Place) -> None:
    token = state.push(KEPT, "", 0)
    token.content, token.meta = place.text, {"doi": place}


def _become_text(state: StateCore) -> None:
    for block in state.tokens:
        for token in block.children or ():
            for each in (token, *(token.children or ())):  # the description of an image
                if each.type == KEPT:
                    each.type = "text"


# --------------------------------------------------------------------------------------------------
# The inline rule.

_Push = Callable[[StateInline, Place], None]


class _Plan(NamedTuple):
    """The names in the source of an inline token.

    :ivar places: each name, by the offset at which it begins
    :ivar starts: these offsets
    :ivar plain: for each name, the offset from which nothing but plain text precedes it
    """

    places: dict[int, Place]
    starts: list[int]
    plain: list[int]


class Finder:
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
        place = plan.places.get(state.pos)
        if place is None or place.end > state.posMax:
            return _text(state, plan, silent)
        # In the text of a link, a name is protected from other rules but does not become a link.
        if state.linkLevel > 0:
            if not silent:
                state.push("text_special", "", 0).content = place.text
        elif place.link is None and not place.escaped:
            return _text(state, plan, silent)
        elif not silent:
            self._push(state, place)
        state.pos = place.end
        return True

    def _push(self, state: StateInline, place: Place) -> None:
        if self._kept:
            self._kept(state, place)
        elif place.link:
            build(state, place.link, self._options, place)

    def _plan(self, source: str) -> _Plan | None:
        """Every name in the source of an inline token; None if there is no name."""
        if not may_contain_doi(source, self._options.arxiv):
            return None
        plain = SourceText.of(source, decoded(source))
        places: dict[int, Place] = {}
        line = at = 0
        for match in scan(plain.text, self._options.arxiv):
            start, end = plain.span(match.start, match.end)
            escaped = plain.is_escaped(match.start, match.end)
            if (escaped and not self._kept) or self._is_of_host(source, start, end, match):
                continue
            line += source.count("\n", at, start)
            at = start
            link = None if escaped else link_match(match, self._options, plain.text)
            text, has_unsafe_list = plain.text[match.start : match.end], may_harm(source, end)
            whole = whole_name(match, plain.text)
            places[start] = Place(
                end, match, link, source[start:end], text, line, has_unsafe_list, whole, escaped
            )
        if not places:
            return None
        starts = list(places)
        # In markdown-it-py 4.1 and later, plug-ins may have added characters.
        terminator = getattr(self._markdown.inline, "terminator_re", _TERMINATOR)
        return _Plan(places, starts, list(_begins_of_text(source, starts, terminator)))

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
