"""A work in words: on hover, in a citation, and in a list of references.

Texts are plain. What stands in a record is made of printable characters of one line
(:func:`doilinks.record.work.plain`); each format escapes them as all other text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import bidirectional

from ..core.doi import DOI
from ..core.printable import inert, printable
from .kinds import Status
from .language import ENGLISH, Language
from .work import Person, Work

_NAMED: Final = 3  # people on hover
_LONGEST: Final = 300  # characters on hover
_TITLE: Final = 60  # characters of a title that stands for people
RETRACTED_CLASS: Final = "doi-retracted"


def hover(work: Work, language: Language = ENGLISH) -> str:
    """Return the text of a work on hover, at most 300 characters."""
    names = ", ".join(work.names[:_NAMED])
    names = language.more.format(names) if names and _size(work) > _NAMED else names
    state = f"{state}. " if (state := state_of(work, language)) else ""
    title, year = isolated(beside_state(work.title, work)), f"({year_of(work, language)})."
    first, titles = f"{isolated(names)} {year}", [title, isolated(work.container)]
    if not names:  # as the list has it
        first, titles = f"{title} {year}".lstrip(), titles[1:]
    return shortened(" ".join([state + first, *map(ended, filter(None, titles))]), _LONGEST)


def card(work: Work, *, markdown: bool = False) -> str:
    """Return the text of a work for an editor, in paragraphs; in Markdown, no text is markup."""
    plain, bold = (inert, "**") if markdown else (printable, "")
    state, title = state_of(work), isolated(plain(beside_state(work.title, work)))
    heading = [f"{bold}{each}{bold}" for each in (state and f"{state}.", title) if each]
    people = f"{isolated(plain(people_in_words(work)))} ({plain(year_of(work))}).".lstrip()
    container = f" {isolated(plain(ended(work.container)))}" if work.container else ""
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
    """Return the year of a work, or the words for no date."""
    return str(work.years[0]) if work.years else language.no_date


def authors_of(work: Work, language: Language = ENGLISH) -> str:
    """Return the people of a work as a citation names them; its title if nobody is known."""
    names = work.names
    if not names:
        return language.quoted.format(shortened(work.title, _TITLE))
    if _size(work) > 2:
        return isolated(language.more.format(names[0]))
    return isolated(language.two.format(*names) if len(names) > 1 else names[0])


def _size(work: Work) -> int:
    """How many people there are; a record of thousands is kept with a few of them."""
    return max(len(work.names), work.count)


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
    return text if text.rstrip(_CLOSERS).endswith((".", "?", "!", "…")) else f"{text}."


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


_GIVEN: Final = re.compile(r"[^\W\d_]+[’']?")
DASHES: Final = re.compile(r"(?<=[0-9])\s*(?:--?|[–—])\s*(?=[0-9])")


def reference(
    doi: DOI, work: Work, letter: str = "", language: Language = ENGLISH
) -> list[StyledText]:
    """Format a work for a list of references in the plain style, without the link to its DOI."""
    people = people_in_words(work, language)
    if work.role == "editor":
        people += f" ({language.editors if work.count > 1 else language.editor})"
    year = f"({year_of(work, language)}{letter})"
    title, container = beside_state(work.title, work) or doi.uri, work.container
    state = state_of(work, language)
    runs = [StyledText(f"{state}.", ("b",)), StyledText(" ")] if state else []
    if people:
        runs.append(StyledText(f"{isolated(people)} {year}. "))
    runs.append(StyledText(isolated(title), () if container else ("i",)))
    after = "" if people else f" {year}"
    numbers = work.volume + (f"({work.issue})" if work.issue and work.volume else "")
    pages = DASHES.sub("–", work.page)
    if container:
        runs += [StyledText(f"{after}. " if after else ended(title)[len(title) :] + " ")]
        runs += [StyledText(isolated(container), ("i",))]
        after = "".join(f", {part}" for part in (numbers, pages) if part)
    elif work.publisher:
        after += f". {isolated(work.publisher)}"
    if after or not runs[-1].text.endswith((".", "?", "!")):
        runs.append(StyledText(ended(after)))
    return runs


def people_in_words(work: Work, language: Language = ENGLISH) -> str:
    """List the people of a work with initials; of more than 21, the first twenty and the last.

    >>> people = (Person("Paskin", "Norman"), Person("R Core Team"))
    >>> people_in_words(Work((), ("Paskin", "R Core Team"), people=people, count=2))
    'Paskin, N. & R Core Team'
    """
    people: Sequence[Person] = work.people or [Person(name) for name in work.names]
    names = [f"{p.family}, {_initials(p.given)}" if p.given else p.family for p in people]
    if work.count > len(people) and len(names) > 1:
        return ", ".join(names[:-1]) + ", … " + names[-1]
    first = ", ".join(names[:-1])
    return language.two.format(first, names[-1]) if first else "".join(names)


def _initials(given: str) -> str:
    """Shorten given names to initials. Heuristic: names of scripts without capitals stay whole.

    Two capitals are two initials, as many registers write them.

    >>> _initials("Anne-Marie J."), _initials("光"), _initials("AJ")
    ('A.-M. J.', '光', 'A. J.')
    """
    if not any(map(str.isupper, given)):
        return given

    def initials(name: re.Match[str]) -> str:
        is_two = len(name[0]) == 2 and name[0].isalpha() and name[0].isupper()
        return " ".join(name[0] if is_two else name[0][0])

    made = _GIVEN.sub(initials, given).replace(".", "").replace("-", ".-").replace(" ", ". ")
    return f"{made}."
