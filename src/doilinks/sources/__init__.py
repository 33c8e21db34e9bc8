"""Sources on disk: finds the files, and the DOIs in each file with their line and column.

>>> from doilinks.core.options import Options
>>> [(o.doi.name, o.line, o.column, o.form) for o in read("See doi:10.1000/182.", "txt", Options())]
[('10.1000/182', 1, 5, 'label')]
"""

from .comments import comments
from .disk import octets_of
from .errors import Binary, CannotRead
from .files import TYPES, LeftOut, Source, walk
from .octets import Decoded, decode
from .patterns import Patterns, Rules, wrong_pattern
from .read import load, read

__all__ = [
    "TYPES",
    "Binary",
    "CannotRead",
    "Decoded",
    "LeftOut",
    "Patterns",
    "Rules",
    "Source",
    "comments",
    "decode",
    "load",
    "octets_of",
    "read",
    "walk",
    "wrong_pattern",
]
