"""The DOIs of a project, which are kept for each page in Sphinx's environment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from ..core.found import Found
from .bibliography import dois_of_bibliographies

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

__all__ = ["FOUND", "PerPage", "dois_of", "keep_found", "relative"]

_T = TypeVar("_T")


class PerPage(Generic[_T]):
    """Something that the environment keeps for each page, also if a page is not read again.

    :param name: the attribute of the environment
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def of(self, env: BuildEnvironment) -> dict[str, _T]:
        """What is kept, by page."""
        kept: dict[str, _T] | None = getattr(env, self._name, None)
        if kept is None:
            kept = {}
            setattr(env, self._name, kept)
        return kept

    def purge(self, _app: Sphinx, env: BuildEnvironment, docname: str) -> None:
        """Forget what belongs to a page that is read again or was removed."""
        self.of(env).pop(docname, None)

    def merge(
        self, _app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment
    ) -> None:
        """Add what belongs to the pages that a parallel process has read."""
        read = self.of(other)
        self.of(env).update({docname: read[docname] for docname in docnames if docname in read})


FOUND: Final[PerPage[list[Found]]] = PerPage("doi_found")


def dois_of(env: BuildEnvironment) -> dict[str, list[Found]]:
    """Every DOI of the project by page, also of pages that this build did not read again.

    The DOIs of bibliographies are known when all pages have been read.
    """
    found = {page: list(dois) for page, dois in FOUND.of(env).items()}
    for page, dois in dois_of_bibliographies(env).items():
        found.setdefault(page, []).extend(dois)
    return found


def relative(app: Sphinx, file: str) -> str:
    """The path of a file as messages show it."""
    path = Path(file)
    return str(path.relative_to(app.srcdir) if path.is_relative_to(app.srcdir) else path)


def keep_found(env: BuildEnvironment, docname: str, found: list[Found]) -> None:
    """Keep the DOIs of a page that was read, with the text around them."""
    if found:
        FOUND.of(env)[docname] = [replace(each, around=each.block) for each in found]
