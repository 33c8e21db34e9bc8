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
    "": (0.830, -3.191),
    "a citation's key": (-0.852, -1.709),
    "a marked title": (1.161, 1.629),
    "a row": (-0.989, -0.619),
    "a stranger at the name": (1.556, 1.901),
    "a title": (0.733, 1.117),
    "a title at length": (0.122, 0.941),
    "capitals": (2.147, 3.655),
    "first author is the last one": (-0.205, 1.073),
    "first author is there": (-1.623, 0.630),
    "journal differs": (1.022, 0.968),
    "length": (1.505, 2.811),
    "most of the title is there": (-2.201, -0.879),
    "named nearby": (-2.013, -0.300),
    "numbers": (0.662, 1.375),
    "numbers differ": (1.104, 0.741),
    "only strangers": (1.113, 1.631),
    "other names": (-4.674, -3.483),
    "own title like it": (-0.901, -0.178),
    "own title unlike it": (1.442, 0.962),
    "sentences": (-0.851, -1.044),
    "share of strangers": (1.360, 1.485),
    "text after": (-0.677, -0.345),
    "the first is a stranger": (0.480, 0.662),
    "the title is there": (-1.698, -2.427),
    "the title is there in order": (-2.262, -0.252),
    "volume and page agree": (-2.981, -0.492),
    "words that it explains": (-1.860, -0.522),
    "year agrees": (-1.611, 0.027),
    "year beside differs": (0.535, 1.303),
    "year differs": (2.189, 2.526),
}
