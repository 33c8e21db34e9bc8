"""The link of a DOI: its text and its target.

Every host builds its node from these two strings, so that all hosts show the same.

Spec: [URI §2] note 2, the URI form is the unambiguous display; [HB] the target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from .begin import label_length
from .doi import DOI, InvalidDOI, parse_parts
from .encoding import tail_form
from .field import unprotected
from .options import Options
from .scan import Match

__all__ = [
    "Link",
    "_says_label",
    "attributes",
    "link_match",
    "link_to",
    "names",
    "relink",
    "with_classes",
]


class Link(NamedTuple):
    """A link to a DOI.

    :ivar text: the text to show; None when the document's own text stays
    :ivar href: the target; None when the link in the document stays as it is and is only listed
    :ivar doi: the DOI that it leads to
    :ivar label: how many characters before the link are a label that its new text repeats, so
        that the host removes them
    """

    text: str | None
    href: str | None
    doi: DOI
    label: int = 0


def link_to(doi: DOI, options: Options, source: str = "", tail: str = "") -> Link:
    """The link for one DOI.

    :param source: the text as the author wrote it, shown with ``display="source"``
    :param tail: query and fragment of the author's URL; they stay in the target

    >>> link_to(DOI("10.1000/456#789"), Options())[:2]
    ('doi:10.1000/456%23789', 'https://doi.org/10.1000/456%23789')
    """
    if options.display == "uri":
        text = doi.uri
    elif options.display == "url":
        text = doi.url
    else:
        text = source if options.display == "source" and source else doi.name
    return Link(text, doi.url_at(options.proxy) + tail_form(tail), doi)


def after_label(link: Link, options: Options) -> Link:
    """The link after a label that stays in the document, because it has markup of its own.

    The label names the scheme already, so the link shows its URI without the scheme. If the rest of
    the URI is not the name itself, the whole URI is shown.

    >>> after_label(link_to(DOI("10.1000/182"), Options()), Options()).text
    '10.1000/182'
    >>> after_label(link_to(DOI("10.1000/456#789"), Options()), Options()).text
    'doi:10.1000/456%23789'
    """
    if options.display == "uri" and link.text == f"doi:{link.doi.name}":
        return link._replace(text=link.doi.name)
    return link


def link_match(match: Match, options: Options, text: str) -> Link | None:
    """The link for a match that :func:`scan` found in ``text``; None if the options exclude it.

    >>> from doilinks import scan
    >>> prose = "See DOI: 10.1000/182."
    >>> [link_match(match, Options(), prose).text for match in scan(prose)]
    ['doi:10.1000/182']
    """
    if (match.form == "bare" and not options.bare) or options.ignores(match.doi):
        return None
    link = link_to(match.doi, options, text[match.start : match.end], match.tail)
    return after_label(link, options) if _says_label(text, match.start) else link


def relink(href: str, text: str, options: Options, before: str = "") -> Link | None:
    """The canonical form of a link in the document; None if it does not lead to a DOI.

    Links to a ``doi:`` URI, doi.org, dx.doi.org or an EZproxy copy lead to a DOI. ``text`` is
    replaced only if it is nothing but the DOI itself, in any form. With ``urls="keep"`` nothing
    changes, so ``href`` is None too. A name that ``ignore`` matches does not count as a DOI.

    :param before: the text before the link, as far as it is in the same markup

    >>> relink("http://dx.doi.org/10.1000/182", "the Handbook", Options())[:2]
    (None, 'https://doi.org/10.1000/182')
    >>> relink("https://doi.org/10.1000/456#789", "doi:10.1000/456#789", Options()).href
    'https://doi.org/10.1000/456%23789'
    >>> relink("https://doi.org/10.1000/182", "x", Options(urls="keep"))
    Link(text=None, href=None, doi=DOI('10.1000/182'), label=0)
    >>> relink("https://doi.org/10.1000/182", "10.1000/182", Options(), "See DOI: ").label
    5
    >>> relink("https://example.org/10.1000/182", "10.1000/182", Options()) is None
    True
    """
    if not _LEADS_TO_DOI.match(href):
        return None
    try:
        doi, tail = parse_parts(unprotected(href))
    except InvalidDOI:
        return None
    if tail and (named := _named_whole(text, doi, tail)):
        doi, tail = named, ""
    if options.ignores(doi):
        return None
    if options.urls == "keep":
        return Link(None, None, doi)
    link = link_to(doi, options, text, tail)
    if options.urls != "rewrite" or not names(text, doi):
        return link._replace(text=None)
    if _says_label(before, len(before)):
        return after_label(link, options)
    return link._replace(label=label_length(before))


def names(text: str, doi: DOI) -> bool:
    """Tell whether the text of a link is nothing but the given DOI."""
    try:
        return parse_parts(unprotected(text))[0] == doi
    except InvalidDOI:
        return False


def attributes(link: Link, options: Options, classes: Iterable[str] = ()) -> dict[str, str]:
    """The HTML attributes to set on a link; empty if the link stays as it is.

    :param classes: those that it has already

    >>> attributes(link_to(DOI("10.1000/182"), Options()), Options(), ["note"])
    {'class': 'note doi', 'href': 'https://doi.org/10.1000/182'}
    """
    if link.href is None:
        return {}
    joined = " ".join(with_classes(classes, options))
    return ({"class": joined} if joined else {}) | {"href": link.href}


def with_classes(present: Iterable[str], options: Options) -> list[str]:
    """The classes of a link: those that it has, then those of ``css_class``, each once.

    >>> with_classes(["note", "doi"], Options(css_class="doi ref"))
    ['note', 'doi', 'ref']
    """
    return list(dict.fromkeys((*present, *options.classes)))


def _says_label(text: str, end: int) -> bool:
    """Tell whether a text announces a DOI before ``end`` in another way than by a label."""
    return _OTHER_LABEL.search(text, max(0, end - _OTHER_LABEL_REACH), end) is not None


def _named_whole(text: str, doi: DOI, tail: str) -> DOI | None:
    """The DOI in the text of a link, if the target is that DOI with an unencoded ``#`` or ``?``.

    Bibliographies link ``doi:10.1000/456#789`` to ``https://doi.org/10.1000/456#789``.
    """
    try:
        named, rest = parse_parts(unprotected(text))
        whole = DOI(doi.name + tail)
    except InvalidDOI:
        return None
    return named if not rest and named == whole else None


# Heuristic: without a scheme, browsers read a path, but no site has a folder of that name.
_LEADS_TO_DOI = re.compile(
    r"\s*(?:doi:|urn:doi:|info:doi/|(?:https?:)?//(?:[a-z]+[.-])?doi[.-]org"
    r"|(?:www\.)?(?:dx\.)?doi\.org/10\.)",
    re.IGNORECASE,
)

# Heuristic: doi=10.1000/182 in a list of fields, DOI#10.1000/182, and hdl:10.1000/182, because
# every DOI is a handle.
_OTHER_LABEL = re.compile(r"(?<![^\W_])(?:doi[ \t]?[=#]|hdl:)[ \t]?\Z", re.IGNORECASE)
_OTHER_LABEL_REACH = 8
