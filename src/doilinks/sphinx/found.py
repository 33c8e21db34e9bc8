"""The DOIs of a project, which are kept for each page in Sphinx's environment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ..core.found import Found
from .bibliography import dois_of_bibliographies

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

__all__ = ["dois_of", "keep_found", "merge_found", "purge_found", "relative"]


def dois_of(env: BuildEnvironment) -> dict[str, list[Found]]:
    """Every DOI of the project by page, also of pages that this build did not read again.

    The DOIs of bibliographies are known when all pages have been read.
    """
    found = {page: list(dois) for page, dois in _kept(env).items()}
    for page, dois in dois_of_bibliographies(env).items():
        found.setdefault(page, []).extend(dois)
    return found


def relative(app: Sphinx, file: str) -> str:
    """The path of a file as messages show it."""
    path = Path(file)
    return str(path.relative_to(app.srcdir) if path.is_relative_to(app.srcdir) else path)


def _kept(env: BuildEnvironment) -> dict[str, list[Found]]:
    if not hasattr(env, "doi_found"):
        env.doi_found = {}  # type: ignore[attr-defined]
    return cast("dict[str, list[Found]]", env.doi_found)  # type: ignore[attr-defined]


def keep_found(env: BuildEnvironment, docname: str, found: list[Found]) -> None:
    """Keep the DOIs of a page that was read, with the text around them."""
    if found:
        _kept(env)[docname] = [replace(each, around=each.block) for each in found]


def purge_found(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget the DOIs of a page that is read again or was removed."""
    _kept(env).pop(docname, None)


def merge_found(
    _app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment
) -> None:
    """Add the DOIs of the pages that a parallel process has read."""
    read = _kept(other)
    _kept(env).update({docname: read[docname] for docname in docnames if docname in read})
