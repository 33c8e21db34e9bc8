"""The names of a text, as they are read, and as they would be if everything were parsed."""

import sys

import pytest

from doilinks.core.options import Options
from doilinks.sources import CannotRead, read, rest

__all__ = ["names_in", "unsieved"]


def names_in(text, kind):
    """Each name and its block, or why the text cannot be read."""
    try:
        return [(each, each.block) for each in read(text, kind, Options(), blocks=True)]
    except CannotRead as error:
        return str(error)


def unsieved(text, kind):
    """The same, if every part of the text is parsed."""
    with pytest.MonkeyPatch.context() as patch:
        readers = [name for name in sys.modules if name.startswith("doilinks.sources.")]
        for module in map(sys.modules.get, readers):
            for sieve in ("may_contain_name", "part_may_contain_name"):
                if hasattr(module, sieve):
                    patch.setattr(module, sieve, lambda given, *_: bool(given))
        patch.setattr(rest, "relevant", lambda whole, *_: whole)
        return names_in(text, kind)
