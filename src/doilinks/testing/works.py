"""The test server's replies for registration agencies: what a name stands for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import unquote

from .replies import Reply, faulty, fold

__all__ = ["AGENCIES", "reply_about_work"]

AGENCIES: Final = "/agencies/"
_CROSSREF, _DATACITE, _WHICH = "works/", "dois/", "doiRA/"


def reply_about_work(path: str, records: Mapping[str, Any], seen: Mapping[str, int]) -> Reply:
    """What the agencies say, asked by one path: ``doiRA/…``, ``works/…``, ``dois/…`` or a name.

    :param seen: how often each path below the agencies was asked for
    """
    below = unquote(path.partition(AGENCIES)[2])
    if below.startswith(_WHICH):
        entries = [_agency(prefix, records) for prefix in below.removeprefix(_WHICH).split(",")]
        return Reply(200, json.dumps(entries).encode())
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


def _faulty(
    settings: Mapping[str, Any],
    work: Mapping[str, Any],
    form: str,
    name: str,
    path: str,
    right: Reply,
) -> Reply:
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
    }
    parts = work.get("issued", {}).get("date-parts")
    if parts:
        attributes["publicationYear"] = parts[0][0]
    return {"data": {"id": work["DOI"], "type": "dois", "attributes": attributes}}
