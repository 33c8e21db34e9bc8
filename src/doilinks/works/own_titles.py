"""Titles of its own: what in a text may be the title of a work, and what the words are about.

A heuristic. A title begins with a capital, is not a sentence, and stands in quotation marks, is the
text of a link, or is a piece of a reference between people, punctuation and a journal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from .cited import CITED, LIST
from .fold import Words
from .part import BOUNDARY

__all__ = ["Title", "content", "first_piece", "is_sentence", "piece", "pieces"]

Title = tuple[str, ...]

_STOP: Final = frozenset(
    str.split(
        "the and for with from that this are was its into via using use their between under over"
        " than not von der und die das des les une sur los las del para por aus mit zur new based"
    )
)
# Words of sentences, which titles seldom contain.
_PROSE: Final = frozenset(
    str.split(
        "we our you your this these which can has have should will been see please it they was were"
        " be would may described shown here if there i"
    )
)
_VERBS: Final = frozenset(
    str.split("is are was were been have has had we this that which can will you")
)
# Words of journals, publishers and places in them, which end a title.
_VENUE: Final = re.compile(
    r"\b(?:journals?|transactions|trans|proceedings|proc|conference|conf|letters|lett|reviews|rev"
    r"|annals|ann|bulletin|bull|lecture notes|university|press|international|int|workshop"
    r"|symposium|society|soc|advances|magazine|springer|elsevier|wiley|ieee|acm|siam|publisher"
    r"|plos|bmc|arxiv|biorxiv|preprint|editors?|eds?|edition|volume|vol|issue|pages|pp|chapter"
    r"|thesis|zenodo|figshare|retrieved|accessed|phys|chem|acta|monographs?|commun)\b",
    re.IGNORECASE,
)
_END: Final = re.compile(
    rf"[{BOUNDARY};?!()\[\]\"“”„«»]|(?:(?<=[a-z0-9]{{2}})|(?<=[A-Z]{{2}})|(?<=[)\]]))[.](?=\s|$)"
    r"|''|``|\s[-–—]{1,3}\s"
)
_QUOTED: Final = re.compile(
    r"[\"“„«]([^\"“”„«»]{12,400})[\"”»]|``([^`']{12,400})''|(?<!\w)'([^']{20,400})'(?!\w)"
)
_REST_OF_PEOPLE: Final = re.compile(r"^[\s,.]*(?:et\.? al\b[\s,.]*)?(?:and\b|&)?\s*")
_CAPITAL: Final = re.compile(r"\W*(?:\w*[A-Z\d]|[a-z]+:)")
_LEAST: Final = 4  # words that say something


def content(words: Iterable[str]) -> list[str]:
    """The words that say what a text is about.

    >>> content(("on", "the", "origin", "of", "species"))
    ['origin', 'species']
    """
    return [word for word in words if word not in _STOP and (len(word) > 2 or not word.isascii())]


def is_sentence(words: Words) -> bool:
    """A text is made of sentences, not of references."""
    return sum(word in _VERBS for word in words.folded) >= 3


def pieces(text: str, label: str) -> Iterable[Title]:
    """What may be titles in a text that names people, most likely first."""
    yield from piece(label)
    for quoted in _QUOTED.finditer(text):
        yield from piece(quoted[1] or quoted[2] or quoted[3], least=3, quoted=True)
    for segment in _END.split(CITED.sub(BOUNDARY, LIST.sub(BOUNDARY, text))):
        yield from piece(_REST_OF_PEOPLE.sub("", segment))


def first_piece(text: str) -> Iterable[Title]:
    """What may be a title at the beginning of a text."""
    return piece(_END.split(text, maxsplit=1)[0])


def piece(segment: str, *, least: int = _LEAST, quoted: bool = False) -> Iterable[Title]:
    """The words of a segment, without the journal that follows it, if they may be a title."""
    if not _CAPITAL.match(segment):
        return
    kept = []
    for part in segment.split(","):
        if not quoted and _VENUE.search(part):
            break
        kept.append(part)
    words = Words.of(" ".join(kept)).folded
    about = content(words)
    if len(about) >= least and not _PROSE.intersection(words):
        yield tuple(about)
