"""A document in pandoc's JSON, rewritten block by block.

To build the whole tree takes more time than pandoc itself. So this module decodes one top-level
block after another. Only a block that may contain a DOI is walked and written again. All other
blocks stay as they are, byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ..core.found import Found
from ..core.options import Options
from ..core.silence import MARK, Silence
from .hints import may_act, may_matter
from .idle import NEWEST, OLDEST
from .options import for_citations, options_of, set_in
from .reader import Reader
from .walk import Linker

__all__ = ["Document", "PandocError", "rewrite"]

_VERSION: Final = re.compile(r'"pandoc-api-version"\s*:\s*\[\s*([0-9]+)\s*,\s*([0-9]+)\s*[,\]]')

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODE: Final = json.JSONDecoder().raw_decode


class _Block(NamedTuple):
    start: int
    end: int
    node: Any


class PandocError(ValueError):
    """The input is not a document of a version of pandoc that this filter knows."""


class Document(NamedTuple):
    """A rewritten document.

    :ivar text: its JSON; if nothing has changed, exactly the text that was given
    :ivar dois: its DOIs, in order
    :ivar options: the options in its metadata
    :ivar silences: its comments that silence names
    :ivar given: the options that its metadata set
    """

    text: str
    dois: list[Found]
    options: Options
    silences: tuple[Silence, ...] = ()
    given: frozenset[str] = frozenset()


def rewrite(text: str, reader: Reader | None = None, writer: str = "") -> Document:
    """Link the DOIs of a document.

    :param text: the document as ``pandoc -t json`` writes it
    :param reader: the spellings that pandoc's reader has changed; by default read from the
        environment
    :param writer: the output format, which pandoc tells its filters
    :raises PandocError: if the text is not such a document
    :raises InvalidOption: if the metadata contains a wrong option
    """
    _check_version(text)
    if not may_act(text):
        return Document(text, [], options_of({}))
    try:
        meta, candidates = _read(text)
        options = options_of(meta)
        cited = for_citations(options, meta)
        linker = Linker(options, reader or Reader.of(), writer, cited)
        parts: list[str] = []
        at = 0
        for start, end, block in candidates:
            linker.changed = False
            linker.walk(block)
            if linker.changed:
                parts += text[at:start], json.dumps(block, separators=(",", ":"))
                at = end
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise PandocError(f"the JSON is not pandoc's ({type(error).__name__})") from error
    except RecursionError:
        raise PandocError("the document is nested too deeply") from None
    return Document(
        "".join((*parts, text[at:])) if parts else text,
        linker.dois,
        options,
        tuple(linker.comments.all),
        set_in(meta),
    )


def _check_version(text: str) -> None:
    head = text.lstrip(" \t\r\n")[:1]
    found = _VERSION.search(text)
    if head != "{" or found is None or text.rstrip(" \t\r\n")[-1:] != "}":
        raise PandocError("the input is not a whole document in pandoc's JSON")
    version = (int(found[1][:9]), int(found[2][:9]))
    if not OLDEST <= version <= NEWEST:
        known = " to ".join(".".join(map(str, each)) for each in (OLDEST, NEWEST))
        raise PandocError(
            f"pandoc-api-version {version[0]}.{version[1]} is not known (known: {known})"
        )


def _read(text: str) -> tuple[Mapping[str, Any], list[_Block]]:
    """The metadata, and the blocks that may contain a DOI."""
    meta: Mapping[str, Any] = {}
    blocks: list[_Block] = []
    try:
        at, delimiter = _delimiter(text, 0)
        while delimiter != "}":
            key, at = _value(text, at)
            at, _ = _delimiter(text, at, ":")
            if key == "blocks":
                blocks, at = _blocks(text, at)
            else:
                value, at = _value(text, at)
                meta = value if key == "meta" else meta
            at, delimiter = _delimiter(text, at, ",}")
    except ValueError as error:
        raise PandocError(f"the input is not JSON: {error}") from None
    return meta, blocks


def _blocks(text: str, at: int) -> tuple[list[_Block], int]:
    found: list[_Block] = []
    silent = MARK in text  # then it matters which block is next to which
    at, _ = _delimiter(text, at, "[")
    start = _space(text, at)
    delimiter = text[start : start + 1]
    if delimiter == "]":
        return found, start + 1
    while delimiter != "]":
        start = _space(text, at)
        block, end = _DECODE(text, start)
        if silent or may_matter(text, start, end):
            found.append(_Block(start, end, block))
        at, delimiter = _delimiter(text, end, ",]")
    return found, at


def _space(text: str, at: int) -> int:
    """The offset after the white space at an offset."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int) -> tuple[Any, int]:
    return _DECODE(text, _space(text, at))


def _delimiter(text: str, at: int, expected: str = "{") -> tuple[int, str]:
    """Read one of the expected characters; returns the offset after it, and the character."""
    at = _space(text, at)
    delimiter = text[at : at + 1]
    if not delimiter or delimiter not in expected:
        raise json.JSONDecodeError(f"Expecting one of {expected}", text, at)
    return at + 1, delimiter
