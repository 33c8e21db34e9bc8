"""The test server's reply about a name: a right answer, or one of the faults of real servers."""

from __future__ import annotations

import gzip
import json
import string
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote, urlsplit


def read_records(records: Mapping[str, Any] | Path | str | None) -> Mapping[str, Any]:
    """Name → entry, from a mapping or a file.

    :raises ValueError: for a file that is not an object of names and entries
    """
    if records is None or isinstance(records, Mapping):
        return records or {}
    try:
        document = json.loads(Path(records).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{records}: {error}") from error
    if not isinstance(document, dict):
        raise ValueError(f"{records}: not an object of names and entries")  # noqa: TRY004
    return document


AGENCIES: Final = "/agencies/"
_CROSSREF, _DATACITE, _WHICH = "works/", "dois/", "doiRA/"
_SEARCH: Final = "works?"


def reply_about_work(path: str, records: Mapping[str, Any], seen: Mapping[str, int]) -> Reply:
    """What the agencies say, asked by one path.

    That is ``doiRA/…``, ``works/…``, ``works?query.bibliographic=…``, ``dois/…``, ``dois?query=…``
    or a name.

    :param seen: how often each path below the agencies was asked for
    """
    below = unquote(path.partition(AGENCIES)[2])
    if below.startswith(_WHICH):
        entries = [_agency(prefix, records) for prefix in below.removeprefix(_WHICH).split(",")]
        return Reply(200, json.dumps(entries).encode())
    if below.startswith("dois?"):
        return Reply(200, json.dumps({"data": (records.get("?") or {}).get("data", [])}).encode())
    if below.startswith(_SEARCH):
        found = _found(parse_qs(urlsplit(path).query), records)
        settings = records.get("?") or {}
        if "fault" in settings and seen[fold(below)] <= settings.get("times", float("inf")):
            return faulty(str(settings["fault"]), below, path, found, settings)
        return found
    form = next((form for form in (_CROSSREF, _DATACITE) if below.startswith(form)), "")
    name = below.removeprefix(form)
    entry = records.get(fold(name), records.get("*"))
    work = entry.get("work") if isinstance(entry, Mapping) else None
    if not isinstance(entry, Mapping) or not isinstance(work, Mapping):
        return Reply(404, b"Resource not found.", {"content-type": "text/plain"})
    right = Reply(200, json.dumps(_shaped({"DOI": name, **work}, form)).encode())
    settings = entry.get("work_fault")
    if not isinstance(settings, Mapping) or seen[fold(below)] > settings.get("times", float("inf")):
        return right
    return _faulty(settings, work, form, name, path, right)


def _found(query: Mapping[str, list[str]], records: Mapping[str, Any]) -> Reply:
    """The works with most words of a text, as Crossref finds them."""
    text, rows = query.get("query.bibliographic", [""])[0], int(query.get("rows", ["20"])[0])
    words = set(text.lower().split())
    works = [
        _shaped({"DOI": name, **entry["work"]}, _CROSSREF)["message"]
        for name, entry in records.items()
        if isinstance(entry, Mapping) and entry.get("work")
    ]
    works.sort(key=lambda work: -len(words.intersection(str(work.get("title")).lower().split())))
    fields = query.get("select", [""])[0].split(",")
    items = [{key: each[key] for key in each if key in fields} for each in works[:rows]]
    settings = records.get("?") or {}
    message = {"items": settings.get("items", items)}
    return Reply(200, json.dumps({"message-type": "work-list", "message": message}).encode())


def _faulty(
    settings: Mapping[str, Any], work: Mapping[str, Any], form: str, name: str, path: str,
    right: Reply,
) -> Reply:  # fmt: skip
    # Faults of the record's text have another text here than in a Handle record.
    escape = "\x1b]0;owned\x07\x1b[2J\r\n::error::owned <script>alert(1)</script> \u202e"
    changed = {
        "wrong-handle": {"DOI": name + "x"},
        "hostile": {"title": escape + str(work.get("title"))},
    }
    fault = str(settings.get("fault"))
    if fault in changed:
        record = {"DOI": name, **work, **changed[fault]}
        return replace(right, body=json.dumps(_shaped(record, form)).encode())
    return faulty(fault, name, path, right, settings)


def _agency(prefix: str, records: Mapping[str, Any]) -> dict[str, str]:
    for name, entry in records.items():
        if name.startswith(f"{prefix}/") or name == "*":
            named = entry.get("agency", "Crossref") if isinstance(entry, Mapping) else "Crossref"
            return {"DOI": prefix, "RA": str(named)}
    return {"DOI": prefix, "status": "DOI does not exist"}


def _shaped(work: Mapping[str, Any], form: str) -> dict[str, Any]:
    """CSL-JSON in the shape of an agency."""
    if form == _CROSSREF:
        record = dict(work)
        for field in ("title", "container-title"):
            if isinstance(record.get(field), str):
                record[field] = [record[field]]
        return {"status": "ok", "message-type": "work", "message": record}
    if form != _DATACITE:
        return dict(work)
    people = [
        {"name": f"{person.get('family', '')}, {person.get('given', '')}", "nameType": "Personal"}
        for person in work.get("author", ())
    ]
    attributes = {
        "doi": work["DOI"],
        "titles": [{"title": work.get("title", "")}],
        "creators": people,
        "dates": [],
        "container": {"title": work.get("container-title", "")},
        "types": {"resourceTypeGeneral": work.get("type", "")},
        "relatedIdentifiers": work.get("relatedIdentifiers", []),
    }
    parts = work.get("issued", {}).get("date-parts")
    if parts:
        attributes["publicationYear"] = parts[0][0]
    return {"data": {"id": work["DOI"], "type": "dois", "attributes": attributes}}


_FOLD: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_JSON: Final = {"content-type": "application/json;charset=UTF-8"}
_HTML: Final = {"content-type": "text/html"}
_MOVED: Final = "/moved"
_HUGE: Final = 8 << 20

FAULTS: Final = {
    "not-found": "404, response code 100, though there is a record",
    "server-error": "500, response code 2",
    "too-many": "429 with Retry-After: `retry_after` seconds",
    "too-many-until": "429 with Retry-After: the date in `retry_after` seconds",
    "unavailable": "503 with a page in HTML; with Retry-After if `retry_after` is given",
    "forbidden": "403 with a page in HTML", "slow": "the right answer after `seconds`",
    "drip": "the right answer, a byte every `seconds`",
    "drop": "the connection is closed without an answer (HTTP/2: the stream is reset)",
    "truncated": "the connection is closed in the middle of the answer (HTTP/2: the same)",
    "junk": "200 with a page in HTML", "broken-json": "200 with half of the JSON text",
    "wrong-types": "200 with a response code that is a string",
    "wrong-code": "200 with response code 7", "wrong-handle": "200 with the record of another name",
    "hostile": "200 with terminal escapes and markup wherever there is text",
    "nested": "200 with JSON nested a hundred thousand deep",
    "huge": "200 with a body of 8 mebibytes",
    "compressed": "200 with a body that gzip has made small",
    "redirect": "302 to another path of this server, which gives the right answer",
    "redirect-loop": "302 to itself", "redirect-away": "302 to another server, or to `location`",
}  # fmt: skip


@dataclass(frozen=True)
class Reply:
    """One answer as it goes over the wire.

    :ivar delay: seconds before it
    :ivar pause: seconds after each byte
    :ivar keep: how many bytes of the body are sent before the connection breaks; None: all; -1: not
        even the status
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: dict(_JSON))
    delay: float = 0.0
    pause: float = 0.0
    keep: int | None = None


def fold(name: str) -> str:
    """Fold the case of ASCII letters, in which names may differ [URI §3]."""
    return name.translate(_FOLD)


def reply_to(name: str, path: str, entry: Any, *, known: bool, times_seen: int) -> Reply:
    """What to say about ``name``, asked for by ``path`` for the ``times_seen``-th time."""
    settings = entry if isinstance(entry, Mapping) else {}
    right = _right(name, entry, settings, known=known)
    fault = settings.get("fault")
    if fault is None or times_seen > settings.get("times", float("inf")):
        return right
    return faulty(fault, name, path, right, settings)


def _right(name: str, entry: Any, settings: Mapping[str, Any], *, known: bool) -> Reply:
    if not known:
        return _record(404, 100, name)
    values: Any
    if isinstance(entry, str):
        values = [_value(1, "URL", entry)]
    elif "alias" in settings:
        values = [_value(1, "HS_ALIAS", settings["alias"])]
    elif "values" in settings:
        values = settings["values"]
    else:
        values = entry if isinstance(entry, list) else [_value(1, "URL", settings.get("url", ""))]
    if entry is None or not values:
        return _record(200, 200, name)
    return _record(200, 1, name, values)


def _value(index: int, kind: str, text: str) -> dict[str, Any]:
    data = {"format": "string", "value": text}
    stamp = "2004-01-21T14:14:17Z"
    return {"index": index, "type": kind, "data": data, "ttl": 86400, "timestamp": stamp}


def _record(status: int, code: object, handle: str, values: object = None) -> Reply:
    record = {"responseCode": code, "handle": handle}
    if values is not None:
        record["values"] = values
    return Reply(status, json.dumps(record).encode())


def _page(status: int, **headers: str) -> Reply:
    body = f"<!doctype html><title>{status}</title><h1>{status}</h1>\n".encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, body, {**_HTML, **named})


def faulty(fault: str, name: str, path: str, right: Reply, settings: Mapping[str, Any]) -> Reply:
    """The reply with a fault instead of the right one."""
    seconds = float(settings.get("seconds", 60))
    after = settings.get("retry_after", 1)
    escape = "\x1b]0;owned\x07\x1b[2J\r\n::error::owned <script>alert(1)</script> \u202e"
    match fault:
        case "not-found":
            return _record(404, 100, name)
        case "server-error":
            return _record(500, 2, name)
        case "too-many":
            return _page(429, retry_after=str(after))
        case "too-many-until":
            return _page(429, retry_after=formatdate(time.time() + float(after), usegmt=True))
        case "unavailable":
            return _page(503, **({"retry_after": str(after)} if "retry_after" in settings else {}))
        case "forbidden":
            return _page(403)
        case "slow":
            return replace(right, delay=seconds)
        case "drip":
            return replace(right, pause=seconds)
        case "drop":
            return replace(right, keep=-1)
        case "truncated":
            return replace(right, keep=len(right.body) // 2)
        case "junk":
            return _page(200)
        case "broken-json":
            return replace(right, body=right.body[: len(right.body) // 2])
        case "wrong-types":
            return _record(200, "1", name)
        case "wrong-code":
            return _record(200, 7, name)
        case "wrong-handle":
            return _record(200, 1, name + "x", [_value(1, "URL", "https://example.org/")])
        case "hostile":
            return _record(200, 1, name + escape, [_value(1, "HS_ALIAS", escape)])
        case "nested":
            return replace(right, body=b"[" * 100_000)
        case "huge":
            return replace(right, body=right.body + b" " * _HUGE)
        case "compressed":
            bomb = gzip.compress(right.body + b" " * _HUGE)
            return replace(right, body=bomb, headers={**_JSON, "content-encoding": "gzip"})
        case "redirect":
            return right if path.startswith(_MOVED) else _redirect(_MOVED + path)
        case "redirect-loop":
            return _redirect(path)
        case "redirect-away":
            publisher = "https://publisher.example/" + quote(name, safe="")
            return _redirect(str(settings.get("location", publisher)))
    raise ValueError(f"there is no such fault: {fault!r} (there are: {', '.join(FAULTS)})")


def _redirect(location: str) -> Reply:
    return _page(302, location=location)
