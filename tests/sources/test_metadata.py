"""The reader of metadata in JSON: which fields count, and that the place is exact."""

import json

import pytest

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.sources import read, walk
from doilinks.tools.fix import Original, chosen, mend
from doilinks.tools.fix.rules import Correction

from ..tools.command import doilinks
from ..tools.places import document


def test_the_text_around_a_name():
    text = document("Metadata of Zenodo")
    found = list(read(text, "json", Options(), blocks=True))
    assert found[0].block == '"doi": "10.5281/zenodo.1"'
    assert json.loads(found[5].block) == {"relation": "isSupplementTo", "identifier": '10.1000/"4'}
    assert found[-1].block == "Paskin, N. (2000). Handbook. 10.1000/6"
    found = list(read(document("CodeMeta"), "json", Options(), blocks=True))
    assert [each.block for each in found[:2]] == [
        '"@id": "https://doi.org/10.5281/zenodo.1"', '"identifier": "10.5281/zenodo.2"',
    ]  # fmt: skip
    assert json.loads(found[2].block)["name"] == "10.1000/name"


def test_an_object_does_not_describe_the_works_that_it_lists():
    crate = {"@graph": [
        {"@id": "https://doi.org/10.1000/1", "name": "A", "hasPart": ["https://doi.org/10.1000/2"],
         "isPartOf": "https://doi.org/10.1000/3", "identifier": ["10.1000/4"], "citation": {"@id": "https://doi.org/10.1000/5"}},
    ]}  # fmt: skip
    text = json.dumps(crate)
    found = list(read(text, "json", Options(), blocks=True))
    whole = json.dumps(crate["@graph"][0])
    assert [each.block for each in found] == [
        whole, '"hasPart": "https://doi.org/10.1000/2"', '"isPartOf": "https://doi.org/10.1000/3"',
        whole, '{"@id": "https://doi.org/10.1000/5"}',
    ]  # fmt: skip


def test_objects_in_objects_are_texts_of_limited_length():
    """Each is a part of all around it; of one that names many works, the text is one."""
    tall = {"abstract": "\U0001d11e" * 100_000, "url": "https://doi.org/10.1000/0", "name": "A"}
    for at in range(1, 600):
        tall = {"url": f"https://doi.org/10.1000/{at}", "a": tall}
    found = list(read(json.dumps({"a": tall}), "json", Options(), blocks=True))
    blocks = [each.block for each in found]
    assert len(blocks) == 600
    assert sum(map(len, blocks)) < 600_000
    assert all(each.doi.name in block for each, block in zip(found, blocks, strict=True))
    assert '"name": "A"' in blocks[-1]
    many = [f"https://doi.org/10.1000/{at}" for at in range(3_000)]
    found = list(read(json.dumps({"a": {"sameAs": many}}), "json", Options(), blocks=True))
    blocks = {id(block): block for each in found if (block := each.block)}
    assert sum(map(len, blocks.values())) < 4_000_000
    assert {block[:30].partition(",")[0] for block in blocks.values()} >= {many[-1]}


@pytest.mark.parametrize(
    "text",
    ["[]", '"10.1000/1"', "10.1", '{"a": null, "a": "https://doi.org/10.1/x", "b": NaN}',
     '{"a": {"b": {"url": "https://doi.org/10.1/x"}}, "a": 1}', '{"doi": ["10.1000/1", {"": "10.1"}]}'],
)  # fmt: skip
def test_other_shapes_are_no_error(text):
    assert len([each.block for each in read(text, "json", Options(), blocks=True)]) <= 1


ALL = chosen([], [], asks=False)


def test_fix_escapes_a_name():
    right = {DOI("10.1000/a"): Correction("doi-near", DOI('10.1000/a"b\\'))}
    text = b'{"doi": "10.1000/a"}'
    done = mend(Original(text, "json"), "json", Options(), ALL | {"doi-near"}, right=right)
    assert json.loads(done.octets) == {"doi": '10.1000/a"b\\'}


def test_the_files_are_read_in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (".zenodo.json", "codemeta.json", "package.json", ".other.md"):
        (tmp_path / name).write_text('{"doi": "10.1000/1"}')
    assert [each.path for each in walk(".")] == [".zenodo.json", "codemeta.json"]
    code, out, err = doilinks("scan", "--type", "json", ".", "package.json", cwd=tmp_path)
    assert (code, out.count("   field\n")) == (0, 3), out + err


def test_objects_in_objects_take_no_memory_for_each_level():
    depth = 300
    text = '{"url": "https://doi.org/10.1000/%d", "x": "' + "y" * 1_000 + '", "a": '
    whole = "".join(text % n for n in range(depth)) + "1" + "}" * depth
    blocks = [each.block for each in read(whole, "json", Options(), blocks=True)]
    assert len(blocks) == depth
    assert max(map(len, blocks)) < 20_000
    assert all(f"10.1000/{n}" in block for n, block in enumerate(blocks))
