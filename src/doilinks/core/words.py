"""Words that publishers' pages and reference lists glue to a name, and where each word counts.

Heuristic: a name may contain the same letters, so a word counts only where no registered name was
seen to contain it, and only in the case in which pages write it there.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

__all__ = [
    "AFTER_NOTHING",
    "AFTER_STOP",
    "IN_BRACKETS",
    "NO_WORD",
    "NO_WORD_BEFORE_COLON",
    "WORDS",
    "Word",
]

# "any": in upper or lower case; "as is": as in the table; "colon": as in the table, before a colon.
Counts = Literal["any", "as is", "colon", "no"]


class Word(NamedTuple):
    """A word that is not part of the name to which it is glued.

    :ivar word: the word, a regular expression
    :ivar after_stop: whether it counts after a stop: ``10.1000/182.PMID: 1``
    :ivar after_nothing: whether it counts directly after the name: ``10.1000/182PMID: 1``
    :ivar in_brackets: whether it counts after an opening bracket: ``10.1000/182[PMID 1]``
    """

    word: str
    after_stop: Counts
    after_nothing: Counts
    in_brackets: Counts


WORDS: Final = (
    #                 after_stop  after_nothing  in_brackets
    Word("PMID",      "any",      "as is",       "any"),
    Word("PMCID",     "any",      "as is",       "any"),
    Word("PubMed",    "any",      "as is",       "any"),
    Word("Medline",   "any",      "as is",       "any"),
    Word("CrossRef",  "any",      "as is",       "any"),
    Word("Crossref",  "no",       "as is",       "no"),
    Word("Epub",      "any",      "as is",       "any"),
    Word("Available", "any",      "as is",       "no"),
    Word("Accessed",  "any",      "as is",       "no"),
    Word("Retrieved", "any",      "as is",       "no"),
    Word("Google",    "as is",    "as is",       "any"),
    Word("ISSN",      "as is",    "as is",       "no"),
    Word("ISBN",      "as is",    "no",          "no"),
    Word("URL",       "as is",    "no",          "no"),
    Word("arXiv",     "as is",    "colon",       "as is"),
    Word("hep-[a-z]+", "no",      "no",          "as is"),
    Word("doi",       "colon",    "no",          "as is"),
    Word("DOI",       "colon",    "no",          "as is"),
    Word("pii",       "no",       "no",          "as is"),
    Word("PII",       "no",       "no",          "as is"),
)  # fmt: skip


def _words(place: str, counts: Counts) -> str:
    return "|".join(word.word for word in WORDS if getattr(word, place) == counts)


# Before one of these, the word is only the beginning of a longer word.
_GOES_ON: Final = r"[a-z0-9_./-]"
# The number of an article at PubMed Central.
_PUBMED_CENTRAL: Final = r"PMC[0-9]{4,}(?![\w/-])"

AFTER_STOP: Final = (
    rf"(?:(?:(?i:{_words('after_stop', 'any')})|{_words('after_stop', 'as is')})(?!{_GOES_ON})"
    rf"|(?:{_words('after_stop', 'colon')})(?=:)|{_PUBMED_CENTRAL})"
)
AFTER_NOTHING: Final = (
    rf"(?:(?:{_words('after_nothing', 'as is')})+(?=[.,;:]?\Z|:)"
    rf"|(?:{_words('after_nothing', 'colon')})(?=:))"
)
IN_BRACKETS: Final = rf"(?:(?i:{_words('in_brackets', 'any')})|{_words('in_brackets', 'as is')})\b"
# Matches at a place that is not after a word of AFTER_NOTHING.
NO_WORD: Final = "".join(f"(?<!{word.word})" for word in WORDS if word.after_nothing == "as is")
NO_WORD_BEFORE_COLON: Final = "".join(
    f"(?<!{word.word})" for word in WORDS if word.after_nothing == "colon"
)
