"""What each state of agreement weighs. Made by ``benchmarks/fit_works.py``: do not edit.

Of each state: its weight for another work against the same one, and against a text that says
too little. ``""`` is the constant.
"""

from typing import Final

# Log odds from which a work is another one rather than the same one, and from which a text says
# enough; the chance from which it is the same one.
OTHER: Final = 1.00
ENOUGH: Final = 1.50
SAME: Final = 0.7

WEIGHTS: Final[dict[str, tuple[float, float]]] = {
    "": (0.631, -3.256),
    "a citation's key": (-0.972, -1.408),
    "a marked title": (0.754, 1.118),
    "a row": (-0.875, -0.366),
    "a stranger at the name": (1.113, 1.438),
    "a title": (0.861, 1.168),
    "a title at length": (0.289, 1.096),
    "capitals": (1.555, 2.984),
    "first author is the last one": (-0.075, 1.275),
    "first author is there": (-1.557, 0.407),
    "journal differs": (0.781, 0.794),
    "length": (2.165, 3.153),
    "most of the title is there": (-1.816, -0.620),
    "named nearby": (-1.472, 0.622),
    "numbers": (0.437, 1.142),
    "numbers differ": (0.957, 0.632),
    "only strangers": (0.758, 1.112),
    "other names": (-4.278, -3.192),
    "own title like it": (-1.116, 0.147),
    "own title unlike it": (1.624, 0.792),
    "sentences": (-0.682, -0.995),
    "share of strangers": (1.037, 1.155),
    "text after": (-1.095, -0.952),
    "the first is a stranger": (0.325, 0.739),
    "the last is a stranger": (0.689, 0.815),
    "the title is there": (-1.647, -2.091),
    "the title is there in order": (-1.781, -0.055),
    "volume and page agree": (-2.429, -0.288),
    "words that it explains": (-2.026, -0.601),
    "year agrees": (-1.636, -0.277),
    "year beside differs": (0.926, 1.386),
    "year differs": (1.673, 1.973),
}
