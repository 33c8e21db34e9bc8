"""A shortcut for names that begin and end as most do: the rows of ``steps`` give the same result.

Most names begin with one of a few labels, after white space, or after a quote or bracket that
follows white space. Most suffixes consist of letters, digits, slashes and hyphens, with single
dots, underscores, colons and pairs of parentheses between them, before white space or a closing
quote or bracket and white space. Two matches find such a name, for which the rows take five times
as long. A test turns the shortcut off and proves that it changes nothing.
"""

from __future__ import annotations

import re
from typing import Final

from . import steps as step
from .doi import DOI, UNSEEN, Form

IS_ON = True  # a switch for debugging: without the shortcut, the rows decide about each name

_LABELS: Final[tuple[tuple[str, Form], ...]] = (
    (r"https://doi\.org/", "url"),
    (r"http://dx\.doi\.org/", "url"),
    (r"https://dx\.doi\.org/", "url"),
    (r"doi\.org/", "url"),
    (r"[Dd][Oo][Ii]:", "label"),
    (r"[Dd][Oo][Ii]:\s", "label"),
    ("", "bare"),
)
_FORMS: Final[tuple[Form, ...]] = ("bare", *(form for _, form in _LABELS))
_OPENERS: Final = "([{<\"'`“‘«"
_LABELLED: Final = "|".join(rf"(?<=({label})10\.)" for label, _ in _LABELS)
# The text after the "10" of such a name; the label before it is a group.
BEGIN: Final = (
    rf"\.(?!{step.DATE.pattern})(?>{_LABELLED})"
    rf"(?!{step.ZENODO}/(?!zenodo\.[0-9]))[0-9]{{4,9}}/(?=[A-Za-z0-9])"
)
# After white space before which is no other label or invisible character, and after a quote or
# bracket there.
_BEFORE: Final = re.compile(
    rf"(?<![^\s{re.escape(_OPENERS)}])(?<!\S[{re.escape(_OPENERS)}])"
    rf"(?<![{UNSEEN}]\s)(?<![{UNSEEN}]\s\s)"
    r"(?<![:：]\s)(?<![:：]\s\s)(?<![:：]\s\s\s)(?<![:：]\s<)(?<![:：]\s\s<)(?<![:：]\s\s\s<)"
)
_PLAIN: Final = r"[A-Za-z0-9/-]"
_HYPHEN: Final = r"-(?!10\.|d|http)"  # no DOI follows
# The suffix of a plain name and the sign that certainly ends it.
_SUFFIX: Final = re.compile(
    rf"""(?x)(?=[A-Za-z0-9/(_-])(?>[A-Za-z0-9/]*+(?:
           (?: {_HYPHEN}
             | [._](?:(?=[0-9])|(?!{step.AFTER_STOP}|www\.)(?={_PLAIN}|\())
             | {step.NO_WORD}{step.NO_WORD_BEFORE_COLON}:(?!//|www\.)(?={_PLAIN}|\()
             | \((?!{step.IN_BRACKETS})[A-Za-z0-9_-]*+\)
           )[A-Za-z0-9/]*+
         )*)(?:(?<=[0-9])|(?<![._:])(?<!xx|XX|nn|NN){step.NO_WORD})(?=[)\]}}>"'`”’».,;]{{0,3}}(?:\s|\Z))"""
)


def everyday(text: str, begin: re.Match[str], floor: int) -> tuple[int, int, DOI, Form] | None:
    """Return span, name and form of a name; None if the rows have to decide.

    ``begin`` is a match of ``BEGIN`` after a "10", ``floor`` the end of the name before it.
    """
    label = begin.lastindex or 0
    start = begin.start(label)
    if not IS_ON or start < floor or not _BEFORE.match(text, start):
        return None
    suffix = _SUFFIX.match(text, begin.end())
    if suffix is None:
        return None
    end = suffix.end()
    doi = DOI(text[begin.start() : end])
    if start == floor or text[start - 1] != "<":
        return start, end, doi, _FORMS[label]
    is_closed = text.startswith(">", end) and not text[begin.start() - 1].isspace()
    return (start - 1, end + 1, doi, "angle") if is_closed else None
