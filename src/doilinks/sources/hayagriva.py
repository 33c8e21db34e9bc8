"""Bibliographies of Typst in YAML, whose format is called Hayagriva.

Typst takes nothing else for one: each key is a work, and each work has one of these types. So the
reader takes no other YAML for one either. ``doi`` below ``serial-number`` is a name, ``url`` is a
link, with or without the day on which it was visited, and the parents have the same fields.
Source: https://github.com/typst/hayagriva/blob/main/docs/file-format.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

import yaml

from ..core.found import Found
from ..core.link import may_contain_any
from ..core.options import Options
from .citation import read_field
from .files import Unread
from .found import begin

_TYPES: Final = (
    "anthology", "anthos", "article", "artwork", "audio", "blog", "book", "case", "chapter",
    "conference", "entry", "exhibition", "legislation", "manuscript", "misc", "newspaper",
    "original", "patent", "performance", "periodical", "post", "proceedings", "reference",
    "report", "repository", "scene", "thesis", "thread", "video", "web",
)  # fmt: skip
# A parser of YAML takes long, and hardly any file is a bibliography.
_MAYBE: Final = re.compile(rf"\btype[\"']?:\s*[\"']?(?:{'|'.join(_TYPES)})(?![\w-])", re.IGNORECASE)
_Fields = dict[str, yaml.Node]


def read(text: str, options: Options) -> Iterator[Found | Unread]:
    """Every DOI of a bibliography, and the ``doi`` fields without one."""
    if not (may_contain_any(text, options) and _MAYBE.search(text)):
        return
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return
    works = list(_fields(root).values())
    if not all(_type(work) in _TYPES for work in works):
        return
    found: list[Found | Unread] = []
    seen: set[int] = set()
    while works:
        work = works.pop()
        if id(work) in seen:  # an alias; a node of YAML may even contain itself
            continue
        seen.add(id(work))
        fields = _fields(work)
        parent = fields.get("parent")
        if parent is not None:
            works += parent.value if isinstance(parent, yaml.SequenceNode) else [parent]
        around = partial(_plain, text, work)
        found += (
            replace(each, around=around) if isinstance(each, Found) else each
            for each in _names(fields, text, options)
        )
    yield from sorted(found, key=lambda each: begin(each) if isinstance(each, Found) else each.at)


def _fields(node: yaml.Node | None) -> _Fields:
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: each for key, each in node.value if isinstance(key, yaml.ScalarNode)}


def _type(work: yaml.Node) -> str:
    kind = _fields(work).get("type")
    return kind.value.lower() if isinstance(kind, yaml.ScalarNode) else ""


def _names(fields: _Fields, text: str, options: Options) -> Iterator[Found | Unread]:
    numbers = _fields(fields.get("serial-number"))
    url = fields.get("url")
    for name, value in (
        ("doi", numbers.get("doi")),
        # Typst shows no such field, but authors mean the same.
        ("doi", fields.get("doi")),
        ("url", _fields(url).get("value", url)),
        ("notes", fields.get("note")),
        ("abstract", fields.get("abstract")),
    ):
        if isinstance(value, yaml.ScalarNode):
            yield from read_field(name, value, text, options)


def _plain(text: str, work: yaml.Node) -> str:
    return text[work.start_mark.index : work.end_mark.index].strip()
