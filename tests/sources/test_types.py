"""The table of file types: each row is whole, and a row and a reader are all that a type needs."""

import pytest

from doilinks.sources import TYPES, comments, type_of

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


def test_the_help_names_every_type(tmp_path):
    said = doilinks("scan", "--help", cwd=tmp_path)[1]
    named = (" ".join(row.names) or f".{row.name}" for row in TYPES.values())
    assert f"Types of files: {' '.join(named)}." in " ".join(said.split())
