"""What each state of agreement weighs. Made by ``benchmarks/fit_works.py``: do not edit.

Of each state: its weight for another work against the same one, and against a text that says
too little. ``""`` is the constant.
"""

from typing import Final

# Log odds from which a work is another one rather than the same one, and from which a text says
# enough; the chance from which it is the same one.
OTHER: Final = 2.00
ENOUGH: Final = 1.60
SAME: Final = 0.72

WEIGHTS: Final[dict[str, tuple[float, float]]] = {
    "": (0.875, -3.142),
    "a citation's key": (-0.845, -1.702),
    "a marked title": (1.161, 1.623),
    "a row": (-0.901, -0.541),
    "a stranger at the name": (1.559, 1.904),
    "a title": (0.723, 1.100),
    "a title at length": (0.128, 0.953),
    "capitals": (2.175, 3.813),
    "first author is the last one": (-0.208, 1.077),
    "first author is there": (-1.619, 0.620),
    "journal differs": (1.017, 0.956),
    "length": (1.449, 2.716),
    "most of the title is there": (-2.201, -0.881),
    "named nearby": (-2.019, -0.331),
    "numbers": (0.666, 1.368),
    "numbers differ": (1.102, 0.737),
    "only strangers": (1.111, 1.624),
    "other names": (-4.640, -3.422),
    "own title like it": (-0.907, -0.188),
    "own title unlike it": (1.424, 0.941),
    "sentences": (-0.855, -1.049),
    "share of strangers": (1.348, 1.462),
    "text after": (-0.672, -0.321),
    "the first is a stranger": (0.478, 0.654),
    "the title is there": (-1.693, -2.433),
    "the title is there in order": (-2.255, -0.247),
    "volume and page agree": (-2.982, -0.500),
    "words that it explains": (-1.902, -0.560),
    "year agrees": (-1.614, 0.017),
    "year beside differs": (0.538, 1.306),
    "year differs": (2.180, 2.503),
}
