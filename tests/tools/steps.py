"""The steps of the scan, and a scan without one of them."""

from __future__ import annotations

import importlib
import sys

from doilinks.core import steps
from doilinks.core.steps import STOPS, TRAILING, Step

_CORE = "doilinks.core"
_TABLES = "steps"
_MADE_OF_THEM = ("begin", "everyday", "scan")


def _rows(module):
    for value in vars(module).values():
        if isinstance(value, Step):
            yield value
        elif isinstance(value, tuple):
            yield from (row for row in value if isinstance(row, Step))


STEPS = tuple(dict.fromkeys(_rows(steps)))
_FIRST_OF_END = STEPS.index(STOPS[0])
BEGIN, END = STEPS[:_FIRST_OF_END], STEPS[_FIRST_OF_END:]


def marked(text):
    """The text of an example, and the place that is marked in it, or None."""
    at = text.find("|")
    return text.replace("|", "", 1), at if at >= 0 else None


def scan_without(step):
    """The function ``scan`` as it would be if the tables did not have this row.

    The modules are imported once more, from tables in which the row's pattern matches nothing.
    """
    nothing = r"\x00" if step in (*STOPS, TRAILING) else r"(?!)"
    instead = step._replace(pattern=nothing)
    core = importlib.import_module(_CORE)
    names = [f"{_CORE}.{each}" for each in (_TABLES, *_MADE_OF_THEM)]
    kept = {name: sys.modules.pop(name) for name in names}
    try:
        _replace(importlib.import_module(f"{_CORE}.{_TABLES}"), step, instead)
        scan = importlib.import_module(f"{_CORE}.scan")
        importlib.import_module(f"{_CORE}.everyday").IS_ON = False  # it has no rows
        return scan.scan
    finally:
        sys.modules.update(kept)
        for name, module in kept.items():
            setattr(core, name.rpartition(".")[2], module)


def _replace(module, step, instead):
    for name, value in list(vars(module).items()):
        if value == step:
            setattr(module, name, instead)
        elif isinstance(value, tuple) and step in value:
            setattr(module, name, tuple(instead if row == step else row for row in value))
