"""A work in words: on hover, in a citation, and in a list of references.

Texts are plain. What stands in a record is made of printable characters of one line
(:func:`doilinks.record.plain.plain`); each format escapes them as all other text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import bidirectional

from ..core.nameless import WorkId
from ..core.printable import inert
from .kinds import ARTICLES, Status, csl_type
from .language import ENGLISH, Language
from .person import OTHERS, Person
from .work import Work

_NAMED: Final = 3  # people on hover
_LONGEST: Final = 300  # characters on hover
_TITLE: Final = 60  # characters of a title that stands for people
RETRACTED_CLASS: Final = "doi-retracted"


def hover(work: Work, language: Language = ENGLISH) -> str:
    """Return the text of a work on hover, at most 300 characters."""
    people = [each.family for each in work.persons if each != OTHERS]
    names = ", ".join(people[:_NAMED])
    names = language.more.format(names) if names and _size(work) > len(people[:_NAMED]) else names
    state = f"{state}. " if (state := state_of(work, language)) else ""
    title, year = isolated(beside_state(work.whole_title, work)), f"({year_of(work, language)})."
    first, titles = f"{isolated(names)} {year}", [title, isolated(work.container)]
    if not names:  # as the list has it
        first, titles = f"{title} {year}".lstrip(), titles[1:]
    return shortened(" ".join([state + first, *map(ended, filter(None, titles))]), _LONGEST)


def card(work: Work) -> str:
    """Return the text of a work for an editor, in paragraphs of Markdown; no text is markup."""
    state, title = state_of(work), isolated(inert(beside_state(work.whole_title, work)))
    heading = [f"**{each}**" for each in (state and f"{state}.", title) if each]
    people = isolated(inert(people_in_words(work.persons, work.count)))
    people = f"{people} ({inert(year_of(work))}).".lstrip()
    container = f" {isolated(inert(ended(work.container)))}" if work.container else ""
    return "\n\n".join([*heading, people + container])


def state_of(work: Work, language: Language = ENGLISH) -> str:
    """Return the status of a work that a reader must know, such as retracted, or ``""``."""
    states = {
        Status.RETRACTED: language.retracted,
        Status.CONCERN: language.concern,
        Status.RETRACTION_NOTICE: language.notice,
    }
    return states.get(work.status, "")


def told_in_text(work: Work, language: Language = ENGLISH) -> str:
    """Return the retraction as text after the year, for readers without a pointer or colours."""
    said = language.retracted
    return f", {said[:1].lower()}{said[1:]}" if work.status is Status.RETRACTED else ""


def classes_of(work: Work) -> tuple[str, ...]:
    """Return the classes of a link to a work, for a theme."""
    return (RETRACTED_CLASS,) if work.status is Status.RETRACTED else ()


# MathJax leaves elements with these classes alone, by default: ``ignoreHtmlClass`` of versions 3
# and 4, ``ignoreClass`` of version 2.
NO_FORMULA: Final = ("mathjax_ignore", "tex2jax_ignore")


def no_formula(text: str) -> tuple[str, ...]:
    """Return the classes of an element with text of a record, which is not read as a formula.

    In a page with MathJax, a formula could be a link to anywhere.
    """
    return NO_FORMULA if "$" in text or "\\" in text else ()


def year_of(work: Work, language: Language = ENGLISH) -> str:
    """Return the year of a work, the words of its record for it, or those for no date."""
    return str(work.years[0]) if work.years else work.dated or language.no_date


def authors_of(work: Work, language: Language = ENGLISH) -> str:
    """Return the people of a work as a citation names them; its title if nobody is known."""
    names = [each.family for each in work.persons]
    if not names:
        return language.quoted.format(shortened(work.title, _TITLE))
    if _size(work) > 2 or OTHERS in work.persons:
        return isolated(language.more.format(names[0]))
    return isolated(language.two.format(*names) if len(names) > 1 else names[0])


def _size(work: Work) -> int:
    """Return the number of people; a record of thousands is kept with a few of them."""
    return max(len(work.persons), work.count)


def beside_state(title: str, work: Work) -> str:
    """Remove a label such as "RETRACTED: " from a title if ``state_of`` is shown before it."""
    if not state_of(work):
        return title
    from .labels import without_label  # rarely needed

    return without_label(title) or title


def shortened(text: str, longest: int) -> str:
    """Cut a text to at most this many characters, between words where there are any."""
    if len(text) <= longest:
        return text
    head, _, _ = text[:longest].rpartition(" ")
    head = (head or text[: longest - 1]).rstrip(" ,;:.-–—")
    # What is cut off may be the end of an isolate.
    return head + "…" + _POP * (head.count(_ISOLATE) - head.count(_POP))


def ended(text: str) -> str:
    """Add a full stop to a text that does not end as a sentence."""
    return text if text.rstrip(_CLOSERS).endswith((".", "?", "!", "…", ":")) else f"{text}."


# UAX #9 §2.3: text from right to left must not reorder what is around it.
ISOLATES: Final = "\u2068\u2069"
_ISOLATE, _POP = ISOLATES
_CLOSERS: Final = f"”’\"'{_POP}"


def isolated(text: str) -> str:
    """Isolate a right-to-left text, so that it does not reorder the text around it."""
    is_rtl = not text.isascii() and any(bidirectional(each) in ("R", "AL") for each in text)
    return f"{_ISOLATE}{text}{_POP}" if is_rtl else text


class StyledText(NamedTuple):
    """A piece of a reference."""

    text: str
    styles: tuple[str, ...] = ()


# Each part of given names, with the hyphen before it and the stop after it.
_GIVEN: Final = re.compile(r"(?P<hyphen>\s?[-‐‑]\s?)?(?P<name>[^\s.\-‐‑]+)(?P<stop>\.?)")
DASHES: Final = re.compile(r"(?<=[0-9])\s*(?:--?|[–—])\s*(?=[0-9])")  # the dash of a range of pages


def reference(
    doi: WorkId, work: Work, letter: str = "", language: Language = ENGLISH
) -> list[StyledText]:
    """Format a work for a list of references in the plain style, without the link to its DOI."""
    people = people_in_words(work.persons, work.count, language)
    if work.role == "editor":
        people += f" ({language.editors if work.count > 1 else language.editor})"
    year = f"({year_of(work, language)}{letter})"
    title, container = beside_state(work.whole_title, work) or doi.uri, work.container
    state = state_of(work, language)
    runs = [StyledText(f"{state}.", ("b",)), StyledText(" ")] if state else []
    if people:
        runs.append(StyledText(f"{isolated(people)} {year}. "))
    runs.append(StyledText(isolated(title), () if container else ("i",)))
    after = "" if people else f" {year}"
    numbers = work.volume + (f"({work.issue})" if work.issue else "")
    about, pages = _about(work, language), DASHES.sub("–", work.pages)
    if container:
        runs += [StyledText(f"{after}. " if after else ended(title)[len(title) :] + " ")]
        runs += [StyledText(isolated(container), ("i",))]
        after = about + "".join(f", {part}" for part in (numbers, pages) if part)
    else:
        after = about + after + (f", {pages}" if pages else "")
    # A reader finds a journal without its publisher.
    if work.publisher and not (container and csl_type(work.type) in ARTICLES):
        is_ended = not after and runs[-1].text.endswith((".", "?", "!"))
        after += f"{' ' if is_ended else '. '}{isolated(work.publisher)}"
    if after or not runs[-1].text.endswith((".", "?", "!")):
        runs.append(StyledText(ended(after)))
    return runs


def _about(work: Work, language: Language) -> str:
    """Return the edition, editors and translators of a work or of its book, in brackets."""
    edition = work.edition
    if edition.isdecimal():
        is_english = language.edition == ENGLISH.edition
        edition = language.edition.format(_ordinal(int(edition)) if is_english else edition)
    about = [edition] if edition else []
    for people, one, more in (
        (work.editors, language.editor, language.editors),
        (work.translators, language.translator, language.translator),
    ):
        if people:
            names = isolated(people_in_words(people, 0, language))
            about.append(f"{names}, {more if people[1:] else one}")
    return f" ({'; '.join(about)})" if about else ""


def _ordinal(number: int) -> str:
    """Write a number as English has it before a noun: 2nd, 3rd, 11th."""
    end = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{end}"


def people_in_words(people: Sequence[Person], count: int = 0, language: Language = ENGLISH) -> str:
    """List people with initials; of more than 21, the first twenty and the last.

    >>> people_in_words((Person("Paskin", "Norman", "Jr."), Person("R Core Team")))
    'Paskin, N., Jr. & R Core Team'
    """
    names = [
        ", ".join(filter(None, (each.family, _initials(_cased(each)), each.suffix)))
        for each in people
        if each != OTHERS
    ]
    if len(names) < len(people):
        return language.more.format(", ".join(names))
    if count > len(people) and len(names) > 1:
        return ", ".join(names[:-1]) + ", … " + names[-1]
    first = ", ".join(names[:-1])
    return language.two.format(first, names[-1]) if first else "".join(names)


def _cased(person: Person) -> str:
    """Return given names; in a name in capitals throughout, two of them are no initials."""
    given = person.given or ""
    return given.title() if len(person.family) > 1 and person.family.isupper() else given


def _initials(given: str) -> str:
    """Shorten given names to initials. Heuristic: names of scripts without capitals stay whole.

    Two capitals are two initials, as many registers write them. A particle or abbreviation stays.

    >>> [*map(_initials, ("Anne-Marie J.", "光", "AJ", "J.P.", "J. -P.", "Jan van der", "T.Sh."))]
    ['A.-M. J.', '光', 'A. J.', 'J. P.', 'J.-P.', 'J. van der', 'T. Sh.']
    """
    if not any(map(str.isupper, given)):
        return given
    short = ""
    for found in _GIVEN.finditer(given):
        name, hyphen = found["name"], "-" if found["hyphen"] and short else ""
        letters = [*filter(str.isalpha, name)]
        if not letters or name.startswith("("):  # a nickname
            continue
        if name.islower() and short and not (hyphen or found["stop"]):
            short += f" {name}"
            continue
        is_two = len(name) == len(letters) == 2 and name.isupper()
        parts = [name] if found["stop"] and not is_two else letters[: 1 + is_two]
        initials = " ".join(f"{part}." for part in parts)
        short += f"{hyphen or ' '}{initials}"
    return short.strip()
