"""The corpus of hostile names and surroundings, and the documents made of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..tools.proof import COMBINATIONS

ALL = COMBINATIONS  # of names and places
_FOLDER = Path(__file__).parent
_ESCAPE = re.compile(r"\\n|\\t|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Document(NamedTuple):
    """A document with many cases; a paragraph :func:`mark` stands before each.

    :ivar source: its text
    :ivar cases: what each case is, for a message
    """

    source: str
    cases: tuple[str, ...]


def mark(number: int) -> str:
    """The word that stands alone before a case."""
    return f"CASE{number}HERE"


def entries(file: str) -> list[str]:
    """The entries of one file of the corpus, decoded; the README beside it says how."""
    found = []
    for line in (_FOLDER / file).read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("// "):
            shown = re.sub(r"/([^/]+)\*(\d+)$", lambda some: "/" + some[1] * int(some[2]), line)
            found.append(_ESCAPE.sub(lambda escape: _decode(escape[0]), shown))
    return found


def _decode(escape: str) -> str:
    return {"\\n": "\n", "\\t": "\t"}.get(escape) or chr(int(escape[2:], base=16))  # noqa: FURB166


def names(*, in_files: bool = True) -> list[str]:
    """The hostile names; ``in_files`` leaves out what no file can hold."""
    return [name for name in entries("names.txt") if not (in_files and _SURROGATE.search(name))]


def documents(
    reads: str, *, every: int = 1, first: int = 0, in_files: bool = True, but: str = ""
) -> Iterator[Document]:
    """A document for each name, which stands in it in every place, and one for each surrounding.

    :param reads: ``md`` or ``rst``
    :param every: of the combinations of a name and a place take one in so many
    :param first: the one to begin with
    :param but: leave out names that match this regular expression
    """
    places = entries(f"places.{reads}.txt")
    for nth, name in enumerate(names(in_files=in_files)):
        if not (but and re.search(but, name)):
            some = [each for at, each in enumerate(places) if (at + nth) % every == first % every]
            # docutils fails on a substitution within a substitution that is not there. Sphinx takes
            # a parsed literal in which nothing is markup for code, and highlights it.
            odd = "replace::|parsed-literal::" if re.search("[|`]", name) else "(?!)"
            some = [each for each in some if not re.search(odd, each)]
            yield _document(name, some, reads)
    for source in entries(f"surroundings.{reads}.txt"):
        if not (in_files and _SURROGATE.search(source)):
            yield Document(f"{mark(0)}\n\n{source}\n\n{mark(1)}\n", (source, "the end"))


def _document(name: str, places: list[str], reads: str) -> Document:
    front = _front(name) if reads == "md" else None
    return document([(name, place) for place in places], name, front)


def document(cases: Iterable[tuple[str, str]], title: str, front: str | None = None) -> Document:
    """A document with a name in a place for each case.

    :param title: what the cases have in common, for a message
    """
    parts, shown = [] if front is None else [front], []
    for number, (name, place) in enumerate(cases):
        # Labels of footnotes and references are of one case alone.
        parts += [mark(number), place.replace("@@", str(number)).replace("{}", name)]
        shown.append(f"{name!r:.200} in {place!r}")
    source = "\n\n".join([*parts, mark(len(shown)), ""])
    return Document(source, (*shown, f"{title!r:.200} after all places"))


def _front(name: str) -> str:
    """Front matter with the name; a string of JSON is one of YAML."""
    value = json.dumps("".join(sign for sign in name if sign.isprintable() or sign.isspace()))
    keys = ("title", "description", "doi", "author")
    fields = [f"{key}: {value}" for key in keys]
    myst = (
        f"{{html_meta: {{description: {value}}}, substitutions: {{title: {value}, doi: {value}}}}}"
    )
    return "\n".join(["---", *fields, f"myst: {myst}", "---"])
