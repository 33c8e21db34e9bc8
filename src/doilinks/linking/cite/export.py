"""Works for other programs: CSL-JSON, which citeproc and reference managers read.

Spec: CSL 1.0.2 with its schema of input data; the types of Crossref's REST API and of DataCite 4.6.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ...checking.record.work import Person, Work
from ...core.doi import DOI
from .words import beside_state

# The types of CSL with those of agencies that mean the same, and the other types of CSL.
_NAMES: Final = {
    "article": "preprint posted-content",
    "article-journal": "journal-article data-paper",
    "book": "monograph edited-book reference-book book-set book-series",
    "chapter": "book-chapter book-section book-part book-track reference-entry",
    "graphic": "image",
    "motion_picture": "audiovisual film",
    "paper-conference": "proceedings-article conference-paper",
    "periodical": "journal journal-issue journal-volume",
    "report": "report-component report-series output-management-plan",
    "review": "peer-review",
    "software": "computational-notebook",
    "song": "sound",
    "speech": "presentation poster",
    "thesis": "dissertation",
    "webpage": "website",
}
_OTHERS: Final = (
    "article-magazine", "article-newspaper", "collection", "dataset", "entry", "entry-dictionary",
    "entry-encyclopedia", "figure", "manuscript", "map", "patent", "post-weblog", "standard",
)  # fmt: skip
_TYPE_OF: Final = {each: each for each in (*_NAMES, *_OTHERS)} | {
    each: name for name, others in _NAMES.items() for each in others.split()
}
_OTHER: Final = "document"
_CAPITAL: Final = re.compile("(?<=[a-z])(?=[A-Z])")
_MORE: Final = {"literal": "…"}  # people that the record of a lock file leaves out


def csl_of(doi: DOI, work: Work) -> dict[str, Any]:
    """A work as an item of CSL-JSON. What is unknown is left out."""
    item: dict[str, Any] = {"id": doi.uri, "type": type_of(work.type)}
    # The main title with its subtitle.
    beginning = f"{work.title.rstrip(':. ')}: "
    whole = [each for each in work.titles[1:2] if each.startswith(beginning)]
    item["title"] = next(iter(whole), work.title) or doi.uri
    if people := _people(work):
        item["editor" if work.role == "editor" else "author"] = people
    if work.years:
        parts = filter(None, (work.years[0], work.month, work.day))
        item["issued"] = {"date-parts": [[*parts]]}
    texts = {
        "container-title": work.container,
        "volume": work.volume,
        "issue": work.issue,
        "page": work.page,
        "publisher": work.publisher,
        "version": work.version,
        "status": work.status.value.replace("-", " "),
    }
    item |= {name: text for name, text in texts.items() if text}
    return item | {"DOI": doi.name, "URL": doi.url}


def csl_beside_state(doi: DOI, work: Work) -> dict[str, Any]:
    """A work for a list that says itself, with ``state_of``, what became of it."""
    item = csl_of(doi, work)
    item["title"] = beside_state(item["title"], work)
    item.pop("status", None)  # which few styles print
    return item


def type_of(registered: str) -> str:
    """The type of CSL for a type as an agency spells it."""
    folded = _CAPITAL.sub("-", registered).lower().replace(" ", "-")
    return _TYPE_OF.get(folded, _OTHER)


def _people(work: Work) -> list[dict[str, str]]:
    people = []
    for each in work.people or [Person(name, "") for name in work.names]:
        given = {"given": each.given} if each.given else {}
        is_whole = each.given is None  # the name of an organization
        people.append({"literal": each.family} if is_whole else {"family": each.family} | given)
    if work.count > len(people) > 1:
        people.insert(-1, _MORE)
    return people
