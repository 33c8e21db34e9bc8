"""Publishers' pages whose address contains a DOI: listed, checked and mended, on request."""

import json

import pytest

from doilinks import DOI

from ..tools.command import doilinks
from ..tools.handle_api import HandleServer

HOLDS = {"url": "https://example.org"}
KNOWN = {"10.5281/zenodo.1": HOLDS, "10.1002/(SICI)1-2(1999)1:1<1::AID-A1>3.0.CO;2-0": HOLDS}
SICI = "https://onlinelibrary.wiley.com/doi/abs/10.1002/(SICI)1-2(1999)1:1%3C1::AID-A1%3E3.0.CO;2-0"
PAGE = "https://zenodo.org/record/1?a=1&b=2#.XyZ"
URL = "https://doi.org/10.5281/zenodo.1"
# Each type with links, with the address of a page at each mark, and of one that nobody has registered.
TEXTS = {
    "a.md": "[this](▸), <▸>, [▸](▸), [that][r] and [no](https://zenodo.org/record/2).\n\n"
    f"`{PAGE}` [pdf](https://zenodo.org/record/1/files/a.pdf)\n\n[r]: {SICI}\n",
    "b.rst": "`this <▸>`__ and ▸, r_.\n\n.. _r: ▸\n",
    "c.html": '<p><a href="▸">this</a></p>\n',
    "d.py": f'"""See ▸ there."""\nx = "{PAGE}"\n',
    "e.bib": "@misc{a, url = {▸}}\n",
    "f.cff": 'url: "▸"\n',
    "g.ipynb": json.dumps(
        {"cells": [{"cell_type": "markdown", "source": ["[x](▸)"]}], "nbformat": 4},
        ensure_ascii=False,
    ),
}
SOURCES = {
    name: text.replace("▸", PAGE.replace("&", "&amp;") if name == "c.html" else PAGE)
    for name, text in TEXTS.items()
}
MENDED = {
    name: text.replace("▸", URL).replace(SICI, DOI([*KNOWN][1]).url) for name, text in TEXTS.items()
}


@pytest.fixture
def docs(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with HandleServer(KNOWN) as server:
        settings = f'[tool.doilinks]\ncheck-api = "{server.api}"\n'
        (tmp_path / "pyproject.toml").write_text(settings)
        yield tmp_path, server


def listed(root, *flags):
    rows = json.loads(doilinks("scan", "--format", "json", *flags, ".", cwd=root)[1])
    return [(row["file"], row["form"], row["name"]) for row in rows]


def test_they_are_listed_on_request(docs):
    root, _ = docs
    assert listed(root) == []
    found = listed(root, "--publisher-urls")
    assert {form for _, form, _ in found} == {"publisher"}
    assert [name for file, _, name in found if file == "a.md"] == [
        *["10.5281/zenodo.1"] * 3, "10.5281/zenodo.2", [*KNOWN][1],
    ]  # fmt: skip
    assert {file for file, *_ in found} == SOURCES.keys()
    with (root / "pyproject.toml").open("a") as file:
        file.write('publisher-urls = "link"\n')
    assert listed(root) == found


def test_they_are_checked_on_request(docs):
    root, server = docs
    assert doilinks("check", ".", cwd=root)[0] == 0
    assert server.requests == []
    code, out, _ = doilinks("check", "--publisher-urls", ".", cwd=root)
    assert code == 1
    assert "a.md:1:" in out
    assert "not found: doi:10.5281/zenodo.2 " in out
    assert {server.count(name) for name in KNOWN} == {1}


def test_they_are_mended_if_the_name_exists(docs):
    root, server = docs
    for flags in ((), ("--from-check",), ("--select", "doi-publisher")):
        assert doilinks("fix", *flags, ".", cwd=root)[0] == 0
    assert {name: (root / name).read_text(encoding="utf-8") for name in SOURCES} == SOURCES
    code, out, err = doilinks("fix", "--from-check", "--select", "doi-publisher", ".", cwd=root)
    assert code == 0, err
    assert {name: (root / name).read_text(encoding="utf-8") for name in MENDED} == MENDED, out
    assert f"f.cff:1:7: {PAGE} → {URL} [doi-publisher]" in out
    asked = len(server.requests)
    again = doilinks("fix", "--from-check", "--offline", "--select", "doi-publisher", ".", cwd=root)
    assert (again[:2], len(server.requests)) == ((0, "0 changes made, in 0 of 7 files\n"), asked)


def test_the_lock_file_is_an_answer(docs):
    root, server = docs
    doilinks("check", "--publisher-urls", ".", cwd=root)
    asked = len(server.requests)
    doilinks("fix", "--from-check", "--offline", "--select", "doi-publisher", ".", cwd=root)
    assert (root / "a.md").read_text(encoding="utf-8") == MENDED["a.md"]
    assert len(server.requests) == asked
