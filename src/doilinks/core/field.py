"""A field that should contain a DOI name and nothing else: one reading, for files and for hosts.

Readers of files have the field itself. A host gets the link that another tool has made of it, with
the whole field after ``https://doi.org/``. Both have to read the same name.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .doi import DOI, PROXY, InvalidDOI, decode, parse_parts
from .scan import Match, scan
from .text import plain_field

# Heuristic: parts of addresses that were copied, which no registered name contains.
_QUERY: Final = re.compile(r"\?\w{1,40}=.*", re.DOTALL)
_ODD: Final = re.compile(r"\s|\\[A-Za-z]")  # a blank, or an unknown command of LaTeX: no name
# The text after a whole name. A word or a hyphen may be the rest of a name with a blank.
_AFTER: Final = re.compile(r"\s*(?:[()\[\]{}<>.,;:%'\"]|\Z)")
# An address elsewhere may be that of the work itself, which bibliographies print alike.
_ELSEWHERE: Final = re.compile(rf"(?!{PROXY})https?://\S*\Z", re.IGNORECASE)


class Field(NamedTuple):
    """The contents of a field: its names in order, and the texts beside and after them."""

    matches: tuple[Match, ...]  # a name may be there twice, as the target and text of a link
    rest: str
    after: str

    @property
    def names(self) -> list[Match]:
        """Each name once."""
        return list({match.doi: match for match in reversed(self.matches)}.values())[::-1]

    @property
    def is_alone(self) -> bool:
        """Tell whether there is one name and nothing else, in any form of a name."""
        return len(self.matches) == 1 and not self.matches[0].tail and not self.rest.strip()

    @property
    def is_clear(self) -> bool:
        """Tell whether there is one name, and the text beside it is neither a part of it nor more.

        Digits may be those of another identifier, and a fragment may be a part of the name.
        """
        says = re.search(r"\d", self.rest) or any("#" in match.tail for match in self.matches)
        return len(self.names) == 1 and not says and _AFTER.match(self.after) is not None


def read_field(text: str) -> Field:
    """Read the text of a field, without escapes.

    >>> [match.doi.name for match in read_field("10.1000/182; 10.1000/183").names]
    ['10.1000/182', '10.1000/183']
    >>> read_field("https://doi.org/10.1000/182").is_alone, read_field("10.1000/182 (pdf)").is_alone
    (True, False)
    """
    value = text.strip()
    written, start = value.rstrip(".,;"), text.find(value)
    try:
        doi, tail = in_field(written)
    except InvalidDOI:
        pass
    else:
        if not tail and (query := _QUERY.search(doi.suffix, 1)):
            doi, tail = DOI(doi.name.removesuffix(query[0])), query[0]
        several = value.count("10.") > 1 and len({match.doi for match in scan(value)}) > 1
        if not several and not _ODD.search(doi.name):
            match = Match(start, start + len(written) - len(tail), doi, tail=tail)
            return Field((match,), value[len(written) :], value[len(written) :])
    matches = tuple(scan(text))
    ends = [0, *(match.end for match in matches)]
    starts = [*(match.start for match in matches), len(text)]
    rest = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return Field(matches, rest, text[ends[-1] :])


def in_field(value: str) -> tuple[DOI, str]:
    """Parse a whole field as a DOI name; return it, and the text after it.

    Heuristic: the address of a publisher's page counts if the whole name stands in it, because the
    digital library of the ACM wrote such addresses into the field ``doi``.

    >>> in_field("https://doi.org/10.1000/182")
    (DOI('10.1000/182'), '')
    >>> in_field("http://doi.acm.org/10.1145/362342.362367")
    (DOI('10.1145/362342.362367'), '')
    """
    try:
        return parse_parts(value)
    except InvalidDOI:
        if not value.startswith("http"):
            raise
        from .publishers import doi_at  # its table takes long to compile, and few need it

        doi = doi_at(value)
        if doi is None or doi.name not in decode(value):
            raise
        return doi, ""


def doi_in_field(written: str) -> DOI:
    """Return the first DOI name of a field, in which there may be LaTeX and triplets ([2000])."""
    text = plain_field(written)
    names = read_field(text).names
    return names[0].doi if names else DOI.parse(text)


def of_field(href: str, text: str) -> tuple[str, str]:
    """Undo a tool's link of a field: return the target, with the name encoded, and the text.

    A field that says more than a name has no target: its text is prose.

    >>> of_field("https://doi.org/10.1000/456#789", "10.1000/456#789")
    ('https://doi.org/10.1000/456%23789', 'doi:10.1000/456%23789')
    >>> of_field("https://doi.org/10.1000/182 (pdf)", "doi:10.1000/182 (pdf)")
    ('', '10.1000/182 (pdf)')
    """
    field, shown = " ".join(href.removeprefix(PROXY).split()), " ".join(text.split())
    same = shown.removeprefix("doi:").removeprefix(PROXY) == field.removeprefix(PROXY)
    if not same or _ELSEWHERE.match(href):
        return href, text
    plain = plain_field(field)
    read = read_field(plain)
    if not read.matches:
        return href, text
    if len(read.names) > 1 or any(map(str.isalnum, read.rest)):
        return "", plain
    doi = read.names[0].doi
    return doi.url, doi.uri
