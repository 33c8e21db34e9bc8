"""``doilinks scan`` as a user runs it."""

import csv
import errno
import io
import json
import os
import subprocess
import sys
from contextlib import chdir, contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from doilinks.core.options import Options
from doilinks.tools.cli.command import command
from doilinks.tools.cli.options import _HELP

from ..tools.command import DOILINKS, doilinks
from ..tools.modules import BIN, quick
from ..tools.programs import LONGEST, running


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/guide.md").write_text(
        "# Guide\n\nSee 10.1088/1367-2630/12/3/033025 there.\n", encoding="utf-8"
    )
    (tmp_path / "docs/refs.rst").write_text(
        "Refs\n====\n\n.. [1] X. "
        "DOI: 10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0\n"
        ".. [2] `Y <https://doi.org/10.1000/182>`_\n.. [3] DOI: 10.1000/182.PMID: 1\n",
        encoding="utf-8",
    )
    (tmp_path / "docs/empty.txt").write_text("")
    return tmp_path


def test_text(docs):
    code, out, err = doilinks("scan", "docs/", cwd=docs, real=True)
    sici = "doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0"
    assert out == (
        "docs/guide.md:3:5   doi:10.1088/1367-2630%2F12%2F3%2F033025   bare\n"
        f"docs/refs.rst:4:11  {sici}   label\n"
        "docs/refs.rst:5:12  doi:10.1000/182   link\n"
        "docs/refs.rst:6:8   doi:10.1000/182   label\n"
        "4 DOIs, 3 distinct, in 2 of 3 files\n"
    )
    assert (code, err) == (0, "")


def test_json(docs):
    code, out, _ = doilinks("scan", "--format", "json", "docs/refs.rst", cwd=docs)
    last = json.loads(out)[-1]
    assert code == 0
    assert last.pop("remarks")[0]["code"] == "cut-full-stop"
    assert last == {
        "name": "10.1000/182", "uri": "doi:10.1000/182", "url": "https://doi.org/10.1000/182",
        "file": "docs/refs.rst", "line": 6, "column": 8, "form": "label",
    }  # fmt: skip


def test_csv(docs):
    code, out, _ = doilinks("scan", "--format=csv", "docs", cwd=docs)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [(row["file"], row["line"], row["form"]) for row in rows][:2] == [
        ("docs/guide.md", "3", "bare"),
        ("docs/refs.rst", "4", "label"),
    ]
    assert rows[3]["remarks"] == "cut-full-stop"


def test_remarks_stand_below_their_line(docs):
    _, out, _ = doilinks("scan", "--remarks", "docs", cwd=docs)
    lines = out.splitlines()
    assert lines[-2].strip() == (
        "the full stop after the name was taken for the end of a sentence [cut-full-stop]"
    )
    assert lines[-2].startswith(" " * len("docs/refs.rst:5:12  "))


def test_a_remark_on_two_works(tmp_path):
    """In files that are far apart; without --remarks, no text is compared."""
    name = "https://doi.org/10.1000/182"
    (tmp_path / "a.md").write_text(
        f"* Paskin, N. (2000). DOI handbook of the system of names. {name}\n"
    )
    (tmp_path / "b.py").write_text(
        f'"""A module.\n\n.. [1] Wiles, A. (1995). Modular elliptic curves and Fermat. {name}\n"""\n'
    )
    _, out, _ = doilinks("scan", "--remarks", ".", cwd=tmp_path)
    said = "the name stands for another reference at a.md:1 [two-works]"
    assert [line.strip() for line in out.splitlines()[2:3]] == [said]
    assert "[two-works]" not in doilinks("scan", ".", cwd=tmp_path)[1]
    rows = json.loads(doilinks("scan", "--format", "json", ".", cwd=tmp_path)[1])
    assert [[remark["code"] for remark in row["remarks"]] for row in rows] == [[], ["two-works"]]


def test_standard_input(tmp_path):
    code, out, _ = doilinks(
        "scan", "-", cwd=tmp_path, real=True, stdin=b"`10.1000/1` doi:10.1000/2"
    )
    assert out.splitlines() == [
        "-:1:2   doi:10.1000/1   bare",
        "-:1:13  doi:10.1000/2   label",
        "2 DOIs, 2 distinct, in 1 of 1 file",
    ]
    code, out, _ = doilinks("scan", "--type", "md", "-", cwd=tmp_path, stdin=b"`10.1000/1`")
    assert (code, out) == (0, "0 DOIs, 0 distinct, in 0 of 1 file\n")


def test_a_file_that_cannot_be_read_is_named_and_the_others_done(docs):
    (docs / "docs/broken.ipynb").write_text("{")
    (docs / "loop.md").symlink_to("loop.md")
    code, out, err = doilinks("scan", "nowhere.md", "loop.md", "docs", cwd=docs, real=True)
    assert code == 2
    assert err.splitlines() == [
        "doilinks: nowhere.md: No such file or directory; not read",
        f"doilinks: loop.md: {os.strerror(errno.ELOOP)}; not read",
        (
            "doilinks: docs/broken.ipynb: not a notebook (Expecting property name "
            "enclosed in double quotes: line 1 column 2 (char 1)); not read"
        ),
    ]
    assert out.endswith("4 DOIs, 3 distinct, in 2 of 3 files\n")


def test_a_file_named_twice_is_read_once(docs):
    (docs / "link.md").symlink_to("docs/guide.md")
    _, out, _ = doilinks("scan", "docs/guide.md", "docs", "./docs/guide.md", "link.md", cwd=docs)
    assert out.endswith("4 DOIs, 3 distinct, in 2 of 3 files\n")


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_nothing_controls_the_terminal(tmp_path, form):
    (tmp_path / "a\x1b[31m\u202e\nb.md").write_text("doi:10.1000/\u05d0\u0301b \x1b]0;title\x07")
    (tmp_path / "bad\x1b[31m.md").write_bytes(b"\xff")
    (tmp_path / os.fsdecode(b"bytes\xff.md")).write_text("10.1000/1")
    code, out, err = doilinks("scan", "--format", form, ".", cwd=tmp_path, real=True)
    assert code == 0
    assert "bad\\x1b[31m.md" in err
    for sign in "\x1b\x07\u202e":
        assert sign not in out + err
    assert "a\\u001b[31m" in out if form == "json" else "a\\x1b[31m\\u202e\\nb.md" in out


def test_options_of_pyproject(docs):
    (docs / "pyproject.toml").write_text(
        '[tool.doilinks]\nbare = false\nignore = ["10\\\\.1002/"]\ncheck-max-age = 7\n'
        "check_retries = 1\n"
    )
    _, out, _ = doilinks("scan", "docs", cwd=docs)
    assert out.endswith("2 DOIs, 1 distinct, in 1 of 3 files\n")
    _, out, _ = doilinks("scan", "docs", "--bare", cwd=docs)
    assert out.endswith("3 DOIs, 2 distinct, in 2 of 3 files\n")
    _, out, _ = doilinks("scan", "refs.rst", "--ignore", "10.1000/", cwd=docs / "docs")
    assert out.endswith("1 DOI, 1 distinct, in 1 of 1 file\n")


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("bear = 1", "tool.doilinks.bear: there is no such option (there are: display, proxy, "),
        ("exclud = []", "exclud: there is no such option (did you mean exclude?)"),
        ('check-max-age = "x"', "tool.doilinks.check-max-age: takes a number of days, 0 or more"),
        ("bare = 3", "tool.doilinks.bare: takes true or false, got 3"),
        ('ignore = ["("]', "tool.doilinks.ignore: takes a list of regular expressions, got ['(']"),
        ("x = ", "pyproject.toml: Invalid value (at line 2, column 5)"),
    ],
)
def test_wrong_options_of_pyproject(docs, toml, message):
    (docs / "pyproject.toml").write_text(f"[tool.doilinks]\n{toml}\n")
    code, out, err = doilinks("scan", "docs", cwd=docs)
    assert (code, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert str(docs / "pyproject.toml") in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "command",
    [
        ["scan", "docs"], ["check", "--offline", "docs"], ["works", "docs"], ["html", "docs"],
        ["fix", "--select", "doi-resolver", "docs"], ["show", "10.1000/182"],
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ('fix-select = ["doi-resolve"]', "tool.doilinks.fix-select: there is no rule"),
        ('fix-ignore = ["doi-resolve"]', "tool.doilinks.fix-ignore: there is no rule"),
        ('exclude = ["!"]', "tool.doilinks.exclude: not a pattern of files or folders: '!'"),
        ('hover = "maybe"', "tool.doilinks.hover: takes true, false or 'auto', got 'maybe'"),
    ],
)
def test_a_wrong_value_that_another_command_uses_stops_each(docs, command, toml, message):
    (docs / "pyproject.toml").write_text(f"[tool.doilinks]\n{toml}\n")
    code, out, err = doilinks(*command, cwd=docs)
    assert (code, out) == (2, "")
    assert f"{docs / 'pyproject.toml'}: {message}" in err.splitlines()[-1]


@pytest.mark.parametrize("toml", ["tool = 3", "[tool]\ndoilinks = {}\n"])
def test_a_pyproject_without_settings(docs, toml):
    (docs / "pyproject.toml").write_text(toml)
    code, _, err = doilinks("scan", "docs/guide.md", cwd=docs)
    assert (code, err) == (0, "")


def test_a_pyproject_of_what_is_read_has_no_say(docs, tmp_path_factory):
    """Whoever reads a folder of somebody else's does not run its settings."""
    (docs / "docs/pyproject.toml").write_text(
        '[tool.doilinks]\nproxy = "https://evil.example/"\nignore = ["10.1000/(2|22)+$"]\n'
        f'check-lockfile = "{docs}/written.json"\ncheck-api = "http://evil.example/"\n'
    )
    (docs / "docs/hang.txt").write_text(f"10.1000/{'2' * 60}x\n")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    code, out, _ = doilinks("scan", "--format=csv", str(docs / "docs"), cwd=elsewhere, real=True)
    assert (code, out.count("https://doi.org/10."), "evil" in out) == (0, 5, False)
    code, out, _ = doilinks("check", "--offline", str(docs / "docs"), cwd=elsewhere, real=True)
    assert code == 0
    assert "evil" not in out
    assert not (docs / "written.json").exists()


def test_the_nearest_pyproject_above_the_current_folder(docs):
    (docs / "pyproject.toml").write_text("[tool.doilinks]\nbare = false\n")
    (docs / "docs/sub").mkdir()
    for folder, path in (("docs", ".."), ("docs/sub", ".."), (".", "docs")):
        _, out, _ = doilinks("scan", path, cwd=docs / folder)
        assert out.splitlines()[-1].startswith("3 DOIs, 2 distinct")
    (docs / "docs/sub/pyproject.toml").write_text("[tool.doilinks]\nbare = true\n")
    _, out, _ = doilinks("scan", str(docs), cwd=docs / "docs/sub")
    assert out.splitlines()[-1].startswith("4 DOIs, 3 distinct")


@contextmanager
def as_nobody(folder):
    """In a folder and not root, who may read everything."""
    folder.chmod(0o755)
    user = os.geteuid()
    with chdir(folder):
        if user == 0:
            os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(user)


def test_what_may_not_be_read_is_named_and_the_others_are_read(tmp_path):
    for name in ("a.md", "closed/b.md", "secret.md", "z/c.md"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("10.1000/1")
    doilinks("scan", "a.md", cwd=tmp_path)  # imports what it needs
    (tmp_path / "secret.md").chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        with as_nobody(tmp_path):
            everything = doilinks("scan", ".", cwd=None)
            closed = doilinks("scan", "closed", "closed/b.md", cwd=None)
    finally:
        (tmp_path / "closed").chmod(0o700)
    code, out, err = everything
    assert code == 2
    assert [line.split(":")[0] for line in out.splitlines()[:-1]] == ["a.md", "z/c.md"]
    assert sorted(err.splitlines()) == [
        "doilinks: closed: Permission denied; not read",
        "doilinks: secret.md: Permission denied; not read",
    ]
    code, _, err = closed
    assert code == 2
    assert err.splitlines() == [
        "doilinks: closed: Permission denied; not read",
        "doilinks: closed/b.md: Permission denied; not read",
    ]


def test_head_ends_it_quietly(tmp_path):
    text = "".join(f"doi:10.1000/{number}\n" for number in range(5_000))
    (tmp_path / "many.txt").write_text(text)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with running(*DOILINKS, "scan", "many.txt", cwd=tmp_path, **pipes) as process:
        assert process.stdout.readline() == b"many.txt:1:1     doi:10.1000/0   label\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LONGEST) == 141


@pytest.mark.parametrize("command", ["scan docs", "check --offline docs", "show 10.1000/1"])
def test_a_full_disk(docs, command, monkeypatch):
    # What stays in a buffer is written again at the end.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full to write to")
    # What Python itself says at the end is seen once.
    program = DOILINKS if command.startswith("scan") else [quick(BIN / "doilinks")]
    with full.open("wb") as out:
        done = subprocess.run(
            [*program, *command.split()], cwd=docs, stdout=out, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode() == f"doilinks: cannot write: {os.strerror(errno.ENOSPC)}\n"


@pytest.mark.parametrize(
    ("redirection", "code", "err"),
    [
        ("<&-", 2, "doilinks: -: standard input is closed; not read\n"),
        ("<&- >&- 2>&-", 2, ""),
        ("</dev/null >&-", 0, ""),
        ("</dev/null 2>&-", 0, ""),
        ("</dev/null >&- 2>&-", 0, ""),
        ("nowhere </dev/null 2>/dev/full", 2, ""),
    ],
)
def test_closed_streams(tmp_path, redirection, code, err, monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # as above
    line = f'"$0" "$@" scan - {redirection}'
    done = subprocess.run(
        ["sh", "-c", line, *DOILINKS], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, err)


def test_a_current_folder_that_is_gone(tmp_path):
    line = 'mkdir gone && cd gone && rmdir "$PWD" && "$0" "$@" scan /dev/null'
    done = subprocess.run(
        ["sh", "-c", line, *DOILINKS], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == "doilinks: the current folder is gone"


def test_interrupted_before_it_has_begun(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt")  # while this is being imported
    code, out, err = doilinks("scan", ".", cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert (code, out, err) == (130, "", "doilinks: interrupted\n")


def test_a_terminal_that_knows_ascii_only(tmp_path):
    (tmp_path / "é.md").write_text("10.1000/1")
    code, out, _ = doilinks("scan", ".", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert (code, out.split(":")[0]) == (0, "\\xe9.md")


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("name", [None, "scan", "show", "check"])
def test_help(name, flag):
    result = CliRunner().invoke(command, [name, flag] if name else [flag])
    assert result.exit_code == 0
    assert "Examples:" in result.output


def test_every_flag_says_what_it_does():
    context = click.Context(command)
    names = command.list_commands(context)
    every = [flag for name in names for flag in command.get_command(context, name).params]
    assert all(flag.help for flag in every if isinstance(flag, click.Option))
    assert _HELP.keys() <= set(Options.NAMES)


def test_version(tmp_path):
    import doilinks as package

    said = (0, f"doilinks {package.__version__}\n", "")
    assert doilinks("--version", cwd=tmp_path, real=True) == said == doilinks("-V", cwd=tmp_path)


@pytest.mark.parametrize(
    ("missing", "command_line", "extra"),
    [
        ("click", ["scan", "."], "cli"),
        ("markdown_it", ["scan", "a.md"], "cli"),
        ("docutils", ["scan", "a.rst"], "cli"),
        ("httpx", ["check", "a.md"], "check"),
    ],
)
def test_a_missing_package_is_named(tmp_path, missing, command_line, extra):
    """Without the package, as far as Python can tell: its import fails as it does then."""
    for ending in ("md", "rst"):
        (tmp_path / f"a.{ending}").write_text("doi:10.1000/1")
    program = (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {missing!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from doilinks.tools.cli import main; main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *command_line], cwd=tmp_path, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == (
        f"doilinks: this needs {missing}, which is not installed; "
        f'install it with: pip install "doilinks[{extra}]"\n'
    )


@pytest.mark.parametrize("subcommand", ["scan", "check"])
def test_a_folder_without_anything_to_read_is_said(subcommand, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/data.bin").touch()
    code, _, said = doilinks(subcommand, "empty", cwd=tmp_path)
    none = "it has no file to read (-v names what is left out); not read"
    assert (code, said) == (2, f"doilinks: empty: {none}\n")


def test_names_that_are_cited_count_unless_the_options_say_otherwise(tmp_path):
    (tmp_path / "a.md").write_text("As [see @doi:10.1000/182, p. 3] and `@doi:10.1000/183`.\n")
    shown = doilinks("scan", "a.md", cwd=tmp_path)[1]
    assert shown.splitlines()[0].split() == ["a.md:1:10", "doi:10.1000/182", "cite"]
    assert doilinks("scan", "--no-cite", "a.md", cwd=tmp_path)[1].startswith("0 DOIs")
    (tmp_path / "pyproject.toml").write_text("[tool.doilinks]\ncite = false\n")
    assert doilinks("scan", "a.md", cwd=tmp_path)[1].startswith("0 DOIs")
    assert doilinks("scan", "--cite", "a.md", cwd=tmp_path)[1] == shown


def test_a_link_within_a_checkout_is_read_and_others_are_counted(tmp_path):
    for folder in ("project/docs", "project/.git", "other"):
        (tmp_path / folder).mkdir(parents=True)
    old = "See http://dx.doi.org/10.1000/182.\n"
    (tmp_path / "project/README.md").write_text(old)
    (tmp_path / "other/a.md").write_text(old)
    docs = tmp_path / "project/docs"
    (docs / "index.md").symlink_to("../README.md")
    (docs / "secret.md").symlink_to("../../other/a.md")
    (docs / "git.md").symlink_to("../.git/a.md")
    (tmp_path / "project/.git/a.md").write_text(old)
    code, out, err = doilinks("scan", "-q", "docs", cwd=docs.parent)
    assert (code, out) == (0, "docs/index.md:1:5  doi:10.1000/182   url\n")
    assert err == "doilinks: 2 links to files outside of the paths left out; -v names them\n"
    doilinks("fix", "docs", cwd=docs.parent)
    assert (tmp_path / "project/README.md").read_text() == old
    (tmp_path / "project/.git/a.md").unlink()
    (tmp_path / "project/.git").rmdir()
    assert doilinks("scan", "-q", "docs", cwd=docs.parent)[1] == ""


@pytest.mark.skipif(sys.platform == "win32", reason="links as POSIX has them")
def test_a_linked_folder_of_a_checkout_is_read_once(tmp_path):
    """Not one that contains its own link, nor one outside of the checkout."""
    top = tmp_path / "project"
    for path in ("docs/sub/b.md", "examples/a.md", "examples/deep/c.md", "../other/d.md"):
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(f"doi:10.1000/{Path(path).stem}\n")
    (top / "examples/.gitignore").write_text("ignored.md\n")
    (top / "examples/ignored.md").write_text("doi:10.1000/ignored\n")
    links = {
        "docs/again": "sub", "docs/examples": "../examples", "docs/first": "../examples/deep",
        "docs/out": "../../other", "docs/up": "..", "examples/back": "../docs", "examples/loop": ".",
        "examples/up": "..",
    }  # fmt: skip
    for link, target in links.items():
        (top / link).symlink_to(target)

    def scanned(*paths):
        _, out, err = doilinks("scan", "-q", *paths, cwd=top)
        return [line.split(":")[0] for line in out.splitlines()], err

    left = "doilinks: {} to files outside of the paths left out; -v names them\n"
    assert scanned("docs") == (["docs/sub/b.md"], left.format("4 links"))  # no checkout
    (top / ".git").mkdir()
    read = ["docs/examples/a.md", "docs/examples/deep/c.md", "docs/sub/b.md"]
    assert scanned("docs") == (read, left.format("3 links"))
    read = ["docs/sub/b.md", "examples/a.md", "examples/deep/c.md"]
    assert scanned(".") == (read, left.format("1 link"))
    excluded = scanned("--exclude", "docs/examples/deep/", "docs")[0]
    assert excluded == ["docs/examples/a.md", "docs/sub/b.md"]
    doilinks("fix", "--select", "doi-uri", "docs", cwd=top)
    assert (top / "examples/a.md").read_text() == "doi:10.1000/a\n"


def test_one_long_path_does_not_make_short_lines_long(tmp_path):
    long = "a" * 100 + ".md"
    for name in ("b.md", long):
        (tmp_path / name).write_text("doi:10.1000/182\n")
    lines = doilinks("scan", "-q", ".", cwd=tmp_path)[1].splitlines()
    assert lines == [
        f"{long}:1:1  doi:10.1000/182   label",
        f"{'b.md:1:1':<40}  doi:10.1000/182   label",
    ]
