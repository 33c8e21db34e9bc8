"""Sources on disk: finds the files, and the DOIs in each file with their line and column.

>>> from doilinks.core.options import Options
>>> [(o.doi.name, o.line, o.column, o.form) for o in read("See doi:10.1000/182.", "txt", Options())]
[('10.1000/182', 1, 5, 'label')]
"""

from .files import (
    Binary,
    CannotRead,
    Decoded,
    Patterns,
    Rules,
    Source,
    decode,
    octets_of,
    walk,
    wrong_pattern,
)
from .reading import comments, load, read
from .types import TYPES, type_of

__all__ = [
    "TYPES", "Binary", "CannotRead", "Decoded", "Patterns", "Rules", "Source", "comments", "decode",
    "load", "octets_of", "read", "type_of", "walk", "wrong_pattern",
]  # fmt: skip
