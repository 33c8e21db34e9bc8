# What the package imports late, for editors and type checkers. An editor cannot follow __getattr__.
# jedi, which completes in IPython, needs each "as".
from .document import Document as Document
from .document import PandocError as PandocError
from .document import action as action
from .document import finalize as finalize
from .document import prepare as prepare
from .document import rewrite as rewrite
from .entry import main as main

__all__ = ["Document", "PandocError", "action", "finalize", "main", "prepare", "rewrite"]
