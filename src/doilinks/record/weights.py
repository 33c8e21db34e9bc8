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
    "": (1.177, -2.678),
    "a citation's key": (-0.907, -1.489),
    "a marked title": (1.009, 2.348),
    "a row": (-0.756, -0.617),
    "a title": (1.576, 1.765),
    "capitals": (1.722, 4.256),
    "claimed title is like it": (-1.277, -0.630),
    "first author is a stranger": (0.505, 0.692),
    "first author is the last one": (-0.043, 1.188),
    "first author is there": (-1.798, 0.678),
    "journal differs": (0.853, 0.884),
    "length": (1.111, 1.678),
    "most of the title is there": (-2.084, -0.713),
    "numbers": (0.769, 1.528),
    "numbers differ": (0.541, 0.055),
    "only strangers": (0.996, 1.372),
    "other names": (-5.401, -3.582),
    "page differs": (2.063, 1.222),
    "page differs, no title": (2.781, 2.109),
    "second author is missing": (1.188, 0.746),
    "sentences": (-0.610, -0.857),
    "share of strangers": (1.401, 1.385),
    "stranger at the name": (1.385, 1.985),
    "text after": (-0.613, -0.168),
    "the title is there": (-2.496, -2.935),
    "the title is there in order": (-1.764, -0.051),
    "volume and page agree": (-3.201, -0.720),
    "words of the record": (-1.907, -0.746),
    "year agrees": (-1.468, 0.340),
    "year beside differs": (0.560, 1.310),
    "year differs": (2.360, 2.626),
}
