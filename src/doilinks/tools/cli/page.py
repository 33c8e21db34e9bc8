"""The page of ``doilinks works --format html``: one file that asks nobody for anything.

Texts of records and documents are escaped, or are numbers; the script reads them, and makes no
elements of them. The template says with hashes which style and script may run.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from ...core.link import link_to
from ...core.options import Options
from ...core.printable import counted, printable
from ...record.bibtex import bibtex_of
from ...record.words import StyledText

if TYPE_CHECKING:
    from .works import Listing

_BIBTEX: Final = '<details class="bibtex"><summary>BibTeX</summary><pre>'
_FEW: Final = 3  # places that are shown without being asked for
_SPACE: Final = re.compile("<!--([a-z]+)-->")  # a place in the template that is filled
_TRUSTED: Final = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)


def page_of(
    listings: Sequence[Listing], options: Options, counts: Mapping[str, int], summary: str
) -> str:
    """Build the page of works; ``counts`` says how many are in each state, the gravest first."""
    template = files(__package__).joinpath("page.html").read_text("utf-8")
    first = [each.places[0] for each in listings]
    places = [(each.file or "", each.line or 0, each.column or 0) for each in first]
    by_place = sorted(range(len(listings)), key=places.__getitem__)
    order = {index: at for at, index in enumerate(by_place)}
    known = {each.doi: each.work for each in listings if each.work}
    # Each entry begins a line, and no line within one begins with this character.
    entries = dict(zip(known, re.split(r"\n+(?=@)", bibtex_of(known).strip()), strict=bool(known)))
    works = (
        _item(each, order[index], options, [*counts], entries.get(each.doi, ""))
        for index, each in enumerate(listings)
    )
    hashes = {
        kind: b64encode(sha256(text.encode()).digest()).decode()
        for kind, text in _TRUSTED.findall(template)
    }
    policy = (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; "
        f"script-src 'sha256-{hashes['script']}'; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        "summary": summary,
        "states": "\n".join(
            f'<button type="button" aria-pressed="false" data-state="{_slug(state)}">'
            f"{state} <b>{number}</b></button>"
            for state, number in counts.items()
            if number
        ),
        "works": "\n".join(works) or "<li>There are none.</li>",
    }
    # In one go, so that text of a record is never taken for a space to be filled.
    return _SPACE.sub(lambda space: parts[space[1]], template)


def _slug(state: str) -> str:
    return state.replace(" ", "-")


def _item(listing: Listing, order: int, options: Options, states: Sequence[str], bib: str) -> str:
    work, link = listing.work, link_to(listing.doi, options)
    year = next(iter(work.years), 0) if work else 0
    grave = states.index(listing.states[0])
    slugs = " ".join(map(_slug, listing.states))
    data = f'data-states="{slugs}" data-state="{grave}" data-year="{year}" data-place="{order}"'
    messages = {message: (at, message) for at, message in listing.remarks}.values()
    reference = marked_up(listing.runs, escape)
    several = len(listing.places) > 1
    remarks = [f"{at}: {message}" if at and several else message for at, message in messages]
    texts = dict.fromkeys(printable(f"{each.file}:{each.line}") for each in listing.places)
    place_list = "".join(f"<li>{escape(each)}</li>" for each in texts)
    place_list = f'<ul class="places">{place_list}</ul>'
    if len(texts) > _FEW:
        places = counted(len(listing.places), "place")
        place_list = f"<details><summary>{places}</summary>{place_list}</details>"
    lines = [
        f'<li id="{listing.anchor}" {data}>',
        *([f'<p class="work" dir="auto">{reference}</p>'] if reference else ()),
        f'<p class="doi"><a href="{escape(link.href or "")}">{escape(link.text or "")}</a>',
        *(f'<span class="state {_slug(state)}">{state}</span>' for state in listing.states),
        "</p>",
        *(f'<p class="remark" dir="auto">{escape(text)}</p>' for text in remarks),
        place_list,
        bib and f"{_BIBTEX}{escape(bib)}</pre></details>",
        "</li>",
    ]
    return "\n".join(lines)


def marked_up(runs: Iterable[StyledText], encode: Callable[[str], str]) -> str:
    """Put texts into elements of HTML for their styles, which are markup in Markdown too."""
    html = ""
    for run in runs:
        text = encode(run.text)
        for style in reversed(run.styles):
            text = f"<{style}>{text}</{style}>"
        html += text
    return html
