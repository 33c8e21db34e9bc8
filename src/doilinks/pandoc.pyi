# What the package imports late, for editors and type checkers. An editor cannot follow __getattr__.
# jedi, which completes in IPython, needs each "as".
from .hosts.pandoc.document import Document as Document
from .hosts.pandoc.document import PandocError as PandocError
from .hosts.pandoc.document import rewrite as rewrite
from .hosts.pandoc.entry import main as main

__all__ = ["Document", "PandocError", "main", "rewrite"]
