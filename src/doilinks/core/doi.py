"""The DOI name: its syntax, its written forms, and when two names are the same.

This module decides what is a DOI name, and reads a text that is nothing but a DOI in any of its
written forms. ``scan`` finds DOIs in running prose.

Spec: [NISO §4] syntax; [URI §2] URI; [URI §3] equivalence; [HB] URL and URN.
"""

from __future__ import annotations

import re
from functools import total_ordering
from typing import Final, Literal

from .encoding import decode, legible_form, link_form, not_graphic, uri_form

__all__ = ["DOI", "PROXY", "Form", "InvalidDOI"]

# How a DOI is written. A scan finds the first five; "urn" also stands for "info:doi/". Documents
# also contain DOIs as targets of links, in roles and in fields of bibliographies.
Form = Literal["bare", "label", "url", "urn", "angle", "link", "role", "field"]

PROXY: Final = "https://doi.org/"

# [NISO §4.2] and Appendix A: <DIR> is 10 and the prefix is numeric; a registrant code may be
# subdivided. A shortDOI name has no registrant code and a suffix of letters and digits.
_NAME: Final = re.compile(r"10(?:\.[0-9]+)+/.+|10/[0-9A-Za-z]+", re.DOTALL)

# What may precede the name, outermost first. All patterns that look for doi.org come from here.
RESOLVER: Final = r"(?:www\.)?(?:dx\.)?doi\.org"
# EZproxy serves doi.org as doi-org.<library host> and served it as doi.org.<library host>.
DOI_HOST: Final = (
    rf"(?:{RESOLVER}(?:\.(?=[\w.-]*(?:proxy|ezp|oclc))[\w.-]+(?::[0-9]+)?)?"
    r"|(?:dx-|www-)?doi-org\.[\w.-]+)"
)
# A scheme and what follows the host, as people type them: http:/doi.org/, https://doi.org:10.1000/182,
# https://doi:10.1000/182; JSON may escape the slashes.
WEB: Final = r"https?(?::(?:\\?/){0,2}|//?:?)"
TO_NAME: Final = r"(?:(?:\\?/)+|:[ ]?)"
MISTYPED: Final = r"https?://doi[:/]"
_URL: Final = re.compile(rf"(?:{WEB}|//)?{DOI_HOST}{TO_NAME}|{MISTYPED}(?=10\.)", re.IGNORECASE)
LABEL: Final = re.compile(
    r"(?:urn:)?doi(?:\s*[:：]|%3A)\s*(?://?(?=10))?|info:doi/|doi[\s.-]*(?=10[./])", re.IGNORECASE
)

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
        return f"doi:{legible_form(self._name)}"

    @property
    def url(self) -> str:
        """The link at the public proxy, ``https://doi.org/10.1000/456%23789``. Source: [HB]."""
        return self.url_at(PROXY)

    def url_at(self, proxy: str) -> str:
        """The link at another proxy; ``proxy`` ends in a slash. Source: [HB]."""
        return proxy + link_form(self._name)

    def api_at(self, base: str) -> str:
        """The address at which a Handle API has the record of the name; ``base`` ends in a slash.

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


def parse_parts(text: str) -> tuple[DOI, str]:
    """Like :meth:`DOI.parse`, and the URL's own query and fragment (``""`` when there is none).

    >>> parse_parts("https://doi.org/10.1000/182?locatt=mode:legacy#top")
    (DOI('10.1000/182'), '?locatt=mode:legacy#top')
    """
    rest = text.strip()
    label = LABEL.match(rest)
    opener = label.end() if label else 0
    if rest.endswith(">") and rest.startswith("<", opener):
        rest = rest[opener + 1 : -1]
    tail = ""
    url = urn = short = False
    at = 0
    while True:
        if found := _URL.match(rest, at):
            if not url:
                rest, tail = _split_tail(rest, found.end())
            url, urn, short = True, False, "www" not in found[0].lower()
        elif found := LABEL.match(rest, at):
            urn = found[0][:4].lower() == "urn:"
            short = False
        else:
            break
        at = found.end()
    name = decode_name(rest[at:], urn=urn)
    # doi.org also serves a shortDOI without its "10/". Heuristic: without a digit, the path is a
    # page of the web site, such as https://doi.org/resources.
    if short and name != "10" and name.isalnum() and not name.isalpha():
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
    return decode(written)


def _split_tail(url: str, at: int) -> tuple[str, str]:
    """Cut a URL before its query or fragment, the first ``?`` or ``#`` from ``at`` on."""
    ends = [end for end in (url.find("?", at), url.find("#", at)) if end >= 0]
    end = min(ends, default=len(url))
    return url[:end], url[end:]


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
