"""The command line: ``doilinks`` with its commands, a file each."""

from .terminal import main

__all__ = ["main"]
