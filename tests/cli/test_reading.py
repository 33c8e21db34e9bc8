"""Which files of a folder the command line reads, and what the user says about that."""

import os
import shlex
import subprocess

import pytest

from doilinks.sources import Rules, walk

from ..tools.command import doilinks


@pytest.fixture
def project(tmp_path):
    """A checkout with files that git ignores and others."""
    for path in (
        "a.md", "a.log.md", "keep.log.md", "out/b.md", "src/out/c.md", "src/d.md", "src/e.tmp.md",
        "src/anchored/f.md", "anchored/g.md", "docs/_site/h.md", "docs/i.md", "local.md",
    ):  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"10.1000/{len(path)}")
    (tmp_path / ".gitignore").write_text(
        "# no\n\n*.log.md\n!keep.log.md\nout/\n/anchored\n_site/\n"
    )
    (tmp_path / "src/.gitignore").write_text("*.tmp.md\n!out/\n")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".git/info").mkdir(exist_ok=True)
    (tmp_path / ".git/info/exclude").write_text("local.md\n")
    return tmp_path


READ = ["a.md", "keep.log.md", "docs/i.md", "src/d.md", "src/anchored/f.md", "src/out/c.md"]
IGNORED = ["a.log.md", "anchored/g.md", "docs/_site/h.md", "local.md", "out/b.md", "src/e.tmp.md"]


def read(*arguments, cwd, **environment):
    """The files in which names were found, and what was said."""
    code, out, err = doilinks("scan", *arguments, cwd=cwd, **environment)
    assert code == 0, err
    return [line.split()[0].rsplit(":", 2)[0] for line in out.splitlines()[:-1]], err.splitlines()


def test_what_git_ignores_is_left_out(project):
    assert read(".", cwd=project) == (READ, [])
    assert sorted(read("--no-gitignore", ".", cwd=project)[0]) == sorted(READ + IGNORED)
    for folder, files in (("src", ["d.md", "anchored/f.md", "out/c.md"]), ("docs", ["i.md"])):
        assert read(".", cwd=project / folder) == (files, [])


def test_it_is_what_git_lists(project):
    done = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "*.md"],
        cwd=project, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert sorted(done.stdout.split()) == sorted(READ)


def test_what_is_named_is_read_whatever_git_says(project):
    assert read("docs/_site", "a.log.md", cwd=project)[0] == ["docs/_site/h.md", "a.log.md"]
    (project / "docs/_site/.gitignore").write_text("h.md\n")
    code, _, said = doilinks("scan", "docs/_site", cwd=project)
    none = "it has no file to read (-v names what is left out); not read"
    assert (code, said) == (2, f"doilinks: docs/_site: {none}\n")


def test_outside_of_a_checkout_nothing_is_ignored(project):
    (project / ".git").rename(project / "git")
    assert sorted(read(".", cwd=project)[0]) == sorted([*READ, *IGNORED])


def test_a_checkout_in_a_folder_has_its_own_rules(project):
    (project / "sub/.git").mkdir(parents=True)
    (project / "sub/a.log.md").write_text("10.1000/1")
    assert "sub/a.log.md" in read(".", cwd=project)[0]
    (project / ".git").rename(project / "git")
    (project / "sub/.gitignore").write_text("*.md")
    assert "sub/a.log.md" not in read(".", cwd=project)[0]


def test_why_is_said_to_who_asks(project):
    _, said = read("-v", "--exclude", "src/a*", ".", cwd=project)
    assert sorted(said) == [
        "doilinks: a.log.md: left out, because .gitignore has '*.log.md'",
        "doilinks: anchored: left out, because .gitignore has '/anchored'",
        "doilinks: docs/_site: left out, because .gitignore has '_site/'",
        "doilinks: local.md: left out, because .git/info/exclude has 'local.md'",
        "doilinks: out: left out, because .gitignore has 'out/'",
        "doilinks: src/anchored: left out, because --exclude has 'src/a*'",
        "doilinks: src/e.tmp.md: left out, because src/.gitignore has '*.tmp.md'",
    ]


def test_patterns_of_the_user(project):
    flags = ["--exclude", "*.md", "--exclude", "!src/**"]
    assert read(*flags, ".", cwd=project)[0] == ["src/d.md", "src/anchored/f.md", "src/out/c.md"]
    # From the current folder, not from the folder that is read.
    assert read("--exclude", "/d.md", "src", cwd=project)[0][0] == "src/d.md"
    assert read("--exclude", "/src/d.md", "src", cwd=project)[0][0] == "src/anchored/f.md"
    assert read("--exclude", "d.md", "src/d.md", cwd=project)[0] == ["src/d.md"]
    forced = ("--force-exclude", "-v", "--exclude")
    for pattern in ("d.md", "/src/", "src/d*"):
        found, said = read(*forced, pattern, "src/d.md", "docs/i.md", cwd=project)
        assert found == ["docs/i.md"], pattern
        assert f"doilinks: src/d.md: left out, because --exclude has {pattern!r}" in said
    assert read(*forced, "src/", "src", "docs/i.md", cwd=project)[0] == ["docs/i.md"]
    assert read(*forced, "other/", "src/d.md", cwd=project)[0] == ["src/d.md"]
    assert read("--exclude", "src/", "src", cwd=project)[0][0] == "src/d.md"
    assert read("--exclude", "/d.md", str(project / "src"), cwd=project / "docs")[0] == [
        f"{project}/src/anchored/f.md", f"{project}/src/out/c.md",
    ]  # fmt: skip


def test_patterns_of_the_project(project):
    (project / "pyproject.toml").write_text('[tool.doilinks]\nexclude = ["/src/d.md", "docs"]\n')
    assert read("src", "docs", cwd=project)[0] == ["src/anchored/f.md", "src/out/c.md", "docs/i.md"]
    assert read(".", cwd=project / "src")[0] == ["anchored/f.md", "out/c.md"]
    assert "src/d.md" in read("--exclude", "x", ".", cwd=project)[0]
    assert doilinks("check", "--offline", "--check", "warn", ".", cwd=project)[0] == 0
    assert doilinks("show", "10.1000/1", cwd=project)[0] == 0


@pytest.mark.parametrize(
    ("toml", "flags", "message"),
    [
        ("", ["--exclude", "/"], "--exclude: not a pattern of files or folders: '/'"),
        ("", ["--exclude", "!"], "--exclude: not a pattern of files or folders: '!'"),
        ('exclude = [""]', [], "tool.doilinks.exclude: not a pattern of files or folders: ''"),
        ('exclude = "a"', [], "tool.doilinks.exclude: takes a list of patterns, got 'a'"),
        ("exclude = [3]", [], "tool.doilinks.exclude: takes a list of patterns, got [3]"),
    ],
)
def test_wrong_patterns(project, toml, flags, message):
    (project / "pyproject.toml").write_text(f"[tool.doilinks]\n{toml}\n")
    code, out, err = doilinks("scan", *flags, ".", cwd=project)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith(message)


def test_wrong_lines_of_a_gitignore_file(project):
    (project / "src/.gitignore").write_bytes(b"\xef\xbb\xbf!\n*a*a*a*a*a*a*b\nd.md\n\xff\n#!\n")
    found, said = read("src", cwd=project)
    assert found == ["src/e.tmp.md", "src/anchored/f.md"]
    assert said == [
        "doilinks: src/.gitignore:1: not a pattern: '!'; it is not used",
        "doilinks: src/.gitignore:2: too many stars: '*a*a*a*a*a*a*b'; it is not used",
    ]
    (project / "src/.gitignore").unlink()
    os.mkfifo(project / "src/.gitignore")
    assert "src/d.md" in read("src", cwd=project)[0]


def test_a_folder_reached_by_a_link(project, tmp_path_factory):
    link = tmp_path_factory.mktemp("links") / "link"
    link.symlink_to(project / "src")
    # Where the link is there is no checkout.
    assert len(list(walk(str(link), rules=Rules(gitignore=True)))) == 4


PANDOC = "pandoc {0} -t markdown | doilinks {1} --type md -"
EXPORT = "export it as text or HTML, and read that"
SOURCE = "read its source, such as LaTeX or Markdown, or the HTML that is built from the same"


@pytest.mark.parametrize(("subcommand", "path", "octets", "reason", "way"), [
    ("check", "a.docx", b"PK\3\4\0", "not a text (octet 5 is null)", PANDOC),
    ("scan", "a b.odt", b"PK\3\4\0", "not a text (octet 5 is null)", PANDOC),
    ("works", "a.EPUB", b"PK\3\4\0", "not a text (octet 5 is null)", PANDOC),
    ("find", "a.rtf", rb"{\rtf1 See doi:10.1000/182}", "not a text (it is RTF)", PANDOC),
    ("fix", "a.docx", b"PK\3\4\0", "not a text (octet 5 is null)", PANDOC),
    ("check", "a.doc", b"\xd0\xcf\0", "not a text (octet 3 is null)", EXPORT),
    ("check", "a.pdf", b"%PDF-1.7\nstream", "not a text (it is a PDF)", SOURCE),
    ("check", "a.ps", b"%!PS-Adobe-3.0\n", "not a text (it is PostScript)", SOURCE),
    ("check", "a.png", b"\x89PNG\0", "not a text (octet 5 is null)", ""),
    ("check", "a.pdf", None, "No such file or directory", ""),
    ("check", "https://doi.org/10.1000/182", None, "an address, not a file",
     "curl -L {0} | doilinks check --type html -"),
    ("scan", "doi:10.1000/182", None, "a name, not a file", "echo {0} | doilinks scan -"),
])  # fmt: skip
def test_a_path_that_is_no_text_says_what_reads_it(subcommand, path, octets, reason, way, tmp_path):
    if octets is not None:
        (tmp_path / path).write_bytes(octets)
    code, _, err = doilinks(subcommand, path, cwd=tmp_path)
    first, *rest = err.splitlines()
    assert (code, first) == (2, f"doilinks: {path}: {reason}; not read")
    shown = way.format(shlex.quote(path), "check" if subcommand == "fix" else subcommand)
    says = "" if shown in (EXPORT, SOURCE) else "this reads it: "
    assert rest == ([f"doilinks: {says}{shown}"] if way else [])


def test_a_file_in_a_folder_that_is_named_too_is_named(tmp_path):
    (tmp_path / "a.md").write_bytes(b"\0")
    assert doilinks("scan", ".", cwd=tmp_path)[0] == 0
    assert doilinks("scan", ".", "a.md", cwd=tmp_path)[0] == 2


def test_bad_input_takes_one_line_each_and_the_rest_goes_on(tmp_path):
    (tmp_path / "a.md").write_text("10.1000/1")
    os.mkfifo(tmp_path / "b.md")
    (tmp_path / "c.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "d.py").write_text('x = 1\0\n"""10.1000/2"""\n')
    (tmp_path / "e.py").write_text('def f(:\n    """10.1000/3"""\n')
    files, said = read("-v", ".", cwd=tmp_path)
    assert files == ["a.md", "e.py"]
    no_python = "not read as Python (invalid syntax, line 1), but comments and strings in triple quotes are read"
    no_file = "it is not a file, but a pipe, a socket, a device or a link that leads nowhere"
    assert said == [
        f"doilinks: b.md: left out, because {no_file}",
        f"doilinks: c.md: left out, because {no_file}",
        "doilinks: d.py: a binary file (octet 6 is null); skipped",
        f"doilinks: e.py:1:1: {no_python}",
    ]
