"""The command line: ``doilinks`` with its commands, a file each."""

from .start import main

__all__ = ["main"]
