"""The works of the files that ``cite_bib`` names, which are cited by their keys.

BibTeX is read by pybtex, as in sphinxcontrib-bibtex, and CSL-JSON as the records of agencies are.
Entries become a :class:`Work` as a record does, so they are plain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..core.doi import DOI, InvalidDOI
from ..core.field import doi_in_field
from ..core.nameless import BibKey, WorkId
from ..core.options import Options
from ..core.printable import printable
from ..shared.project import in_messages
from ..shared.replace import read

if TYPE_CHECKING:
    from ..record.work import Work

_WEB: Final = re.compile(r"https?://[!-;=?-~]{1,2000}")  # an address that may become a link
_DELIMITER: Final = re.compile('[@{}"]')  # pybtex reads from one to the next
_MACROS: Final = 100_000  # characters that macros make at most in a file, or ten times its length
_COMMAND: Final = re.compile(r"\\(?:[A-Za-z]+ ?)?|\$|(?<=\$)[_^]")  # what pybtex leaves of TeX
_TYPES: Final = {
    "article": "article-journal", "book": "book", "proceedings": "book", "booklet": "book",
    "manual": "book", "incollection": "chapter", "inbook": "chapter", "report": "report",
    "inproceedings": "paper-conference", "conference": "paper-conference", "techreport": "report",
    "phdthesis": "thesis", "mastersthesis": "thesis", "thesis": "thesis", "dataset": "dataset",
    "software": "software", "online": "webpage", "unpublished": "manuscript",
}  # fmt: skip
_FIELDS: Final = {  # of CSL, with those of BibTeX and biblatex; the first one counts
    "title": "title", "container-title": "journal journaltitle booktitle", "page": "pages",
    "volume": "volume", "issue": "number issue", "issued": "date year pubstate",
    "publisher": "publisher institution school organization howpublished", "subtitle": "subtitle",
    "version": "version",
    "collection-title": "series", "edition": "edition", "article-number": "eid",
    "publisher-place": "location address", "language": "langid language",
}  # fmt: skip
# Keys of biblatex, and languages as babel names them.
_SAID: Final = {"inpress": "in press", "inpreparation": "in preparation"} | dict(
    each.split("=")
    for each in str.split(
        "english=en american=en-US british=en-GB german=de ngerman=de french=fr spanish=es"
        " italian=it portuguese=pt brazilian=pt-BR dutch=nl polish=pl russian=ru japanese=ja"
    )
)
# What an entry does not have from that of the book or proceedings that ``crossref`` names.
_OWN: Final = frozenset({"title", "subtitle", "page"})
_PARENTS: Final = 3  # one of another; an entry may name itself


def is_unknown(doi: WorkId) -> bool:
    """Tell whether this is a key that no file has, so that the author's text stays."""
    return isinstance(doi, BibKey) and doi.address is None


class BibFiles(NamedTuple):
    """Works by their keys."""

    names: Mapping[str, WorkId] = {}  # the name that each key stands for
    records: Mapping[WorkId, Callable[[], object]] = {}
    trouble: tuple[str, ...] = ()  # messages about files and entries that cannot be read

    def work(self, doi: WorkId) -> Work | None:
        """Return a work; None if no file has it."""
        from ..record.work import Work  # few documents cite by keys

        return Work.of(self.records[doi]()) if doi in self.records else None


def bib_files_of(files: Sequence[str]) -> BibFiles:
    """Return the works of files, which are read again when they have changed."""
    return _bib_files(tuple((file, stamp_of(file)) for file in files)) if files else BibFiles()


def below(options: Options, root: Path) -> Options:
    """Resolve the files of options relative to the folder of a host's configuration."""
    return options.but(cite_bib=tuple(str(root / each) for each in options.cite_bib))


def stamp_of(file: str | Path | None) -> tuple[int, ...]:
    """Return a stamp that changes when a file does; an empty one without a file."""
    try:
        stat = Path(file).stat() if file else None
    except (OSError, ValueError):
        return ()
    return (stat.st_mtime_ns, stat.st_size, stat.st_ino) if stat else ()


@lru_cache(8)
def _bib_files(files: Sequence[tuple[str, tuple[int, ...]]]) -> BibFiles:
    names: dict[str, WorkId] = {}
    records: dict[WorkId, Callable[[], object]] = {}
    trouble: list[str] = []
    for file, _ in files:
        path = in_messages(Path(file))
        try:
            octets = read(Path(file))
            if octets is None:
                trouble.append(f"cite_bib: there is no file {path}")
                continue
            entries = _json if file.endswith(".json") else _bibtex
            for key, name, address, record in entries(octets.decode("utf-8-sig"), path, trouble):
                url = address if _WEB.fullmatch(address) else ""
                names.setdefault(key, _name(name) or BibKey(key, url))
                records.setdefault(names[key], record)
        except (OSError, ValueError, RecursionError, ImportError) as error:
            line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            trouble.append(f"{path}{line}: {printable(str(error))}")
    return BibFiles(names, records, tuple(trouble))


def _name(written: str) -> DOI | None:
    try:
        return doi_in_field(written)
    except InvalidDOI:
        return None


_Entry = tuple[str, str, str, Callable[[], object]]  # key, DOI, address, record


def _json(text: str, file: str, trouble: list[str]) -> Iterator[_Entry]:
    items = json.loads(text)
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and item.get("id"):
            key, name, address = (str(item.get(field, "")) for field in ("id", "DOI", "URL"))
            yield key, name, address, partial(dict, item)
        else:
            trouble.append(f"{file}: an item has no id")


def _bibtex(text: str, file: str, trouble: list[str]) -> Iterator[_Entry]:
    try:
        from pybtex import errors
        from pybtex.database.input import bibtex
    except ImportError as error:
        raise ImportError("to read BibTeX, pip install pybtex") from error
    parser = bibtex.Parser(person_fields=("author", "editor", "translator"))
    with errors.capture() as found:
        for kind, given in _commands(bibtex, text, parser):
            if kind.lower() not in ("string", "preamble"):
                parser.process_entry(kind, *given)
    for each in found:
        line = f":{each.lineno}" if getattr(each, "lineno", None) else ""
        trouble.append(f"{file}{line}: {printable(str(each))}")
    entries, made = parser.data.entries, dict[str, dict[str, object]]()
    for key, entry in entries.items():
        fields, record = entry.fields, partial(_record, entry, entries, made)
        yield key, fields.get("doi", ""), fields.get("url", ""), record


def _commands(bibtex: Any, text: str, parser: Any) -> Any:
    """Build a linear-time parser of pybtex, as nested strings may double with each line."""
    reader = bibtex.LowLevelParser(text, macros=parser.macros, handle_error=parser.handle_error)
    given, left = reader.substitute_macro, max(_MACROS, 10 * len(text))

    def substitute_macro(name: str) -> str:
        nonlocal left
        value: str = given(name)
        left -= len(value)
        if left < 0:
            raise ValueError("its @string macros make too long a text: write the values out")
        return value

    def skip_to(patterns: Sequence[Any]) -> Any:
        # pybtex looks for each pattern on its own, up to the end of the file.
        for found in _DELIMITER.finditer(text, reader.pos):
            if pattern := next((each for each in patterns if each.match(found[0])), None):
                value, reader.pos = text[reader.pos : found.end()], found.end()
                reader.update_lineno(value)
                return Token(value, pattern)
        return None

    from pybtex.scanner import Token

    reader.substitute_macro, reader.skip_to = substitute_macro, skip_to
    return reader


def _record(
    entry: Any, entries: Mapping[str, Any], made: dict[str, dict[str, object]]
) -> dict[str, object]:
    """Return the record of an entry, with what it has by ``crossref``; ``made`` keeps them.

    Spec: "BibTeXing" §2, and the manual of biblatex, appendix B: a title becomes that of the book.
    """
    record = _own_record(entry, made)
    for _ in range(_PARENTS):
        entry = entries.get(entry.fields.get("crossref", ""))
        if entry is None:
            break
        more = _own_record(entry, made)
        if "title" in record and "title" in more:
            more = {"container-title": more["title"]} | more
        record = {name: more[name] for name in more if name not in _OWN} | record
    return record


def _own_record(entry: Any, made: dict[str, dict[str, object]]) -> dict[str, object]:
    if entry.key not in made:
        fields, record = entry.fields, dict[str, object](type=_TYPES.get(entry.type.lower(), ""))
        for name, others in _FIELDS.items():
            if field := next((each for each in others.split() if each in fields), None):
                text = _plain(fields[field])
                record[name] = _SAID.get(text, text)
        for role, people in entry.persons.items():
            record[role.lower()] = [_person(each) for each in people]
        made[entry.key] = record
    return made[entry.key]


def _person(person: Any) -> dict[str, str]:
    family = _plain(" ".join([*person.prelast_names, *person.last_names]))
    given = _plain(" ".join([*person.first_names, *person.middle_names]))
    suffix = _plain(" ".join(person.lineage_names))
    if given or suffix:
        return {"family": family, "given": given, "suffix": suffix}
    return {"name": family, "nameType": "Organizational"}


def _plain(latex: str) -> str:
    r"""Convert TeX to plain text.

    >>> _plain(r"M{\"u}ller \emph{of} {DNA} in 5$^\circ$C -- H$_2$O"), _plain(r"\& }")
    ('Müller of DNA in 5°C – H2O', '&')
    """
    from pybtex.richtext import Text
    from pybtex.scanner import PybtexSyntaxError

    try:
        text = str(Text.from_latex(latex))
    except (PybtexSyntaxError, RecursionError):
        text = latex.replace("{", "").replace("}", "")
    return " ".join(_COMMAND.sub("", text).split())
