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
    "": (0.852, -3.177),
    "a citation's key": (-0.851, -1.714),
    "a marked title": (1.147, 1.616),
    "a row": (-0.984, -0.626),
    "a stranger at the name": (1.564, 1.901),
    "a title": (0.739, 1.126),
    "a title at length": (0.145, 0.881),
    "capitals": (2.142, 3.651),
    "first author is the last one": (-0.201, 1.076),
    "first author is there": (-1.632, 0.618),
    "journal differs": (1.026, 0.967),
    "length": (1.468, 2.821),
    "most of the title is there": (-2.197, -0.876),
    "named nearby": (-2.547, -0.821),
    "numbers": (0.667, 1.375),
    "numbers differ": (1.111, 0.741),
    "only strangers": (1.133, 1.644),
    "other names": (-4.802, -3.615),
    "own title like it": (-0.909, -0.174),
    "own title unlike it": (1.469, 0.917),
    "sentences": (-0.847, -1.048),
    "share of strangers": (1.338, 1.475),
    "text after": (-0.670, -0.348),
    "the first is a stranger": (0.461, 0.652),
    "the title is there": (-1.703, -2.437),
    "the title is there in order": (-2.252, -0.241),
    "volume and page agree": (-2.981, -0.493),
    "words that it explains": (-1.852, -0.518),
    "year agrees": (-1.613, 0.023),
    "year beside differs": (0.551, 1.309),
    "year differs": (2.163, 2.513),
}
