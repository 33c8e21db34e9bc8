"""What MyST-Parser does to a name before the transform sees it, prevented or undone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from docutils import nodes
from sphinx.addnodes import pending_xref

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

__all__ = ["hand_back", "keep_doi_scheme", "retyped"]

# As authors write it; MyST tells letters of different case apart.
_SCHEMES: Final = ("doi", "DOI")

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
        config.myst_url_schemes = {**schemes, **dict.fromkeys(_SCHEMES)}
    elif schemes is not None:
        config.myst_url_schemes = [*schemes, *(name for name in _SCHEMES if name not in schemes)]


def hand_back(links: Iterable[nodes.reference], env: BuildEnvironment) -> None:
    """Give MyST the links to a ``doi:`` that names no DOI, as if there were no such scheme.

    They may lead to a label of the project (``doi:intro``), and of those that do not MyST warns.
    """
    own = getattr(env.config, "_raw_config", {}).get("myst_url_schemes") or ()
    all_external = any(
        getattr(env.config, f"myst_{name}", False)
        for name in ("all_links_external", "commonmark_only", "gfm_only")
    )
    if "doi" in own or all_external or not _is_myst(env):
        return
    from markdown_it.common.normalize_url import normalizeLinkText

    for link in links:
        target = normalizeLinkText(link["refuri"])
        # An autolink; or the author says that it is no page; or a notebook's cell has printed it.
        if link.astext() == target or "external" in link["classes"] or _is_output(link):
            continue
        # What MyST makes of a link whose scheme it does not know (its render_link_unknown).
        reference = pending_xref(
            refdomain=None, reftarget=target, refdoc=env.docname, reftype="myst",
            refexplicit=bool(link.children),
        )  # fmt: skip
        reference.source, reference.line = link.source, link.line
        if "reftitle" in link:
            reference["reftitle"] = link["reftitle"]
        reference += nodes.inline("", "", *link.children, classes=["xref", "myst"])
        link.replace_self(reference)


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
    return table if table and _is_myst(env) else {}


def _is_output(node: nodes.Element | None) -> bool:
    while node is not None and node.get("nb_element") != "cell_code_output":
        node = node.parent
    return node is not None


def _is_myst(env: BuildEnvironment) -> bool:
    """Tell whether the page that is being read is MyST, if there is any."""
    suffix = Path(env.doc2path(env.docname)).suffix
    kind: str | None = env.config.source_suffix.get(suffix)
    return "myst_url_schemes" in env.config and kind != "restructuredtext"
