"""The check: does every DOI of the documents resolve? The public door is ``doilinks.check``."""

from ...core.printable import printable

try:
    from .checker import check
except ModuleNotFoundError as error:
    if (error.name or "").startswith("doilinks"):
        raise
    raise ModuleNotFoundError(
        f'the check needs the package {error.name}: pip install "doilinks[check]"', name=error.name
    ) from error
from ...lock.entries import InvalidLockfile
from ..net.client import Outcome
from .checker import news
from .codes import CODES
from .problems import (
    CheckReport,
    Interrupted,
    Memory,
    Problem,
    Resolution,
    Severity,
    WorkCounts,
    unresolved,
    works_in_words,
)
from .report import FORMATS, render

__all__ = [
    "CODES", "FORMATS", "CheckReport", "Interrupted", "InvalidLockfile", "Memory", "Outcome",
    "Problem", "Resolution", "Severity", "WorkCounts", "check", "news", "printable", "render",
    "unresolved", "works_in_words",
]  # fmt: skip
