"""The command line: ``doilinks scan``, ``doilinks check``, ``doilinks show``."""

from .entry import main

__all__ = ["main"]
