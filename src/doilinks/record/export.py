"""Works for other programs: CSL-JSON, which citeproc and reference managers read.

Spec: CSL 1.0.2 with its schema of input data.
"""

from __future__ import annotations

from typing import Any, Final

from ..core.doi import DOI
from ..core.nameless import WorkId
from .kinds import csl_type
from .person import OTHERS, Person
from .words import beside_state
from .work import Work

_TEXTS: Final = {  # the names of an item, with those of a work
    "container-title": "container", "collection-title": "series", "volume": "volume",
    "issue": "issue", "page": "pages", "number": "article", "edition": "edition",
    "publisher": "publisher", "publisher-place": "place", "version": "version",
    "language": "language",
}  # fmt: skip
_MORE: Final = {"literal": "…"}  # people that the record of a lock file leaves out
_OTHERS: Final = {"literal": "others"}  # people that nobody knows; citeproc prints "et al."


def csl_of(doi: WorkId, work: Work) -> dict[str, Any]:
    """Convert a work to an item of CSL-JSON. Leave out unknown fields."""
    item: dict[str, Any] = {"id": doi.uri, "type": csl_type(work.type)}
    item["title"] = work.whole_title or doi.uri
    beside = [("editor", work.editors), ("translator", work.translators)]
    for role, people in [(work.role, work.persons), *beside]:
        if people:
            item[role] = [*map(_person, people)]
    if work.count > len(work.persons) > 1:
        item[work.role].insert(-1, _MORE)
    if work.years:
        parts = filter(None, (work.years[0], work.month, work.day))
        item["issued"] = {"date-parts": [[*parts]]}
    elif work.dated:
        item["issued"] = {"literal": work.dated}
    texts = {name: getattr(work, field) for name, field in _TEXTS.items()}
    texts["status"] = work.status.value.replace("-", " ")
    item |= {name: text for name, text in texts.items() if text}
    return item | ({"DOI": doi.name, "URL": doi.url} if isinstance(doi, DOI) else {})


def csl_beside_state(doi: WorkId, work: Work) -> dict[str, Any]:
    """Convert a work to CSL-JSON for a list that states its status, with ``state_of``."""
    item = csl_of(doi, work)
    item["title"] = beside_state(item["title"], work)
    item.pop("status", None)  # which few styles print
    return item


def _person(person: Person) -> dict[str, str]:
    if person == OTHERS:
        return _OTHERS
    if person.given is None:  # the name of an organization
        return {"literal": person.family}
    parts = person._asdict()
    return {name: part for name, part in parts.items() if part}
