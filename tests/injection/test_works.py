"""Hostile works gain nothing: what a lock file says becomes text, in every host that shows it.

A page links and cites works, and lists them. It is made twice: with a lock file whose works are
hostile, and with one whose works are tame. The two pages have the same elements with the same
attributes, and what differs are texts, which are those of the works.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import html5lib
import pytest

from doilinks import DOI
from doilinks.cite.citations import parse
from doilinks.cite.references import Mention, References
from doilinks.lock.known_works import KnownWorks
from doilinks.record.words import hover, reference
from doilinks.record.work import Work, plain

from ..tools import works
from ..tools.hosts import Host, Markdown, Pandoc, pandoc
from ..tools.programs import run, tex
from ..tools.proof import sample
from .builds import _FULL, DOCUTILS, MKDOCS, sphinx
from .corpus import entries
from .tex import gained

# --------------------------------------------------------------------------------------------------
# Works, and pages that show them.

FIRST_YEAR = 1400  # each work has a year of its own, so that citations need no letters
TEXTS = [text for text in entries("works.txt") if plain(text)]
DOIS = [DOI(f"10.1000/work{number}") for number in range(len(TEXTS))]


def work(text: str, number: int) -> dict[str, Any]:
    """An entry of a lock file with a text in all its fields."""
    fields = ("title", "container", "publisher", "volume", "issue", "page", "type")
    return {
        **dict.fromkeys(fields, text), "year": FIRST_YEAR + number,
        "author": [[text, text], [text], *[[text, "A."]] * (number % 3)],
        **({"status": "retracted"} if number % 7 == 0 else {}),
    }  # fmt: skip


def lock(file: Path, texts: Sequence[str]) -> Path:
    named = zip(DOIS, texts, strict=True)
    known = {doi.name: work(text, at) for at, (doi, text) in enumerate(named)}
    file.write_text(works.lock_file(known))
    return file


def tame(text: str) -> str:
    """A text of the same kind, in which nothing is markup."""
    shown = plain(text)
    if not re.search(r"\w", shown):  # no record has it as a volume or a name
        return "-" * len(shown)
    return "word " * 60 if len(shown) > 60 else "12 word"


Page = Callable[[DOI], str]


def _md(doi: DOI) -> str:
    return f"{_md_links(doi)}As @{doi.uri} [p. 3] says [see @{doi.uri}, p. 3].\n\n"


def _md_links(doi: DOI) -> str:
    return f"{doi.uri} and [text](https://doi.org/{doi.name}).\n\n"


def _rst(doi: DOI) -> str:
    return f"{doi.uri} and `text <https://doi.org/{doi.name}>`__.\n\nAs :doi:cite:t:`{doi.name}, p. 3` says :doi:cite:`see {doi.name}, p. 3`.\n\n"


class Row(NamedTuple):
    """A host that shows works.

    :ivar page: what a page says of each work
    :ivar list: what asks for the list of references, if the host has one
    :ivar reads: what the pages of the host are, ``html`` or ``tex``
    """

    host: Host
    page: Page
    list: str = ""
    reads: str = "html"


_MD_LIST = "[doi-list order=places]\n"
_RST_LIST = ".. doi-list::\n   :order: places\n"
_SITE = ("extra", "admonition", "smarty", "toc", "pymdownx.superfences", "pymdownx.magiclink")
ROWS = {
    "markdown_it": Row(_FULL, _md, _MD_LIST),
    "markdown": Row(Markdown(_SITE), _md, _MD_LIST),
    "mkdocs": Row(MKDOCS, _md, _MD_LIST),
    "docutils": Row(DOCUTILS, _rst, _RST_LIST),
    "sphinx": Row(sphinx(), _rst, _RST_LIST),
    "epub": Row(sphinx(builder="epub"), _rst, _RST_LIST),
    "myst": Row(sphinx(".md"), _md, "```{doi-list}\n:order: places\n```\n"),
    "latex": Row(sphinx(builder="latex"), _rst, _RST_LIST, reads="tex"),
    # Citations and lists are those of citeproc.
    "pandoc": Row(Pandoc(), _md_links),
    "pandoc_latex": Row(Pandoc(writer="latex"), _md_links, reads="tex"),
}


def made(row: Row, file: Path, monkeypatch: pytest.MonkeyPatch, style: str = "") -> str:
    """The page of a host that shows the works of a lock file."""
    title = "Title\n=====\n\n"
    options = {
        "hover": "true", "cite": str(row.page is not _md_links).lower(),
        "check_lockfile": str(file), "cite_style": style,
    }  # fmt: skip
    source = title + "".join(map(row.page, DOIS)) + "\n" + row.list
    if isinstance(row.host, Pandoc):  # a document may not name a file anywhere
        monkeypatch.setenv("DOILINKS_CHECK_LOCKFILE", options.pop("check_lockfile"))
    [page] = row.host.pages([source], options)
    return page


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A lock file with hostile works, and one with tame works."""
    hostile = lock(tmp_path / "hostile.json", TEXTS)
    return hostile, lock(tmp_path / "tame.json", [*map(tame, TEXTS)])


# --------------------------------------------------------------------------------------------------
# What is compared.


# What keeps a script from taking a text for a formula, so only some texts have them.
_NO_FORMULA = {"mathjax_ignore", "tex2jax_ignore"}


def _attribute(key: str, value: str) -> str:
    if key == "class":
        return " ".join(each for each in value.split() if each not in _NO_FORMULA)
    return "" if key == "title" else value


@lru_cache(maxsize=2)  # a page is compared with another, and looked at in three ways
def parsed(html: str) -> ET.Element:
    return html5lib.parse(html, namespaceHTMLElements=False)


def elements(html: str) -> list[tuple[str, dict[str, str]]]:
    """The elements of a page in their order; texts on hover are left out."""
    found = []
    for each in parsed(html).iter():
        if isinstance(each.tag, str):
            given = {key: _attribute(key, value) for key, value in each.attrib.items()}
            found.append(
                (each.tag, {key: given[key] for key in given if given[key] or key != "class"})
            )
    return found


def wrong_elements(hostile: str, harmless: str) -> list[str]:
    """Where two pages differ that should have the same elements."""
    one, other = elements(hostile), elements(harmless)
    differing = [
        f"{mine} where there was {theirs}"
        for mine, theirs in zip(one, other, strict=False)
        if mine != theirs
    ]
    number = [] if len(one) == len(other) else [f"{len(one)} elements, and {len(other)}"]
    return [*number, *differing][:5]


def _bare(text: str) -> str:
    """A text without white space, which hosts put in or break lines at."""
    return re.sub(r"\s", "", text)


def wrong_texts(html: str, file: Path, *, has_list: bool) -> list[str]:
    """Texts of works that a page does not show as they are."""
    root = parsed(html)
    titles = {_bare(each.get("title", "")) for each in root.iter("a")}
    text = _bare("".join(root.itertext()))
    known_works, wrong = KnownWorks(file), []
    references = References(known_works.work, map(Mention, DOIS), order="places")
    for doi in DOIS:
        known: Work | None = known_works.work(doi)
        assert known is not None
        if _bare(hover(known)) not in titles:
            wrong.append(f"not on hover: {hover(known)!r:.200}")
        if has_list:
            [citation] = parse(f"@{doi.uri}")
            cited = "".join(piece.text for piece in references.words(citation))[:-1]
            listed = "".join(run.text for run in reference(doi, known))
            wrong += [
                f"not shown: {each!r:.200}" for each in (cited, listed) if _bare(each) not in text
            ]
    return wrong[:5]


def formulas(html: str, begins: str = r"\$|\\[(\[]") -> list[str]:
    """Texts that a script may take for formulas, in which a class of versions 2 and 3 is needed."""

    def texts(element: ET.Element) -> Iterator[str]:
        is_seen = isinstance(element.tag, str)  # a comment is not
        if is_seen and not set(element.get("class", "").split()) >= _NO_FORMULA:
            yield element.text or ""
            for each in element:
                yield from texts(each)
                yield each.tail or ""

    return re.findall(rf".{{,20}}(?:{begins}).{{,20}}", "".join(texts(parsed(html))))


def assert_becomes_text(row: Row, hostile: str, harmless: str, *may: str) -> None:
    """Nothing but texts differ; ``may`` are control sequences of TeX that may stand between them."""
    if row.reads == "tex":
        assert set(gained(hostile, harmless)) <= {*may}
    else:
        assert wrong_elements(hostile, harmless) == []
        assert formulas(hostile) == []


@pytest.mark.parametrize("name", sample("hostile works", "hosts", [*ROWS], one_in=3))
def test_a_hostile_work_becomes_text(name, files, monkeypatch, record_property):
    row = ROWS[name]
    hostile, harmless = (made(row, file, monkeypatch) for file in files)
    assert_becomes_text(row, hostile, harmless)
    if row.reads == "html":
        assert wrong_texts(hostile, files[0], has_list=bool(row.list)) == []
        record_property("compared", len(elements(hostile)))


STYLED = [
    *product(["markdown_it", "markdown", "mkdocs", "sphinx", "latex"], ["apa", "ieee", "nature"])
]
KEYED = [*product(["markdown_it", "mkdocs", "sphinx", "myst", "latex"], ["", "apa"])]


@pytest.mark.parametrize(("name", "style"), sample("hostile works", "styles", STYLED, one_in=5))
def test_a_hostile_work_becomes_text_in_a_style_of_csl(name, style, files, monkeypatch):
    row = ROWS[name]
    hostile, harmless = (made(row, file, monkeypatch, style) for file in files)
    assert_becomes_text(row, hostile, harmless, r"\textendash")  # between two pages


def test_citeproc_shows_no_formula(files, monkeypatch):
    """It keeps no class of people. A dollar sign begins no formula in MathJax by default."""
    monkeypatch.setenv("DOILINKS_CHECK_LOCKFILE", str(files[0]))
    source = "---\ndoi-cite: true\n---\n\n" + "".join(map(_md, DOIS))
    page = pandoc("--citeproc", "--mathjax", "-t", "html", given=source).stdout.decode()
    assert page.count("mathjax_ignore") > 10
    assert formulas(page, r"\\(?!\u2060)") == []


@pytest.mark.parametrize(("name", "style"), sample("hostile works", "keys", KEYED, one_in=3))
def test_a_hostile_work_that_is_cited_by_key_becomes_text(name, style, tmp_path):
    row = ROWS[name]
    pages = []
    for number, texts in enumerate((TEXTS, [*map(tame, TEXTS)])):
        file = tmp_path / f"refs{number}.json"
        fields = ("title", "container-title", "publisher", "volume", "issue", "page", "type")
        items = [
            {"id": f"work{at}", **dict.fromkeys(fields, text), "issued": 1400 + at,
             "author": [{"family": text, "given": text}, {"literal": text}]}
            for at, text in enumerate(texts)
        ]  # fmt: skip
        file.write_text(json.dumps(items))
        said = "".join(f"As @{i['id']} [p. 3] says [see @{i['id']}, p. 3].\n\n" for i in items)
        options = {
            "hover": "true", "cite": "true", "cite_bib": str(file), "cite_style": style,
            "check_lockfile": str(tmp_path / "no-lock.json"),
        }  # fmt: skip
        pages += row.host.pages([f"Title\n=====\n\n{said}{row.list}"], options)
    assert pages[0].count("1400") >= 1
    assert_becomes_text(row, *pages, r"\textendash")


# --------------------------------------------------------------------------------------------------
# What pandoc's citeproc makes of the works that the filter gives it.

STANDALONE = ("--standalone", "--wrap=none", "--metadata=title:x")


@pytest.fixture(scope="module")
def cited(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A folder with a page that cites hostile works, and one with tame works, as citeproc leaves it."""
    folders = [tmp_path_factory.mktemp(name) for name in ("hostile", "tame")]
    given = ("-Mdoi-cite", "-Mdoi-hover", "-Mlink-citations", "--citeproc", "-o", "out.json")
    for folder, texts in zip(folders, (TEXTS, map(tame, TEXTS)), strict=True):
        lock(folder / "doi-lock.json", [*texts])
        pandoc(*STANDALONE, *given, given="".join(map(_md, DOIS)), cwd=folder)
    return folders


def written(folder: Path, to: str) -> Path:
    pandoc(*STANDALONE, "-t", to, "-o", f"out.{to}", "out.json", cwd=folder, doilinks=False)
    return folder / f"out.{to}"


def obeyed(file: Path) -> object:
    """What a program does that shows a file: requests of roff, targets of links in XML."""
    if file.suffix == ".man":
        lines = file.read_text(encoding="utf-8").splitlines()
        return [line.split()[0] for line in lines if line.startswith((".", "'"))]
    parts = [file.read_bytes()]
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            parts = [archive.read(name) for name in archive.namelist() if name.endswith(("xml", "html"))]  # fmt: skip
    every = [each for part in parts for each in ET.fromstring(part).iter()]
    return {each.get("{http://www.w3.org/1999/xlink}href", each.get("href")) for each in every}


FORMATS = ["man", "docx", "epub", "jats"]


@pytest.mark.parametrize("to", sample("hostile works", "formats", FORMATS, one_in=2))
def test_citeproc_makes_text_of_a_hostile_work(to, cited):
    hostile, harmless = (obeyed(written(folder, to)) for folder in cited)
    assert hostile == harmless


def test_citeproc_makes_text_of_a_hostile_work_in_html(cited):
    """Beside what it adds to names and titles by their words; the order is that of the names."""
    hostile, harmless = (
        sorted(
            str(each)
            for each in elements(written(folder, "html").read_text("utf-8"))
            if each[0] not in ("span", "em")
        )
        for folder in cited
    )
    assert hostile == harmless


def test_citeproc_makes_text_of_a_hostile_work_in_latex(cited):
    hostile, harmless = (written(folder, "latex").read_text("utf-8") for folder in cited)
    assert gained(hostile, harmless) == []


@pytest.mark.thorough
def test_tex_takes_hostile_works_that_citeproc_wrote(tmp_path):
    engine = tex("xelatex", "whether TeX takes hostile works is not tried", "lmodern.sty")
    lock(tmp_path / "doi-lock.json", [text if "\\" in text else "A" for text in TEXTS])
    given = ("-Mdoi-cite", "--citeproc", "-t", "latex", "-o", "out.tex")
    pandoc(*STANDALONE, *given, given="".join(map(_md, DOIS)), cwd=tmp_path)
    command = (engine, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "out.tex")
    run(*command, cwd=tmp_path)
    log = (tmp_path / "out.log").read_text(errors="replace")
    assert "runsystem" not in log
    assert "(/etc/passwd" not in log


# Pandoc's writer of Markdown keeps these titles; it decodes an entity in the name of a person.
TITLES = [
    "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;",
    'a" onmouseover="alert(1)" b=\'', "]]><x/>", "<!-- --> <a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1)) ![x](https://evil.example/x.png) https://evil.example/x",
    "**b** _i_ `c` $x^2$ $$y$$ \\(z\\) {=html} ```{=latex} [^1] @doi:10.1000/182 [@knuth]",
    "\\input{/etc/passwd} \\write18{id} \\end{document} ^^5cinput{x} %",
    "{{ site.secret }} {% include x %} ${body} $for(x)$", ".so /etc/passwd",
    "'\\\" .de x .. \\n .TH", "- id: x\n  title: y", "long words " * 500,
]  # fmt: skip


def test_markdown_with_hostile_works_is_read_again_as_it_was(tmp_path):
    """The records are in the metadata of this Markdown, and citeproc makes the same of them."""
    names = [f"10.1000/h{at}" for at in range(len(TITLES))]
    works.lock(tmp_path, {name: {"title": title} for name, title in zip(names, TITLES, strict=True)})  # fmt: skip
    text = " ".join(f"@doi:{name}" for name in names)
    direct = pandoc("-Mdoi-cite", "--citeproc", "-t", "plain", given=text, cwd=tmp_path).stdout
    markdown = pandoc("-Mdoi-cite", "-s", "-t", "markdown", given=text, cwd=tmp_path).stdout
    again = pandoc("--citeproc", "-t", "plain", given=markdown, doilinks=False, cwd=tmp_path)
    assert again.stdout == direct


PLANTED = {
    "an element": ("<p><b></b>a", "<p>a"),
    "an attribute": ('<a onclick="x" title="a">a</a>', '<a title="b">a</a>'),
    "another target": ('<a href="javascript:x">a</a>', '<a href="#a">a</a>'),
}


@pytest.mark.parametrize(("hostile", "harmless"), PLANTED.values(), ids=PLANTED)
def test_what_is_planted_is_found(hostile, harmless):
    assert wrong_elements(hostile, harmless) != []
    assert wrong_elements(harmless, harmless) == []


def test_what_typography_changes_is_found(files, monkeypatch):
    file = files[0]
    page = made(ROWS["markdown_it"], file, monkeypatch)
    assert wrong_texts(page.replace("--", "–"), file, has_list=True) != []
    assert wrong_texts(page, file, has_list=True) == []
