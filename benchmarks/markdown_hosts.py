"""What the Markdown front doors cost, as ratios measured side by side in one run.

Run as ``python benchmarks/markdown_hosts.py``; it prints one line a host and document:

* no DOIs: with the plug-in against without it;
* a DOI a paragraph: with the plug-in against ``<https://doi.org/...>`` autolinks without it.
"""

from __future__ import annotations

import sys
import time

from markdown import Markdown
from markdown_it import MarkdownIt

from doilinks.markdown_it import doi_plugin

PROSE = (
    "The *method* of Smith and Jones is described in [the manual](https://example.org/manual), "
    "where `solve(a, b)` returns a pair; see **section 3** for its limits and for a list of "
    "known problems, version 2.10 and later, {}and the tables in the appendix of that report."
)
HEADING = "\n\n## Part {}\n\n"
PARAGRAPHS = 100
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 60


def document(name: str) -> str:
    """Paragraphs with ``name`` in each, ``{}`` in it counted."""
    parts = []
    for n in range(PARAGRAPHS):
        parts.append(PROSE.format(name.format(n)))
        if n % 10 == 9:
            parts.append(f"## Part {n // 10}\n\n- one\n- two\n\n```\ncode({n})\n```")
    return "\n\n".join(parts)


def seconds(render, text: str) -> float:
    begin = time.process_time()
    render(text)
    return time.process_time() - begin


def ratio(one, one_text: str, other, other_text: str) -> float:
    """The best time of ``one`` over that of ``other``, taken by turns."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        best[0] = min(best[0], seconds(one, one_text))
        best[1] = min(best[1], seconds(other, other_text))
    return best[0] / best[1]


def hosts():
    """Each host's name, and its rendering with and without the plug-in."""
    yield (
        "markdown-it-py",
        MarkdownIt("commonmark").enable("table").use(doi_plugin).render,
        MarkdownIt("commonmark").enable("table").render,
    )
    yield (
        "Python-Markdown",
        Markdown(extensions=["tables", "doilinks"]).convert,
        Markdown(extensions=["tables"]).convert,
    )


def main() -> None:
    none = document("")
    names = document("doi:10.1000/182.{} ")
    links = document("<https://doi.org/10.1000/182.{}> ")
    for host, with_it, without in hosts():
        print(f"{host:16} no DOIs                {ratio(with_it, none, without, none):6.3f} x")
        print(f"{host:16} a DOI a paragraph      {ratio(with_it, names, without, links):6.3f} x")


if __name__ == "__main__":
    main()
