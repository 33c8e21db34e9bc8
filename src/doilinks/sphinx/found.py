"""The DOIs of a project, kept per page in Sphinx's environment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from doilinks.core.found import Found

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

__all__ = ["dois_of", "keep_found", "merge_found", "purge_found"]


def dois_of(env: BuildEnvironment) -> dict[str, list[Found]]:
    """Every DOI of the project by page; also for pages that this build did not read again."""
    if not hasattr(env, "doi_found"):
        env.doi_found = {}  # type: ignore[attr-defined]
    return cast("dict[str, list[Found]]", env.doi_found)  # type: ignore[attr-defined]


def keep_found(env: BuildEnvironment, docname: str, found: list[Found]) -> None:
    """Keep the DOIs of a page that was read, without the text around them, which is large."""
    if found:
        dois_of(env)[docname] = [replace(each, around=None) for each in found]


def purge_found(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is read again or gone."""
    dois_of(env).pop(docname, None)


def merge_found(
    _app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment
) -> None:
    """Take over the pages that a parallel process has read."""
    read = dois_of(other)
    dois_of(env).update({docname: read[docname] for docname in docnames if docname in read})
