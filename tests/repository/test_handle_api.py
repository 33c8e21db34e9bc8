"""The server that other tests check against: what it answers, and how it starts from a shell."""

from __future__ import annotations

import json
import signal
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from ..tools.handle_api import HandleServer
from ..tools.modules import run_module
from ..tools.programs import LONGEST, ended, running


def get(server, path, **options):
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), *options.pop("handlers", ())
    )
    try:
        with opener.open(server.api + path, timeout=LONGEST) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@pytest.fixture
def server():
    with HandleServer({"10.1000/Ab": "https://e.org/", "10.1000/empty": None}) as running:
        yield running


def test_an_answer_as_the_specification_shows_it(server):
    """[URI §4], figure 1."""
    status, record = get(server, "10.1000/aB")
    assert (status, record["responseCode"], record["handle"]) == (200, 1, "10.1000/aB")
    (value,) = record["values"]
    assert value["data"] == {"format": "string", "value": "https://e.org/"}
    assert value.keys() == {"index", "type", "data", "ttl", "timestamp"}


def test_not_found_and_no_values(server):
    none, empty = "10.1000/none", "10.1000/empty"
    assert get(server, none) == (404, {"responseCode": 100, "handle": none})
    assert get(server, empty) == (200, {"responseCode": 200, "handle": empty})


def test_entries(server):
    server.set("10/a1", {"alias": "10.1000/ab"})
    assert get(server, "10/a1")[1]["values"][0]["type"] == "HS_ALIAS"
    values = [{"index": 7, "type": "X"}]
    for entry in (values, {"values": values}):
        server.set("10.1000/v", entry)
        assert get(server, "10.1000/v")[1]["values"] == values
    server.set("*", "https://any.example/")
    assert get(server, "10.9999/whatever")[0] == 200


def test_what_was_asked(server):
    get(server, "10.1000/a%23b%2Fc?x=1")
    (request,) = server.requests
    assert request == ("GET", "/api/handles/10.1000/a%23b%2Fc?x=1", "10.1000/a#b/c", "HTTP/1.1")
    assert server.count("10.1000/A#B/C") == 1


def test_a_fault_that_ends(server):
    server.set("10.1000/x", {"url": "https://e.org/", "fault": "server-error", "times": 2})
    assert [get(server, "10.1000/x")[0] for _ in range(4)] == [500, 500, 200, 200]


@pytest.mark.parametrize(
    "records", [{"10.1000/x": 5}, {"10.1000/x": {"fault": "nonsense"}}, {"10.1000/x": True}]
)
def test_wrong_entries(records):
    with pytest.raises(ValueError, match=r"10\.1000/x: (there is no fault|an entry is)"):
        HandleServer(records)


def test_stopped_servers_leave_nothing(server):
    import threading

    def serving():
        return [each.name for each in threading.enumerate()].count("doilinks-handle-server")

    before = serving()
    with HandleServer() as other, pytest.raises(OSError, match="in use"):
        HandleServer(port=other.port).start()
    assert serving() == before


def test_a_path_that_is_not_the_apis(server):
    with pytest.raises(urllib.error.HTTPError, match="404") as raised:
        urllib.request.urlopen(server.api.replace("api", "web") + "10.1000/ab", timeout=LONGEST)
    raised.value.close()


def test_tls():
    with HandleServer({"10.1000/ab": "https://e.org/"}, tls=True) as server:
        context = ssl.create_default_context(cafile=server.authority)
        https = urllib.request.HTTPSHandler(context=context)
        assert get(server, "10.1000/ab", handlers=[https])[0] == 200
        folder = Path(server.authority).parent
    assert not folder.exists()


def test_from_a_shell(tmp_path):
    records = tmp_path / "records.json"
    records.write_text('{"10.1000/182": "https://e.org/"}')
    command = [sys.executable, "-m", "tests.tools.handle_api", str(records), "--latency", "0.01"]
    with running(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        api, works = run.stdout.readline().strip(), run.stdout.readline().strip()
        with urllib.request.urlopen(api + "10.1000/182", timeout=LONGEST) as answer:
            assert json.load(answer)["responseCode"] == 1
        with urllib.request.urlopen(api.removesuffix("api/handles/"), timeout=LONGEST) as answer:
            assert json.load(answer) == {"requests": 1, "names": 1, "most_at_once": 1}
        run.send_signal(signal.SIGTERM)
        out, err = ended(run)
    assert (run.returncode, out, err) == (0, "", "")
    assert works == "check_works_api: " + api.replace("api/handles/", "agencies/")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "records.json: Expecting property name"),
        ("[" * 100_000, "records.json: "),
        ("[]", "not an object of names and entries"),
        ('{"10.1/x": {"fault": "f"}}', "10.1/x: there is no fault 'f' (there are: not-found"),
        (None, "No such file or directory"),
    ],
)
def test_wrong_records_in_a_shell(text, message, tmp_path):
    records = tmp_path / "records.json"
    if text is not None:
        records.write_text(text)
    done = run_module("tests.tools.handle_api", records)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_there_is_not(tmp_path):
    records = tmp_path / "records.json"
    records.write_text("{}")
    done = run_module("tests.tools.handle_api", records, "--port", "70000")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "handle_api: bind(): port must be 0-65535.\n"
