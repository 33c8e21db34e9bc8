"""``doilinks: ignore`` in a comment: the same in every host that checks and on the command line."""

import json
import re
from pathlib import Path

import pytest

from doilinks.ask.names.ignore import IgnoreComments
from doilinks.ask.names.problems import ExtraCheck
from doilinks.core.found import MARKDOWN_COMMENTS, silences_in
from doilinks.core.markup import NO_MARKDOWN
from doilinks.core.options import Options
from doilinks.sources import comments, read

from ..tools.check_matrix import URL
from ..tools.command import doilinks as run_command
from ..tools.hosts import pandoc
from ..tools.projects import configure, of_mkdocs, of_sphinx

GOOD = "10.1000/182"
MARK = "<!-- doilinks: ignore -->"
OWN = {"check": "error", "check_lockfile": "lock.json"}

PAGES = Path(__file__).parent / "silence"
MARKDOWN, REST = ((PAGES / f"a.{kind}").read_text() for kind in ("md", "rst"))
# What is not found in which line, and the lines of comments that silence nothing or are unknown.
SAID = {"b": 4, "d": 8, "f": 13, "a": 18}, [15], [17]

REST_SAID = {"b": 9, "d": 15, "a": 29}, [23], [27]

# Sphinx does not see the comment of Python; the command line does.
PROGRAM = """'''A program.

See doi:10.1000/a.

.. doilinks: ignore

See doi:10.1000/b, or
doi:10.1000/c.
'''


def function():
    '''Do doi:10.1000/d.

    .. doilinks: ignore

    Fine: doi:10.1000/182.

    .. doilinks: ignore

    References
    ----------

    .. [1] doi:10.1000/e
    '''
    return ".. doilinks: ignore # doilinks: ignore"
"""
PROGRAM_SAID = {"a": 3, "d": 13, "e": 24}, [15, 19]


@pytest.fixture
def folder(tmp_path, handle_api):
    handle_api.set(GOOD, URL)
    configure(tmp_path, check_api=handle_api.api)
    return tmp_path


def assert_said(said, file, failing, stale=(), unknown=()):
    """Every message of a file is there, and no other about a name or a comment in it."""
    expected = [
        *((line, f"not found: doi:10.1000/{name} ") for name, line in failing.items()),
        *((line, "silences nothing: doilinks: ignore (remove this comment)") for line in stale),
        *((line, "unknown comment: doilinks: ignroe (write doilinks: ignore)") for line in unknown),
    ]  # fmt: skip
    lines = [
        line for line in said.splitlines() if f"{file}:" in line and re.search(r"\[doi[-.]", line)
    ]
    for at, words in expected:
        assert any(f"{file}:{at}:" in line and words in line for line in lines), (at, words, said)
    assert len(lines) == len(expected), lines


def command_line(*arguments, cwd):
    """Run a command line; without the message of the first check that writes a lock file."""
    code, out, err = run_command(*arguments, cwd=cwd)
    return code, out, err.removeprefix("doilinks: doi-lock.json written: commit it\n")


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [("a.md", MARKDOWN, SAID), ("a.rst", REST, REST_SAID), ("a.py", PROGRAM, PROGRAM_SAID)],
)
def test_the_command_line_reads_comments(file, text, expected, folder):
    (folder / file).write_text(text)
    code, out, err = command_line("check", file, cwd=folder)
    assert (code, err) == (1, "")
    assert_said(out, file, *expected)


def test_a_comment_with_more_words_controls_no_terminal(folder):
    (folder / "b.md").write_text("doi:10.1000/a <!-- doilinks: ignore \x1b[31m\u202ea -->\n")
    code, out, _ = command_line("check", "b.md", cwd=folder)
    words = "unknown comment: doilinks: ignore \\x1b[31m\\u202ea (write doilinks: ignore)"
    assert (code, f"b.md:1: {words} [doi-unknown-comment]" in out) == (1, True), out


NOTEBOOK = [
    f'Silent doi:10.1000/a {MARK}\nnot doi:10.1000/b\n\n{MARK}\n\nnor "doi:10.1000/c"\n',
    f"See doi:10.1000/d\n\nFine: doi:{GOOD}. {MARK}\n",
]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("split", [False, True])
def test_the_command_line_reads_comments_in_notebooks(split, indent, folder):
    """Also if a cell, or the whole notebook, is on one line of the file."""
    sources = [each.splitlines(keepends=True) if split else each for each in NOTEBOOK]
    notebook = notebook_of(*sources)
    text = json.dumps(notebook, indent=indent)
    (folder / "a.ipynb").write_text(text)
    code, out, err = command_line("check", "a.ipynb", cwd=folder)
    assert (code, err) == (1, "")
    b, d, good = (text.count("\n", 0, text.index(each)) + 1 for each in ("/b", "/d", GOOD))
    assert_said(out, "a.ipynb", {"b": b, "d": d}, [good])


def notebook_of(*sources):
    cells = [
        {"cell_type": "markdown", "id": f"cell-{at}", "metadata": {}, "source": source}
        for at, source in enumerate(sources)
    ]
    code = {"cell_type": "code", "execution_count": None, "id": "code", "metadata": {},
            "outputs": [], "source": f"# {MARK} doi:10.1000/f"}  # fmt: skip
    return {"cells": [code, *cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


TABLE = f"""\
Text.

> | work | why |
> |---|---|
> | doi:10.1000/a | none |
> | doi:10.1000/b | an example {MARK} |
> | doi:10.1000/c | none |
"""


def test_sphinx(folder):
    source, endings = folder / "site", (".md", ".markdown", ".page.txt")
    source.mkdir()
    (source / "page.rst").write_text(REST)
    (source / "table.md").write_text(TABLE)
    for ending in endings:
        (source / f"{ending[1:3]}{ending}").write_text(
            f"{MARKDOWN}\n% doilinks: ignore\ndoi:10.1000/g\n"
        )
    code, said = of_sphinx(
        source, OWN, "", extensions=("doilinks.sphinx", "myst_parser"),
        source_suffix={".rst": "restructuredtext", **dict.fromkeys(endings, "markdown")},
    )  # fmt: skip
    assert code == 1
    assert_said(said, "page.rst", *REST_SAID)
    assert_said(said, "table.md", {"a": 5, "c": 7})
    for ending in endings:
        assert_said(said, f"{ending[1:3]}{ending}", *SAID)
    assert said.count("[doi.") == 25, said


def test_sphinx_reads_comments_in_docstrings_and_notebooks(folder):
    source = folder / "site"
    source.mkdir()
    (source / "silent_program.py").write_text(PROGRAM)
    directive = ".. automodule:: silent_program\n   :members:\n   :undoc-members:\n"
    (source / "api.rst").write_text(f"API\n===\n\n{directive}")
    cells = [each.splitlines(keepends=True) for each in NOTEBOOK]
    (source / "notebook.ipynb").write_text(json.dumps(notebook_of("# Title", *cells)))
    extensions = ["doilinks.sphinx", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_nb"]
    # The second time, no page is read again.
    for fresh in (True, False):
        code, said = of_sphinx(source, OWN, "", extensions=extensions, fresh=fresh, html_theme="basic",
                            nb_execution_mode="off", exclude_patterns=["jupyter_execute"])  # fmt: skip
        assert code == 1
        program = "silent_program.py:docstring of silent_program"
        assert_said(said, program, {"a": 3})
        assert_said(said, f"{program}.function", {"d": 1, "e": 11}, [3, 7])
        assert_said(said, "notebook.ipynb", {"b": 30003, "d": 40002}, [40004])
        assert said.count("[doi.") == 8, said


def test_mkdocs(folder):
    (folder / "site").mkdir()
    code, said = of_mkdocs(folder / "site", OWN, MARKDOWN)
    assert code == 1
    assert_said(said, "docs/index.md", *SAID)


@pytest.mark.parametrize("reader", ["markdown", "commonmark_x+sourcepos"])
def test_pandoc(reader, folder):
    (folder / "a.md").write_text(MARKDOWN)
    done = pandoc(
        *("-f", reader, "-M", "doi-check=error", "-o", "a.html", "a.md"), cwd=folder, check=False
    )
    assert done.returncode != 0
    said = done.stderr.decode()
    if reader == "markdown":  # which knows no places
        words = [line.partition("error: ")[2] for line in said.splitlines()]
        names = [f"not found: doi:10.1000/{name} [doi-not-found]" for name in SAID[0]]
        assert sorted(filter(None, words)) == sorted(names)
        assert said.count("silences nothing: doilinks: ignore") == 1
        assert said.count("unknown comment: doilinks: ignroe") == 1
    else:
        assert_said(said, "a.md", *SAID)


def test_pandoc_with_names_in_markup_and_lists(folder):
    text = f"""*Emphasis doi:10.1000/a* and **doi:10.1000/b**. {MARK}

{MARK}

- doi:10.1000/c
- doi:10.1000/d {MARK}

  | x                    |
  |----------------------|
  | doi:10.1000/e {MARK} |

[a](https://doi.org/10.1000/f) {MARK}
"""
    (folder / "a.md").write_text(text)
    done = pandoc("-M", "doi-check=error", "-o", "a.html", "a.md", cwd=folder, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert (folder / "a.html").read_text().count("https://doi.org/") == 6


RAW_HTML = f"<p>doi:10.1000/a {MARK}</p>\n{MARK}\n<p>doi:10.1000/b</p>\n<p>doi:10.1000/c</p>\n"
RAW_ORG = f"#+html: {MARK}\n\ndoi:10.1000/a and doi:10.1000/b\n\ndoi:10.1000/c\n"
RAW_REST = f".. raw:: html\n\n   {MARK}\n\ndoi:10.1000/a and doi:10.1000/b\n\ndoi:10.1000/c\n"


@pytest.mark.parametrize(
    ("reader", "text"), [("html+raw_html", RAW_HTML), ("org", RAW_ORG), ("rst", RAW_REST)]
)
def test_pandoc_reads_raw_html_of_other_readers(reader, text, folder):
    (folder / "a").write_text(text)
    flags = ("-f", reader, "-M", "doi-check=error", "-o", "a.html", "a")
    said = pandoc(*flags, cwd=folder, check=False).stderr.decode()
    assert [f"not found: doi:10.1000/{name}" in said for name in "abc"] == [False, False, True]
    assert "silences nothing" not in said


def test_a_comment_that_ends_a_block_silences_the_next_line(folder):
    text = f"""*doi:10.1000/a*
{MARK}

doi:10.1000/b
doi:10.1000/c

* doi:10.1000/d

  doi:10.1000/e
  {MARK}

doi:10.1000/f

{MARK}

***

doi:10.1000/g
"""
    (folder / "a.md").write_text(text)
    failing = dict(zip("acdeg", (1, 5, 7, 9, 18), strict=True))
    assert_said(command_line("check", "a.md", cwd=folder)[1], "a.md", failing, [14])
    flags = ("-f", "commonmark_x+sourcepos", "-M", "doi-check=error", "-o", "a.html", "a.md")
    said = pandoc(*flags, cwd=folder, check=False).stderr.decode()
    assert_said(said, "a.md", failing, [14])


def test_a_build_is_green_when_comments_silence_all(folder):
    text = f"doi:10.1000/a {MARK}\n"
    (folder / "a.md").write_text(text)
    assert command_line("check", "a.md", cwd=folder) == (
        (0, "1 DOI: 0 found, 1 known not to resolve\n", "")
    )
    (folder / "site").mkdir()
    code, said = of_mkdocs(folder / "site", {"check": "error"}, text)
    assert (code, "not found" in said) == (0, False)


@pytest.mark.parametrize(
    ("kind", "text", "silenced"),
    [
        ("html", f"<p>doi:10.1000/a</p> {MARK}\n", [1]),
        ("html", f"{MARK}\n\n<p>doi:10.1000/a</p>\n", [3]),
        ("bib", "@misc{a,\n  doi = {10.1000/a}, % doilinks: ignore\n}\n", [2]),
        ("bib", "% doilinks: ignore\n\n@misc{a, doi = {10.1000/a}}\n", [3]),
        ("bib", "@misc{a, note = {a \\% doilinks: ignore\n}}\n", []),
        ("tex", "doi:10.1000/a % doilinks: ignore\n% doilinks: ignore\n\nb\n", [1, 4]),
        ("adoc", "// doilinks: ignore\ndoi:10.1000/a\n", [2]),
        ("adoc", "----\n// doilinks: ignore\n----\n", []),
        ("typ", "doi:10.1000/a // doilinks: ignore\n", [1]),
        ("typ", "```\n// doilinks: ignore\n```\n/*\n// doilinks: ignore\n*/\n", []),
        ("rd", "doi:10.1000/a % doilinks: ignore\n", [1]),
        ("r", "#' doi:10.1000/a\n# doilinks: ignore\n#' doi:10.1000/b\n", [3]),
        ("citation", "# doilinks: ignore\nbibentry(doi = '10.1000/a')\n", [2]),
        ("jl", "# doilinks: ignore\n# doi:10.1000/a\n", [2]),
        ("tex", "\\begin{verbatim}\n% doilinks: ignore\n\\end{verbatim}\n", []),
        ("py", "x = 1  # doilinks: ignore\n", [1]),
        ("py", "# doilinks: ignore\nx = 'doi:10.1000/a'\n", [2]),
        ("py", "# doilinks: finds names\n# doilinks: ignore\n", [2]),
        ("cff", "doi: 10.1000/a  # doilinks: ignore\n", [1]),
        ("md", "% doilinks: ignore\ndoi:10.1000/a\n", [2]),
        ("md", "100 % doilinks: ignore\n", []),
        ("md", f"> {MARK}\n> doi:10.1000/a\n", [2]),
        ("md", f"`{MARK}` is a comment\n", []),
        ("md", f"````{{note}}\n{MARK}\ntext\n```\n{MARK}\n```\n````\n{MARK}\nb\n", [3, 9]),
        ("md", f"~~~\n{MARK}\n```\n{MARK}\n~~~\n", []),
        ("rst", ".. code-block:: rst\n\n   .. doilinks: ignore\n\n.. doilinks: ignore\n\na\n", [7]),
        ("txt", f"doi:10.1000/a {MARK}\n", []),
    ],
)
def test_comments_of_each_type(kind, text, silenced):
    found = [each for each in comments(text, kind) if each.word == "ignore"]
    assert [each.silenced[0][0] for each in found] == silenced
    assert all(each.silenced[1][0] > each.silenced[0][0] for each in found)
    more = comments(text.replace("doilinks: ignore", "doilinks: ignore 10.1000/a"), kind)
    assert [each.word for each in more if each.word[:6] == "ignore"] == ["ignore 10.1000/a"] * len(
        found
    )


PROSE = ["note", "seealso", "versionadded", "card", "tip", "figure-md"]


@pytest.mark.parametrize("name", sorted(NO_MARKDOWN | set(PROSE)))
def test_a_comment_counts_in_the_directives_in_which_names_count(name):
    """The readers and the comments use one list of directives that contain code."""
    for spelt in (name, name.title()):
        fence, directive = f"```{{{spelt}}}\nBODY\n```\n", f".. {spelt}::\n\n   BODY\n"
        for kind, text, mark in (("md", fence, MARK), ("rst", directive, ".. doilinks: ignore")):
            if (kind, name) == ("rst", "image"):  # to docutils, content is an error there
                continue
            read_there = bool(list(read(text.replace("BODY", "doi:10.1000/1"), kind, Options())))
            comments_there = bool(list(comments(text.replace("BODY", mark), kind)))
            assert read_there == comments_there, text
            assert read_there or name not in PROSE, text


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        # What another program may find there is not known; what has no name for anybody is stale.
        ("A macro {{ doi }} here. <!-- doilinks: ignore -->", []),
        ("In code: `10.1000/a` here. <!-- doilinks: ignore -->", []),
        ("A citation [@paskin] here. <!-- doilinks: ignore -->", []),
        ("<!-- doilinks: ignore -->\n--8<-- 'other.md'", []),
        ("<!-- doilinks: ignore -->\n```{include} other.md", []),
        ("Only words here. <!-- doilinks: ignore -->", ["doi-stale-comment"]),
        ("<!-- doilinks: ignore -->\n# A title\n10.1000/a", ["doi-stale-comment"]),
    ],
)
def test_what_another_program_may_find_there_is_not_stale(text, codes):
    [comment] = silences_in(text, MARKDOWN_COMMENTS)
    assert comment.open is not bool(codes)
    problems = IgnoreComments([comment]).problems({}, {}, ExtraCheck())
    assert [problem.code for problem in problems] == codes
