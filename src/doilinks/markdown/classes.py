"""Keeps the class of each link when an author gives the link further classes in a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from ..core.link import with_classes
from ..core.options import Options
from .text import escape, reading

__all__ = ["AFTER_ATTR_LIST", "Classes", "classes_of", "set_attributes"]

# Name and priority of the tree processor; attr_list has 8, smarty 6.
AFTER_ATTR_LIST: Final = ("doi-classes", 7.5)


class Classes(Treeprocessor):
    """Adds the class again after ``attr_list``, which overwrites the classes of an element.

    :param links: the links to DOIs
    """

    def __init__(self, options: Options, links: Iterable[Element], md: Markdown) -> None:
        super().__init__(md)
        self._options = options
        self._links = links

    def run(self, root: Element) -> None:  # noqa: ARG002  the host's signature
        """Give each link its classes, each of them once."""
        for link in self._links:
            if link.get("class", "") != self._options.class_attribute:
                classes = with_classes(classes_of(link), self._options)
                set_attributes(link, {"class": " ".join(classes)})


def classes_of(link: Element) -> list[str]:
    """The classes that an element has."""
    return reading(link.get("class", "")).split()


def set_attributes(link: Element, attributes: Mapping[str, str]) -> None:
    """Set attributes in the encoding of the host."""
    for name, value in attributes.items():
        link.set(name, escape(value))
