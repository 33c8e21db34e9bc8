"""The DOI name: its syntax, its written forms, and when two names are the same.

This module decides what is a DOI name, and reads a text that is nothing but a DOI in any of its
written forms. ``scan`` finds DOIs in running prose.

Spec: [NISO §4] syntax; [URI §2] URI; [URI §3] equivalence; [HB] URL and URN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import total_ordering
from typing import Final, Literal

# --------------------------------------------------------------------------------------------------
# The encodings of a DOI name, and the way back.
#
# All encodings work on the UTF-8 bytes of a name, without any normalisation, and differ only in the
# characters they keep, so all come from one set of characters.
#
# Spec: [URI §2] for the URI form, [HB] for the link form, [2000] for reading percent triplets. The
# legible form is ours.

# [URI §2] step 2a: unreserved, sub-delims, ":" and "@" are kept (RFC 3986 §2.2 and §2.3).
_UNRESERVED: Final = r"A-Za-z0-9._~\-"
_SUB_DELIMS: Final = "!$&'()*+,;="
_URI_KEEPS: Final = f"{_UNRESERVED}{_SUB_DELIMS}:@"
# [HB] recommended rules: "+" is encoded in links. The slash separates path segments and stays.
_LINK_KEEPS: Final = _URI_KEEPS.replace("+", "") + "/"
# Characters that a reader can read, copy and type without a mistake: those that the URI form keeps
# (so this form is never longer), slashes, square brackets, and accented letters that look like no
# other letter. White space, quotes, < > # ? % and characters of markup or of URLs are encoded
# [NISO §E] [2000]. So is all else outside of ASCII, because it may look like another character, as
# a dash looks like a hyphen, or be invisible, or not be composed [URI §2] note 2. Heuristic: none
# of these letters of Latin-1 looks like another one or like ASCII (UTS #39), and each is one code
# point.
_ACCENTED: Final = "À-ÅÇ-ÏÑ-ÖÙ-Ýà-åç-ïñ-öù-ýÿ"
_LEGIBLE_KEEPS: Final = rf"{_URI_KEEPS}/\[\]{_ACCENTED}"
# The query and fragment of a URL that an author wrote (RFC 3986 §3.4), triplets included.
_TAIL_KEEPS: Final = _URI_KEEPS + "/?#%"

# The engine searches for a class much faster than for a repeated class, so the class of the first
# character stands alone.
_URI_ENCODES, _LINK_ENCODES, _LEGIBLE_ENCODES, _TAIL_ENCODES = (
    re.compile(f"[^{keeps}][^{keeps}]*")
    for keeps in (_URI_KEEPS, _LINK_KEEPS, _LEGIBLE_KEEPS, _TAIL_KEEPS)
)

# Adjacent triplets, which together may be one character of UTF-8.
_TRIPLETS: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

# The bytes that begin a UTF-8 sequence, and how many belong to it (RFC 3629 §4).
_UTF8_LENGTH: Final = ((0x00, 0x7F, 1), (0xC2, 0xDF, 2), (0xE0, 0xEF, 3), (0xF0, 0xF4, 4))


def is_graphic(character: str) -> bool:
    """Tell whether one code point is graphic; a DOI name contains no others.

    Graphic code points are letters, marks, numbers, punctuation, symbols and spaces (Unicode
    §2.4). Control, format, private-use, surrogate and unassigned code points and line separators
    are not.
    Source: [URI §2], [NISO §4.1].
    """
    import unicodedata  # rarely needed, so not loaded with every import of doilinks

    category = unicodedata.category(character)
    return category[0] in "LMNPS" or category == "Zs"


def not_graphic(text: str) -> int | None:
    """Return the offset of the first code point in ``text`` that is not graphic, or None."""
    if text.isprintable():
        return None
    return next((at for at, character in enumerate(text) if not is_graphic(character)), None)


def uri_form(part: str) -> str:
    """Encode a prefix or a suffix for the ``doi:`` URI, slashes too. Source: [URI §2]."""
    return _URI_ENCODES.sub(_triplets, part)


def link_form(name: str) -> str:
    """Encode a whole DOI name for the path of an https link. Source: [HB]."""
    path = _LINK_ENCODES.sub(_triplets, name)
    if "/." not in path:
        return path
    # Clients remove each segment that is ``.`` or ``..``, so the slash after it is encoded ([HB]
    # note on ``/./`` and ``/../``); at the end, where none is, the slash before it. To encode the
    # dot would not help, because browsers read ``%2e`` as a dot.
    return re.sub(r"(?<=/\.)/|(?<=/\.\.)/|/(?=\.{1,2}\Z)", "%2F", path)


def tail_form(tail: str) -> str:
    """Encode in an author's query and fragment what no URL may contain (RFC 3986 §3.4)."""
    return _TAIL_ENCODES.sub(_triplets, tail)


def _triplets(unsafe: re.Match[str]) -> str:
    # Lone surrogates are not in any name, but may be in the tail of a hostile URL.
    return "%" + unsafe[0].encode("utf-8", "replace").hex("%").upper()


def decode(text: str) -> str:
    """Decode the percent triplets of ``text`` that stand for graphic characters, once.

    A triplet that is not part of valid UTF-8, or stands for a character that no DOI name can
    contain, stays as written: its percent sign is then a character of the name.
    Source: [URI §3] step 1; [2000] "percent is always read as the start of a hex triplet".
    """
    if "%" not in text:
        return text
    return _TRIPLETS.sub(lambda run: "".join(a or b for a, b in _characters(run[0])), text)


def has_odd_triplet(path: str) -> bool:
    """Tell whether a triplet in the path of a URL stands for no character that a name may contain.

    In a URL, a percent with two hexadecimal digits is always a triplet (RFC 3986 §2.4), so it
    cannot be a percent of the name.

    >>> has_odd_triplet("10.1000/a%E2%80%8Bb"), has_odd_triplet("10.1000/a%C3%81%25FFb%")
    (True, False)
    """
    runs = _TRIPLETS.finditer(path)
    return any(not character for run in runs for character, _ in _characters(run[0]))


def characters(text: str) -> Iterator[tuple[str, str]]:
    """Yield each character that :func:`decode` returns, and how it is written."""
    at = 0
    for run in _TRIPLETS.finditer(text):
        yield from ((each, each) for each in text[at : run.start()])
        for character, written in _characters(run[0]):
            # A triplet that does not stand for a character stands for three.
            yield from [(character, written)] if character else ((each, each) for each in written)
        at = run.end()
    yield from ((each, each) for each in text[at:])


def _characters(run: str) -> Iterator[tuple[str, str]]:
    """Yield each graphic character, or ``""`` for anything else, with its percent triplets."""
    octets = bytes.fromhex(run.replace("%", ""))
    at = 0
    while at < len(octets):
        size = next((n for low, high, n in _UTF8_LENGTH if low <= octets[at] <= high), 1)
        try:
            character = octets[at : at + size].decode("utf-8")
        except UnicodeDecodeError:
            character, size = "", 1
        good = character != "" and is_graphic(character)
        yield character if good else "", run[3 * at : 3 * (at + size)]
        at += size


# How a DOI is written. A scan finds the first six; "urn" also stands for "info:doi/". Documents
# also contain DOIs as targets of links, in roles, in fields of bibliographies and in addresses of
# publishers' pages.
Form = Literal[
    "bare", "label", "url", "urn", "angle", "arxiv", "link", "target", "role", "field",
    "publisher", "cite",
]  # fmt: skip

PROXY: Final = "https://doi.org/"

# [NISO §4.2] and Appendix A: <DIR> is 10 and the prefix is numeric; a registrant code may be
# subdivided. A shortDOI name has no registrant code and a suffix of letters and digits.
_NAME: Final = re.compile(r"10(?:\.[0-9]+)+/.+|10/[0-9A-Za-z]+", re.DOTALL)

# The parts before the name, outermost first. All patterns that look for doi.org come from here.
RESOLVER: Final = r"(?:www\.)?(?:dx\.)?doi\.org"
# EZproxy serves doi.org as doi-org.<library host> and served it as doi.org.<library host>; other
# proxies of libraries put 0- before it, or a port or a letter after it.
_COPY: Final = r"\.[\w.-]+(?::[0-9]+)?"
DOI_HOST: Final = (
    rf"(?:{RESOLVER}(?::(?:80|443)(?=/))?(?:(?=\.[\w.-]*(?:proxy|ezp|oclc|remotexs|webvpn)){_COPY})?"
    rf"|0-{RESOLVER}{_COPY}|(?:0-)?(?:dx-|www-)?doi-org(?:-[0-9a-z]+)?{_COPY})"
)
# A scheme and what follows the host, as people type them: http:/doi.org/, https://doi.org:10.1000/182,
# http://https://doi.org/, https：//doi.org/, https://doi:10.1000/182, https://10.1000/182; JSON may
# escape the slashes. No computer's address has a part of four digits.
SLASH: Final = r"\\?[/／]"
WEB: Final = rf"(?:https?(?:[:：](?:{SLASH}){{0,2}}|//?:?)){{1,2}}"
TO_NAME: Final = rf"(?:(?:{SLASH})+|[:：][ ]?)"
# The text before the name in a URL may be encoded: an address, a blank, an invisible character.
_ENCODED_UNSEEN: Final = r"%(?:C2%AD|E2%80%(?:8[B-F]|A[A-E])|E2%81%A0|EF%BB%BF)"
ENCODED: Final = rf"(?:https?%3A(?:%2F){{2}})?{DOI_HOST}%2F|%20|{_ENCODED_UNSEEN}"
MISTYPED: Final = r"https?://(?:doi[:/]|(?=10\.[0-9]{4}))"
# All of an address before the name, so that the name can be decoded.
_URL: Final = re.compile(rf"(?:{WEB}|//)?{DOI_HOST}{TO_NAME}|{MISTYPED}(?=10\.)", re.IGNORECASE)
# In the addresses of publishers' pages, /doi/ is before the name; authors change only the host.
PUBLISHERS_PATH: Final = r"doi\\?/"
# Everything else that stands before a name: labels, URNs, paths of publishers.
LABEL: Final = re.compile(
    r"(?:urn:)?doi(?:\s*[:：]|%3A)\s*(?://?(?=10))?|info:doi/|doi[\s.-]*(?=10[./])"
    rf"|{PUBLISHERS_PATH}(?=10\.)|{ENCODED}",
    re.IGNORECASE,
)
# doi.org also serves a shortDOI without its "10/". Heuristic: a code has a digit, or at least four
# letters and no vowel; other paths are pages, such as https://doi.org/resources.
SHORT_CODE: Final = r"(?:[A-Za-z]*[0-9]|(?!https?|nnn|xxx)[b-df-hj-np-tv-xz]{4,8}(?![A-Za-z]))"
_SHORT_CODE: Final = re.compile(SHORT_CODE)  # a path that is a shortDOI
# A slash that is encoded twice, as the rest then is, or full-width, and invisible characters.
_ODD_SLASH: Final = re.compile(rf"(?i)(10[.0-9]*)(?:(%252F)|／|(?:/|%2F)(?:{_ENCODED_UNSEEN})+)")

# Invisible characters that programs put into names: the soft hyphen, spaces without width, joiners,
# marks of direction, and the byte order mark. A list, because a pattern cannot ask for a category
# of characters; where no pattern is needed, ``is_invisible`` of ``text`` decides.
UNSEEN: Final = (
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
RAW_UNSEEN: Final = re.compile(f"[{UNSEEN}]")  # any one of them
_ANY: Final = f"[{UNSEEN}]*+"
# The text before the suffix, with such characters anywhere: no name can end there.
_ADDRESS: Final = re.compile(
    rf"(?i)(?:\A{_ANY})?"
    rf"(?:(?::{_ANY}/{_ANY}/{_ANY})?(?:(?:dx|www){_ANY}\.{_ANY})?d{_ANY}o{_ANY}i{_ANY}"
    rf"(?:\.{_ANY}o{_ANY}r{_ANY}g{_ANY}/|[ \t]?[:：/]){_ANY}(?:\s{_ANY}){{0,3}})?"
    rf"10{_ANY}\.{_ANY}(?:[0-9.]{_ANY}){{3,20}}/{_ANY}"
)

# In the target of a link, programs encode such a character, in the host as IDNA does, and a
# full-width colon or slash.
_HEAD: Final = re.compile(
    rf"(?i)(?:{_ENCODED_UNSEEN}|%EF%BC%(?:9A|8F)|[^%?#]){{0,120}}?"
    rf"10(?:[0-9.]|{_ENCODED_UNSEEN}){{3,30}}(?:/|%EF%BC%8F)"
    rf"(?:{_ENCODED_UNSEEN})*"
)
# A part of the host as IDNA encodes it, with an invisible character.
_HOST_LABEL: Final = re.compile(r"xn--((?:dx|www|doi|org)-[0-9a-z]{1,9})(?=[./])", re.IGNORECASE)

# [URI §3] note: only letters of the Basic Latin block are equal in both cases.
_FOLD: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


class InvalidDOI(ValueError):
    """A text that is not a DOI name.

    :ivar text: the text as given
    :ivar reason: a phrase that says why it is not a DOI name
    """

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text, reason)
        self.text = text
        self.reason = reason

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 80 else self.text[:77] + "..."
        return f"not a DOI name: {shown!r} ({self.reason})"


@total_ordering
class DOI:
    """One DOI name, immutable. Names that differ only in the case of ASCII letters are equal.

    Names are in the order of their code points, without the case of ASCII letters. A space is a
    graphic character, so a name may contain one [URI §2]; ``scan`` ends a name before it.

    :param name: the raw name, never percent-encoded, in the author's own case
    :raises InvalidDOI: if ``name`` is not a DOI name

    >>> DOI("10.1000/456#789").uri
    'doi:10.1000/456%23789'
    >>> DOI("10.123/ABC") == DOI("10.123/AbC"), DOI("10.1/Á") == DOI("10.1/á")
    (True, False)
    >>> sorted([DOI("10.123/b"), DOI("10.123/C"), DOI("10.123/A")])
    [DOI('10.123/A'), DOI('10.123/b'), DOI('10.123/C')]
    """

    __slots__ = ("_folded", "_name")

    _folded: str

    def __init__(self, name: str) -> None:
        if _NAME.fullmatch(name) is None:
            raise InvalidDOI(name, _why_not(name))
        bad = not_graphic(name)
        if bad is not None:
            code = f"U+{ord(name[bad]):04X}"
            raise InvalidDOI(name, f"{code} at offset {bad} is not a graphic character")
        self._name = name

    @property
    def name(self) -> str:
        """The raw name, as in the DOI system, but with the author's upper and lower case."""
        return self._name

    @property
    def prefix(self) -> str:
        """The part before the first slash, ``10.1000``. Source: [NISO §4.2]."""
        return self._name.partition("/")[0]

    @property
    def suffix(self) -> str:
        """The part after the first slash, ``456#789``. Source: [NISO §4.3]."""
        return self._name.partition("/")[2]

    def __reduce__(self) -> tuple[type[DOI], tuple[str]]:
        return DOI, (self._name,)

    @classmethod
    def parse(cls, text: str) -> DOI:
        """Read a text that is nothing but one DOI, in any written form.

        Forms: a bare name, ``doi:``, ``DOI:``, ``urn:doi:``, ``info:doi/``, and the URLs of
        doi.org, dx.doi.org and their EZproxy copies. One form may contain another, and ``<`` and
        ``>`` may enclose any of them. Percent triplets are decoded once ([2000]). A query or
        fragment of a URL is not part of the name (RFC 3986 §3).

        :raises InvalidDOI: if ``text`` is not one of these forms

        >>> DOI.parse("https://doi.org/urn:doi:10.123:456ABC%2Fzyz").name
        '10.123/456ABC/zyz'
        """
        return parse_parts(text)[0]

    @property
    def uri(self) -> str:
        """The DOI name URI, for example ``doi:10.1000/456%23789``. Source: [URI §2]."""
        prefix, _, suffix = self._name.partition("/")
        return f"doi:{prefix}/{uri_form(suffix)}"

    @property
    def legible(self) -> str:
        """``doi:`` and the name, with only those characters encoded that could mislead a reader.

        It reads back: ``DOI.parse(doi.legible) == doi``. Source: heuristic, after [URI §2] note 2.

        >>> DOI("10.1051/0004-6361/201935325").legible, DOI("10.1000/456#789").legible
        ('doi:10.1051/0004-6361/201935325', 'doi:10.1000/456%23789')
        """
        return f"doi:{_LEGIBLE_ENCODES.sub(_triplets, self._name)}"

    @property
    def url(self) -> str:
        """The link at the public proxy, ``https://doi.org/10.1000/456%23789``. Source: [HB]."""
        return self.url_at(PROXY)

    def url_at(self, proxy: str) -> str:
        """Return the URL at another proxy; ``proxy`` ends in a slash. Source: [HB]."""
        return proxy + link_form(self._name)

    def api_at(self, base: str) -> str:
        """Return the URL of the record in a Handle API; ``base`` ends in a slash.

        It is the base and the scheme-specific part of the URI [URI §4]. Clients remove segments of
        a path that are dots. If the whole suffix is such a segment, the slash before it is encoded,
        as in a link [HB].

        >>> DOI("10.1000/a+b/c").api_at("https://doi.org/api/handles/")
        'https://doi.org/api/handles/10.1000/a+b%2Fc'
        >>> DOI("10.1000/..").api_at("https://doi.org/api/handles/")
        'https://doi.org/api/handles/10.1000%2F..'
        """
        part = self.uri.removeprefix("doi:")
        return base + (part.replace("/", "%2F") if self.suffix in (".", "..") else part)

    @property
    def urn(self) -> str:
        """The URN form, ``urn:doi:10.1000:456%23789``. Source: [HB] note on URNs."""
        return f"urn:doi:{self.prefix}:{uri_form(self.suffix)}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DOI):
            return NotImplemented
        return self.folded == other.folded

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, DOI):
            return NotImplemented
        return self.folded < other.folded

    def __hash__(self) -> int:
        return hash(self.folded)

    @property
    def folded(self) -> str:
        """The name with ASCII letters in lower case, the same for equal names. Source: [URI §3].

        >>> DOI("10.123/AbC-Á").folded
        '10.123/abc-Á'
        """
        try:
            return self._folded
        except AttributeError:
            self._folded = self._name.translate(_FOLD)
            return self._folded

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"DOI({self._name!r})"


def unseen(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield invisible characters before suffixes of names, as pieces of a ``SourceText``."""
    if not text.isascii():
        for address in _ADDRESS.finditer(text):
            yield from ((*each.span(), "") for each in RAW_UNSEEN.finditer(text, *address.span()))


def visible(target: str) -> str:
    r"""Remove invisible characters before the suffix of a DOI name from the target of a link.

    >>> visible("https://xn--doi-4m0a.org/10.1000/%E2%80%8B182")
    'https://doi.org/10.1000/182'
    """
    if "%" in target and (head := _HEAD.match(target)):
        seen = re.sub(_ENCODED_UNSEEN, "", head[0], flags=re.IGNORECASE)
        seen = seen.replace("%EF%BC%9A", ":").replace("%EF%BC%8F", "/")
        target = seen + target[head.end() :]
    if "xn--" in target:
        target = _HOST_LABEL.sub(lambda x: x[1].encode().decode("punycode", "replace"), target)
    if target.isascii():
        return target
    return _ADDRESS.sub(lambda address: RAW_UNSEEN.sub("", address[0]), target)


def parse_parts(text: str) -> tuple[DOI, str]:
    """Parse as :meth:`DOI.parse` does; return the URL's query and fragment too, or ``""``."""
    rest = visible(text.strip())
    label = LABEL.match(rest)
    opener = label.end() if label else 0
    if rest.endswith(">") and rest.startswith("<", opener):
        rest = rest[opener + 1 : -1]
    tail = ""
    url = urn = short = False
    at = 0
    while True:
        if part := _URL.match(rest, at):
            if not url:
                ends = [end for end in (rest.find(sign, part.end()) for sign in "?#") if end >= 0]
                end = min(ends, default=len(rest))
                rest, tail = rest[:end], rest[end:]
            url, urn, short = True, False, "www" not in part[0].lower()
        elif part := LABEL.match(rest, at):
            urn = part[0][:4].lower() == "urn:"
            short = False
        else:
            break
        at = part.end()
    name = decode_name(rest[at:], urn=urn)
    if short and name != "10" and name.isalnum() and _SHORT_CODE.match(name):
        name = "10/" + name
    try:
        return DOI(name), tail
    except InvalidDOI as error:
        raise InvalidDOI(text, error.reason) from None


def decode_name(written: str, *, urn: bool = False) -> str:
    """Decode a name as written after its label; in a URN the first colon is the slash [HB]."""
    if urn:
        prefix, colon, suffix = written.partition(":")
        if colon and "/" not in decode(prefix):
            return f"{prefix}/{decode(suffix)}"
    if odd := _ODD_SLASH.match(written):
        rest = written[odd.end() :]
        written = f"{odd[1]}/{decode(rest) if odd[2] else rest}"
    return decode(written)


def _why_not(name: str) -> str:
    if not name.startswith("10"):
        return "it does not begin with 10."
    if "/" not in name:
        return "it has no slash between prefix and suffix"
    if name.startswith("10/"):
        return "a shortDOI is 10/ and letters or digits"
    if name.endswith("/") and name.count("/") == 1:
        return "it has no suffix"
    return "its prefix is not 10. and digits"
