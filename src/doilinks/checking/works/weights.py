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
    "": (0.875, -3.169),
    "a citation's key": (-0.908, -1.720),
    "a marked title": (1.046, 1.817),
    "a row": (-1.270, -0.508),
    "a stranger at the name": (1.163, 1.716),
    "a title": (0.715, 1.117),
    "a title at length": (0.263, 1.159),
    "capitals": (1.801, 3.578),
    "first author is the last one": (-0.163, 1.118),
    "first author is there": (-1.685, 0.608),
    "journal differs": (1.010, 0.966),
    "length": (1.528, 2.622),
    "most of the title is there": (-2.175, -0.878),
    "named nearby": (-2.631, -0.922),
    "numbers": (0.627, 1.344),
    "numbers differ": (1.055, 0.716),
    "only strangers": (1.118, 1.655),
    "other names": (-4.738, -3.514),
    "own title like it": (-0.853, -0.239),
    "own title unlike it": (1.415, 1.189),
    "second author is missing": (1.621, 0.821),
    "sentences": (-0.841, -0.985),
    "share of strangers": (1.123, 1.299),
    "text after": (-0.638, -0.291),
    "the first is a stranger": (0.885, 0.855),
    "the title is there": (-1.754, -2.423),
    "the title is there in order": (-2.246, -0.239),
    "volume and page agree": (-2.968, -0.486),
    "words that it explains": (-1.831, -0.514),
    "year agrees": (-1.506, 0.135),
    "year beside differs": (0.381, 1.224),
    "year differs": (2.449, 2.641),
}
