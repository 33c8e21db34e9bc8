"""The check in the real pandoc, against a real Handle API."""

import json

import pytest

from ..tools.check_matrix import URL
from ..tools.hosts import FILTER, pandoc
from ..tools.modules import quick
from .filtered import inside

GOOD, BAD = "10.1000/182", "10.1000/182x"
NEAR = f"not found: doi:{BAD} (did you mean doi:{GOOD}?) [doi-not-found]"
FAILED = "Error running filter"


@pytest.fixture(autouse=True)
def the_reader_trusts_the_api(handle_api, monkeypatch):
    """No document may choose to ask this machine."""
    monkeypatch.setenv("DOILINKS_CHECK_API", handle_api.api)


def without_news(said):
    """The messages without the one about a new lock file."""
    return [line for line in said.splitlines() if not line.endswith(" written: commit it")]


@pytest.fixture
def run(tmp_path, handle_api, monkeypatch):
    """Run pandoc on files in a folder of their own: exit code, messages, the output or None."""
    handle_api.set(GOOD, URL)

    def run(files, *arguments, reader="commonmark_x+sourcepos", **options):
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        out = tmp_path / "out.html"
        out.unlink(missing_ok=True)
        settings = {"check": "error", **options}
        monkeypatch.setenv("DOILINKS_CHECK_API", settings.pop("check_api", handle_api.api))
        meta = tmp_path / "settings.json"
        meta.write_text(json.dumps({f"doi-{n.replace('_', '-')}": settings[n] for n in settings}))
        done = pandoc(
            *("-f", reader, "-o", out, f"--metadata-file={meta}", *files, *arguments),
            cwd=tmp_path,
            check=False,
        )
        said = done.stderr.decode()
        assert "Traceback" not in said, said
        made = out.read_text(encoding="utf-8") if out.exists() else None
        return done.returncode, without_news(said), made

    return run


def test_all_failures_where_the_reader_tells_them(run, handle_api):
    files = {
        "a.md": f"# A\n\nSee doi:{BAD} and\nDOI: {BAD}.\n",
        "b.md": f"[A title](https://doi.org/10.1000/nope) `10.1000/code` doi:{GOOD}\n",
    }
    code, said, made = run(files, "--file-scope")
    assert (code, made) == (83, None)
    assert said[:-2] == [
        f"pandoc-doilinks: error: a.md:3:5: {NEAR}",
        f"pandoc-doilinks: error: a.md:4:1: {NEAR}",
        "pandoc-doilinks: error: b.md:1:1: not found: doi:10.1000/nope [doi-not-found]",
        "pandoc-doilinks: 3 DOIs: 1 found, 2 not found",
    ]
    assert handle_api.count(BAD) == 1
    assert handle_api.count("10.1000/code") == 0


def test_no_place_where_the_reader_tells_none(run):
    code, said, made = run({"a.md": f"See doi:{BAD},\n\nand doi:{BAD}.\n"}, reader="markdown")
    assert (code, made) == (83, None)
    # Once: nothing tells one from the other.
    assert said[:-2] == [
        f"pandoc-doilinks: error: {NEAR}",
        "pandoc-doilinks: 1 DOI: 0 found, 1 not found",
    ]


def test_options_in_the_document_and_on_the_command_line(tmp_path, handle_api):
    (tmp_path / "a.md").write_text(f"---\ndoi-check: error\n---\n\nSee doi:{BAD}.\n")
    (tmp_path / "a.html").write_text("before")
    done = pandoc("a.md", "-o", "a.html", cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (83, b"")
    assert (tmp_path / "a.html").read_text() == "before"
    done = pandoc("a.md", "-o", "a.html", "-M", "doi-check=warn", cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert "pandoc-doilinks: warning: not found" in done.stderr.decode()
    assert (tmp_path / "a.html").read_text() != "before"


def test_references_that_citeproc_made_are_checked(run, tmp_path, handle_api):
    entry = {"id": "x", "type": "book", "title": "T", "DOI": "10.1000/nope"}
    (tmp_path / "refs.json").write_text(json.dumps([entry]))
    _, said, _ = run(
        {"a.md": "See [@x].\n"}, "--citeproc", "--bibliography=refs.json", reader="markdown"
    )
    assert said == []  # the filter came first, and there is no DOI in the text
    command = [
        "--citeproc", "--bibliography=refs.json", "--filter", quick(FILTER), "a.md", "-o", "b.html",
    ]  # fmt: skip
    done = pandoc(*command, "-M", "doi-check=error", cwd=tmp_path, check=False, doilinks=False)
    assert done.returncode == 83
    assert "error: not found: doi:10.1000/nope [doi-not-found]" in done.stderr.decode()


def test_a_document_cannot_write_to_the_terminal(run):
    text = f'[doi:{BAD}]{{data-pos="a\x1b[2J\u202eb.md@1:1-1:9"}}\n'
    code, said, _ = run({"a.md": text}, reader="markdown")
    assert code == 83
    assert said[0] == rf"pandoc-doilinks: error: a\x1b[2J\u202eb.md:1:1: {NEAR}"


def test_positions_that_are_none(run):
    many = "9" * 5000
    for text in (f'[doi:{BAD}]{{data-pos="{many}:{many}-1:9"}}', f'[doi:{BAD}]{{data-pos="x"}}'):
        code, said, _ = run({"a.md": text}, reader="markdown")
        assert (code, said[0]) == (83, f"pandoc-doilinks: error: {NEAR}")


@pytest.fixture
def distrusting(tmp_path, handle_api, monkeypatch):
    """Run pandoc with a document's own metadata: exit code, messages, what was asked."""
    monkeypatch.delenv("DOILINKS_CHECK_API")
    handle_api.set(GOOD, URL)

    def run(text=f"See doi:{GOOD}.", **metadata):
        head = {"doi-check": "error"}
        head |= {f"doi-{name.replace('_', '-')}": value for name, value in metadata.items()}
        (tmp_path / "here").mkdir(exist_ok=True)
        source = f"---\n{json.dumps(head)}\n...\n\n{text}\n"
        done = pandoc(given=source, cwd=tmp_path / "here", check=False)
        return done.returncode, without_news(done.stderr.decode()), len(handle_api.requests)

    return run


REFUSED = [
    ("check_api", "http://evil.example/api/"),
    ("check_api", "http://127.0.0.1.evil.example/"),
    ("check_api", "https://doi.org.evil.example/api/"),
    ("check_api", "https://doi.org@evil.example/"),
    ("check_api", "http://doi.org/api/handles/"),  # anybody on the way could answer
    ("check_api", "http://127.0.0.1:1/any/local/service?cmd="),
    ("check_api", "http://localhost:1/"),
    ("check_api", "http://[::1]:1/"),
    ("check_api", "https://[::1]@evil.example[doi.org/"),  # which readers read differently
    ("check_works_api", "http://127.0.0.1:1/"),
    ("check_works_api", "https://doi.org/"),
    ("check_works_api", "https://evil.example/"),
    ("check_api", "https://user:secret@evil.example/"),
    ("check_works_api", "https://user:secret@evil.example/"),
]


@pytest.mark.parametrize(("option", "address"), REFUSED)
def test_a_document_cannot_choose_whom_to_ask(option, address, handle_api, monkeypatch, tmp_path):
    monkeypatch.delenv("DOILINKS_CHECK_API")
    monkeypatch.chdir(tmp_path)
    name = f"doi-{option.replace('_', '-')}"
    code, out, err = inside(GOOD, **{"doi-check": "error", name: address})
    assert (code, out) == (1, "")
    assert err.startswith(f"pandoc-doilinks: {name}: ")
    assert "secret" not in err
    assert handle_api.requests == []


def test_a_document_cannot_ask_this_machine(distrusting, handle_api, monkeypatch):
    code, said, asked = distrusting(check_api=handle_api.api)
    assert (code, asked) == (83, 0)
    assert said[0].endswith("DOILINKS_CHECK_API to the same address")
    monkeypatch.setenv("DOILINKS_CHECK_API", handle_api.api)
    assert distrusting(check_api=handle_api.api) == (0, [], 1)
    monkeypatch.setenv("DOILINKS_CHECK_LOCKFILE", "other.json")
    assert distrusting(check_api="http://evil.example/") == (0, [], 2)


def test_a_document_cannot_choose_where_to_write(distrusting, handle_api, monkeypatch, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here/link").symlink_to(tmp_path)
    monkeypatch.setenv("DOILINKS_CHECK_API", handle_api.api)
    for path in ("/tmp/lock.json", "../lock.json", "link/lock.json", "GNUmakefile"):
        code, said, asked = distrusting(check_lockfile=path)
        assert (code, asked) == (83, 0)
        words = "pandoc-doilinks: doi-check-lockfile: takes the name of a .json file"
        assert said[0].startswith(words)
        assert "DOILINKS_CHECK_LOCKFILE" in said[0]
    assert distrusting(check_lockfile="own.json") == (0, [], 1)
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["here", "link", "own.json"]
    monkeypatch.setenv("DOILINKS_CHECK_LOCKFILE", "../lock.json")
    assert distrusting(check_lockfile="/tmp/lock.json") == (0, [], 2)
    assert (tmp_path / "lock.json").exists()


def test_the_reader_forbids_the_check(distrusting, handle_api, monkeypatch, tmp_path):
    monkeypatch.setenv("DOILINKS_CHECK_API", handle_api.api)
    monkeypatch.setenv("DOILINKS_CHECK", "off")
    assert distrusting() == (0, [], 0)
    assert list((tmp_path / "here").iterdir()) == []


def test_a_document_cannot_make_the_reader_wait(distrusting):
    text = "10.1000/" + "a" * 60 + "b"
    code, said, _ = distrusting(text, check="off", ignore="10.1000/(a|aa)+$")
    assert code == 83
    assert said[0].startswith("pandoc-doilinks: doi-ignore: takes beginnings of DOI names")
    assert distrusting(text, check="off", ignore="10.1000/(a|aa)+b") == (0, [], 0)
