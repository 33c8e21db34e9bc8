"""One tree in every host, while the API is up, slow, answers 429 or is down, with an old lock file.

An answer in the lock file counts however old while the API gives none. What nobody has ever
answered fails a build only with ``check_unknown = "error"``.
"""

import json
import os
import subprocess
from datetime import timedelta
from itertools import product

import pypandoc
import pytest
import yaml

from ..tools.checks import today
from ..tools.command import doilinks as command_line
from ..tools.hosts import FILTER
from ..tools.modules import quick, run_module
from ..tools.programs import LONGEST, taken_port
from ..tools.proof import sample

OLD, NEW = "10.1000/182", "10.1000/new"
TEXT = f"See doi:{OLD} and doi:{NEW}.\n"
SAID = f"found 45 days ago: doi:{OLD} (not asked now: "


def _sphinx(folder, options):
    conf = "".join(f"doi_{name} = {value!r}\n" for name, value in options.items())
    (folder / "conf.py").write_text(f"extensions = ['doilinks.sphinx']\n{conf}")
    (folder / "index.rst").write_text(f"T\n=\n\n{TEXT}")
    done = run_module("sphinx", "-b", "dummy", folder, folder / "out")
    return done.returncode, done.stdout + done.stderr


def _mkdocs(folder, options):
    (folder / "docs").mkdir()
    (folder / "docs/index.md").write_text(TEXT)
    config = {"site_name": "S", "plugins": [{"doilinks": options}]}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config))
    done = run_module("mkdocs", "build", cwd=folder)
    return done.returncode, done.stdout + done.stderr


def _pandoc(folder, options):
    given = {f"DOILINKS_{name.upper()}": str(value) for name, value in options.items()}
    command = [pypandoc.get_pandoc_path(), "-t", "html", "--filter"]
    done = subprocess.run(
        [*command, quick(FILTER)],
        input=TEXT, cwd=folder, env=os.environ | given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def _command_line(folder, options):
    (folder / "page.md").write_text(TEXT)
    given = {name.replace("_", "-"): value for name, value in options.items() if name != "check"}
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in given.items())
    (folder / "pyproject.toml").write_text(f"[tool.doilinks]\n{lines}")
    code, out, err = command_line("check", ".", cwd=folder)
    return code, out + err


# Each host, and its exit code when `check_unknown` is "error" and something is unknown.
HOSTS = {_sphinx: 1, _mkdocs: 1, _pandoc: 83, _command_line: 3}
FAULTS = {
    "slow": {"fault": "slow", "seconds": LONGEST},
    "429": {"fault": "too-many", "retry_after": 1},
}


@pytest.mark.parametrize(
    ("host", "state", "unknown"),
    sample(
        "old lock files in hosts",
        "each",
        [*product(HOSTS, ("up", "slow", "429", "down"), ("warn", "error"))],
        one_in=3,
    ),
)
def test_an_old_lock_file(host, state, unknown, tmp_path, handle_api):
    day = today() - timedelta(days=45)
    found = {f"doi:{OLD}": {"checked": day.isoformat()}}
    (tmp_path / "doi-lock.json").write_text(json.dumps({"version": 1, "found": found}))
    for name in (OLD, NEW):
        handle_api.set(name, FAULTS.get(state, "https://example.org/"))
    with taken_port() as closed:
        dead = f"http://127.0.0.1:{closed}/api/handles/"
        api = dead if state == "down" else handle_api.api
        code, said = host(
            tmp_path,
            {"check": "error", "check_unknown": unknown, "check_api": api, "check_retries": 0,
             "check_timeout": 0.1 if state == "slow" else 60},
        )  # fmt: skip
    if state == "up":
        assert (code, said.count("days ago"), said.count("could not tell")) == (0, 0, 0), said
        kept = json.loads((tmp_path / "doi-lock.json").read_text())["found"]
        assert kept.keys() == {f"doi:{OLD}", f"doi:{NEW}"}
        return
    assert (said.count(SAID), said.count("could not tell: ")) == (1, 1), said
    reason = {"slow": "timed out", "429": "429", "down": "refused"}[state]
    assert reason in said.partition(SAID)[2].splitlines()[0], said
    assert code == (HOSTS[host] if unknown == "error" else 0), said
