"""A document is never damaged: with doilinks minus its links it is what it is without doilinks.

The documents are made by chance (``damage/documents.py``) and real: the pages of the documentation
and the examples, and those below the folders that ``DOILINKS_DOCUMENTS`` names.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from ..tools.hosts import pandoc
from ..tools.pages import MADE
from ..tools.proof import sample
from .difference import Comparison, compare_html
from .documents import markdown, rest, visible
from .hosts import HOSTS, Documents, Host

ROOT = Path(__file__).parents[2]

CHANCE = {
    "md": {f"made{seed}.md": markdown(seed) for seed in range(40)},
    "rst": {f"made{seed}.rst": rest(seed) for seed in range(40)},
}
WITHOUT = {
    "md": {f"without{seed}.md": markdown(seed, dois=False) for seed in range(1000, 1015)},
    "rst": {f"without{seed}.rst": rest(seed, dois=False) for seed in range(1000, 1015)},
}
MORE = [Path(each) for each in os.environ.get("DOILINKS_DOCUMENTS", "").split(os.pathsep) if each]
FOLDERS = [ROOT / "docs", ROOT / "examples", *MORE]
REAL = {
    kind: {
        f"{folder.name}/{file.relative_to(folder)}".replace("README", "readme"): visible(
            file.read_text(encoding="utf-8", errors="replace")
        )
        for folder in (FOLDERS if kind == "md" else MORE)
        for file in sorted(folder.rglob(f"*.{kind}"))
        if "_build" not in file.parts
    }
    for kind in CHANCE
}
# pandoc takes a third of a second for a document of each of these.
FEW = {name: 12 for name in HOSTS if name.startswith("Pandoc")}
OWN = [name for name, host in HOSTS.items() if host.markup in CHANCE]
OTHERS = [name for name, host in HOSTS.items() if host.markup not in CHANCE]


class Fault(NamedTuple):
    """A document to which something has happened."""

    document: str
    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.document}: {self.kind}\n{self.what}"


@dataclass
class Result:
    """What was compared, and what was found.

    :ivar documents: how many documents the host could read
    :ivar links: how many links were taken out again
    :ivar changed: the names of documents whose pages are not the same to the byte
    """

    changed: set[str] = field(default_factory=set)
    documents: int = 0
    links: int = 0
    faults: list[Fault] = field(default_factory=list)


def examine(host: Host, documents: Documents) -> Result:
    """Compare what a host makes of documents without doilinks, with it and with it twice."""
    without, once = host.pages(documents, 0), host.pages(documents, 1)
    # A page that is as it was is what goes in again, so only the others are made twice.
    changed = {
        name: text for name, text in documents.items() if once.get(name) != without.get(name)
    }
    twice = host.pages(documents if host.site and changed else changed, 2)
    result = Result({*changed}, len(without))
    for name in documents:
        if name not in once or name not in without:
            if (name in once) != (name in without) and not _failed(once.get(name, "")):
                result.faults.append(Fault(name, "a page with one of them only", ""))
            continue
        found = host.compare(without[name], once[name])
        result.links += found.links
        if found.difference:
            result.faults.append(Fault(name, "differs", found.difference))
        if name in changed and twice.get(name) != once[name]:
            result.faults.append(
                Fault(name, "twice is not once", _apart(once[name], twice.get(name, "")))
            )
    return result


def _apart(once: str, twice: str) -> str:
    """Where two pages begin to differ."""
    same = next((at for at, (a, b) in enumerate(zip(once, twice, strict=False)) if a != b), 0)
    around = slice(max(0, same - 100), same + 100)
    return f"once:  {once[around]}\ntwice: {twice[around]}"


def _failed(page: str) -> bool:
    """Tell whether a page is the message of an error, which the host has without doilinks, too."""
    return page.partition(":")[0].endswith("Error")


def taken(proof: str, name: str, documents: Documents) -> dict[str, str]:
    """Those documents that a host gets in this run."""
    listed = list(documents.items())[: FEW.get(name)]
    return dict(sample(proof, name, listed, one_in=32, turn=OWN.index(name)))


@pytest.mark.parametrize("name", OWN)
def test_nothing_but_links_is_new_and_without_dois_not_a_byte(name):
    host = HOSTS[name]
    documents = taken("documents", name, {**CHANCE[host.markup], **REAL[host.markup]})
    nameless = taken("documents without DOIs", name, WITHOUT[host.markup])
    result = examine(host, documents | nameless)
    assert not result.faults, "\n\n".join(map(str, result.faults))
    assert result.documents == len(documents) + len(nameless)
    assert MORE or result.links > 2 * len(documents)
    assert result.changed & {*nameless} == set()


@pytest.mark.parametrize("name", OTHERS)
def test_other_formats_of_pandoc(name):
    host = HOSTS[name]
    documents = {
        f"{seed}.{host.markup}": pandoc(
            "-f", "markdown", "-t", host.markup, given=markdown(seed), doilinks=False
        ).stdout.decode()
        for seed in sample("documents", name, range(8), one_in=8, turn=OTHERS.index(name))
    }
    result = examine(host, documents)
    assert not result.faults, "\n\n".join(map(str, result.faults))
    assert result.links > 2 * len(documents)


# What could go wrong, as edits of a page that doilinks has made.
PLANTED = {
    "a full stop lost": ("</a>.", "</a>"),
    "a word lost": (" model ", " "),
    "a word new": (" model ", " model or "),
    "a space lost": (" <a class", "<a class"),
    "markup new": ("<p>", "<p><i></i>"),
    "markup lost": ("<em>", "<strong>"),
    "a quote turned": ("\u201c", "\u201d"),
    "another name": ("doi:10.1", "doi:10.2"),
    "another target": ("doi.org/10.1", "doi.org/10.2"),
    "a foreign link changed": ("https://example.org/a", "https://example.org/b"),
    "code linked": (
        "<code>10.1000/182</code>",
        f'<code><a class="{MADE}" href="https://doi.org/10.1000/182">10.1000/182</a></code>',
    ),
    "a title replaced": (">the paper</a>", ">doi:10.1000/182</a>"),
    "an attribute of a link lost": (' title="t"', ""),
    "the last paragraph lost": ("end here.</p>", "</p>"),
}
PAGE = """\
The *model* of \u201cso\u201d 10.1000/182. A model in [the paper](https://doi.org/10.1000/182 "t") has
`10.1000/182` and [a page](https://example.org/a) and doi:10.1000/a.

The model ends, see 10.1000/b, and the page: end here.
"""


@pytest.mark.parametrize("damage", PLANTED)
def test_planted_damage_is_seen(damage):
    host = HOSTS["markdown-it-py"]
    without, ours = (host.pages({"page.md": PAGE}, times)["page.md"] for times in (0, 1))
    found, planted = PLANTED[damage]
    assert found in ours
    assert compare_html(without, ours) == Comparison(4, 0)
    assert compare_html(without, ours.replace(found, planted, 1)).difference


@pytest.mark.parametrize(
    "name", ["docutils", "markdown-it-py", "Python-Markdown", "Pandoc, markdown"]
)
def test_a_scan_that_takes_too_much_is_seen(name, monkeypatch):
    """A fault of the core itself, through real hosts."""
    from doilinks.core.scan import scan

    def greedy(text, *given):
        return (match._replace(end=min(match.end + 1, len(text))) for match in scan(text, *given))

    places = (
        "doilinks.hosts.docutils.find", "doilinks.hosts.docutils.walk", "doilinks.hosts.markdown_it.find",
        "doilinks.hosts.markdown.find", "doilinks.hosts.pandoc.walk",
    )  # fmt: skip
    for place in places:
        monkeypatch.setattr(f"{place}.scan", greedy)
    result = examine(HOSTS[name], {"page": "See 10.1000/182, or doi:10.1000/a.\n"})
    assert [fault.kind for fault in result.faults][:1] == ["differs"]


def test_a_change_without_a_link_and_a_second_run_that_adds_are_seen():
    host = HOSTS["markdown-it-py"]

    def pages(documents, times):
        made = host.pages(documents, times)
        return {name: page + "<hr>" * times for name, page in made.items()}

    result = examine(host._replace(pages=pages), {"page": "No name.\n", "other": "10.1000/182\n"})
    assert [fault.kind for fault in result.faults] == [
        "differs", "twice is not once", "differs", "twice is not once"
    ]  # fmt: skip
