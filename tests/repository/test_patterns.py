"""No regular expression of the package takes more than linear time for a text at one place.

What the structure of a pattern does not show, ``tests/repository/test_linear.py`` counts. And each finds the
same in all versions of Python.
"""

import re

import pytest

from ..tools.patterns import doubtful, fragments, misplaced, patterns

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
