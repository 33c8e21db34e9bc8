"""DOI® names in prose: found, linked, shown without ambiguity, and checked.

The core is here and needs nothing but Python; each host has a module of its own, see the README.

>>> from doilinks import DOI, scan
>>> [match.doi.url for match in scan("See doi:10.1000/182.")]
['https://doi.org/10.1000/182']
"""

from .core.doi import DOI, InvalidDOI
from .core.scan import Match, scan

__all__ = ["DOI", "InvalidDOI", "Match", "__version__", "scan"]

__version__ = "0.1.0"
