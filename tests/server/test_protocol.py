"""``doilinks server`` as an editor uses it: diagnostics, hover, completion, actions, links."""

import itertools
import json
import subprocess

import pytest
from lsprotocol import types as t

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.editor import Editor, applied, area, at
from ..tools.modules import BIN, quick
from ..tools.programs import LONGEST
from ..tools.works import lock

WORKS = {
    "10.1000/182": {
        "title": "DOI Handbook", "author": [["Paskin", "Norman"]], "year": 2000, "container": "Names",
    },
    "10.1000/a_b": {
        "title": "A theorem of three numbers", "author": [["Müller", "M."], ["Berg", "B."]], "year": 1999,
        "status": "retracted",
    },
    "10.1000/(SICI)1(1998)49:8<693::AID-1>3.0.CO;2-0": {
        "title": "A long name", "author": [["Stanisław", "S."]], "year": 1998,
    },
    "10.1000/evil": {
        "title": "[Click](http://evil.example) `x` **b** $y$ ![i](http://evil.example/i) www.evil.example",
        "author": [["<b>Mallory</b>", "[x](y)"]], "year": 2001, "container": "# Journal\n---",
    },
}  # fmt: skip
REFERENCE = "Wiles, A. (1995). Modular elliptic curves and a last theorem. *Annals*, 141. "


@pytest.fixture
def project(tmp_path):
    lock(tmp_path, WORKS)
    (tmp_path / "pyproject.toml").write_text("[tool.doilinks]\n")
    return tmp_path


@pytest.fixture
def editor(project):
    with Editor(project) as session:
        yield session


def codes(diagnostics):
    return [each.code for each in diagnostics]


def name_in(text, name="10.1000/182", **more):
    return at(text, f"doi:{name}", **more)


# Diagnostics.


@pytest.mark.parametrize(("encoding", "unit"), [("utf-16", "utf-16-le"), ("utf-8", "utf-8")])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_wrong_work_is_underlined(project, encoding, unit, end):
    text = f"# 😀é{end}{end}Ein 😀 \x0c\u2028\x85 {REFERENCE}doi:10.1000/182.{end}{end}doi:10.1000/none{end}"
    with Editor(project, encoding=encoding) as editor:
        assert editor.started.capabilities.position_encoding == encoding
        (wrong,) = editor.open("a.md", text)
    assert (wrong.code, wrong.severity, wrong.range) == (
        "doi-other-work",
        t.DiagnosticSeverity.Warning,
        name_in(text, unit=unit),
    )
    assert wrong.code_description.href.endswith("#doi-other-work")
    assert "Paskin" in wrong.message


@pytest.mark.parametrize(
    ("file", "language", "text"),
    [
        ("a.rst", "", "A theorem :doi:`10.1000/a_b`.\n"),
        ("a.py", "python", 'def f():\n    """Do.\n\n    See doi:10.1000/a_b.\n    """\n'),
        ("a.bib", "", "@misc{a, doi = {10.1000/a_b}}\n"),
        ("a.tex", "", "\\doi{10.1000/a_b}\n"),
        ("a.c", "c", "/* doi:10.1000/a_b */\n"),
        ("a.ipynb", "json", json.dumps({"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["doi:10.1000/a_b"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})),
        ("a.ipynb", "python", "# doi:10.1000/a_b\n"),
        ("a.unknown", "markdown", "doi:10.1000/a_b\n"),
        ("untitled:Untitled-1", "markdown", "doi:10.1000/a_b\n"),
    ],
)  # fmt: skip
def test_each_type_is_read(editor, file, language, text, monkeypatch):
    found = editor.open(file, text, language)
    # A document without a file is in no project.
    assert codes(found) == (["doi-retracted"] if ":" not in file else [])
    assert [each.range.start.line for each in found] == [text.split("10.1000")[0].count("\n")][
        : len(found)
    ]


def test_what_else_is_underlined(editor):
    (editor.folder / "pyproject.toml").write_text(
        '[tool.doilinks]\ncheck_works = "error"\ncheck_accept = ["10.1000/182"]\n'
    )
    text = (
        f"{REFERENCE}doi:10.1000/182\n\n"
        "A theorem of three numbers. doi:10.1000/a_b <!-- doilinks: ignore -->\n\n"
        "A theorem of three numbers. doi:10.1000/a_b\n\n"
        "[a](https://doi.org/)\n\n"
        "doi:10.1000/1\u20132\n\n"
        "nothing <!-- doilinks: ignore -->\n"
    )
    found = editor.open("a.md", text)
    assert [(each.range.start.line, each.code, each.severity) for each in found] == [
        (4, "doi-retracted", t.DiagnosticSeverity.Error),
        (8, "dash-look-alike", t.DiagnosticSeverity.Information),
        (10, "doi-stale-comment", t.DiagnosticSeverity.Warning),
    ] or codes(found) == ["doi-retracted", "doi-no-name", "dash-look-alike", "doi-stale-comment"]


def test_changes_in_the_middle_of_two_documents(editor):
    text = f"# 😀\r\n\r\n😀 {REFERENCE}doi:10.1000/none\r\n"
    assert codes(editor.open("a.md", text)) == []
    assert codes(editor.open("b.md", "doi:10.1000/a_b\n")) == ["doi-retracted"]
    place = at(text, "none")
    sides = (place.start.line, place.start.character, place.end.line, place.end.character)
    (wrong,) = editor.change("a.md", (sides, "182"), ((0, 2, 0, 4), "😀😀"))
    assert wrong.range == name_in(text.replace("none", "182"))
    assert codes(editor.client.diagnostics[editor.uri("b.md")]) == ["doi-retracted"]
    # After the end of a line, and of the text.
    (wrong,) = editor.change("a.md", ((1, 0, 1, 99), "\r\n"), ((99, 0, 99, 0), "doi:10.1000/none"))
    assert wrong.range.start.line == 3
    assert editor.change("a.md", ((0, 0, 98, 0), "")) == []
    assert editor.close("a.md") == []
    assert codes(editor.client.diagnostics[editor.uri("b.md")]) == ["doi-retracted"]
    assert editor.close("b.md") == []


def test_a_changed_lock_file_is_seen(editor):
    assert codes(editor.open("a.md", "doi:10.1000/a_b\n")) == ["doi-retracted"]
    lock(editor.folder, {})
    changed = t.FileEvent(editor.uri("doi-lock.json"), t.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([changed]))
    assert editor.wait("a.md") == []
    lock(editor.folder, WORKS)  # without a word, at the next change
    assert codes(editor.change("a.md", ((0, 0, 0, 0), " "))) == ["doi-retracted"]


def test_damage_is_told_once(editor):
    (editor.folder / "doi-lock.json").write_text("{")
    (editor.folder / "pyproject.toml").write_text("[tool.doilinks]\ncheck_works = 1\n")
    assert codes(editor.open("a.md", "doi:10.1000/a\u20131\n")) == ["dash-look-alike"]
    editor.change("a.md", ((0, 0, 0, 0), " "))
    editor.change("a.md", ((0, 0, 0, 0), " "))
    said = sorted(each.message for each in editor.client.messages)
    assert len(said) == 2
    assert "damaged lock file" in said[1] or "damaged lock file" in said[0]
    assert any("check_works" in each for each in said)


# Hover.


def test_hover_shows_the_work_as_text(editor):
    text = "😀 doi:10.1000/a_b doi:10.1000/evil doi:10.1000/182 doi:10.1000/none\n"
    editor.open("a.md", text)
    places = {
        name: name_in(text, f"10.1000/{name}").start.character
        for name in ("a_b", "evil", "182", "none")
    }
    card = editor.hover("a.md", 0, places["a_b"])
    assert card.startswith("**Retracted.**\n\n**A theorem of three numbers**\n\n")
    assert "Müller" in card
    card = editor.hover("a.md", 0, places["182"] + 5)
    assert card == (
        "**DOI Handbook**\n\nPaskin, N. (2000). Names.\n\n"
        "[doi:10.1000/182](<https://doi.org/10.1000/182>), known since 2026-11-20 (doi-lock.json)"
    )
    from markdown_it import MarkdownIt

    evil = MarkdownIt("gfm-like").render(editor.hover("a.md", 0, places["evil"]))
    assert evil.count("<a ") == 1
    for tag in ("<img", "<code", "<h1", "<b>", "<hr", "<em"):
        assert tag not in evil
    assert "is not in doi\\-lock" in editor.hover("a.md", 0, places["none"]).replace(
        "doi-lock", "doi\\-lock"
    )
    assert editor.hover("a.md", 0, 0) is None


def test_hover_on_a_key(editor):
    (editor.folder / "r.bib").write_text(
        "@book{tex84, author = {Knuth, D.}, title = {The {\\TeX}book}, year = 1984}\n"
    )
    (editor.folder / "pyproject.toml").write_text(
        '[tool.doilinks]\ncite = true\ncite_bib = ["r.bib"]\n'
    )
    editor.open("docs/a.md", "see [@tex84, p. 3] and tex84\n")
    assert "Knuth, D. (1984)" in editor.hover("docs/a.md", 0, 8)
    assert editor.hover("docs/a.md", 0, 2) is None


# Completion.

CITATION = "doi:10.1000/(SICI)1(1998)49:8%3C693::AID-1%3E3.0.CO;2-0"


@pytest.mark.parametrize(
    ("file", "before", "after", "words", "new"),
    [
        ("a.md", "see [@", "]", "handb", "doi:10.1000/182"),
        ("a.md", "see [@doi:", "", "names pask 2000", "doi:10.1000/182"),
        ("a.md", "see @doi:", "", "muller", "doi:10.1000/a_b"),
        ("a.md", "see [@", "]", "stanislaw", "{doi:10.1000/(SICI)1(1998)49:8%3C693::AID-1%3E3.0.CO;2-0}"),
        ("a.md", "see [@{", "}]", "10.1000/182", "doi:10.1000/182"),
        ("a.md", "doi:", "", "handbook", "10.1000/182"),
        ("a.md", "{doi}`", "`", "handbook", "10.1000/182"),
        ("a.rst", ":doi:`", "`", "long", "10.1000/(SICI)1(1998)49:8%3C693::AID-1%3E3.0.CO;2-0"),
        ("a.rst", ":doi:cite:`see 10.1000/182; ", "`", "theorem", "10.1000/a_b"),
        ("a.py", "# :doi:`", "`", "theorem", "10.1000/a_b"),
        ("a.py", '"""See :doi:cite:`see ', '`."""', "three numbers", "10.1000/a_b"),
        ("a.py", "# doi: ", "", "theorem", "10.1000/a_b"),
        ("a.tex", "doi:", "", "long", "10.1000/(SICI)1(1998)49:8\\textless{}693::AID-1\\textgreater{}3.0.CO;2-0"),
        ("a.bib", "@misc{a, doi = {", "}}", "theorem", "10.1000/a_b"),
        ("a.bib", "@misc{a, doi = {", "}}", "long", "10.1000/(SICI)1(1998)49:8<693::AID-1>3.0.CO;2-0"),
    ],
)  # fmt: skip
def test_completion_is_right_for_its_place(editor, file, before, after, words, new):
    text = f"😀\n{before}{words}{after}\n"
    editor.open(file, text)
    (item,) = editor.complete(file, 1, len(before) + len(words))
    whole = applied(text, t.WorkspaceEdit({"a": [item.text_edit]}), "a")
    doi = DOI.parse(item.detail)
    work = next(each for name, each in WORKS.items() if DOI(name) == doi)
    assert whole.partition("\n")[2].startswith(
        before.removesuffix("{") if "@{" in before else before
    )
    assert item.text_edit.new_text.strip("{}").lower() == new.strip("{}").lower()
    kind = file.partition(".")[2]
    found = [each.doi for each in read(whole, kind, Options(cite=True))]
    assert doi in found
    assert item.filter_text.startswith(
        text.split("\n")[1][item.text_edit.range.start.character :][: len(words)]
    )
    assert work["title"] in item.documentation


def test_completion_only_where_a_name_can_be(editor):
    text = "a@ user@handbook see handbook ] @ x\nsee [@nothing-like-it\n"
    editor.open("a.md", text)
    assert not [each for at in range(35) for each in editor.complete("a.md", 0, at)]
    assert editor.complete("a.md", 1, 22) == []
    assert len(editor.complete("a.md", 1, 6)) == len(WORKS)


def test_completion_by_key(editor):
    (editor.folder / "r.bib").write_text(
        "@book{tex84, author = {Knuth, D.}, title = {The book of types}, year = 1984}\n"
    )
    (editor.folder / "pyproject.toml").write_text('[tool.doilinks]\ncite_bib = ["r.bib"]\n')
    editor.open("a.md", "see [@types] [@doi:types] [@tex]\n")
    (item,), (by_key,) = editor.complete("a.md", 0, 11), editor.complete("a.md", 0, 31)
    assert item.label == by_key.label
    assert item.text_edit.new_text == "tex84"
    assert editor.complete("a.md", 0, 24) == []


# Actions.


def test_fix_is_offered_at_its_place_and_for_all(editor):
    text = "😀 http://dx.doi.org/10.1000/182\r\n\r\n😀 http://dx.doi.org/10.1000/a_b\r\n"
    editor.open("a.md", text)
    place, uri = at(text, "10.1000/a_b"), editor.uri("a.md")
    actions = editor.actions("a.md", place)
    one = actions["Write https://doi.org/10.1000/a_b [doi-resolver]"]
    assert one.kind == t.CodeActionKind.QuickFix
    assert codes(one.diagnostics) == ["doi-retracted"]
    assert applied(text, one.edit, uri) == text.replace(
        "http://dx.doi.org/10.1000/a_b", "https://doi.org/10.1000/a_b"
    )
    (every,) = editor.actions("a.md", area(0, 0, 0, 0), "source.fixAll").values()
    assert every.kind == "source.fixAll.doilinks"
    assert applied(text, every.edit, uri) == text.replace("http://dx.doi.org", "https://doi.org")
    assert editor.actions("a.md", area(1, 0, 1, 0)) == {}
    assert set(editor.actions("a.md", place, "quickfix")) == set(actions) - {every.title}
    assert editor.actions("a.md", place, "refactor") == {}


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.md", "# T\n\nA theorem: doi:10.1000/a_b and more.\n"),
        ("a.md", "| a | b |\n|---|---|\n| x | doi:10.1000/a_b |\n"),
        ("a.rst", "T\n=\n\n* A theorem:\n  doi:10.1000/a_b and more.\n\nMore.\n"),
        ("a.py", 'def f():\n    """Do.\n\n    See doi:10.1000/a_b.\n    """\n'),
        ("a.py", "x = 1  # doi:10.1000/a_b\n"),
        ("a.tex", "A theorem: \\doi{10.1000/a_b}\r\nand more.\r\n"),
        ("a.c", "// doi:10.1000/a_b\nint a;\n"),
    ],
)
def test_ignore_here(editor, file, text):
    assert codes(editor.open(file, text)) == ["doi-retracted"]
    actions = editor.actions(file, at(text, "10.1000/a_b"))
    after = applied(text, actions["Ignore 10.1000/a_b here"].edit, editor.uri(file))
    assert after.count("doilinks: ignore") == 1
    assert after.count("\r\n") in (0, after.count("\n"))
    editor.close(file)
    assert editor.open(file, after) == []


def test_accept_this_work(editor):
    text = "doi:10.1000/a_b\n"
    editor.open("a.md", text)
    actions = editor.actions("a.md", at(text, "10.1000/a_b"))
    action = actions["Accept 10.1000/a_b in pyproject.toml [doi-retracted]"]
    settings = editor.folder / "pyproject.toml"
    settings.write_text(applied(settings.read_text(), action.edit, settings.as_uri()))
    assert '"10.1000/a_b", # retracted, 20' in settings.read_text()
    assert editor.change("a.md", ((0, 0, 0, 0), " ")) == []


# Links and references.


def test_links_and_references(editor):
    text = "😀 10.1000/182, [a](https://dx.doi.org/10.1000/A_B) and doi:10.1000/182\n"
    editor.open("a.md", text)
    (editor.folder / "docs").mkdir()
    (editor.folder / "docs/b.rst").write_text("See :doi:`10.1000/182`.\n")
    (editor.folder / "docs/c.md").write_text("doi:10.1000/182 doi:10.1000/183\n")
    (editor.folder / "node_modules").mkdir()
    (editor.folder / "node_modules/d.md").write_text("doi:10.1000/182\n")
    editor.open("docs/c.md", "doi:10.1000/183\n")
    which = t.DocumentLinkParams(t.TextDocumentIdentifier(editor.uri("a.md")))
    links = editor.run(editor.client.text_document_document_link_async(which))
    assert [(each.range.start.character, each.target) for each in links] == [
        (3, "https://doi.org/10.1000/182"),
        (20, "https://doi.org/10.1000/A_B"),
        (56, "https://doi.org/10.1000/182"),
    ]
    assert editor.references("a.md", 0, 5) == [
        ("a.md", "0:3-0:14"), ("a.md", "0:56-0:71"), ("b.rst", "0:10-0:21"),
    ]  # fmt: skip


# What is asked, and when.


@pytest.fixture
def site(tmp_path, handle_api):
    handle_api.set("10.1000/182", "https://www.doi.org/hb.html")
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.doilinks]\ncheck_api = "{handle_api.api}"\ncheck_retries = 0\n'
    )
    return tmp_path


WRONG = "See doi:10.1000/182x and doi:10.1000/182.\n"


def test_nothing_is_asked_unless_the_client_says_so(site, handle_api):
    with Editor(site) as editor:
        editor.open("a.md", WRONG)
        editor.save("a.md")
        editor.wait("a.md")
        editor.hover("a.md", 0, 6)
        editor.actions("a.md", at(WRONG, "10.1000/182x"))
        assert editor.close("a.md") == []
    assert handle_api.requests == []
    assert not (site / "doi-lock.json").exists()


def test_names_are_asked_about_on_saving(site, handle_api):
    with Editor(site, check="onSave") as editor:
        assert editor.open("a.md", WRONG) == []
        assert editor.change("a.md", ((0, 0, 0, 0), "")) == []
        assert handle_api.requests == []
        editor.save("a.md")
        editor.until(lambda: editor.client.diagnostics[editor.uri("a.md")])
        found = editor.client.diagnostics[editor.uri("a.md")]
        assert [(each.code, each.severity, each.range) for each in found] == [
            ("doi-not-found", t.DiagnosticSeverity.Error, at(WRONG, "doi:10.1000/182x"))
        ]
        assert json.loads((site / "doi-lock.json").read_text())["found"] == {"doi:10.1000/182": {}}
        actions = editor.actions("a.md", at(WRONG, "10.1000/182x"))
        action = actions["Write doi:10.1000/182 [doi-near]"]
        assert applied(WRONG, action.edit, editor.uri("a.md")) == WRONG.replace("182x", "182")
        (progress,) = editor.client.progress_reports.values()
        assert [progress[0].kind, progress[-1].kind] == ["begin", "end"]
        assert "1 not found" in progress[-1].message
        asked = len(handle_api.requests)
        editor.save("a.md")
        editor.wait("a.md")
        editor.close("a.md")
        assert len(handle_api.requests) == asked


def test_settings_are_pulled_and_asking_is_cancelled(site, handle_api):
    handle_api.latency = 0.2
    editor = Editor(site)
    editor.client.set_configuration({"doilinks": {"check": "onSave"}})
    names = [f"doi:10.1000/n{number}" for number in range(200)]
    with editor:
        editor.client.workspace_did_change_configuration(t.DidChangeConfigurationParams({}))
        editor.open("a.md", "\n".join(names))
        editor.save("a.md")
        reports = editor.client.progress_reports
        editor.until(lambda: reports and len(*reports.values()) > 2)
        (token,) = reports
        editor.client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(token))
        editor.until(lambda: reports[token][-1].kind == "end")
    assert len(handle_api.requests) < len(names)


def test_the_doi_of_a_reference_is_found_when_chosen(site, handle_api):
    handle_api.set("10.1000/knuth", {
        "url": "https://example.org/", "agency": "Crossref",
        "work": {"title": "Semantics of context-free languages", "type": "article-journal",
                 "author": [{"family": "Knuth", "given": "Donald E."}],
                 "issued": {"date-parts": [[1968]]}, "container-title": "Mathematical Systems Theory",
                 "volume": "2", "page": "127-145"},
    })  # fmt: skip
    settings = site / "pyproject.toml"
    settings.write_text(f'{settings.read_text()}check_works_api = "{handle_api.works_api}"\n')
    text = (
        "# References\n\n- Knuth, D. E. (1968). Semantics of context-free languages. "
        "*Mathematical Systems Theory*, 2, 127-145.\n"
    )
    with Editor(site) as editor:
        editor.open("a.md", text)
        (command,) = editor.actions("a.md", at(text, "Semantics")).values()
        assert handle_api.requests == []
        editor.run(
            editor.client.workspace_execute_command_async(
                t.ExecuteCommandParams(command.command, command.arguments)
            )
        )
        (edit,) = editor.edits
        after = applied(text, edit, editor.uri("a.md"))
    assert after == text.replace("127-145.", "127-145,\n  doi:10.1000/knuth.")


# Bad input.


def test_nonsense_is_survived(project):
    text = "doi:10.1000/a_b\n"
    uri = (project / "a.md").as_uri()
    ids = itertools.count(1)

    def message(method, params, *, asks=True):
        body = json.dumps(
            {"jsonrpc": "2.0", "method": method, "params": params}
            | ({"id": next(ids)} if asks else {})
        )
        return f"Content-Length: {len(body)}\r\n\r\n{body}".encode()

    hover = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}
    opened = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    given = [
        message("initialize", {"processId": None, "rootUri": project.as_uri(), "capabilities": {}}),
        b"\x00\xff nonsense\r\n\r\n", b"Content-Length: 9999999999999999\r\n\r\n",
        b"Content-Length: 5\r\n\r\nhello", b"Content-Length: 2\r\n\r\n[]", b"no end of a line",
        message("textDocument/didOpen", {"textDocument": opened}, asks=False),
        message("textDocument/hover", {"nonsense": 1}), message("doilinks/unknown", {}),
        message("workspace/executeCommand", {"command": "rm", "arguments": ["-rf"]}),
        message("workspace/executeCommand", {"command": "doilinks.find", "arguments": ["x", 0, 0]}),
        message("textDocument/didChange", {"textDocument": {"uri": "file:///none", "version": 2}, "contentChanges": []}, asks=False),
        message("textDocument/hover", hover | {"position": {"line": 999, "character": 999}}),
        message("textDocument/hover", hover), message("shutdown", None), message("exit", None, asks=False),
    ]  # fmt: skip
    done = subprocess.run(
        [quick(BIN / "doilinks"), "server", "--stdio"], input=b"".join(given), capture_output=True,
        timeout=LONGEST, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    parts = [
        json.loads(each[each.index(b"\r\n\r\n") :])
        for each in done.stdout.split(b"Content-Length: ")[1:]
    ]
    answers = {each["id"]: each for each in parts if "id" in each}
    errors = [number for number, each in answers.items() if "error" in each]
    assert errors == [2, 3, 4]
    assert "Retracted" in answers[7]["result"]["contents"]["value"]
    told = [
        each["params"]["message"] for each in parts if each.get("method") == "window/showMessage"
    ]
    assert told
    assert len(told) == len(set(told))
    published = [
        each["params"]["diagnostics"]
        for each in parts
        if each.get("method", "").endswith("publishDiagnostics")
    ]
    assert [each["code"] for each in published[0]] == ["doi-retracted"]


@pytest.mark.parametrize("option", ["check_lockfile", "cite_bib"])
def test_nothing_outside_of_the_workspace_is_read(tmp_path, option):
    outside, inside = tmp_path / "other", tmp_path / "project"
    outside.mkdir()
    inside.mkdir()
    lock(outside, WORKS)
    (outside / "r.bib").write_text("@misc{secret, title = {A secret}, author = {Who, A.}}\n")
    value = '"../other/doi-lock.json"' if option == "check_lockfile" else '["../other/r.bib"]'
    (inside / "pyproject.toml").write_text(f"[tool.doilinks]\n{option} = {value}\n")
    with Editor(inside) as editor:
        assert editor.open("a.md", "doi:10.1000/a_b [@\n") == []
        assert editor.complete("a.md", 0, 18) == []
