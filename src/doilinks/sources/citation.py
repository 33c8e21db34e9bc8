"""Reads citation files, ``CITATION.cff``.

In a citation file, ``doi`` is a name, ``url`` and the ``repository`` fields are links, and each of
the ``identifiers`` has a type. The works below ``references`` and ``preferred-citation`` have the
same fields. Source:
https://github.com/citation-file-format/citation-file-format/blob/main/schema-guide.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import yaml

from ..core.found import Found
from ..core.link import may_contain
from ..core.options import Options
from ..core.scan import may_contain_doi
from ..core.text import SourceText
from .common import TextBlocks, begin, found_in_field, found_in_link, found_in_prose
from .files import CannotRead

_LINKS: Final = frozenset(
    {"url", "repository", "repository-code", "repository-artifact", "license-url"}
)
_PROSE: Final = frozenset({"abstract", "notes"})
# A work begins with a field at the margin, or with an item of a list that is neither a person's nor
# an identifier.
_WORK: Final = re.compile(
    r"\n(?=[\w-]+:|[ \t]{0,2}-[ \t](?!"
    r"(?:family-names|given-names|name|orcid|alias|value|description):"
    r"|type: [\"']?(?:doi|url|swh|other)\b))"
)


def read(text: str, options: Options) -> Iterator[Found]:
    """Every DOI of a citation file, and the ``doi`` fields without one."""
    if not may_contain(text, options):
        return
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise CannotRead(f"not YAML ({error.problem}{line})") from error
    except yaml.YAMLError as error:
        raise CannotRead("not YAML (it contains a control character)") from error
    works = TextBlocks(text, _WORK)
    found: list[Found] = []
    for name, value in dict.fromkeys(_fields(root)):  # what aliases repeat is read once
        read = _read_field(name, value, text, options)
        found += (replace(each, around=works.at(begin(each))) for each in read)
    yield from sorted(found, key=begin)


def _fields(root: yaml.Node | None) -> Iterator[tuple[str, yaml.ScalarNode]]:
    """Every field with a text, and its name. The name of an identifier is its type."""
    todo, seen = [root], set[int]()
    while todo:
        node = todo.pop()
        if id(node) in seen:  # an alias; in YAML, a node may even contain itself
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            todo += node.value
        elif isinstance(node, yaml.MappingNode):
            texts = {
                key.value: value
                for key, value in node.value
                if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode)
            }
            if "type" in texts and "value" in texts:
                texts = {texts["type"].value: texts["value"]}
            yield from texts.items()
            todo += (value for _, value in node.value if not isinstance(value, yaml.ScalarNode))


def _read_field(name: str, value: yaml.ScalarNode, text: str, options: Options) -> Iterator[Found]:
    """Yield the DOIs of a field: a name, a link or prose, as its name says."""
    written: str = value.value.strip()
    if name == "doi" and written:
        source = SourceText.from_parts([(written, *_span(value, written, text))])
        yield from found_in_field(source, options)
    elif name in _LINKS:
        if found := found_in_link(written, options):
            yield replace(found, span=_span(value, written, text))
    elif name in _PROSE and may_contain_doi(value.value, options.arxiv):
        at, end = value.start_mark.index, value.end_mark.index
        for found in found_in_prose(value.value, options):
            # Each is located after the one before, because YAML may fold the lines.
            name = value.value[slice(*found.span)] if found.span else ""
            place = text.find(name, at, end)
            at = place + len(name) if place >= 0 else at
            yield replace(found, span=(place, at) if place >= 0 else (at, at))


def _span(value: yaml.ScalarNode, written: str, text: str) -> tuple[int, int]:
    """Return the place of a field's text, or of the whole value if the text has escapes."""
    start, end = value.start_mark.index, value.end_mark.index
    at = text.find(written, start, end)
    return (at, at + len(written)) if at >= 0 else (start, end)
