"""``python -m doilinks``: the command line."""

from .cli import main

main()
