"""What a reader sees of raw records, beside what pandoc makes of the plainest conversion of them.

    python benchmarks/records.py ROWS.jsonl ... [--show FIELD]

Each row has an answer of Crossref, of DataCite or of content negotiation as ``record``. The plainest
conversion to CSL-JSON copies its fields and cleans nothing. Pandoc's citeproc formats that in the
style ``apa``, and our list is the plain style. A field differs if one of both shows what the other
does not. Then our CSL-JSON is compared with the conversion. A difference that is on purpose counts
below its reason (``ON_PURPOSE``); ``--show`` prints the others of a field.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unicodedata import combining, normalize

from pypandoc import get_pandoc_path

from doilinks import DOI, InvalidDOI
from doilinks.cite.style import names as styles
from doilinks.record.export import csl_of
from doilinks.record.kinds import csl_type
from doilinks.record.words import reference
from doilinks.record.work import fields_of
from doilinks.works import Work

Item = dict[str, Any]
FIELDS = ("people", "year", "title", "container", "volume", "issue", "pages")
_COPIED = str.split(
    "author editor translator volume issue page issued publisher language edition DOI"
)

_AT_ONCE = 50
_NAMED = str.split("family given suffix literal dropping-particle non-dropping-particle")


def plainest(record: Mapping[str, Any]) -> Item:
    """Convert a record to CSL-JSON as a script of ten lines does."""
    fields = fields_of(record)
    item: Item = {name: fields[name] for name in _COPIED if fields.get(name)}
    if "titles" in fields or "doi" in fields:  # DataCite
        container, types = fields.get("container") or {}, fields.get("types") or {}
        publisher = fields.get("publisher")
        first, last = container.get("firstPage"), container.get("lastPage")
        item |= {
            "type": types.get("citeproc") or "document",
            "title": _title(fields.get("titles")),
            "author": [
                {"family": each["familyName"], "given": each.get("givenName") or ""}
                if each.get("familyName")
                else {"literal": each.get("name") or ""}
                for each in fields.get("creators") or ()
            ],
            "container-title": container.get("title"),
            "volume": container.get("volume"),
            "issue": container.get("issue"),
            "page": f"{first}-{last}" if first and last else first,
            "issued": {"date-parts": [[int(fields.get("publicationYear") or 0)]]},
            "publisher": publisher.get("name") if isinstance(publisher, dict) else publisher,
            "DOI": fields.get("doi"),
        }
    else:
        title, subtitle, container = (
            _first(fields.get(name)) for name in ("title", "subtitle", "container-title")
        )
        item |= {
            "type": csl_type(str(fields.get("type"))),
            "title": f"{title}: {subtitle}" if subtitle else title,
            "container-title": container,
            "number": fields.get("article-number"),
            "edition": fields.get("edition-number"),
            "publisher-place": fields.get("publisher-location"),
        }
        for role in ("author", "editor", "translator"):
            item[role] = [
                {"literal": each["name"]} if "name" in each else each
                for each in item.get(role) or ()
            ]
    dates = item.get("issued") if isinstance(item.get("issued"), dict) else {}
    parts = [int(each) for each in (dates.get("date-parts") or [[]])[0] if each]
    item["issued"] = {"date-parts": [parts]} if parts else None
    for role in ("author", "editor", "translator"):  # citeproc reads no other members
        people = [each for each in item.get(role) or () if isinstance(each, dict)]
        item[role] = [{name: each[name] for name in _NAMED if each.get(name)} for each in people]
    return {
        name: value if isinstance(value, list | dict) else str(value)
        for name, value in item.items()
        if value
    }


def _title(titles: Any) -> Any:
    titles = titles if isinstance(titles, list) else [titles]
    return next((each.get("title") for each in titles if isinstance(each, dict)), None)


def _first(value: Any) -> str:
    return (value[0] if value else "") if isinstance(value, list) else value or ""


def in_style(items: Mapping[str, Item]) -> dict[str, str]:
    """Format items in the style ``apa``: the text of each entry.

    Of many in one call, citeproc would tell those of one year apart, and takes long.
    """
    keys = [*items]
    groups = [keys[at : at + _AT_ONCE] for at in range(0, len(keys), _AT_ONCE)]
    texts = (_entries({key: items[key] for key in group}) for group in groups)
    return {key: text for each in texts for key, text in each.items()}


def _entries(items: Mapping[str, Item]) -> dict[str, str]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "items.json")
        path.write_text(json.dumps([{**item, "id": key} for key, item in items.items()]))
        page = subprocess.run(
            [get_pandoc_path(), "-f", "markdown", "-t", "html", "--wrap=none", "--citeproc", f"--csl={styles()['apa']}",
             f"--bibliography={path}"],
            input='---\nnocite: "[@*]"\n---\n', stdout=subprocess.PIPE, text=True, check=True,
        ).stdout  # fmt: skip
    entries = re.findall(r'<div id="ref-(\w+)"[^>]*>(.*?)</div>', page, re.DOTALL)
    return {key: " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split()) for key, text in entries}


def letters(text: object) -> str:
    """Fold a text to its letters and digits, so that typography and markup do not count."""
    plain = re.sub(r"</?[a-zA-Z][^<>]*>", "", unescape(unescape(str(text or ""))))
    folded = normalize("NFKD", plain.casefold())
    return "".join(each for each in folded if each.isalnum() and not combining(each))


def shown(field: str, text: str, item: Item) -> object:
    """Return what a text shows of a field of an item."""
    text = re.sub(r"(?:https?://|doi:)\S+", "", text)
    year = re.search(r"\((\d{4}|n\. ?d\.)[^()]*\)", text)
    if field == "people":
        head = text[: year.start()] if year else text
        return (
            letters(re.sub(r"\(eds?\.\)", "", head, flags=re.IGNORECASE))
            if item.get("author")
            else ""
        )
    if field == "year":
        return year[1].replace(" ", "") if year else ""
    if field in ("title", "container"):
        value = item.get("title" if field == "title" else "container-title")
        return bool(value) and letters(value)[:300] in letters(text)
    value = item.get(field) or item.get("page") or item.get("number")
    value = item.get(field) if field != "pages" else value
    dashes = str.maketrans("–—‑‐", "----")
    words = re.escape(" ".join(str(value).split()).replace("--", "-").translate(dashes))
    return bool(value) and bool(re.search(rf"(?<!\w){words}(?!\w)", text.translate(dashes)))


def _parts(item: Item) -> dict[str, object]:
    """Return the fields of CSL-JSON that are compared, folded."""
    people = [
        letters(each.get("family") or each.get("literal") or each.get("name"))
        for role in ("author", "editor", "translator")
        for each in item.get(role) or ()
    ]
    suffixes = [each.get("suffix") for each in item.get("author") or () if each.get("suffix")]
    issued = (item.get("issued") or {}).get("date-parts") or [[None]]
    return {
        "people": people,
        "suffix": suffixes,
        "year": (issued[0] or [None])[0],
        "title": letters(item.get("title")),
        "container": letters(item.get("container-title")),
        "volume": letters(item.get("volume")),
        "issue": letters(item.get("issue")),
        "pages": letters(item.get("page") or item.get("number")),
        "publisher": letters(item.get("publisher")),
        "place": letters(item.get("publisher-place")),
        "language": item.get("language"),
    }


# Differences on purpose: why, in which fields, and what is in the raw values then.
_NOTHING = (
    r"\(?:(?:un..|null|tba)|[Ss]\. ?[Nn]\.|&NA;|[Uu]nknown|Unbekannt|No Name|\"NN\"|\b0-0\b"
    r"|\b(?:null|None|n/a|n\.a\.)\b"
)
ON_PURPOSE = (
    ("is nothing", "people publisher title volume issue pages", _NOTHING),
    ("several, years or a place in a name", "people", r"literal[^\[\]]*(?:;|\(|\d{4})"),
    ("a name in its parts", "people", r"literal\": \"[^\"]+, "),
    ("two capitals are two initials", "people", r"given\": \"(?:[^\"]* )?[A-Z]{2}[\" ]"),
    ("a small letter after a hyphen", "people", r"given\": \"[^\"]*-\s?[a-z]"),
    ("after the twentieth person", "people", "(?:family.*){21}"),
    ("who handled an article", "people", r"journal\|.*editor"),
    ("of print, where there is a volume", "year", "print"),
    ("approved", "year", "approved"),
    ("of another era", "year", r"\b2[45]\d\d\b"),
    ("of another field", "year", "dates"),
    ("the book before its series", "container", r"\", \"|(?:book|monograph)\|"),
    ("escaped twice", "container", "&amp;"),
    ("the server of a preprint", "publisher", "posted|preprint|article"),
    ("the subtitle, or a cut", "title", "Subtitle|AlternativeTitle|TranslatedTitle|.{600}"),
    ("as BCP 47 has it", "language", "."),
    ("a number that is no page", "pages", "AID"),
    ("begins and ends on one page", "pages", r"^(\S+)[-–]\1 "),
    ("a number for none yet", "volume issue pages", r"^0+\b|ahead|press"),
)


def on_purpose(field: str, record: Mapping[str, Any], item: Item) -> str:
    """Return why a field differs on purpose; ``""`` if it should not."""
    fields = fields_of(record)
    people = {role: item[role] for role in ("author", "editor", "translator") if role in item}
    dates = fields.get("published-print") and fields.get("volume") and "print"
    raw = {
        "people": f"{item.get('type')}|{json.dumps(people, ensure_ascii=False)}",
        "year": f"{dates} {'approved' in fields and 'approved'} {fields.get('publicationYear')}"
        + (" dates" if fields.get("dates") else ""),
        "container": f"{fields.get('type')}|{json.dumps(fields.get('container-title'))}",
        "publisher": f"{fields.get('type')} {item.get('publisher')}",
        "title": json.dumps(fields.get("titles")),
        "pages": f"{item.get('page')} {item.get('number')}",
    }
    text = raw.get(field, str(item.get(field)))
    every = (
        why for why, names, words in ON_PURPOSE if field in names.split() and re.search(words, text)
    )
    return next(every, "")


def rows(paths: list[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Read the records of files, each with the name of its file."""
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            yield Path(path).stem, json.loads(line)["record"]


def main() -> None:
    """Print the tables of differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--show", default="")
    options = parser.parse_args()
    listed: dict[str, tuple[str, DOI, Mapping[str, Any], Item, Work]] = {}
    for at, (source, record) in enumerate(rows(options.paths)):
        work, item = Work.of(record), plainest(record)
        try:
            doi = DOI.parse(str(item.get("DOI")))
        except InvalidDOI:
            continue
        if work.is_known:
            listed[str(at)] = source, doi, record, item, work
    entries = in_style({key: row[3] for key, row in listed.items()})
    tables: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for key, (source, doi, record, item, work) in listed.items():
        ours = "".join(run.text for run in reference(doi, work))
        csl, plain = _parts(csl_of(doi, work)), _parts(item)
        beside = {("list", f): (shown(f, ours, item), shown(f, entries[key], item)) for f in FIELDS}
        beside |= {("csl", f): (csl[f], plain[f]) for f in plain}
        for (kind, field), (mine, other) in beside.items():
            why = "same" if mine == other else on_purpose(field, record, item) or "differ"
            tables[f"{source} {kind}", field][why] += 1
            if why == "differ" and options.show in (f"{kind}:{field}", "all"):
                print(
                    f"{source} {kind}:{field} {doi.name}\n  ours  {mine} | {ours}\n  other {other} | {entries[key]}"
                )
    for (source, field), counts in tables.items():
        same = counts.pop("same", 0)
        total = same + sum(counts.values())
        others = ", ".join(f"{why} {number}" for why, number in counts.most_common())
        print(f"{source:15} {field:10} {same:5} of {total:5}  {others}")


if __name__ == "__main__":
    main()
