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
    "": (1.250, -2.973),
    "a citation's key": (-0.885, -1.630),
    "a marked title": (1.090, 2.439),
    "a row": (-1.252, -0.547),
    "a stranger at the name": (1.094, 1.590),
    "a title": (1.525, 1.903),
    "capitals": (1.859, 3.783),
    "first author is the last one": (0.007, 1.134),
    "first author is there": (-1.906, 0.596),
    "journal differs": (1.008, 0.855),
    "length": (1.474, 2.343),
    "most of the title is there": (-2.334, -0.787),
    "numbers": (0.717, 1.336),
    "numbers differ": (1.089, 0.743),
    "only strangers": (1.030, 1.561),
    "other names": (-5.705, -3.806),
    "own title like it": (-1.327, -0.706),
    "second author is missing": (1.467, 0.673),
    "sentences": (-0.796, -0.820),
    "share of strangers": (1.414, 1.512),
    "text after": (-0.724, -0.312),
    "the first is a stranger": (0.647, 0.732),
    "the title is there": (-1.951, -2.709),
    "the title is there in order": (-2.291, -0.371),
    "volume and page agree": (-3.089, -0.466),
    "words that it explains": (-1.922, -0.331),
    "year agrees": (-1.623, 0.138),
    "year beside differs": (0.385, 1.202),
    "year differs": (2.321, 2.588),
}
