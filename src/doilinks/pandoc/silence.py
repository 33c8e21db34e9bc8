"""Comments ``<!-- doilinks: ignore -->`` of a document, and the inlines that they silence.

The filter does not see the source, so a line is what stands between two line breaks of a paragraph.
It sees only what pandoc's reader hands on as raw HTML; most readers leave comments out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..core.silence import SILENT, WORD, Silence
from .pieces import Node
from .text import position, unwrapped

__all__ = ["Comments"]

_COMMENT: Final = re.compile(rf"\s*<!--\s*{WORD}-->\s*")
_BREAKS: Final = frozenset({"SoftBreak", "LineBreak"})
_POSITION: Final = re.compile(r"(?:([^;]*)@)?([0-9]{1,9}):")


class Comments:
    """The comments of one document.

    :ivar all: those found so far
    """

    def __init__(self) -> None:
        self.all: list[Silence] = []
        self._above: Silence | None = None  # a block of its own, just before
        self._alone: Silence | None = None  # the same, at the end of the block that is read

    def take(self, block: Node) -> bool:
        """Take a block if it is a comment."""
        inner = block
        if block["t"] == "Div" and len(block["c"][1]) == 1:  # as +sourcepos wraps it
            inner = block["c"][1][0]
        comment = self._read(inner, block) if inner["t"] == "RawBlock" else None
        if comment is not None:
            self._above = comment if comment.word == SILENT else None
        return comment is not None

    def leave(self) -> None:
        """A block without blocks inside has ended: only a comment at its end is about the next."""
        self._above, self._alone = self._alone, None

    def of(
        self, inlines: Sequence[Node], raw: Sequence[str | None], outer: Silence | None
    ) -> list[Silence | None]:
        """For each inline of a list, the comment that silences it.

        :param raw: the raw HTML of each inline, None for any other
        :param outer: the comment that silences all of them
        """
        above, self._above = self._above, None
        if above is None and not any(raw):
            return [outer] * len(inlines)
        lines: list[list[Node]] = [[]]
        for node in inlines:
            lines[-1].append(node)
            if unwrapped(node)["t"] in _BREAKS:
                lines.append([])
        silences: list[Silence | None] = []
        for line in lines:
            found = [self._read(unwrapped(node), node) for node in line]
            comment = next((each for each in found if each and each.word == SILENT), None)
            silences += [outer or comment or above] * len(line)
            alone = comment and all(
                each or unwrapped(node)["t"] in {"Space", *_BREAKS}
                for each, node in zip(found, line, strict=True)
            )
            above = comment if alone else None
        self._alone = above or self._alone  # not that of an emphasis in the same paragraph
        return silences

    def _read(self, node: Node, placed: Node) -> Silence | None:
        if node["t"] not in ("RawInline", "RawBlock") or node["c"][0] != "html":
            return None
        found = _COMMENT.fullmatch(node["c"][1])
        if not found:
            return None
        place = _POSITION.match(position(placed))
        comment = Silence(
            found["word"],
            int(place[2]) if place else None,
            None,
            place[1] if place else None,
        )
        self.all.append(comment)
        return comment
