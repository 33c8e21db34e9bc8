"""Mends sources in place: names that the readers of ``sources`` find, written as they should be.

>>> from doilinks.core.options import Options
>>> original = Original(b"See http://dx.doi.org/10.1000/182.", "md")
>>> mended = mend(original, "md", Options(), chosen([], [], asks=False), "a.md")
>>> mended.octets
b'See https://doi.org/10.1000/182.'
>>> print(mended.changes[0])
a.md:1:5: http://dx.doi.org/10.1000/182 → https://doi.org/10.1000/182 [doi-resolver]
"""

from .mending import Mended, NotEncodable, Original, mend, unified
from .missing import Missing
from .rules import RULES, Change, Correction, UnknownRule, chosen, correction

__all__ = [
    "RULES", "Change", "Correction", "Mended", "Missing", "NotEncodable", "Original", "UnknownRule",
    "chosen", "correction", "mend", "unified",
]  # fmt: skip
