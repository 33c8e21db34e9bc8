"""``python -m tests.damage FOLDER...``: the comparison over every document below some folders.

Each folder is one site for Sphinx and MkDocs. Files of JSON lines with a ``text`` count as a
document a line, docstrings that may hold a DOI as one each. Numbers go to standard output a host at a time, each difference with its file.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from ..tools.hosts import pandoc
from .hosts import HOSTS
from .suite import Result, examine

_KINDS = {
    ".md": "md",
    ".markdown": "md",
    ".rst": "rst",
    ".tex": "latex",
    ".html": "html",
    ".org": "org",
}
HINT = re.compile(r"10\.[0-9]{3}|doi", re.IGNORECASE)
_LARGEST = 1_000_000  # bytes; change logs of a decade are smaller


def documents_in(folder: Path) -> dict[str, dict[str, str]]:
    """The documents below a folder, by kind and by name."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.stat().st_size > _LARGEST:
            continue
        if file.suffix == ".jsonl":
            for markup, name, text in _lines(file):
                found.setdefault(markup, {})[name] = text
        elif file.suffix == ".py":
            name = str(file.relative_to(folder).with_suffix(""))
            for line, text in _docstrings(file):
                found.setdefault("rst", {})[f"{name}-{line}.rst"] = text
        elif (kind := _KINDS.get(file.suffix) or _text_kind(file)) is not None:
            name = str(file.relative_to(folder).with_suffix("")) + f".{kind}"
            text = file.read_text(encoding="utf-8", errors="replace")
            found.setdefault(kind, {})[name] = text
    return found


def sampled(documents: dict[str, str], every: int) -> dict[str, str]:
    """The documents that may hold a DOI, and every so manieth of the others."""
    others = [name for name, text in documents.items() if not HINT.search(text)]
    left_out = set(others) - set(others[::every])
    return {name: text for name, text in documents.items() if name not in left_out}


def _text_kind(file: Path) -> str | None:
    """Projects call their reStructuredText ``.txt``, too."""
    if file.suffix == ".txt" and any(
        (file.parent / name).exists() for name in ("index.txt", "conf.py")
    ):
        return "rst"
    return None


def _docstrings(file: Path) -> Iterator[tuple[int, str]]:
    """The docstrings of a module in which there may be a DOI, with their lines."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node) or ""
            if HINT.search(text):
                yield getattr(node, "lineno", 1), text + "\n"


def _lines(file: Path) -> Iterator[tuple[str, str, str]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        entry = json.loads(line)
        kinds = [entry["fmt"]] if "fmt" in entry else ["md", "rst"]
        for kind in kinds:
            # A first line, so that no passage is taken for front matter.
            yield kind, f"{file.stem}{number:04}.{kind}", f"A passage.\n\n{entry['text']}\n"


def translated(documents: dict[str, dict[str, str]]) -> None:
    """Add what pandoc makes of those that hold a DOI, in the formats that it reads as well."""
    for kind, reader in (("md", "markdown"), ("rst", "rst")):
        for name, text in documents.get(kind, {}).items():
            if "10." not in text:
                continue
            for writer in ("latex", "html", "org"):
                try:
                    made = pandoc(
                        "-f", reader, "-t", writer, given=text, doilinks=False
                    ).stdout.decode()
                except (AssertionError, subprocess.SubprocessError):
                    continue
                documents.setdefault(writer, {})[f"{name}.{writer}"] = made


def main() -> int:
    """Run the comparison; 1 when there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.damage", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--host", action="append", help=f"one of: {'; '.join(HOSTS)}")
    parser.add_argument(
        "--translate", action="store_true", help="also LaTeX, HTML and Org by pandoc"
    )
    parser.add_argument(
        "--sample",
        type=int,
        default=1,
        metavar="N",
        help="one in N of documents without 10. and doi",
    )
    given = parser.parse_args()
    total: dict[str, Result] = {}
    number = size = 0
    for folder in given.folders:
        documents = documents_in(folder)
        documents = {kind: sampled(each, given.sample) for kind, each in documents.items()}
        if given.translate:
            translated(documents)
        number += sum(map(len, documents.values()))
        size += sum(len(text.encode()) for each in documents.values() for text in each.values())
        for name in given.host or HOSTS:
            host, begun = HOSTS[name], time.monotonic()
            try:
                result = examine(host, documents.get(host.markup, {}))
            except Exception as error:  # noqa: BLE001  a site that the host cannot build
                print(
                    f"{folder.name:24} {name:26} no site: {type(error).__name__}: {error}",
                    flush=True,
                )
                continue
            if result.documents:
                seconds = time.monotonic() - begun
                print(f"{folder.name:24} {name:26} {_row(result)} {seconds:6.1f} s", flush=True)
            for fault in result.faults:
                print(
                    f"  {folder / fault.document}: {name}: {fault.kind}\n{fault.what}", flush=True
                )
            total[name] = total.get(name, Result()) + result
    print(f"\n{number} documents, {size} bytes, {len(total)} hosts and settings")
    for name, result in total.items():
        print(f"{name:26} {_row(result)}")
    return any(result.faults for result in total.values())


def _row(result: Result) -> str:
    return (
        f"{result.documents:6} documents {result.bytes:10} bytes {result.changed:5} with links "
        f"{result.links:6} links {result.torn:4} torn {result.urls:3} with other URLs {len(result.faults):4} differences"
    )


if __name__ == "__main__":
    sys.exit(main())
