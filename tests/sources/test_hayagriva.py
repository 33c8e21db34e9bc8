"""The reader of Typst's bibliographies in YAML: which files are one, and which fields count."""

import pytest

from doilinks.checking.record.work import Work
from doilinks.checking.works.comparing import Verdict, compare
from doilinks.core.options import Options
from doilinks.files.sources import read

from ..tools.places import unmarked

BIBLIOGRAPHY = r"""
# 10.1000/comment
one:
  type: article
  title: About 10.1000/title
  author: ["Doe, Jane", "10.1000/author"]
  date: 2020-01-02
  url: ▸https://doi.org/10.1000/1
  serial-number:
    doi: "▸10.1000/2#3"
    issn: 10.1000/no
  note: Comment on ▸doi:10.1000/4
  parent:
    type: Proceedings
    title: Of the conference
    serial-number: {doi: ▸10.1000/5}
two: {type: Book, title: B, url: {value: "▸https://dx.doi.org/10.1000/6", date: 2020-01-01}, serial-number: 10.1000/no}
three: &work
  type: Web
  doi: ▸10.1000/7
  parent:
  - {title: A, url: ▸https://doi.org/10.1000/8}
  - {title: B, abstract: See ▸10.1000/9}
four: *work
"""


def test_a_bibliography():
    text, places = unmarked(BIBLIOGRAPHY)
    said = []
    found = list(read(text, "yml", Options(), "refs.yml", said.append, blocks=True))
    assert [(each.doi.name, each.form) for each in found] == [
        ("10.1000/1", "link"), ("10.1000/2#3", "field"), ("10.1000/4", "label"),
        ("10.1000/5", "field"), ("10.1000/6", "link"), ("10.1000/7", "field"),
        ("10.1000/8", "link"), ("10.1000/9", "bare"),
    ]  # fmt: skip
    assert [(each.line, each.column) for each in found] == places
    assert said == []
    assert found[1].block.startswith("type: article\n")
    assert "type: Book" not in found[1].block
    assert found[3].block.startswith("type: Proceedings")  # a name of the book is not the chapter's


@pytest.mark.parametrize(
    "text",
    [
        "a: {type: article, url: https://doi.org/10.1000/1}\nversion: 2\n",
        "a: {type: article, url: https://doi.org/10.1000/1}\nb: {title: B}\n",
        "a: {type: object, title: article, url: https://doi.org/10.1000/1}\n",
        "a: {type: [article], url: https://doi.org/10.1000/1}\n",
        "- {type: article, url: https://doi.org/10.1000/1}\n",
        "type: article\nurl: https://doi.org/10.1000/1\n",
        "{{ type: article }}: https://doi.org/10.1000/1 {% if %}\n",
        "a: {type: article, url: https://doi.org/10.1000/1}\n---\na: 1\n",
        "a: {type: article, url: https://doi.org/10.1000/1}\n\0",
        "# type: article https://doi.org/10.1000/1\n",
        "? [a]\n: {type: article, url: https://doi.org/10.1000/1}\n",
        "&a a: &b {type: article, parent: *b, note: 10.1000/1}\nb: *b\nc: [10.1000/2]\n",
    ],
)
def test_other_yaml_is_not_read_and_nothing_is_said(text):
    said = []
    assert list(read(text, "yml", Options(), "a.yml", said.append)) == []
    assert said == []


def test_a_work_that_contains_itself_ends():
    text = "a: &a {type: book, parent: *a, note: 10.1000/1}\n"
    assert [each.doi.name for each in read(text, "yml", Options())] == ["10.1000/1"]


def test_what_an_alias_repeats_is_read_once():
    text = """
a: {type: book, note: &text 10.1000/1, serial-number: &numbers {doi: 10.1000/2}, parent: &parents [{doi: 10.1000/3}]}
b: {type: book, note: *text, serial-number: *numbers, parent: *parents}
"""
    found = [*read(text, "yml", Options(), blocks=True)]
    assert [each.doi.name for each in found] == ["10.1000/1", "10.1000/2", "10.1000/3"]
    assert found[0].block.startswith("{type: book, note: &text")


def test_a_type_of_nested_aliases_takes_no_time():
    levels = [f"    b{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else 'x'] * 4)}]" for n in range(40)]
    text = "\n".join(["v:", "  type: article", "  doi: 10.1000/182", "w:", "  type:", *levels])
    assert [*read(text, "yml", Options())] == []


CHAPTER = """
wien:
  type: chapter
  title: Computing real square roots of a real matrix
  author: ["Higham, Nicholas J.", "Björck, Åke"]
  date: 1987-04
  serial-number:
    doi: 10.1000/1
  parent:
    title: Linear Algebra and its Applications
    serial-number:
      doi: 10.1000/2
"""


def test_the_entry_of_a_name_is_compared_with_its_record():
    chapter, book = read(CHAPTER, "yml", Options(), blocks=True)
    record = Work(("Computing real square roots of a real matrix",), ("Higham", "Björck"), (1987,))
    other = Work(("Blocked Schur algorithms for the exponential",), ("Deadman",), (2013,))
    assert compare(chapter.block, record, chapter.doi).verdict is Verdict.SAME
    assert compare(chapter.block, other, chapter.doi).verdict is Verdict.OTHER
    of_book = Work(("Linear Algebra and its Applications",), ("Brualdi",), (1968,))
    assert compare(book.block, of_book, book.doi).verdict is not Verdict.OTHER
