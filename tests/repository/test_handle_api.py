"""The server that other tests check against says what it is told to, also when it starts from a shell."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from ..tools.handle_api import HandleServer
from ..tools.modules import run_module
from ..tools.programs import LONGEST, ended, running


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=LONGEST) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_it_answers_as_the_specification_shows(handle_api):
    """[URI §4], figure 1."""
    handle_api.set("10.1000/Ab", "https://e.org/")
    handle_api.set("10.1000/empty", None)
    handle_api.set("10.1000/x", {"url": "https://e.org/", "fault": "server-error", "times": 2})
    status, record = get(handle_api.api + "10.1000/aB")
    assert (status, record["responseCode"], record["handle"]) == (200, 1, "10.1000/aB")
    (value,) = record["values"]
    assert value["data"] == {"format": "string", "value": "https://e.org/"}
    assert value.keys() == {"index", "type", "data", "ttl", "timestamp"}
    none, empty = {"handle": "10.1000/none"}, {"handle": "10.1000/empty"}
    assert get(handle_api.api + "10.1000/none") == (404, {"responseCode": 100} | none)
    assert get(handle_api.api + "10.1000/empty") == (200, {"responseCode": 200} | empty)
    assert [get(handle_api.api + "10.1000/x")[0] for _ in range(3)] == [500, 500, 200]
    get(handle_api.api + "10.1000/a%23b%2Fc?x=1")
    asked = ("GET", "/api/handles/10.1000/a%23b%2Fc?x=1", "10.1000/a#b/c", "HTTP/1.1")
    assert (handle_api.requests[-1], handle_api.count("10.1000/A#B/C")) == (asked, 1)


def test_from_a_shell(tmp_path):
    records = tmp_path / "records.json"
    records.write_text('{"10.1000/182": "https://e.org/"}')
    command = [sys.executable, "-m", "tests.tools.handle_api", str(records), "--latency", "0.01"]
    with running(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        api, works = run.stdout.readline().strip(), run.stdout.readline().strip()
        assert get(api + "10.1000/182")[1]["responseCode"] == 1
        counts = {"requests": 1, "names": 1, "most_at_once": 1}
        assert get(api.removesuffix("api/handles/"))[1] == counts
        run.send_signal(signal.SIGTERM)
        out, err = ended(run)
    assert (run.returncode, out, err) == (0, "", "")
    assert works == "check_works_api: " + api.replace("api/handles/", "agencies/")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "records.json: Expecting property name"),
        ("[]", "not an object of names and entries"),
        ('{"10.1/x": {"fault": "f"}}', "10.1/x: there is no fault 'f' (there are: not-found"),
        ('{"10.1/x": 5}', "10.1/x: an entry is text, a list, an object or null, got 5"),
    ],
)
def test_wrong_records(text, message, tmp_path):
    records = tmp_path / "records.json"
    records.write_text(text)
    done = run_module("tests.tools.handle_api", records)
    assert (done.returncode, done.stdout, message in done.stderr) == (2, "", True)
    with pytest.raises(ValueError, match=r"records\.json|10\.1/x"):
        HandleServer(records)
