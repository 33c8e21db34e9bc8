"""The page of ``doilinks works --format html``: one file that asks nobody for anything.

What stands in a record or in a document is escaped text or a number; the script reads it from
there, and makes no elements of it. The template says with hashes which style and script may run.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from ...core.link import link_to
from ...core.options import Options
from ...core.printable import counted, printable
from ...linking.cite.bibtex import bibtex_of

if TYPE_CHECKING:
    from .works import Listing

_BIBTEX: Final = '<details class="bibtex"><summary>BibTeX</summary><pre>'
_FEW: Final = 3  # places that are shown without being asked for
_SPACE: Final = re.compile("<!--([a-z]+)-->")
_TRUSTED: Final = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)


def page_of(
    listings: Sequence[Listing], options: Options, states: Sequence[str], summary: str
) -> str:
    """The page that shows works, their states and places.

    :param listings: the works, in the order in which the page shows them at first
    :param options: say which text and target a link to a DOI has
    :param states: every state, the gravest first
    :param summary: of the works, a line
    """
    template = files(__package__).joinpath("page.html").read_text("utf-8")
    numbers = {state: sum(state in each.states for each in listings) for state in states}
    by_place = sorted(range(len(listings)), key=lambda at: _first(listings[at]))
    order = {index: at for at, index in enumerate(by_place)}
    known = {each.doi: each.work for each in listings if each.work}
    # Each entry begins a line, and no line within one begins with this character.
    entries = dict(zip(known, re.split(r"\n+(?=@)", bibtex_of(known).strip()), strict=bool(known)))
    works = (
        _item(each, order[index], options, states, entries.get(each.doi, ""))
        for index, each in enumerate(listings)
    )
    parts = {
        "policy": f'<meta http-equiv="Content-Security-Policy" content="{_policy(template)}">',
        "summary": escape(summary),
        "states": "\n".join(
            f'<button type="button" aria-pressed="false" data-state="{_slug(state)}">'
            f"{state} <b>{number}</b></button>"
            for state, number in numbers.items()
            if number
        ),
        "works": "\n".join(works) or "<li>There are none.</li>",
    }
    # In one go, so that what a record says is never taken for a space to be filled.
    return _SPACE.sub(lambda space: parts[space[1]], template)


def _policy(template: str) -> str:
    hashes: dict[str, str] = {}
    for trusted in _TRUSTED.finditer(template):
        digest = b64encode(sha256(trusted[2].encode()).digest()).decode()
        hashes[trusted[1]] = f"'sha256-{digest}'"
    return (
        f"default-src 'none'; style-src {hashes['style']}; script-src {hashes['script']}; "
        "base-uri 'none'; form-action 'none'"
    )


def _first(listing: Listing) -> tuple[str, int, int]:
    place = listing.places[0]
    return place.file or "", place.line or 0, place.column or 0


def _slug(state: str) -> str:
    return state.replace(" ", "-")


def _item(listing: Listing, order: int, options: Options, states: Sequence[str], bib: str) -> str:
    work, link = listing.work, link_to(listing.doi, options)
    year = next(iter(work.years), 0) if work else 0
    grave = states.index(listing.states[0])
    slugs = " ".join(map(_slug, listing.states))
    data = f'data-states="{slugs}" data-state="{grave}" data-year="{year}" data-place="{order}"'
    lines = [
        f'<li id="{listing.anchor}" {data}>',
        *_reference(listing),
        f'<p class="doi"><a href="{escape(link.href or "")}">{escape(link.text or "")}</a>',
        *(f'<span class="state {_slug(state)}">{state}</span>' for state in listing.states),
        "</p>",
        *_remarks(listing),
        *_places(listing),
        bib and f"{_BIBTEX}{escape(bib)}</pre></details>",
        "</li>",
    ]
    return "\n".join(lines)


def _reference(listing: Listing) -> Iterator[str]:
    if not listing.runs:
        return
    shown = ""
    for run in listing.runs:
        text = escape(run.text)
        for style in reversed(run.styles):
            text = f"<{style}>{text}</{style}>"
        shown += text
    yield f'<p class="work" dir="auto">{shown}</p>'


def _remarks(listing: Listing) -> Iterator[str]:
    several = len(listing.places) > 1
    for place, message in {message: (at, message) for at, message in listing.remarks}.values():
        text = f"{place}: {message}" if place and several else message
        yield f'<p class="remark" dir="auto">{escape(text)}</p>'


def _places(listing: Listing) -> Iterator[str]:
    texts = dict.fromkeys(printable(f"{each.file}:{each.line}") for each in listing.places)
    shown = "".join(f"<li>{escape(each)}</li>" for each in texts)
    shown = f'<ul class="places">{shown}</ul>'
    if len(texts) <= _FEW:
        yield shown
    else:
        places = counted(len(listing.places), "place")
        yield f"<details><summary>{places}</summary>{shown}</details>"
