"""Which nodes of a document tree the linker has to look at, told without changing any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docutils import nodes

from doilinks.core.html import enclosed
from doilinks.core.scan import may_hold_doi

from .link_node import DOI_NAME, IGNORED, is_url

__all__ = [
    "NOT_PROSE",
    "NOT_PROSE_IN_SPHINX",
    "breaks",
    "enclosed_in_html",
    "is_mark",
    "is_url_in_docinfo",
    "is_work",
    "may_hold_link",
]

# Code, mathematics, raw HTML, comments, keys of citations and footnotes, and document metadata are
# not prose; the text of a link is read with the link.
NOT_PROSE: Final = (
    nodes.FixedTextElement, nodes.literal, nodes.math, nodes.raw, nodes.comment, nodes.docinfo,
    nodes.label, nodes.citation_reference, nodes.footnote_reference, nodes.title_reference,
    nodes.option_group, nodes.system_message, nodes.problematic, nodes.substitution_definition,
    nodes.substitution_reference, nodes.image, nodes.target, nodes.reference, nodes.meta,
)  # fmt: skip
# Sphinx's nodes are named, because docutils is used without Sphinx too.
NOT_PROSE_IN_SPHINX: Final = frozenset(
    ("desc_signature", "pending_xref", "download_reference", "number_reference")
)


def breaks(node: nodes.Node) -> int:
    """How many lines of the source end in a node of running text."""
    return (node if isinstance(node, nodes.Text) else node.astext()).count("\n")


def enclosed_in_html(children: Sequence[nodes.Node]) -> list[bool] | None:
    """Which children raw HTML encloses that takes no link; None without any raw HTML."""
    raw = [
        child.astext() if isinstance(child, nodes.raw) and child.get("format") == "html" else None
        for child in children
    ]
    return enclosed(raw) if any(raw) else None


def is_mark(node: nodes.Node) -> bool:
    """Tell whether the inliner has left it for the linker."""
    return isinstance(node, nodes.inline) and (DOI_NAME in node or IGNORED in node)


def is_url_in_docinfo(node: nodes.inline) -> bool:
    """Tell whether a mark is a URL in document metadata, where docutils links only those."""
    if not is_url(node.astext()):
        return False
    parent = node.parent
    while parent is not None and not isinstance(parent, nodes.docinfo):
        parent = parent.parent
    return parent is not None


def may_hold_link(document: nodes.Element) -> bool:
    """Tell quickly whether there is any work: a document without DOIs is to cost nothing."""
    stack = [document]
    while stack:
        for child in stack.pop().children:
            if isinstance(child, nodes.Text):
                if may_hold_doi(child):
                    return True
            elif isinstance(child, nodes.reference) and (
                DOI_NAME in child or "doi" in str(child.get("refuri", "")).lower()
            ):
                return True
            elif isinstance(child, nodes.Element):
                stack.append(child)
    return False


def is_work(child: nodes.Node, *, touch: bool) -> bool:
    """Tell whether a child may become a link, or is one already; a text where it may be touched."""
    if isinstance(child, nodes.Text):
        return touch and may_hold_doi(child)
    return isinstance(child, (nodes.reference, nodes.inline))
