"""The filter for a document on standard input, and the action for panflute."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from ..core.options import InvalidOption
from ..program import INTERRUPTED, fault
from ..streams import has_terminal, open_streams, read_input, tell, unwritten, write_output
from .check import NAME, resolve
from .document import PandocError, may_matter, rewrite
from .environment import is_verbose
from .options import options_of, origins
from .reader import Reader
from .walk import Linker

if TYPE_CHECKING:
    import panflute

__all__ = ["action", "finalize", "main", "prepare"]

_DEPTH = 20_000  # levels of JSON; pandoc's own reader reaches its limit earlier


def main(doc: panflute.Doc | None = None) -> Any:
    """Run as a filter, which reads a document from standard input and writes it to standard output.

    If a panflute document is given, link its DOIs and return it, as ``main`` of a panflute filter
    does.

    :raises InvalidOption: if a document is given whose metadata contains a wrong option
    :raises SystemExit: if a document is given and the check fails
    """
    if doc is not None:
        prepare(doc)
        doc = doc.walk(action, doc)
        finalize(doc)
        return doc
    try:
        return _filter()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  an unforeseen error
        return fault(NAME, error)


def _filter() -> int:
    open_streams()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEPTH))
    if has_terminal(0):
        return _fail("this is a filter; run it as: pandoc --filter pandoc-doilinks")
    try:
        document = rewrite(read_input().decode(), writer="".join(sys.argv[1:2]))
    except OSError as error:
        return _fail(f"cannot read: {error.strerror or error}")
    except InvalidOption as error:
        return _fail(*error.problems)
    except UnicodeDecodeError:
        return _fail("the input is not UTF-8")
    except PandocError as error:
        return _fail(str(error))
    if is_verbose():
        tell(NAME, *origins(document.given))
    if failed := resolve(document.dois, document.options, document.silences):
        return failed
    try:
        write_output(document.text.encode())
    except OSError as error:
        return unwritten(NAME, error)
    return 0


def _fail(*problems: str) -> int:
    tell(NAME, *problems)
    return 1


def prepare(doc: panflute.Doc) -> None:
    """Read the options of a panflute document, and set ``doc.dois``.

    :raises InvalidOption: with the name of each wrong option
    """
    meta = json.loads(json.dumps(doc.metadata, default=_json))["c"]
    doc.doi_linker = Linker(options_of(meta), Reader.of(), doc.format or "")
    doc.dois = doc.doi_linker.dois


def finalize(doc: panflute.Doc) -> None:
    """Check the DOIs of a panflute document if its options ask for it.

    :raises InvalidOption: if the document's metadata contains a wrong option
    :raises SystemExit: if a DOI does not resolve and that is an error; all problems are reported
        before
    """
    if not hasattr(doc, "doi_linker"):
        prepare(doc)
    if failed := resolve(doc.dois, doc.doi_linker.options, doc.doi_linker.comments.all):
        raise SystemExit(failed)


def action(elem: panflute.Element, doc: panflute.Doc) -> panflute.Element | None:
    """A panflute action that links the DOIs of each block.

    :raises InvalidOption: if the document's metadata contains a wrong option
    """
    import panflute

    blocks = (panflute.Para, panflute.Plain, panflute.Header, panflute.LineBlock)
    if not isinstance(elem, (*blocks, panflute.DefinitionList)):
        return None
    raw = json.dumps(elem, default=_json)
    if not may_matter(raw):
        return None
    if not hasattr(doc, "doi_linker"):
        prepare(doc)
    block, linker = json.loads(raw), doc.doi_linker
    linker.changed = False
    linker.walk(block)
    if not linker.changed:
        return None
    made: panflute.Element = json.loads(json.dumps(block), object_hook=panflute.elements.from_json)
    return made


def _json(element: Any) -> Any:
    return element.to_json()
