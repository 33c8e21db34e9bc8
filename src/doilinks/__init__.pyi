# What the package imports late, for editors and type checkers. An editor cannot follow __getattr__.
# jedi, which completes in IPython, needs each "as".
from .core.doi import DOI as DOI
from .core.doi import InvalidDOI as InvalidDOI
from .core.found import Found as Found
from .core.scan import Match as Match
from .core.scan import scan as scan

__all__ = ["DOI", "Found", "InvalidDOI", "Match", "__version__", "scan"]

__version__: str

def setup(_app: object) -> None: ...
