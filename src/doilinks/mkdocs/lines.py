"""The lines of a page's source in which its DOIs stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..core.doi import DOI
from ..core.encoding import link_form, uri_form

__all__ = ["lines_of"]


def lines_of(source: str, dois: Iterable[DOI]) -> Iterator[int | None]:
    """The line of each DOI, by looking for its name in the source from the one before on."""
    folded = source.lower()
    starts: dict[str, int] = {}
    for doi in dois:
        name = doi.name.lower()
        forms = dict.fromkeys((name, f"{doi.prefix}/{uri_form(doi.suffix)}", link_form(doi.name)))
        form = next((each.lower() for each in forms if each.lower() in folded), None)
        if form is None:
            yield None
            continue
        at = folded.find(form, starts.get(form, 0))
        if at < 0:
            at = folded.find(form)
        starts[form] = at + len(form)
        yield folded.count("\n", 0, at) + 1
