"""Every DOI in a run of plain prose.

The scan goes from one ``10`` to the next; ``begin`` says whether a name starts there, ``end``
where it stops. It never raises and never edits the text: a match is a span and its DOI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .begin import Begin, ForeignUrls, begin_at, short_url_at
from .doi import DOI, InvalidDOI, decode_name
from .encoding import decode
from .end import Runs, end_of

__all__ = ["Match", "may_hold_doi", "scan"]

# These two begin with a literal, for which the engine searches faster than str.find does.
_TEN: Final = re.compile(r"10[./]")
_HOST: Final = re.compile(r"/(?<=doi\.org/)(?=[a-z]*[0-9])")
_QUERY: Final = re.compile(r"(?:%[0-9A-Fa-f]{2}|[^\w?#]|_)*+[?#]")

# Heuristic: so is one whose last piece is nothing but x or n, as in 10.5281/zenodo.xxxxxx.
_XXX: Final = re.compile(r"(?:^|[./_-])(?:[xX]{3,}|[nN]{5,})\Z")
_XXX_ENDS: Final = ("xx", "XX", "nn", "NN")
_XXX_REACH: Final = 128  # heuristic: longer than any placeholder
# Heuristic: Zenodo numbers its names, so one without a number is a placeholder, as in
# 10.5281/zenodo.TBD.
_ZENODO: Final = "5281"
_UNNUMBERED: Final = re.compile(r"zenodo(?!\\?\.?[0-9])", re.IGNORECASE)
# A sign that LaTeX or JSON escapes, \_ or {\_}, and the entities of a SICI's angle brackets. No
# registered name was seen to hold a backslash.
_CODED: Final = re.compile(
    r"(?P<brace>\{)?\\(?P<sign>[!-/:-@\[-`{-~])(?(brace)\})"
    r"|&lt;(?P<contribution>[^\s<>&]{1,40})&gt;(?=[0-9])|&amp;"
)


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
    """Tell cheaply whether a scan of ``text`` can find anything.

    >>> may_hold_doi("and/or in 2010"), may_hold_doi("doi:10.1000/182")
    (False, True)
    """
    return bool(_TEN.search(text) or _HOST.search(text))


def scan(text: str) -> Iterator[Match]:
    """Find every DOI in a run of plain prose, left to right, never overlapping.

    >>> [(m.start, m.end, m.doi.name) for m in scan("See doi:10.1000/182, (10.1000/456#789).")]
    [(4, 19, '10.1000/182'), (22, 37, '10.1000/456#789')]
    """
    urls, runs = ForeignUrls(text), Runs(text)
    floor = 0
    found, host = _TEN.search(text), _HOST.search(text)
    while True:
        if host and (found is None or host.start() < found.start()):
            at = host.end()
            match = _short_match(text, at, floor, urls)
            host = _HOST.search(text, at)
        elif found:
            at = found.start()
            begin = begin_at(text, at, floor, urls)
            match, at = _match(text, begin, runs) if begin else (None, at + 2)
        else:
            return
        if match:
            yield match
            floor = at = match.end
        if host and host.start() < at:
            host = _HOST.search(text, at)
        if found and found.start() < at:
            found = _TEN.search(text, at)


def _match(text: str, begin: Begin, runs: Runs) -> tuple[Match | None, int]:
    """The name that begins there, and where to go on."""
    none = None, begin.name + 2
    if begin.opener != "<":
        if begin.form == "url" and _is_placeholder(text, begin.suffix):
            return none
        if text.startswith(_ZENODO, begin.name + 3) and _UNNUMBERED.match(text, begin.suffix):
            return none
    end, kind = end_of(text, begin, runs)
    if kind == "placeholder":
        return None, end
    angle = kind == "angle"
    name_end, tail = end, ""
    if begin.form == "url":
        # A query and a fragment are the URL's own [RFC 3986 §3.4, §3.5].
        cuts = [cut for cut in (text.find(sign, begin.suffix, end) for sign in "?#") if cut >= 0]
        name_end = min(cuts, default=end)
        tail = text[name_end:end]
    if name_end <= begin.suffix:
        return none
    written = text[begin.name : name_end]
    if not angle and ("\\" in written or "&" in written):
        written = _CODED.sub(_decoded, written)
    urn = begin.form == "urn" or text[begin.suffix - 1] == ":"
    if urn or "%" in written:
        written = decode_name(written, urn=urn)
        if not angle:
            written = written.rstrip(" ")
    try:
        doi = DOI(written)
    except InvalidDOI:
        return none
    if angle:
        return Match(begin.start - 1, end + 1, doi, "angle", tail), end
    # Heuristic: a suffix without a letter or digit is a placeholder, as in 10.1000/--. The query
    # behind one may hold many more, so it is not read again.
    if not text[begin.suffix].isalnum() and not any(map(str.isalnum, doi.suffix)):
        return None, end
    if written.endswith(_XXX_ENDS) and len(written) < _XXX_REACH and _XXX.search(doi.suffix):
        return None, end
    return Match(begin.start, end, doi, begin.form, tail), end


def _decoded(found: re.Match[str]) -> str:
    if found["contribution"]:
        return f"<{found['contribution']}>"
    return found["sign"] or "&"


def _is_placeholder(text: str, at: int) -> bool:
    """Tell whether a URL has no letter or digit before its query, and so no name.

    Looked at before the end of the URL, which may be far: a text may hold many of these.
    """
    query = _QUERY.match(text, at)
    return query is not None and not any(map(str.isalnum, decode(text[at : query.end() - 1])))


def _short_match(text: str, at: int, floor: int, urls: ForeignUrls) -> Match | None:
    found = short_url_at(text, at, floor, urls)
    if found is None:
        return None
    begin, end = found
    doi = DOI("10/" + text[begin.name : end])
    if begin.opener == "<" and text[end : end + 1] == ">":
        return Match(begin.start - 1, end + 1, doi, "angle")
    return Match(begin.start, end, doi, "url")
