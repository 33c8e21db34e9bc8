"""The readers of programs: which of their strings and comments count, and that the place is exact."""

import ast
import re
import sysconfig
import warnings
from itertools import pairwise
from pathlib import Path

import pytest

from doilinks.core.options import Options
from doilinks.sources import read
from doilinks.sources.common import Lines
from doilinks.sources.python import LARGEST, in_documentation, parts, tokens

from ..tools.places import document, unmarked
from ..tools.proof import sample
from ..tools.sphinx_projects import sphinx_build, write


def rows(text, kind="py"):
    """Name, line, column and form of each DOI, and the messages."""
    said = []
    found = [
        (each.doi.name, each.line, each.column, each.form)
        for each in read(text, kind, Options(), "a.py", said.append)
    ]
    return found, said


def test_what_stands_in_the_program_is_what_was_found():
    text = '"""See 10.10\\\n00/a\\x62 and\n10.1000/2"""'
    found = list(read(text, "py", Options(), blocks=True))
    assert [text[slice(*each.span)] for each in found] == [each.written for each in found]
    assert [each.written for each in found] == ["10.10\\\n00/a\\x62", "10.1000/2"]
    assert [each.block.split() for each in found] == [["See", "10.1000/ab", "and", "10.1000/2"]] * 2


BROKEN = '''"""▸10.1000/1"""
print "10.1000/no"  # ▸10.1000/2
def f(:
    r\'\'\'See ``10.1000/code`` and
    ▸doi:10.1000/3\'\'\'
b"""10.1000/octets"""
"""Never closed ▸10.1000/4
'''
FOUND = [
    ("10.1000/1", "bare"), ("10.1000/2", "bare"), ("10.1000/3", "label"), ("10.1000/4", "bare"),
]  # fmt: skip


def test_a_program_that_does_not_parse():
    text, places = unmarked(BROKEN)
    found, (said,) = rows(text)
    assert [row[1:3] for row in found] == places
    assert [(name, form) for name, _, _, form in found] == FOUND
    assert said.startswith("a.py:1:1: not read as Python (")
    assert said.endswith("), but comments and strings in triple quotes are read")


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('x = 1\n"""10.1000/1"""\0', "it contains a null character"),
        ('"""10.1000/1"""\nx = "\ud800"', "it contains half of a surrogate pair"),
        ('"""10.1000/1"""\n' + "-" * 100_000 + "1", "it is nested too deeply"),
        ('"""10.1000/1"""\nx' + ".y" * 100_000, "it is nested too deeply"),
        ('"""10.1000/1"""\n' + "(" * 1000, "too many nested parentheses, line 2"),
        ('"""10.1000/1"""\n' + "#" * LARGEST, "it is longer than 2 million characters"),
    ],
    ids=["null", "surrogate", "operators", "attributes", "brackets", "length"],
)
def test_what_python_refuses_is_read_all_the_same(program, why):
    found, said = rows(program)
    assert [row[0] for row in found] == ["10.1000/1"]
    assert said == [
        f"a.py:1:1: not read as Python ({why}), but comments and strings in triple quotes are read"
    ]


def test_a_program_without_a_name_in_its_strings_need_not_parse():
    assert rows("def f(: # 10.1000/1") == ([("10.1000/1", 1, 11, "bare")], [])


def _literals(text):
    """Every string literal, as Python reads it, and its place."""
    starts, lines = Lines(text).starts, text.split("\n")

    def offset(line, octets):
        return starts[line - 1] + len(lines[line - 1].encode()[:octets].decode())

    tree = ast.parse(text)
    formatted = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in formatted
        ):
            start, end = (
                offset(node.lineno, node.col_offset),
                offset(node.end_lineno, node.end_col_offset),
            )
            yield start, end, node.value


def test_literals_are_those_of_python():
    """Every string of the standard library, whole: its place and its value."""
    files = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
    files = [file for file in files if "site-packages" not in file.parts]
    compared = 0
    some = sample("modules of the standard library", "literals", files, one_in=80)
    for file in some:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                text = file.read_text(encoding="utf-8")
                literals = list(_literals(text))
            except (SyntaxError, ValueError):  # on purpose: files for the tests of Python
                continue
        for start, end, value in literals:
            given = [each for each in tokens(text, start, end) if each.quote]
            assert "".join(part for each in given for part, _, _ in parts(text, each)) == value
            assert (given[0].start, given[-1].end) == (start, end), (file, value)
            compared += 1
        places = [(each.start, each.end) for each in tokens(text)]
        assert {start for start, _, _ in literals} <= {start for start, _ in places}, file
        assert all(before[1] <= after[0] for before, after in pairwise(places))
    assert compared > 30 * len(some)


def test_sphinx_lists_the_same_names(tmp_path):
    shown = document("Python: what autodoc shows")
    conf = (
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nhtml_theme = 'basic'\n"
        "extensions = ['sphinx.ext.autodoc', 'doilinks.sphinx']\ndoi_check_offline = True\n"
        "autodoc_default_options = {'members': True, 'special-members': '__init__'}\n"
    )
    pages = {"conf.py": conf, "index.rst": "T\n=\n\n.. automodule:: shown\n", "shown.py": shown}
    pages["doi-lock.json"] = '{"version": 1, "found": {}}'  # so that each name is reported
    write(tmp_path, pages)
    done = sphinx_build("-q", "-b", "doicheck", tmp_path, tmp_path / "out")
    asked = re.findall(r"10\.1000/\w+", done.stdout + done.stderr)
    assert sorted(asked) == sorted(row[0] for row in rows(shown)[0])
    assert "10.1000/field1" in asked


def test_the_docstring_of_a_module_may_be_assigned():
    text = 'import a\n__doc__ = """See ``10.1000/no`` and 10.1000/1"""\nx = "10.1000/no"\ndef f():\n    __doc__ = "10.1000/no"\n'
    assert [each.doi.name for each in read(text, "py", Options())] == ["10.1000/1"]


EDITED = 'f = "value"\n"""See a \\x62."""\nclass A:\n    "One line."  # why\n    b = 1\n'


@pytest.mark.parametrize(
    ("old", "new", "stays_inside"),
    [
        ("value", "a", False), ("See", "a\nb", True), ("See", 'a"', False), ("See", "a'", False),
        ("See", "a\\", False), (" \\x62", "", False), ("One", "a", True), ("One", "a\nb", False),
        ("why", "a'\"\\", True), ("why", "a\n    # b", True), ("why", "a\n    b", False),
        ("b = 1", "a", False),
    ],
)  # fmt: skip
def test_an_edit_stays_in_its_comment_or_docstring(old, new, stays_inside):
    start = EDITED.index(old)
    assert in_documentation(EDITED)((start, start + len(old), new)) is stays_inside
