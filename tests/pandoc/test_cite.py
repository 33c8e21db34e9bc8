"""Works in the real pandoc: citations that its citeproc formats, and titles on hover."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from html.parser import HTMLParser

import pytest

from doilinks.pandoc import rewrite

from ..tools.hosts import FILTER, pandoc
from ..tools.modules import quick
from ..tools.programs import LONGEST
from ..tools.quarto import lua_filter
from ..tools.works import lock
from .filtered import run as run_filter
from .filtered import tree

SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0"
SICI_URL = "https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0"
BOOK = {"title": "DOI Handbook", "author": [["Paskin", "Norman"]], "year": 2000}
WORKS = {
    "10.1000/182": BOOK,
    "10.1000/183": {
        "type": "journal-article", "title": "Ants", "author": [["Miller", "Ann"], ["R Core Team"]], "year": 1999,
        "container": "Journal of Ants", "volume": "3", "issue": "2", "page": "1-9", "status": "retracted",
    },
    "10.1000/456%23789": {"title": "Hash", "author": [["Hash", "A."]], "year": 2001},
    SICI_URL.removeprefix("https://doi.org/").replace("SICI", "sici").replace("AID-ASI", "aid-asi").replace("CO;", "co;"): {
        "title": "Old", "author": [["Berg", "A."]], "year": 1998,
    },
}  # fmt: skip
ON = "-Mdoi-cite=true"
HOVER = "-Mdoi-hover=true"


@pytest.fixture
def run(tmp_path):
    """Run pandoc in a folder with a lock file: the output without line breaks, and messages."""
    lock(tmp_path, WORKS)

    def run(text, *arguments, to="plain", cite=True, **more):
        flags = [*([ON] if cite else []), "--citeproc"] if cite is not None else []
        done = pandoc("-t", to, "--wrap=none", *flags, *arguments, given=text, cwd=tmp_path, **more)
        return done.stdout.decode().strip(), done.stderr.decode().splitlines()

    return run


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, with a lock file."""
    monkeypatch.chdir(tmp_path)
    lock(tmp_path, WORKS)


def body(shown):
    return shown.split("\n\n")[0]


# --------------------------------------------------------------------------------------------------
# Citations.

CITED = [
    ("As @doi:10.1000/182 says.", "As Paskin (2000) says."),
    ("As @doi:10.1000/182.", "As Paskin (2000)."),
    ("As @doi:10.1000/182 [p. 3] says.", "As Paskin (2000, 3) says."),
    ("Paskin -@doi:10.1000/182 says.", "Paskin (2000) says."),
    ("So [see @doi:10.1000/182, p. 3].", "So (see Paskin 2000, 3)."),
    ("[@doi:10.1000/182; @doi:10.1000/183]", "(Paskin 2000; Miller and R Core Team 1999, retracted)"),
    ("@doi:10.1000/183 [pp. 3, 5]", "Miller and R Core Team (1999, 3, 5) [retracted]"),
    ("@DOI:10.1000/182", "Paskin (2000)"),
    ("@{doi:10.1000/182}'s", "Paskin (2000)’s"),
    ("@doi:10.1000/456#789.", "Hash (2001)."),
    ("@doi:10.1000/456%23789.", "Hash (2001)."),
    (f"[@{{doi:{SICI}}}, p. 3]", "(Berg 1998, 3)"),
    # Beside a name whose work is not known.
    ("[@doi:10.1000/x]", "(doi:10.1000/x)"),
    ("[see @doi:10.1000/x, p. 3; -@doi:10.1000/y]", "(see doi:10.1000/x, p.\N{NO-BREAK SPACE}3; doi:10.1000/y)"),
    ("@doi:10.1000/x [p. 3] says", "doi:10.1000/x, p.\N{NO-BREAK SPACE}3 says"),
    ("@doi:10.1000/x.", "doi:10.1000/x."),
    ("[@doi:10.1000/x; @doi:10.1000/182]", "(doi:10.1000/x; Paskin 2000)"),
    (
        "[see @doi:10.1000/x, p. 3; @doi:10.1000/y; cf. @doi:10.1000/182]",
        "(see doi:10.1000/x, p.\N{NO-BREAK SPACE}3; doi:10.1000/y; cf. Paskin 2000)",
    ),
    ("[@doi:10.1000/182, 3; 9 @doi:10.1000/x]", "(Paskin 2000, 3; 9 doi:10.1000/x)"),
    ("@doi:10.1000/x [p. 3; @doi:10.1000/182]", "doi:10.1000/x, p.\N{NO-BREAK SPACE}3 (Paskin 2000)"),
    ("@doi:10.1000/182 [p. 3; @doi:10.1000/x]", "Paskin (2000, 3; doi:10.1000/x)"),
    ("[@doi:10.1000/x](y)", "doi:10.1000/x"),
    ("[see @doi:10.1000/182](y)", "see Paskin (2000)"),
    # These are none.
    ("`@doi:10.1000/182`", "@doi:10.1000/182"),
    ("me@doi:10.1000/182", "me@doi:10.1000/182"),
]  # fmt: skip


def test_citations(run):
    """All rows in one document, which citeproc reads as a whole."""
    shown, _ = run("\n\n".join(text for text, _ in CITED))
    assert shown.split("\n\n")[: len(CITED)] == [shown for _, shown in CITED]


def test_a_name_that_stands_for_another_one_is_the_same_work(run, tmp_path):
    lock(tmp_path, WORKS, short="10.1000/182")
    shown, told = run("[@doi:10.1000/short] and @doi:10.1000/182.")
    assert (body(shown), told) == ("(Paskin 2000) and Paskin (2000).", [])
    assert shown.count("DOI Handbook") == shown.count("https://doi.org/10.1000/182") == 1


def test_the_list_stands_where_its_place_is(run):
    text = "::: {#refs}\n:::\n\nSee @doi:10.1000/183 and [@doi:10.1000/182].\n"
    assert run(text) == (
        (
            "Miller, Ann, and R Core Team. 1999. “Retracted: Ants.” Journal of Ants 3 (2): 1–9. "
            "https://doi.org/10.1000/183.\n\n"
            "Paskin, Norman. 2000. DOI Handbook. https://doi.org/10.1000/182.\n\n"
            "See Miller and R Core Team (1999) [retracted] and (Paskin 2000)."
        ),
        [],
    )


def test_the_link_of_an_entry_is_encoded(run):
    html, _ = run(f"@{{doi:{SICI}}} @{{doi:10.1000/456#789}}", to="html")
    for target in (SICI_URL, "https://doi.org/10.1000/456%23789"):
        assert f'<a href="{target}">{target}</a>' in html


def test_quotes_of_a_title_are_those_of_pandoc(run, tmp_path):
    title = "Who's the \"first\" of O'Brien's 5\" pipes"
    lock(tmp_path, {"10.1000/182": BOOK | {"title": title}})
    shown, _ = run("@doi:10.1000/182")
    assert 'Who’s the “First” of O’Brien’s 5" Pipes' in shown


def test_two_spellings_are_one_work(run):
    shown, said = run("@doi:10.1000/182, @DOI:10.1000/182, [@{doi:10.1000%2F182}]")
    assert shown.count("Paskin, Norman") == 1
    assert body(shown) == "Paskin (2000), Paskin (2000), (Paskin 2000)"
    assert said == []


def test_nothing_changes_without_the_option(run):
    text = "[@doi:10.1000/182] @doi:10.1000/183 [@doi:10.1000/x]"
    shown, [said] = run(text, to="json", cite=None)
    assert shown == run(text, to="json", cite=None, doilinks=False)[0]
    assert "@doi:10.1000/182 is shown as it is typed: turn doi-cite on" in said
    # Citeproc may know such keys from elsewhere.
    assert run(f"---\nreferences: []\n---\n\n{text}", to="json", cite=None)[1] == []


def test_citeproc_before_the_filter_is_told(run):
    flags = ("--citeproc", "--filter", quick(FILTER), ON)
    _, said = run("[@doi:10.1000/182]", *flags, cite=None, doilinks=False)
    assert "write --filter pandoc-doilinks before --citeproc [doi-cite]" in said[-1]


def test_citeproc_gets_the_day_and_the_version(run, tmp_path):
    article = {"type": "journal-article", "container": "Science", "month": 4, "day": 28}
    program = {"type": "Software", "version": "1.2"}
    works = {"10.1000/182": BOOK | article, "10.1000/183": BOOK | program}
    lock(tmp_path, works)
    shown, _ = run("[@doi:10.1000/182; @doi:10.1000/183]")
    assert "Science, ahead of print, April 28" in shown
    assert "V. 1.2" in shown


def test_without_citeproc_a_citation_stays(run):
    text = "[see @doi:10.1000/182, chap], @doi:10.1000/456#789"
    assert run(text, ON, cite=None, to="markdown")[0] == text


@pytest.mark.parametrize("to", ["markdown", "markdown-citations", "gfm", "html", "org", "typst"])
@pytest.mark.parametrize("cite", [False, None])
def test_a_retracted_work_is_named_so_once(run, to, cite):
    """No filter is told whether citations are written down, and what has read them before."""
    text = "See [@doi:10.1000/183] and [@doi:10.1000/183, retracted]."
    shown, _ = run(text, ON, cite=cite, to=to)
    assert shown.split("\n\n")[0].count("retracted") == 2


def test_a_work_that_is_not_known_is_reported_once(run):
    html, said = run("@doi:10.1000/x and [@doi:10.1000/X]", "-Mdoi-display=url", to="html")
    assert said == [
        (
            "pandoc-doilinks: warning: the work of doi:10.1000/x is not in doi-lock.json: "
            "run doilinks works --fetch, or correct the name if it does not exist [doi-cite]"
        )
    ]
    assert '<a href="https://doi.org/10.1000/x" class="doi">https://doi.org/10.1000/x</a>' in html


CUT = [
    (f"As @doi:{SICI} says.", "doi:10.1002", "/(SICI)1097-4571(199"),
    ("As [@doi:10.1000/a(b)c, p. 3].", "doi:10.1000/a", "(b)c,"),
    ("As [@doi:10.18260/1-2--11357].", "doi:10.18260/1-2", "–11357"),
    ("As @doi:10.1000/b::c.", "doi:10.1000/b", "::c."),
]


def test_a_name_that_pandoc_cuts_is_reported_and_stays(run):
    shown, said = run("\n\n".join(text for text, _, _ in CUT))
    assert shown.split("\n\n") == [text for text, _, _ in CUT]
    assert said == [
        (
            f"pandoc-doilinks: warning: pandoc ends the citation @{key} before '{rest}': if the name "
            "goes on, write it in braces, @{doi:…} [doi-cite]"
        )
        for _, key, rest in CUT
    ]


def test_a_key_that_another_program_made_is_harmless_in_a_message():
    key = "doi:10.1000/a\x1b[31m"
    mode, said = {"t": "AuthorInText"}, [{"t": "Str", "c": f"@{key}"}]
    cite = {
        "citationId": key, "citationPrefix": [], "citationSuffix": [], "citationMode": mode,
        "citationNoteNum": 0, "citationHash": 0,
    }  # fmt: skip
    text = [{"t": "Cite", "c": [[cite], said]}, {"t": "Str", "c": "(b)"}]
    document = {
        "pandoc-api-version": [1, 23, 1],
        "meta": {"doi-cite": {"t": "MetaBool", "c": True}},
    }
    done = run_filter(json.dumps(document | {"blocks": [{"t": "Para", "c": text}]}))
    assert b"before '(b)'" in done.stderr
    assert done.stderr.decode().rstrip("\n").isprintable()


ENDED = [
    "@doi:10.1000/182, b", "@doi:10.1000/182: b", "@doi:10.1000/182's", "@doi:10.1000/182---b",
    "@doi:10.1000/182{p. 3}", "@doi:10.1000/182...", "**@doi:10.1000/182**(b)",
]  # fmt: skip


def test_names_that_end_are_not_reported(run):
    assert run("\n\n".join(ENDED))[1] == []


def test_metadata_cite_too(run):
    text = (
        "---\nnocite: |\n  @doi:10.1000/182, @doi:10.1000/x\n"
        'abstract: "As [@doi:10.1000/183; @doi:10.1000/y]."\n---\n\nText.\n'
    )
    shown, said = run(text, "-s", to="markdown")
    assert "(Miller and R Core Team 1999, retracted; [doi:10.1000/y](" in shown
    assert "Paskin, Norman. 2000." in shown
    assert [line.split()[5] for line in said] == ["doi:10.1000/y", "doi:10.1000/x"]


# --------------------------------------------------------------------------------------------------
# Beside what an author has, and in styles.

BIB = "@book{knuth, author={Knuth, Donald}, title={Literate Programming}, year={1992}}\n"
OWN = """\
---
references:
- {id: "doi:10.1000/183", type: book, title: Mine, author: [{family: Me}], issued: 2020}
---
"""
STYLE = """\
<style xmlns="http://purl.org/net/xbiblio/csl" class="{kind}" version="1.0">
<info><title>Test</title><id>test</id><updated>2026-01-01T00:00:00Z</updated></info>
<citation><layout delimiter="; ">{cite}</layout></citation>
<bibliography><layout suffix=".">
<group delimiter=", "><text variable="citation-number"/><names variable="author"/>
<text variable="title" font-style="italic"/><text variable="container-title"/>
<text variable="status"/><text variable="DOI" prefix="doi:"/></group>
</layout></bibliography></style>
"""
STYLES = {
    "numbers": ("in-text", '<text variable="citation-number" prefix="[" suffix="]"/>'),
    "notes": ("note", '<names variable="author"/><text variable="title" prefix=", "/>'),
}


def test_the_bibliography_of_the_author_stays(run, tmp_path):
    (tmp_path / "own.bib").write_text(BIB)
    shown, said = run(
        f"{OWN}\n[@knuth; @doi:10.1000/182; @doi:10.1000/183]", "--bibliography=own.bib"
    )
    assert body(shown) == "(Knuth 1992; Paskin 2000; Me 2020)"
    assert [entry[:4] for entry in shown.split("\n\n")[1:]] == ["Knut", "Me. ", "Pask"]
    assert said == []


def test_styles(run, tmp_path):
    (tmp_path / "own.bib").write_text(BIB)
    text = "See [@knuth; @doi:10.1000/183]."
    shown = {"": run(text, "--bibliography=own.bib")[0]}
    for name, (kind, cite) in STYLES.items():
        (tmp_path / f"{name}.csl").write_text(STYLE.format(kind=kind, cite=cite))
        shown[name] = run(text, "--bibliography=own.bib", f"--csl={name}.csl")[0]
    assert body(shown[""]) == "See (Knuth 1992; Miller and R Core Team 1999, retracted)."
    assert body(shown["numbers"]) == "See [1]; [2], retracted."
    assert "2, Ann Miller, R Core Team, Retracted: Ants, Journal of Ants, doi:" in shown["numbers"]
    assert body(shown["notes"]) == "See.[1]"
    assert (
        "[1] Donald Knuth, Literate programming; Ann Miller, R Core Team, Retracted: Ants"
        in shown["notes"]
    )


def test_a_work_that_is_not_known_stays_in_a_style_without_locators(run, tmp_path):
    """Citeproc would take what follows a page as part of the locator."""
    kind, cite = STYLES["numbers"]
    (tmp_path / "numbers.csl").write_text(STYLE.format(kind=kind, cite=cite))
    for text in (
        "[@doi:10.1000/182, p. 3; @doi:10.1000/x]",
        "[@doi:10.1000/182, 3; @doi:10.1000/x]",
    ):
        html, _ = run(text, "--csl=numbers.csl", "-Mlink-citations=true", to="html")
        link = '<a href="https://doi.org/10.1000/x" class="doi">doi:10.1000/x</a>'
        assert f'role="doc-biblioref">[1]</a>; {link}</span>' in html


@pytest.fixture
def again():
    """The options with which the filter runs once more."""
    return f"--filter={quick(FILTER)}", HOVER


def test_works_on_hover_over_citations(run, again):
    """The second run shows them where citeproc has made links."""
    text = f"[@doi:10.1000/182, p. 3; @DOI:10.1000/183], @{{doi:{SICI}}}, [@doi:10.1000/182]"
    paragraph = run(text, *again, "-Mlink-citations=true", to="html")[0].partition("<div")[0]
    assert [(each.get("class"), each["title"]) for each in Links(paragraph).all] == [
        (None, "Paskin (2000). DOI Handbook."),
        ("doi-retracted", "Retracted. Miller, R Core Team (1999). Ants. Journal of Ants."),
        (None, "Berg (1998). Old."),
        (None, "Paskin (2000). DOI Handbook."),
    ]


def test_the_filter_before_and_after_citeproc(run, again):
    """The second run makes the links of the list as the options say."""
    html, said = run("[@doi:10.1000/183; @doi:10.1000/x]", *again, to="html")
    assert html.count('id="ref-doi:10.1000/183"') == 1
    assert (
        '<a href="https://doi.org/10.1000/183" class="doi doi-retracted" '
        'title="Retracted. Miller, R Core Team (1999). Ants. Journal of Ants.">'
        "https://doi.org/10.1000/183</a>"
    ) in html
    assert len(said) == 1


def test_as_quarto_runs_the_filter(run, tmp_path):
    """Quarto runs citeproc if the metadata have references, be it none."""
    lua = lua_filter(tmp_path / "quarto.lua")
    text = "---\nreferences: []\ndoi-cite: true\n---\n\nAs @doi:10.1000/182 says.\n"
    path = f"{FILTER.parent}{os.pathsep}{os.environ['PATH']}"
    flags = [f"--lua-filter={lua}", "--citeproc"]
    shown, said = run(text, *flags, cite=None, doilinks=False, env={"PATH": path})
    assert body(shown) == "As Paskin (2000) says."
    assert said == []


# --------------------------------------------------------------------------------------------------
# The list of DOIs, and documents that ask for nothing.


@pytest.mark.usefixtures("here")
def test_names_in_citations_are_listed():
    text = "[@doi:10.1000/182; @doi:10.1000/x] <!-- doilinks: ignore -->\n\n@doi:10.1000/ex\n"
    head = "---\ndoi-cite: true\ndoi-ignore: [10.1000/e]\nnocite: '@doi:10.1000/183'\n---\n\n"
    document = rewrite(tree(head + text))
    silenced = {found.doi.name: bool(found.silence) for found in document.dois}
    assert silenced == {"10.1000/182": True, "10.1000/x": True, "10.1000/183": False}


def test_a_document_chooses_no_other_lock_file(run):
    for option in (ON, HOVER):
        with pytest.raises(AssertionError, match="doi-check-lockfile: takes the name of a"):
            run("doi:10.1000/182", option, "-Mdoi-check-lockfile=/etc/x.json", cite=None)


def test_a_damaged_lock_file_that_nothing_is_asked_of_is_not_named(run, tmp_path):
    (tmp_path / "doi-lock.json").write_text("{")
    assert run("A title 10.1 and no name.", HOVER)[1] == []


def test_only_who_asks_for_works_loads_them(tmp_path):
    """To import them takes time, and most documents show nothing of works."""
    code = (
        "import sys; from doilinks.pandoc import rewrite; rewrite(sys.argv[1], writer='html'); "
        "print(*sorted(name for name in sys.modules if name.startswith(('doilinks.cite', "
        "'doilinks.record.labels'))))"
    )
    loaded = {}
    for option in ("display", "hover", "cite"):
        text = (
            f"---\ndoi-{option}: {'uri' if option == 'display' else 'true'}\n---\n\ndoi:10.1000/182"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, tree(text)],
            cwd=tmp_path, capture_output=True, check=True, timeout=LONGEST,
        )  # fmt: skip
        names = done.stdout.decode().split()
        assert "doilinks.record.labels" not in names  # no work was retracted
        loaded[option] = bool(names)
    assert loaded == {"display": False, "hover": True, "cite": True}


@pytest.mark.usefixtures("here")
def test_metadata_after_the_blocks():
    given = json.loads(tree("---\ndoi-cite: true\n---\n\n@doi:10.1000/182 10.1000/183"))
    made = rewrite(
        json.dumps({key: given[key] for key in ("pandoc-api-version", "blocks", "meta")})
    )
    assert made.options.cite
    assert json.loads(made.text)["meta"]["references"]["c"][0]["t"] == "MetaMap"


# --------------------------------------------------------------------------------------------------
# Hover.


class Links(HTMLParser):
    """The attributes of the links of a page."""

    def __init__(self, html):
        super().__init__()
        self.all, self.tags = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "a":
            self.all.append(dict(attrs))


def test_hover(run):
    text = (
        "doi:10.1000/182, <https://doi.org/10.1000/183>, [it](https://doi.org/10.1000/182), "
        '[it](https://doi.org/10.1000/182 "Mine"), doi:10.1000/x, [@doi:10.1000/x]'
    )
    links = Links(run(text, HOVER, to="html")[0]).all
    book, article = (
        "Paskin (2000). DOI Handbook.",
        "Miller, R Core Team (1999). Ants. Journal of Ants.",
    )
    assert [each.get("title") for each in links] == [
        book, f"Retracted. {article}", book, "Mine", None, None,
    ]  # fmt: skip
    assert ["doi-retracted" in each["class"].split() for each in links].index(True) == 1


@pytest.mark.parametrize(
    ("writers", "shows"),
    [
        ("html html4 html5 revealjs slidy epub epub2 epub3 chunkedhtml", True),
        ("latex man plain markdown gfm docx rst typst json", False),
    ],
)
@pytest.mark.usefixtures("here")
def test_hover_is_for_html_and_epub(writers, shows):
    """No other format changes."""
    given = [tree(f"---\ndoi-hover: {on}\n---\n\ndoi:10.1000/183") for on in ("true", "false")]
    for writer in writers.split():
        on, off = (json.loads(rewrite(each, writer=writer).text)["blocks"] for each in given)
        assert ("doi-retracted" in str(on)) is shows, writer
        assert ("Retracted. Miller" in str(on)) is shows, writer
        assert (on != off) is shows, writer


@pytest.mark.parametrize(("to", "runs"), [("epub2", 1), ("epub3", 2)])
def test_ids_of_epub_are_names_of_xml(to, runs, tmp_path):
    """As epubcheck wants them; and each link leads to one."""
    lock(tmp_path, WORKS)
    after = [f"--filter={quick(FILTER)}"] * (runs - 1)
    flags = ["--citeproc", *after, ON, HOVER, "-Mlink-citations=true", "-Mtitle=T"]
    text = f"[@doi:10.1000/182; @doi:10.1000/x], @{{doi:{SICI}}}, @DOI:10.1000/182, @{{doi:10.1000/456#789}}"
    out = tmp_path / "out.epub"
    pandoc("-t", to, *flags, "-o", out, given=text, cwd=tmp_path)
    with zipfile.ZipFile(out) as archive:
        page = archive.read("EPUB/text/ch001.xhtml").decode()
    root = ET.fromstring(page)
    ids = {each.get("id") for each in root.iter() if each.get("id")}
    assert [each for each in ids if not re.fullmatch("[A-Za-z][A-Za-z0-9-]*", each)] == []
    links = [each for each in Links(page).all if "#ref-" in each["href"]]
    assert len(links) == 4
    assert {each["href"].partition("#")[2] for each in links} < ids
    assert [each.get("title") for each in links][:2] == (
        [None, None] if runs == 1 else ["Paskin (2000). DOI Handbook.", "Berg (1998). Old."]
    )


@pytest.mark.usefixtures("here")
def test_names_in_citations_of_epub_are_listed():
    given = tree("---\ndoi-cite: true\n---\n\nSee [@doi:10.1000/182; @doi:10.1000/x].\n")
    once = rewrite(given, writer="epub")
    assert {each.doi.name for each in once.dois} == {"10.1000/182", "10.1000/x"}
    twice = rewrite(once.text, writer="epub")
    assert {each.doi.name for each in twice.dois} == {"10.1000/182", "10.1000/x"}
    assert twice.text == once.text


def test_hover_follows_the_check_of_works(run, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.doilinks]\ncheck_works = "warn"\n')
    assert "DOI Handbook" in run("doi:10.1000/182", to="html", cite=None)[0]
    assert (
        "DOI Handbook" not in run("doi:10.1000/182", "-Mdoi-hover=false", to="html", cite=None)[0]
    )
    (tmp_path / "doi-lock.json").unlink()
    assert run("doi:10.1000/182", to="html", cite=None)[1] == []
