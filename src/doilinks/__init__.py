"""Finds DOI® names in prose, links them, shows them without ambiguity, and checks them.

This package is the core and needs nothing but Python. Each host has its own module, see the README.

>>> from doilinks import DOI, scan
>>> [match.doi.url for match in scan("See doi:10.1000/182.")]
['https://doi.org/10.1000/182']
"""

from typing import TYPE_CHECKING

from .core.doi import DOI, InvalidDOI
from .core.scan import Match, scan

if TYPE_CHECKING:
    from .core.found import Found

__all__ = ["DOI", "Found", "InvalidDOI", "Match", "__version__", "scan"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "Found":  # a dataclass, which takes as long to import as all of the rest
        from .core.found import Found

        return Found
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def setup(_app: object) -> None:
    """Say which extension Sphinx needs, when ``extensions`` names this package.

    :raises ExtensionError: always
    """
    from sphinx.errors import ExtensionError

    message = 'doilinks is not an extension of Sphinx; in extensions, write "doilinks.sphinx"'
    raise ExtensionError(message)
