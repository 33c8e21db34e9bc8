"""Parts of citations that words stand for while a Markdown host reads its markup."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ...core.text import SourceText
from .citations import Cluster, Span, sides


@dataclass(eq=False)
class Group:
    """Citations in brackets."""

    is_shown: bool = False


class Cited(NamedTuple):
    """A work that is cited: one of a group, or a part of the sentence with its locator."""

    cluster: Cluster  # with this work alone, and without the words beside it in a group
    text: str  # as the author wrote it, with escapes decoded
    group: Group | None  # the group that it belongs to
    line: int = 0  # its line in what the host reads at once, counted from 0, where that is known

    @property
    def citation(self) -> Cluster:
        """What to show: a part of the sentence if the host has torn the group."""
        torn = self.group is not None and not self.group.is_shown
        return self.cluster._replace(narrative=self.cluster.narrative or torn)


class Bracket(NamedTuple):
    """A bracket of a group, beside what the host reads in its place."""

    group: Group
    opens: bool

    @property
    def text(self) -> str:
        """What the author wrote."""
        return "[" if self.opens else "]"


class Literal(NamedTuple):
    """A character that is markup only if words stand for names."""

    text: str


def works_in(
    cluster: Cluster, plain: SourceText, group: Group
) -> Iterator[tuple[Span, Cited, Span, Span]]:
    """The works of a group, each with its place, and those of the words before and after it."""
    around = sides(plain.text, cluster)
    for sign, cite, (before, after) in zip(cluster.signs, cluster.cites, around, strict=True):
        first = sign - cite.year_only
        alone = cluster._replace(cites=(cite._replace(before="", after=""),))
        cited = Cited(alone, plain.text[first : after[0]], group)
        yield plain.span(first, after[0]), cited, before, after
