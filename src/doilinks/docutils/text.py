"""Runs of text: joins the pieces into which a parser has cut a text.

linkify takes ``3.0.CO`` for a web site, docutils ends a URL at ``<``, and ``*b*`` is emphasis in
the middle of a word. Each piece is a node of its own, although the author typed one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from docutils import nodes
from docutils.utils.urischemes import schemes

from .link import FOUND

__all__ = ["belongs_to_run", "texts_of_run"]


def texts_of_run(run: Iterable[nodes.Node]) -> list[str]:
    """The texts of a run of nodes, for each of which :func:`belongs_to_run` is true."""
    return [_as_text(node) or "" for node in run]


def belongs_to_run(siblings: Sequence[nodes.Node], index: int) -> bool:
    """Tell whether a node may be a part of a name that its siblings continue."""
    node = siblings[index]
    if isinstance(node, nodes.Text):
        return True
    if isinstance(node, (nodes.emphasis, nodes.strong)):
        # Markdown has emphasis inside words: 10.1000/a*b*c. Heuristic: emphasis with a letter or
        # digit just before and just after it may be a part of a name.
        before = siblings[index - 1] if index else None
        after = siblings[index + 1] if index + 1 < len(siblings) else None
        if not isinstance(before, nodes.Text) or not isinstance(after, nodes.Text):
            return False
        if not before[-1:].isalnum() or not after[:1].isalnum():
            return False
    if isinstance(node, nodes.reference) and "refname" in node:
        # A reference that has found no target: the under_score_ of 10.1000/under_score_.
        before = siblings[index - 1] if index else None
        return isinstance(before, nodes.Text) and not before[-1:].isspace()
    return _as_text(node) is not None


def _as_text(node: nodes.Node) -> str | None:
    """The text of a node as the author typed it; None if a parser did not make it from text."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, (nodes.emphasis, nodes.strong)):
        stars = "*" if isinstance(node, nodes.emphasis) else "**"
        plain = len(node.children) == 1 and isinstance(node.children[0], nodes.Text)
        return f"{stars}{node.astext()}{stars}" if plain else None
    if not isinstance(node, nodes.reference) or FOUND in node or len(node.children) != 1:
        return None
    text, href = node.astext(), node.get("refuri")
    if "refname" in node and not node.resolved:
        return node.rawsource or None
    if not isinstance(node.children[0], nodes.Text) or not isinstance(href, str):
        return None
    if href in (f"http://{text}", f"mailto:{text}"):
        return text
    if unquote(href) != unquote(text):
        return None
    # A CommonMark autolink takes any scheme, docutils known ones: <S29::AID-HPM465>.
    scheme, colon, _ = text.partition(":")
    return f"<{text}>" if colon and scheme.lower() not in schemes and scheme != "doi" else text
