"""Labels that an author wrote before a link, so that the page does not show them twice."""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes

from ..core.begin import label_length

__all__ = ["label_in", "own_label"]


def label_in(node: nodes.Node | None) -> int:
    """How many characters at the end of a text node are the label of the link that follows."""
    return label_length(str(node)) if isinstance(node, nodes.Text) else 0


def own_label(parent: nodes.Element, children: Sequence[nodes.Node], index: int) -> str:
    """The text with markup of its own before the child at ``index``, or ``""``.

    This is emphasized or strong text just before the child. If the child begins a paragraph, it is
    the name of the field, the term of the definition or the heading of the column that the
    paragraph belongs to.
    """
    between = ""
    while index and isinstance(children[index - 1], nodes.Text):
        index -= 1
        between = str(children[index]) + between
    if index:
        before = children[index - 1]
        own = isinstance(before, (nodes.emphasis, nodes.strong))
        return before.astext() + between if own else ""
    return "" if between.strip() else _head(parent)


def _head(parent: nodes.Element) -> str:
    """The name of the field, the term or the heading of the column of a paragraph, or ``""``."""
    body = parent.parent
    if body is None or not isinstance(parent, nodes.paragraph) or body.children[0] is not parent:
        return ""
    if isinstance(body, (nodes.field_body, nodes.definition)) and body.parent is not None:
        first = body.parent.children[0]
        return first.astext() if isinstance(first, (nodes.field_name, nodes.term)) else ""
    return _column_head(body) if isinstance(body, nodes.entry) else ""


def _column_head(entry: nodes.entry) -> str:
    row = entry.parent
    group = row.parent.parent if row is not None and row.parent is not None else None
    if not isinstance(group, nodes.tgroup) or not isinstance(row.parent, nodes.tbody):
        return ""
    head = next((child for child in group.children if isinstance(child, nodes.thead)), None)
    column = row.index(entry)
    if head is None or not head.children or column >= len(head.children[-1].children):
        return ""
    return str(head.children[-1].children[column].astext())
