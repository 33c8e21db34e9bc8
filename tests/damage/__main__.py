"""``python -m tests.damage FOLDER...``: the comparison over every document below some folders.

Each folder is one site for Sphinx and MkDocs. Docstrings that may hold a DOI count as a document
each. Numbers go to standard output a host at a time, each difference with its file.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from .hosts import HOSTS
from .suite import Result, examine

_KINDS = {
    ".md": "md", ".markdown": "md", ".rst": "rst", ".tex": "latex", ".html": "html", ".org": "org"
}  # fmt: skip
_HINT = re.compile(r"10\.[0-9]{3}|doi", re.IGNORECASE)
_LARGEST = 1_000_000  # bytes; change logs of a decade are smaller


def documents_in(folder: Path) -> dict[str, dict[str, str]]:
    """The documents below a folder, by kind and by name."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.stat().st_size > _LARGEST:
            continue
        name = str(file.relative_to(folder).with_suffix(""))
        if file.suffix == ".py":
            for line, text in _docstrings(file):
                found.setdefault("rst", {})[f"{name}-{line}.rst"] = text
        elif kind := _KINDS.get(file.suffix):
            text = file.read_text(encoding="utf-8", errors="replace")
            found.setdefault(kind, {})[f"{name}.{kind}"] = text
    return found


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
            if _HINT.search(text):
                yield getattr(node, "lineno", 1), text + "\n"


def main() -> int:
    """Run the comparison; 1 when there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.damage", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--host", action="append", help=f"one of: {'; '.join(HOSTS)}")
    given = parser.parse_args()
    total: dict[str, Result] = {}
    for folder in given.folders:
        documents = documents_in(folder)
        for name in given.host or HOSTS:
            try:
                result = examine(HOSTS[name], documents.get(HOSTS[name].markup, {}))
            except Exception as error:  # noqa: BLE001  a site that the host cannot build
                print(f"{folder.name:24} {name:26} no site: {type(error).__name__}: {error}")
                continue
            for fault in result.faults:
                print(
                    f"  {folder / fault.document}: {name}: {fault.kind}\n{fault.what}", flush=True
                )
            total[name] = total.get(name, Result()) + result
    for name, result in total.items():
        print(
            f"{name:26} {result.documents:6} documents {result.bytes:10} bytes {result.changed:5} with links"
            f" {result.links:6} links {result.torn:4} torn {len(result.faults):4} differences"
        )
    return any(result.faults for result in total.values())


if __name__ == "__main__":
    sys.exit(main())
