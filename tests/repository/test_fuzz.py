"""The fuzz targets hold for their seeds, and for what fuzzing has found."""

from __future__ import annotations

import pytest
from fuzz.run import seeds_of
from fuzz.targets import SEEDS, TARGETS

from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.proof import sample


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_holds_for_its_seeds(target):
    run = TARGETS[target]()
    turn = list(TARGETS).index(target)
    assert len(SEEDS) > 200
    taken = sample("seeds of fuzzing", target, SEEDS, one_in=48, turn=turn)
    for seed in seeds_of(target, tuple(taken)):
        run(seed)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xff\x00\xed\xa0\x80 10.1000/\xed\xa0\x80", b"\x00https://doi.org/10011.6/",
        b"\x0010.1000/a\\\x00b\x0b\x0c\x1c\x85 10.1000/a",
        b"\x00urn:doi:/10.1000/a, urn:doi://10.1000/b, urn:doi :10.1000/c",
        b"\x0210.1002/6\xb710.1002/c\xe3\x82\x92{}",
        b"\x00Write \\```python to begin. See 10.1000/182.",
    ],
)  # fmt: skip
def test_a_target_holds_for_what_was_found(target, data):
    TARGETS[target]()(data)


FENCES = ["`" * n for n in range(303, 3, -1)]
BROKEN = '@a{b,\n doi = {10.1000/1\n doi = {10.1000/2},\n note = {x,\n doi = "10.1000/3\n@a{c, doi = {\n10.1000/4}}'
NESTED = (
    "10.1000/181\n\n" + "{note}\n".join([*FENCES, ""]) + "10.1000/182\n" + "\n".join(FENCES[::-1])
)
ROWS = [  # what fuzzing has found, and the names with their lines
    ("txt", "10.1000/adoi.org/10.1000/a", ["10.1000/adoi.org/10.1000/a:1"]),
    ("txt", "10.5555/doi.org/cr3qwn", ["10.5555/doi.org/cr3qwn:1"]),
    ("txt", "urn:doi:10.1000%2Fa:b", ["10.1000/a:b:1"]),
    ("txt", "https://doi.org/10.1000/%2E?doi.org/10.1000/", []),
    ("bib", BROKEN, ["10.1000/1:2", "10.1000/2:3", "10.1000/3:5", "10.1000/4:7"]),
    ("html", f'<a href="&#{"1" * 5000};">a</a> 10.1000/182', ["10.1000/182:1"]),
    ("md", NESTED, ["10.1000/181:1"]),
    ("md", "{doi}`" + "<  >  " * 20_000 + "x 10.1000/a`", []),
    ("md", "See 10.1000/a\0b and 10.1000/c.", ["10.1000/a\ufffdb:1", "10.1000/c:1"]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "names"), ROWS, ids=range(len(ROWS)))
def test_what_was_found_is_read_rightly(kind, text, names):
    assert [f"{found.doi.name}:{found.line}" for found in read(text, kind, Options())] == names
