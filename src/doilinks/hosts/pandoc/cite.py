"""Shows works in a document: titles on hover, and citations such as ``[@doi:10.1000/182]``.

Pandoc reads citations itself, and its citeproc formats them. So the filter only adds the records to
``references`` of the metadata, as an author may write them there. All text of a record becomes
plain words, which each writer escapes.

Spec: the pandoc manual, "Citations" and "Bibliographic data".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from operator import is_not
from pathlib import Path
from typing import Any, Final

from ...cite.references import anchor_of
from ...core.doi import DOI, PROXY, InvalidDOI
from ...core.nameless import WorkId
from ...core.options import InvalidOption, Options
from ...lock.known_works import KnownWorks
from ...record.export import csl_beside_state
from ...record.words import no_formula, state_of, told_in_text
from ...record.work import Work
from .check import distrusted_lockfile
from .text import Node, all_text, string, words

# Formats whose readers see the title of a link on hover; pandoc tells filters no extensions.
_HTML: Final = re.compile("(?:chunked)?html[45]?|epub[23]?|revealjs|s5|slid(?:y|eous)|dzslides")

_ENTRY: Final = "#ref-"  # with which the target of a link to an entry of citeproc begins
_KEY: Final = re.compile("doi:10[./]", re.IGNORECASE)
# Pandoc ends a key before a parenthesis and before two punctuation characters, of which ``smart``
# makes one of two hyphens. Braces and brackets after a key contain a locator.
_GLUED: Final = re.compile(r"[(</_]|::|–[^\W_]")
_LONGEST: Final = 20  # characters
_SPACE: Final[Node] = {"t": "Space"}
_SEMICOLON: Final[list[Node]] = [{"t": "Str", "c": ";"}, _SPACE]
# Citeproc reads numbers after a semicolon as part of the locator before it, unless something that
# is not text is between them. This one is invisible.
_END_OF_LOCATOR: Final[Node] = {"t": "RawInline", "c": ["markdown", ""]}
_REFERENCES: Final = "references"
_LATE: Final = (
    "citeproc has run before this filter, which gives it the works: "
    "write --filter pandoc-doilinks before --citeproc"
)
_OTHERS: Final = "other-ids"
# Of these fields, citeproc keeps the markup; of people and pages, it keeps the text only.
_KEEPS_MARKUP: Final = frozenset({"title", "container-title", "publisher", "volume"})
_NO_TEXT: Final = frozenset({"id", _OTHERS, "DOI", "URL"})
_APOSTROPHE: Final = re.compile(r"(?<=\w)'")  # a straight one in a word
_PAIR: Final = re.compile(r'(\A|[\s(])"(?=\S)([^"]{1,400})(?<=\S)"(?!\w)')
_JOINER: Final = "\N{WORD JOINER}"


class Works:
    """The works of one document."""

    def __init__(self, options: Options, meta: Mapping[str, Any], writer: str = "") -> None:
        if distrust := distrusted_lockfile(options):
            raise InvalidOption([distrust])
        # A document names no file to be read.
        self._unread = [
            f"{options.spelled(name)} has no effect in Pandoc: use its {own}"
            for name, own in (("cite_style", "csl"), ("cite_bib", "bibliography"))
            if getattr(options, name)
        ]
        self._options = options = options.but(cite_bib=())
        self._is_html = _HTML.fullmatch(writer) is not None
        self._hovers = options.hovers and self._is_html
        # EPUB wants ids of letters, digits and hyphens, of which citeproc makes those of entries.
        # Other formats keep the keys, with which Quarto finds the entry of a citation.
        self._is_epub = writer.startswith("epub")
        self._known_works = KnownWorks.of(options, Path(), _text_in(meta.get("lang", {})))
        self._asked = False
        given = meta.get(_REFERENCES, {})
        self._own = given["c"] if given.get("t") == "MetaList" else []
        # The ids of records that an author, or another run of the filter, has written stay.
        own = [
            [_text_in(each["c"].get("id", {})), *_text_in(each["c"].get(_OTHERS, {})).split()]
            for each in self._own
            if each["t"] == "MetaMap"
        ]
        self._taken = {key for keys in own for key in keys}
        # The names for which this run or another one has given records ids.
        named = ((key, _name_of(others[0])) for key, *others in own if others)
        self._renamed = {key: doi for key, doi in named if doi}
        # The works that are cited, each with its keys, in order.
        self._works: dict[WorkId, tuple[Work, dict[str, None]]] = {}
        self._unknown: list[DOI] = []
        self._is_late = False  # whether citeproc has run before
        self._cut: dict[str, str] = {}  # keys that pandoc may have cut, and what follows them
        self.unplaced: list[DOI] = []

    # ----------------------------------------------------------------------------------------------
    # Hover.

    def on_hover(self, doi: DOI) -> tuple[str, tuple[str, ...]]:
        """Return the title and classes of a link to a name; nothing for an unknown work."""
        if not self._hovers:
            return "", ()
        self._asked = True
        return self._known_works.on_hover(doi) or ("", ())

    def on_entries(self, value: Any) -> bool:
        """Show works on hover over the links of a citation that lead to entries of citeproc."""
        changed = False
        if isinstance(value, dict) and value.get("t") == "Link":
            (identifier, classes, others), content, (target, title) = value["c"]
            _, is_entry, name = target.partition(_ENTRY)
            doi = self._name_of(name) if is_entry else None
            title_text, states = self.on_hover(doi) if doi else ("", ())
            if title_text and not title:
                classes = list(dict.fromkeys([*classes, *states]))
                value["c"] = [[identifier, classes, others], content, [target, title_text]]
                changed = True
        elif isinstance(value, (dict, list)):
            for each in value.values() if isinstance(value, dict) else value:
                changed |= self.on_entries(each)
        return changed

    # ----------------------------------------------------------------------------------------------
    # Citations.

    def names(self, cite: Node) -> list[DOI]:
        """Return the names in a citation."""
        if not self._options.cites:
            return []
        every = [self._name_of(each["citationId"]) for each in cite["c"][0]]
        return [doi for doi in every if doi and not self._options.ignores(doi)]

    def links(self, cite: Node) -> Iterator[Node]:
        """Yield the links around the keys of a citation, such as those of unknown works."""
        for each in cite["c"][0]:
            for inline in each["citationPrefix"] + each["citationSuffix"]:
                if inline["t"] == "Link":
                    yield inline

    def _name_of(self, key: str) -> DOI | None:
        return self._renamed.get(key) or _name_of(key)

    def take(self, value: Any, *, is_block: bool = True) -> bool:
        """Take the citations in a block or in metadata: those of unknown works become links.

        Return whether any did. The walk of the document lists the names in a block.
        """
        return self._options.cites and self._take(value, is_block=is_block, is_linked=False)

    def _take(self, value: Any, *, is_block: bool, is_linked: bool) -> bool:
        changed = False
        if isinstance(value, dict):
            is_linked |= value.get("t") in ("Link", "Image")  # which contains no other link
            if value.get("t") == "Cite" and (is_linked or not is_block):
                self.unplaced += self.names(value)
            for each in value.values():
                changed |= self._take(each, is_block=is_block, is_linked=is_linked)
        elif isinstance(value, list):
            for each in value:
                if isinstance(each, (dict, list)):
                    changed |= self._take(each, is_block=is_block, is_linked=is_linked)
            if any(isinstance(each, dict) and each.get("t") == "Cite" for each in value):
                nodes: list[Node] = []
                for node, after in zip_longest(value, value[1:], fillvalue=_SPACE):
                    show = _as_text if is_linked else _link
                    nodes += self._cited(node, after, show) if node["t"] == "Cite" else [node]
                changed |= len(nodes) != len(value) or any(map(is_not, nodes, value))
                value[:] = nodes
        return changed

    def _cited(self, cite: Node, after: Node, show: Callable[[DOI], Node]) -> list[Node]:
        """Split a citation: known works go to citeproc, unknown ones become links."""
        to_citeproc: list[Node] = []
        in_text: list[Node] = []
        status: list[Node] = []
        others: list[list[Node]] = []  # before the first work that is known
        citations, written = cite["c"]
        is_source = "@" in all_text(written)  # and not what citeproc has made of it
        for citation in citations:
            key, tail = citation["citationId"], citation["citationSuffix"]
            is_in_text = citation["citationMode"]["t"] == "AuthorInText"
            doi = _name_of(key)
            work = self._listed(doi, key) if doi else None
            self._is_late |= work is not None and not is_source
            following = (tail or [after if is_in_text else _SPACE])[0]
            if self._is_cut(key, doi, following) and not work:
                return list(written)
            before = citation["citationPrefix"]
            if work or doi is None or key in self._taken:
                prefix = [*_joined(others, _SEMICOLON), *_SEMICOLON, *before] if others else before
                suffix = [*tail]
                state = words(told_in_text(work, self._known_works.language)) if work else []
                # Another run of the filter may have written this already.
                if not all_text(tail).endswith(all_text(state)):
                    # In a sentence a style may show nothing else, as MLA does.
                    is_named = citation["citationMode"]["t"] != "NormalCitation"
                    if is_named and len(citations) == 1:
                        status = [_SPACE, string("["), *state[2:], string("]")]
                    else:
                        suffix += state
                to_citeproc.append({**citation, "citationPrefix": prefix, "citationSuffix": suffix})
                if work and doi and self._is_epub:
                    to_citeproc[-1]["citationId"] = name = anchor_of(self._known_works.same(doi))
                    self._renamed[name] = doi
                others = []
                continue
            self._unknown.append(doi)
            if is_in_text:
                comma = [string(","), _SPACE] if tail else []
                in_text = [show(doi), *comma, *tail]
                continue
            other = [*before, *([_SPACE] if before else []), show(doi), *tail]
            if to_citeproc:
                to_citeproc[-1]["citationSuffix"] += [string(";"), _END_OF_LOCATOR, _SPACE, *other]
            else:
                others.append(other)
        if len(to_citeproc) == len(citations):
            if to_citeproc == citations:
                return [cite, *status]
            # Formats without citations show what is written.
            named = [
                {**citation, "citationSuffix": each["citationSuffix"]}
                for citation, each in zip(citations, to_citeproc, strict=True)
            ]
            written = written if named == citations else _as_written(named)
            return [{"t": "Cite", "c": [to_citeproc, written]}, *status]
        parts = [in_text] if in_text else []
        if to_citeproc:
            parts.append([{"t": "Cite", "c": [to_citeproc, _as_written(to_citeproc)]}])
        elif others:
            parts.append([string("("), *_joined(others, _SEMICOLON), string(")")])
        return _joined(parts, [_SPACE])

    def _listed(self, doi: DOI, key: str) -> Work | None:
        """List the work of a name and return it; return None if it is not known."""
        if key in self._taken:
            return None
        self._asked, work = True, self._known_works.work(doi)
        if work:
            self._works.setdefault(self._known_works.same(doi), (work, {}))[1][key] = None
        return work

    def _is_cut(self, key: str, doi: DOI | None, after: Node) -> bool:
        """Tell whether pandoc may have ended a key too early, and keep the key for a remark."""
        if key in self._taken or not _KEY.match(key):
            return False
        text = after["c"] if after["t"] == "Str" else ""
        if doi is not None and not _GLUED.match(text):
            return False
        self._cut[key] = text
        return True

    def add_references(self, meta: dict[str, Any]) -> bool:
        """Add the records of the works that are cited to the metadata, beside the author's own."""
        if not self._works:
            return False
        records = []
        for doi, (work, keys) in self._works.items():
            state = state_of(work, self._known_works.language)
            record = _record(doi, work, keys, state, has_id=self._is_epub)
            records.append(_value(record, is_html=self._is_html))
        meta[_REFERENCES] = {"t": "MetaList", "c": [*self._own, *records]}
        return True

    @property
    def remarks(self) -> list[str]:
        """The remarks for the author, each once."""
        if self._asked and self._known_works.trouble:
            # A check says so too.
            return [f"warning: {self._known_works.trouble}"] if self._options.check == "off" else []
        found = [message for _, message in self._known_works.unknown(self._unknown)]
        found += [
            f"pandoc ends the citation @{key} before {rest[:_LONGEST]!r}: if "
            "the name goes on, write it in braces, @{doi:…}"
            for key, rest in self._cut.items()
        ]
        late = [_LATE] if self._is_late else []
        return [f"warning: {message} [doi-cite]" for message in (*self._unread, *late, *found)]


def _name_of(key: str) -> DOI | None:
    try:
        return DOI.parse(key) if _KEY.match(key) else None
    except InvalidDOI:
        return None


def _text_in(value: Mapping[str, Any]) -> str:
    text = value.get("c", "")
    return all_text(text) if isinstance(text, list) else str(text)


def _record(
    doi: WorkId, work: Work, keys: Iterable[str], state: str, *, has_id: bool
) -> dict[str, Any]:
    """Build the record of a work for citeproc, which knows it by all keys."""
    key, *others = [anchor_of(doi), *keys] if has_id else keys
    # Citeproc makes a link of the field DOI and does not encode it. Styles would print an address
    # beside it.
    item = csl_beside_state(doi, work) | {"id": key, "DOI": doi.url.removeprefix(PROXY)}
    del item["URL"]
    if state:
        item["title"] = f"{state}: {item['title']}"
    return item | ({_OTHERS: " ".join(others)} if others else {})


def _as_text(doi: DOI) -> Node:
    return string(doi.uri)


def _link(doi: DOI) -> Node:
    """Build a link as an author may write it; the filter makes it as the options say."""
    return {"t": "Link", "c": [["", [], []], [_as_text(doi)], [doi.url, ""]]}


def _as_written(citations: Iterable[Node]) -> list[Node]:
    """Return citations as pandoc shows them without citeproc."""
    shown = []
    for each in citations:
        prefix = [*each["citationPrefix"], _SPACE] if each["citationPrefix"] else []
        hyphen = "-" if each["citationMode"]["t"] == "SuppressAuthor" else ""
        key = string(f"{hyphen}@{each['citationId']}")
        shown.append([*prefix, key, *each["citationSuffix"]])
    return [string("["), *_joined(shown, _SEMICOLON), string("]")]


def _joined(parts: Sequence[Sequence[Node]], between: Sequence[Node]) -> list[Node]:
    joined: list[Node] = []
    for part in parts:
        joined += [*(between if joined else ()), *part]
    return joined


def _value(value: Any, field: str = "", *, is_html: bool) -> dict[str, Any]:
    """Return a value of CSL-JSON as metadata. Text is words, so that no markup in it acts.

    MathJax reads no formula in it either: a class says so, or, where citeproc keeps no class, an
    invisible character after a backslash, without which no command begins.
    """
    if isinstance(value, dict):
        made = {key: _value(each, key, is_html=is_html) for key, each in value.items()}
        return {"t": "MetaMap", "c": made}
    if isinstance(value, list):
        return {"t": "MetaList", "c": [_value(each, field, is_html=is_html) for each in value]}
    text = str(value)
    classes = no_formula(text) if is_html and field not in _NO_TEXT else ()
    if classes and field not in _KEEPS_MARKUP:
        text = text.replace("\\", f"\\{_JOINER}")
    if field not in _NO_TEXT:  # as pandoc's extension smart reads what an author writes
        text = _PAIR.sub(r"\1“\2”", _APOSTROPHE.sub("’", text))
    inlines = words(text)
    if classes and field in _KEEPS_MARKUP:
        inlines = [{"t": "Span", "c": [["", [*classes], []], inlines]}]
    return {"t": "MetaInlines", "c": inlines}
