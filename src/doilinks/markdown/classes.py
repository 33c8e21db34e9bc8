"""The class on each link, beside those that an author gives it in a list of attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from ..core.link import with_classes
from ..core.options import Options
from .markup import escape, reading

__all__ = ["BEHIND_LISTS", "Classes", "add_classes"]

# Name and priority of the tree processor; attr_list has 8, smarty 6.
BEHIND_LISTS: Final = ("doi-classes", 7.5)


class Classes(Treeprocessor):
    """Adds the class once more after ``attr_list``, which knows nothing of classes that are there.

    :param links: the links to DOIs
    """

    def __init__(self, options: Options, links: Iterable[Element], md: Markdown) -> None:
        super().__init__(md)
        self._options = options
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Make each class of a link stand there once."""
        for link in self._links:
            add_classes(link, self._options)


def add_classes(link: Element, options: Options) -> None:
    """Give a link the class of the options, beside those it has."""
    classes = with_classes(reading(link.get("class", "")).split(), options)
    if classes:
        link.set("class", escape(" ".join(classes)))
