"""Files of works that are cited by key: BibTeX and CSL-JSON, and what is wrong with them."""

import json
from pathlib import Path

import pytest
from pybtex.database.input.bibtex import LowLevelParser

from doilinks import DOI
from doilinks.cite.citations import parse, parse_role
from doilinks.cite.references import Mention, References
from doilinks.core.nameless import BibKey
from doilinks.core.options import Options
from doilinks.lock import bib_files
from doilinks.lock.bib_files import bib_files_of
from doilinks.lock.known_works import KnownWorks
from doilinks.record.export import csl_of
from doilinks.record.words import reference

ITEM = {"id": "a", "title": "T", "author": [{"family": "Ann"}], "issued": {"date-parts": [[2000]]}}


def write(folder: Path, text: str | bytes, name: str = "refs.bib") -> tuple[str, ...]:
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return (str(folder / name),)


def test_bibtex_and_csl_json_say_the_same(tmp_path: Path):
    bib = "@book{a, title={T}, author={Ann, B.}, year=2000, doi={10.1000/1}}"
    item = {
        **ITEM, "author": [{"family": "Ann", "given": "B."}], "type": "book", "DOI": "10.1000/1",
    }  # fmt: skip
    one = bib_files_of(write(tmp_path, bib))
    other = bib_files_of(write(tmp_path, json.dumps([item]), "refs.json"))
    assert one.names == other.names == {"a": DOI("10.1000/1")}
    assert one.work(DOI("10.1000/1")) == other.work(DOI("10.1000/1"))


BOOK = """
@book{book, title={Shapes of Names}, subtitle={A Guide}, author={Ann, B. and Ben, C.}, year=2016,
  publisher={Press}, doi={10.1000/1}, pages={400}}
@proceedings{talks, title={Talks of 2001}, editor={Eve, F.}, year=2001, series={Notes}, volume=7}
@mvbook{loop, title={Loop}, crossref={loop}}
"""
BIBTEX = [
    # What is inherited, and what is not.
    ("@inbook{a, crossref={BOOK}, title={Elastic Names}, pages={73--80}}",
     "Ann, B. & Ben, C. (2016). Elastic Names. Shapes of Names, 73–80. Press."),
    ("@inproceedings{a, crossref={talks}, title={A Talk}, author={Lee, G.}}",
     "Lee, G. (2001). A Talk. Talks of 2001 (Eve, F., ed.), 7."),
    ("@incollection{a, crossref={book}, title={T}, booktitle={Other}, author={Lee, G.}, year=2017}",
     "Lee, G. (2017). T. Other. Press."),
    ("@inbook{a, crossref={loop}, title={In a Loop}}", "In a Loop (n.d.). Loop."),
    ("@inbook{a, crossref={nothing}, title={Alone}}", "Alone (n.d.)."),
    # Names.
    ("@misc{a, title={T}, author={Ann, B. and others}, year=2001}", "Ann, B. et al. (2001). T."),
    ("@misc{a, title={T}, author={Ann, Jr., B.}, year=2001}", "Ann, B., Jr. (2001). T."),
    ("@misc{a, title={T}, author={de la Cruz, III, B. C.}, year=2001}",
     "de la Cruz, B. C., III (2001). T."),
    ("@misc{a, title={T}, author={{Names, Signs and Others, Inc.}}, year=2001}",
     "Names, Signs and Others, Inc. (2001). T."),
    ("@book{a, title={T}, editor={Lund, P. and others}, year=2011}", "Lund, P. et al. (eds.) (2011). T."),
    ("@book{a, title={T}, author={Ann, B.}, editor={Eve, F.}, translator={Lee, G.}, year=2001}",
     "Ann, B. (2001). T (Eve, F., ed.; Lee, G., trans.)."),
    # What stands in the place of a year.
    ("@article{a, title={T}, journal={J}, author={Ann, B.}, year={in press}}", "Ann, B. (in press). T. J."),
    ("@article{a, title={T}, journal={J}, author={Ann, B.}, year={(Forthcoming)}}", "Ann, B. (Forthcoming). T. J."),
    ("@article{a, title={T}, journal={J}, author={Ann, B.}, pubstate={inpress}}", "Ann, B. (in press). T. J."),
    ("@book{a, title={T}, author={Ann, B.}, year={1250}}", "Ann, B. (1250). T."),
    ("@book{a, title={T}, author={Ann, B.}, year={2001}, pubstate={inpress}}", "Ann, B. (2001). T."),
    # Other fields.
    ("@article{a, title={T}, author={Ann, B.}, journal={J}, volume=3, eid={e12}, year=2001}",
     "Ann, B. (2001). T. J, 3, e12."),
    ("@book{a, title={T}, author={Ann, B.}, edition={3}, series={Notes}, publisher={Press}, year=2001}",
     "Ann, B. (2001). T (3rd ed.). Press."),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "shown"), BIBTEX)
def test_what_an_entry_of_bibtex_says(tmp_path: Path, entry: str, shown: str):
    book = bib_files_of(write(tmp_path, BOOK + entry))
    runs = reference(name := book.names["a"], book.work(name))
    assert "".join(run.text for run in runs) == shown
    assert isinstance(name, BibKey)  # the name of its book is not inherited


def test_children_of_one_book_do_not_read_it_again(tmp_path: Path, monkeypatch):
    read: list[object] = []
    monkeypatch.setattr(bib_files, "_person", lambda person: read.append(person) or {"family": "A"})
    names = " and ".join(f"N{at}, A." for at in range(100))
    rows = [f"@inbook{{k{at}, crossref={{book}}, title={{T}}}}" for at in range(100)]
    book = bib_files_of(write(tmp_path, "\n".join([*rows, f"@book{{book, author={{{names}}}}}"])))
    assert {book.work(book.names[f"k{at}"]).count for at in range(100)} == {100}
    assert len(read) == 100


def test_words_of_csl_json_in_the_place_of_a_year(tmp_path: Path):
    for more in (
        {"issued": {"literal": "in press"}},
        {"status": "in press"},
        {"issued": "in press"},
    ):
        item = {"id": "a", "title": "T", "author": [{"family": "Ann"}], **more}
        book = bib_files_of(write(tmp_path, json.dumps([item]), "refs.json"))
        work = book.work(book.names["a"])
        assert "".join(run.text for run in reference(book.names["a"], work)) == "Ann (in press). T."
        assert csl_of(DOI("10.1000/1"), work)["issued"] == {"literal": "in press"}


WRONG = [
    ("refs.bib", "@misc{a, title={A}}\n@misc{b, title={x}\n@misc{c}", 3),
    ("refs.bib", "@misc{a, title={A}}\n\n@misc{b, title={x", 3),
    ("refs.bib", "@misc{a, author={A, B, C, D\x1b, E}, title={x}}", ""),
    ("refs.bib", "@misc{a\u202e, title={A}, title={B}}", ""),
    ("refs.bib", b"@misc{a, title={\xff}}", ""),
    (
        "refs.bib",
        '@string{a0="xx"}' + "".join(f"@string{{a{n + 1}=a{n} # a{n}}}" for n in range(99)),
        "",
    ),
    ("refs.bib", f'@string{{a="{"x" * 5_000}"}}@misc{{a, title={" # ".join(["a"] * 500)}}}', ""),
    ("refs.json", '[{"id": "a",\n}]', 2),
    ("refs.json", "[" * 100_000, ""),
    ("refs.json", '[{"title": "x"}, 3]', ""),
]


@pytest.mark.parametrize(("name", "text", "line"), WRONG)
def test_a_file_with_errors_is_named_with_the_line(tmp_path: Path, monkeypatch, name, text, line):
    monkeypatch.chdir(tmp_path)
    bib_files = bib_files_of(write(tmp_path, text, name))
    assert bib_files.trouble[0].startswith(f"{name}:{line}:" if line else f"{name}: ")
    assert all(each.isprintable() for each in bib_files.trouble)


def test_a_repeated_key_is_told_and_what_is_right_counts(tmp_path: Path):
    bib_files = bib_files_of(
        write(tmp_path, "@misc{a, title={A}}\n@misc{a, title={B}}\n@misc{A, title={C}}")
    )
    assert all("repeated" in each for each in bib_files.trouble)
    assert bib_files.trouble
    assert bib_files.work(bib_files.names["a"]).title == "A"


def test_a_work_by_key_and_by_name_is_one_entry(tmp_path: Path):
    files = write(tmp_path, "@book{a, title={T}, author={Ann, B.}, year=2000, doi={10.1000/1}}")
    known_works = KnownWorks(None, Options(cite=True, cite_bib=files))
    clusters = [*parse("[@a] @doi:10.1000/1", files)]
    mentions = [Mention(cite.doi) for each in clusters for cite in each.cites]
    assert len(References(known_works.work, mentions).entries) == 1
    # A work that no agency has is written by hand, and nothing is to be fetched.
    assert [*known_works.unknown([DOI("10.1000/1")])] == []


def test_what_is_a_key(tmp_path: Path):
    files = write(tmp_path, "\n".join(f"@misc{{{key}, title={{x}}}}" for key in ("a", "a:b", "10.1000/1", "x-y_z")))  # fmt: skip

    def cited(text: str):
        return [cite.doi.folded for each in parse(text, files) for cite in each.cites]

    assert cited("@a, @a:b. @{a}b, (@x-y_z) @10.1000/1 @doi:10.1000/1") == [
        "@a", "@a:b", "@a", "@x-y_z", "@10.1000/1", "10.1000/1",
    ]  # fmt: skip
    assert cited("me@a, @A, @nobody, @ a") == []
    assert cited("[see @nobody; @a]") == ["@nobody", "@a"]
    assert [*parse("@a [@a]")] == []  # without files
    assert [(c.doi.folded, c.before, c.after) for c in parse_role("see a, p. 3; doi:10.1000/1", files)] == [
        ("@a", "see", ", p. 3"), ("10.1000/1", "", ""),
    ]  # fmt: skip


def test_a_wrong_key_is_told_with_one_that_may_be_meant(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "@misc{muller2001, title={x}}\n@misc{hostile\u202e1, title={x}}")
    known_works = KnownWorks(None, Options(cite=True, cite_bib=("refs.bib",)))
    said = [
        message
        for _, message in known_works.unknown(
            [BibKey("mueller2001"), BibKey("q\x1b"), BibKey("hostile2")]
        )
    ]
    assert said[0] == "there is no work @mueller2001 in refs.bib (did you mean @muller2001?)"
    assert said[1].isprintable()
    assert said[2].endswith("(did you mean @hostile\\u202e1?)")


def test_ten_thousand_works_and_a_work_of_three_thousand_people(tmp_path: Path):
    names = " and ".join(f"N{at}, A." for at in range(3_000))
    rows = [
        f"@misc{{k{at}, title={{T {at}}}, author={{Ann, B.}}, year=2000}}" for at in range(10_000)
    ]
    files = write(tmp_path, "\n".join([*rows, f"@misc{{many, author={{{names}}}, title={{M}}}}"]))
    [cluster] = parse("@many", files)
    work = bib_files_of(files).work(cluster.cites[0].doi)
    assert (work.count, len(work.people), len(work.names)) == (3_000, 21, 11)
    assert bib_files_of(files) is bib_files_of(files)  # read once


def test_no_search_for_one_delimiter_passes_others(tmp_path: Path, monkeypatch):
    """Each part of a value would be searched up to the end of a file without braces."""
    for each in ("AT", "QUOTE", "LBRACE", "RBRACE"):
        monkeypatch.setattr(getattr(LowLevelParser, each), "search", None)
    bib_files = bib_files_of(
        write(tmp_path, '@misc(a, title = "A" # {{B} "} # jan)\n@misc{b, title={x')
    )
    assert bib_files.trouble[0].endswith("syntax error in line 2: premature end of file")
    assert bib_files.work(bib_files.names["a"]).title == 'AB "January'
