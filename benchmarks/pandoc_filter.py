"""Pandoc over 2 MB of Markdown with the filter, against a panflute filter that does nothing.

``python benchmarks/pandoc_filter.py`` prints, for a document with a DOI in every third paragraph and
for one without, the time of pandoc and filter together and its ratio; both are run in turn, and the
best of each counts, so that other work on the machine matters less.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pypandoc

NOTHING = "import panflute\npanflute.run_filter(lambda element, doc: None)\n"
WORDS = "the of science data model results *emphasis* `code` figure 2010 stations".split()  # noqa: SIM905
SIZE = 2_000_000
RUNS = 3


def document(every: int) -> str:
    """Two megabytes of paragraphs, a DOI in each n-th of them; 0: none."""
    chance = random.Random(1)
    parts, size = [], 0
    while size < SIZE:
        words = chance.choices(WORDS, k=100)
        if every and len(parts) % every == 0:
            words.insert(50, f"doi:10.1000/{chance.randrange(10**6)}")
        parts.append(" ".join(words) + ".\n\n")
        size += len(parts[-1])
    return "".join(parts)


def seconds(source: Path, *arguments: str) -> float:
    """How long pandoc takes with its filter."""
    command = [pypandoc.get_pandoc_path(), str(source), "-o", str(source.with_suffix(".html"))]
    start = time.perf_counter()
    subprocess.run([*command, *arguments], check=True, cwd=source.parent)
    return time.perf_counter() - start


def main() -> None:
    ours = str(Path(sys.executable).with_name("pandoc-doilinks"))
    with tempfile.TemporaryDirectory() as folder:
        nothing = Path(folder, "nothing.py")
        nothing.write_text(f"#!{sys.executable}\n{NOTHING}")
        nothing.chmod(0o755)
        for what, every, aim in (("in every third paragraph", 3, 0.75), ("nowhere", 0, 0.62)):
            source = Path(folder, "source.md")
            source.write_text(document(every))
            alone = seconds(source)
            idle, linked = [], []
            for _ in range(RUNS):
                idle.append(seconds(source, "--filter", str(nothing)))
                linked.append(seconds(source, "--filter", ours))
            print(
                f"pandoc, a DOI {what}: alone {alone:.2f} s, a filter that does nothing "
                f"{min(idle):.2f} s, doilinks {min(linked):.2f} s, "
                f"ratio {min(linked) / min(idle):.2f} (aim {aim})"
            )


if __name__ == "__main__":
    main()
