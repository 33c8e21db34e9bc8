"""What MyST-Parser does to a name before the transform sees it, prevented or undone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

__all__ = ["keep_doi_scheme", "retyped"]

# What the syntax extensions of MyST put for what an author types.
_TYPOGRAPHY: Final = {
    "replacements": {
        "–": "--", "—": "---", "…": "...", "©": "(c)", "®": "(r)", "™": "(tm)", "±": "+-",
    },
    "smartquotes": dict.fromkeys("‘’", "'") | dict.fromkeys("“”", '"'),
}  # fmt: skip


def keep_doi_scheme(_app: Sphinx, config: Config) -> None:
    """Let MyST hand on ``doi:`` links unchanged.

    Without the scheme it looks for a page of that name; with a template, which its manual has for
    DOIs, it loses what stands behind a number sign or question mark.
    """
    if "myst_url_schemes" not in config:
        return
    schemes = config.myst_url_schemes
    if isinstance(schemes, dict):
        if schemes.get("doi", "") is not None:
            config.myst_url_schemes = {**schemes, "doi": None}
    elif schemes is not None and "doi" not in schemes:
        config.myst_url_schemes = [*schemes, "doi"]


def retyped(env: BuildEnvironment) -> Mapping[int, str]:
    """What to undo inside the names of the page that is being read; nothing unless it is MyST.

    Heuristic: a name has ``--``, not the dash that stands for it on the page.
    """
    enabled = getattr(env.config, "myst_enable_extensions", ())
    table = {
        ord(shown): typed
        for extension, replaced in _TYPOGRAPHY.items()
        if extension in enabled
        for shown, typed in replaced.items()
    }
    if not table:
        return table
    suffix = Path(env.doc2path(env.docname)).suffix
    return {} if env.config.source_suffix.get(suffix) == "restructuredtext" else table
