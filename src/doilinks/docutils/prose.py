"""Tells which nodes of a document tree the linker has to look at. This changes no node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docutils import nodes

from ..core.html import enclosed
from ..core.scan import may_contain_doi
from .link import FOUND, IGNORED, UNLINKED, is_url

__all__ = [
    "NOT_PROSE",
    "breaks",
    "enclosed_in_html",
    "is_host_link",
    "is_mark",
    "is_prose",
    "is_work",
    "may_contain_link",
]

# Code, mathematics, raw HTML, comments, keys of citations and footnotes, and document metadata are
# not prose. A reference is here because its text is read together with the link.
NOT_PROSE: Final = (
    nodes.FixedTextElement, nodes.literal, nodes.math, nodes.raw, nodes.comment, nodes.docinfo,
    nodes.label, nodes.citation_reference, nodes.footnote_reference, nodes.title_reference,
    nodes.option_group, nodes.system_message, nodes.problematic, nodes.substitution_definition,
    nodes.substitution_reference, nodes.image, nodes.target, nodes.reference, nodes.meta,
)  # fmt: skip
# Nodes of Sphinx are given by name, because docutils is also used without Sphinx.
NOT_PROSE_IN_SPHINX: Final = frozenset(
    ("desc_signature", "pending_xref", "download_reference", "number_reference")
)
# This node is a subclass of comment only so that writers that do not know it leave it out.
PROSE_IN_SPHINX: Final = frozenset({"autosummary_table"})


def breaks(node: nodes.Node) -> int:
    """How many lines of the source end in a node of running text."""
    return (node if isinstance(node, nodes.Text) else node.astext()).count("\n")


def enclosed_in_html(children: Sequence[nodes.Node]) -> list[bool] | None:
    """Which children are inside raw HTML that may not contain a link; None without raw HTML."""
    raw = [
        child.astext() if isinstance(child, nodes.raw) and child.get("format") == "html" else None
        for child in children
    ]
    return enclosed(raw) if any(raw) else None


def is_mark(node: nodes.Node) -> bool:
    """Tell whether a node is a mark that the inliner has left for the linker."""
    return isinstance(node, nodes.inline) and (FOUND in node or IGNORED in node)


def is_host_link(node: nodes.inline) -> bool:
    """Tell whether the host without doilinks would make a link of the text of a mark.

    docutils makes a link of a URL wherever it reads inline markup, also in a parsed literal and in
    the metadata of a document. It does not do so in a table of contents, where the whole entry is a
    link. MyST does so only with its extension ``linkify``.
    """
    if UNLINKED in node:
        return False
    return is_url(node.astext()) and not isinstance(node.parent, nodes.reference)


def is_prose(kind: type[nodes.Element]) -> bool:
    """Tell whether a kind of node may contain prose."""
    if kind.__name__ in PROSE_IN_SPHINX:
        return True
    return not issubclass(kind, NOT_PROSE) and kind.__name__ not in NOT_PROSE_IN_SPHINX


def may_contain_link(document: nodes.Element) -> bool:
    """Tell quickly whether a document may contain a DOI, because most documents contain none."""
    stack = [document]
    while stack:
        for child in stack.pop().children:
            if isinstance(child, nodes.Text):
                if may_contain_doi(child):
                    return True
            elif isinstance(child, nodes.reference) and (
                FOUND in child or "doi" in str(child.get("refuri", "")).lower()
            ):
                return True
            elif isinstance(child, nodes.Element):
                stack.append(child)
    return False


def is_work(child: nodes.Node, *, touch: bool) -> bool:
    """Tell whether a child may become a link or is one already. ``touch``: text may be changed."""
    if isinstance(child, nodes.Text):
        return touch and may_contain_doi(child)
    return isinstance(child, (nodes.reference, nodes.inline))
