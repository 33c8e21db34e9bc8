"""What each state of agreement weighs. Made by ``benchmarks/fit_works.py``: do not edit.

Of each state: its weight for another work against the same one, and against a text that says
too little. ``""`` is the constant.
"""

from typing import Final

# Log odds from which a work is another one rather than the same one, and from which a text says
# enough; the chance from which it is the same one.
OTHER: Final = 1.50
ENOUGH: Final = 1.80
SAME: Final = 0.72

WEIGHTS: Final[dict[str, tuple[float, float]]] = {
    "": (1.242, -3.014),
    "a citation's key": (-0.922, -1.638),
    "a marked title": (1.040, 1.804),
    "a row": (-1.252, -0.491),
    "a stranger at the name": (1.138, 1.624),
    "a title": (0.688, 0.933),
    "a title at length": (0.158, 1.010),
    "capitals": (1.748, 3.771),
    "first author is the last one": (-0.086, 1.069),
    "first author is there": (-1.700, 0.667),
    "journal differs": (0.960, 0.915),
    "length": (1.036, 2.170),
    "most of the title is there": (-2.272, -0.836),
    "named nearby": (-2.609, -0.840),
    "numbers": (0.757, 1.349),
    "numbers differ": (1.123, 0.749),
    "only strangers": (0.994, 1.563),
    "other names": (-4.734, -3.480),
    "own title like it": (-0.999, -0.403),
    "own title unlike it": (1.517, 1.441),
    "second author is missing": (1.495, 0.670),
    "sentences": (-0.791, -0.807),
    "share of strangers": (1.479, 1.534),
    "text after": (-0.650, -0.280),
    "the first is a stranger": (0.710, 0.744),
    "the title is there": (-1.561, -2.470),
    "the title is there in order": (-2.260, -0.302),
    "volume and page agree": (-3.077, -0.450),
    "words that it explains": (-1.786, -0.170),
    "year agrees": (-1.635, 0.115),
    "year beside differs": (0.350, 1.206),
    "year differs": (2.387, 2.614),
}
