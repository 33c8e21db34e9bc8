"""``python -m doilinks``: the command line."""

from .files.cli import main

main()
