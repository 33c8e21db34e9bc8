"""``doilinks accept`` as a user runs it."""

import json
import tomllib

import pytest

from doilinks import DOI

from ..tools.command import doilinks

NAME = "10.1000/182"
WORK = {"fetched": "2026-11-20", "title": "DOI Handbook", "names": ["Paskin"], "year": 2000}
LOCK = {
    "version": 1,
    "found": {
        f"doi:{NAME}": {"checked": "2026-11-20"},
        "doi:10.1000/183": {"checked": "2026-11-20"},
    },
    "works": {f"doi:{NAME}": WORK},
}


def accepted(folder):
    table = tomllib.loads((folder / "pyproject.toml").read_text("utf-8-sig"))
    return table["tool"]["doilinks"].get("check_accept")


@pytest.fixture
def accept(tmp_path):
    def accept(*arguments, toml="[tool.doilinks]\n", lock=LOCK):
        (tmp_path / "pyproject.toml").write_bytes(toml.encode())
        if lock:
            (tmp_path / "doi-lock.json").write_text(json.dumps(lock))
        return doilinks("accept", *arguments, cwd=tmp_path)

    return accept


def test_a_name_with_its_reason(accept, tmp_path):
    code, out, err = accept(NAME, "--reason", "a chapter about it")
    file = tmp_path / "pyproject.toml"
    told = f'accepted: {NAME} "DOI Handbook" (Paskin, 2000), in check_accept of {file}\n'
    assert (code, out, err) == (0, told, "")
    made = f'[tool.doilinks]\ncheck_accept = [\n    "{NAME}", # a chapter about it\n]\n'
    assert file.read_text() == made


def test_twice_is_once(accept, tmp_path):
    text = f'[tool.doilinks]\ncheck_accept = ["doi:{NAME}", "10.5555/*"]\n'
    code, out, _ = accept(f"https://doi.org/{NAME}", NAME, "10.5555/*", toml=text)
    assert (code, out.count("accepted already")) == (0, 2)
    assert (tmp_path / "pyproject.toml").read_text() == text


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["nothing"], "not a DOI name: 'nothing'"),
        (["*"], "not a DOI name"),
        (["10.1000*"], "not a DOI name"),
        ([NAME, "10.1000/281"], "doi:10.1000/281 is not in doi-lock.json"),
    ],
)
def test_what_is_refused(accept, tmp_path, names, why):
    code, out, err = accept(*names)
    assert (code, out, why in err) == (2, "", True)
    assert (tmp_path / "pyproject.toml").read_text() == "[tool.doilinks]\n"


def test_without_a_lock_file_every_name_is_taken(accept, tmp_path):
    assert accept("10.1000/281", lock=None)[0] == 0
    assert accepted(tmp_path) == ["10.1000/281"]


def test_without_a_configuration(tmp_path):
    code, _, err = doilinks("accept", NAME, cwd=tmp_path)
    assert (code, "there is no pyproject.toml" in err) == (2, True)


@pytest.mark.parametrize(
    "toml",
    [
        "",
        "# nothing\n",
        '[project]\nname = "x"  # a comment\n',
        "[tool.doilinks]\ncheck_accept = []\n",
        '[tool.doilinks]\ncheck-accept = ["10.1000/1"]\n',
        '[tool.doilinks]\ncheck_accept = ["10.1000/1"]  # beside\nbare = false\n\n[tool.z]\na = 1\n',
        '[tool.doilinks]\ncheck_accept = [\n  "10.1000/1",  # why\n  # a line\n]\n',
        '[tool.doilinks]\ncheck_accept = [\n  "10.1000/1"  # why\n]\n',
        '[tool.doilinks]\r\ncheck_accept = [\r\n  "10.1000/1",  # why\r\n]\r\n',
        "\ufeff[tool.doilinks]\nbare = false\n",
        'tool.doilinks.check_works = "warn"\n',
        "[tool]\ndoilinks = {bare = false}\n",
        "[tool.a]\nx = 1\n[project]\ny = 2\n[tool.b]\nz = 3\n",
        '[tool.a]\nx = 1\n[project]\ny = 2\n[tool.doilinks]\ncheck_accept = ["10.1000/1"]',
    ],
)
@pytest.mark.parametrize("reason", ["", "cited on\npurpose \x1b[31m # \u202e"])
def test_everything_else_in_the_file_stays(accept, tmp_path, toml, reason):
    code, _, err = accept(NAME, "10.1000/183", "--reason", reason, toml=toml)
    assert (code, err) == (0, "")
    made = (tmp_path / "pyproject.toml").read_bytes().decode()
    after = tomllib.loads(made.removeprefix("\ufeff"))
    section = after["tool"]["doilinks"]
    [names] = [
        section.pop(key) for key in list(section) if key.startswith("check") and "acc" in key
    ]
    assert names[-2:] == [NAME, "10.1000/183"]
    before = tomllib.loads(toml.removeprefix("\ufeff"))
    old = before.get("tool", {}).get("doilinks", {})
    assert len(names) == 2 + len(old.pop("check_accept", old.pop("check-accept", [])))
    assert {**after, "tool": after["tool"] | {"doilinks": old}} == {
        **before,
        "tool": before.get("tool", {}) | {"doilinks": old},
    }
    for line in toml.splitlines():
        comment = line.partition("#")[2]
        assert comment in made
    assert made.startswith("\ufeff") == toml.startswith("\ufeff")
    assert made.count("\r") in (0, made.count("\n"))
    assert "\x1b" not in made
    again = doilinks("accept", NAME, cwd=tmp_path)
    assert again[1].startswith("accepted already")


@pytest.mark.parametrize(
    "name", ["10.1000/a%2A", "doi:10.1000/a%2523b", "doi:10.1000/a(b)%3Cc%3E;2-%23"]
)
def test_a_name_is_read_back_as_itself(accept, tmp_path, name):
    assert accept(name, lock=None)[0] == 0
    [entry] = accepted(tmp_path)
    assert (DOI.parse(entry), entry.endswith("*")) == (DOI.parse(name), False)


@pytest.mark.parametrize("text", ["tool = 3\n", "tool = {a = 1}\n"])
def test_a_file_that_cannot_be_changed(accept, tmp_path, text):
    code, _, err = accept(NAME, toml=text)
    assert (code, "write the names into check_accept by hand" in err) == (2, True)
    assert (tmp_path / "pyproject.toml").read_text() == text


def test_what_is_accepted_is_not_reported(accept, tmp_path):
    """The exception that is written is one that the check takes."""
    from doilinks.project import project_of

    accept(NAME, "10.5555/*")
    assert project_of(tmp_path).options["check_accept"] == [NAME, "10.5555/*"]
