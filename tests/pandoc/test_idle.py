"""A document in which nothing is to be done costs nearly nothing."""

import json
import os
import subprocess
import sys

import pytest

from doilinks.core.found import MARK
from doilinks.core.options import ENVIRONMENT
from doilinks.hosts.pandoc.entry import PREFIX, is_idle
from doilinks.hosts.pandoc.signs import may_act, may_matter
from doilinks.pandoc import rewrite

ANSWER = '{"pandoc-api-version":[1,23,1],"meta":%s,"blocks":[{"t":"Para","c":[%s]}]}'


def document(*words, **metadata):
    meta = {f"doi-{key}": {"t": "MetaString", "c": value} for key, value in metadata.items()}
    strings = (json.dumps({"t": "Str", "c": word}) for word in words)
    return ANSWER % (json.dumps(meta), ",".join(strings))


@pytest.fixture
def unset(tmp_path, monkeypatch):
    """A folder without settings, and no settings in the environment."""
    for name in os.environ:
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_environment_is_spelled_as_the_core_says():
    assert ENVIRONMENT.prefix == PREFIX


IDLE = {
    "no digits": document("nothing"),
    "years": document("2010.", "in", "2010"),
    "as other filters write it": json.dumps(json.loads(document("2010"))),
    "with a line break at its end": document("nothing") + "\n",
}
BUSY = {
    "a name": document("10.1000/182"),
    "a name with escapes": document("10.1000/182").replace("0/1", r"0\/1"),
    "a label": document("DOI"),
    "a wrong option": document("nothing", display="nothing"),
    "a misspelt option": document("nothing", dispaly="name"),
    "a comment": document("doilinks: ignore"),
    "another version": document("nothing").replace("1,23", "1,24"),
    "half a document": document("nothing")[:-1],
    "no document": "[]",
    "nothing": "",
}


@pytest.mark.usefixtures("unset")
@pytest.mark.parametrize("what", IDLE)
def test_a_document_without_names_passes_and_nothing_is_loaded(what):
    """It comes out as it went in, and so it does from what would have been loaded."""
    code = (
        "import sys; from doilinks.pandoc import main; code = main()\n"
        "loaded = sorted(m for m in sys.modules if m.startswith('doilinks'))\n"
        "print(code, *loaded, *({'typing', 're'} & {*sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        input=IDLE[what].encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == IDLE[what] == rewrite(IDLE[what]).text
    code, *loaded = done.stderr.decode().split()
    known = {"core", "core.printable", "hosts", "hosts.pandoc", "hosts.pandoc.entry"}
    known |= {"pandoc", "shared", "shared.streams"}
    patterns = {"re", "doilinks.hosts.pandoc.signs"} if "10" in IDLE[what] else set()
    assert code == "0"
    assert set(loaded) == {"doilinks", *(f"doilinks.{name}" for name in known), *patterns}


@pytest.mark.usefixtures("unset")
@pytest.mark.parametrize("what", BUSY)
def test_a_document_in_which_there_may_be_something_is_read(what):
    assert not is_idle(BUSY[what])


@pytest.mark.parametrize(
    ("toml", "idle"),
    [
        ("", True),
        ("[tool.ruff]\nline-length = 100", True),
        ("tool = 1", True),
        ("[tool.doilinks]", False),
        (r'["to\u006fl".doilinks]', False),
        ("[tool", False),
        ("\udcff", False),
    ],
)
def test_settings_of_a_project_are_read_for_every_document(toml, idle, unset, monkeypatch):
    (unset / "pyproject.toml").write_text(toml, errors="surrogateescape")
    (unset / "docs").mkdir()
    monkeypatch.chdir(unset / "docs")
    assert is_idle(document("nothing")) is idle


@pytest.mark.usefixtures("unset")
def test_settings_of_the_person_who_runs_pandoc_are_read(monkeypatch):
    assert is_idle(document("nothing"))
    monkeypatch.setenv("DOILINKS_DISPALY", "name")
    assert not is_idle(document("nothing"))


def test_hints_know_the_comment_of_the_check():
    assert may_act(MARK)


@pytest.mark.parametrize(
    ("word", "may"), [("2010", False), ("2010.", False), ("10", True), ("doi10.", True)]
)
def test_a_year_is_no_reason_to_read_a_block(word, may):
    block = json.dumps({"t": "Str", "c": word})
    assert may_matter(block, 0, len(block)) is may
