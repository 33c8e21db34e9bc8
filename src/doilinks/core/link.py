"""The link of a DOI: its text and its target.

Every host builds its node from these two strings, so that all hosts show the same.

Spec: [URI §2] note 2, the URI form is the unambiguous display; [HB] the target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from .begin import is_label, label_length
from .doi import DOI, DOI_HOST, MISTYPED, TO_NAME, WEB, InvalidDOI, parse_parts
from .encoding import says_no_name, tail_form
from .field import unprotected
from .labels import is_url_label, is_web_url, says_doi, says_url
from .options import Options
from .scan import Match
from .title import frame_of, other_doi

__all__ = [
    "Link",
    "after_label",
    "after_text",
    "attributes",
    "leads_to_doi",
    "link_match",
    "link_to",
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
    :ivar is_url: whether the author wrote a URL
    :ivar other: the DOI that the author's text names, if that is another one
    """

    text: str | None
    href: str | None
    doi: DOI
    label: int = 0
    is_url: bool = False
    other: DOI | None = None


def link_to(
    doi: DOI, options: Options, source: str = "", tail: str = "", *, is_url: bool = False
) -> Link:
    """The link for one DOI.

    :param source: the text as the author wrote it, shown with ``display="source"``
    :param tail: query and fragment of the author's URL; they stay in the target
    :param is_url: whether the author wrote a URL

    >>> link_to(DOI("10.1000/456#789"), Options())[:2]
    ('doi:10.1000/456%23789', 'https://doi.org/10.1000/456%23789')
    """
    text = source if options.display == "source" and source else _shown(doi, options)
    href = doi.url_at(options.proxy)
    return Link(text, href + tail_form(tail) if tail else href, doi, is_url=is_url)


def after_label(link: Link, options: Options, label: str) -> Link:
    """The link after a label that stays in the document, because it has markup of its own.

    After the word DOI, the link shows the name without ``doi:``, but with it if the rest is not the
    name itself, because something is encoded. After the word URL, a URL stays a URL.

    :param label: the text just before the link, which may be any text

    >>> options, link = Options(), link_to(DOI("10.1000/182"), Options())
    >>> after_label(link, options, "DOI:").text, after_label(link, options, "See").text
    ('10.1000/182', 'doi:10.1000/182')
    >>> after_label(link_to(DOI("10.1000/456#789"), options), options, "DOI").text
    'doi:10.1000/456%23789'
    """
    if not label:
        return link
    if is_url_label(label):
        return _as_url(link, options)
    return _without_scheme(link, options) if is_label(label) else link


def after_text(link: Link, options: Options, text: str, end: int | None = None) -> Link:
    """The link after plain text that does not join it, such as ``hdl:`` or ``URL:``.

    :param end: where the text before the link ends

    >>> options, link = Options(), link_to(DOI("10.1000/182"), Options())
    >>> after_text(link, options, "hdl:").text
    '10.1000/182'
    >>> after_text(link._replace(is_url=True), options, "URL: ").text
    'https://doi.org/10.1000/182'
    """
    end = len(text) if end is None else end
    if says_doi(text, end):
        return _without_scheme(link, options)
    if link.is_url and says_url(text, end):
        return _as_url(link, options)
    return link


def _without_scheme(link: Link, options: Options) -> Link:
    shown, name = _shown(link.doi, options), link.doi.name
    if link.text and shown == f"doi:{name}":
        return link._replace(text=link.text.replace(shown, name, 1))
    return link


def _as_url(link: Link, options: Options) -> Link:
    if link.is_url and link.text and options.display != "source" and link.doi.url not in link.text:
        return link._replace(text=link.text.replace(_shown(link.doi, options), link.doi.url, 1))
    return link


def _shown(doi: DOI, options: Options) -> str:
    """The text for a DOI of which nothing is known but its name; for ``source``, the name."""
    form = "name" if options.display == "source" else options.display
    text: str = getattr(doi, form)
    return text


def link_match(match: Match, options: Options, text: str) -> Link | None:
    """The link for a match that :func:`scan` found in ``text``; None if the options exclude it.

    >>> from doilinks import scan
    >>> prose = "See DOI: 10.1000/182."
    >>> [link_match(match, Options(), prose).text for match in scan(prose)]
    ['doi:10.1000/182']
    """
    if (match.form == "bare" and not options.bare) or options.ignores(match.doi):
        return None
    written = text[match.start : match.end]
    is_url = match.form in ("url", "angle") and is_web_url(written)
    link = link_to(match.doi, options, written, match.tail, is_url=is_url)
    return after_text(link, options, text, match.start)


def relink(href: str, text: str, options: Options, before: str = "") -> Link | None:
    """The canonical form of a link in the document; None if it does not lead to a DOI.

    Links to a ``doi:`` URI, doi.org, dx.doi.org or an EZproxy copy lead to a DOI. ``text`` is
    replaced only if it is nothing but the DOI itself, in any form. The link stays, so ``href`` is
    None, with ``urls="keep"`` and for a URL that encodes a character which no name contains. A name
    that ``ignore`` matches does not count as a DOI.

    :param before: the text before the link, as far as it is in the same markup

    >>> relink("http://dx.doi.org/10.1000/182", "the Handbook", Options())[:2]
    (None, 'https://doi.org/10.1000/182')
    >>> relink("https://doi.org/10.1000/456#789", "doi:10.1000/456#789", Options()).href
    'https://doi.org/10.1000/456%23789'
    >>> relink("https://doi.org/10.1000/182", "x", Options(urls="keep"))
    Link(text=None, href=None, doi=DOI('10.1000/182'), label=0, is_url=False, other=None)
    >>> relink("https://doi.org/10.1000/182", "10.1000/182", Options(), "See DOI: ").label
    5
    >>> relink("https://doi.org/10.1000/182", "(10.1000/182.)", Options()).text
    '(doi:10.1000/182.)'
    >>> relink("https://doi.org/10.1000/182", "10.1000/181", Options()).other
    DOI('10.1000/181')
    >>> relink("https://example.org/10.1000/182", "10.1000/182", Options()) is None
    True
    """
    found = _LEADS_TO_DOI.match(href)
    if found is None:
        return None
    written = unprotected(href)
    try:
        doi, tail = parse_parts(written)
    except InvalidDOI:
        return None
    # A new target would encode its percent again. The check can say what is wrong with it.
    stays = found["uri"] is None and says_no_name(written.removesuffix(tail))
    if tail and (named := _named_whole(text, doi, tail)):
        doi, tail = named, ""
    if options.ignores(doi):
        return None
    other = other_doi(text, doi)
    if other and options.ignores(other):
        other = None
    if stays or options.urls == "keep":
        return Link(None, None, doi, other=other)
    frame = frame_of(text, doi) if options.urls == "rewrite" else None
    if frame is None:
        return link_to(doi, options, text, tail)._replace(text=None, other=other)
    start, end = frame
    link = link_to(doi, options, text[start:end], tail, is_url=is_web_url(text[start:end]))
    link = link._replace(text=f"{text[:start]}{link.text}{text[end:]}")
    return after_text(link, options, before)._replace(label=label_length(before))


def attributes(link: Link, options: Options, classes: Iterable[str] = ()) -> dict[str, str]:
    """The HTML attributes to set on a link; empty if the link stays as it is.

    :param classes: those that it has already

    >>> attributes(link_to(DOI("10.1000/182"), Options()), Options(), ["note"])
    {'class': 'note doi', 'href': 'https://doi.org/10.1000/182'}
    """
    if link.href is None:
        return {}
    joined = " ".join(with_classes(classes, options)) if classes else options.class_attribute
    return ({"class": joined} if joined else {}) | {"href": link.href}


def with_classes(present: Iterable[str], options: Options) -> list[str]:
    """The classes of a link: those that it has, then those of ``css_class``, each once.

    >>> with_classes(["note", "doi"], Options(css_class="doi ref"))
    ['note', 'doi', 'ref']
    """
    return list(dict.fromkeys((*present, *options.classes)))


def leads_to_doi(href: str) -> bool:
    """Tell cheaply whether a target may lead to a DOI. If not, :func:`relink` returns None.

    >>> leads_to_doi("http://www.dx.doi.org/10.1000/182"), leads_to_doi("https://example.org/")
    (True, False)
    """
    return _LEADS_TO_DOI.match(href) is not None


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
    rf"\s*(?:(?P<uri>doi:|urn:doi:|info:doi/)|(?:{WEB}|//){DOI_HOST}{TO_NAME}"
    rf"|{DOI_HOST}{TO_NAME}10\.|{MISTYPED}10\.)",
    re.IGNORECASE,
)
