"""Which names of a source are written wrongly, and how they are written right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import quote

from ...core.arxiv import paper_in_role
from ...core.doi import (
    DOI,
    DOI_HOST,
    LABEL,
    MISTYPED,
    RAW_UNSEEN,
    RESOLVER,
    TO_NAME,
    UNSEEN,
    WEB,
    InvalidDOI,
    characters,
    decode,
    link_form,
    unseen,
)
from ...core.field import in_field, read_field
from ...core.found import SILENT, WORD, Found
from ...core.options import Options
from ...core.text import is_invisible
from ...sources.common import Lines
from ...sources.escapes import Unescaped
from ...sources.types import FileType
from .house import HOUSE, documents, in_house
from .rules import Change, Correction, Edit, applied

# --------------------------------------------------------------------------------------------------
# The changes that the rules propose, name by name.

_URLS: Final = frozenset({"url", "angle", "link", "role"})
_PROSE: Final = frozenset({"bare", "label", "url", "urn"})

# The type of a document, with the escape that the place at an offset needs.
Rows = Callable[[int], FileType]


def changes(
    text: str,
    row: FileType,
    places: Iterable[Found],
    wanted: frozenset[str],
    right: Mapping[DOI, Correction] = MappingProxyType({}),
) -> Iterator[Change]:
    """Yield the changes of the names of a source, by rules that look at each name alone."""
    escape_at = row.places(text) if row.places else None

    def here(at: int) -> FileType:
        return row._replace(escape=escape_at(at)) if escape_at else row

    house = next((code for code in HOUSE if code in wanted and row.name in HOUSE[code].types), "")
    is_document = documents(text, row) if house else bool
    for each in places:
        # An identifier of arXiv stays as its author wrote it.
        if each.span is None or each.written is None or paper_in_role(each.written):
            continue
        fix, place = right.get(each.doi), (each.file, each.line, each.column)
        better = fix if fix and fix.code in wanted and fix.doi != each.whole else None
        if better and better.places is not None and place not in better.places:
            better = None
        if house and is_document(each) and (each.form != "publisher" or (fix and fix.page)):
            of_page = ("doi-publisher",) if each.form == "publisher" else ()
            codes = (*of_page, better.code) if better else of_page
            doi = better.doi if better else each.doi
            if change := in_house(text, row, house, each, doi, codes):
                yield change
                continue
        if each.form in ("publisher", "target"):
            is_page = bool(fix and fix.page) and each.form == "publisher"
            if is_page or (each.form == "target" and "doi-bare-target" in wanted):
                yield _to_resolver(text, here, each, better)
            continue
        of_field = each.form == "field" and "doi-field" in wanted
        change = _change(text, here, each, wanted, better)
        field = bare(text, row, each) if of_field else None
        if either := _both(field, change) if field and change else field or change:
            yield either


def _to_resolver(text: str, here: Rows, place: Found, better: Correction | None) -> Change:
    """Return the change of a page or bare target to the link of its name or a better one."""
    written, (first, _) = place.written or "", place.span or (0, 0)
    doi = better.doi if better else place.doi
    is_page = place.form == "publisher"
    code = "doi-publisher" if is_page else "doi-bare-target"
    codes = dict.fromkeys((code, better.code if better else code))
    row = here(first)
    twins = _twin_of(text, first, written, row.between) if is_page else []
    places = sorted({first, *twins})
    edits = tuple((at, at + len(written), here(at).escape(doi.url)) for at in places)
    return Change(place, edits, written, row.escape(doi.url), tuple(codes), doi)


def _both(field: Change, change: Change) -> Change:
    """Join the change of a field to its name with that of the name; if they overlap, the second."""
    if len(field.edits) > 1 or field.edits[0][1] > change.edits[0][0]:
        return change
    edits = (*field.edits, *change.edits)
    first, _ = change.found.span or (0, 0)
    new = [(start - first, end - first, put) for start, end, put in edits]
    codes = (*field.codes, *change.codes)
    return replace(change, edits=edits, new=applied(change.old, new), codes=codes)


def _change(
    text: str, here: Rows, place: Found, wanted: frozenset[str], better: Correction | None
) -> Change | None:
    """Return the change that the URL and character rules propose for a name, if any."""
    written, (first, last) = place.written or "", place.span or (0, 0)
    row = here(first)
    if "doi-invisible" in wanted and (hidden := [*unseen(written)]):
        gone = tuple((first + start, first + end, "") for start, end, _ in hidden)
        new = applied(written, hidden)
        return Change(place, gone, written, new, ("doi-invisible",), place.doi)
    edits, codes, doi, in_url = _edits(written, row, place, wanted, better)
    # A reader does not list the text of a link, nor that of \href in the prose of a bibliography.
    target = place.form == "link"
    twins = _twin_of(text, first, written, row.between) if edits and (target or row.latex) else []
    moved: list[Edit] = []
    for at in sorted({first, *twins}):
        of_place = edits if at == first else _edits(written, here(at), place, wanted, better)[0]
        moved += [(at + start, at + end, new) for start, end, new in of_place]
    if place.whole and place.form in _PROSE and "doi-invisible" in wanted:
        encode = in_url and not row.latex and "doi-encoding" in wanted
        cut, end = _visible(text, last, place.doi, place.whole, row, encode=encode)
        if cut:
            moved, codes, doi = moved + cut, (*codes, "doi-invisible"), place.whole
            if any(new for *_, new in cut) and "doi-encoding" not in codes:
                codes = (*codes, "doi-encoding")
            last = end
    if not codes:
        return None
    own = [each for each in moved if first <= each[0] and each[1] <= last]
    new = applied(text[first:last], [(start - first, end - first, put) for start, end, put in own])
    return Change(place, tuple(moved), text[first:last], new, codes, doi)


def _edits(
    written: str, row: FileType, place: Found, wanted: frozenset[str], better: Correction | None
) -> tuple[list[Edit], tuple[str, ...], DOI, bool]:
    """Return edits of a name, their rules, the DOI they give, and whether it is in a URL."""
    source = Unescaped(written, row.escapes)
    text, doi = source.text, place.doi
    begin = _begin(place, text)
    head = _head_of(text, begin)
    put: list[Edit] = []
    codes: tuple[str, ...] = ()
    if place.form in _URLS:
        mended, codes = head.mended(wanted, target=place.form == "link")
        if codes:
            start, last = source.span(begin, head.end)
            if "\\/" in written[start:last]:  # as JSON may have it
                mended = re.sub(r"(?<!\\)/", r"\\/", mended)
            put.append((start, last, mended))
    stop = len(text.rstrip())
    is_closed = place.form == "angle" or (place.form == "role" and begin > 0)
    stop -= is_closed and text[:stop].endswith(">")
    in_url = head.url is not None
    at, tail = head.end, _TAIL.search(text, head.end, stop) if in_url else None
    end = tail.start() if tail else stop
    if not _is_written(text[at:end], doi):
        return put, codes, doi, in_url
    wrong = _corrected(text, at, end, doi, better.doi) if better else ()
    right = [(first, last, link_form(new) if in_url else new) for first, last, new in wrong]
    if better and right:
        codes, doi = (*codes, better.code), better.doi
    more: dict[str, tuple[list[Edit], DOI]] = {}
    # In the prose of a bibliography, a percent begins a comment of LaTeX.
    if in_url and "doi-encoding" in wanted and (place.form == "link" or not row.latex):
        more["doi-encoding"] = _encoded(text, at, end, stop, place)
    if in_url and "doi-invisible" in wanted:
        more["doi-invisible"] = _visible_in_url(text, at, end, place.doi)
    edits = [*right]
    for code, (others, given) in more.items():
        overlap = {each for each in others for a, b, _ in right if each[0] < b and a < each[1]}
        if apart := [each for each in others if each not in overlap]:
            edits, codes, doi = edits + apart, (*codes, code), doi if right else given
    for first, last, new in edits:
        # What replaces nothing is just after the character before.
        span = source.span(first, last) if first < last else source.span(first - 1, first)[1:] * 2
        put.append((span[0], span[1], row.escape(new)))
    return sorted(put), codes, doi, in_url


_TITLE: Final = re.compile(r"\s<")  # before the target of a role


def _begin(place: Found, text: str) -> int:
    """Return the beginning of a name in the text of its place, with the head of its URL."""
    if place.form == "angle":
        return text.find("<") + 1
    if place.form == "role" and text.rstrip().endswith(">"):
        title = _TITLE.search(text)
        return title.end() if title else 0
    return len(text) - len(text.lstrip())


# --------------------------------------------------------------------------------------------------
# What is before a name in a URL: the address of the resolver, written in many ways.

_URL: Final = re.compile(
    rf"(?i)(?P<scheme>{WEB}|//)?(?P<host>{DOI_HOST})(?P<to>{TO_NAME})|(?P<typo>{MISTYPED})(?=10\.)"
)
# EZproxy serves doi.org as doi-org.<library host>, and served it as doi.org.<library host>.
_COPY: Final = re.compile(rf"(?!{RESOLVER}\Z)", re.IGNORECASE)
_OLD: Final = re.compile(r"(?:www|dx)\.", re.IGNORECASE)  # hosts that doi.org has replaced
_WHOLE: Final = re.compile(r"https?:(?:\\?/){2}", re.IGNORECASE)  # a URL with a scheme


class _Head(NamedTuple):
    """The text before a name."""

    label: str  # before the URL
    url: re.Match[str] | None  # of the resolver; None if there is only a label or nothing
    again: str  # what is between the URL and the name: another URL, or a label
    end: int  # the offset of the name

    def mended(self, wanted: frozenset[str], *, target: bool) -> tuple[str, tuple[str, ...]]:
        """Return the head as it should be, and the codes of the rules that changed it.

        The target of a link needs a scheme, and has no label.
        """
        if (url := self.url) is None:
            return "", ()
        doubled = "doi-doubled" if self.again or (target and self.label) else ""
        used = tuple(code for code in (_wrong(url, target=target), doubled) if code in wanted)
        if not used:
            return "", ()
        mended = url[0]
        if used != ("doi-doubled",):
            has_scheme = bool(url["scheme"] or url["typo"] or target)
            to = url["to"] or "/"
            mended = f"doi.org{'/' if has_scheme or '/' in to else to}"
            mended = f"https://{mended}" if has_scheme else mended
        is_once = "doi-doubled" in used
        label, again = "" if target and is_once else self.label, "" if is_once else self.again
        return f"{label}{mended}{again}", used


def _wrong(url: re.Match[str], *, target: bool) -> str:
    """Return the code of the rule by which a resolver address is wrong; empty if it is not."""
    if url["typo"]:
        return "doi-mistyped"
    scheme, to = url["scheme"] or "", url["to"]
    if _COPY.match(url["host"]):
        return "doi-proxy-copy"
    # In prose, "doi.org:" without a scheme is a label.
    if scheme not in ("", "//") and not (_WHOLE.fullmatch(scheme) and to in ("/", "\\/")):
        return "doi-mistyped"
    if scheme.lower().startswith("http:") or _OLD.match(url["host"]):
        return "doi-resolver"
    return "doi-resolver" if target and scheme in ("", "//") else ""


def _head_of(text: str, at: int = 0) -> _Head:
    """Return the head of a text that is nothing but a DOI, as :meth:`DOI.parse` reads it."""
    start, url, after = at, None, at
    while True:
        if found := _URL.match(text, at):
            if url is None:
                url, after = found, found.end()
        else:
            found = LABEL.match(text, at)
            if not found:
                break
        at = found.end()
    label = text[start : url.start() if url else at]
    return _Head(label, url, text[after:at] if url else "", at)


# --------------------------------------------------------------------------------------------------
# The field of a bibliography that contains a name, and should contain nothing else.

_REACH: Final = 40


def bare(text: str, row: FileType, place: Found) -> Change | None:
    r"""Return the change of a field to the bare name; None if it is that, or in doubt.

    A citation style, or a page, puts ``https://doi.org/`` before the field. If the field contains
    more than the name, it stays where it is not clear that nothing of it matters.
    """
    written, (first, _) = place.written or "", place.span or (0, 0)
    field = row.field
    if field is None or not field.before.search(text, max(0, first - _REACH), first):
        return None
    source = Unescaped(written, row.escapes)
    read = read_field(source.text)
    is_cut = read.is_alone and any(note.code == "more-than-name" for note in place.remarks)
    if is_cut or [match.doi for match in read.names] != [place.doi]:
        return None
    head = _head_of(source.text)
    is_page = not head.end and source.text.startswith("http")
    if not ((head.end or is_page) if read.is_alone else read.is_clear):
        return None
    edits: list[Edit] = [(source.span(0, head.end)[0], source.span(0, head.end)[1], "")]
    rest = source.text[head.end :]
    name = place.doi.name if is_page or not read.is_alone else decode(rest)
    if name != rest:
        if field.special.search(name):
            return None
        edits = [(0, len(written), name)]
    moved = tuple((first + start, first + end, new) for start, end, new in edits)
    return Change(place, moved, written, applied(written, edits), ("doi-field",), place.doi)


# --------------------------------------------------------------------------------------------------
# The ``doi`` fields of front matter: no page links them, so no reader lists them.

# A field of the document, or of a work in CSL, which writes DOI [CSL 1.0.2: "DOI"].
_FIELD: Final = re.compile(
    r"(?m)^[ \t]*+(?:-[ \t]++)?(?:doi|DOI)[ \t]*+[:=][ \t]*+(?P<quote>[\"']?)"
    r"(?P<value>[^\s\"']++)(?P=quote)[ \t]*+(?P<comment>#.*)?$"
)
_SILENCED: Final = re.compile(rf"#[ \t]*{WORD}")


def front_matter(text: str, file: str, options: Options) -> Iterator[Found]:
    """Yield the names in the front matter of a Markdown document."""
    from ...sources.markdown import FRONT_MATTER  # imports markdown-it-py

    front = FRONT_MATTER.match(text)
    if front is None:
        return
    lines = Lines(front[0])
    for field in _FIELD.finditer(front[0]):
        comment = _SILENCED.match(field["comment"] or "")
        try:
            doi, _ = in_field(field["value"])
        except InvalidDOI:
            continue
        if options.ignores(doi) or (comment and comment["word"] == SILENT):
            continue
        span = field.span("value")
        line, column = lines.place(span[0])
        yield Found(
            doi, form="field", file=file, line=line, column=column, span=span,
            written=field["value"],
        )  # fmt: skip


# --------------------------------------------------------------------------------------------------
# The characters of a name in its place.

_triplets: Final = partial(quote, safe="")  # of a character [RFC 3986 §2.1]
# What a URL must not contain raw [RFC 3986 §2]. Characters outside of ASCII may be in an IRI, and
# programs encode them alike. A percent is raw if it does not begin a triplet.
_RAW: Final = re.compile(r'[\s<>"\[\]\\^`{|}]|%(?![0-9A-Fa-f]{2})')
_TAIL: Final = re.compile("[?#]")  # a fragment or query


def _is_written(name: str, doi: DOI) -> bool:
    """Tell whether a text is a name. Markdown encodes invisible characters of a target."""
    decoded = decode(name)
    encoded = RAW_UNSEEN.sub(lambda unseen: _triplets(unseen[0]), decoded)
    return doi.name in (decoded, f"10/{decoded}", encoded)


def _encoded(text: str, at: int, end: int, stop: int, place: Found) -> tuple[list[Edit], DOI]:
    """Return the edits that encode characters of a name in a URL, and the resulting DOI.

    A ``#`` or ``?`` begins a fragment or a query, unless the text of the link names the whole.
    """
    edits = [(*raw.span(), _triplets(raw[0])) for raw in _RAW.finditer(text, at, end)]
    tail = text[end:stop]
    if tail and place.other and place.other.name == place.doi.name + tail:
        edits += ((*mark.span(), _triplets(mark[0])) for mark in _TAIL.finditer(text, end, stop))
        return edits, place.other
    return edits, place.doi


def _corrected(text: str, at: int, end: int, old: DOI, new: DOI) -> Iterator[Edit]:
    """Yield the edits that turn a name in a text into another one."""
    units: list[tuple[int, int, str]] = []  # characters; triplets that stand for one are one unit
    for character, written in characters(text[at:end]):
        units.append((at, at + len(written), character))
        at += len(written)
    name = "".join(character for _, _, character in units)
    if name == new.name or not units:
        return
    if name == old.name and len(name) == len(new.name):
        for (start, stop, wrong), right in zip(units, new.name, strict=True):
            if wrong != right:
                yield start, stop, right
        return
    first = last = 0
    if name == old.name:
        first = _common(name, new.name)
        last = _common(name[first:][::-1], new.name[first:][::-1])
    start = units[first][0] if first < len(units) else end
    stop = units[-last][0] if last else end
    yield start, max(start, stop), new.name[first : len(new.name) - last]


def _common(one: str, two: str) -> int:
    """Count the characters that two texts have in common at their beginning."""
    both = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in both if a != b), min(len(one), len(two)))


# --------------------------------------------------------------------------------------------------
# Invisible characters inside a name: where they are in the source.

_LONGEST: Final = 400  # characters; a name with escapes is hardly longer
# Such a character in a URL, raw or as percent triplets.
_INVISIBLE: Final = re.compile(
    "|".join([RAW_UNSEEN.pattern, *map(_triplets, UNSEEN)]), re.IGNORECASE
)


def _visible(
    text: str, at: int, doi: DOI, whole: DOI, row: FileType, *, encode: bool
) -> tuple[list[Edit], int]:
    """Return edits removing a name's invisible characters, and where the whole name ends.

    The name was cut at the first of them, or a little before it. In a URL, the rest is encoded.
    """
    place = Unescaped(text[at : at + _LONGEST], row.escapes)
    rest = whole.name[len(doi.name) :]
    edits: list[Edit] = []
    seen = ""
    for offset, character in enumerate(place.text):
        start, end = place.span(offset, offset + 1)
        if is_invisible(character):
            edits.append((at + start, at + end, ""))
            continue
        if encode and _RAW.match(place.text, offset):
            edits.append((at + start, at + end, _triplets(character)))
        seen += character
        if decode(seen) == rest:
            return edits, at + end
    return [], at


def _visible_in_url(text: str, at: int, end: int, doi: DOI) -> tuple[list[Edit], DOI]:
    """Return edits that remove invisible characters of a name in a URL, and the new DOI."""
    edits = [(*each.span(), "") for each in _INVISIBLE.finditer(text, at, end)]
    try:
        return edits, DOI(decode(_INVISIBLE.sub("", text[at:end])))
    except InvalidDOI:
        return [], doi


# --------------------------------------------------------------------------------------------------
# The text of a link that is the same as its target: both are one URL, written twice.

_BETWEEN: Final = 210  # characters, longer than what is between them


def _twin_of(text: str, at: int, written: str, between: str) -> list[int]:
    """Find the second copy of a URL nearby: the target of a text, or the text of a target."""
    if not between:
        return []
    pattern = re.compile(between)
    after = at + len(written)
    found = pattern.match(text, after, after + _BETWEEN)
    if found and text.startswith(written, found.end()):
        return [found.end()]
    before = text.rfind(written, max(0, at - len(written) - _BETWEEN), at)
    if before >= 0 and pattern.fullmatch(text, before + len(written), at):
        return [before]
    return []
