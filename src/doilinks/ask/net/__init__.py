"""The network: one polite client for HTTP.

::

    async with Client(options, "doilinks/1.0") as client:
        answer = await client.ask("https://doi.org/api/handles/10.1000/182", judge)

``judge`` turns a :class:`Reply` into an :class:`Answer`.
"""

from .client import LONGEST, Answer, Client, Outcome, Sleep, lost, unknown
from .transport import Manners, Reply, Unusable, is_usable

__all__ = [
    "LONGEST", "Answer", "Client", "Manners", "Outcome", "Reply", "Sleep", "Unusable", "is_usable",
    "lost", "unknown",
]  # fmt: skip
