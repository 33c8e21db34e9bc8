"""The network: one polite client for HTTP, which knows nothing about names.

::

    async with Client(options, "doilinks/1.0") as client:
        answer = await client.ask("https://doi.org/api/handles/10.1000/182", judge)

``judge`` turns a :class:`Reply` into what the caller wants. From that, the client needs to know
only whether it is an answer, and whether asking again may help (:class:`Judged`).
"""

from .client import LONGEST, Client, Judged, Sleep
from .transport import Manners, Reply, Unusable, is_usable

__all__ = ["LONGEST", "Client", "Judged", "Manners", "Reply", "Sleep", "Unusable", "is_usable"]
