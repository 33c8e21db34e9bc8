"""The server that other tests check against says what it is told to, also when it starts from a shell."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request

from ..tools.programs import LONGEST, ended, running


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=LONGEST) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


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
