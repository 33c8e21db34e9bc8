"""``doilinks find`` as a user runs it, at a server on the loopback interface."""

import json
import signal
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from ..tools.command import doilinks
from ..tools.modules import quick
from ..tools.programs import ended, running, wait


def work(title, family, year, **more):
    people = [{"family": family, "given": "Ann"}]
    return {"title": title, "author": people, "issued": {"date-parts": [[year]]}, **more}


LAKES = work("Tidal locking of small lakes by migrating herons", "Overgaard", 2017,
             type="journal-article", volume="12", page="44-61")  # fmt: skip
LAKES["container-title"] = "Journal of Lakes"
TOWERS = work("A census of lighthouses in landlocked countries", "Brandt", 2018)
WHY = "title, first author, year, journal, volume, page"
TEXT = (
    "Overgaard, A. (2017). Tidal locking of small lakes by migrating herons. Journal of Lakes 12,"
)
REST = f"""\
Herons
======

.. [1] {TEXT}
   44-61.
.. [2] Miller, B. (1971). Cooking with flour in Italy. Kitchen 3.
.. [3] Brandt, A. (2018). A census of lighthouses in landlocked countries. doi:10.1000/towers

See also the manual of 2000.
"""


@pytest.fixture
def folder(handle_api, tmp_path):
    handle_api.set("10.1000/lakes", {"url": "https://example.org/", "work": LAKES})
    handle_api.set("10.1000/towers", {"url": "https://example.org/", "work": TOWERS})
    settings = f'check_works_api = "{handle_api.works_api}"\ncheck_retries = 0\n'
    settings += f'check_api = "{handle_api.api}"\ncheck_ignore = ["10.1000/nothing"]\n'
    (tmp_path / "pyproject.toml").write_text(f"[tool.doilinks]\n{settings}")
    (tmp_path / "a.rst").write_text(REST)
    return tmp_path


@pytest.fixture
def sent(handle_api):
    """The texts that were sent."""

    def sent():
        queries = [parse_qs(urlsplit(each.path).query) for each in handle_api.requests]
        return [each["query.bibliographic"][0] for each in queries if each]

    return sent


SUMMARY = (
    "3 references: 1 with a DOI, 1 found, 0 doubtful, 1 not found "
    "(asked of Crossref; kept in doi-lock.json)"
)


def test_what_a_user_sees(folder, sent):
    code, out, _ = doilinks("find", "a.rst", cwd=folder)
    assert out.splitlines() == [
        f'a.rst:4: doi:10.1000/lakes for "{LAKES["title"]}" (Overgaard, 2017): {WHY}',
        SUMMARY,
    ]
    assert code == 1
    assert sent() == [
        f"{TEXT} 44-61.",
        "Miller, B. (1971). Cooking with flour in Italy. Kitchen 3.",
    ]


def test_a_file_that_cannot_be_read_is_told_in_a_dry_run_too(folder):
    code, out, err = doilinks("find", "--dry-run", "a.rst", "gone.rst", cwd=folder)
    assert (code, out.startswith("Overgaard"), "gone.rst" in err) == (2, True, True)


def test_nobody_is_asked_about_names(folder, handle_api):
    doilinks("find", "a.rst", cwd=folder)
    assert not [each for each in handle_api.requests if each.path.startswith("/api/handles")]


def test_a_second_run_asks_nothing(folder, sent, handle_api):
    before = doilinks("find", "a.rst", cwd=folder)
    lock = (folder / "doi-lock.json").read_bytes()
    handle_api.requests.clear()
    code, out, err = before
    kept = (code, out.replace("asked of Crossref; kept in", "from"), err)
    assert doilinks("find", "a.rst", cwd=folder) == kept
    assert doilinks("find", "--offline", "a.rst", cwd=folder) == kept
    assert sent() == []
    assert (folder / "doi-lock.json").read_bytes() == lock
    doilinks("find", "--update", "a.rst", cwd=folder)
    assert len(sent()) == 2


def test_a_dry_run_sends_nothing(folder, sent):
    code, out, _ = doilinks("find", "--dry-run", "a.rst", cwd=folder)
    assert (code, out.splitlines()[0]) == (0, f"{TEXT} 44-61.")
    assert len(out.splitlines()) == 2
    assert sent() == []
    assert not (folder / "doi-lock.json").exists()


def test_json(folder):
    code, out, _ = doilinks("find", "--format", "json", "a.rst", cwd=folder)
    first, second = json.loads(out)
    assert code == 1
    assert list(first) == ["file", "line", "column", "text", "name", "work", "candidates", "why"]
    assert (first["file"], first["line"], first["column"]) == ("a.rst", 4, 8)
    assert first["name"] == "doi:10.1000/lakes"
    assert first["work"] == {"title": LAKES["title"], "people": ["Overgaard"], "year": 2017}
    assert [each["name"] for each in first["candidates"]] == ["doi:10.1000/lakes"]
    assert (second["name"], second["work"], second["candidates"]) == (None, None, [])


DIFF = f"""\
--- a.rst
+++ a.rst
@@ -2,7 +2,7 @@
 ======
{" "}
 .. [1] {TEXT}
-   44-61.
+   44-61, doi:10.1000/lakes.
 .. [2] Miller, B. (1971). Cooking with flour in Italy. Kitchen 3.
 .. [3] Brandt, A. (2018). A census of lighthouses in landlocked countries. doi:10.1000/towers
{" "}
"""


def test_an_offline_run_says_that_nobody_was_asked(folder):
    _, out, err = doilinks("find", "--offline", "a.rst", cwd=folder)
    assert "2 not asked about\n" in out
    assert "could not ask which DOI 2 texts meant (offline)" in err


def test_what_looks_like_a_reference_and_is_not_read(folder):
    (folder / "b.md").write_text(
        "# Literatur\n\n* Paskin, N.: A handbook of names.\n* The manual of names, Oxford 2000\n"
        "* Tools for names\n\n# Use\n\n* Paskin, N.: A handbook of names.\n"
    )
    code, out, err = doilinks("find", "--dry-run", "b.md", cwd=folder)
    assert (code, out) == (0, "")
    because = "not read as a reference, because it"
    assert err.splitlines() == [
        f"doilinks: b.md:3: {because} has neither year nor volume: Paskin, N.: A handbook of names.",
        f"doilinks: b.md:4: {because} names nobody: The manual of names, Oxford 2000",
    ]


def test_a_retracted_work_is_written_only_if_that_is_wanted(folder, handle_api):
    handle_api.set(
        "?", {"items": [{**LAKES, "title": f"RETRACTED: {LAKES['title']}", "DOI": "10.1000/lakes"}]}
    )
    code, out, _ = doilinks("find", "a.rst", cwd=folder)
    assert (
        code,
        f"{WHY}; the work is retracted: add --retracted to write it" in out,
    ) == (1, True)
    [row, _] = json.loads(doilinks("find", "--format", "json", "a.rst", cwd=folder)[1])
    assert row["work"]["status"] == "retracted"
    assert "**retracted** " in doilinks("find", "--format", "markdown", "a.rst", cwd=folder)[1]
    assert doilinks("find", "--write", "a.rst", cwd=folder)[0] == 1
    assert (folder / "a.rst").read_text() == REST
    assert doilinks("find", "--write", "--retracted", "a.rst", cwd=folder)[0] == 0
    assert (folder / "a.rst").read_text() == REST.replace("61.", "61, doi:10.1000/lakes.")


def test_a_diff_writes_nothing(folder):
    code, out, _ = doilinks("find", "--diff", "a.rst", cwd=folder)
    assert (code, out) == (1, DIFF)
    assert (folder / "a.rst").read_text() == REST


def test_standard_input_is_not_written(folder):
    flags = {"cwd": folder, "stdin": REST.encode()}
    code, out, err = doilinks("find", "--write", "--type", "rst", "-", **flags)
    assert (code, out, "cannot be written" in err) == (2, "", True)
    code, out, _ = doilinks("find", "--diff", "--type", "rst", "-", **flags)
    assert (code, out) == (1, DIFF.replace("a.rst", "-"))


def test_writing(folder):
    code, _, err = doilinks("find", "--write", "a.rst", cwd=folder)
    assert code == 0
    assert "1 change made, in 1 of 1 file" in err
    assert (folder / "a.rst").read_text() == REST.replace("61.", "61, doi:10.1000/lakes.")
    code, out, _ = doilinks("find", "a.rst", cwd=folder)
    assert (code, out) == (
        0,
        SUMMARY.replace("1 with", "2 with")
        .replace("1 found", "0 found")
        .replace("asked of Crossref; kept in", "from")
        + "\n",
    )


def test_added_lines_are_counted_in_a_diff(folder):
    (folder / "b.rst").write_text(f".. [1] {TEXT} 44-61.\n\naaa\n")
    assert "@@ -1,3 +1,4 @@" in doilinks("find", "--diff", "b.rst", cwd=folder)[1]


@pytest.mark.parametrize(
    ("file", "text", "is_role"),
    [
        ("a.tex", "See \\doi{10.1000/182}.", False),
        ("conf.py", 'extensions = ["sphinx.ext.extlinks"]\n', False),
        ("conf.py", 'extensions = ["doilinks.sphinx"]\n', True),
        ("conf.py", "extensions = ['sphinxcontrib.doi']\n", True),
        ("conf.py", 'extlinks = {\n    "doi": ("https://doi.org/%s", "doi:%s"),\n}\n', True),
        ("conf.py.txt", 'extensions = ["doilinks.sphinx"]\n', False),
    ],
)
def test_a_role_if_the_project_has_it(folder, file, text, is_role):
    (folder / file).write_text(text)
    _, out, _ = doilinks("find", "--diff", ".", cwd=folder)
    assert ("+   44-61, :doi:`10.1000/lakes`." in out) == is_role


def test_a_diff_shows_a_new_field_as_one_line(folder):
    entry = "@article{a,\n  author = {Overgaard, Ann},\n  title = {%s},\n  year = 2017\n}\n"
    (folder / "b.bib").write_text(entry % LAKES["title"])
    _, out, _ = doilinks("find", "--diff", "b.bib", cwd=folder)
    changed = [line for line in out.splitlines()[2:] if line[0] != " "]
    assert changed == ["@@ -1,5 +1,6 @@", "+  doi = {10.1000/lakes},"]


def test_fix_writes_what_the_lock_file_has(folder, sent, handle_api):
    flags = ("fix", "--from-check", "--select", "doi-missing", "--check-api", handle_api.api)
    assert "+ doi" not in doilinks(*flags, "a.rst", cwd=folder)[1]
    assert sent() == []
    doilinks("find", "a.rst", cwd=folder)
    handle_api.requests.clear()
    code, out, _ = doilinks(*flags, "a.rst", cwd=folder)
    assert (code, "a.rst:4:8: + , doi:10.1000/lakes [doi-missing]" in out) == (0, True)
    assert (folder / "a.rst").read_text() == REST.replace("61.", "61, doi:10.1000/lakes.")
    assert sent() == []


def test_a_table_for_a_pull_request(folder):
    code, out, _ = doilinks("find", "--format", "markdown", "a.rst", cwd=folder)
    head, rule, row = out.splitlines()
    assert head == "| File | Reference | DOI | Registered title | Agrees |"
    assert rule == "|---|---|---|---|---|"
    assert row.endswith(f" | {WHY} |")
    assert "[doi:10.1000/lakes](<https://doi.org/10.1000/lakes>)" in row
    assert LAKES["title"] in row
    assert code == 1


HOSTILE = "\x1b]0;owned\x07\x1b[2J | <script>alert(1)</script> [x](javascript:1) \u202e\n::error::x"


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_a_hostile_record_is_harmless(folder, handle_api, form):
    title = f"{LAKES['title']} {HOSTILE}"
    work = LAKES | {"title": title, "author": [{"family": f"Overgaard {HOSTILE}", "given": "A."}]}
    handle_api.set("?", {"items": [{"DOI": "10.1000/la*kes", **LAKES, "title": title}, work]})
    (folder / "a.rst").rename(folder / "a\n::|.rst")
    settings = (folder / "pyproject.toml").read_text()
    (folder / "pyproject.toml").write_text(f'{settings}check_lockfile = "lock\\n::x.json"\n')
    code, out, err = doilinks("find", "--format", form, "a\n::|.rst", cwd=folder)
    assert code in (0, 1)
    lines = (out + err).splitlines()
    assert all(line.isprintable() and not line.startswith("::") for line in lines)
    if form == "markdown":
        assert "<script" not in out
        assert r"[doi:10.1000/la\*kes]" in out
        assert all(line.replace("\\|", "").count("|") == 6 for line in out.splitlines())


@pytest.mark.parametrize(
    "fault",
    ["too-many", "drop", "nested"],  # all of them: tests/works/test_suggest.py
)
def test_a_server_in_trouble(folder, handle_api, fault):
    handle_api.set("?", {"fault": fault, "retry_after": 0})
    code, out, err = doilinks("find", "a.rst", cwd=folder)
    assert (code, "2 not asked about" in out) == (0, True)
    assert "could not ask which DOI 2 texts meant (http://127.0.0.1" in err
    assert not (folder / "doi-lock.json").exists()
    code, _, _ = doilinks("find", "--check-unknown", "error", "a.rst", cwd=folder)
    assert code == 3


def test_a_text_is_asked_about_once(folder, sent):
    for name in ("b.rst", "c.rst"):
        (folder / name).write_text(REST)
    doilinks("find", ".", cwd=folder)
    assert len(sent()) == 2


def test_what_a_comment_ignores_is_not_sent(folder, sent):
    (folder / "b.md").write_text(
        "<!-- doilinks: ignore -->\n[^2]: Miller, B. (1972). Cooking with salt in Italy.\n"
    )
    assert doilinks("find", "--dry-run", "b.md", cwd=folder)[:2] == (0, "")


def test_a_notebook_is_written(folder):
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# References\n", f"* {TEXT} 44-61."]}
    ]
    notebook = json.dumps(
        {"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}, indent=1
    )
    (folder / "b.ipynb").write_text(notebook)
    assert doilinks("find", "--write", "b.ipynb", cwd=folder)[0] == 0
    after = (folder / "b.ipynb").read_text()
    assert after == notebook.replace("44-61.", "44-61, doi:10.1000/lakes.")


def test_data_are_asked_of_datacite_too(folder, handle_api):
    data = {"id": "10.1000/herons", "attributes": {
        "doi": "10.1000/herons", "titles": [{"title": "Positions of herons on small lakes"}],
        "creators": [{"familyName": "Brandt", "givenName": "Ann"}], "publicationYear": 2018,
        "publisher": "Zenodo", "types": {"resourceTypeGeneral": "Dataset"}}}  # fmt: skip
    handle_api.set("?", {"items": [], "data": [data]})
    (folder / "b.rst").write_text(
        ".. [1] Brandt, A. (2018). Positions of herons on small lakes [Data set]. Zenodo.\n"
    )
    code, out, _ = doilinks("find", "b.rst", cwd=folder)
    assert (code, "b.rst:1: doi:10.1000/herons" in out) == (1, True)
    assert any("/dois" in each.path for each in handle_api.requests)


def test_what_crossref_has_found_stands_without_datacite(folder, handle_api):
    preprint = {**LAKES, "DOI": "10.1000/lakes", "type": "posted-content", "container-title": []}
    handle_api.set("?", {"items": [preprint], "data": 0})
    text = f".. [1] {TEXT} version 2.\n.. [2] Miller, B. (1971). Herons, version 2.\n"
    (folder / "b.rst").write_text(text)
    _, out, _ = doilinks("find", "b.rst", cwd=folder)
    assert (
        "b.rst:1: it is a preprint, which the text is not, none is proposed: doi:10.1000/lakes"
        in out
    )
    assert "1 doubtful, 0 not found, 1 not asked about" in out


def test_of_several_works_that_fit_none_is_proposed(folder, handle_api):
    again = [{"DOI": f"10.1000/{number}", **LAKES} for number in (181, 182, 183)]
    for count, words in (2, "two"), (3, "3"):
        handle_api.set("?", {"items": again[:count]})
        _, out, _ = doilinks("find", "--update", "a.rst", cwd=folder)
        fits = ", ".join(f"doi:10.1000/{181 + at} (2017)" for at in range(count))
        assert f"a.rst:4: {words} works fit, none is proposed: {fits}\n" in out


def test_an_address_is_sent_if_there_is_one(folder):
    agents = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            agents.append(self.headers["User-Agent"])
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever).start()
        flags = ("--check-works-api", f"http://127.0.0.1:{server.server_port}/")
        doilinks("find", *flags, "--check-mail", "me@example.org", "a.rst", cwd=folder)
        server.shutdown()
    assert len(agents) == 2
    assert all(each.endswith("(mailto:me@example.org)") for each in agents)


def test_a_file_that_changes_meanwhile_is_not_damaged(folder):
    doilinks("find", "a.rst", cwd=folder)
    after = REST.replace("See also", f".. [4] {TEXT} 61.\n\nSee also")
    (folder / "a.rst").write_text(after.replace("Overgaard", "Brandt", 1))
    code, _, _ = doilinks("find", "--write", "--offline", "a.rst", cwd=folder)
    assert (code, (folder / "a.rst").read_text()) == (0, after.replace("Overgaard", "Brandt", 1))


def test_ctrl_c_keeps_what_was_learnt(folder, handle_api, sent):
    """The first answers are kept, and only the others are asked for again."""
    many = "".join(f".. [{n}] Miller, B. (19{n}). Cooking dish {n}.\n" for n in range(10, 60))
    (folder / "b.rst").write_text(many)
    handle_api.latency = 0.1
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [quick("doilinks"), "find", "--check-concurrency", "1", "b.rst"]
    with running(*command, cwd=folder, **pipes) as process:
        wait(lambda: len(sent()) > 5, process)
        process.send_signal(signal.SIGINT)
        _, err = ended(process)
    assert (process.returncode, err.decode()) == (130, "doilinks: interrupted\n")
    kept = json.loads((folder / "doi-lock.json").read_text())["suggested"]
    assert 0 < len(kept) <= len(sent()) < 50
    handle_api.latency = 0
    handle_api.requests.clear()
    doilinks("find", "b.rst", cwd=folder)
    assert len(sent()) == 50 - len(kept)
