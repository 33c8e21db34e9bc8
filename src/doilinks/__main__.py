"""``python -m doilinks``: the command line."""

from .tools.cli import main

main()
