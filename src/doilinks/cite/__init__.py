"""What readers see of a work: the text on hover, citations, and lists of references.

All of it is offline: works are those that the lock file of the project keeps. Nothing here knows a
host, and what becomes part of a page is plain text, which the host escapes as it escapes its own.
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
