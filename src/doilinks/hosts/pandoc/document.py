"""A document in pandoc's JSON, rewritten block by block.

To build the whole tree takes more time than pandoc itself. So this module decodes one top-level
block after another. Only a block that may contain a DOI is walked and written again. All other
blocks stay as they are, byte for byte.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from ...core.found import MARK, Found, IgnoreComment
from ...core.link import may_contain_publisher
from ...core.options import ENVIRONMENT, PANDOC, SPHINX, InvalidOption, Options, strings
from ...shared.streams import tell
from . import NAME, NEWEST, OLDEST
from .check import of_environment, of_project, resolve
from .signs import may_act, may_matter
from .text import Settings, all_text
from .walk import BlockLinker

# --------------------------------------------------------------------------------------------------
# The options in a document's metadata: ``doi-`` and the name of an option.
#
# A document may come from anybody. So its metadata can neither make the person who runs pandoc wait
# for long nor choose which server is asked. The environment, which is this person's, can and wins.
#
# The field ``doi`` is the DOI of the document and not an option. A key that is not the name of an
# option may belong to a template and is ignored, unless it looks like a typing mistake. Heuristic:
# a mistake is nearly the name of an option, and its value is one that this option takes.

_PREFIXES: Final = (PANDOC.prefix, SPHINX.prefix)  # the second is a mistake here
# The highest values that a document may set, so that it can harm neither the person who runs pandoc
# nor doi.org. Heuristic: they are far higher than a real document needs.
_UNLIMITED: Final = "check_time_limit"  # for this option, 0 means no limit
LIMITS: Final = {
    "check_max_age": 3650, "check_timeout": 60, "check_retries": 10, "check_concurrency": 16,
    "check_time_limit": 3600,
}  # fmt: skip
_MOST: Final = 1000
# Heuristic: regular expressions contain these, and hardly any name does.
_EXPRESSION: Final = re.compile(r"\\|\.[*+]|\$\Z")


def options_of(metadata: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Options:
    """Read the options from pandoc's ``meta``, and from the environment, which wins.

    The pyproject.toml of the current folder, or of a folder above it, gives the defaults.
    """
    given = {key: value_of(value) for key, value in metadata.items() if key.startswith(_PREFIXES)}
    document = PANDOC.named(given)
    own = of_environment(environment)
    problems = PANDOC.slips(given) + ENVIRONMENT.slips(environment)
    if "ignore" in document:
        try:
            document["ignore"] = _beginnings(document["ignore"])
        except ValueError as error:
            problems.append(f"{PANDOC('ignore')}: {error}")
            del document["ignore"]
    for values, spelled in ((document, PANDOC), (own, ENVIRONMENT)):
        try:
            options = Options.read(values, spelled)
        except InvalidOption as error:
            problems += error.problems
        else:
            for name, limit in LIMITS.items() if values is document else ():
                value = getattr(options, name)
                if value > limit or (name == _UNLIMITED and not value):
                    problems.append(
                        f"{PANDOC(name)}: takes at most {limit} in a document, got {value}; more "
                        f"has to be in the environment variable {ENVIRONMENT(name)}"
                    )
    project: dict[str, object] = {}
    try:
        project = of_project()
    except InvalidOption as error:
        problems += error.problems
    if problems:
        raise InvalidOption(problems)
    shared = project.keys() - document.keys() - own.keys()
    return Options.read(project | document | own, PANDOC.beside_project(shared))


def _beginnings(value: object) -> tuple[str, ...]:
    """Return beginnings of names to ignore, as regular expressions that match only these.

    A document cannot give a regular expression, because its evaluation could take for ever.
    """
    takes = "takes beginnings of DOI names, such as 10.5555/, got"
    try:
        names = strings(value)
    except TypeError:
        raise ValueError(f"{takes} {value!r}") from None
    if len(names) > _MOST:
        raise ValueError(f"takes at most {_MOST} beginnings, got {len(names)}")
    for name in names:
        if not name.startswith(("10.", "10/")) or _EXPRESSION.search(name):
            own = f"the environment variable {ENVIRONMENT('ignore')}"
            raise ValueError(f"{takes} {name!r}; a regular expression has to be in {own}")
    return tuple(re.escape(name.removesuffix("*")) for name in names)


def value_of(value: Any) -> object:
    """Return a metadata value as the string, truth value or list that its author wrote."""
    kind, content = value["t"], value.get("c")
    if kind == "MetaList":
        return [value_of(each) for each in content]
    if kind == "MetaInlines":
        return all_text(content)
    if kind == "MetaBlocks":
        return "\n".join(all_text(block.get("c")) for block in content)
    if kind == "MetaMap":
        return {key: value_of(each) for key, each in content.items()}
    return content


# --------------------------------------------------------------------------------------------------
# The document, block by block.

_VERSION: Final = re.compile(r'"pandoc-api-version"\s*:\s*\[\s*([0-9]+)\s*,\s*([0-9]+)\s*[,\]]')

_SPACE: Final = re.compile(r"[ \t\r\n]*")  # of JSON
_DECODE: Final = json.JSONDecoder().raw_decode


class _RawBlock(NamedTuple):
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
    :ivar remarks: warnings about works that it cites
    """

    text: str
    dois: list[Found]
    options: Options
    silences: tuple[IgnoreComment, ...] = ()
    remarks: Sequence[str] = ()


def rewrite(text: str, reader: Settings | None = None, writer: str = "") -> Document:
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
        options = options_of({})
        if not (options.arxiv or may_contain_publisher(text, options)):
            return Document(text, [], options)
    try:
        head, candidates = _read(text)
        meta = head.node
        linker = _linker_of(meta, reader or Settings.of(), writer)
        works = linker.works
        if "bibliography" in meta or "references" in meta:
            linker.typed = None
        changes: list[_RawBlock] = []
        has_cited = works is not None and works.take(meta, is_block=False)
        for start, end, block in candidates:
            if linker.rewrite(block):
                changes.append(_RawBlock(start, end, block))
        if works and (works.add_references(meta) or has_cited):
            changes = sorted([head, *changes], key=lambda change: change.start)
        parts: list[str] = []
        at = 0
        for start, end, node in changes:
            parts += text[at:start], json.dumps(node, separators=(",", ":"))
            at = end
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise PandocError(f"the JSON is not pandoc's ({type(error).__name__})") from error
    except RecursionError:
        raise PandocError("the document is nested too deeply") from None
    typed = linker.typed
    return Document(
        "".join((*parts, text[at:])) if parts else text,
        linker.dois + [Found(doi, form="cite") for doi in (works.unplaced if works else ())],
        linker.options,
        tuple(linker.comments.all),
        [*(works.remarks if works else ()), *([f"warning: {typed}"] if typed else ())],
    )


def _linker_of(meta: Mapping[str, Any], reader: Settings, writer: str) -> BlockLinker:
    options, works = options_of(meta), None
    if options.cites or options.hovers:
        from .cite import Works  # most documents show nothing of works

        works = Works(options, meta, writer)
    # The text of citeproc's entries and notes has the form that a citation style prescribes, so it
    # stays, unless ``urls`` is set.
    is_set = "urls" in PANDOC.named(meta) or "urls" in of_environment()
    cited = options if is_set else options.but(urls="target", display="source")
    return BlockLinker(options, reader, writer, cited, works)


def _check_version(text: str) -> None:
    head = text.lstrip(" \t\r\n")[:1]
    found = _VERSION.search(text)
    if head != "{" or found is None or text.rstrip(" \t\r\n")[-1:] != "}":
        raise PandocError("the input is not a whole document in pandoc's JSON")
    version = (int(found[1][:9]), int(found[2][:9]))
    if not OLDEST <= version <= NEWEST:
        own, *known = (".".join(map(str, each)) for each in (version, OLDEST, NEWEST))
        message = f"pandoc-api-version {own} is not known (known: {' to '.join(known)})"
        raise PandocError(message)


def _read(text: str) -> tuple[_RawBlock, list[_RawBlock]]:
    """Read the metadata, and the blocks that may contain a DOI."""
    meta = _RawBlock(0, 0, {})
    blocks: list[_RawBlock] = []
    try:
        at, delimiter = _delimiter(text, 0)
        while delimiter != "}":
            key, at = _DECODE(text, _space(text, at))
            at, _ = _delimiter(text, at, ":")
            if key == "blocks":
                blocks, at = _blocks(text, at, options_of(meta.node))
            else:
                start = _space(text, at)
                value, at = _DECODE(text, start)
                meta = _RawBlock(start, at, value) if key == "meta" else meta
            at, delimiter = _delimiter(text, at, ",}")
    except InvalidOption:
        raise
    except ValueError as error:
        raise PandocError(f"the input is not JSON: {error}") from None
    return meta, blocks


def _blocks(text: str, at: int, options: Options) -> tuple[list[_RawBlock], int]:
    blocks: list[_RawBlock] = []
    # With a comment, it matters which block is next to which.
    every = MARK in text or may_contain_publisher(text, options)
    at, _ = _delimiter(text, at, "[")
    start = _space(text, at)
    delimiter = text[start : start + 1]
    if delimiter == "]":
        return blocks, start + 1
    while delimiter != "]":
        start = _space(text, at)
        block, end = _DECODE(text, start)
        if every or may_matter(text, start, end, arxiv=options.arxiv):
            blocks.append(_RawBlock(start, end, block))
        at, delimiter = _delimiter(text, end, ",]")
    return blocks, at


def _space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _delimiter(text: str, at: int, expected: str = "{") -> tuple[int, str]:
    """Read one of the expected characters; return the offset after it, and the character."""
    at = _space(text, at)
    delimiter = text[at : at + 1]
    if not delimiter or delimiter not in expected:
        raise json.JSONDecodeError(f"Expecting one of {expected}", text, at)
    return at + 1, delimiter


# --------------------------------------------------------------------------------------------------
# The filter for a document in which there may be something to do.

_DEPTH = 20_000  # levels of JSON; pandoc's own reader reaches its limit earlier


def run(text: str, writer: str) -> tuple[int, str]:
    """Link the DOIs of a document, and check them if asked to; the exit code, and its JSON."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEPTH))
    try:
        document = rewrite(text, writer=writer)
    except InvalidOption as error:
        tell(NAME, *error.problems)
        return 1, ""
    except PandocError as error:
        tell(NAME, str(error))
        return 1, ""
    tell(NAME, *document.remarks)
    return resolve(document.dois, document.options, document.silences), document.text
