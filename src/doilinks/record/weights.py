"""What each state of agreement weighs. Made by ``benchmarks/fit_works.py``: do not edit.

Of each state: its weight for another work against the same one, and against a text that says
too little. ``""`` is the constant.
"""

from typing import Final

# Log odds from which a work is another one rather than the same one, and from which a text says
# enough; the chance from which it is the same one.
OTHER: Final = 1.90
ENOUGH: Final = 1.60
SAME: Final = 0.65

WEIGHTS: Final[dict[str, tuple[float, float]]] = {
    "": (0.706, -2.868),
    "a citation's key": (-0.897, -1.489),
    "a marked title": (1.017, 2.361),
    "a row": (-0.963, -0.743),
    "a title": (1.332, 1.604),
    "capitals": (2.574, 4.641),
    "claimed title is like it": (-1.093, -0.412),
    "first author is a stranger": (0.312, 0.596),
    "first author is the last one": (-0.208, 1.167),
    "first author is there": (-1.558, 0.700),
    "journal differs": (0.760, 0.843),
    "length": (1.725, 2.036),
    "most of the title is there": (-2.105, -0.763),
    "numbers": (1.033, 1.608),
    "numbers differ": (0.252, -0.068),
    "only strangers": (0.923, 1.328),
    "other names": (-5.376, -3.617),
    "page differs": (2.305, 1.359),
    "page differs, no title": (2.753, 2.100),
    "second author is missing": (0.922, 0.693),
    "second author is there": (-0.752, -0.188),
    "sentences": (-0.713, -0.942),
    "share of strangers": (1.445, 1.420),
    "stranger at the name": (1.498, 2.049),
    "text after": (-0.663, -0.234),
    "the title is there": (-2.577, -3.027),
    "the title is there in order": (-1.789, -0.128),
    "volume and page agree": (-3.527, -0.824),
    "words of the record": (-1.624, -0.618),
    "year agrees": (-1.354, 0.405),
    "year beside differs": (0.536, 1.354),
    "year differs": (2.273, 2.614),
}
