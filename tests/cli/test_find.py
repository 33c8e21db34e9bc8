"""``doilinks find`` as a user runs it, at a server on the loopback interface."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from ..tools.command import doilinks


def work(title, family, year, **more):
    people = [{"family": family, "given": "Ann"}]
    return {"title": title, "author": people, "issued": {"date-parts": [[year]]}, **more}


LAKES = work("Tidal locking of small lakes by migrating herons", "Overgaard", 2017,
             type="journal-article", volume="12", page="44-61")  # fmt: skip
LAKES["container-title"] = "Journal of Lakes"
TOWERS = work("A census of lighthouses in landlocked countries", "Brandt", 2018)
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
        f'a.rst:4: doi:10.1000/lakes for "{LAKES["title"]}" (Overgaard, 2017)',
        SUMMARY,
    ]
    assert code == 1
    assert sent() == [
        f"{TEXT} 44-61.",
        "Miller, B. (1971). Cooking with flour in Italy. Kitchen 3.",
    ]


def test_a_second_run_asks_nothing(folder, sent, handle_api):
    before = doilinks("find", "a.rst", cwd=folder)
    lock = (folder / "doi-lock.json").read_bytes()
    handle_api.requests.clear()
    assert doilinks("find", "a.rst", cwd=folder) == before
    assert doilinks("find", "--offline", "a.rst", cwd=folder) == before
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
    assert list(first) == ["file", "line", "column", "text", "name", "work", "candidates"]
    assert (first["file"], first["line"], first["column"]) == ("a.rst", 4, 8)
    assert first["name"] == "doi:10.1000/lakes"
    assert first["work"] == {"title": LAKES["title"], "people": ["Overgaard"], "year": 2017}
    assert [each["name"] for each in first["candidates"]] == ["doi:10.1000/lakes"]
    assert (second["name"], second["work"], second["candidates"]) == (None, None, [])
