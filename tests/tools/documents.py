"""The pages of the documentation, and the blocks of code in them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md") if "_build" not in p.relative_to(DOCS).parts)
TEXTS = [*ROOT.glob("*.md"), *ROOT.glob("examples/*/README.md"), ROOT / "benchmarks/RESULTS.md"]
TEXTS += [ROOT / "benchmarks/ACCURACY.md", ROOT / "tests/README.md"]
TEXTS += [ROOT / "tests" / each / "README.md" for each in ("conformance", "injection")]
DOCUMENTS = [*TEXTS, *PAGES]

FENCE = re.compile(r"^( *)(`{3,})(\S*)[^\n]*\n(.*?)^\1\2$", re.MULTILINE | re.DOTALL)


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def blocks(*languages):
    """Every block of code in these languages, as a parameter with its place as id."""
    found = []
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for block in FENCE.finditer(text):
            if block[3] in languages:
                line = text.count("\n", 0, block.start()) + 1
                code = re.sub(f"^{block[1]}", "", block[4], flags=re.MULTILINE)
                found.append(pytest.param(code, id=f"{name_of(path)}:{line}"))
    return found
