"""The filter as a program: its streams, and what is no document."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from ..tools.hosts import FILTER
from ..tools.modules import quick
from ..tools.programs import LONGEST
from .filtered import run, tree

DOCUMENT = {"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": []}
WRONG = {**DOCUMENT, "meta": {"doi-display": {"t": "MetaString", "c": "nmae"}}}
IS_WRONG = "pandoc-doilinks: doi-display: takes one of 'uri', 'legible', 'url', 'name', 'source', got 'nmae'\n"


@pytest.mark.parametrize(
    ("redirection", "document", "code", "err"),
    [
        ("<&-", DOCUMENT, 1, "pandoc-doilinks: cannot read: standard input is closed\n"),
        (">&-", DOCUMENT, 2, "pandoc-doilinks: cannot write: standard output is closed\n"),
        ("2>&-", DOCUMENT, 0, ""),
        ("2>&-", WRONG, 1, ""),
        ("", WRONG, 1, IS_WRONG),
        (">&- 2>&-", WRONG, 1, ""),
        ("<&- >&- 2>&-", DOCUMENT, 1, ""),
        ("2>/dev/full", WRONG, 1, ""),
        (">/dev/full", DOCUMENT, 2, "pandoc-doilinks: cannot write: No space left on device\n"),
        ("0>/dev/null", DOCUMENT, 1, "pandoc-doilinks: cannot read: Bad file descriptor\n"),
    ],
)
def test_closed_and_full_streams(redirection, document, code, err):
    if "full" in redirection and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full to write to")
    done = subprocess.run(
        ["sh", "-c", f'"$0" html {redirection}', quick(FILTER)],
        input=json.dumps(document),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, err)
    # Messages never go where the document goes.
    whole = code == 0 and "2>&-" in redirection
    assert done.stdout == (json.dumps(document) if whole else "")


def test_nobody_reads_the_document(tmp_path):
    big = {**DOCUMENT, "blocks": [{"t": "Para", "c": [{"t": "Str", "c": "x" * 1_000_000}]}]}
    (tmp_path / "big.json").write_text(json.dumps(big))
    with (tmp_path / "big.json").open() as document:
        process = subprocess.Popen(
            [FILTER, "html"], stdin=document, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(LONGEST) == 141


@pytest.mark.parametrize(
    "given",
    [
        "",
        "no JSON",
        "[]",
        "{}",
        '{"pandoc-api-version":[1,23,1],"meta":{},"blocks":[{"t":"Para","c":[{"t":"Str","c":"10.1000/1',
        '{"pandoc-api-version":[1,23,1],"meta":{},"blocks":["10.1000/1" x]}',
        '{"pandoc-api-version":[1,23,1],"meta":{},"blocks":[{"t":"Para","c":[{"t":"Str","c":"10.1000/1"}]}',
        '{"pandoc-api-version":[1,23,1],"meta":{},"blocks":[{"t":"Para","c":[{"t":"Str"},{"t":"Str","c":"10.1000/1"}]}]}',
        '{"pandoc-api-version":[9,9],"meta":{},"blocks":[]}',
        '{"pandoc-api-version":[1,24],"meta":{},"blocks":[]}',
        '{"pandoc-api-version":"1","meta":{},"blocks":[]}',
        '{"pandoc-api-version":[1,23,1],"meta":{},"blocks":'
        + "[" * 10**5
        + '"10.1000/1"'
        + "]" * 10**5
        + "}",
        b'{"pandoc-api-version":[1,23,1],"meta":{},"blocks":["\xff"]}',
    ],
    ids=range(13),
)
def test_what_is_no_document_fails(given):
    done = run(given)
    assert done.returncode == 1
    assert done.stdout == b""
    assert re.fullmatch(r"pandoc-doilinks: [^\n]+\n", done.stderr.decode())


def test_nul_and_other_controls_do_no_harm():
    given = tree("see 10.1000/1 x").replace("10.1000/1", "10.1000/1\\u0000\\u0001\\ud800\\u202e")
    made = json.loads(run(given).stdout)["blocks"][0]["c"]
    assert [node["t"] for node in made] == ["Str", "Space", "Link", "Str", "Space", "Str"]
    assert made[3]["c"] == "\x00\x01\ud800\u202e"
