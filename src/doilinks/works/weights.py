"""What each state of agreement weighs. Made by ``benchmarks/fit_works.py``: do not edit.

Of each state: its weight for another work against the same one, and against a text that says
too little. ``""`` is the constant.
"""

from typing import Final

# Log odds from which a work is another one rather than the same one, and from which a text says
# enough; the chance from which it is the same one.
OTHER: Final = 1.25
ENOUGH: Final = 1.40
SAME: Final = 0.7

WEIGHTS: Final[dict[str, tuple[float, float]]] = {
    "": (0.495, -3.296),
    "a citation's key": (-0.948, -1.464),
    "a marked title": (0.770, 1.116),
    "a row": (-0.840, -0.393),
    "a stranger at the name": (1.146, 1.439),
    "a title": (0.851, 1.093),
    "a title at length": (0.311, 1.148),
    "capitals": (1.557, 2.942),
    "first author is the last one": (-0.007, 1.202),
    "first author is there": (-1.497, 0.563),
    "journal differs": (0.865, 0.784),
    "length": (2.249, 3.227),
    "most of the title is there": (-1.812, -0.645),
    "named nearby": (-1.456, 0.578),
    "numbers": (0.403, 1.062),
    "numbers differ": (0.910, 0.736),
    "only strangers": (0.769, 1.161),
    "other names": (-4.192, -3.033),
    "own title like it": (-1.160, 0.069),
    "own title unlike it": (1.623, 0.749),
    "sentences": (-0.607, -0.935),
    "share of strangers": (0.956, 1.108),
    "text after": (-1.116, -0.907),
    "the first is a stranger": (0.291, 0.738),
    "the last is a stranger": (0.721, 0.828),
    "the title is there": (-1.472, -1.973),
    "the title is there in order": (-1.823, -0.007),
    "volume and page agree": (-2.126, -0.096),
    "words that it explains": (-1.951, -0.534),
    "year agrees": (-1.748, -0.635),
    "year beside differs": (0.915, 1.450),
    "year differs": (1.540, 1.967),
}
