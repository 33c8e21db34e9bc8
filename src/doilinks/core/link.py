"""The link of a DOI: its text and its target.

Every host builds its node from these two strings, so that all hosts show the same.

Spec: [URI §2] note 2, the URI form is the unambiguous display; [HB] the target.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from .arxiv import Paper, paper_of
from .begin import is_label, label_length
from .doi import (
    DOI,
    DOI_HOST,
    MISTYPED,
    RAW_UNSEEN,
    TO_NAME,
    WEB,
    Form,
    InvalidDOI,
    decode,
    has_odd_triplet,
    parse_parts,
    tail_form,
    visible,
)
from .field import read_field
from .found import Found
from .nameless import aimed_in, may_aim, nowhere
from .options import Options
from .scan import Match, may_contain_doi, scan
from .text import is_invisible, unprotected

# --------------------------------------------------------------------------------------------------
# Announcements of a DOI before a link: a label, or a word that stays.

REACH: Final = 10  # characters

# Heuristic: doi=10.1000/182 in a list of fields, DOI#10.1000/182, and hdl:10.1000/182, because
# every DOI is a handle. BibTeX has doi = {10.1000/182}, and JSON has "doi": "10.1000/182".
_OPENERS: Final = "[\"'{(\u201c\u2018]"
_DOI: Final = (
    r"(?<![^\W_])(?:"
    rf"(?:doi[ \t]?[=#]|hdl:|doi[\"'\u201d\u2019][ \t]?[:=])[ \t]?{_OPENERS}{{0,2}}"
    rf"|doi[ \t]?:[ \t]?{_OPENERS}{{1,2}})\Z"
)
# The last characters of such an announcement, before a space.
_DOI_ENDS: Final = ("=", "#", ":", '"', "'", "{", "(", "\u201c", "\u2018")

# Heuristic: bibliographies print "URL: https://doi.org/10.1000/182", data has "url": "https:…".
_URL: Final = r"""(?<![^\W_])url(?:["']?\s?[:=：]\s?|\s)["'<{(]?\Z"""
# Such a word may be the end of a name, as in 10.1000/a-url, but not after a quote or bracket, as in
# url={https://doi.org/10.1000/182},doi={10.1000/182} and 10.1000/182(hdl:10.1000/183).
_NAME: Final = r"10\.[0-9][^\s\"'{}<>]*(?<![()\[\]\u200b])\Z"
_NAME_REACH: Final = 100  # characters
_URL_LABEL: Final = re.compile(r"\s*url\s*+[:：]?\s*", re.IGNORECASE)  # the word URL alone
# The beginning of a DOI that is written as a URL.
_WEB_URL: Final = re.compile(rf"\s*+<?\s*(?:{WEB}|//|{DOI_HOST}/)", re.IGNORECASE)


def says_doi(text: str, end: int) -> bool:
    """Tell whether a text announces a DOI before ``end`` in another way than by a label.

    >>> says_doi("hdl:", 4), says_doi("doi = {", 7), says_doi("doi:", 4)
    (True, True, False)
    >>> says_doi("10.1000/hdl:", 12), says_doi("{10.1000/182},doi={", 19)
    (False, True)
    >>> says_doi("10.1000/182(hdl:", 16)
    True
    """
    if not text[max(0, end - 2) : end].rstrip(" \t").endswith(_DOI_ENDS):
        return False
    return _is_announced(_DOI, text, end)


def says_url(text: str, end: int) -> bool:
    """Tell whether the word URL stands just before ``end``.

    >>> says_url("See the URL ", 12), says_url("URL: ", 5), says_url("curl ", 5)
    (True, True, False)
    >>> says_url("10.1000/a-url ", 14), says_url("DOI/URL: ", 9)
    (False, True)
    """
    return _is_announced(_URL, text, end)


def _is_announced(words: str, text: str, end: int) -> bool:
    # Compiled when there is such a word, because that takes long and most texts have none.
    found = re.compile(words, re.IGNORECASE).search(text, max(0, end - REACH), end)
    if found is None:
        return False
    start = found.start()
    return re.compile(_NAME).search(text, max(0, start - _NAME_REACH), start) is None


def is_web_url(written: str) -> bool:
    """Tell whether a DOI is written as a URL, with a scheme or without."""
    return _WEB_URL.match(written) is not None


# --------------------------------------------------------------------------------------------------
# The text of a link to a DOI: whether it is the DOI itself, another DOI, or something else.


def shows_only(text: str, doi: DOI) -> bool:
    """Tell whether the text of a link is nothing but the given DOI."""
    try:
        return parse_parts(unprotected(text))[0] == doi
    except InvalidDOI:
        return False


def frame_of(text: str, doi: DOI) -> tuple[int, int] | None:
    """Find where the DOI begins and ends in the text of a link to it; None if the text says more.

    Around it there may be brackets, quotes and the punctuation of the sentence.
    """
    if shows_only(text, doi):
        return 0, len(text)
    match = only(text)
    return _span(match, text) if match and match.doi == doi else None


def other_doi(text: str, doi: DOI) -> DOI | None:
    """Return the DOI name that is the text of a link to another DOI name; None otherwise.

    A text with words beside the name does not count, because the words may say why: "Correction to
    10.1000/181". Heuristic: a name in another spelling is not another name. That is one with dashes
    or quotes as typography has them, with invisible characters, or abbreviated. The text of a
    shortDOI does not show its name.
    """
    if not may_contain_doi(text) or shows_only(text, doi):
        return None
    visible = "".join(each for each in unprotected(text) if not is_invisible(each))
    match = only(visible)
    if match is None or match.doi == doi or (match.doi.prefix == "10") != (doi.prefix == "10"):
        return None
    whole, named = _folded(doi.name), _folded(match.doi.name + match.tail)
    goes_on = named + _folded(visible[match.end :])
    head, dots, rest = goes_on.partition("...")
    abbreviated = dots and whole.startswith(head) and whole.endswith(rest.rstrip(_CLOSERS))
    same = named == whole or (whole.startswith(named) and goes_on.startswith(whole))
    return None if same or abbreviated else match.doi


def only(text: str) -> Match | None:
    """Return the match of the one DOI name in a text without other words, or None."""
    found = scan(text)
    match = next(found, None)
    if match is None or next(found, None) is not None:
        return None
    start, end = _span(match, text)
    return match if not any(map(str.isalnum, text[:start] + text[end:])) else None


def _span(match: Match, text: str) -> tuple[int, int]:
    """Return the span of a match; the word DOI before it is its label, with or without a colon."""
    before = text[: match.start]
    return (0 if is_label(before) else match.start), match.end


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).translate(_TYPED).casefold()
    return _HYPHENS.sub("-", text)


_CLOSERS: Final = " )]}>.,;\"'"
_HYPHENS: Final = re.compile("-+")  # typography makes one dash of several
_TYPED: Final = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”", '"')
)


class Link(NamedTuple):
    """A link to a DOI."""

    text: str | None  # the text to show; None when the document's own text stays
    href: str | None  # the target; None when the document's link stays as it is and is only listed
    doi: DOI  # the DOI that it leads to
    label: int = 0  # how many characters before it are a label that its new text repeats
    is_url: bool = False  # whether the author wrote a URL
    other: DOI | None = None  # the DOI that the author's text names, if that is another one
    form: Form = "link"  # how the DOI is written, if the document has the link already


def link_to(
    doi: DOI, options: Options, source: str = "", tail: str = "", *, is_url: bool = False
) -> Link:
    """Build the link for a DOI; it keeps ``tail``, the query and fragment of the author's URL."""
    text = source if options.display == "source" and source else _text_of(doi, options)
    href = doi.url_at(options.proxy)
    return Link(text, href + tail_form(tail) if tail else href or None, doi, is_url=is_url)


def link_to_paper(paper: Paper, options: Options, source: str = "") -> Link:
    """Build the link for an arXiv paper, to its DOI or to its page on arxiv.org."""
    text = source if options.display == "source" and source else paper.text
    href = paper.page if options.arxiv == "abs" else paper.doi.url_at(options.proxy)
    return Link(text, href, paper.doi)


def after_label(link: Link, options: Options, label: str) -> Link:
    """Adapt a link to a label before it that stays, because the label has markup of its own.

    After the word DOI, the link shows the name without ``doi:``, but with it if the rest is not the
    name itself, because something is encoded. After the word URL, a URL stays a URL.

    >>> options, link = Options(), link_to(DOI("10.1000/182"), Options())
    >>> after_label(link, options, "DOI:").text, after_label(link, options, "See").text
    ('10.1000/182', 'doi:10.1000/182')
    >>> after_label(link_to(DOI("10.1000/456#789"), options), options, "DOI").text
    'doi:10.1000/456%23789'
    """
    if not label:
        return link
    if _URL_LABEL.fullmatch(label):  # as the head of a column may be
        return _as_url(link, options)
    return _without_scheme(link, options) if is_label(label) else link


def after_text(link: Link, options: Options, text: str, end: int | None = None) -> Link:
    """Adapt a link to plain text before it, outside the link, such as ``hdl:`` or ``URL:``.

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
    shown, name = _text_of(link.doi, options), link.doi.name
    if link.text and shown == f"doi:{name}":
        return link._replace(text=link.text.replace(shown, name, 1))
    return link


def _as_url(link: Link, options: Options) -> Link:
    if link.is_url and link.text and options.display != "source" and link.doi.url not in link.text:
        return link._replace(text=link.text.replace(_text_of(link.doi, options), link.doi.url, 1))
    return link


def _text_of(doi: DOI, options: Options) -> str:
    """Return the text for a DOI of which only the name is known; for ``source``, the name."""
    return str(getattr(doi, "name" if options.display == "source" else options.display))


def link_match(match: Match, options: Options, text: str) -> Link | None:
    """Build the link for a match of :func:`scan` in ``text``; None if the options exclude it."""
    if (match.form == "bare" and not options.bare) or options.ignores(match.doi):
        return None
    written = text[match.start : match.end]
    if match.form == "arxiv" and (paper := paper_of(written)):
        return link_to_paper(paper, options, written)
    is_url = match.form in ("url", "angle") and is_web_url(written)
    link = link_to(match.doi, options, written, match.tail, is_url=is_url)
    return after_text(link, options, text, match.start)


# An apostrophe after a letter. The author may have typed a straight one, which is part of a name.
POSSESSIVE: Final = re.compile(r"(?<=[^\W\d_])’(?=s(?![^\W_]))")


def link_typed(match: Match, options: Options, text: str, typed: Mapping[int, str]) -> Link | None:
    """Build the link for a match, after undoing the typography of a host in its name."""
    written = text[match.start : match.end]
    if typed and not written.isascii():
        undone = written.translate(typed)
        again = next(scan(undone), None)
        if again and (again.start, again.end) == (0, len(undone)):
            return link_match(again, options, undone)
    return link_match(match, options, text)


def relink(href: str, text: str, options: Options, before: str = "") -> Link | None:
    """Return the canonical form of a link in the document; None if it does not lead to a DOI.

    Links to a ``doi:`` URI, doi.org, dx.doi.org or an EZproxy copy lead to a DOI. ``text`` is
    replaced only if it is nothing but the DOI itself, in any form. The link stays, so ``href`` is
    None, with ``urls="keep"`` and for a URL that encodes a character which no name contains. A name
    that ``ignore`` matches does not count as a DOI. With ``publisher_urls="link"``, addresses of
    publishers' pages lead to the DOI that they contain.

    >>> relink("https://doi.org/10.1000/182", "x", Options(display="source"), "DOI: ").label
    0
    >>> relink("https://doi.org/10.1000/182", "10.1000/181", Options()).other
    DOI('10.1000/181')
    """
    words = text.strip()
    link = _relink(href, words, options, before)
    aims = link is None and may_aim(href)
    if aims and (none := nowhere(unprotected(href))) and not options.ignores(none):
        return Link(None, None, none)  # stays, and is listed
    if link is None or link.text is None:
        return link
    head, tail = text.split(words, 1)  # spaces, which may separate words
    return link._replace(text=f"{head}{link.text}{tail}")


def _relink(href: str, text: str, options: Options, before: str) -> Link | None:
    seen = visible(_ESCAPE.sub("", href) if "\\" in text else href)
    target = RAW_UNSEEN.sub(lambda each: tail_form(each[0]), seen)
    match = _LEADS_TO_DOI.match(target)
    if match is None:
        return _relink_page(href, text, options)
    written = unprotected(target)
    try:
        doi, tail = parse_parts(written)
    except InvalidDOI:
        return _relink_page(href, text, options)
    # Tools link the whole of a field, 10.1000/182%20(online); its name is read as in the field.
    if " " in doi.name and (field := read_field(doi.name)).is_clear:
        doi = field.names[0].doi
    if doi.suffix[0].isspace():
        return None
    # A new target would encode its percent again. The check can say what is wrong with it.
    stays = match["uri"] is None and has_odd_triplet(written.removesuffix(tail))
    if tail and (named := _named_whole(text, doi, tail)):
        doi, tail = named, ""
    if options.ignores(doi):
        return None
    other = _other_unless_ignored(text, doi, options)
    if stays or options.urls == "keep":
        # A host with an invisible character may be another host.
        leads = target if seen != href and options.urls != "keep" else None
        return Link(None, leads, doi, other=other)
    frame = frame_of(text, doi) if options.urls == "rewrite" else None
    if frame is None:
        return link_to(doi, options, text, tail)._replace(text=None, other=other)
    start, end = frame
    link = link_to(doi, options, text[start:end], tail, is_url=is_web_url(text[start:end]))
    link = link._replace(text=f"{text[:start]}{link.text}{text[end:]}")
    label = 0 if options.display == "source" else label_length(before)
    return after_text(link, options, before)._replace(label=label)


def _relink_page(href: str, text: str, options: Options) -> Link | None:
    """Build the link for the address of a page of arXiv or of a publisher."""
    if options.arxiv and (paper := paper_of(href)):
        link, is_shown = link_to_paper(paper, options, text), paper_of(text) == paper
    elif options.publisher_urls == "keep":
        return None
    else:
        from .publishers import doi_at  # its table takes long to compile, and few want it

        doi = doi_at(unprotected(href))
        if doi is None:
            return None
        link, is_shown = link_to(doi, options)._replace(form="publisher"), doi_at(text) == doi
    if options.ignores(link.doi):
        return None
    other = _other_unless_ignored(text, link.doi, options)
    if options.urls == "keep":
        return Link(None, None, link.doi, other=other, form=link.form)
    return link if is_shown and options.urls == "rewrite" else link._replace(text=None, other=other)


def _other_unless_ignored(text: str, doi: DOI, options: Options) -> DOI | None:
    other = other_doi(text, doi)
    return None if other and options.ignores(other) else other


def aimed(text: str, options: Options) -> Iterator[Found]:
    """Yield the places in prose that aim at a name, each with its span in the text."""
    for start, end, none in aimed_in(text) if may_aim(text) else ():
        if not options.ignores(none):
            form: Form = "url" if none.is_sure else "label"
            yield Found(none, form=form, span=(start, end), written=text[start:end])


# A target that is a name alone, with a registrant code of 4 to 9 digits.
_BARE: Final = re.compile(r"10\.[0-9]{4,9}/[^\s?#]{1,2000}\Z")


def bare_target(href: str, options: Options, texts: Callable[[], Iterable[str]]) -> Found | None:
    """Read the name that is all of a target, or of one of its texts if the link leads nowhere.

    Browsers take such a target for a path, and no host links it.
    """
    leads = href.strip()
    nowhere = leads in ("", "#") or leads.startswith("javascript:")
    if nowhere:
        doi = next((match.doi for match in map(only, texts()) if match), None)
    else:
        try:
            doi = DOI(decode(href)) if _BARE.match(href) else None
        except InvalidDOI:  # an invisible character
            return None
    if doi is None or options.ignores(doi):
        return None
    from .remarks import NO_FILE, Remark  # rarely needed

    fact = "this link leads nowhere" if nowhere else NO_FILE
    note = Remark("bare-target", f"{fact}: write {doi.url}")
    return Found(doi, form="target", remarks=(note,))


def attributes(href: str | None, options: Options, classes: Iterable[str] = ()) -> dict[str, str]:
    """Return the HTML attributes to set on a link: the target, and its old and new classes.

    Empty without a target, because the link stays as it is.

    >>> attributes("https://doi.org/10.1000/182", Options(), ["note"])
    {'class': 'note doi', 'href': 'https://doi.org/10.1000/182'}
    """
    if href is None:
        return {}
    joined = " ".join(dict.fromkeys((*classes, *options.classes)))
    return ({"class": joined} if joined else {}) | {"href": href}


def leads_to_doi(href: str, options: Options) -> bool:
    """Tell cheaply whether a target may lead to a DOI. If not, :func:`relink` returns None."""
    has_sign = "doi" in href.lower() or "//10." in href
    if has_sign and (_LEADS_TO_DOI.match(visible(href)) or nowhere(href)):
        return True
    is_paper = bool(options.arxiv) and paper_of(href) is not None
    return is_paper or may_contain_publisher(href, options)


def may_contain_publisher(text: str, options: Options) -> bool:
    """Tell quickly whether a text may contain the address of a publisher's page, if that counts."""
    if options.publisher_urls == "keep":
        return False
    from .publishers import ADDRESS  # its table takes long to compile, and few want it

    return ADDRESS.search(text) is not None


# The other forms of an identifier of arXiv need the option; hosts link this one without it.
# Each pattern begins with a literal, for which the engine searches much faster than for a class.
_ARXIV_ROLES: Final = {each: re.compile(each + "(?i:arxiv)[:}]") for each in (":", "{")}


def has_arxiv_role(text: str) -> bool:
    """Tell cheaply whether a source may use the role ``arxiv``."""
    return any(sign in text and role.search(text) for sign, role in _ARXIV_ROLES.items())


def may_contain(text: str, options: Options, *, roles: bool = False) -> bool:
    """Tell cheaply whether a text may contain a DOI, a key, or a link to one."""
    keys = options.cite_bib and options.cites and "@" in text  # of works that are cited
    return (
        bool(keys)
        or may_aim(text)
        or may_contain_doi(text, options.arxiv)
        or may_contain_publisher(text, options)
        or (roles and has_arxiv_role(text))
    )


def _named_whole(text: str, doi: DOI, tail: str) -> DOI | None:
    """Return the DOI in the text of a link to the same DOI with an unencoded ``#`` or ``?``.

    Bibliographies link ``doi:10.1000/456#789`` to ``https://doi.org/10.1000/456#789``.
    """
    try:
        named, rest = parse_parts(unprotected(text))
        whole = DOI(doi.name + tail)
    except InvalidDOI:
        return None
    return named if not rest and named == whole else None


# An autolink of CommonMark has no escapes, but no registered name was seen to contain a backslash.
_ESCAPE: Final = re.compile(r"(?:\\|%5C)(?=[!-$&-/:-@\[-`{-~])", re.IGNORECASE)

# Heuristic: without a scheme, browsers read a path, but no site has a folder of that name.
_LEADS_TO_DOI = re.compile(
    rf"(?i)\s*(?:(?P<uri>doi[:：]|urn:doi:|info:doi/)|(?:{WEB}|//){DOI_HOST}{TO_NAME}"
    rf"|{DOI_HOST}{TO_NAME}(?:doi/)?10\.|{MISTYPED}10\.)"
)
