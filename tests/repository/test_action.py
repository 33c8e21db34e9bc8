"""The action for GitHub: its published schema, and its steps, run as the runner runs them."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from ..tools.documents import ROOT
from ..tools.programs import keep_to_schema_of

pytestmark = pytest.mark.thorough

FILE = ROOT / "action.yml"
ACTION = yaml.safe_load(FILE.read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
INSTALL, CHECK, ISSUE = (step for step in STEPS if "run" in step)
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")


def test_the_action_and_the_forms_of_issues_are_valid():
    keep_to_schema_of("github-actions", FILE)
    folder = ROOT / ".github" / "ISSUE_TEMPLATE"
    config = folder / "config.yml"
    keep_to_schema_of("github-issue-forms", *sorted(set(folder.glob("*.yml")) - {config}))
    keep_to_schema_of("github-issue-config", config)


def test_inputs_reach_a_script_only_as_variables():
    assert not any(EXPRESSION.search(step["run"]) for step in (INSTALL, CHECK, ISSUE))
    used = [each for step in STEPS for each in EXPRESSION.findall(str(step))]
    assert {f"inputs.{name}" for name in ACTION["inputs"]} <= set(used)


# In a job of GitHub, what is written to these files is the summary and the output of that job.
OWN_FILES = dict.fromkeys(("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"), os.devnull)


def write_modules(folder):
    """Write what must not be imported: modules of a repository with names that the steps import."""
    for name in ("click", "venv", "pip", "doilinks", "sitecustomize"):
        (folder / f"{name}.py").write_text("import pathlib\npathlib.Path('bad').touch()\n")


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """The environment of a runner on which the step that installs doilinks has run.

    What the step would get from a package index is there already, in the environment of the tests.
    """
    temp = tmp_path_factory.mktemp("runner")
    write_modules(temp)
    variables = os.environ | {
        "RUNNER_TEMP": str(temp / "with space"),
        "GITHUB_ACTION_PATH": str(ROOT),
        **OWN_FILES,
        "NO_PROXY": "127.0.0.1",
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this as: no isolation
    }
    done = step(INSTALL, {}, temp, variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return variables


def step(one, inputs, folder, variables, outputs=None):
    """Run a step with the options that the runner documents for ``shell: bash``.

    :param outputs: of earlier steps
    """
    values = {f"inputs.{name}": given["default"] for name, given in ACTION["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()}
    values |= {"steps.python.outputs.python-path": sys.executable} | (outputs or {})
    own = {
        name: EXPRESSION.sub(lambda found: values[found[1]], text)
        for name, text in one["env"].items()
    }
    assert one["shell"] == "bash"
    script = folder / "script.sh"
    script.write_text(one["run"])
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
        cwd=folder, env=variables | own, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def test_the_whole_repository_is_checked(runner, checked_out):
    done = step(CHECK, {}, checked_out, runner)
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=docs/c.md,line=1,col=5")
    assert "2 DOIs: 1 found, 1 not found" in done.stdout


def test_a_path_is_a_line(runner, checked_out):
    done = step(CHECK, {"paths": "a b.md\n\n"}, checked_out, runner)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 DOI: 1 found")
    done = step(CHECK, {"paths": " a b.md\n docs/"}, checked_out, runner)
    assert done.returncode == 1


def test_a_report_is_beside_the_annotations(runner, checked_out):
    done = step(CHECK, {"format": "sarif", "output": "doi.sarif"}, checked_out, runner)
    assert done.returncode == 1
    assert '"ruleId": "doi-not-found"' in (checked_out / "doi.sarif").read_text()
    assert done.stdout.startswith("::error ")


def test_the_summary_of_the_job_has_a_table(runner, checked_out):
    summary = checked_out / "summary.md"
    variables = {**runner, "GITHUB_STEP_SUMMARY": str(summary)}
    done = step(CHECK, {}, checked_out, variables)
    assert done.returncode == 1
    assert done.stdout.startswith("::error ")
    shown = summary.read_text()
    assert shown.startswith("### 2 DOIs")
    assert "| error | docs" in shown
    step(CHECK, {"summary": "false"}, checked_out, variables)
    assert summary.read_text() == shown


HOSTILE = "$(touch bad) `touch bad` \"; touch bad; \" ' || touch bad ' ${PATH:?}"


@pytest.mark.parametrize(
    "name", ["paths", "works", "format", "output", "offline", "summary", "issue"]
)
def test_an_input_is_never_code(name, runner, checked_out):
    step(CHECK, {"paths": "docs", "offline": "true"} | {name: HOSTILE}, checked_out, runner)
    assert not (checked_out / "bad").exists()


def test_a_path_is_never_an_option(runner, checked_out):
    done = step(CHECK, {"paths": "--help"}, checked_out, runner)
    assert (done.returncode, done.stdout) == (2, "0 DOIs: 0 found\n")


def test_a_module_of_the_repository_is_not_imported(runner, checked_out):
    assert not (Path(runner["RUNNER_TEMP"]).parent / "bad").exists()
    write_modules(checked_out)
    step(CHECK, {}, checked_out, runner)
    assert not (checked_out / "bad").exists()


def test_works_are_asked_for(runner, checked_out):
    done = step(CHECK, {"works": "sure"}, checked_out, runner)
    assert done.returncode == 2
    assert "check-works" in done.stderr
