"""Works in YAML: citation files, ``CITATION.cff``, and bibliographies of Typst.

In a citation file, ``doi`` is a name, ``url`` and the ``repository`` fields are links, and each of
the ``identifiers`` has a type. The works below ``references`` and ``preferred-citation`` have the
same fields. Source:
https://github.com/citation-file-format/citation-file-format/blob/main/schema-guide.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import yaml

from ...core.found import Found
from ...core.link import may_contain
from ...core.options import Options
from ...core.scan import may_contain_doi
from .files import CannotRead, Unread
from .prose import Blocks, begin, found_in_field, found_in_link, found_in_prose

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


def read(text: str, options: Options) -> Iterator[Found | Unread]:
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
    works = Blocks(text, _WORK)
    found: list[Found | Unread] = []
    for name, value in dict.fromkeys(_fields(root)):  # what aliases repeat is read once
        for each in _read_field(name, value, text, options):
            if isinstance(each, Found) and each.span:
                found.append(replace(each, around=works.at(each.span[0])))
            else:
                found.append(each)
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


def _read_field(
    name: str, value: yaml.ScalarNode, text: str, options: Options
) -> Iterator[Found | Unread]:
    """The DOIs of a field: a name, a link or prose, as its name says."""
    written: str = value.value.strip()
    if name == "doi" and written:
        span = _span(value, written, text)
        if each := found_in_field(written, span[0], options, span):
            yield each
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
    """The place of the text of a field, or of the whole value if the text contains escapes."""
    start, end = value.start_mark.index, value.end_mark.index
    at = text.find(written, start, end)
    return (at, at + len(written)) if at >= 0 else (start, end)


# --------------------------------------------------------------------------------------------------
# Bibliographies of Typst, whose format is called Hayagriva. Typst takes nothing else for one: each
# key is a work, and each work has one of these types. So no other YAML is read as one here.
# Names are below ``serial-number``; ``url`` is a link, with or without the day on which it was
# visited, and the parents have the same fields.
# Source: https://github.com/typst/hayagriva/blob/main/docs/file-format.md

_TYPES: Final = (
    "anthology", "anthos", "article", "artwork", "audio", "blog", "book", "case", "chapter",
    "conference", "entry", "exhibition", "legislation", "manuscript", "misc", "newspaper",
    "original", "patent", "performance", "periodical", "post", "proceedings", "reference",
    "report", "repository", "scene", "thesis", "thread", "video", "web",
)  # fmt: skip
# A parser of YAML takes long, and hardly any file is a bibliography.
_MAYBE: Final = re.compile(rf"\btype[\"']?:\s*[\"']?(?:{'|'.join(_TYPES)})(?![\w-])", re.IGNORECASE)
# The fields of a work, which may be the parent of another one, and the fields of these fields. Each
# has the name by which the function above knows it.
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


def read_bibliography(text: str, options: Options) -> Iterator[Found | Unread]:
    """Every DOI of a bibliography, and the ``doi`` fields without one."""
    if not (may_contain(text, options) and _MAYBE.search(text)):
        return
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return
    works = list(dict.fromkeys(_entries(root).values()))
    kinds = (_entries(work).get("type") for work in works)
    if not all(isinstance(k, yaml.ScalarNode) and k.value.lower() in _TYPES for k in kinds):
        return
    found: list[Found | Unread] = []
    for work, name, value in _texts(works):
        around = partial(_shown, text, work)
        found += (
            replace(each, around=around) if isinstance(each, Found) else each
            for each in _read_field(name, value, text, options)
        )
    yield from sorted(found, key=begin)


def _shown(text: str, work: yaml.Node) -> str:
    return text[work.start_mark.index : work.end_mark.index].strip()


def _entries(node: yaml.Node | None) -> dict[str, yaml.Node]:
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
            todo += ((of, names[key], each) for key, each in _entries(node).items() if key in names)
