"""The words of a page in the language of its readers: the table, and each host that has a language."""

import re
import subprocess
import sys

import pytest

from doilinks import DOI
from doilinks.record.kinds import Status
from doilinks.record.language import _TABLE, ENGLISH, Language, language_of, rows
from doilinks.record.words import authors_of, hover, reference
from doilinks.record.work import Person, Work

from ..tools.hosts import pandoc
from ..tools.modules import run_module
from ..tools.programs import succeeded
from ..tools.sphinx_projects import sphinx_build
from ..tools.works import lock

LANGUAGES = ["de", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh"]


def test_the_table_has_these_languages_in_the_order_of_their_tags():
    head = _TABLE.strip().splitlines()[0]
    assert tuple(map(str.strip, head.split("|"))) == Language._fields
    assert [*rows()] == ["en", *LANGUAGES]


@pytest.mark.parametrize("tag", LANGUAGES)
def test_a_row_is_whole(tag):
    row, english = rows()[tag], rows()["en"]
    for field in Language._fields:
        mine, theirs = getattr(row, field), getattr(english, field)
        assert mine.isprintable() or "\u00a0" in mine
        assert mine, field
        # What is put in is all that a format has: a row with another brace would be an error.
        assert re.findall("[{}]+", mine) == re.findall("[{}]+", theirs), field
    assert row.retracted != english.retracted
    assert row.back != english.back


@pytest.mark.parametrize(
    ("said", "tag", "no_date"),
    [
        ("de", "de", "o. J."),
        ("de-AT", "de-AT", "o. J."),
        ("pt_BR", "pt-BR", "s.d."),
        ("zh-Hant-TW", "zh-Hant-TW", "日期不详"),
        ("DE-ch", "DE-ch", "o. J."),
        ("sv", "sv", "n.d."),
        ("en-GB", "en-GB", "n.d."),
        *((wrong, "", "n.d.") for wrong in ("", None, "german", "de-", "--lua-filter=x", "d", 5)),
    ],
)
def test_a_region_and_an_unknown_language_fall_back(said, tag, no_date):
    language = language_of(said)
    assert (language.tag, language.no_date) == (tag, no_date)
    assert language_of("") is ENGLISH


@pytest.mark.parametrize("tag", ["", *LANGUAGES])
def test_what_a_record_says_is_no_format(tag):
    """Braces of a name are text, a record of thousands names a few, and what runs from right to left stays apart."""
    language = language_of(tag)
    odd = Work((), ("{0.__class__}", "{}"), (2000,))
    assert (
        authors_of(odd, language)
        == language.two.replace("{}", "{0.__class__}", 1).removesuffix("{}") + "{}"
    )
    titled = Work(("{} {tag}",))
    assert "{} {tag}" in authors_of(titled, language)
    many = Work(("T",), tuple(f"P{at}" for at in range(11)), (2000,), count=3_000)
    assert authors_of(many, language) == language.more.replace("{}", "P0")
    assert hover(many, language) == f"{language.more.replace('{}', 'P0, P1, P2')} (2000). T."
    assert "… P10" in "".join(run.text for run in reference(DOI("10.1000/1"), many, "", language))
    for number in (1, 2, 3):
        rtl = authors_of(Work((), tuple("\u05d3\u05d4\u05d5"[:number]), (2000,)), language)
        assert rtl[0] + rtl[-1] == "\u2068\u2069"


# --------------------------------------------------------------------------------------------------
# Hosts.

WORKS = {
    "two": {"title": "Two", "author": [["Eins", "A."], ["Zwei", "B."]], "year": 2000},
    "more": {"title": "More", "author": [["Eins"], ["Zwei"], ["Drei"], ["Vier"]]},
    "none": {"title": "None"},
    "book": {"title": "Book", "editor": [["Fünf", "E."]], "year": 2001},
    "bad": {"title": "Bad", "author": [["Sechs"]], "year": 2002, "status": "retracted"},
}
MD = " ".join(f"@doi:10.1000/{name}" for name in WORKS)
RST = " ".join(f":doi:cite:t:`10.1000/{name}`" for name in WORKS)
# What pages say in German and Japanese; a hover, an entry, and the label of a link back.
SAID = {
    "de-AT": (
        "Eins und Zwei (2000)", "Eins u. a. (o. J.)", "„None“ (o. J.)", "Fünf, E. (Hrsg.) (2001)",
        "Zurückgezogen. Sechs (2002). Bad.", 'aria-label="Zurück zum Text"',
    ),
    "ja": (
        "Eins・Zwei (2000)", "Einsほか (日付なし)", "「None」 (日付なし)", "Fünf, E. (編) (2001)",
        "撤回. Sechs (2002). Bad.", 'aria-label="本文に戻る"',
    ),
}  # fmt: skip


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lock(tmp_path, {f"10.1000/{key}": {"type": "", **each} for key, each in WORKS.items()})
    (tmp_path / "docs").mkdir()
    return tmp_path


def assert_said(html, language):
    text = re.sub("</?(?:b|strong|a|i|em)[^>]*>", "", html)
    missing = [each for each in SAID[language] if each not in text and each not in html]
    assert missing == [], text[:2000]


@pytest.mark.parametrize("language", SAID)
def test_docutils(project, language):
    (project / "a.rst").write_text(f"{RST}\n\n.. doi-list::\n")
    more = [
        "--doi-hover=yes", "--writer=html5", "--doi-cite=yes",
        f"--language={language.partition('-')[0]}",
    ]  # fmt: skip
    done = run_module("docutils", "--parser=doilinks.docutils", *more, "a.rst", cwd=project)
    assert_said(done.stdout, language)


LANGUAGE = "de-AT"  # of hosts that are programs


def test_sphinx(project):
    (project / "conf.py").write_text(
        f"extensions, language = ['doilinks.sphinx'], {LANGUAGE.replace('-', '_')!r}\n"
        "doi_cite = doi_hover = True\nhtml_theme = 'basic'\n"
    )
    (project / "index.rst").write_text(f"A\n=\n\n{RST}\n\n.. doi-list::\n")
    sphinx_build("-q", "-W", ".", "out")
    assert_said((project / "out" / "index.html").read_text(), LANGUAGE)


THEMES = ["{name: material, language: %s}", "{name: mkdocs, locale: %s}"]


@pytest.mark.parametrize("theme", THEMES)
def test_mkdocs(project, theme):
    (project / "docs" / "index.md").write_text(f"# A\n\n{MD}\n\n[doi-list]\n")
    (project / "mkdocs.yml").write_text(
        f"site_name: A\ntheme: {theme % LANGUAGE.partition('-')[0]}\n"
        "plugins: [{doilinks: {cite: true, hover: true}}]\n"
    )
    succeeded(run_module("mkdocs", "build", cwd=project))
    assert_said((project / "site" / "index.html").read_text(), LANGUAGE)


def test_zensical(project):
    zensical = pytest.importorskip("zensical", reason="Zensical is not installed")
    assert zensical
    (project / "docs" / "index.md").write_text(f"# A\n\n{MD}\n\n[doi-list]\n")
    (project / "mkdocs.yml").write_text(
        f"site_name: A\ntheme: {{language: {LANGUAGE.partition('-')[0]}}}\n"
        "markdown_extensions: [{doilinks: {cite: true, hover: true}}]\n"
    )
    subprocess.run([sys.executable, "-m", "zensical", "build"], cwd=project, check=True)
    assert_said((project / "site" / "index.html").read_text(), LANGUAGE)


@pytest.mark.parametrize(("language", "state"), [("de-AT", "Zurückgezogen"), ("ja", "撤回")])
def test_pandoc(project, language, state):
    options = ["-Mdoi-cite=true", "-Mdoi-hover=true", f"-Mlang={language}", "--citeproc"]
    text = f"{MD} doi:10.1000/bad"
    html = pandoc(*options, "-t", "html", given=text, cwd=project).stdout.decode()
    assert f'title="{state}. Sechs (2002). Bad."' in html
    assert f"{state}: Bad" in re.sub("<[^>]*>", "", html).replace("\n", " ")


def test_a_style_of_csl_has_its_own_words(project):
    from doilinks.cite.references import Mention, References
    from doilinks.cite.style import style_of

    style = style_of("apa", project, pytest.fail)
    person = Person("Fünf", "E.")
    work = Work(
        ("Book",),
        ("Fünf",),
        (2001,),
        "book",
        status=Status.RETRACTED,
        people=(person,),
        role="editor",
    )
    doi = DOI("10.1000/book")

    def page(tag: str) -> References:
        return References({doi: work}.get, [Mention(doi)], style=style, language=language_of(tag))

    said = {
        tag: "".join(run.text for run in page(tag).entries[0].runs)
        for tag in ("", "en", "de-CH", "ja", "sv")
    }
    assert said == {
        "": "Retracted. Fünf, E. (Ed.). (2001). Book.",
        "en": "Retracted. Fünf, E. (Ed.). (2001). Book.",
        "de-CH": "Zurückgezogen. Fünf, E. (Hrsg.). (2001). Book.",
        "ja": "撤回. Fünf, E. (編). (2001年). Book.",
        "sv": "Retracted. Fünf, E. (Red.). (2001). Book.",
    }
