"""The table of file types: each row is whole, and a row and a reader are all that a type needs."""

import re
import sys
from dataclasses import replace
from types import ModuleType

import pytest

from doilinks.core.found import Comment, CommentSyntax, verbatim
from doilinks.core.options import Options
from doilinks.files.fix import Original, chosen, mend
from doilinks.files.sources import TYPES, FileType, comments, read, type_of, walk
from doilinks.files.sources.escapes import backslashes
from doilinks.files.sources.prose import begin, found_in_link, found_in_prose, hidden

from ..tools.command import doilinks


def test_an_ending_is_of_one_type():
    endings = [ending for row in TYPES.values() for ending in row.endings]
    assert len(endings) == len(set(endings))
    assert all(type_of(f"A.{e.upper()}") == row.name for row in TYPES.values() for e in row.endings)


def test_a_type_is_called_by_its_first_ending():
    assert all(row.name == row.endings[0] for row in TYPES.values() if row.endings)


def test_a_type_may_be_that_of_names():
    names = [name for row in TYPES.values() for name in row.names]
    assert len(names) == len(set(names))
    assert all(
        type_of(f"docs/{n.upper()}") == row.name for row in TYPES.values() for n in row.names
    )
    assert type_of("package.json") is None


@pytest.mark.parametrize(
    ("kind", "comment"),
    [
        pytest.param(kind, comment, id=f"{kind} {comment.example}")
        for kind, row in TYPES.items()
        for comment in (row.comments.comments if row.comments and kind != "ipynb" else ())
    ],
)
def test_a_comment_is_like_its_example(kind, comment):
    assert [each.word for each in comments(f"{comment.example}\n\na\n", kind)] == ["ignore"]
    assert not list(comments(f"{comment.unlike}\n\na\n", kind))


CODE = re.compile(r"(?ms)^---$.*?(?:^---$|\Z)")
LINK = re.compile(r"\[\[([^\[\]]+)\]\[([^\[\]]+)\]\]")


def read_notes(text, options):
    """A reader of a format whose links are ``[[target][text]]``."""
    text = hidden(text, CODE)
    links = (
        replace(found, span=link.span(1))
        for link in LINK.finditer(text)
        if (found := found_in_link(link[1], options, texts=[link[2]]))
    )
    return iter(sorted([*links, *found_in_prose(hidden(text, LINK), options)], key=begin))


@pytest.fixture
def notes(monkeypatch):
    module = ModuleType("doilinks.files.sources.notes")
    module.read = read_notes
    comment = Comment("; doilinks: ignore", "", r";[ \t]*doilinks:[ \t]*(?P<word>\w+)$")
    row = FileType(
        "note", "notes", "notes", ("note",), comments=CommentSyntax((comment,), verbatim(CODE)),
        escapes=(backslashes,), between=r"\]\[",
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(TYPES, "note", row)
    return row


OLD = "http://dx.doi.org/10.1000"
NOTE = f"See {OLD}/a\\_b; [[{OLD}/c][{OLD}/c]]\n"


def test_a_row_and_a_reader_are_a_type(notes, tmp_path):
    (tmp_path / "a.note").write_text(NOTE + "doi:10.1000/d ; doilinks: ignore\n")
    found = list(read(NOTE, "note", Options()))
    assert [(each.doi.name, each.line, each.column) for each in found] == [
        ("10.1000/a_b", 1, 5), ("10.1000/c", 1, 39),
    ]  # fmt: skip
    assert [each.kind for each in walk(str(tmp_path))] == ["note"]
    done = mend(Original(NOTE.encode(), "note"), "note", Options(), chosen([], [], asks=False))
    assert done.octets.decode() == NOTE.replace("http://dx.", "https://")


def test_comments_and_names_in_code_do_not_count(notes):
    code = "---\n{}\n---\n"
    text = code.format("doi:10.1000/a ; doilinks: ignore") + "doi:10.1000/b ; doilinks: ignore\n"
    assert [each.line for each in comments(text, "note")] == [4]
    assert [each.line for each in read(text, "note", Options())] == [4]
    assert not list(comments(code.format("; doilinks: ignore")[:-4], "note"))


def test_the_help_names_every_type(tmp_path):
    said = doilinks("scan", "--help", cwd=tmp_path)[1]
    named = (" ".join(row.names) or f".{row.name}" for row in TYPES.values())
    assert f"Types of files: {' '.join(named)}." in " ".join(said.split())
