"""What an agent is told: its commands, flags, codes and members are those of the program."""

import json
import re
from pathlib import Path

import pytest
import yaml

import doilinks
from doilinks.ask.names.codes import CODES
from doilinks.ask.names.problems import WorkCounts
from doilinks.tools.cli.command import subcommands

from ..tools.checks import URL
from ..tools.command import doilinks as doilinks_run
from ..tools.handle_api import HandleServer
from ..tools.projects import configure
from ..tools.schemas import FILES, strict

HANDBOOK = {
    "title": "DOI Handbook", "author": [{"family": "Paskin"}], "issued": {"date-parts": [[2000]]},
}  # fmt: skip
COMMANDS = subcommands()
SKILL = Path(doilinks.__file__).with_name("SKILL.md").read_text(encoding="utf-8")


def test_it_begins_as_skills_do():
    head = yaml.safe_load(SKILL.split("---\n")[1])
    assert head["name"] == "doilinks"
    assert 20 < len(head["description"]) < 1024


def test_its_commands_and_flags_exist():
    used = re.findall(r"doilinks ([a-z]+)((?: [^`#\n]*)?)", SKILL.split("---\n", 2)[2])
    commands = {name: flags for name, flags in used if name in COMMANDS}
    assert {"check", "show", "fix"} <= set(commands)
    for name, text in used:
        for flag in re.findall(r"--[a-z-]+", text):
            if name in COMMANDS:
                known = {opt for each in COMMANDS[name].params for opt in each.opts}
                assert flag in known, f"doilinks {name} {flag}"


def test_it_is_written_with_the_schemas(tmp_path):
    folder = tmp_path / "new" / "skills"
    for _ in range(2):  # a skill that is there is updated
        code, out, _ = doilinks_run("skill", str(folder), cwd=tmp_path)
        assert (code, out) == (0, f"{folder / 'doilinks'}: written\n")
        assert (folder / "doilinks" / "SKILL.md").read_text(encoding="utf-8") == SKILL
        for file in FILES.values():
            assert (
                folder / "doilinks" / "references" / file.name
            ).read_bytes() == file.read_bytes()
            assert file.name in SKILL
    assert doilinks_run("skill", cwd=tmp_path) == (0, SKILL, "")


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = doilinks_run("skill", "file/skills", cwd=tmp_path)
    assert code == 2
    assert err == "doilinks: file/skills/doilinks: cannot write: Not a directory\n"


@pytest.fixture
def handle_api():
    with HandleServer() as server:
        yield server


def test_its_example_of_an_agent_is_true(tmp_path, handle_api):
    """A wrong name and a name of another work: exit codes and members as the text says."""
    handle_api.set("10.1000/182", {"url": URL, "work": HANDBOOK})
    wrong = "See doi:10.1000/182x.\n"
    other = "Miller, A. (1998). On the growth of grass in the gardens of Kent. Botany. doi:10.1000/182\n"
    configure(tmp_path, check_api=handle_api.api, check_works_api=handle_api.works_api)

    def check(text, *flags):
        (tmp_path / "a.md").write_text(text)
        code, out, _ = doilinks_run("check", *flags, "--format", "json", "a.md", cwd=tmp_path)
        return code, json.loads(out)["problems"]

    code, [unknown] = check(wrong + "And doi:10.1000/183.\n", "--offline")
    assert (
        code, unknown["code"], unknown["doi"], unknown["line"],
    ) == (0, "doi-unknown", None, None)  # fmt: skip
    code, [problem] = check(wrong, "--works")
    assert (code, problem["code"], problem["near"]) == (1, "doi-not-found", "doi:10.1000/182")
    code, [problem] = check(other, "--works")
    assert (code, problem["code"], problem["severity"]) == (0, "doi-other-work", "warning")
    assert problem["work"]["title"] == "DOI Handbook"
    assert problem["evidence"]["verdict"] == "other"
    assert check(other, "--check-works", "error")[0] == 1
    code, [problem] = check(other, "--works", "--offline")
    assert (code, problem["code"]) == (0, "doi-other-work"), "the lock file has the work"
    with (tmp_path / "pyproject.toml").open("a") as file:
        file.write('check_accept = ["10.1000/182"]\n')
    assert check(other, "--works", "--offline") == (0, [])


def test_its_codes_and_members_exist():
    members = {
        name
        for each in (strict("check"), strict("scan"))
        for name in re.findall(r'"(\w+)": \{', json.dumps(each.schema))
    }
    assert (
        set(re.findall(r"`([a-z]+)`", SKILL)) - {"error", "warning", "remark", "doilinks"}
        <= members
    )
    assert set(re.findall(r"`(doi-[a-z-]+)`", SKILL)) - {"doi-lock"} <= set(CODES)
    counts = set(re.findall(r"`works\.([a-z]+)`", SKILL))
    assert counts
    assert counts <= set(WorkCounts.__dataclass_fields__)
