"""What the page links, what the check asks and what ``scan`` lists are the same names."""

import pytest

from doilinks import DOI, InvalidDOI
from doilinks.core.link import relink
from doilinks.core.options import Options

from ..hosts.test_conformance import CASES, SPOKEN
from ..tools.proof import sample
from .hosts import SETTINGS
from .views import scanned

# Names that may be in one view alone: doilinks scan takes what is in a `pre` element of a page for code, links
# too; mkdocs-jupyter renders the page without Python-Markdown, and the build says so.
EXCEPTIONS = {
    **{
        name: ["doi:10.1000/parsed-literal: listed and asked alone"]
        for name in SETTINGS
        if name.startswith(("docutils", "Sphinx"))
    },
    "MkDocs, mkdocs-jupyter": [
        "doi:10.1000/notebook: listed alone",
        "doi:10.1000/notebook-link: listed and linked alone",
    ],
}

LIBRARY = [
    "10.1007/978-3-319-10590-1_53", "10.1007/back_slash", "10.1162/netn_a_00035",
    "10.1175/1520-0450(2001)040<0762:OTDOAH>2.0.CO;2",
]  # fmt: skip

# Names that a companion brings, and that have to be links.
BROUGHT = {
    "Sphinx, autodoc": ["10.1000/module", "10.1000/summary", "10.1000/docstring"],
    "Sphinx, autosummary": ["10.1000/summary"],
    "MkDocs, mkdocstrings first": ["10.1000/module", "10.1000/summary", "10.1000/docstring"],
    "MkDocs, mkdocstrings last": ["10.1000/module", "10.1000/summary", "10.1000/docstring"],
    "MkDocs, mkdocs-bibtex": LIBRARY,
    "Pandoc, citeproc": LIBRARY,
    "Sphinx, sphinxcontrib-bibtex": LIBRARY,
}


@pytest.mark.parametrize("setting", sample("settings of agreement", "each", [*SETTINGS], one_in=4))
def test_agreement(setting, tmp_path):
    views = SETTINGS[setting].views(tmp_path)
    linked = set().union(*views.linked.values())
    assert linked, "nothing was built"
    alone = [line.partition(": ")[2] for line in views.alone()]
    assert alone == EXCEPTIONS.get(setting, [])
    assert {DOI(name) for name in BROUGHT.get(setting, ())} <= linked


ENDINGS = {"markdown": ".md", "rest": ".rst"}


def _doi_at(href, options):
    """A target of ours is a URL without entities; that of a page of arXiv stands for a name."""
    try:
        return DOI.parse(href)
    except InvalidDOI:
        link = relink(href, "", options)
        return link and link.doi


@pytest.mark.parametrize("dialect", ENDINGS)
def test_scan_lists_what_pages_link_of_each_case(dialect, tmp_path):
    """The links of a case are those of every host, so the names are compared with these."""
    differing = []
    for number, case in enumerate((*CASES, *SPOKEN[dialect])):
        page = tmp_path / f"{number}{ENDINGS[dialect]}"
        page.write_text(case.source + "\n", encoding="utf-8")
        options = Options.read(case.options)
        listed = set().union(*scanned(page, options).values())
        targets = [href.replace(options.proxy, Options().proxy) for _, href in case.links]
        papers = Options(arxiv=options.arxiv)  # some links then lead to arxiv.org
        linked = {doi for href in targets if (doi := _doi_at(href, papers))}
        if listed != linked:
            differing.append((case.id, listed, linked))
    assert differing == []
