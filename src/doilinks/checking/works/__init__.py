"""Works: what a DOI name stands for, and whether a text describes that."""

from ..record.work import Notice, Status, Work
from .comparing import Comparison, Reason, Verdict, compare

__all__ = ["Comparison", "Notice", "Reason", "Status", "Verdict", "Work", "compare"]
