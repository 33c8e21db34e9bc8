"""What each state of agreement weighs. Made by ``benchmarks/fit_works.py``: do not edit.

Of each state: its weight for another work against the same one, and against a text that says
too little. ``""`` is the constant.
"""

from typing import Final

# Log odds from which a work is another one rather than the same one, and from which a text says
# enough; the chance from which it is the same one.
OTHER: Final = 1.25
ENOUGH: Final = 1.60
SAME: Final = 0.72

WEIGHTS: Final[dict[str, tuple[float, float]]] = {
    "": (1.146, -2.696),
    "a citation's key": (-0.896, -1.476),
    "a marked title": (1.039, 2.373),
    "a row": (-0.787, -0.648),
    "a stranger at the name": (1.371, 1.973),
    "a title": (1.568, 1.745),
    "capitals": (1.801, 4.322),
    "first author is the last one": (-0.039, 1.184),
    "first author is there": (-1.821, 0.653),
    "journal differs": (0.869, 0.886),
    "length": (1.164, 1.732),
    "most of the title is there": (-2.082, -0.725),
    "numbers": (0.754, 1.477),
    "numbers differ": (0.306, 0.417),
    "only strangers": (1.003, 1.371),
    "other names": (-5.350, -3.536),
    "own title like it": (-1.307, -0.668),
    "page differs": (2.134, 1.264),
    "page differs, no title": (2.985, 2.255),
    "second author is missing": (1.168, 0.744),
    "sentences": (-0.617, -0.865),
    "share of strangers": (1.384, 1.376),
    "text after": (-0.619, -0.186),
    "the first is a stranger": (0.508, 0.691),
    "the title is there": (-2.551, -2.976),
    "the title is there in order": (-1.777, -0.069),
    "volume and page agree": (-3.158, -0.550),
    "words that it explains": (-1.830, -0.679),
    "year agrees": (-1.431, 0.398),
    "year beside differs": (0.569, 1.313),
    "year differs": (2.364, 2.627),
}
