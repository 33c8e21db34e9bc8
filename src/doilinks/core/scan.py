"""Every DOI in a run of plain prose.

The scan goes from one ``10`` to the next: ``begin`` says whether a name starts there, ``end`` says
where it ends. The scan never raises an error and never edits the text: a match is a span and its
DOI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from . import end_steps as step
from .begin import Begin, ForeignUrls, begin_at, label_length, short_url_at
from .doi import DOI, Form, InvalidDOI, decode_name
from .encoding import decode
from .end import Runs, end_of, everyday_end
from .steps import either

__all__ = ["ANCHOR", "ANCHOR_OF_PREFIX", "Match", "may_contain_doi", "scan"]

# The prefix of a name, and the end of the host of a shortDOI's URL. Both patterns begin with a
# literal, for which the engine searches faster than str.find does.
_TEN: Final = re.compile(r"10[./%](?:(?<!%)|2[Ff])")
_HOST: Final = re.compile(r"/(?<=doi\.org/)(?=[a-z]*[0-9])")
ANCHOR: Final = f"{_TEN.pattern}|{_HOST.pattern}"  # one of them is in every name
ANCHOR_OF_PREFIX: Final = _TEN.pattern  # in every name in a text without "doi.org/"

_TO_QUERY: Final = re.compile(r"(?:%[0-9A-Fa-f]{2}|[^\w?#]|_)*+[?#]")  # without letter or digit
_TAIL: Final = re.compile(r"[?#]")
_ZENODO: Final = "5281"  # the registrant code of Zenodo
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
    :ivar form: how it is written: ``bare``, ``label``, ``url``, ``urn``, ``angle``
    :ivar tail: query and fragment of a URL, which are not part of the name [RFC 3986 §3.4]
    """

    start: int
    end: int
    doi: DOI
    form: Form = "bare"
    tail: str = ""


def may_contain_doi(text: str) -> bool:
    """Tell cheaply whether a scan of ``text`` can find anything.

    >>> may_contain_doi("and/or in 2010"), may_contain_doi("doi:10.1000/182")
    (False, True)
    """
    return _TEN.search(text) is not None or _host_in(text) is not None


def _host_in(text: str) -> re.Match[str] | None:
    # In a text without it, this longer literal is found missing sooner than the pattern's slash.
    return _HOST.search(text) if "doi.org/" in text else None


def scan(text: str) -> Iterator[Match]:
    """Find every DOI in a run of plain prose, left to right, never overlapping.

    >>> [(m.start, m.end, m.doi.name) for m in scan("See doi:10.1000/182, (10.1000/456#789).")]
    [(4, 19, '10.1000/182'), (22, 37, '10.1000/456#789')]
    """
    found, host = _TEN.search(text), _host_in(text)
    if not (found or host):
        return
    urls, runs = ForeignUrls(text), Runs(text)
    floor = 0
    while True:
        if host and (found is None or host.start() < found.start()):
            at = host.end()
            match = _short_match(text, at, floor, urls)
            host = _HOST.search(text, at)
        elif found:
            at = found.start()
            begin = begin_at(text, at, floor, urls)
            match, at = _match(text, begin, runs, floor) if begin else (None, at + 2)
        else:
            return
        if match:
            yield match
            floor = at = match.end
        if host and host.start() < at:
            host = _HOST.search(text, at)
        if found and found.start() < at:
            found = _TEN.search(text, at)


def _match(text: str, begin: Begin, runs: Runs, floor: int) -> tuple[Match | None, int]:
    """The match that begins there, or None, and the offset from which to search for the next."""
    nothing = None, begin.name + 2
    url = begin.form == "url"
    if begin.opener != "<":
        if url and _has_nothing_before_query(text, begin.suffix):
            return nothing
        if text.startswith(_ZENODO, begin.name + 3) and _UNNUMBERED.match(text, begin.suffix):
            return nothing
    end, closed_by_angle = everyday_end(text, begin), False
    if end is None:
        end, closed_by_angle, is_placeholder = end_of(text, begin, runs)
        if is_placeholder:
            return None, end
    name_end = _split_tail(text, begin.suffix, end) if url else end
    if name_end <= begin.suffix:
        return nothing
    written = text[begin.name : name_end]
    urn = begin.form == "urn" or text[begin.suffix - 1] == ":"
    if urn or "%" in written or "\\" in written or "&" in written:
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
    if _is_placeholder(doi, text[begin.suffix]):
        return None, end
    return Match(begin.start, end, doi, begin.form, tail), end


def _has_nothing_before_query(text: str, at: int) -> bool:
    """Tell whether a URL has no letter or digit before its query, so that it contains no name.

    This comes before the search for the end, which may be far away, because a text may contain many
    such URLs.
    """
    found = _TO_QUERY.match(text, at)
    return found is not None and bool(_NOTHING_TO_READ.match(decode(text[at : found.end() - 1])))


def _is_placeholder(doi: DOI, first: str) -> bool:
    """Tell whether a suffix such as ``xxxx`` stands for any suffix.

    :param first: the first character of the suffix as written
    """
    if not first.isalnum() and _NOTHING_TO_READ.match(doi.suffix):
        return True
    if not doi.name.endswith(_X_OR_N_ENDS) or len(doi.name) >= _X_OR_N_REACH:
        return False
    return _X_OR_N.search(doi.suffix) is not None


def _split_tail(text: str, start: int, end: int) -> int:
    """Where the query or the fragment of a URL begins [RFC 3986 §3.4, §3.5]."""
    tail = _TAIL.search(text, start, end)
    return tail.start() if tail else end


def _decode(written: str, *, urn: bool, closed_by_angle: bool) -> str:
    """The name that a text spells with escapes, entities and percent triplets."""
    if not closed_by_angle and ("\\" in written or "&" in written):
        written = _CODED.sub(_spelled, written)
    if urn or "%" in written:
        written = decode_name(written, urn=urn)
        if not closed_by_angle:
            written = written.rstrip(" ")
    return written


def _spelled(found: re.Match[str]) -> str:
    if found["character"]:
        return found["character"]
    return "&" if found[0] == "&amp;" else f"<{found[0][4:-4]}>"


def _short_match(text: str, at: int, floor: int, urls: ForeignUrls) -> Match | None:
    found = short_url_at(text, at, floor, urls)
    if found is None:
        return None
    begin, end = found
    doi = DOI("10/" + text[begin.name : end])
    if begin.opener == "<" and text[end : end + 1] == ">":
        start = begin.start - 1
        return Match(start - label_length(text, start, floor), end + 1, doi, "angle")
    return Match(begin.start, end, doi, "url")
