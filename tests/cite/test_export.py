"""Works for other programs: BibTeX, read back by those that people have, and CSL-JSON."""

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pypandoc
import pytest

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.record.bibtex import bibtex_of, keys_of
from doilinks.record.export import csl_of
from doilinks.record.kinds import Status, csl_type
from doilinks.record.work import Person, Work, plain
from doilinks.sources import read

from ..injection.corpus import entries
from ..tools.names import WEIRD
from ..tools.programs import LONGEST, succeeded
from ..tools.sphinx_projects import sphinx_build, write
from ..tools.tables import tables

TABLES = tables(__file__)

pytest.importorskip("pybtex")

OLD = DOI("10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0")
WORKS = {
    DOI("10.1000/182"): Work(
        ("DOI Handbook",),
        ("Paskin",),
        (2000,),
        "book",
        publisher="IDF & Sons",
        people=(Person("Paskin", "Norman"),),
        count=1,
    ),
    OLD: Work(
        ("Growth of 5 % in {in vitro} cell_lines", "Growth of 5 % in {in vitro} cell_lines: #1"),
        ("van den Berg", "R Core Team", "Müller"),
        (1998, 1999),
        "journal-article",
        "Journal of Names & Signs",
        volume="49",
        issue="8",
        page="693-705",
        people=(Person("van den Berg", "Ann Marie"), Person("R Core Team"), Person("Müller", "C.-J.")),
        count=3,
        status=Status.RETRACTED,
        month=6,
        day=15,
    ),
    DOI("10.5281/zenodo.1234"): Work(
        ("Data of everything",),
        ("光",),
        (2021,),
        "Dataset",
        publisher="Zenodo",
        count=2_999,
        month=12,
        version="v1.2_a",
    ),
    DOI("10.1000/thesis"): Work(("A thesis",), ("Smith and Sons, Inc",), (2001,), "dissertation", publisher="A university"),
    DOI("10.1000/papers"): Work(
        ("Some papers",),
        ("Jones",),
        (2011,),
        "edited-book",
        publisher="A press",
        people=(Person("Jones", "A. and B."), Person("Smith", "C")),
        count=2,
        role="editor",
    ),
}  # fmt: skip
STOPS = (" ", ",", ".", ";")
# Readers of BibTeX need a second for a thousand braces.
HOSTILE = [
    *(text[:500] for text in entries("works.txt") if plain(text) and text.isprintable()), "%" * 200, "word " * 1_000,
]  # fmt: skip


def parsed(text: str):
    from pybtex.database.input.bibtex import Parser

    return Parser().parse_string(text)


def by_pandoc(text: str, *arguments: str) -> str:
    done = subprocess.run(
        [pypandoc.get_pandoc_path(), *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(("record", "fields", "lines"), TABLES["what_is_exported"])
def test_what_is_exported(record, fields, lines):
    work = Work.of({"title": "Names", **record})
    item, text = csl_of(DOI("10.1000/182"), work), bibtex_of({DOI("10.1000/182"): work})
    assert {name: item.get(name) for name in fields} == fields
    assert [line for line in lines if line not in text] == []


def test_bibtex():
    text = bibtex_of(dict(list(WORKS.items())[:2]))
    keys = keys_of(WORKS)
    assert text == (
        f"""@book{{{keys[DOI("10.1000/182")]},
    author = "Paskin, Norman",
    title = "{{DOI Handbook}}",
    year = "2000",
    publisher = "IDF \\& Sons",
    doi = "10.1000/182"
}}

@article{{{keys[OLD]},
    author = "van den Berg, Ann Marie and {{R Core Team}} and Müller, C.-J.",
    title = "{{Growth of 5 \\% in \\{{in vitro\\}} cell\\_lines: \\#1}}",
    journal = "Journal of Names \\& Signs",
    year = "1998",
    month = jun,
    day = "15",
    volume = "49",
    number = "8",
    pages = "693--705",
    doi = "{OLD.name}",
    note = "Retracted"
}}
"""
    )


def test_pybtex_reads_it():
    library = parsed(bibtex_of(WORKS))
    assert [*library.entries] == [*keys_of(WORKS).values()]
    kinds = [entry.type for entry in library.entries.values()]
    assert kinds == ["book", "article", "misc", "phdthesis", "book"]
    assert [entry.fields["doi"] for entry in library.entries.values()] == [d.name for d in WORKS]
    _, article, data, thesis, paper = library.entries.values()
    [first, team, last] = article.persons["author"]
    assert (first.prelast_names, first.last_names) == (["van", "den"], ["Berg"])
    assert (team.last_names, last.first_names) == (["{R Core Team}"], ["C.-J."])
    assert [*map(str, data.persons["author"])] == ["光", "others"]
    assert [*map(str, thesis.persons["author"])] == ["{Smith and Sons, Inc}"]
    assert thesis.fields["school"] == "A university"
    assert [*map(str, paper.persons["editor"])] == ["Jones, {A. and B.}", "Smith, C"]


def test_pandoc_reads_what_the_record_says():
    items = json.loads(by_pandoc(bibtex_of(WORKS), "-f", "bibtex", "-t", "csljson"))
    assert [item["DOI"] for item in items] == [doi.name for doi in WORKS]
    for item, (doi, work) in zip(items, WORKS.items(), strict=True):
        ours = csl_of(doi, work)
        assert item["title"] == ours["title"]
        for name in ("container-title", "volume", "issue", "page", "issued", "version"):
            assert item.get(name) == ours.get(name), (doi, name)
    names = [each.get("literal") or each["family"] for each in items[1]["author"]]
    assert names == ["Berg", "R Core Team", "Müller"]


def test_sphinxcontrib_bibtex_reads_it(tmp_path: Path):
    pages = {
        "conf.py": (
            "extensions = ['sphinxcontrib.bibtex']\nbibtex_bibfiles = ['refs.bib']\n"
            "html_theme = 'basic'\n"
        ),
        "index.rst": "List\n====\n\n.. bibliography::\n   :all:\n",
        "refs.bib": bibtex_of(WORKS),
    }
    succeeded(
        sphinx_build("-W", "-b", "html", str(write(tmp_path / "s", pages)), str(tmp_path / "o"))
    )
    page = (tmp_path / "o" / "index.html").read_text()
    assert page.count("https://doi.org/") == len(WORKS)
    assert "Growth of 5 % in" in page


def test_doilinks_reads_the_names_it_wrote():
    # In a field, a stop at the end of a name is read as the author's, and a blank as a slip.
    names = [DOI(name) for name in WEIRD if name.isprintable() and not name.endswith(STOPS)]
    names = [name for name in names if not name.suffix[0].isspace()]
    assert len(names) > 40
    works = dict.fromkeys([*WORKS, *names], Work(("A",), ("B",), (2000,)))
    found = read(bibtex_of(works), "bib", Options(), "refs.bib", print, blocks=False)
    assert [each.doi for each in found] == [*works]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_record_says_stays_in_its_field(text: str):
    people = (Person(text, text), Person(text), Person(text, ""))
    work = Work(
        (text,), (text,), (2000,), "journal-article", text, volume=text, issue=text, page=text,
        publisher=text, people=people, count=3, month=4, day=28, version=text,
    )  # fmt: skip
    doi = DOI("10.1000/182")
    made = bibtex_of({doi: work, DOI("10.1000/183"): WORKS[doi]})
    library = parsed(made)
    assert [entry.fields["doi"] for entry in library.entries.values()] == [doi.name, "10.1000/183"]
    [entry, _] = library.entries.values()
    assert {*entry.fields} == {
        "title", "journal", "year", "month", "day", "volume", "number", "pages", "version", "doi",
    }  # fmt: skip
    assert entry.fields["month"] == "April"
    assert len(entry.persons["author"]) == 3
    # No command but those that stand for a character.
    commands = {*re.findall(r"\\([A-Za-z]+)", made)}
    assert commands <= {
        "textbackslash", "textasciicircum", "textasciitilde", "textbraceleft", "textbraceright",
    }  # fmt: skip


def test_what_a_record_says_stays_text_in_pandoc():
    works = {
        DOI(f"10.1000/{at}"): Work((text,), ("A",), (2000,)) for at, text in enumerate(HOSTILE)
    }
    items = json.loads(by_pandoc(bibtex_of(works), "-f", "bibtex", "-t", "csljson"))
    assert [item["DOI"] for item in items] == [doi.name for doi in works]
    for item, text in zip(items, HOSTILE, strict=True):
        if "textbrace" not in bibtex_of({DOI("10.1000/1"): Work((text,))}):  # pandoc drops these
            # What pandoc makes of TeX: quotes, dashes and spaces.
            typed = {ord(mark): None for mark in " \u00a0\"'“”‘’-–—`…."}
            assert item["title"].translate(typed) == text.translate(typed)


def test_a_key_stays_whatever_is_added():
    before = keys_of(WORKS)
    # The same people and year.
    more = {DOI(f"10.1000/{at}x"): WORKS[OLD] for at in range(300)}
    after = keys_of(more | WORKS)
    assert {doi: after[doi] for doi in WORKS} == before
    assert len({*after.values()}) == len(after)
    assert all(re.fullmatch(r"[a-z]{1,20}[0-9]*-[a-z]{5}", key) for key in after.values())
    assert before[OLD].startswith("vandenberg1998-")


def test_the_key_of_a_name_is_that_of_all_its_spellings():
    doi, work = DOI("10.1000/AbC"), Work((), ("X",), (2000,))
    assert [*keys_of({doi: work}).values()] == [*keys_of({DOI("10.1000/aBc"): work}).values()]


TYPES = (
    "article article-journal article-magazine article-newspaper book chapter collection dataset entry "
    "entry-dictionary entry-encyclopedia figure graphic manuscript map motion_picture paper-conference "
    "patent periodical post-weblog report review software song speech standard thesis webpage"
)


@pytest.mark.parametrize("name", TYPES.split())
def test_a_type_of_csl_stays(name):
    """Source: https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types"""
    assert csl_type(name) == csl_type(name.title().replace("-", " ")) == name


@pytest.mark.parametrize(("names", "type_in_csl"), TABLES["the_types_of_agencies"])
def test_the_types_of_agencies(names, type_in_csl):
    assert {csl_type(name) for name in names.split()} == {type_in_csl}
    assert csl_type("") == "document"


def test_citeproc_of_pandoc_reads_csl_json(tmp_path: Path):
    (tmp_path / "works.json").write_text(json.dumps([csl_of(*each) for each in WORKS.items()]))
    text = "---\nnocite: '@*'\n---\n"
    page = by_pandoc(text, "--citeproc", f"--bibliography={tmp_path / 'works.json'}", "-t", "plain")
    plain = " ".join(page.split())
    for said in ("DOI Handbook", "Berg", "Müller", "光", "693–705"):
        assert said in plain
    assert page.count("doi.org/") == len(WORKS)


# CSL-JSON

NAME = DOI("10.1000/456#789")


def test_all_that_a_record_says():
    people = [
        {"family": "van den Berg", "given": "Ann Marie"}, {"literal": "R Core Team"},
        {"family": "Müller", "given": "C.-J."},
    ]  # fmt: skip
    assert csl_of(NAME, replace(WORKS[OLD], publisher="A press", version="1.2")) == {
        "id": "doi:10.1000/456%23789",
        "type": "article-journal",
        "title": "Growth of 5 % in {in vitro} cell_lines: #1",
        "author": people,
        "issued": {"date-parts": [[1998, 6, 15]]},
        "container-title": "Journal of Names & Signs",
        "volume": "49",
        "issue": "8",
        "page": "693-705",
        "publisher": "A press",
        "version": "1.2",
        "status": "retracted",
        "DOI": "10.1000/456#789",
        "URL": "https://doi.org/10.1000/456%23789",
    }


def test_what_is_unknown_is_left_out():
    assert csl_of(NAME, Work()) == {
        "id": "doi:10.1000/456%23789", "type": "document", "title": "doi:10.1000/456%23789",
        "DOI": "10.1000/456#789", "URL": "https://doi.org/10.1000/456%23789",
    }  # fmt: skip


def test_people_who_are_left_out_are_not_hidden():
    people = tuple(Person(f"P{number}", "") for number in range(11))
    work = Work(("T",), tuple(p.family for p in people), people=people, role="editor", count=3000)
    editors = csl_of(NAME, work)["editor"]
    assert editors[-3:] == [{"family": "P9"}, {"literal": "…"}, {"family": "P10"}]
