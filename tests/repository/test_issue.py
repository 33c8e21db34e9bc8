"""The issue that the action keeps: its steps, run with the real ``gh`` against a server of ours."""

import os
import re
import sys

import pytest

from ..tools.documents import ROOT
from ..tools.github import TOKEN, github
from ..tools.programs import tool
from .test_action import ACTION, CHECK, ISSUE, OWN_FILES, step

pytestmark = pytest.mark.thorough

tool("gh", "whether the action keeps one issue")

RUN = {
    "GITHUB_REPOSITORY": "owner/project", "GITHUB_REF": "refs/heads/main",
    "GITHUB_EVENT_NAME": "schedule", "GITHUB_RUN_ID": "12",
}  # fmt: skip
WRONG = "See doi:10.1000/182x.\n"
RIGHT = "See doi:10.1000/182.\n"


class Project:
    """A repository with a file, a server of GitHub, and the steps that a workflow runs."""

    def __init__(self, folder, variables, server):
        self.folder, self.server, self.variables = folder, server, variables

    def run(self, text, **inputs):
        """Write the file and run both steps: the exit code of the job, and what the step of the issue printed."""
        (self.folder / "docs" / "c.md").write_text(text)
        outputs = self.folder / "outputs"
        outputs.write_text("")
        inputs = {"paths": "docs", "issue": "true", "token": TOKEN} | inputs
        checked = step(
            CHECK, inputs, self.folder, {**self.variables, "GITHUB_OUTPUT": str(outputs)}
        )
        assert outputs.read_text() == f"code={checked.returncode}\n"
        values = {"steps.check.outputs.code": str(checked.returncode)}
        self.shown = step(ISSUE, inputs, self.folder, self.variables, values)
        assert self.shown.returncode == 0, self.shown
        return checked.returncode


@pytest.fixture
def project(checked_out, tmp_path_factory):
    folder = tmp_path_factory.mktemp("github")
    (folder / "doilinks").symlink_to(sys.prefix)  # as if the step that installs had run
    with github(folder) as server:
        variables = os.environ | OWN_FILES | RUN | {
            "RUNNER_TEMP": str(folder),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_SERVER_URL": server.address,
            "SSL_CERT_FILE": str(server.certificate),
            "GH_CONFIG_DIR": str(folder),
            "NO_PROXY": "127.0.0.1",
            "DOILINKS_PAUSE": "0",
        }  # fmt: skip
        yield Project(checked_out, variables, server)


def test_one_issue_is_opened_edited_closed_and_opened_again(project):
    issues = project.server.issues
    assert project.run(WRONG) == 1
    [issue] = issues
    assert issue["state"] == "open"
    assert issue["title"] == "DOI names with problems"
    assert issue["labels"] == [{"name": "doilinks"}]
    assert "| docs/c.md:1 |" in issue["body"]
    assert f"{project.server.address}/owner/project/actions/runs/12" in issue["body"]

    assert project.run("\n" + WRONG) == 1
    assert "c.md:2" in issue["body"]
    assert project.run(RIGHT) == 0
    assert issue["state"] == "closed"
    assert "1 DOI: 1 found" in issue["body"]
    assert project.run(RIGHT) == 0
    assert project.run(WRONG) == 1
    assert issue["state"] == "open"
    assert len(issues) == 1


@pytest.mark.parametrize("text", [RIGHT, "See doi:10.1000/once.\n"])
def test_nothing_is_opened_when_nothing_fails_or_once(project, text):
    assert project.run(text) == 0
    assert project.server.issues == []


def test_issues_of_people_and_pull_requests_stay_as_they_are(project):
    label = [{"name": "doilinks"}]
    first = "<!-- doilinks keeps this issue up to date -->\n"
    others = [
        project.server.open(body="a fault of doilinks", labels=label),
        project.server.open(body=None, labels=label),
        project.server.open(body=first, labels=label, pull_request={"url": "x"}),
        project.server.open(body=first),  # of a person who cannot set labels
        project.server.open(body="see " + first, labels=label),
    ]
    before = [dict(other) for other in others]
    for text in (WRONG, WRONG, RIGHT):
        project.run(text)
    assert project.server.issues[:5] == before
    assert project.server.states()[5:] == ["closed"]


def test_of_two_that_runs_at_the_same_time_have_opened_one_is_left(project):
    project.run(WRONG)
    twin = project.server.open(**{**project.server.issues[0], "number": 2})
    assert twin["state"] == "open"
    project.run(WRONG)
    assert project.server.states() == ["open", "closed"]
    project.run(RIGHT)
    assert project.server.states() == ["closed", "closed"]


@pytest.mark.parametrize(
    "variables",
    [
        {"GITHUB_REF": "refs/heads/other"},
        {"GITHUB_REF": "refs/pull/1/merge", "GITHUB_EVENT_NAME": "pull_request"},
        {"GITHUB_EVENT_NAME": "pull_request_target"},
    ],
)
def test_the_issue_is_about_the_default_branch(project, variables):
    project.variables |= variables
    project.run(WRONG)
    assert project.server.issues == []
    assert project.shown.stdout.startswith("The issue stays as it is: it is about the branch main")


@pytest.mark.parametrize(
    ("inputs", "code"), [({"offline": "true"}, 0), ({"paths": "nowhere"}, 2), ({"works": "x"}, 2)]
)
def test_the_issue_is_not_closed_if_a_name_could_not_be_checked(project, inputs, code):
    project.run(WRONG)
    (project.folder / "doi-lock.json").unlink(missing_ok=True)
    assert project.run(RIGHT, **inputs) == code
    assert project.server.states() == ["open"]
    assert project.shown.stdout.startswith("The issue stays as it is: ")


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH"])
def test_trouble_with_github_is_a_warning(project, method):
    if method == "PATCH":
        project.run(WRONG)
    project.server.refuses = method
    assert project.run(WRONG) == 1
    [line] = project.shown.stdout.splitlines()
    assert line.startswith("::warning title=doilinks::The issue could not be kept up to date: ")
    assert "Resource not accessible by integration" in line
    assert "permissions: issues: write" in line
    assert project.shown.stderr == ""


def test_a_wrong_token_is_a_warning(project):
    assert project.run(WRONG, token="another") == 1
    assert "401" in project.shown.stdout
    assert project.server.issues == []


def test_without_gh_there_is_a_warning(project, tmp_path):
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "mktemp", "cat", "rm", "grep", "env"):
        (programs / name).symlink_to(tool(name, "what happens without gh"))
    path = project.variables.pop("PATH")
    project.folder.joinpath("docs", "c.md").write_text(WRONG)
    inputs = {"paths": "docs", "issue": "true", "token": TOKEN}
    step(CHECK, inputs, project.folder, {**project.variables, "PATH": path})
    shown = step(
        ISSUE, inputs, project.folder, {**project.variables, "PATH": str(programs)},
        {"steps.check.outputs.code": "1"},
    )  # fmt: skip
    assert shown.returncode == 0
    assert "gh: command not found" in shown.stdout


def test_the_step_asks_for_nothing_else(project):
    project.run(WRONG)
    assert project.server.requests == ["GET ", "GET /issues", "POST /issues"]


def test_only_the_step_of_the_issue_has_the_token():
    with_token = [each for each in ACTION["runs"]["steps"] if "inputs.token" in str(each)]
    assert with_token == [ISSUE]
    assert re.search(r"inputs\.issue == 'true'", ISSUE["if"])
