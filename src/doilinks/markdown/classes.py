"""The class on each link, beside those that an author gives it in a list of attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from ..core.link import with_classes
from ..core.options import Options
from .text import escape, reading

__all__ = ["BEHIND_LISTS", "Classes", "classes_of", "set_attributes"]

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
            if classes := with_classes(classes_of(link), self._options):
                set_attributes(link, {"class": " ".join(classes)})


def classes_of(link: Element) -> list[str]:
    """The classes that an element has."""
    return reading(link.get("class", "")).split()


def set_attributes(link: Element, attributes: Mapping[str, str]) -> None:
    """Set attributes as the host writes them."""
    for name, value in attributes.items():
        link.set(name, escape(value))
