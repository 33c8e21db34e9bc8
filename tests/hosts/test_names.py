"""Real names through every host, in each context that its markup allows.

A document for each host and context holds a name an item. ``python -m tests.hosts.test_names FILE`` does
the same by hand for every name of a file, one a line, and prints a table.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

from doilinks import DOI

from ..tools.links import html_links
from ..tools.names import real_names
from ..tools.proof import sample
from . import HOSTS

MARKDOWN = {
    "plain": "The name {} is one.", "label": "The name doi:{} is one.", "emphasis": "*{}*",
    "strong": "**{}**", "list": "- {}", "heading": "# On {} today",
    "table": "| Name | Year |\n|---|---|\n| {} | 2020 |",
    "footnote": "Text[^f{n}].\n\n[^f{n}]: A. Author, {}.", "definition": "term\n:   {}",
}  # fmt: skip
REST = {
    "plain": "The name {} is one.",
    "label": "The name doi:{} is one.",
    "emphasis": "*{}*",
    "strong": "**{}**",
    "list": "* {}",
    "heading": "On\n==\n\nText.\n\nOn {} today\n" + "-" * 400,
    "numbered reference": ".. [{n}] A. Author. {}.",
    "footnote": ".. [#f{n}] A. Author, {}.",
    "table": "=====  ===\nyear   name\n=====  ===\n2020   {}\n=====  ===",
    "definition": "term\n   {}",
    "field": "Text.\n\n:Name: the name {} here",
}
CONTEXTS = {
    "markdown_it": MARKDOWN, "markdown": MARKDOWN, "mkdocs": MARKDOWN, "pandoc": MARKDOWN,
    "docutils": REST, "sphinx": REST, "myst": MARKDOWN,
}  # fmt: skip
PARAMS = [(host, context) for host, contexts in CONTEXTS.items() for context in contexts]


@cache
def misses(host: str, names: tuple[str, ...]) -> dict[str, list[str]]:
    """The names that do not come back from a host, by context; one build for all of these."""
    pages = HOSTS[host].pages
    asked = [(context, name) for context in CONTEXTS[host] for name in names]
    sentences = [
        CONTEXTS[host][context].replace("{n}", str(n)).replace("{}", name)
        for n, (context, name) in enumerate(asked)
    ]
    found = map(html_links, pages(sentences, {}))
    wrong: dict[str, list[str]] = {context: [] for context in CONTEXTS[host]}
    for (context, name), each in zip(asked, found, strict=True):
        if [link for link in each if link[1][:1] != "#"] != [(DOI(name).uri, DOI(name).url)]:
            wrong[context].append(name)
    return wrong


@pytest.mark.parametrize(("host", "context"), PARAMS)
def test_names_survive(host, context):
    names = [name for name in real_names() if "%" not in name][::23]
    turn = list(CONTEXTS).index(host)
    names = sample("real names in contexts", host, names, one_in=3 * len(CONTEXTS), turn=turn)
    assert misses(host, tuple(names))[context] == []


def main() -> None:
    names = Path(sys.argv[1]).read_text(encoding="utf-8").split("\n")
    names = [name for name in names if name]
    parts = [tuple(names[start : start + 1000]) for start in range(0, len(names), 1000)]
    for host, context in PARAMS:
        wrong = [name for part in parts for name in misses(host, part)[context]]
        share = 1 - len(wrong) / len(names)
        print(
            f"{host:12} {context:20} {len(names) - len(wrong)} of {len(names)} ({share:.5f})  {wrong[:4]}"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
