"""The documentation builds without a warning, and what it says is so: its examples are run."""

import re
import tomllib
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import doilinks
from doilinks import check as checking
from doilinks.ask.names.codes import CODES as PROBLEMS
from doilinks.core.options import Options
from doilinks.core.remarks import CODES
from doilinks.tools.cli.command import subcommands
from doilinks.tools.fix import RULES

from ..hosts import HOSTS as CONFORMANCE_HOSTS
from ..tools.documents import DOCS, DOCUMENTS, FENCE, ROOT, TEXTS, name_of
from ..tools.handle_api import HandleServer
from ..tools.links import html_links
from ..tools.modules import run_module
from ..tools.programs import succeeded
from ..tools.steps import STEPS


def without_code(text):
    return re.sub(r"(`+).+?\1", "", FENCE.sub("", text), flags=re.DOTALL)


def code_of(text):
    """All code of a page: blocks, and what is set as code in a line."""
    return [
        *(block[4] for block in FENCE.finditer(text)),
        *(f"`{code}`" for _, code in re.findall(r"(`+)([^`\n]+)\1", FENCE.sub("", text))),
    ]


SOURCE = Path(doilinks.__file__).parent

# The site


@pytest.fixture(scope="module", params=[pytest.param("site", marks=pytest.mark.thorough)])
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    strict = ("-q", "-n", "-W", "--keep-going", "-b", "html", "-d", out / "doctrees")
    done = run_module("sphinx", *strict, DOCS, out / "html")
    assert (done.returncode, done.stderr) == (0, "")
    return out / "html"


def test_the_site_builds_and_links_with_doilinks(site):
    links = html_links((site / "explanation" / "glossary.html").read_text(encoding="utf-8"))
    assert ("doi:10.17487/RFC3986", "https://doi.org/10.17487/RFC3986") in links


def test_every_option_in_each_spelling_is_in_the_tables(site):
    page = (site / "reference" / "options.html").read_text(encoding="utf-8")
    shown = set(re.findall(r'<span class="pre">([^<]+)</span></code>', page))
    for name in Options.NAMES:
        hyphens = name.replace("_", "-")
        assert {name, f"doi_{name}", f"--doi-{hyphens}", f"doi-{hyphens}"} <= shown, name


def test_each_option_code_and_rule_has_an_anchor(site):
    """Links from SARIF, from messages and from other sites lead to it."""
    wanted = {
        "reference/options": Options.NAMES,
        "reference/messages": [*PROBLEMS, *CODES],
        "howto/fix": [rule.code for rule in RULES],
    }
    for page, anchors in wanted.items():
        text = (site / f"{page}.html").read_text(encoding="utf-8")
        lacking = [anchor for anchor in anchors if text.count(f' id="{anchor}"') != 1]
        assert (page, lacking) == (page, [])


# The same pages in the repository, as a forge shows them

GFM = MarkdownIt("gfm-like", {"linkify": False})
LINK = re.compile(r'<a href="([^"]*)">(.*?)</a>', re.DOTALL)


def shown_by_a_forge(path):
    return GFM.render(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_a_page_needs_no_sphinx(path):
    page = shown_by_a_forge(path)
    links = [link for link in LINK.finditer(page) if "<img" not in link[2]]
    assert [to for to, text in (link.groups() for link in links) if not text.strip()] == []
    prose = re.sub(r"<pre>.*?</pre>|<!--.*?-->", "", page, flags=re.DOTALL)
    marks = r"^(?:<p>)?:::|\{[a-z:-]+\}<code>|^<p>\([\w-]+\)=|\]\[\]"
    assert re.findall(marks, prose, re.MULTILINE) == []
    fences = [each for each in GFM.parse(path.read_text("utf-8")) if each.type == "fence"]
    blocks = [(each.info, each.content.strip()) for each in fences]
    assert [info for info, code in blocks if not code or info.startswith("{")] == []


def anchors_on_a_forge(path):
    """The headings of a page, as GitHub and GitLab make anchors of them."""
    headings = re.findall(r"<h\d>(.*?)</h\d>", shown_by_a_forge(path))
    texts = [re.sub("<[^>]+>", "", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", text).replace(" ", "-") for text in texts}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_within_the_documentation_have_a_heading(path):
    for target, _ in LINK.findall(shown_by_a_forge(path)):
        file, _, anchor = target.partition("#")
        if anchor and "://" not in file and (not file or file.endswith(".md")):
            page = (path.parent / file).resolve() if file else path
            assert anchor in anchors_on_a_forge(page), target


def test_the_tables_of_the_pages_are_those_of_the_code():
    succeeded(run_module("docs.tables", "--check", cwd=ROOT))


# What the pages say about the code

TAG = re.compile(r"\[(HB|2000|[A-Z]+(?: \d+)?(?= §))[^\]]*\]")


def test_every_tag_is_in_the_glossary():
    glossary = (DOCS / "explanation" / "glossary.md").read_text(encoding="utf-8")
    defined = set(re.findall(r"^\* \*\*\[(.+?)\]\*\*", glossary, re.MULTILINE))
    files = [*SOURCE.rglob("*.py"), *DOCUMENTS]
    used = {tag for path in files for tag in TAG.findall(path.read_text(encoding="utf-8"))}
    assert {"URI", "HB", "NISO", "2000"} <= used
    assert used <= defined


def test_every_step_of_the_scan_is_explained():
    page = (DOCS / "explanation" / "prose.md").read_text(encoding="utf-8")
    tables = re.findall(r"^<!-- made: steps\n(.*?)-->$", page, re.MULTILINE | re.DOTALL)
    explained = [name for table in tables for name in table.splitlines()]
    assert sorted(explained) == sorted(step.name for step in STEPS)


def test_every_message_code_is_explained():
    assert all(text.endswith(".") for code in PROBLEMS.values() for text in code)
    page = (DOCS / "reference" / "messages.md").read_text(encoding="utf-8")
    of_check, of_remarks = page.split("## Remarks")
    of_check, of_lists = of_check.split("## Messages of citations")
    used = set()
    for path in (*(SOURCE / "hosts").rglob("*.py"), *(SOURCE / "cite").glob("*.py")):
        used |= set(re.findall(r' \[(doi-[a-z]+)\]"', path.read_text(encoding="utf-8")))
    assert set(re.findall(r"^\| `(.+?)`", of_lists, re.MULTILINE)) == used
    used = set()
    for path in (SOURCE / "ask" / "names").glob("*.py"):
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
        calls = re.compile(r"(?:^|`|\$ |run: |entry: )doilinks ([a-z-]+)([^`\n]*)", re.MULTILINE)
        for name, rest in calls.findall("\n".join(code_of(text))):
            flags = {flag for each in subcommands()[name].params for flag in each.opts}
            assert set(re.findall(r"--[a-z-]+", rest)) <= flags, (path, name, rest)
    assert {"doilinks", "pandoc-doilinks"} == set(project["scripts"])


def test_local_links_lead_somewhere():
    texts = {path: without_code(path.read_text(encoding="utf-8")) for path in TEXTS}
    every = [(path, to) for path in TEXTS for to in re.findall(r"\]\(([^)#\s]+)\)", texts[path])]
    assert len(every) > 30
    for path, target in every:
        assert "://" in target or (path.parent / target).exists(), (path, target)


def test_the_files_that_are_named_exist():
    texts = {path: path.read_text(encoding="utf-8") for path in DOCUMENTS}
    every = [
        (path, name)
        for path in texts
        for name in re.findall(r"\b(?:tests|src/doilinks)/[\w./-]*\w", texts[path])
    ]
    assert len(every) > 20
    for path, named in every:
        assert (ROOT / named).exists() or "<host>" in named, (path, named)
    rooms = [ROOT, SOURCE]
    named = re.findall(r"`((?:\w+/)+\w+\.py)`", texts[ROOT / "ARCHITECTURE.md"])
    assert len(named) > 50
    assert [each for each in named if not any((room / each).exists() for room in rooms)] == []


# The check

ANSWERS = {
    "found": "https://example.org/",
    "no values": None,
    "deleted": "https://www.datacite.org/invalid.html",
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
    assert len(seen) == 5 * 2 * 3 * 2


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
        return checking.check(
            [doilinks.Found(doilinks.DOI(name), file="guide.md", line=3)], options
        )


# The escapes

HOSTS = {
    "Sphinx (reST)": "sphinx", "Sphinx (MyST)": "myst", "docutils": "docutils",
    "markdown-it-py": "markdown_it", "Python-Markdown": "markdown", "MkDocs": "mkdocs",
    "Pandoc, Quarto": "pandoc",
}  # fmt: skip
ROW = re.compile(r"^\| (.+?) \| (`+) ?(See .+? there\.) ?\2 \| (.+?) \|$", re.MULTILINE)


@cache
def escapes():
    text = (DOCS / "explanation" / "escapes.md").read_text(encoding="utf-8")
    found = {}
    for host, _, sentence, linked in ROW.findall(text):
        links = [] if linked == "nothing" else [(linked.strip("`"), "https://doi.org/10.1000/abc.")]
        for name in [HOSTS[title] for title in HOSTS if host == "all" or title in host]:
            found.setdefault(name, []).append((sentence, links))
    return found


def test_each_host_has_its_escapes():
    assert escapes().keys() == set(HOSTS.values())
    for rows in escapes().values():
        assert any(links for _, links in rows)
        assert any(not links for _, links in rows)


@pytest.mark.parametrize("host", HOSTS.values())
def test_escapes(host):
    sentences = ["See `10.1000/182` there.", *(sentence for sentence, _ in escapes()[host])]
    if host in ("sphinx", "docutils"):
        sentences[0] = "See ``10.1000/182`` there."
    links = [html_links(page) for page in CONFORMANCE_HOSTS[host].pages(sentences, {})]
    assert links == [[], *(links for _, links in escapes()[host])]
