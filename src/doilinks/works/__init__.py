"""Works: what a DOI name stands for, and whether a text describes that."""

from .compare import Comparison, Reason, Verdict, compare
from .work import Notice, Status, Work

__all__ = ["Comparison", "Notice", "Reason", "Status", "Verdict", "Work", "compare"]
