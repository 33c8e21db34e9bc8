"""Every DOI in a run of plain prose.

The scan goes from one ``10`` to the next: ``begin`` says whether a name starts there, ``end`` says
where it ends. The scan never raises an error and never edits the text: a match is a span and its
DOI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import category

from . import steps as step
from .begin import Begin, ForeignUrls, begin_at, label_length, short_url_at
from .doi import DOI, RAW_UNSEEN, SHORT_CODE, Form, InvalidDOI, decode, decode_name, unseen
from .everyday import BEGIN as EVERYDAY
from .everyday import everyday
from .steps import PARTNER, either, is_joining, one_of

if TYPE_CHECKING:
    from .text import SourceText

# --------------------------------------------------------------------------------------------------
# Where a DOI ends in running text.
#
# A suffix may contain any graphic character [NISO §4.3], so no standard says where a name ends. The
# rules are rows of ``steps``. They look forward only as far as the name goes, so the time
# is linear in the length of the text.

_STOP: Final = re.compile(one_of(*step.STOPS))  # a run of prose ends here
_CHUNK: Final = 256

# Groups tell apart the steps that apply only under a condition. Every other match is the end.
_CONDITIONAL: Final = (
    step.QUERY, step.SPELLED, step.PLACEHOLDER, step.UNBALANCED, step.CLOSING_QUOTE, step.SCRIPT,
)  # fmt: skip
_CUT: Final = re.compile(either(*step.CUTS, grouped=_CONDITIONAL))
_SPELLED, _QUERY = step.SPELLED.group, step.QUERY.group
_PLACEHOLDER, _UNBALANCED = step.PLACEHOLDER.group, step.UNBALANCED.group
_CLOSING_QUOTE = step.CLOSING_QUOTE.group

_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")  # may be a letter of a script without spaces

_OPENER: Final = {closer: opener for opener, closer in step.BRACKETS.items()}
_BRACKET: Final = re.compile(either(step.UNBALANCED))

# In characters. If a placeholder such as {id} is this close to the prefix, the text is a template.
_TEMPLATE_REACH: Final = 128
# In characters: the longest shortDOI, with what may be trimmed after it.
_SHORT_REACH: Final = 64

_TRAILING: Final = re.compile(one_of(step.TRAILING))  # punctuation that ends a sentence, not a name
# The categories of trailing punctuation outside ASCII. Dashes and emoji are not among them: names
# end in dashes, and names were registered with emoji.
_MARKS: Final = frozenset(("Po", "Pi", "Pf", "Ps", "Pe", "Sc", "Sk", "Sm", "So", "No"))
_TAIL: Final = re.compile(rf"(?:{either(*step.TAILS)})\Z")
_TAIL_ENDS: Final = "]=s"  # the last characters of what these steps match
_TAIL_REACH: Final = 42


class Stretches:
    """The stretches of a text without a stop, and the pairs of brackets in each of them.

    Cached: names in the same run reuse its end and its pairs of brackets, so the scan stays linear.
    """

    _end = -1
    _read_from = 0
    _partners: dict[int, int] | None = None
    _asked = _letter = -1

    def __init__(self, text: str) -> None:
        self._text = text

    def end(self, start: int) -> int:
        """Return the offset at which the run that contains ``start`` ends."""
        if start < self._end:
            return self._end
        text, at = self._text, start
        while at < len(text):
            chunk = text[at : at + _CHUNK]
            stop = _STOP.search(chunk)
            size = stop.start() if stop else len(chunk)
            if not chunk[:size].isprintable():
                size = next(n for n, character in enumerate(chunk) if not character.isprintable())
                at += size
                break
            at += size
            if stop:
                break
        self._end, self._read_from, self._partners = at, start, None
        return at

    def partner(self, bracket: int) -> int | None:
        """Return the offset of the bracket that pairs with the one at ``bracket``, or None."""
        if self._partners is None:
            self._partners = {}
            open_at: dict[str, list[int]] = {opener: [] for opener in step.BRACKETS}
            for found in _BRACKET.finditer(self._text, self._read_from, self._end):
                character, at = found[0], found.start()
                if character in open_at:
                    open_at[character].append(at)
                elif stack := open_at[_OPENER[character]]:
                    opener = stack.pop()
                    self._partners[opener], self._partners[at] = at, opener
        return self._partners.get(bracket)

    def foreign_letter(self, start: int) -> int:
        """Return the offset of the next non-ASCII character if its script has no spaces, or -1."""
        if not self._asked <= start <= self._letter:
            found = _NOT_ASCII.search(self._text, start)
            self._asked, self._letter = start, found.start() if found else len(self._text)
        text, at = self._text, self._letter
        return at if at < len(text) and is_joining(text[at]) else -1


def end_of(text: str, begin: Begin, stretches: Stretches) -> tuple[int, bool, bool]:
    """Find where a name ends; whether ``<`` and ``>`` enclose it; and whether it is a template.

    In a URL, the end is after the query and the fragment, and the name before them is not trimmed.
    If nothing is left of the suffix, it is at most ``Begin.suffix``.
    """
    short = text[begin.name + 2] != "."
    if begin.opener == "<":
        stretches.end(begin.start - 1)
        closed = stretches.partner(begin.start - 1)
        if closed is not None and closed > begin.suffix:
            if short and closed > begin.suffix + _SHORT_REACH:
                return begin.suffix, False, False
            return closed, True, False
    end = stretches.end(begin.suffix)  # a full-width slash would end the run
    if short:
        end = min(end, begin.suffix + _SHORT_REACH)
    end, kind = _cut(text, begin, stretches, end)
    if kind == _PLACEHOLDER and end < begin.suffix + _TEMPLATE_REACH:
        return end, False, True
    return _trim(text, begin.suffix, end), False, False


def _cut(text: str, begin: Begin, stretches: Stretches, end: int) -> tuple[int, str | None]:
    """Find where the first step ends the name before its run does, and the group of this step."""
    ascii_so_far = True
    for match in _CUT.finditer(text, begin.suffix, end):
        at, kind = match.start(), match.lastgroup
        if kind is None or kind == _PLACEHOLDER:
            return at, kind
        if kind == _UNBALANCED:
            partner = stretches.partner(at)
            if partner is None or partner < begin.suffix:
                return at, kind
            # 10.1000/182(2020年) ends before the bracket: the partner is not part of the name.
            if ascii_so_far and begin.suffix < at < stretches.foreign_letter(at) < partner:
                return at, kind
        elif kind == _QUERY:
            if begin.form != "url":  # in a URL it begins the query [RFC 3986 §3.4]
                return at, kind
        elif kind != _SPELLED:
            # An apostrophe, as in 10.1000/it's, is no partner of the quote before the name.
            closes = kind == _CLOSING_QUOTE and PARTNER.get(begin.opener) == match[0]
            if closes and (match[0] not in "'’" or not text[at + 1 : min(end, at + 2)].isalnum()):
                return at, kind
            if not match[0].isascii():
                # 10.1000/182を ends before its first letter that is not ASCII.
                if ascii_so_far and at > begin.suffix and is_joining(match[0]):
                    return at, kind
                ascii_so_far = False
    return end, None


def _trim(text: str, start: int, end: int) -> int:
    while True:
        while end > start and (
            _TRAILING.match(text, end - 1)
            or ("\x7f" < text[end - 1] < "\U00010000" and category(text[end - 1]) in _MARKS)
        ):
            end -= 1
        if end <= start or text[end - 1] not in _TAIL_ENDS:
            return end
        tail = _TAIL.search(text, max(start, end - _TAIL_REACH), end)
        if tail is None:
            return end
        end = tail.start()


# The prefix of a name, and the end of the host of a shortDOI's URL. Both patterns begin with a
# literal, for which the engine searches faster than str.find does.
_TEN: Final = re.compile(r"10[./%](?:(?<!%)|2[Ff])")
# A shortDOI of a URL, which has no 10.
_HOST: Final = re.compile(rf"/(?<=doi\.org/)(?!10\.)(?={SHORT_CODE})")
# Where a name may begin: plainly, or by the rules.
_TEN_OR_BEGIN: Final = re.compile(rf"10(?:{EVERYDAY}|[./%](?:(?<!%)|2[Ff]))")
ANCHOR: Final = f"{_TEN.pattern}|{_HOST.pattern}"  # one of them is in every name

_TO_QUERY: Final = re.compile(r"(?>(?:%[0-9A-Fa-f]{2}|[^\w?#]|_)*)[?#]")  # without letter or digit
_URL_TAIL: Final = re.compile(r"[?#]")  # the query or the fragment
_UNNUMBERED: Final = re.compile(either(step.UNNUMBERED))
_NOTHING_TO_READ: Final = re.compile(either(step.NOTHING_TO_READ))
_X_OR_N: Final = re.compile(either(step.X_OR_N))
_X_OR_N_ENDS: Final = ("xx", "XX", "nn", "NN")  # the last characters of what this step matches
_X_OR_N_REACH: Final = 128  # longer than any placeholder

# A character that LaTeX or JSON escapes, \_ or {\_}, and the entities that a name may contain. No
# registered name was seen to contain a backslash.
_CODED: Final = re.compile(
    rf"(?P<brace>\{{)?\\(?P<character>[!-/:-@\[-`{{-~])(?(brace)\}})|{step.ENTITY_BRACKETS}|&amp;"
)


class Match(NamedTuple):
    """A DOI found in a text.

    :ivar start: offset of the span to replace, which includes a label and a ``<``
    :ivar end: offset after that span, which includes a ``>``
    :ivar doi: the DOI
    :ivar form: how it is written: ``bare``, ``label``, ``url``, ``urn``, ``angle``, ``arxiv``
    :ivar tail: query and fragment of a URL, which are not part of the name [RFC 3986 §3.4]
    """

    start: int
    end: int
    doi: DOI
    form: Form = "bare"
    tail: str = ""


def may_contain_doi(text: str, arxiv: bool | str = False) -> bool:
    """Tell cheaply whether a scan of ``text`` can find anything."""
    if _TEN.search(text) or ("doi.org/" in text and _HOST.search(text)):
        return True
    if not arxiv:
        return False
    from .arxiv import may_contain_paper  # rarely needed

    return may_contain_paper(text)


def scan(text: str, arxiv: bool | str = False) -> Iterator[Match]:
    """Find every DOI in a run of plain prose, left to right, never overlapping.

    :param arxiv: whether to find identifiers of arXiv too

    >>> [(m.start, m.end, m.doi.name) for m in scan("See doi:10.1000/182, (10.1000/456#789).")]
    [(4, 19, '10.1000/182'), (22, 37, '10.1000/456#789')]
    >>> [m.doi.name for m in scan("See arXiv:2301.00001v2.", arxiv=True)]
    ['10.48550/arXiv.2301.00001']
    """
    if arxiv:
        yield from _with_papers(scan(text), text)
        return
    ten = _TEN_OR_BEGIN.search(text)
    # In a text without it, this longer literal is found missing sooner than the pattern's slash.
    host = _HOST.search(text) if "doi.org/" in text else None
    if not (ten or host):
        return
    urls = stretches = None
    floor, is_seen = 0, False
    while True:
        if host and (ten is None or host.start() < ten.start()):
            at = host.end()
            urls = urls or ForeignUrls(text)
            match = _short_match(text, at, floor, urls)
            host = _HOST.search(text, at)
        elif ten:
            at = ten.start()
            plain = everyday(text, ten, floor) if ten.lastindex else None
            match = Match(*plain) if plain else None
            is_unread = match is None and not (is_seen or text.isascii())
            if is_unread and RAW_UNSEEN.search(text, max(0, at - 20), at + 16):
                is_seen = True
                if pieces := [*unseen(text)]:
                    from .text import SourceText  # rarely needed

                    yield from _seen_through(SourceText.of(text, pieces), floor)
                    return
            if match is None:
                urls, stretches = urls or ForeignUrls(text), stretches or Stretches(text)
                begin = begin_at(text, at, floor, urls)
                match, at = _match(text, begin, stretches, floor) if begin else (None, at + 2)
        else:
            return
        if match:
            yield match
            floor = at = match.end
        if host and host.start() < at:
            host = _HOST.search(text, at)
        if ten and ten.start() < at:
            ten = _TEN_OR_BEGIN.search(text, at)


def _seen_through(plain: SourceText, floor: int) -> Iterator[Match]:
    """Yield the matches of a text without its invisible characters, at their source places."""
    for match in scan(plain.text):
        start, end = plain.span(match.start, match.end)
        if start >= floor:
            yield match._replace(start=start, end=end)


def _with_papers(matches: Iterator[Match], text: str) -> Iterator[Match]:
    """Add arXiv papers between the matches; where both overlap, keep the DOI as written."""
    from .arxiv import papers_in  # rarely needed

    match, floor = next(matches, None), 0
    for start, end, paper in papers_in(text):
        while match and match.start < end:
            yield match
            floor, match = match.end, next(matches, None)
        if start >= floor:
            yield Match(start, end, paper.doi, "arxiv")
    if match:
        yield match
    yield from matches


def _match(text: str, begin: Begin, stretches: Stretches, floor: int) -> tuple[Match | None, int]:
    """Return the match that begins at ``begin``, or None, and the offset of the next search."""
    nothing = None, begin.name + 2
    url = begin.form == "url"
    if begin.opener != "<":
        # Before the search for the end, which may be far away, as a text may have many such URLs.
        query = _TO_QUERY.match(text, begin.suffix) if url else None
        if query and _NOTHING_TO_READ.match(decode(text[begin.suffix : query.end() - 1])):
            return nothing  # no letter or digit is before the query
        # A name that the author wrote as a link is checked, whatever it is.
        at_zenodo = not url and text.startswith(step.ZENODO, begin.name + 3)
        if at_zenodo and _UNNUMBERED.match(text, begin.suffix):
            return nothing
    end, closed_by_angle, is_placeholder = end_of(text, begin, stretches)
    if is_placeholder:
        return None, end
    # Where the query or the fragment of a URL begins [RFC 3986 §3.4, §3.5].
    rest = _URL_TAIL.search(text, begin.suffix, end) if url else None
    name_end = rest.start() if rest else end
    if name_end <= begin.suffix:
        return nothing
    written = text[begin.name : name_end]
    urn = begin.form == "urn" or text[begin.suffix - 1] == ":"
    if urn or any(map(written.__contains__, "%\\&／")):
        written = _decode(written, urn=urn, closed_by_angle=closed_by_angle)
    try:
        doi = DOI(written)
    except InvalidDOI:
        return nothing
    tail = text[name_end:end]
    if closed_by_angle:
        start = begin.start - 1
        start -= label_length(text, start, floor)
        return Match(start, end + 1, doi, "angle", tail), end
    # The query of a URL may contain many more names, so the search does not go back into it.
    # Heuristic: no registered suffix begins with a blank, so 10.1000/%20182 is a slip.
    first = text[begin.suffix]
    if not first.isalnum() and (doi.suffix[0] == " " or _NOTHING_TO_READ.match(doi.suffix)):
        return None, end
    # A suffix such as ``xxxx`` stands for any suffix.
    may_be_x = doi.name.endswith(_X_OR_N_ENDS) and len(doi.name) < _X_OR_N_REACH
    if may_be_x and _X_OR_N.search(doi.suffix):
        return None, end
    return Match(begin.start, end, doi, begin.form, tail), end


def _decode(written: str, *, urn: bool, closed_by_angle: bool) -> str:
    if "\\" in written or (not closed_by_angle and "&" in written):
        written = _CODED.sub(_spelled, written)
    if urn or "%" in written or "／" in written:
        written = decode_name(written, urn=urn)
        if not closed_by_angle:
            written = written.rstrip(" ")
    return written


def _spelled(match: re.Match[str]) -> str:
    if match["character"]:
        return match["character"]
    from .markup import unescape  # rarely needed

    return unescape(match[0])


def _short_match(text: str, at: int, floor: int, urls: ForeignUrls) -> Match | None:
    span = short_url_at(text, at, floor, urls)
    if span is None:
        return None
    begin, end = span
    doi = DOI("10/" + text[begin.name : end])
    if begin.opener == "<" and text[end : end + 1] == ">":
        start = begin.start - 1
        return Match(start - label_length(text, start, floor), end + 1, doi, "angle")
    return Match(begin.start, end, doi, "url")


# --------------------------------------------------------------------------------------------------
# Names that end at an invisible character, such as a soft hyphen or a zero-width space.
#
# Such a character is not graphic, so a name ends there [NISO §4.1]. Programs put it into names
# where a line may end, and it comes along when a name is copied. Then half of a name is linked.

_NEAR: Final = 4  # characters; a scan takes a few off the end of a name, as the stop of 10.1016/j.
_WHOLE_REACH: Final = 200  # characters; hardly a name is longer


def whole_name(match: Match, text: str) -> DOI | None:
    r"""Return the name without the invisible characters at which the scan has ended it; else None.

    Heuristic: it is the name that the scan finds when they are taken out of the text.

    >>> text = "See 10.1000/ab\u00adcd there."
    >>> [(match.doi.name, whole_name(match, text)) for match in scan(text)]
    [('10.1000/ab', DOI('10.1000/abcd'))]
    """
    near = text[match.end : match.end + _NEAR]
    if near.isprintable() or match.form == "angle" or near[:1].isspace():
        return None
    if not any(category(each) == "Cf" for each in near.split(maxsplit=1)[0]):
        return None
    around = text[max(0, match.start - 1) : match.end + _WHOLE_REACH]
    visible = "".join(character for character in around if category(character) != "Cf")
    found = next(scan(visible), None)
    name = match.doi.name
    longer = found is not None and found.doi.name != name and found.doi.name.startswith(name)
    return found.doi if found and longer else None
