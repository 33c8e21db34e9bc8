"""Parts of citations that words stand for while a Markdown host reads its markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .citations import Cluster


@dataclass(eq=False)
class Group:
    """Citations in brackets.

    :ivar is_shown: whether both brackets are text for the host, in one place, and not of a link
    """

    is_shown: bool = False


class Cited(NamedTuple):
    """A work that is cited: one of a group, or a part of the sentence with its locator.

    :ivar cluster: with this work alone, and without the words beside it in a group
    :ivar text: as the author wrote it, with escapes decoded
    :ivar group: the group that it belongs to
    :ivar line: its line in what the host reads at once, counted from 0, where that is known
    """

    cluster: Cluster
    text: str
    group: Group | None
    line: int = 0

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
