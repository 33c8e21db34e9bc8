"""Works: what a DOI name stands for, and whether a text describes that."""

from .notices import Notice, Status
from .work import Work

__all__ = ["Notice", "Status", "Work"]
