"""Citations, lists of references and hover texts, for every host.

All of it is offline: works are those of the project's lock file. Nothing here knows a host. All
texts for a page are plain text, which the host escapes as it escapes its own.
"""

from ..lock.known_works import KnownWorks
from ..record.words import StyledText, hover, reference
from .citations import Cite, Cluster, parse, parse_role
from .references import Entry, Mention, References

__all__ = [
    "Cite",
    "Cluster",
    "Entry",
    "KnownWorks",
    "Mention",
    "References",
    "StyledText",
    "hover",
    "parse",
    "parse_role",
    "reference",
]  # fmt: skip
