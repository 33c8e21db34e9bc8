"""Works for other programs: CSL-JSON, which citeproc and reference managers read.

Spec: CSL 1.0.2 with its schema of input data.
"""

from __future__ import annotations

from typing import Any, Final

from ..core.doi import DOI
from .kinds import csl_type
from .words import beside_state
from .work import Person, Work

_TEXTS: Final = ("volume", "issue", "page", "publisher", "version")  # of a work and of an item
_MORE: Final = {"literal": "…"}  # people that the record of a lock file leaves out


def csl_of(doi: DOI, work: Work) -> dict[str, Any]:
    """Convert a work to an item of CSL-JSON. Leave out unknown fields."""
    item: dict[str, Any] = {"id": doi.uri, "type": csl_type(work.type)}
    # The main title with its subtitle.
    beginning = f"{work.title.rstrip(':. ')}: "
    whole = [each for each in work.titles[1:2] if each.startswith(beginning)]
    item["title"] = next(iter(whole), work.title) or doi.uri
    if people := _people(work):
        item["editor" if work.role == "editor" else "author"] = people
    if work.years:
        parts = filter(None, (work.years[0], work.month, work.day))
        item["issued"] = {"date-parts": [[*parts]]}
    texts = {"container-title": work.container} | {name: getattr(work, name) for name in _TEXTS}
    texts["status"] = work.status.value.replace("-", " ")
    item |= {name: text for name, text in texts.items() if text}
    return item | {"DOI": doi.name, "URL": doi.url}


def csl_beside_state(doi: DOI, work: Work) -> dict[str, Any]:
    """Convert a work to CSL-JSON for a list that states its status, with ``state_of``."""
    item = csl_of(doi, work)
    item["title"] = beside_state(item["title"], work)
    item.pop("status", None)  # which few styles print
    return item


def _people(work: Work) -> list[dict[str, str]]:
    people = []
    for each in work.people or [Person(name, "") for name in work.names]:
        given = {"given": each.given} if each.given else {}
        is_whole = each.given is None  # the name of an organization
        people.append({"literal": each.family} if is_whole else {"family": each.family} | given)
    if work.count > len(people) > 1:
        people.insert(-1, _MORE)
    return people
