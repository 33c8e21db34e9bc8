"""Metadata in JSON: ``.zenodo.json``, ``codemeta.json``, RO-Crate, and CSL-JSON.

Sources: https://developers.zenodo.org/#representation, https://codemeta.github.io/terms/ and
https://docs.citationstyles.org/en/stable/specification.html. One reader is enough, because no key
means two things: ``doi`` is a name; an identifier is a name or a link; some keys have prose, which
Zenodo shows as HTML. Any other value counts if it is nothing but a link.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from ..core.field import read_field
from ..core.found import Found
from ..core.link import may_contain
from ..core.options import Options
from ..core.text import SourceText
from . import html
from .common import found_in_field, found_in_link, found_in_prose
from .files import CannotRead, Unread
from .json_text import JsonString, Path, strings

_FIELDS: Final = frozenset({"doi", "DOI"})
# The value of a schema.org PropertyValue is an identifier too.
_IDENTIFIERS: Final = frozenset({"identifier", "@id", "value"})
# What these name is the object itself. Any other key relates it to another work.
_ITSELF: Final = _FIELDS | _IDENTIFIERS | {"id", "url", "URL", "sameAs"}
_PROSE: Final = frozenset(
    {"description", "notes", "note", "annote", "abstract", "references", "citation", "releaseNotes"}
)
_NONE: Final = frozenset({"@context", "$schema"})  # they name a format, and no work
_HTML: Final = "</"
# Characters of an object and of a value, and how deep an object in it counts. So an object with
# objects in objects, which each are a part of all around them, makes a text in linear time.
_LONGEST, _VALUE, _DEEPEST = 16_000, 4_000, 8
_BESIDE: Final = 1_000  # of an object in whose text the name is not
_ENCODE: Final = json.JSONEncoder(ensure_ascii=False).encode
_ESCAPED: Final = "\\u00"  # a character of ASCII may be escaped


def read(text: str, options: Options) -> Iterator[Found | Unread]:
    """Every DOI of the metadata, and the ``doi`` fields without one."""
    if not (may_contain(text, options) or _ESCAPED in text):
        return
    try:
        root = json.loads(text)
    except ValueError as error:
        raise CannotRead(f"not JSON ({error})") from error
    texts: dict[int, str] = {}  # of objects
    for string in strings(text):
        source = SourceText.from_parts(string.parts())
        for found in _found(string, source.text, options):
            if isinstance(found, Unread):
                yield found._replace(at=source.span(found.at, found.at + 1)[0])
                continue
            span = source.span(*found.span) if found.span else None
            around = found.around or partial(_around, root, texts, string.path, source.text)
            yield replace(found, span=span, around=around)


def _found(string: JsonString, text: str, options: Options) -> Iterator[Found | Unread]:
    name, value = string.name, text.strip()
    start = text.find(value)
    if name in _NONE or not value:
        return
    if name not in _FIELDS and (found := found_in_link(value, options)):
        yield replace(found, span=(start, start + len(value)))
    elif name in _FIELDS or (name in _IDENTIFIERS and read_field(value).is_alone):
        yield from found_in_field(SourceText.of(text), options)
    elif name in _PROSE and _HTML in text:
        yield from html.read(text, options)
    elif name in _PROSE:
        yield from found_in_prose(text, options, text)


def _around(root: Any, texts: dict[int, str], path: Path, value: str) -> str:
    """Return the text around a value of these keys: the object it names, else its field.

    At the top of a file, it is the field, which tells that a name is the project's own.
    """
    keys = [key for key in path if isinstance(key, str)]
    if not keys:
        return value
    own = keys[0] == path[0] and (len(keys) == 1 or _IDENTIFIERS.issuperset(keys))
    if own or keys[-1] not in _ITSELF:
        return _ENCODE({keys[0 if own else -1]: value})[1:-1]
    last = max(at for at, key in enumerate(path) if isinstance(key, str))
    found = root
    try:
        for key in path[:last]:
            found = found[key]
    except (KeyError, IndexError, TypeError):  # of two values of one key, the first
        return value
    if id(found) not in texts:
        texts[id(found)] = _text_of(found)
    text = texts[id(found)]
    if len(text) < _LONGEST or value in text:
        return text
    return f"{value}, {text[:_BESIDE]}"  # the comparison looks for the name in the text


def _text_of(found: Any) -> str:
    """Return the JSON of an object, or its beginning."""
    text = ""
    for piece in _pieces(found, _DEEPEST):
        text += piece
        if len(text) >= _LONGEST:
            break
    return text


def _pieces(value: Any, levels: int) -> Iterator[str]:
    """Yield the JSON of a value in pieces, with so many levels of the objects and lists in it."""
    if not isinstance(value, (dict, list)):
        yield _ENCODE(value[:_VALUE] if isinstance(value, str) else value)
    elif levels:
        is_object = isinstance(value, dict)
        yield "{" if is_object else "["
        for at, each in enumerate(value):
            yield (", " if at else "") + (f"{_ENCODE(each)}: " if is_object else "")
            yield from _pieces(value[each] if is_object else each, levels - 1)
        yield "}" if is_object else "]"
