"""The three things that must hold for a host and a body of documents."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import NamedTuple

from .hosts import Documents, Host


class Fault(NamedTuple):
    """A document to which something has happened."""

    document: str
    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.document}: {self.kind}\n{self.what}"


@dataclass
class Result:
    """What was compared, and what was found.

    :ivar documents: how many documents the host could read
    :ivar changed: how many of them doilinks has changed
    :ivar links: how many links were taken out again
    :ivar torn: how many of these were names in which the host had seen markup
    """

    documents: int = 0
    bytes: int = 0
    changed: int = 0
    links: int = 0
    torn: int = 0
    faults: list[Fault] = field(default_factory=list)

    def __add__(self, other: Result) -> Result:
        return Result(
            *(getattr(self, each.name) + getattr(other, each.name) for each in fields(self))
        )


def examine(host: Host, documents: Documents) -> Result:
    """Compare what a host makes of documents without doilinks, with it and with it twice."""
    without, once = host.pages(documents, 0), host.pages(documents, 1)
    # A page that is as it was is what goes in again, so only the others are made twice.
    changed = {
        name: text for name, text in documents.items() if once.get(name) != without.get(name)
    }
    twice = host.pages(documents if host.site and changed else changed, 2)
    result = Result(len(without), sum(len(documents[name].encode()) for name in without))
    result.changed = len(changed)
    for name in documents:
        if name not in once or name not in without:
            if (name in once) != (name in without) and not _failed(once.get(name, "")):
                result.faults.append(Fault(name, "a page with one of them only", ""))
            continue
        found = host.compare(without[name], once[name])
        result.links += found.links
        result.torn += found.torn
        if found.difference:
            result.faults.append(Fault(name, "differs", found.difference))
        if name in changed and twice.get(name) != once[name]:
            result.faults.append(
                Fault(name, "twice is not once", _apart(once[name], twice.get(name, "")))
            )
    return result


def _apart(once: str, twice: str) -> str:
    """Where two pages begin to differ."""
    same = next((at for at, (a, b) in enumerate(zip(once, twice, strict=False)) if a != b), 0)
    around = slice(max(0, same - 100), same + 100)
    return f"once:  {once[around]}\ntwice: {twice[around]}"


def _failed(page: str) -> bool:
    """Tell whether a page is the message of an error, which the host has without doilinks, too."""
    return page.partition(":")[0].endswith("Error")
