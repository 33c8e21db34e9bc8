"""The values of a record that have to be chosen or mended: numbers, containers, kinds, languages.

What a registry has in the place of a value that is not known is nothing. Spec: the REST API of
Crossref, DataCite 4.6, CSL 1.0.2, BCP 47.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from .kinds import CAPITAL
from .plain import inner_of, plain, texts

_CODE: Final = r"\(?:(?:un(?:ac|al|ap|as|av|kn)|none|null|tba)\b.*"  # [DataCite 4.6, appendix 3]
# An identifier in the place of a title or a name.
_IS_CODE: Final = re.compile(_CODE, re.IGNORECASE)
# What programs, publishers and libraries write in the place of nothing.
_NOTHING: Final = re.compile(
    rf"{_CODE}|&NA;?|[\[(]?(?:s\. ?[nl]\.|n\. ?[na]\.|n/a|nan|none|null|undefined|unbekannt"
    r"|(?:un|not )(?:known|specified|available|identified)(?: (?:author|creator|publisher))?"
    r"|no (?:name|author(?:ship)?|publisher)(?: (?:supplied|indicated|given))?)[\])]?|[\W_]*",
    re.IGNORECASE,
)
# Stands for a number that an article does not have, or not yet.
NO_NUMBER: Final = re.compile(
    rf"(?:{_NOTHING.pattern}|no|na|0+|(?:(?:publish|epub|online)[ -])?ahead[ -]of[ -]print"
    r"|in[ -]press|(?:online|early|advance|just|latest)[ -](?:first|view|access|accepted|articles)"
    r"|advance online publication)",
    re.IGNORECASE,
)
_DASH: Final = re.compile(r"\s*(?:--?|[–—])\s*")  # the dash of a range


def is_nothing(text: str) -> bool:
    """Tell whether a text stands for a value that is not known.

    >>> [*map(is_nothing, ("(:unav) unknown", "[S.N.]", "null", "-", "Nullarbor"))]
    [True, True, True, True, False]
    """
    return _NOTHING.fullmatch(text) is not None


def is_code(text: str) -> bool:
    """Tell whether a title is the code of DataCite for none; "Unknown" may be a title."""
    return _IS_CODE.fullmatch(text) is not None


def pages_in(text: str) -> str:
    """Return pages without an end that is none, or that is the first page.

    >>> [*map(pages_in, ("41-", "n/a-n/a", "0-0", "i–iv", "3-1-3-22", "3-1-3-1"))]
    ['41', '', '', 'i–iv', '3-1-3-22', '3-1']
    """
    half = len(text) // 2
    if _DASH.fullmatch(text[half : half + 1]) and text[:half] == text[half + 1 :]:
        text = text[:half]
    parts = _DASH.split(text)
    known = [part for part in parts if not NO_NUMBER.fullmatch(part)]
    return text if len(known) == len(parts) else "-".join(known)


# [DataCite 4.6, resourceTypeGeneral "Text"] What kind of text it is, a repository says in words of
# its own. Heuristic: the first row with one of them.
_TEXTS: Final = {
    "Preprint": "pre-?print",
    "Dissertation": "(?<!hypo)(?<!syn)th[eè]s[ei]s?\\b|\\btes[ei]|dissertation|habilitation"
    "|proefschrift|(?:bachelor|master|magister|diplom|doktor)arbeit|学位論文",
    "BookChapter": "chapter|kapitel|book (?:part|section)|part of (?:a )?book",
    "ConferencePaper": "proceeding|konferenz-?beitrag|conference (?:paper|contribution|object)",
    "Presentation": "poster|presentation|slides",
    "Report": "(?<!case )report|deliverable|(?:working|white|discussion) ?paper|bericht",
    "JournalArticle": "journal (?:article|contribution|paper)|zeitschriftenartikel|artículo",
    "Book": r"^(?:e[- ]?)?book\b(?! review)|monogra|^buch\b",
}
# Heuristic: words that are in the titles of series.
_SERIES: Final = re.compile(
    r"lecture notes|\b(?:series?|reihe|collection)\b|schriften|springerbriefs|studies in|"
    "communications in computer|contemporary mathematics",
    re.IGNORECASE,
)
# Whole works, of which a registered book is an entry.
_WHOLE: Final = re.compile(r"encyclop|dictionary|handbooks online", re.IGNORECASE)
_PARTS: Final = frozenset(("chapter", "paper-conference", "entry"))


def type_of(fields: Mapping[str, object]) -> str:
    """Return the type of a work as its agency spells it, or as it would spell it."""
    types, container = inner_of(fields, "types"), inner_of(fields, "container")
    general = plain(types.get("resourceTypeGeneral")) or plain(fields.get("type"))
    if general != "Text":
        return general[:60]
    said = CAPITAL.sub(" ", plain(types.get("resourceType"))).lower()
    for kind, words in _TEXTS.items():
        if re.search(words, said):
            return kind
    # DataCite calls all other texts articles in its own conversion to CSL.
    written = plain(types.get("citeproc"))
    is_placed = container.get("title") and (container.get("volume") or container.get("firstPage"))
    if written in ("", "article", "article-journal"):
        return "JournalArticle" if is_placed else general
    return written


def places_of(fields: Mapping[str, object], kind: str) -> tuple[str, str]:
    """Return what a work of a type of CSL stands in, and the series of its book.

    Crossref has both in ``container-title``, the series first, and its older answers in any order.
    """
    titles = texts(inner_of(fields, "container").get("title"))
    titles = titles or list(dict.fromkeys(texts(fields.get("container-title"))))
    titles = titles or texts(fields.get("short-container-title"))
    titles = [title for title in titles if not is_nothing(title)]
    series = next(iter(texts(fields.get("collection-title"))), "")
    if len(titles) > 1 and kind in _PARTS:
        series = series or next(filter(_SERIES.search, titles), titles[0])
        titles = [title for title in titles if title != series][-1:]
    elif titles and kind == "book" and not _WHOLE.search(titles[0]):
        return "", series or titles[0]
    return next(iter(titles), ""), series


# Of posted content, the server, which readers know it by; the publisher is the house that runs it.
_SERVER: Final = re.compile(r"[^/]*(?:xiv|ssrn|preprints|archive|commons|in review)", re.IGNORECASE)


def publisher_of(fields: Mapping[str, object], kind: str) -> str:
    """Return the publisher of a work; of a preprint, its server.

    Crossref has it in ``institution`` or in ``group-title``, where others have a subject.
    """
    publisher = fields.get("publisher")
    named = plain(publisher.get("name")) if isinstance(publisher, Mapping) else plain(publisher)
    if kind == "article":
        every = fields.get("institution")
        first = every[0] if isinstance(every, list) and every else every
        server = plain(first.get("name")) if isinstance(first, Mapping) else ""
        group = next(iter(texts(fields.get("group-title"))), "")
        named = server or (group if _SERVER.fullmatch(group) else named)
    return "" if is_nothing(named) else named


_ORDINALS: Final = str.split("first second third fourth fifth sixth seventh eighth ninth tenth")
# The number of an edition, with the word for it.
_EDITION: Final = re.compile(
    rf"(?:({'|'.join(_ORDINALS)})|0*(\d{{1,3}})(?:st|nd|rd|th|\.|e|ª)?)"
    r"(?: (?:ed|edn|edition|aufl(?:age)?|éd)\.?)?",
    re.IGNORECASE,
)


def edition_in(text: str) -> str:
    """Return an edition, as a number if possible; the first one is not told.

    >>> [*map(edition_in, ("1", "2nd ed.", "Third edition", "Revised"))]
    ['', '2', '3', 'Revised']
    """
    found = _EDITION.fullmatch(text)
    if not found:
        return "" if is_nothing(text) else text
    number = int(found[2]) if found[2] else _ORDINALS.index(found[1].lower()) + 1
    return str(number) if number > 1 else ""


# The short code goes before longer ones [BCP 47, RFC 5646 §2.2.1]: styles write English titles
# with capitals, and know English by it. Registries have names of languages, too.
_SHORT: Final = {
    name: tag
    for tag, *names in map(str.split, (
        "en eng english", "de ger deu german deutsch", "fr fre fra french français",
        "es spa spanish español", "it ita italian", "pt por portuguese", "nl dut nld dutch",
        "ru rus russian", "ja jpn japanese", "zh chi zho chinese", "ko kor korean",
    ))
    for name in names
}  # fmt: skip
# A language tag or name: the language, and its subtags.
_LANGUAGE: Final = re.compile(r"([^\W\d_]{2,10})((?:-[a-z0-9]{2,8})*)", re.IGNORECASE)


def language_in(text: str) -> str:
    """Return the tag of a language [BCP 47]; ``""`` for what is none.

    >>> [*map(language_in, ("de", "EN", "en_us", "eng", "und", "German", "Elvish"))]
    ['de', 'en', 'en-US', 'en', '', 'de', '']
    """
    found = _LANGUAGE.fullmatch(text.replace("_", "-"))
    tag = _SHORT.get(found[1].lower(), found[1].lower()) if found else ""
    if not found or len(tag) > 3 or tag in ("und", "mul", "mis", "zxx"):
        return ""
    return tag + (found[2].upper() if len(found[2]) == 3 else found[2])
