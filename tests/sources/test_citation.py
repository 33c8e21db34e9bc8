"""The reader of ``CITATION.cff``: which fields count, and that the place is exact."""

from doilinks.core.options import Options
from doilinks.files.sources import read

from ..tools.places import unmarked

CITATION = r"""cff-version: 1.2.0
title: About 10.1000/title
abstract: >-
  Folded text about ▸doi:10.1000/1 and
  ▸10.1000/2, ▸10.1000/2.
doi: ▸10.1000/456#789  # 10.1000/comment
url: "▸https://doi.org/10.1000/3"
repository-code: https://example.org/10.1000/code
keywords: [10.1000/keyword]
identifiers:
  - type: doi
    value: '▸https://doi.org/10.1000/4'
    description: 10.1000/description
  - type: url
    value: ▸https://doi.org/10.1000/5
  - type: swh
    value: swh:1:rev:10.1000/swh
references:
  - &work
    type: article
    doi: ▸"10.1000/\x36"
    authors: [{name: 10.1000/name, website: "https://doi.org/10.1000/website"}]
  - *work
  - {type: book, notes: see ▸doi:10.1000/7, identifiers: [{type: doi, value: ▸10.1000/8}]}
preferred-citation:
  doi: |
    ▸10.1000/9
"""


def test_a_citation_file():
    text, places = unmarked(CITATION)
    said = []
    found = list(read(text, "cff", Options(), "CITATION.cff", said.append, blocks=True))
    assert [(each.doi.name, each.form) for each in found] == [
        ("10.1000/1", "label"), ("10.1000/2", "bare"), ("10.1000/2", "bare"),
        ("10.1000/456#789", "field"), ("10.1000/3", "link"), ("10.1000/4", "field"),
        ("10.1000/5", "link"), ("10.1000/6", "field"), ("10.1000/7", "label"),
        ("10.1000/8", "field"), ("10.1000/9", "field"),
    ]  # fmt: skip
    assert [(each.line, each.column) for each in found] == places
    assert said == []
    assert "type: article" in found[7].block
    assert "title" not in found[7].block


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
