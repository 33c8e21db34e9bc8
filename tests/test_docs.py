"""The documentation builds without a warning, and what it says is so: its examples are run."""

import doctest
import importlib
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pypandoc
import pytest
import yaml

import doilinks
from doilinks import check as checking
from doilinks.cli.command import command
from doilinks.core.options import Options
from doilinks.core.remarks import CODES
from doilinks.testing import HandleServer

from .tools.links import html_links
from .tools.steps import STEPS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SOURCE = Path(doilinks.__file__).parent
PAGES = sorted(p for p in DOCS.rglob("*.md") if "_build" not in p.relative_to(DOCS).parts)
TEXTS = [*ROOT.glob("*.md"), *ROOT.glob("examples/*/README.md"), ROOT / "benchmarks/RESULTS.md"]
TEXTS += [ROOT / "tests" / each / "README.md" for each in ("conformance", "injection")]
DOCUMENTS = [*TEXTS, *PAGES]

FENCE = re.compile(r"^( *)(`{3,})(\S*)[^\n]*\n(.*?)^\1\2$", re.MULTILINE | re.DOTALL)


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def blocks(*languages):
    """Every block of code in these languages, as a parameter with its place as id."""
    found = []
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for block in FENCE.finditer(text):
            if block[3] in languages:
                line = text.count("\n", 0, block.start()) + 1
                code = re.sub(f"^{block[1]}", "", block[4], flags=re.MULTILINE)
                found.append(pytest.param(code, id=f"{name_of(path)}:{line}"))
    return found


def without_code(text):
    return re.sub(r"(`+).+?\1", "", FENCE.sub("", text), flags=re.DOTALL)


def code_of(text):
    """All code of a page: blocks, and what is set as code in a line."""
    return [
        *(block[4] for block in FENCE.finditer(text)),
        *(f"`{code}`" for _, code in re.findall(r"(`+)([^`\n]+)\1", FENCE.sub("", text))),
    ]


# The site


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", "-b", "html",
         "-d", out / "doctrees", DOCS, out / "html"],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return out / "html"


class Prose(HTMLParser):
    """The text of a page's article, without code."""

    def __init__(self):
        super().__init__()
        self.text, self._in, self._code = [], 0, 0

    def handle_starttag(self, tag, attrs):
        self._in += tag == "article"
        self._code += tag in ("code", "pre", "dt")

    def handle_endtag(self, tag):
        self._in -= tag == "article"
        self._code -= tag in ("code", "pre", "dt")

    def handle_data(self, data):
        if self._in and not self._code:
            self.text.append(data)


def test_the_site_builds_and_links_with_doilinks(site):
    links = html_links((site / "explanation" / "glossary.html").read_text(encoding="utf-8"))
    assert ("doi:10.17487/RFC3986", "https://doi.org/10.17487/RFC3986") in links


def test_every_option_in_each_spelling_is_in_the_tables(site):
    page = (site / "reference" / "options.html").read_text(encoding="utf-8")
    shown = set(re.findall(r'<span class="pre">([^<]+)</span></code>', page))
    for name in Options.NAMES:
        hyphens = name.replace("_", "-")
        assert {name, f"doi_{name}", f"--doi-{hyphens}", f"doi-{hyphens}"} <= shown, name


def test_the_command_line_is_in_the_reference(site):
    page = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    for each in command.commands.values():
        for parameter in each.params:
            assert all(
                f">{flag}<" in page or flag in page for flag in parameter.opts if "-" in flag
            )


FIRST = re.compile(r"(?<!\w)DOI(?!\w)(.?)", re.DOTALL)


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_the_trademark_is_marked_at_first(path):
    first = FIRST.search(without_code(path.read_text(encoding="utf-8")))
    assert first is None or first[1] == "®"


def test_the_trademark_is_marked_at_first_on_each_page(site):
    pages = [page for page in site.rglob("*.html") if page.stem not in ("genindex", "search")]
    assert len(pages) >= len(PAGES)
    for page in pages:
        prose = Prose()
        prose.feed(page.read_text(encoding="utf-8"))
        first = FIRST.search("".join(prose.text))
        assert first is None or first[1] == "®" or page.stem == "py-modindex", page


# What the pages say about the code

TAG = re.compile(r"\[(HB|2000|[A-Z]+(?: \d+)?(?= §))[^\]]*\]")


def test_every_tag_is_in_the_glossary():
    glossary = (DOCS / "explanation" / "glossary.md").read_text(encoding="utf-8")
    defined = set(re.findall(r"^\[(.+)\]$", glossary, re.MULTILINE))
    files = [*SOURCE.rglob("*.py"), *DOCUMENTS]
    used = {tag for path in files for tag in TAG.findall(path.read_text(encoding="utf-8"))}
    assert {"URI", "HB", "NISO", "2000"} <= used
    assert used <= defined


def test_every_step_of_the_scan_is_explained():
    page = (DOCS / "explanation" / "prose.md").read_text(encoding="utf-8")
    explained = [
        name
        for block in FENCE.finditer(page)
        if block[3] == "{doi-steps}"
        for name in block[4].splitlines()
    ]
    assert sorted(explained) == sorted(step.name for step in STEPS)


def test_every_message_code_is_explained():
    page = (DOCS / "reference" / "messages.md").read_text(encoding="utf-8")
    of_check, of_remarks = page.split("## Remarks")
    used = set()
    for path in (SOURCE / "check").glob("*.py"):
        used |= set(re.findall(r'"(doi-[a-z]+(?:-[a-z]+)*)"', path.read_text(encoding="utf-8")))
    assert set(re.findall(r"^\| `(.+?)`", of_check, re.MULTILINE)) == used
    assert set(re.findall(r"^\| `(.+?)`", of_remarks, re.MULTILINE)) == set(CODES)


def test_commands_flags_targets_and_extras_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    extras = set(project["optional-dependencies"])
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for line in re.findall(r"(?:^|`|\$ )make ([a-z -]+?)(?:  |`|,|$)", text, re.MULTILINE):
            assert set(line.split()) <= targets, (path, line)
        for listed in re.findall(r"doilinks\[([a-z,-]+)\]", text):
            assert set(listed.split(",")) <= extras, (path, listed)
        calls = re.compile(r"(?:^|`|\$ |run: |entry: )doilinks ([a-z]+)([^`\n]*)", re.MULTILINE)
        for name, rest in calls.findall("\n".join(code_of(text))):
            flags = {flag for each in command.commands[name].params for flag in each.opts}
            assert set(re.findall(r"--[a-z-]+", rest)) <= flags, (path, name, rest)
    assert {"doilinks", "pandoc-doilinks"} == set(project["scripts"])


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_local_links_lead_somewhere(path):
    targets = re.findall(r"\]\(([^)#\s]+)\)", without_code(path.read_text(encoding="utf-8")))
    for target in targets:
        assert "://" in target or (path.parent / target).exists(), target


def test_the_tests_that_are_named_exist():
    for path in DOCUMENTS:
        for named in re.findall(r"\btests/[\w./-]*\w", path.read_text(encoding="utf-8")):
            assert (ROOT / named).exists() or "<host>" in named, (path, named)


def test_nothing_is_said_of_a_machine():
    for path in DOCUMENTS:
        assert not re.search(r"/(?:work|home|tmp|root)/", path.read_text(encoding="utf-8")), path


def test_the_picture_is_small():
    picture = DOCS / "_static" / "before-after.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size <= 150_000


def test_the_readme_is_short_about_each_host():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(block[4].count("\n") <= 10 for block in FENCE.finditer(text))


# The examples


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with what the examples name, the commands on the path, and an API that answers."""
    for path in (Path(sys.executable).parent, Path(pypandoc.get_pandoc_path()).parent):
        monkeypatch.setenv("PATH", f"{path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.chdir(tmp_path)
    text = "# Guide\n\nThe Handbook is doi:10.1000/182.\n"
    (tmp_path / "docs").mkdir()
    for name in ("docs/guide.md", "docs/index.md", "README.md", "paper.md"):
        (tmp_path / name).write_text(text)
    (tmp_path / "page.rst").write_text("See doi:10.1000/182.\n")
    with HandleServer({"10.1000/182": "https://www.doi.org/hb.html"}) as server:
        (tmp_path / "pyproject.toml").write_text(f'[tool.doilinks]\ncheck_api = "{server.api}"\n')
        monkeypatch.setenv("DOILINKS_CHECK_API", server.api)  # for the Pandoc filter
        yield tmp_path


def run(*arguments, code=0, cwd=None):
    done = subprocess.run(
        arguments,
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def by_sphinx(folder, code):
    from .hosts.sphinx import build

    (folder / "conf.py").write_text(code + "exclude_patterns = ['*.md', 'docs']\n")
    (folder / "index.rst").write_text("Index\n=====\n\nSee :doi:`10.1000/182` there.\n")
    build(folder, folder / "out")
    return folder / "out" / "index.html"


def by_jupyter_book(folder, code):
    """As Jupyter Book does, which is not here: the settings in a ``conf.py``."""
    settings = yaml.safe_load(code)["sphinx"]
    lines = [f"extensions = {settings['extra_extensions']!r}"]
    lines += [f"{name} = {value!r}" for name, value in settings["config"].items()]
    return by_sphinx(folder, "\n".join([*lines, ""]))


def by_mkdocs(folder, code):
    with HandleServer({"10.1000/182": "https://www.doi.org/hb.html"}) as server:
        api = f"      check: error\n      check_api: {server.api}\n"
        (folder / "mkdocs.yml").write_text(code.replace("      check: error\n", api))
        run(sys.executable, "-m", "mkdocs", "build", "--strict", "-q")
    return folder / "site" / "guide" / "index.html"


def by_pelican(folder, code):
    (folder / "content").mkdir()
    (folder / "content" / "a.md").write_text("Title: A\nDate: 2026-01-01\n\nSee doi:10.1000/182.\n")
    (folder / "content" / "b.rst").write_text(
        "A title\n#######\n\n:date: 2026-01-01\n:slug: b\n\nSee :doi:`10.1000/182`.\n"
    )
    more = 'SITENAME = "Site"\nAUTHOR = "Author"\nTIMEZONE = "UTC"\n'
    (folder / "pelicanconf.py").write_text(more + code)
    run("pelican", "content", "-o", "out", "-s", "pelicanconf.py")
    rest = (folder / "out" / "b.html").read_text(encoding="utf-8")
    assert "https://doi.org/10.1000/182" in [href for _, href in html_links(rest)]
    return folder / "out" / "a.html"


def by_nikola(folder, code):
    run("nikola", "init", "-q", "site")
    site = folder / "site"
    with (site / "conf.py").open("a", encoding="utf-8") as file:
        file.write(code)
    head = ".. title: {0}\n.. slug: {0}\n.. date: 2026-01-01\n\n"
    (site / "posts" / "a.md").write_text(head.format("a") + "See doi:10.1000/182.\n")
    (site / "posts" / "b.rst").write_text(head.format("b") + "See :doi:`10.1000/182`.\n")
    run("nikola", "build", cwd=site)
    rest = (site / "output" / "posts" / "b" / "index.html").read_text(encoding="utf-8")
    assert "https://doi.org/10.1000/182" in [href for _, href in html_links(rest)]
    return site / "output" / "posts" / "a" / "index.html"


def by_zensical(folder, code):
    (folder / "zensical.toml").write_text(code)
    run("zensical", "build")
    return folder / "site" / "guide" / "index.html"


BUILDERS = {
    "# _config.yml": by_jupyter_book,
    "# conf.py": by_sphinx,
    "# conf.py of Nikola, at its end": by_nikola,
    "# mkdocs.yml": by_mkdocs,
    "# pelicanconf.py": by_pelican,
    "# zensical.toml": by_zensical,
}


@pytest.mark.parametrize("code", blocks("python", "yaml", "toml"))
def test_examples(code, folder):
    first = code.partition("\n")[0]
    if first in BUILDERS:
        page = BUILDERS[first](folder, code).read_text(encoding="utf-8")
        assert "https://doi.org/10.1000/182" in [href for _, href in html_links(page)]
    elif first == "# pyproject.toml":
        with (folder / "pyproject.toml").open("a") as file:
            file.write(code.replace("[tool.doilinks]\n", ""))
        (folder / "docs" / "index.md").write_text("See doi:10.5555/12345678.\n")
        said = run("doilinks", "check", "docs")
        assert said == "2 DOIs: 1 found, 1 known not to resolve\n"
    elif first == "markdown_extensions:":
        by_mkdocs(folder, "site_name: Site\n" + code)
        (folder / "site").rename(folder / "by-mkdocs")
        run("zensical", "build")
        for site in ("by-mkdocs", "site"):
            page = (folder / site / "guide" / "index.html").read_text(encoding="utf-8")
            assert "https://doi.org/10.1000/182" in [href for _, href in html_links(page)]
    elif first == "---":
        (folder / "paper.md").write_text(code + "See doi:10.1000/182 and 10.5555/12345678.\n")
        page = run("pandoc", "--filter", "pandoc-doilinks", "paper.md")
        assert html_links(page) == [("10.1000/182", "https://doi.org/10.1000/182")]
    elif first.startswith(("# _quarto.yml", "# .git", "# .pre")):
        assert yaml.safe_load(code)  # for programs that are not here; at least it can be read
    else:
        run(sys.executable, "-c", code)


@pytest.mark.parametrize("code", blocks("sh"))
def test_commands(code, folder):
    for line in code.splitlines():
        program = next(word for word in line.split() if "=" not in word)  # after variables
        if program in ("doilinks", "pandoc", "docutils"):
            run("sh", "-c", line)
        else:
            assert program in ("pip", "make", "git"), line


@pytest.mark.parametrize("code", blocks("ini"))
def test_configuration_of_docutils(code, folder):
    (folder / "docutils.conf").write_text(code)
    page = run("docutils", "--parser=doilinks.docutils", "page.rst")
    assert html_links(page) == [("10.1000/182", "https://doi.org/10.1000/182")]


@pytest.mark.parametrize("code", blocks("console"))
def test_sessions(code, folder):
    (folder / "docs" / "index.md").unlink()
    (folder / "docs" / "guide.md").write_text(
        "# Guide\n\nThe Handbook is doi:10.1000/182. See also 10.1000/182x.\n"
    )
    prompt, said = code.split("\n", 1)
    if " show " in prompt:  # says where the API is
        (folder / "pyproject.toml").unlink()
    asked = prompt.removeprefix("$ ")
    assert run("sh", "-c", asked, code=1 if " check " in asked else 0) == said


@pytest.mark.parametrize("path", [p for p in DOCUMENTS if ">>>" in p.read_text()], ids=name_of)
def test_interactive_examples(path, folder):
    examples = "\n".join(
        block[4]
        for block in FENCE.finditer(path.read_text(encoding="utf-8"))
        if block[3] == "pycon"
    )
    test = doctest.DocTestParser().get_doctest(examples, {}, path.name, str(path), 0)
    assert test.examples
    failed, _ = doctest.DocTestRunner().run(test)
    assert failed == 0


# The check

ANSWERS = {
    "found": "https://example.org/",
    "no values": None,
    "unknown": {"url": "https://example.org/", "fault": "server-error"},
}
MATRIX = re.compile(
    r"^\| ((?:found|not|unknown)[a-z, ]*) \| (.+?) \| (.+?) \| (.+?) \| (\d) \|$", re.MULTILINE
)


def test_the_table_of_outcomes_is_right(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    rows = MATRIX.findall((DOCS / "reference" / "check.md").read_text(encoding="utf-8"))
    assert len(rows) == 9
    seen = set()
    for outcomes, checks, unknowns, reported, exit_code in rows:
        ignored = "check_ignore" in unknowns
        for outcome, check, unknown in product(
            outcomes.split(", "), choices(checks, "error", "warn"),
            choices(unknowns, "ignore", "warn", "error"),
        ):  # fmt: skip
            seen.add((outcome, check, unknown, ignored))
            report = resolve(outcome, check, unknown, ignored=ignored)
            assert report.exit_code == int(exit_code), (outcome, check, unknown)
            severities = [problem.severity.value for problem in report.problems]
            assert severities == ([] if reported == "–" else [reported.split()[0]])
    assert len(seen) == 4 * 2 * 3 * 2


def choices(cell, *every):
    return every if cell.startswith("any") else [each for each in every if f"`{each}`" in cell]


def resolve(outcome, check, unknown, *, ignored):
    name = "10.1000/182"
    records = {name: ANSWERS[outcome]} if outcome in ANSWERS else {"10.1000/1": "https://a.org/"}
    with HandleServer(records) as server:
        options = Options(
            check=check, check_unknown=unknown, check_ignore=(name,) if ignored else (),
            check_api=server.api, check_lockfile="", check_retries=0,
        )  # fmt: skip
        return checking.check([checking.Occurrence(doilinks.DOI(name), "guide.md", 3)], options)


# The escapes

HOSTS = {
    "Sphinx (reST)": "sphinx",
    "Sphinx (MyST)": "myst",
    "docutils": "docutils",
    "markdown-it-py": "markdown_it",
    "Python-Markdown": "markdown",
    "MkDocs": "mkdocs",
    "Pandoc, Quarto": "pandoc",
}
ROW = re.compile(r"^\| (.+?) \| (`+) ?(See .+? there\.) ?\2 \| (.+?) \|$", re.MULTILINE)


@cache
def escapes():
    text = (DOCS / "explanation" / "escapes.md").read_text(encoding="utf-8")
    found = {}
    for host, _, sentence, linked in ROW.findall(text):
        links = [] if linked == "nothing" else [(linked.strip("`"), "https://doi.org/10.1000/abc.")]
        found.setdefault(HOSTS[host], []).append((sentence, links))
    return found


def test_each_host_has_its_escapes():
    assert escapes().keys() == set(HOSTS.values())
    for rows in escapes().values():
        assert any(links for _, links in rows)
        assert any(not links for _, links in rows)


@pytest.mark.parametrize("host", HOSTS.values())
def test_escapes(host):
    module = importlib.import_module(f"{__package__}.hosts.{host}")
    sentences = ["See `10.1000/182` there.", *(sentence for sentence, _ in escapes()[host])]
    if host in ("sphinx", "docutils"):
        sentences[0] = "See ``10.1000/182`` there."
    links = [html_links(page) for page in module.pages(sentences, {})]
    assert links == [[], *(links for _, links in escapes()[host])]
