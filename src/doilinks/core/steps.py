"""The steps of detection: what a row is, and the words that publishers glue to a name."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

# --------------------------------------------------------------------------------------------------
# One step of the scan: a named rule, a text to which it applies, and one to which it does not.
#
# The steps are the rows of ``begin_steps`` and ``end_steps``. ``begin``, ``end`` and ``scan`` join
# their patterns from these rows. The order of a table is the order in which its steps are tried.
# ``docs/explanation/prose.md`` explains each step under the same name.

# The slash between prefix and suffix.
SLASH: Final = r"(?:/|%2[Ff])"

# Scripts whose words join others without a space, as ranges of code points: Hebrew and Arabic by
# their prefixes, Thai and Lao, Burmese, Hangul, Khmer, Han, Kana. They are not a class of a
# pattern, because the engine takes a millisecond to compile one.
_JOINING: Final = (
    (0x0590, 0x08FF), (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF),
    (0x2E80, 0x2FDF), (0x3040, 0xA4CF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC), (0x20000, 0x3FFFF),
)  # fmt: skip

# Full-width and CJK punctuation, as part of a character class.
FULL_WIDTH: Final = r"\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"

BRACKETS: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}

# The pairs that may enclose a name.
PARTNER: Final = {
    **BRACKETS, '"': '"', "'": "'", "`": "`",
    "“": "”", "„": "“", "‘": "’", "‚": "‘", "«": "»", "‹": "›", "⟨": "⟩",
}  # fmt: skip


class Step(NamedTuple):
    """One rule for where a name begins or ends.

    No standard says where a name begins or ends in prose, so a step is a heuristic unless its row
    cites a standard.

    :ivar name: what ``docs/explanation/prose.md`` calls the step
    :ivar pattern: what the step looks for, a regular expression without groups
    :ivar example: a text to which the step applies. The first ``|`` is not part of the text: it is
        where the name begins, its label included, or, for a step of the end, where the name ends. A
        text without a ``|`` contains no name.
    :ivar unlike: a similar text to which the step does not apply, marked in the same way

    >>> either(Step("comma", ",(?=10)", "10.1/a|,10.1/b", "10.1/a,b|"), Step("bar", "[|]", "", ""))
    ',(?=10)|[|]'
    """

    name: str
    pattern: str
    example: str
    unlike: str

    @property
    def group(self) -> str:
        """The name of this step's group in a joined pattern."""
        return self.name.replace(" ", "_")


def either(*steps: Step, grouped: tuple[Step, ...] = ()) -> str:
    """Join the patterns of steps, to be tried in this order.

    :param grouped: the steps to be told apart; each becomes a group, named ``Step.group``
    """
    return "|".join(
        f"(?P<{step.group}>{step.pattern})" if step in grouped else step.pattern for step in steps
    )


def one_of(*steps: Step) -> str:
    """Join steps whose patterns are parts of a character class: any one of their characters."""
    return f"[{''.join(step.pattern for step in steps)}]"


def is_joining(character: str) -> bool:
    """Tell whether a character is of a script whose words join others without a space.

    >>> is_joining("を"), is_joining("é")
    (True, False)
    """
    code = ord(character)
    return any(first <= code <= last for first, last in _JOINING)


# --------------------------------------------------------------------------------------------------
# Words that publishers' pages and reference lists glue to a name, and where each word counts.
#
# Heuristic: a name may contain the same letters, so a word counts only where no registered name was
# seen to contain it, and only in the case in which pages write it there.

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
