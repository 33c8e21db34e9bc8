"""Every DOI in a run of plain prose.

The scan goes from one ``10.`` to the next; ``begin`` says whether a name starts there, ``end``
where it stops. It never raises and never edits the text: a match is a span and its DOI.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .begin import Begin, ForeignUrls, begin_at, short_url_at
from .doi import DOI, InvalidDOI, decode_name
from .end import Runs, end_of

__all__ = ["Match", "may_hold_doi", "scan"]


class Match(NamedTuple):
    """A DOI found in a text.

    :ivar start: offset of the span to replace, a label and ``<`` included
    :ivar end: offset just behind it, ``>`` included
    :ivar doi: the DOI
    :ivar form: how it is written: ``bare``, ``label``, ``url``, ``urn``, ``angle``
    :ivar tail: query and fragment of a URL, which are not the name's [RFC 3986 §3.4]
    """

    start: int
    end: int
    doi: DOI
    form: str = "bare"
    tail: str = ""


def may_hold_doi(text: str) -> bool:
    """Tell cheaply whether a scan of ``text`` can find anything."""
    return "10." in text or "10/" in text or "doi.org/" in text


def scan(text: str) -> Iterator[Match]:
    """Find every DOI in a run of plain prose, left to right, never overlapping.

    >>> [(m.start, m.end, m.doi.name) for m in scan("See doi:10.1000/182, (10.1000/456#789).")]
    [(4, 19, '10.1000/182'), (22, 37, '10.1000/456#789')]
    """
    if may_hold_doi(text):
        return _scan(text)
    return iter(())


def _scan(text: str) -> Iterator[Match]:
    urls, runs = ForeignUrls(text), Runs(text)
    floor = 0
    marks = ["10.", "10/", "doi.org/"]
    nexts = [text.find(mark) for mark in marks]
    while True:
        ahead = [at for at in nexts if at >= 0]
        if not ahead:
            return
        at = min(ahead)
        which = nexts.index(at)
        if which == 2:
            match = _short_match(text, at, floor, urls)
        else:
            begin = begin_at(text, at, floor, urls)
            match = begin and _match(text, begin, runs)
        if match:
            yield match
            floor = match.end
        resume = max(at + 1, floor)
        nexts = [
            text.find(mark, resume) if 0 <= known < resume else known
            for mark, known in zip(marks, nexts, strict=True)
        ]


def _match(text: str, begin: Begin, runs: Runs) -> Match | None:
    end, angle = end_of(text, begin, runs)
    name_end, tail = end, ""
    if begin.label == "url":
        # A query and a fragment are the URL's own [RFC 3986 §3.4, §3.5].
        cuts = [cut for cut in (text.find(sign, begin.suffix, end) for sign in "?#") if cut >= 0]
        name_end = min(cuts, default=end)
        tail = text[name_end:end]
    if name_end <= begin.suffix:
        return None
    written = text[begin.name : name_end]
    urn = begin.label != "" and text[begin.suffix - 1] == ":"
    try:
        doi = DOI(decode_name(written, urn=urn))
    except InvalidDOI:
        return None
    if not angle and not any(map(str.isalnum, doi.suffix)):
        return None
    if angle:
        return Match(begin.start - 1, end + 1, doi, "angle", tail)
    return Match(begin.start, end, doi, begin.form, tail)


def _short_match(text: str, at: int, floor: int, urls: ForeignUrls) -> Match | None:
    found = short_url_at(text, at, floor, urls)
    if found is None:
        return None
    begin, end = found
    if begin.opener == "<" and text[end : end + 1] == ">":
        return Match(begin.start - 1, end + 1, DOI("10/" + text[begin.name : end]), "angle")
    return Match(begin.start, end, DOI("10/" + text[begin.name : end]), "url")
