"""No regular expression of the package takes more than linear time for a text at one place.

What the structure of a pattern does not show, ``tests/repository/test_linear.py`` counts. And each finds the
same in all versions of Python.
"""

import re
from random import Random

import pytest

from doilinks.core import mask
from doilinks.hosts.markdown import find as markdown

from ..tools.patterns import after_look_ahead, doubtful, fragments, misplaced, patterns
from ..tools.programs import tool
from ..tools.proof import number
from ..tools.searched import counts, searched

# Patterns in which two repeats take the same characters, and why they take linear time all the same.
ALLOWED = {
    # `(?:.*\n)*?` ends at an end of line, so what is tried after it reads no character twice.
    "doilinks.sources.markdown.FRONT_MATTER",
    # The line that ends a block is looked for once in each line, and the search goes on after it.
    "doilinks.sources.asciidoc._FENCE",
    "doilinks.sources.asciidoc._TOKEN",
}


@pytest.mark.parametrize(
    ("pattern", "is_doubtful"),
    [
        (r"a*a*b", True), (r"a*c?\s*[ab]*d", True), (r"(?:a+)+b", True), (r"(?:a*b?)*c", True),
        (r"\s+(?:a\s+)*\s*b", True), (r"[^c]*ab[abc]*d", True), (r"(?:x|a*)(?:a*|y)b", True),
        (r"a*(?=a*b)", True), (r"^(.*?//)?.*@", True), (r"a*+a*b", False), (r"(?>a*)a*b", False),
        (r"a*,a*b", False), (r"a*[,;]?b*c", False), (r"a{0,80}a{0,80}b", False),
        (r'"(?:[^"\\]|\\.)*"', False), (r"(?:a*b)*c", False),
    ],
)  # fmt: skip
def test_the_walk_knows_what_is_doubtful(pattern, is_doubtful):
    assert doubtful(pattern) == is_doubtful


def test_no_two_repeats_take_the_same():
    found = patterns()
    assert len(found) > 200
    assert any(": " in place for place in found), "those in functions are among them"
    assert {place for place, pattern in found.items() if doubtful(*pattern)} == ALLOWED


@pytest.mark.parametrize(
    ("pattern", "is_misplaced"),
    [
        # What Python 3.11.2 finds otherwise than 3.11.7.
        (r"(?:ab?c)*+a", True),
        (r'(?:[^"\\]++|\\.|"(?!""))*+"""', True),
        (r'(?:[^"\\]++|\\.|(?!""")")*+"""', True),
        (r"(?:,(?!a)|b){0,9}+,", True),
        (r"(?>(?:ab?c)*)a", False),
        (r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"', False),
        (r"a(?:b|[^cb])*+c", False),
    ],
)
def test_the_walk_knows_what_old_versions_of_python_do_otherwise(pattern, is_misplaced):
    assert misplaced(pattern) == is_misplaced


def test_every_python_finds_the_same():
    """In its first versions, 3.11 goes on at a wrong place after a possessive repeat of a group."""
    found = patterns() | {place: (text, re.VERBOSE) for place, text in fragments().items()}
    assert {place for place, pattern in found.items() if misplaced(*pattern)} == set()


def test_a_pattern_that_asks_first_what_it_begins_with_finds_the_same_without():
    chance = Random(53)
    rounds = number("texts for tokens", "each", 1_000, one_in=5)
    markup = mask._markup(raw_html=True, more=markdown._TAKEN + markdown._FORMULA)
    some = patterns() | {"decoded": (markup.pattern, markup.flags)}
    found = {
        place: (re.compile(*each), after)
        for place, each in some.items()
        if (after := after_look_ahead(*each))
    }
    assert len(found) > 5
    for place, (pattern, after) in found.items():
        signs = (
            re.findall(r"[A-Za-z]{2,}|[^\w\s]", pattern.pattern) + [" ", "\n", "\n\n", "a", "1"] * 9
        )
        for _ in range(rounds):
            text = "".join(chance.choices(signs, k=12))
            tokens, same = (
                [(each.span(), each.lastgroup) for each in one.finditer(text)]
                for one in (pattern, after)
            )
            assert tokens == same, (place, text)


@pytest.mark.thorough
def test_no_pattern_is_tried_at_every_character(tmp_path, monkeypatch):
    """Of those with which readers search all of a text: five times what one takes that finds nothing."""
    tool("valgrind", "instructions are not counted")
    with monkeypatch.context() as patch:
        found = searched(patch)
    assert len(found) > 20
    slow = {
        place: times for place, times in counts(found, tmp_path / "a", monkeypatch) if times > 5
    }
    assert not slow
