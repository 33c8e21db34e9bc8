"""The network: one polite client for HTTP.

::

    async with Client(options, Network("doilinks/1.0")) as client:
        answer = await client.ask("https://doi.org/api/handles/10.1000/182", judge)

``judge`` turns the status and the body of a reply into an :class:`Answer`.
"""

from .client import Answer, Client, Network, Outcome, Sleep, lost, unknown
from .transport import ServerPolicy, Unusable, is_usable

__all__ = [
    "Answer", "Client", "Network", "Outcome", "ServerPolicy", "Sleep", "Unusable", "is_usable",
    "lost", "unknown",
]  # fmt: skip
