"""Programs: which names of comments and documentation count, where they are, what `fix` changes."""

import time
from random import Random

import pytest

from doilinks.core.options import Options
from doilinks.sources import TYPES, comments, languages, read
from doilinks.sources.languages import LARGEST
from doilinks.tools.fix import Original, chosen, mend

from ..tools.places import document, names
from ..tools.proof import sample
from ..tools.tables import tables

TABLES = tables(__file__)


def test_the_block_of_a_name_in_documentation_is_an_item():
    found = list(read(document("Julia: a program"), "jl", Options(), blocks=True))
    assert found[2].block.startswith("J. Doe. A. doi:10.1000/3")


# A comment of each kind, and what is no comment.
LANGUAGES = TABLES["languages"]


def test_every_language_is_here():
    assert LANGUAGES.keys() == {kind for kind, row in TYPES.items() if row.lexer}


@pytest.mark.parametrize("kind", LANGUAGES)
def test_comments_count_and_strings_do_not(kind):
    text = LANGUAGES[kind]
    assert names(text, kind) == ["10.1000/1", "10.1000/2", "10.1000/3"]
    for found in read(text, kind, Options()):
        assert text[slice(*found.span)] == found.written
    if kind != "jl":  # there, a documentation string stands just before a definition
        assert names(text.replace("\n", "\n\n"), kind) == ["10.1000/1", "10.1000/2", "10.1000/3"]


@pytest.mark.parametrize("kind", LANGUAGES)
def test_fix_changes_comments_and_nothing_else(kind):
    old, new = "http://dx.doi.org/10.", "https://doi.org/10."
    text = LANGUAGES[kind].replace("https://doi.org/", "").replace("10.", old)
    done = mend(Original(text.encode(), kind), kind, Options(), chosen([], [], asks=False))
    right = text
    for each in ("1", "2", "3"):
        documents = kind in ("pyx", "jl") and each == "1"
        right = right if documents else right.replace(f"{old}1000/{each}", f"{new}1000/{each}")
    assert done.octets.decode() == right
    left = {why for _, why in done.left}
    assert left == ({"it is in a string that may be a value"} if kind in ("pyx", "jl") else set())


@pytest.mark.parametrize("text", TABLES["a_value_of_julia_is_no_documentation"])
def test_a_value_of_julia_is_no_documentation(text):
    assert names(text, "jl") == []


@pytest.mark.parametrize(
    "after",
    ["f(x) = 1", "function f end", "struct A end", "const a = 1", "f", "@enum A b", "a::Int",
     "(f::A)(x) = 1", "module A end", "f(x)", "A{T}(x) = 1", "@inline f(x) = 1", "# why\nf"],
)  # fmt: skip
def test_a_string_before_a_definition_of_julia_is_documentation(after):
    expected = [] if after.startswith("#") else ["10.1000/1"]
    assert names(f'"""\n10.1000/1\n"""\n{after}\n', "jl") == expected


@pytest.mark.parametrize("broken", ['"', '"""', "#=", "'", "f('", '\n"""a'])
def test_a_program_may_be_broken(broken):
    assert names(f"# 10.1000/1\nx = {broken}", "jl") == ["10.1000/1"]


@pytest.mark.parametrize("kind", LANGUAGES)
def test_a_comment_silences_in_the_comment_of_the_language(kind):
    mark = TYPES[kind].comments.comments[0].example
    assert [each.word for each in comments(f"{mark}\nx = 1\n", kind)] == ["ignore"]
    assert list(comments(f'x = "{mark}"\n', kind)) == []


# Each is quadratic in some lexer, or could be.
SHAPES = (
    "/*", "//", "/", '"', "'", "{-", "#=", "(", "\\", "%{", "`", '"""', "<", 'R"(', "a ", "--[[",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["c", "java", "jl"])
def test_hostile_programs_end_in_time(kind):
    size = 12_000
    for shape in sample("hostile programs", kind, SHAPES, one_in=4, turn=len(kind)):
        text = f"// 10.1000/1\n# 10.1000/1\n{shape * (size // len(shape))}"
        began = time.process_time()
        messages = []
        list(read(text, kind, Options(), unread=messages.append))
        assert time.process_time() - began < 3, shape
        assert all("takes too long" in each for each in messages)


@pytest.mark.parametrize(
    "row", [row for row in TYPES.values() if row.lexer], ids=lambda row: row.name
)
def test_a_comment_in_a_last_line_without_end(row):
    text = row.comments.comments[0].example.replace("doilinks: ignore", "see 10.1000/1")
    [found] = read(f"\n{text}", row.name, Options())
    assert (found.line, found.span) == (2, (len(text) - 8, len(text) + 1))


def test_what_is_too_slow_or_too_long_is_said(monkeypatch):
    monkeypatch.setattr(languages, "_SECONDS", 0.1)
    monkeypatch.setattr(languages, "_PER_CHARACTER", 0)
    messages = []
    text = "// 10.1000/1\n" + "a;" * 500_000 + "\n// 10.1000/2\n"
    assert [each.doi.name for each in read(text, "c", Options(), "a.c", messages.append)] == [
        "10.1000/1"
    ]
    [message] = messages
    assert message.startswith("a.c:2:")
    assert message.endswith("not read from here on, because that takes too long")
    text = "// 10.1000/1\n" + "\n" * LARGEST
    assert list(read(text, "c", Options(), "a.c", messages.append)) == []
    assert messages[1] == "a.c:1:1: not read, because it is longer than 2 million characters"


@pytest.mark.parametrize("kind", LANGUAGES)
def test_a_program_reads_the_same_after_the_last_name(kind, monkeypatch):
    """The lexer may stop there; the comment that has the name is whole."""
    chance = Random(kind)
    lines = LANGUAGES[kind].splitlines() + ["", "x = 10.5", "end", "  "]
    for _ in range(10):
        text = "\n".join(chance.choices(lines, k=12))
        found = [(each, each.block) for each in read(text, kind, Options(), blocks=True)]
        with monkeypatch.context() as patch:
            patch.setattr(languages, "_last_sign", lambda text, _options: len(text))
            assert found == [
                (each, each.block) for each in read(text, kind, Options(), blocks=True)
            ], text


def test_scripts_of_a_site_are_not_read(tmp_path):
    from ..tools.command import doilinks

    for folder, page in (("site", "index.html"), ("source", "index.md")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / page).write_text("a\n")
        (tmp_path / folder / "a.js").write_text("// doi:10.1000/182\n")
    assert doilinks("scan", "-q", "site", "source", cwd=tmp_path)[1] == (
        "source/a.js:1:4  doi:10.1000/182   label\n"
    )
