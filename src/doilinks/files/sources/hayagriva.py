"""Bibliographies of Typst in YAML, whose format is called Hayagriva.

Typst takes nothing else for one: each key is a work, and each work has one of these types. So the
reader takes no other YAML for one either. ``doi`` below ``serial-number`` is a name, ``url`` is a
link, with or without the day on which it was visited, and the parents have the same fields.
Source: https://github.com/typst/hayagriva/blob/main/docs/file-format.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import yaml

from ...core.found import Found
from ...core.link import may_contain
from ...core.options import Options
from .citation import read_field
from .files import Unread
from .prose import begin

_TYPES: Final = (
    "anthology", "anthos", "article", "artwork", "audio", "blog", "book", "case", "chapter",
    "conference", "entry", "exhibition", "legislation", "manuscript", "misc", "newspaper",
    "original", "patent", "performance", "periodical", "post", "proceedings", "reference",
    "report", "repository", "scene", "thesis", "thread", "video", "web",
)  # fmt: skip
# A parser of YAML takes long, and hardly any file is a bibliography.
_MAYBE: Final = re.compile(rf"\btype[\"']?:\s*[\"']?(?:{'|'.join(_TYPES)})(?![\w-])", re.IGNORECASE)
# The fields of a work, which may be the parent of another one, and the fields of these fields. Each
# has the name by which ``read_field`` knows it.
_WITHIN: Final[Mapping[str, Mapping[str, str]]] = {
    "parent": {
        "serial-number": "serial-number",
        "doi": "doi",  # Typst shows no such field, but authors mean the same
        "url": "url",
        "note": "notes",
        "abstract": "abstract",
        "parent": "parent",
    },
    "serial-number": {"doi": "doi"},
    "url": {"value": "url"},
}


def read(text: str, options: Options) -> Iterator[Found | Unread]:
    """Every DOI of a bibliography, and the ``doi`` fields without one."""
    if not (may_contain(text, options) and _MAYBE.search(text)):
        return
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return
    works = list(dict.fromkeys(_fields(root).values()))
    kinds = (getattr(_fields(work).get("type"), "value", "") for work in works)
    if not all(str(kind).lower() in _TYPES for kind in kinds):
        return
    found: list[Found | Unread] = []
    for work, name, value in _texts(works):
        around = text[work.start_mark.index : work.end_mark.index].strip()
        found += (
            replace(each, around=around) if isinstance(each, Found) else each
            for each in read_field(name, value, text, options)
        )
    yield from sorted(found, key=begin)


def _fields(node: yaml.Node | None) -> dict[str, yaml.Node]:
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: each for key, each in node.value if isinstance(key, yaml.ScalarNode)}


def _texts(works: Sequence[yaml.Node]) -> Iterator[tuple[yaml.Node, str, yaml.ScalarNode]]:
    """The fields with a text, each with its work. What aliases repeat is read once."""
    todo = [(work, "parent", work) for work in reversed(works)]
    seen: set[tuple[str, yaml.Node]] = set()
    while todo:
        work, name, node = todo.pop()
        if (name, node) in seen:  # a node of YAML may even contain itself
            continue
        seen.add((name, node))
        if isinstance(node, yaml.ScalarNode):
            yield work, name, node
        elif isinstance(node, yaml.SequenceNode):
            todo += ((work, name, each) for each in node.value if name == "parent")
        else:
            of = node if name == "parent" else work
            names = _WITHIN.get(name, {})
            todo += ((of, names[key], each) for key, each in _fields(node).items() if key in names)
