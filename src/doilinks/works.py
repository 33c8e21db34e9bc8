"""Works: what a DOI name stands for, and whether a text describes that."""

from .ask.works import Comparison, Notice, Reason, Status, Verdict, Work, compare

__all__ = [
    "Comparison",
    "Notice",
    "Reason",
    "Status",
    "Verdict",
    "Work",
    "check",  # noqa: F822  (imported late: it needs the extra check)
    "compare",
]


def __getattr__(name: str) -> object:
    """Import the check of works when it is needed. It needs the extra ``check``."""
    if name != "check":
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from .ask.works.check import check

    return check
