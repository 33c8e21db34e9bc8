"""The golden run tells a change of the output, and nothing else."""

import gzip
import json
import re
import shutil

import pytest

from ..tools.golden import main

pytestmark = pytest.mark.thorough

PARTS = ["names", "prose", "works", "cli", "trees", "core"]
PAIR = {
    "id": "a", "block": "Paskin, N. (2000). DOI handbook. doi:10.1000/182", "doi": "10.1000/182",
    "made": "real", "record": {"title": "DOI handbook", "author": [{"family": "Paskin"}]},
}  # fmt: skip


@pytest.fixture
def recorded(tmp_path):
    """A recording of a few documents; returns a function that compares it."""
    shared, trees, folder = (tmp_path / name for name in ("shared", "trees", "golden"))
    (shared / "corpus").mkdir(parents=True)
    (shared / "records").mkdir()
    (trees / "one").mkdir(parents=True)
    (trees / "one" / "page.md").write_text("See http://dx.doi.org/10.1000/182.\n")
    (shared / "corpus" / "names.txt").write_text("10.1000/182\n10.1000/a<b>\nnothing\n")
    for each in ("prose", "negatives", "cases"):
        row = {"text": f"See doi:10.1000/{each}."}
        (shared / "corpus" / f"{each}.jsonl").write_text(f"{json.dumps(row)}\n")
    (shared / "records" / "pairs.jsonl").write_text(f"{json.dumps(PAIR)}\n")
    places = ["--shared", str(shared), "--trees", str(trees), "--most", "2"]
    assert main(["record", str(folder), *PARTS, *places]) == 0
    yield lambda *parts: main(["compare", str(folder), *parts])
    shutil.rmtree(folder)


def test_the_same_output_is_no_difference(recorded, capsys):
    capsys.readouterr()
    assert recorded() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == PARTS
    assert all(": 0 of " in line for line in lines)


def test_another_output_is_shown(recorded, tmp_path, capsys):
    (tmp_path / "trees" / "one" / "page.md").write_text("See http://dx.doi.org/10.1000/183.\n")
    capsys.readouterr()
    assert recorded("prose", "trees") == 1
    shown = capsys.readouterr().out
    assert "prose: 0 of" in shown
    assert "trees: 2 of 2 items differ\n* scan -j1 --remarks one\n" in shown
    for side, name in (("-", "10.1000/182"), ("+", "10.1000/183")):
        assert re.search(rf"^  \{side}one/page\.md:1:5 +doi:{name} +url$", shown, re.MULTILINE)


def test_an_item_that_is_gone_or_new_is_shown(recorded, tmp_path, capsys):
    path = tmp_path / "golden" / "prose.json.gz"
    items = json.loads(gzip.decompress(path.read_bytes()))
    items["another"] = items.pop("0")
    path.write_bytes(gzip.compress(json.dumps(items).encode()))
    capsys.readouterr()
    assert recorded("prose") == 1
    shown = capsys.readouterr().out
    assert "* another\n  only before\n" in shown
    assert "* 0\n  only after\n" in shown


def test_wrong_use_is_told(tmp_path, capsys):
    for arguments, said in ((["nothing"], "no such part: nothing"), ([], "nothing is recorded")):
        with pytest.raises(SystemExit) as ended:
            main(["compare", str(tmp_path), *arguments])
        assert ended.value.code == 2
        assert said in capsys.readouterr().err
