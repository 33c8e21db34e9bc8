"""The filter as functions for panflute, which runs one of them on each element of a document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .check import resolve
from .document import for_citations, options_of
from .entry import may_matter
from .text import Settings
from .walk import Linker

if TYPE_CHECKING:
    import panflute

__all__ = ["action", "finalize", "prepare", "run"]


def run(doc: panflute.Doc) -> panflute.Doc:
    """Link the DOIs of a panflute document, and check them if its options ask for it.

    :raises InvalidOption: if the document's metadata contains a wrong option
    :raises SystemExit: if the check fails
    """
    prepare(doc)
    doc = doc.walk(action, doc)
    finalize(doc)
    return doc


def prepare(doc: panflute.Doc) -> None:
    """Read the options of a panflute document, and set ``doc.dois``.

    :raises InvalidOption: with the name of each wrong option
    """
    meta = json.loads(json.dumps(doc.metadata, default=_json))["c"]
    options = options_of(meta)
    cited = for_citations(options, meta)
    doc.doi_linker = Linker(options, Settings.of(), doc.format or "", cited)
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
