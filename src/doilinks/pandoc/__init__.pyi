# What the package imports late, for editors and type checkers. An editor cannot follow __getattr__.
# jedi, which completes in IPython, needs each "as".
from .document import Document as Document
from .document import PandocError as PandocError
from .document import rewrite as rewrite
from .elements import action as action
from .elements import finalize as finalize
from .elements import prepare as prepare
from .entry import main as main

__all__ = ["Document", "PandocError", "action", "finalize", "main", "prepare", "rewrite"]
