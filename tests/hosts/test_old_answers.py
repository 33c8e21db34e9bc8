"""One tree in every host, while the API is up, slow, answers 429 or is down, with an old lock file.

An answer in the lock file counts however old while the API gives none. What nobody has ever
answered fails a build only with ``check_unknown = "error"``.
"""

import json
from datetime import timedelta
from itertools import product

import pytest

from ..tools.checks import today
from ..tools.programs import LONGEST, taken_port
from ..tools.projects import CHECKS, configure, of_command_line
from ..tools.proof import sample

OLD, NEW = "10.1000/182", "10.1000/new"
TEXT = f"See doi:{OLD} and doi:{NEW}.\n"
SAID = f"found 45 days ago: doi:{OLD} (not asked now: "


# Each host, and its exit code when `check_unknown` is "error" and something is unknown.
HOSTS = {"sphinx": 1, "mkdocs": 1, "pandoc": 83, "command line": 3}
RUNS = {**CHECKS, "command line": of_command_line}
FAULTS = {
    "slow": {"fault": "slow", "seconds": LONGEST},
    "429": {"fault": "too-many", "retry_after": 1},
}


@pytest.mark.parametrize(
    ("host", "state", "unknown"),
    sample("old lock files in hosts", "each", [*product(HOSTS, ("up", "slow", "429", "down"), ("warn", "error"))], one_in=3),
)  # fmt: skip
def test_an_old_lock_file(host, state, unknown, tmp_path, handle_api):
    day = today() - timedelta(days=45)
    found = {f"doi:{OLD}": {"checked": day.isoformat()}}
    (tmp_path / "doi-lock.json").write_text(json.dumps({"version": 1, "found": found}))
    for name in (OLD, NEW):
        handle_api.set(name, FAULTS.get(state, "https://example.org/"))
    with taken_port() as closed:
        dead = f"http://127.0.0.1:{closed}/api/handles/"
        api = dead if state == "down" else handle_api.api
        configure(
            tmp_path, check_unknown=unknown, check_api=api, check_retries=0,
            check_timeout=0.1 if state == "slow" else 60,
        )  # fmt: skip
        code, said = RUNS[host](
            tmp_path, {"check": "error"}, TEXT, None, host == "sphinx"
        )  # its remarks
    if state == "up":
        assert (code, said.count("days ago"), said.count("could not tell")) == (0, 0, 0), said
        kept = json.loads((tmp_path / "doi-lock.json").read_text())["found"]
        assert kept.keys() == {f"doi:{OLD}", f"doi:{NEW}"}
        return
    assert (said.count(SAID), said.count("could not tell: ")) == (1, 1), said
    reason = {"slow": "timed out", "429": "429", "down": "refused"}[state]
    assert reason in said.partition(SAID)[2].splitlines()[0], said
    assert code == (HOSTS[host] if unknown == "error" else 0), said
