"""What the documentation shows works: each example is run by the program that it is for."""

import doctest
import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pypandoc
import pytest
import yaml

from doilinks import __version__

from ..tools.documents import DOCUMENTS, FENCE, ROOT, blocks, name_of
from ..tools.handle_api import HandleServer
from ..tools.links import html_links
from ..tools.modules import BIN, quick, run_module
from ..tools.programs import git, keep_to_schema_of, succeeded, tool
from ..tools.projects import configure, write
from ..tools.works import lock

WORK = {
    "type": "book", "title": "DOI Handbook", "author": [{"family": "Paskin", "given": "Norman"}],
    "issued": {"date-parts": [[2000]]},
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with what the examples name, the commands on the path, and an API that answers."""
    quickly = {quick(BIN / name).parent for name in ("doilinks", "pandoc-doilinks", "docutils")}
    for path in (BIN, Path(pypandoc.get_pandoc_path()).parent, *quickly):
        monkeypatch.setenv("PATH", f"{path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.chdir(tmp_path)
    guides = ("docs/guide.md", "docs/index.md", "README.md", "paper.md")
    write(tmp_path, dict.fromkeys(guides, "# Guide\n\nThe Handbook is doi:10.1000/182.\n") | {
        "paper.bib": "@misc{a, doi = {10.1000/182}}\n",
        "page.rst": "See doi:10.1000/182.\n",
        "public/index.html": "<p>A page without names.</p>\n",
        "src/a.py": '"""See doi:10.1000/182."""\n',
    })  # fmt: skip
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    with HandleServer(
        {"10.1000/182": {"url": "https://www.doi.org/hb.html", "work": WORK}}
    ) as server:
        configure(tmp_path, check_api=server.api, check_works_api=server.works_api)
        monkeypatch.setenv("DOILINKS_CHECK_API", server.api)  # for the Pandoc filter
        yield tmp_path


def run(*arguments, code=0, cwd=None):
    done = subprocess.run(
        arguments, cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


# What is done with an example, which its first line says


def by_sphinx(folder, code):
    from ..tools.hosts import build

    write(folder, {"conf.py": f"{code}exclude_patterns = ['*.md', 'docs']\n"})
    (folder / "index.rst").write_text("Index\n=====\n\nSee :doi:`10.1000/182` there.\n")
    build(folder, folder / "out")
    assert_linked(folder / "out" / "index.html")


def by_jupyter_book(folder, code):
    """As Jupyter Book does, which is not here: the settings in a ``conf.py``."""
    settings = yaml.safe_load(code)["sphinx"]
    lines = [f"extensions = {settings['extra_extensions']!r}"]
    lines += [f"{name} = {value!r}" for name, value in settings["config"].items()]
    by_sphinx(folder, "\n".join([*lines, ""]))


def by_mkdocs(folder, code):
    with HandleServer({"10.1000/182": "https://www.doi.org/hb.html"}) as server:
        api = f"      check: error\n      check_api: {server.api}\n"
        (folder / "mkdocs.yml").write_text(code.replace("      check: error\n", api))
        succeeded(run_module("mkdocs", "build", "--strict", "-q"))
    assert_linked(folder / "site" / "guide" / "index.html")


def by_mkdocs_and_zensical(folder, code):
    by_mkdocs(folder, "site_name: Site\n" + code)
    shutil.rmtree(folder / "site")
    run("zensical", "build")
    assert_linked(folder / "site" / "guide" / "index.html")


def by_zensical(folder, code):
    (folder / "zensical.toml").write_text(code)
    run("zensical", "build")
    assert_linked(folder / "site" / "guide" / "index.html")


def by_pelican(folder, code):
    write(folder, {
        "content/a.md": "Title: A\nDate: 2026-01-01\n\nSee doi:10.1000/182.\n",
        "content/b.rst": "A title\n#######\n\n:date: 2026-01-01\n:slug: b\n\nSee :doi:`10.1000/182`.\n",
        "pelicanconf.py": f'SITENAME = "Site"\nAUTHOR = "Author"\nTIMEZONE = "UTC"\n{code}',
    })  # fmt: skip
    run("pelican", "content", "-o", "out", "-s", "pelicanconf.py")
    assert_linked(folder / "out" / "a.html")
    assert_linked(folder / "out" / "b.html")


def by_nikola(folder, code):
    run("nikola", "init", "-q", "site")
    site = folder / "site"
    with (site / "conf.py").open("a", encoding="utf-8") as file:
        file.write(code)
    head = ".. title: {0}\n.. slug: {0}\n.. date: 2026-01-01\n\n"
    (site / "posts" / "a.md").write_text(head.format("a") + "See doi:10.1000/182.\n")
    (site / "posts" / "b.rst").write_text(head.format("b") + "See :doi:`10.1000/182`.\n")
    run("nikola", "build", cwd=site)
    assert_linked(site / "output" / "posts" / "a" / "index.html")
    assert_linked(site / "output" / "posts" / "b" / "index.html")


def by_citeproc(folder, code):
    lock(folder)
    (folder / "paper.md").write_text(code + "So [@doi:10.1000/182], and doi:10.1000/182.\n")
    page = run("pandoc", "--wrap=none", "--filter", "pandoc-doilinks", "--citeproc", "paper.md")
    assert "(Paskin 2000)" in page
    assert 'title="Paskin (2000). DOI Handbook."' in page


def by_pandoc(folder, code):
    if "doi-cite" in code:
        by_citeproc(folder, code)
        return
    (folder / "paper.md").write_text(code + "See doi:10.1000/182 and 10.5555/12345678.\n")
    page = run("pandoc", "--filter", "pandoc-doilinks", "paper.md")
    assert html_links(page) == [("10.1000/182", "https://doi.org/10.1000/182")]


def by_mystmd(folder, code):
    """With the plug-in, which the page has written before; without a network."""
    program = tool("myst", "the example of myst.yml is not built")
    (folder / "myst.yml").write_text(code)
    (folder / "paper.bib").unlink()  # works in a bibliography are cited
    run("doilinks", "myst-plugin")
    run(
        "env", "HTTPS_PROXY=http://127.0.0.1:9", program, "build", "--md", "paper.md", "-o",
        "out.md",
    )  # fmt: skip
    assert "](https://doi.org/10.1000/182)" in (folder / "out.md").read_text()


def add_settings(folder, code):
    with (folder / "pyproject.toml").open("a") as file:
        file.write(code.replace("[tool.doilinks]\n", ""))


def by_doilinks(folder, code):
    add_settings(folder, code)
    (folder / "docs" / "index.md").write_text("See doi:10.5555/12345678.\n")
    said = run("doilinks", "check", "docs")
    assert said == "2 DOIs: 1 found, 1 known not to resolve\n"


def by_doilinks_with_works(folder, code):
    add_settings(folder, code)
    run("doilinks", "check", "docs")


def by_fix(folder, code):
    add_settings(folder, code)
    # The example ignores the rule that would mend this.
    (folder / "docs" / "index.md").write_text("See https://doi.org/doi:10.1000/182.\n")
    said = run("doilinks", "fix", "--check", "docs")
    assert said.startswith("0 changes would be made")


def by_python(folder, code):
    succeeded(run_module("-c", code))


def by_github(folder, code):
    (folder / "workflow.yml").write_text(code)
    keep_to_schema_of("github-workflows", folder / "workflow.yml")
    (job,) = yaml.safe_load(code)["jobs"].values()
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    for step in job["steps"]:
        if "/doilinks" in step.get("uses", ""):  # the action, in a folder or by its address
            assert step["uses"] == "./doilinks" or step["uses"].endswith(f"@v{__version__}")
            assert step["with"].keys() <= inputs.keys()
        command = step.get("run", "")
        if PIPX.match(command):
            run("sh", "-c", PIPX.sub("", command).replace(" networkx/ doc/", " docs/"))


def by_pre_commit(folder, code):
    """The hooks run, if they are local; hooks with an address are those of the manifest."""
    (folder / ".pre-commit-config.yaml").write_text(code)
    run("pre-commit", "validate-config")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    entries = {hook["id"]: hook["entry"] for hook in hooks}
    (repo,) = yaml.safe_load(code)["repos"]
    assert {hook["id"] for hook in repo["hooks"]} <= entries.keys()
    if repo["repo"] != "local":
        assert repo["rev"] == f"v{__version__}"
        return
    assert all(hook["entry"] == entries[hook["id"]] for hook in repo["hooks"])
    run("doilinks", "check", "docs")  # so the lock file is there, as for one who has begun
    (folder / "docs" / "old.md").write_text("See http://dx.doi.org/10.1000/182.\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    assert "https://doi.org/10.1000/182 [doi-resolver]" in run("pre-commit", "run", code=1)
    git(folder, "add", ".")
    run("pre-commit", "run")


def by_gitlab(folder, code):
    """The script of each job, as a runner runs it, with a name that exists and one that does not."""
    (job,) = yaml.safe_load(code).values()
    assert job.keys() <= {"image", "rules", "script", "artifacts"}
    install, check = job["script"]
    assert install == 'pip install "doilinks[cli]"'
    run("sh", "-c", check)
    (folder / "docs" / "wrong.md").write_text("See doi:10.1000/182x.\n")
    run("sh", "-c", check, code=1)
    for kind, report in job.get("artifacts", {}).get("reports", {}).items():
        said = (folder / report).read_text()
        assert "docs/wrong.md" in said
        if kind == "codequality":
            (issue,) = json.loads(said)
            assert issue["location"] == {"path": "docs/wrong.md", "lines": {"begin": 1}}


def by_sphinx_with_arxiv(folder, code):
    (folder / "page.rst").write_text(
        "Page\n====\n\n:arxiv:`2101.00001` :arXiv:`hep-th/9711200` :arxiv:`title <2101.00002>`\n"
    )
    by_sphinx(folder, code)
    links = html_links((folder / "out" / "page.html").read_text(encoding="utf-8"))
    assert [link for link in links if "arxiv" in link[1]] == [
        ("arXiv:2101.00001", "https://arxiv.org/abs/2101.00001"),
        ("arXiv:hep-th/9711200", "https://arxiv.org/abs/hep-th/9711200"),
        ("title", "https://arxiv.org/abs/2101.00002"),
    ]


def only_read(folder, code):
    """For programs that are not here."""
    assert yaml.safe_load(code)


def assert_linked(page):
    links = html_links(page.read_text(encoding="utf-8"))
    assert "https://doi.org/10.1000/182" in [href for _, href in links]


PIPX = re.compile(r'^pipx run --spec "doilinks\[cli\]" (?=doilinks )')


def by_helix(folder, code):
    """Helix is not installed: its file is read, and the command of its server is one of doilinks."""
    server = tomllib.loads(code)["language-server"]["doilinks"]
    run(server["command"], *server["args"], "--help")


BY_FIRST_LINE = {
    "# _config.yml": by_jupyter_book, "# conf.py": by_sphinx,
    "# conf.py, with the role arxiv": by_sphinx_with_arxiv,
    "# conf.py of Nikola, at its end": by_nikola, "# mkdocs.yml": by_mkdocs,
    "# myst.yml": by_mystmd, "# pelicanconf.py": by_pelican, "# pyproject.toml": by_doilinks,
    "# pyproject.toml, with works": by_doilinks_with_works,
    "# pyproject.toml, for doilinks fix": by_fix, "# zensical.toml": by_zensical, "---": by_pandoc,
    "markdown_extensions:": by_mkdocs_and_zensical, "# .github/workflows/doi.yml": by_github,
    "# .gitlab-ci.yml": by_gitlab, "# .github/workflows/doi-issue.yml": by_github,
    "# .github/workflows/pages.yml": by_github, "# .pre-commit-config.yaml": by_pre_commit,
    "# _quarto.yml": only_read, "# languages.toml": by_helix,
}  # fmt: skip
EXAMPLES = blocks("python", "yaml", "toml")


def first_line(code):
    return code.partition("\n")[0]


@pytest.mark.thorough
@pytest.mark.parametrize("code", EXAMPLES)
def test_examples(code, folder):
    BY_FIRST_LINE.get(first_line(code), by_python)(folder, code)


def test_each_way_to_run_an_example_is_used():
    assert BY_FIRST_LINE.keys() <= {first_line(*example.values) for example in EXAMPLES}


@pytest.mark.thorough
@pytest.mark.parametrize("code", blocks("sh"))
def test_commands(code, folder):
    if "--since main" in code:
        git(folder, "init", "-q")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "All")
    for written in code.splitlines():
        line = PIPX.sub("", written)
        program = next(word for word in line.split() if "=" not in word)  # after variables
        if program in ("doilinks", "pandoc", "docutils"):
            run("sh", "-c", line)
        else:
            assert program in ("pip", "make", "git"), line


@pytest.mark.thorough
@pytest.mark.parametrize("code", blocks("ini"))
def test_configuration_of_docutils(code, folder):
    (folder / "docutils.conf").write_text(code)
    page = run("docutils", "--parser=doilinks.docutils", "page.rst")
    assert html_links(page) == [("10.1000/182", "https://doi.org/10.1000/182")]


@pytest.mark.thorough
@pytest.mark.parametrize("code", blocks("console"))
def test_sessions(code, folder):
    (folder / "docs" / "index.md").unlink()
    (folder / "docs" / "guide.md").write_text(
        "# Guide\n\nThe Handbook is doi:10.1000/182. See also 10.1000/182x.\n"
    )
    prompt, said = code.split("\n", 1)
    if "data.md" in prompt:
        (folder / "docs" / "data.md").write_text(
            "# Data\n\nSee [them](https://zenodo.org/record/3233118) and\n"
            "[arrays](https://www.nature.com/articles/s41586-020-2649-2).\n"
        )
    if "refs.md" in prompt:
        (folder / "docs" / "refs.md").write_text(
            "# References\n\n* Paskin, N. (2000). DOI Handbook.\n* Again: http://dx.doi.org/10.1000/182\n"
        )
    if " show " in prompt:  # says where the API is
        (folder / "pyproject.toml").unlink()
    asked = prompt.removeprefix("$ ")
    problems = " check " in asked or " find " in asked
    assert run("sh", "-c", asked, code=int(problems)) == said


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
