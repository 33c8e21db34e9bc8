"""What an option lists: names, and families of names such as ``10.5555/*``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .doi import DOI, InvalidDOI

__all__ = ["Listed"]


class Listed:
    """A list of names and families.

    An entry that ends in ``*`` is a family: all names that begin as it does. ``*`` at the end of a
    name itself is written ``%2A``.

    :ivar names: the names that are listed one by one
    :ivar families: each family in URI form, with the beginning that its names have, folded
    :raises InvalidDOI: for an entry that is neither

    >>> listed = Listed(["10.1000/182", "10.5555/A*"])
    >>> DOI("10.5555/abc") in listed, DOI("10.1000/1823") in listed
    (True, False)
    """

    def __init__(self, entries: Iterable[str]) -> None:
        names, self.families = [], {}
        for entry in entries:
            if entry.endswith("*"):
                whole = _name_of(entry)
                self.families[whole.uri[:-1] + "*"] = whole.folded[:-1]
            else:
                names.append(DOI.parse(entry))
        self.names = frozenset(names)
        self._beginnings = tuple(self.families.values())

    def __contains__(self, doi: DOI) -> bool:
        return doi in self.names or self.has_family_of(doi)

    def has_family_of(self, doi: DOI) -> bool:
        """Whether a name belongs to one of the families."""
        return bool(self._beginnings) and doi.folded.startswith(self._beginnings)

    def entries_of(self, doi: DOI) -> Iterator[str]:
        """The entries that list a name, in URI form.

        >>> [*Listed(["10.1000/182", "10.1000/*"]).entries_of(DOI("10.1000/182"))]
        ['doi:10.1000/182', 'doi:10.1000/*']
        """
        if doi in self.names:
            yield doi.uri
        yield from self.families_of(doi)

    def families_of(self, doi: DOI) -> Iterator[str]:
        """The families that a name belongs to."""
        if self.has_family_of(doi):
            yield from (
                family for family, begin in self.families.items() if doi.folded.startswith(begin)
            )


def _name_of(family: str) -> DOI:
    """A name of a family."""
    try:
        return DOI.parse(family[:-1] + "x")  # with an end, because a name has one
    except InvalidDOI as error:
        raise InvalidDOI(family, error.reason) from None
