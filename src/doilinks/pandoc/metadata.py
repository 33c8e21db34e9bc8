"""The options that a document's metadata holds, under ``doi-`` and an option's name.

A ``doi`` field is the document's own DOI and no option. A key that is no option's name belongs to
somebody's template and is passed over, unless it looks like a slip of the pen (a heuristic): it is
nearly an option's name, and its value is one that this option takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..core.options import InvalidOption, Options, misspelt

__all__ = ["options_of", "plain"]

_PREFIX: Final = "doi-"


def spelling(option: str) -> str:
    """How an option is written in metadata."""
    return _PREFIX + option.replace("_", "-")


def options_of(metadata: Mapping[str, Any]) -> Options:
    """Read the options from pandoc's ``meta``.

    :raises InvalidOption: naming each key with a wrong value

    >>> options_of({"doi-display": {"t": "MetaString", "c": "name"}}).display
    'name'
    """
    known = {spelling(name): name for name in Options.NAMES}
    values: dict[str, object] = {}
    problems = []
    for key, value in metadata.items():
        if key in known:
            values[known[key]] = plain(value)
        elif key.startswith(_PREFIX) and (slip := misspelt(key, spelling, plain(value))):
            problems.append(slip)
    try:
        options = Options.read(values, spelling)
    except InvalidOption as error:
        raise InvalidOption([*problems, *error.problems]) from None
    if problems:
        raise InvalidOption(problems)
    return options


def plain(value: Any) -> object:
    """A metadata value as the string, truth value or list that its author wrote."""
    kind, content = value["t"], value.get("c")
    if kind == "MetaList":
        return [plain(each) for each in content]
    if kind == "MetaInlines":
        return _text(content)
    if kind == "MetaBlocks":
        return "\n".join(_text(block.get("c")) for block in content)
    if kind == "MetaMap":
        return {key: plain(each) for key, each in content.items()}
    return content


def _text(inlines: Any) -> str:
    """The text of inlines; code is taken as it stands, so that a pattern can be written as code."""
    parts = []
    for node in inlines if isinstance(inlines, list) else ():
        content = node.get("c") if isinstance(node, dict) else None
        if isinstance(content, str):
            parts.append(content)
        elif isinstance(content, list):
            parts.append(next((_text(c) if isinstance(c, list) else c for c in _inner(node)), ""))
        elif isinstance(node, dict):
            parts.append("\n" if node.get("t") == "LineBreak" else " ")
    return "".join(parts)


def _inner(node: dict[str, Any]) -> list[Any]:
    """What of a node's content is its text."""
    content = node["c"]
    if node["t"] in ("Code", "RawInline", "Math"):
        return [content[1]]
    return [content[1] if node["t"] in ("Link", "Image", "Span", "Quoted", "Cite") else content]
