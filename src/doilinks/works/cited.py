"""People in a text: how references and sentences name those who made a work.

All of these are heuristics. They say only that a text names people at all; whether they are those
of the record is decided by the record's names.
"""

from __future__ import annotations

import re
from typing import Final

from .part import BOUNDARY

__all__ = [
    "AT_NAME",
    "AT_TITLE",
    "CELL",
    "CITED",
    "CITED_EARLY",
    "CITED_TITLE",
    "FULL_FIRST",
    "LABEL",
    "LIST",
]

# Capitalised words that are not names although a year or a letter often follows.
_NO_NAME: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Version|Figure|Fig|Table|Section"
    r"|Chapter|Vol|Part|Paper|In|The|From|Since|Until)"
)
_N: Final = rf"(?!{_NO_NAME}\b)[A-Z][A-Za-z'-]{{1,40}}"
_OF: Final = r"(?:(?:van|von|de|der|den|da|di|la|le|del|della|ten|ter|dos) ){0,2}"
_MIDDLE: Final = r"(?: [A-Z]\.?){0,4}"
_Y: Final = r"(?:1[89]|20)\d\d[a-z]?"
_PAGES: Final = r"\d{1,4}(?:\(\d{1,4}\))?: ?[A-Z]?\d{1,6}(?:-{1,2}\d{1,6})?"  # 93:1671-1698
_FULL: Final = rf"{_N}{_MIDDLE} {_OF}{_N}"

# An abbreviated journal looks like a person: J. Synch. Rad.
_JOURNAL: Final = r"J\. [A-Z][a-z]{1,9}\. (?:[A-Z][a-z]{0,9}\.|\d)"

# People as a list of references gives them.
LIST: Final = re.compile(
    rf"\b{_N},? (?:[A-Z]\.[ -]?){{1,6}}(?![a-z])"  # Paskin, N. A.
    rf"|(?<![\^°\d])\b(?!{_JOURNAL})(?:[A-Z]\.[ -]?){{1,4}}{_OF}{_N}\b"  # N. A. Paskin
    r"(?! (?!and\b|et\b|in\b)[a-z]{2,})"
    rf"|\b{_N} [A-Z]{{1,3}}(?=[,;])"  # Paskin NA,
    rf"|\b{_FULL}(?:, and |,| and| &) {_FULL}(?:,| and| &|\.|\n| \()"  # Norman Paskin, Ann Miller,
    rf"|\b{_N}, {_N}{_MIDDLE}, (?:and )?{_N} (?:[A-Z]\.? ?){{0,4}}{_N}"  # Paskin, Norman, and Ann B
    rf"|\b{_N}, {_N}{_MIDDLE}"
    rf"(?:[.,]? ?(?=[\"“]|\({_Y}\))|, et\.? al\b)"  # Paskin, Norman. “
)
# People as a sentence cites them: Paskin et al. (2000) · Paskin and Miller (2000) · Paskin (2000)
CITED: Final = re.compile(
    rf"\b{_N},? et\.? al\b\.?(?:,? \(?{_Y}\)?)?"
    rf"|\b{_N},? (?:and|&) {_N}(?:'s)?,? [(\[]?{_Y}"
    rf"|\b{_N}(?:[.,]? [(\[]|,? ){_Y}(?= ?[),.:;{BOUNDARY}\]]|$)"
)
# People at the beginning of a reference, with given names: Norman Paskin and Ann Miller. Title
FULL_FIRST: Final = re.compile(rf"{_FULL}(?:,? and {_FULL})?\. (?=[A-Z])")
# The same, just before a title.
CITED_TITLE: Final = re.compile(rf"(?:{CITED.pattern})[).,:]{{0,3}} ?(?=[\"“'])")
CITED_EARLY: Final = re.compile(rf"(?:[A-Za-z]+ ){{1,3}}(?:{CITED.pattern})\)?[.,:] (?=[A-Z])")
# The same, just before a name.
AT_NAME: Final = re.compile(
    rf"(?:{_N},? et\.? al\b[.,]{{0,2}}(?: ?[(\[]?{_Y})?"
    rf"|{_N},? (?:and|&) {_N},? (?:in )?[A-Z][A-Za-z. ]{{0,60}} {_PAGES},? ?[(\[]?{_Y}"
    rf"|{_N},? (?:and|&) {_N},? ?[(\[]?{_Y}"
    rf"|{_N},? ?[(\[]? ?{_Y}"
    rf"|\({_N},"
    rf"|\bby {_N}(?:, {_N}){{0,20}},? and {_N}[.,]?"
    rf"|\b(?:paper|work|method|algorithm|article|study|model|review) (?:of|by) \[?{_N}"
    rf"|(?:^|[\s(])[a-z]+ {_N} (?:and|&) {_N}(?= ?\())"
    rf"[\s:,;()\]@\[<.{BOUNDARY}]{{0,20}}(?:(?i:doi)[: ]{{0,3}})?[\s(\[<:{BOUNDARY}]{{0,20}}$"
)
# The same, just before a title in italics.
AT_TITLE: Final = re.compile(rf"(?:{CITED.pattern})[).,:]{{0,3}}\s?$")
# The same, as the whole text of a link to a name.
LABEL: Final = re.compile(
    rf"\s*{_N},? (?:and|&) {_N}\s*|\s*{_N},? et\.? al\b.*|\s*{_N},? \(?{_Y}\)?\s*"
)
# A person as the whole cell of a table: Norman A. Paskin. Words of other tables are not people.
_NOUNS: Final = (
    r"(?:Analysis|Build|Code|Coverage|Data|Database|Dataset|Docs|Documentation|Downloads|Learning"
    r"|License|Method|Methods|Model|Models|Network|Package|Release|Status|Test|Tests|Transform|Type)"
)
_GIVEN: Final = r"(?:Jan|April|May|June|August)"  # months that are given names too
CELL: Final = re.compile(
    rf"(?!.*\b{_NOUNS}\b)(?:{_GIVEN}|{_N})(?: [A-Z]\.?){{0,4}}(?: {_OF}[a-z]{{0,3}}{_N}){{1,2}}"
)
