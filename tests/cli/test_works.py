"""``doilinks works`` as a user runs it, and its page in a browser."""

import json
import re
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest

from doilinks import DOI

from ..tools.command import at_terminal, doilinks
from ..tools.handle_api import HandleServer
from ..tools.programs import git, tool
from ..tools.tables import tables

TABLES = tables(__file__)

pytest.importorskip("pybtex")

WORKS = TABLES["works"]
PAGES = TABLES["pages"]
TEXT = TABLES["said"]
MISSING = TABLES["missing"]


def project(folder: Path, pages=PAGES, works=WORKS, **found) -> Path:
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    lock = {
        "version": 1,
        "found": {DOI(name).uri: {"checked": "2026-11-20"} for name in works} | found,
        "works": {DOI(name).uri: {"fetched": "2026-11-20", **each} for name, each in works.items()},
    }
    (folder / "doi-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    return folder


def test_every_work_with_where_it_stands(tmp_path):
    before = (project(tmp_path) / "doi-lock.json").read_bytes()
    assert doilinks("works", ".", cwd=tmp_path) == (1, TEXT, MISSING)
    assert (tmp_path / "doi-lock.json").read_bytes() == before


def test_all_known_is_success(tmp_path):
    project(tmp_path, {"a.md": "doi:10.1000/182"})
    shown = "doi:10.1000/182  found\n  Paskin, N. (2000). DOI Handbook. IDF.\n  a.md:1:1\n"
    assert doilinks("works", "-q", ".", cwd=tmp_path) == (0, shown, "")


@pytest.mark.parametrize("option", ["check_ignore", "check_accept"])
def test_a_name_that_is_known_to_have_no_work_is_no_failure(tmp_path, option):
    toml = f'[tool.doilinks]\n{option} = ["10.1000/unknown"]\n'
    project(tmp_path, PAGES | {"pyproject.toml": toml})
    code, out, err = doilinks("works", ".", cwd=tmp_path)
    assert (code, out, err) == (0, TEXT, "")


def test_a_name_that_stands_for_another_is_the_same_work(tmp_path):
    alias = {"doi:10/short": {"checked": "2026-11-20", "alias": "doi:10.1000/182"}}
    project(tmp_path, {"a.md": "doi:10.1000/182 doi:10/short doi:10.1000/182\n"}, **alias)
    code, out, err = doilinks("works", "--format", "csl-json", ".", cwd=tmp_path)
    assert (code, [item["id"] for item in json.loads(out)], err) == (0, ["doi:10.1000/182"], "")
    _, out, _ = doilinks("works", ".", cwd=tmp_path)
    assert "a.md:1:1\n  a.md:1:17\n  a.md:1:30\n1 work in 3 places" in out


def test_a_silenced_place_counts_and_a_retracted_work_stays_retracted(tmp_path):
    text = "doi:10.1000/bad <!-- doilinks: ignore -->\n"
    project(tmp_path, {"a.md": text})
    code, out, _ = doilinks("works", ".", cwd=tmp_path)
    assert (code, "doi:10.1000/bad  retracted\n" in out) == (0, True)


@pytest.mark.parametrize(("text", "said"), [("[Preprint]. ", "found"), ("", "newer version")])
def test_a_preprint_that_is_meant_has_no_newer_version(text, said, tmp_path):
    work = {
        "type": "posted-content", "title": "Names on the move", "names": ["Miller"], "year": 2015,
        "newer": {"published": "doi:10.1000/new"},
    }  # fmt: skip
    page = f"- Miller (2015). Names on the move {text}doi:10.1000/old\n"
    project(tmp_path, {"a.md": page}, {"10.1000/old": work})
    out = doilinks("works", "a.md", cwd=tmp_path)[1]
    assert out.splitlines()[0] == f"doi:10.1000/old  {said}"


def test_bibtex_and_a_page_in_files(tmp_path):
    project(tmp_path)
    given = ("--format", "bibtex", "-o", "refs.bib", "--format", "html", "--output", "works.html")
    code, out, err = doilinks("works", *given, "a.md", "b.rst", cwd=tmp_path)
    assert (code, out, err) == (1, "", MISSING)
    assert (tmp_path / "refs.bib").read_text().count("@") == 4
    # What was written can be read, and names the same.
    for file, few in (("refs.bib", 4), ("works.html", 6)):  # the page names a newer work too
        rows = json.loads(doilinks("scan", "--format", "json", file, cwd=tmp_path)[1])
        assert len({row["name"] for row in rows}) == few


MARKED_UP = {
    "type": "book", "title": "A <b>b</b> | [c](https://example.org) of @somebody #1",
    "author": [["Ü", "A. *b*"]], "year": 2001,
}  # fmt: skip


def test_a_list_in_markdown(tmp_path):
    project(tmp_path, {"a.md": "doi:10.1000/x"}, {"10.1000/x": MARKED_UP})
    code, out, err = doilinks("works", "--format", "markdown", ".", cwd=tmp_path)
    assert (code, err) == (0, "")
    assert out == (
        "* Ü, A. \\*b\\* (2001). <i>A b \\| \\[c\\](https\\://example.org) of `@`somebody `#`1</i>. "
        "<https://doi.org/10.1000/x>\n"
    )


def test_no_cell_of_markdown_has_markup(tmp_path):
    """Neither the text of a page has, nor a record, nor what is remarked on it."""
    works = {"10.1000/frogs": {**WORKS["10.1000/frogs"], "title": "Frogs <b>of</b> the | north"}}
    text = PAGES["a.md"].replace("Cooking", "<b>Cooking</b> | baking").replace("Kitchen", "K." * 99)
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "one")
    project(tmp_path, {"<b>|.md": f"{text}\n\ndoi:10.1000/a*b*\n"}, works)
    asked = ("--since", "HEAD", "--format", "markdown")
    out = doilinks("works", *asked, ".", cwd=tmp_path)[1]
    assert "another work; another work: " in out
    assert out.count("…") == 1  # of a text of more than two hundred characters
    shown = re.sub(r"\\.|</?i>|\]\(<|>\)", "", out)  # italics are those of a journal
    assert not set("<*") & set(shown.replace("org/10.1000/a*b", "", 1))  # the address may
    assert {row.count("|") for row in shown.splitlines()[2:]} == {6}


def test_what_is_new_since_a_revision(tmp_path, tmp_path_factory):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("doi:10.1000/182\n")
    (docs / "gone.md").write_text("doi:10.1000/old\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    project(tmp_path, {"docs/gone.md": "", "docs/new.md": "doi:10.1000/182\n\n" + PAGES["a.md"]})
    asked = ("--since", "HEAD", "--format", "markdown")
    code, out, err = doilinks("works", *asked, "docs", cwd=tmp_path)
    assert (code, "10.1000/unknown is not known" in err) == (1, True)
    _, _, *rows = out.splitlines()
    assert [row.split(" | ")[0] for row in rows[2:]] == ["| docs/new.md:5", "| docs/new.md:3"] + [
        "| docs/new.md:3"
    ]
    frogs = next(row for row in rows if "10.1000/frogs" in row)
    assert (
        "| Miller, A. (1971). Cooking with flour in Italy. Kitchen 3. doi:10.1000/frogs |" in frogs
    )
    assert "Frogs of the north" in frogs
    assert "another work" in frogs
    # The folder that a user is in does not matter, nor a path that was not there then, even in no
    # repository.
    project(tmp_path, {})
    for more in (tmp_path / "more.md", tmp_path_factory.mktemp("elsewhere") / "more.md"):
        more.write_text("doi:10.1000/bad")
        code, out, _ = doilinks("works", "-q", "--since", "HEAD", str(more), cwd=docs)
        assert out.startswith("doi:10.1000/bad  ")
        assert "new.md" not in out


def test_what_a_link_leads_to_is_not_new(tmp_path):
    for folder in ("docs", "examples"):
        (tmp_path / folder).mkdir()
    project(tmp_path, {"docs/a.md": "", "examples/b.md": "doi:10.1000/b", "README.md": "10.1000/c"})
    (tmp_path / "docs/index.md").symlink_to("../README.md")
    (tmp_path / "docs/examples").symlink_to("../examples")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    project(tmp_path, {"docs/a.md": "doi:10.1000/a", "README.md": "10.1000/c, 10.1000/d"})
    _, out, err = doilinks("works", "--since", "HEAD", "docs", cwd=tmp_path)
    assert re.findall("10.1000/.", out) == ["10.1000/a", "10.1000/d"]
    assert "left out" not in err


@pytest.mark.parametrize("name", [":x.md", ":(top)y.md", "*.md", "[ab].md", ":!z.md"])
def test_a_path_is_a_path_for_git_too(tmp_path, name):
    git(tmp_path, "init", "-q")
    project(tmp_path, {name: "doi:10.1000/182\n"})
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    with (tmp_path / name).open("a") as file:
        file.write("\ndoi:10.1000/frogs\n")
    (tmp_path / "y.md").write_text("doi:10.1000/bad\n")
    out = doilinks("works", "--since", "HEAD", "--format", "markdown", name, cwd=tmp_path)[1]
    assert ("10.1000/frogs" in out, "10.1000/182" in out, "10.1000/bad" in out) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize(
    ("revision", "why"),
    [
        ("nowhere", "--since nowhere: git knows no such revision"),
        ("--output=x", "--since --output=x: git knows no such revision"),
    ],
)
def test_a_revision_that_is_none(tmp_path, revision, why):
    code, _, err = doilinks("works", "--since", revision, ".", cwd=tmp_path)
    assert (code, "--since: fatal: not a git repository" in err) == (2, True)
    git(tmp_path, "init", "-q")
    code, _, err = doilinks("works", "--since", revision, ".", cwd=tmp_path)
    assert (code, why in err, [*tmp_path.glob("x")]) == (2, True, [])


def test_a_style(tmp_path):
    project(tmp_path, {"a.md": "doi:10.1000/frogs"})
    _, out, err = doilinks("works", "--cite-style", "nature", ".", cwd=tmp_path)
    assert (
        "  Berg, A. & R Core Team. Frogs of the north. Journal of Frogs 3, 12–19 (2019).\n" in out
    )
    assert err == ""
    code, out, err = doilinks("works", "--cite-style", "none-such", ".", cwd=tmp_path)
    assert (code, "  Berg, A. & R Core Team (2019)." in out) == (0, True)
    assert err.startswith("doilinks: the style 'none-such' is not used: ")
    assert err.count("\n") == 1


def test_the_names_of_styles(tmp_path):
    code, out, _ = doilinks("works", "--list-styles", cwd=tmp_path)
    assert (code, {"apa", "nature-physics"} <= set(out.split("\n"))) == (0, True)


def test_fetch_and_a_project_that_is_offline_contradict(tmp_path):
    project(tmp_path, PAGES | {"pyproject.toml": "[tool.doilinks]\ncheck_offline = true\n"})
    code, _, err = doilinks("works", "--fetch", ".", cwd=tmp_path)
    assert (code, "check_offline is on" in err) == (2, True)


def test_without_a_lock_file_nothing_is_known_and_none_is_written(tmp_path):
    (tmp_path / "a.md").write_text("doi:10.1000/182")
    code, out, err = doilinks("works", ".", cwd=tmp_path)
    assert (code, out.startswith("doi:10.1000/182  not known\n  a.md:1:1\n")) == (1, True)
    assert err.count("\n") == 2
    assert [*tmp_path.iterdir()] == [tmp_path / "a.md"]
    code, _, err = doilinks("works", "missing.md", cwd=tmp_path)
    assert (code, "missing.md: No such file" in err) == (2, True)


def test_a_terminal_gets_colours_and_nothing_that_controls_it(tmp_path):
    project(tmp_path, {"a.md": "doi:10.1000/bad"})
    out = at_terminal("works", ".", cwd=tmp_path)
    assert "\x1b[31mretracted\x1b[0m" in out


# --------------------------------------------------------------------------------------------------
# What --fetch asks for.


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    work = {
        "title": "DOI Handbook", "author": [{"family": "Paskin", "given": "Norman"}],
        "issued": {"date-parts": [[2000]]}, "type": "book",
    }  # fmt: skip
    records = {
        "10.1000/182": {"url": "https://example.org/", "work": work},
        "10.1000/without": {"url": "https://example.org/", "work": None},
    }
    with HandleServer(records) as server:
        yield server


def fetch(folder: Path, server: HandleServer, *more: str):
    given = ("--check-api", server.api, "--check-works-api", server.works_api)
    return doilinks("works", "--fetch", *given, "--check-retries", "0", *more, ".", cwd=folder)


def test_fetch_fills_the_lock_file(tmp_path, server):
    (tmp_path / "a.md").write_text("doi:10.1000/182, doi:10.1000/without, doi:10.1000/182x")
    code, out, err = fetch(tmp_path, server)
    assert out == (
        "doi:10.1000/182  found\n  Paskin, N. (2000). DOI Handbook.\n  a.md:1:1\n"
        "doi:10.1000/without  not known\n  a.md:1:18\n"
        "doi:10.1000/182x  not found\n  a.md:1:39\n"
        "3 works in 3 places: 1 not found, 1 not known, 1 found\n"
    )
    assert code == 1
    assert "a.md:1:39: not found: doi:10.1000/182x (did you mean doi:10.1000/182?)\n" in err
    assert "a.md:1:18: the work of doi:10.1000/without is not known\n" in err
    assert "doi-lock.json written: commit it\n" in err
    lock = json.loads((tmp_path / "doi-lock.json").read_text())
    assert [*lock["works"]] == ["doi:10.1000/182"]
    asked = len(server.requests)
    # Existence and works: nothing is searched by a text.
    assert not any("query" in each.path for each in server.requests)
    (tmp_path / "a.md").write_text("doi:10.1000/182")
    # What was known, and is right, is not told again.
    assert fetch(tmp_path, server)[:2] == (0, "1 work in 1 place: 1 found\n")
    assert fetch(tmp_path, server, "-q") == (0, "", "")
    assert doilinks("works", "--offline", ".", cwd=tmp_path)[0] == 0
    assert len(server.requests) == asked


def test_fetch_without_a_network_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    project(tmp_path)
    given = ("--check-api", "http://127.0.0.1:9/", "--check-works-api", "http://127.0.0.1:9/")
    code, out, err = doilinks(
        "works", "--fetch", *given, "--check-retries", "0", "a.md", cwd=tmp_path
    )
    assert (code, "doi:10.1000/unknown  not known" in out) == (1, True)
    assert "a.md:1:42: the work of doi:10.1000/unknown is not known (" in err


# --------------------------------------------------------------------------------------------------
# The page.

HOSTILE = (
    "<script>alert(1)</script>", "</li></ol><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)', "' onmouseover='alert(1)", "<!--works--><!--policy--><!--states-->",
    "]]> --> </script> </style>", "&lt;b&gt; &amp;amp; {{ x }}", "עברית abc", "word " * 1_000,
    "<img src=x onerror=alert(1) ",
)  # fmt: skip
ALLOWED = {
    "a": {"href"}, "b": set(), "body": set(), "button": {"type", "aria-pressed", "data-state"},
    "details": {"class"}, "pre": set(), "h1": set(), "head": set(), "header": set(), "html": {"lang"}, "i": set(),
    "div": {"class", "role", "hidden", "aria-label"}, "input": {"type", "placeholder", "aria-label"},
    "li": {"id", "data-states", "data-state", "data-year", "data-place"}, "main": set(), "ol": set(),
    "meta": {"charset", "http-equiv", "content", "name"}, "option": {"value"},
    "p": {"class", "dir", "role"}, "script": set(), "select": {"aria-label"}, "span": {"class"},
    "style": set(), "summary": set(), "title": set(), "ul": {"class"},
}  # fmt: skip


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


def page(folder: Path, *arguments: str) -> str:
    _, out, _ = doilinks("works", "--format", "html", *arguments, ".", cwd=folder)
    return out


def hostile(folder: Path) -> Path:
    works = {
        f"10.1000/{at}": {
            "type": text, "title": text, "author": [[text, text], [text]], "year": 1999 + at,
            "container": text, "volume": text, "page": text, "publisher": text,
        }
        for at, text in enumerate(HOSTILE)
    }  # fmt: skip
    pages = {f"{name}.md": f"doi:10.1000/{at}\n" for at, name in enumerate("abcdefghij")}
    pages["<img src=x onerror=alert(1)>&amp;.md"] = (
        'doi:10.1000/a<b>"c\n\ndoi:10.1000/1 doi:10.1000/a&amp;lt;b'
    )
    return project(folder, pages, works)


def test_what_a_record_or_a_path_says_makes_no_element(tmp_path):
    text = page(hostile(tmp_path))
    assert '/a&amp;lt;b">doi:10.1000/a&amp;lt;b</a>' in text
    seen = Elements(text).seen
    for tag, attributes in seen:
        assert attributes.keys() <= ALLOWED[tag], tag
        if "href" in attributes:
            assert attributes["href"].startswith("https://doi.org/10.1000/")
    numbers = {tag: sum(each == tag for each, _ in seen) for tag in ("script", "style", "ol")}
    assert numbers == {"script": 1, "style": 1, "ol": 1}


def test_the_page_of_a_project_without_works(tmp_path):
    (tmp_path / "a.md").write_text("Nothing.")
    assert "<li>There are none.</li>" in page(tmp_path)


def test_a_remark_names_its_place_if_there_are_others(tmp_path):
    text = "Miller, A. (1971). Cooking with flour in Italy. Kitchen 3. doi:10.1000/frogs\n"
    for pages, at in (
        ({"a.md": text}, ""),
        ({"a.md": text, "b.md": "doi:10.1000/frogs"}, "a.md:1"),
        ({"\x1b[1m<b>.md": text, "b.md": "doi:10.1000/frogs"}, "\\x1b[1m&lt;b&gt;.md:1"),
    ):
        for each in tmp_path.iterdir():
            each.unlink()
        shown = page(project(tmp_path, pages))
        [remark] = re.findall('<p class="remark"[^>]*>(.*?)</p>', shown)
        assert remark.startswith(at or "another work"), remark
        assert "\x1b" not in shown


def test_the_page_is_the_same_every_time(tmp_path):
    project(tmp_path)
    assert page(tmp_path) == page(tmp_path)
    assert not re.search(r"20[2-9][0-9]-[0-9]{2}-[0-9]{2}", page(tmp_path))


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    path = tool("chromium", "the page is not opened", "chromium-browser", "google-chrome")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, tmp_path):
    """A tab with the page of a project; any request, error or dialog is a failure."""
    events: list[str] = []

    def open_(folder: Path, **options):
        (tmp_path / "works.html").write_text(page(folder), encoding="utf-8")
        tab = browser.new_page(**options)
        url = (tmp_path / "works.html").as_uri()
        tab.on("request", lambda asked: events.append(asked.url) if asked.url != url else None)
        tab.on("console", lambda said: events.append(said.text))
        tab.on("pageerror", lambda error: events.append(str(error)))
        tab.on("dialog", lambda dialog: (events.append(dialog.message), dialog.dismiss()))
        tab.goto(url)
        return tab

    yield open_
    assert events == []


def shown(tab) -> list[str]:
    """The names of the works that can be seen, in their order."""
    return [
        link.inner_text().removeprefix("doi:10.1000/")
        for link in tab.locator("ol > li .doi a").all()
        if link.is_visible()
    ]


@pytest.mark.parametrize("file", ["works.txt", "works.html"])
def test_a_hostile_name_of_a_file_in_a_report(tmp_path, file):
    texts = (
        "Paskin, N. (2000). Handbook of names and numbers",
        "Wiles, A. (1995). Elliptic curves",
    )
    text = "".join(f"* {each}. doi:10.1000/182\n" for each in texts)
    project(tmp_path, {"a\n::\x1b\u202e.md": text})
    doilinks("works", "--output", file, ".", cwd=tmp_path)
    lines = (tmp_path / file).read_text().split("\n")
    assert any("a\\n::\\x1b\\u202e.md" in line for line in lines)
    assert [line for line in lines if not line.isprintable()] == []


def test_filter_and_sort(opened, tmp_path):
    tab = opened(project(tmp_path))
    by_name = ["frogs", "182", "bad", "old", "unknown"]
    assert shown(tab) == by_name
    for words, found in {
        "FROGS north": ["frogs"],
        "b.rst": ["182", "old"],
        "10.1000/bad": ["bad"],
        "no such words": [],
        "@misc": [],  # the entries of BibTeX are not searched
        "": by_name,
    }.items():
        tab.get_by_role("searchbox").fill(words)
        assert shown(tab) == found
    tab.get_by_role("button", name="retracted").click()
    assert (shown(tab), tab.get_by_role("status").inner_text()) == (["bad"], "1 of 5 shown")
    tab.get_by_role("button", name="newer version").click()
    assert shown(tab) == ["bad", "old"]
    for name in ("retracted", "newer version"):
        tab.get_by_role("button", name=name).click()
    for order, found in {
        "Newest first": ["old", "frogs", "182", "bad", "unknown"],
        "Gravest first": ["bad", "frogs", "old", "unknown", "182"],
        "By place": ["182", "bad", "unknown", "frogs", "old"],
        "By name": by_name,
    }.items():
        tab.get_by_role("combobox").select_option(order)
        assert shown(tab) == found


def test_the_entry_of_a_work_is_there_to_copy(opened, tmp_path):
    tab = opened(project(tmp_path))
    entries = tab.locator(".bibtex pre")
    assert entries.count() == 4  # of the works that are known
    assert not entries.first.is_visible()
    tab.get_by_text("BibTeX").nth(1).click()
    assert 'doi = "10.1000/182"' in entries.nth(1).inner_text()


def test_without_javascript_all_is_there(opened, tmp_path):
    tab = opened(project(tmp_path), java_script_enabled=False)
    assert shown(tab) == ["frogs", "182", "bad", "old", "unknown"]
    assert not tab.get_by_role("searchbox").is_visible()


def test_it_fits_and_can_be_read(opened, tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    tab = opened(hostile(folder))
    contrast = Path(__file__).with_name("contrast.js").read_text("utf-8")
    for width, scheme in product((390, 1200), ("light", "dark")):
        tab.set_viewport_size({"width": width, "height": 800})
        tab.emulate_media(color_scheme=scheme)
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        assert tab.evaluate(contrast) == [], scheme


def test_the_policy_stops_what_is_not_its_own(browser, tmp_path):
    text = page(project(tmp_path))
    broken = text.replace("<ol>", "<ol><li onclick='x'><script>document.title='x'</script>", 1)
    (tmp_path / "works.html").write_text(broken, encoding="utf-8")
    tab = browser.new_page()
    tab.goto((tmp_path / "works.html").as_uri())
    assert tab.title() == "Works"
    assert len(shown(tab)) == 5


def test_works_that_are_cited_are_listed_whatever_the_option_says(tmp_path):
    pages = {
        "a.md": "As [see @doi:10.1000/182, p. 3] and @doi:10.1000/none say.\n",
        "b.rst": "As :doi:cite:t:`10.1000/frogs` says.\n",
    }
    project(tmp_path, pages)
    (tmp_path / "pyproject.toml").write_text("[tool.doilinks]\ncite = false\n")
    code, out, _ = doilinks("works", ".", cwd=tmp_path)
    assert code == 1
    assert "  a.md:1:10\n" in out
    assert "  b.rst:1:17\n" in out
    assert "doi:10.1000/none  not known\n" in out
    code, out, _ = doilinks(
        "check", "--cite", "--offline", "--check-unknown", "error", ".", cwd=tmp_path
    )
    assert code == 3
    assert "a.md:1:38: could not check: doi:10.1000/none" in out


@pytest.mark.parametrize(
    ("file", "begin"),
    [("a.bib", "@"), ("a.JSON", "["), ("a.html", "<!DOCTYPE html>"), ("a.txt", "doi:10.1000/182")],
)
def test_a_file_says_the_format_by_its_ending(file, begin, tmp_path):
    project(tmp_path, {"page.md": "doi:10.1000/182"})
    assert doilinks("works", "-o", file, ".", cwd=tmp_path)[0] == 0
    assert (tmp_path / file).read_text(encoding="utf-8").startswith(begin)
