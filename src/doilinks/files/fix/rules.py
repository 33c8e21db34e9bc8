"""The rules of ``doilinks fix``: the table, what each does, and the name in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple
from urllib.parse import quote

from ...core.doi import (
    DOI,
    DOI_HOST,
    LABEL,
    MISTYPED,
    RESOLVER,
    TO_NAME,
    WEB,
    InvalidDOI,
    characters,
    decode,
)
from ...core.found import SILENT, WORD, Found
from ...core.link import in_field
from ...core.options import Options
from ...core.remarks import DASHES
from ...core.text import is_invisible
from ..sources.escapes import Unescaped
from ..sources.prose import Lines
from ..sources.types import FileType


class Rule(NamedTuple):
    """One way in which a name may be written wrongly."""

    code: str  # what messages call it; this never changes
    what: str  # what is wrong, as a phrase
    asks: bool = False  # whether it needs what the check knows
    named: bool = False  # whether it is used only if a user names it
    house: bool = False  # whether it is a form of house style, of which a type of files has one


RULES: Final = (
    Rule("doi-resolver", "an old address of the resolver: http:, dx. or www., or no scheme"),
    Rule("doi-proxy-copy", "the copy of doi.org at a library"),
    Rule("doi-doubled", "an address of the resolver or a label, twice"),
    Rule("doi-mistyped", "a mistyped address of the resolver"),
    Rule("doi-encoding", "a URL that contains what no URL may contain"),
    Rule("doi-field", "more than the name in a field for the name"),
    Rule("doi-invisible", "an invisible character inside a name"),
    Rule("doi-bare-target", "a target of a link that is nothing but a name", named=True),
    Rule("doi-dash", "a dash instead of a hyphen, in a name that does not resolve", asks=True),
    Rule("doi-near", "a name that does not resolve, where the check knows another", asks=True),
    Rule("doi-alias", "a shortDOI instead of the name that it stands for", asks=True),
    Rule("doi-work", "a wrong name, where the check knows which was meant", asks=True, named=True),
    Rule("doi-newer", "a preprint that was published since", asks=True, named=True),
    Rule("doi-publisher", "a publisher's page instead of the name", asks=True, named=True),
    Rule("doi-missing", "a reference without the DOI that was found", asks=True, named=True),
    Rule("doi-role", "a name in reStructuredText without the role", named=True, house=True),
    Rule("doi-uri", "a name in Markdown that is no doi:", named=True, house=True),
    Rule("doi-url", "a name in Markdown that is no URL", named=True, house=True),
)


_NAMES: Final = "; to leave names as they are, set ignore in [tool.doilinks] of pyproject.toml"


class UnknownRule(ValueError):
    """A code that is not that of a rule. The message names it."""


def chosen(select: Iterable[str], ignore: Iterable[str], *, asks: bool) -> frozenset[str]:
    """The codes of the rules that a user wants: those selected, else all that need not be named.

    ``asks`` says whether the rules that need the check may be among them.
    """
    known = {rule.code for rule in RULES}
    select, ignore = set(select), set(ignore)
    for code in sorted((select | ignore) - known):
        # The option of the same name of the check takes names.
        names = "" if code.startswith("doi-") else _NAMES
        raise UnknownRule(
            f"there is no rule {code!r}{names} (there are {', '.join(sorted(known))})"
        )
    if {"doi-uri", "doi-url"} <= select - ignore:
        raise UnknownRule("doi-uri and doi-url: of these, a project needs one")
    usable = {rule.code for rule in RULES if asks or not rule.asks}
    unnamed = {rule.code for rule in RULES if not rule.named}
    return frozenset((select or unnamed) & usable - ignore)


# --------------------------------------------------------------------------------------------------
# What is before a name in a URL: the address of the resolver, written in many ways.

_URL: Final = re.compile(
    rf"(?P<scheme>{WEB}|//)?(?P<host>{DOI_HOST})(?P<to>{TO_NAME})|(?P<typo>{MISTYPED})(?=10\.)",
    re.IGNORECASE,
)
# EZproxy serves doi.org as doi-org.<library host>, and served it as doi.org.<library host>.
_COPY: Final = re.compile(rf"(?!{RESOLVER}\Z)", re.IGNORECASE)
_OLD: Final = re.compile(r"(?:www|dx)\.", re.IGNORECASE)
_WHOLE: Final = re.compile(r"https?:(?:\\?/){2}", re.IGNORECASE)


class Head(NamedTuple):
    """What is before a name."""

    label: str  # before the URL
    url: re.Match[str] | None  # of the resolver; None if there is only a label or nothing
    again: str  # what is between the URL and the name: another URL, or a label
    end: int  # the offset of the name

    def mended(self, wanted: frozenset[str], *, target: bool) -> tuple[str, tuple[str, ...]]:
        """The head as it should be, and the codes of the rules that changed it.

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
            if "\\/" in url[0]:  # as JSON may escape it
                mended = mended.replace("/", "\\/")
        is_once = "doi-doubled" in used
        label, again = "" if target and is_once else self.label, "" if is_once else self.again
        return f"{label}{mended}{again}", used


def _wrong(url: re.Match[str], *, target: bool) -> str:
    """The code of the rule by which an address of the resolver is wrong; empty if it is not."""
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


def head_of(text: str, at: int = 0) -> Head:
    """The head of a text that is nothing but a DOI, as :meth:`DOI.parse` reads it.

    >>> head_of("http://dx.doi.org/doi:10.1000/182").mended(frozenset({"doi-doubled"}), target=True)
    ('http://dx.doi.org/', ('doi-doubled',))
    """
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
    return Head(label, url, text[after:at] if url else "", at)


# --------------------------------------------------------------------------------------------------
# The field of a bibliography that contains a name, and should contain nothing else.

_REACH: Final = 40


def bare(text: str, row: FileType, found: Found) -> Change | None:
    r"""The change of a field to the bare name; None if it contains more, or is the name already.

    A citation style, or a page, puts ``https://doi.org/`` before the field.
    """
    written, (first, _) = found.written or "", found.span or (0, 0)
    field = row.field
    if field is None or not field.before.search(text, max(0, first - _REACH), first):
        return None
    place = Unescaped(written, row.escapes)
    head = head_of(place.text)
    is_page = not head.end and place.text.startswith("http")
    if not head.end and not is_page:
        return None
    try:
        if in_field(place.text)[1]:  # a query says more than the name
            return None
    except InvalidDOI:
        return None
    edits: list[Edit] = [(place.span(0, head.end)[0], place.span(0, head.end)[1], "")]
    rest = place.text[head.end :]
    name = found.doi.name if is_page else decode(rest)
    if name != rest:
        if field.special.search(name):
            return None
        edits = [(0, len(written), name)]
    moved = tuple((first + start, first + end, new) for start, end, new in edits)
    return Change(found, moved, written, applied(written, edits), ("doi-field",), found.doi)


# --------------------------------------------------------------------------------------------------
# The ``doi`` fields of front matter: no page links them, so no reader lists them.

# A field of the document, or of a work in CSL, which writes DOI [CSL 1.0.2: "DOI"].
_FIELD: Final = re.compile(
    r"^[ \t]*+(?:-[ \t]++)?(?:doi|DOI)[ \t]*+[:=][ \t]*+(?P<quote>[\"']?)"
    r"(?P<value>[^\s\"']++)(?P=quote)[ \t]*+(?P<comment>#.*)?$",
    re.MULTILINE,
)
_SILENCED: Final = re.compile(rf"#[ \t]*{WORD}")


def front_matter(text: str, file: str, options: Options) -> Iterator[Found]:
    """The names in the front matter of a Markdown document."""
    from ..sources.markdown import FRONT_MATTER  # imports markdown-it-py

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
# Corrections that come from the check: the right name, and the rule that applies it.

_TO_HYPHENS: Final = str.maketrans(dict.fromkeys(DASHES, "-"))


class Correction(NamedTuple):
    """What is right instead of a name."""

    code: str  # of the rule
    doi: DOI  # the right name
    # Where it is right: file, line and column; None: everywhere.
    places: frozenset[tuple[str | None, int | None, int | None]] | None = None
    page: bool = False  # whether it is right too instead of the publisher's page that contains it


def correction(
    doi: DOI, near: DOI | None, alias: DOI | None, newer: DOI | None = None
) -> Correction | None:
    r"""What is right instead of a name, if the check knows it.

    That is the ``near`` miss that resolves, if the name does not; the name for which an ``alias``
    stands; and the article that is ``newer``, if the name is a preprint that no text means.
    """
    if near is not None:
        dash = doi.name.translate(_TO_HYPHENS) == near.name
        return Correction("doi-dash" if dash else "doi-near", near)
    # A name may also stand for another whole name, which is no better for a reader.
    if alias is not None and doi.prefix == "10" and alias.prefix != "10":
        return Correction("doi-alias", alias)
    return Correction("doi-newer", newer) if newer is not None else None


def corrected(text: str, at: int, end: int, old: DOI, new: DOI) -> Iterator[Edit]:
    """The characters of a name in a text that have to be replaced for it to be another one."""
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
    """How many characters two texts have in common at their beginning."""
    both = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in both if a != b), min(len(one), len(two)))


# --------------------------------------------------------------------------------------------------
# A change of a source: of one name, in one place.

Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one name, in one place."""

    found: Found  # the name as it was found, with a span
    edits: tuple[Edit, ...]  # what is replaced: `(start, end, new)`, offsets in the source
    old: str  # the text before
    new: str  # the text after
    codes: tuple[str, ...]  # of the rules that want it
    doi: DOI  # the name that it gives

    def __str__(self) -> str:
        place = f"{self.found.file}:{self.found.line}:{self.found.column}"
        old = f"{self.old} → " if self.old else "+ "
        return f"{place}: {old}{self.new} [{', '.join(self.codes)}]"


def applied(text: str, edits: list[Edit]) -> str:
    """A text after edits, which are in order and disjoint."""
    parts, at = [], 0
    for start, end, new in edits:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


# --------------------------------------------------------------------------------------------------
# The characters of a name in its place.

triplets: Final = partial(quote, safe="")  # of a character [RFC 3986 §2.1]
# What a URL must not contain raw [RFC 3986 §2]. Characters outside of ASCII may be in an IRI, and
# programs encode them alike. A percent is raw if it does not begin a triplet.
_RAW: Final = re.compile(r'[\s<>"\[\]\\^`{|}]|%(?![0-9A-Fa-f]{2})')
TAIL: Final = re.compile("[?#]")
# The soft hyphen, spaces and joiners without width, marks of direction, and the byte order mark:
# what programs put into URLs, raw or as triplets. A list, because a pattern cannot ask for a
# category of characters; where no pattern is needed, ``is_invisible`` decides.
_UNSEEN: Final = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\ufeff"
)
_RAW_UNSEEN: Final = re.compile(f"[{_UNSEEN}]")


def is_written(name: str, doi: DOI) -> bool:
    """Whether a text is a name. Markdown encodes what is invisible in a target."""
    decoded = decode(name)
    encoded = _RAW_UNSEEN.sub(lambda unseen: triplets(unseen[0]), decoded)
    return doi.name in (decoded, f"10/{decoded}", encoded)


def encoded(text: str, at: int, end: int, stop: int, found: Found) -> tuple[list[Edit], DOI]:
    """What has to be encoded in a name of a URL, and the DOI that this gives.

    A ``#`` or ``?`` begins a fragment or a query, unless the text of the link names the whole.
    """
    edits = [(*raw.span(), triplets(raw[0])) for raw in _RAW.finditer(text, at, end)]
    tail = text[end:stop]
    if tail and found.other and found.other.name == found.doi.name + tail:
        edits += ((*mark.span(), triplets(mark[0])) for mark in TAIL.finditer(text, end, stop))
        return edits, found.other
    return edits, found.doi


# --------------------------------------------------------------------------------------------------
# Invisible characters inside a name: where they are in the source.

_LONGEST: Final = 400  # characters; a name with escapes is hardly longer
# Such a character in a URL, raw or as percent triplets.
_INVISIBLE: Final = re.compile(
    "|".join([_RAW_UNSEEN.pattern, *map(triplets, _UNSEEN)]), re.IGNORECASE
)


def visible(
    text: str, at: int, found: DOI, whole: DOI, row: FileType, *, encode: bool
) -> tuple[list[Edit], int]:
    """The invisible characters of a name, removed, and where the whole name ends.

    The name was cut at the first of them, or a little before it. In a URL, the rest is encoded.
    """
    place = Unescaped(text[at : at + _LONGEST], row.escapes)
    rest = whole.name[len(found.name) :]
    edits: list[Edit] = []
    seen = ""
    for offset, character in enumerate(place.text):
        start, end = place.span(offset, offset + 1)
        if is_invisible(character):
            edits.append((at + start, at + end, ""))
            continue
        if encode and _RAW.match(place.text, offset):
            edits.append((at + start, at + end, triplets(character)))
        seen += character
        if decode(seen) == rest:
            return edits, at + end
        if character.isspace():
            break
    return [], at


def visible_in_url(text: str, at: int, end: int, found: DOI) -> tuple[list[Edit], DOI]:
    """The invisible characters of a name in a URL, removed, and the DOI that this gives."""
    edits = [(*each.span(), "") for each in _INVISIBLE.finditer(text, at, end)]
    try:
        return edits, DOI(decode(_INVISIBLE.sub("", text[at:end])))
    except InvalidDOI:
        return [], found
