"""The reader of ``CITATION.cff``: which fields count, and that the place is exact."""

from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.places import document


def test_the_block_is_that_of_the_work():
    text = document("A citation file")
    said = []
    found = list(read(text, "cff", Options(), "CITATION.cff", said.append, blocks=True))
    assert said == []
    assert "type: article" in found[8].block
    assert "title" not in found[8].block


def test_options_count():
    text = "doi: 10.5555/1\nurl: https://doi.org/10.5555/2\nnotes: 10.5555/3 10.1000/4\n"
    found = read(text, "cff", Options(ignore=[r"10\.5555/"]))
    assert [each.doi.name for each in found] == ["10.1000/4"]


def test_aliases_do_not_grow_without_bounds():
    lines = ["a: &a [{doi: 10.1000/1}]"]
    lines += [
        f"{after}: &{after} [*{before}, *{before}, *{before}]"
        for before, after in zip("abcdefghijklmnopqrstuv", "bcdefghijklmnopqrstuvw", strict=True)
    ]
    found = list(read("\n".join(lines), "cff", Options()))
    assert [each.line for each in found] == [1]
    text = "abstract: &a 10.1000/1\nreferences:\n- {notes: *a}\n- {notes: *a}\n- {abstract: *a}\n"
    assert len([*read(text, "cff", Options())]) == 2  # once as each of the two
