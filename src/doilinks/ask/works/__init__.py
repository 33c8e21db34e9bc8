"""Works: what a DOI name stands for, and whether a text describes that."""

from ...record.comparing import Comparison, Verdict, compare
from ...record.kinds import Notice, Status
from ...record.states import Reason
from ...record.work import Work

__all__ = ["Comparison", "Notice", "Reason", "Status", "Verdict", "Work", "compare"]
