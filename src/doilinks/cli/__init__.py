"""The command line: ``doilinks`` with its commands, a file each."""

from .entry import main

__all__ = ["main"]
