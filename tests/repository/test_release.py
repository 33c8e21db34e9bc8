"""What a push publishes: workflows, the citation file, the recipe for conda, the wheel."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from jinja2 import StrictUndefined, Template
from packaging.requirements import Requirement

import doilinks

from ..tools.documents import ROOT
from ..tools.hosts import pandoc
from ..tools.programs import keep_to_schema_of, run

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.thorough
def test_the_files_for_github_are_valid():
    keep_to_schema_of("github-workflows", *WORKFLOWS)
    keep_to_schema_of("dependabot", ROOT / ".github" / "dependabot.yml")


@pytest.mark.thorough
def test_the_citation_file_is_valid():
    keep_to_schema_of("citation-file-format", ROOT / "CITATION.cff")


@pytest.mark.thorough
def test_the_workflows_and_the_action_are_safe():
    auditor = Path(sys.executable).parent / "zizmor"
    run(str(auditor), "--offline", "--pedantic", str(ROOT / ".github"), str(ROOT / "action.yml"))


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_may_do_nothing_that_it_does_not_say(file):
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    assert "workflow_dispatch" in workflow[True]  # YAML 1.1 reads the key `on` as true
    for job in workflow["jobs"].values():
        assert job["permissions"]
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "an expression becomes a part of the script"
            if "uses" in step:
                assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"])
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_the_job_that_publishes_runs_none_of_our_code():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    assert jobs["publish"]["permissions"] == {"id-token": "write", "attestations": "write"}
    assert not any("run" in step for step in jobs["publish"]["steps"])
    assert "write" not in jobs["build"]["permissions"].values()


def test_every_file_has_the_version(recipe):
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == recipe["package"]["version"] == doilinks.__version__


@pytest.fixture(scope="module")
def recipe():
    """The recipe for conda as its build reads it."""
    text = (ROOT / "packaging" / "conda" / "meta.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(Template(text, undefined=StrictUndefined).render(PYTHON="python"))


def bounds(requirements):
    """The lower bound of each package. conda has no extras and, for all systems, no markers."""
    read = [Requirement(each) for each in requirements if not each.startswith("doilinks")]
    return {each.name.lower(): str(each.specifier) for each in read}


def test_the_recipe_for_conda_needs_what_the_package_needs(recipe):
    python = PROJECT["requires-python"]
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
    needs = recipe["requirements"]
    assert f"python {python.removeprefix('>=')}" in needs["host"]
    assert bounds(built["requires"]).items() <= bounds(set(needs["host"]) - {"python 3.11"}).items()

    extras = PROJECT["optional-dependencies"]
    wanted = bounds(extras["cli"] + extras["check"])
    assert bounds(needs["run"]) == wanted | {"python": python, "h2": ""}  # h2: of httpx[http2]
    every = bounds(each for extra in extras.values() for each in extra)
    del every["pypandoc_binary"]  # which is a pandoc in a wheel
    every |= {"python": python, "h2": "", "pandoc": ">=2.11"}
    assert bounds(needs["run"] + needs["run_constrained"]) == every


def test_the_recipe_for_conda_has_what_its_linter_asks_for(recipe):
    assert all(recipe["about"][key] for key in ("home", "license", "summary"))
    assert recipe["about"]["license"] == PROJECT["license"]
    assert [recipe["about"]["license_file"]] == PROJECT["license-files"]
    assert recipe["build"]["noarch"] == "python"
    scripts = [f"{name} = {target}" for name, target in PROJECT["scripts"].items()]
    assert recipe["build"]["entry_points"] == scripts
    assert recipe["source"]["url"].endswith(f"/doilinks-{doilinks.__version__}.tar.gz")


@pytest.mark.thorough
def test_the_commands_of_the_recipe_for_conda_run(recipe, tmp_path):
    for command in recipe["test"]["commands"]:
        if command != "pip check":  # of the environment that conda makes
            done = subprocess.run(
                f'PATH="{Path(sys.executable).parent}:$PATH"; {command}',
                shell=True, cwd=tmp_path, check=True, capture_output=True, timeout=120,
            )  # fmt: skip
            assert not done.stderr


def test_the_example_of_the_extension_for_quarto_has_three_links():
    source = (ROOT / "example.qmd").read_text(encoding="utf-8")
    page = pandoc("-f", "markdown", "-t", "html", given=source).stdout.decode()
    assert re.findall(r"href=\"https://doi.org/([^\"]+)\"", page) == [
        "10.1000/182",
        "10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2",
        "10.1051/0004-6361/201935325",
    ]


def test_until_a_version_is_out_the_changelog_says_what_there_is():
    """Nothing has changed for anybody yet, so there is no list of what has changed."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if re.search(r"^## \[\d", text, re.MULTILINE):
        return  # a version has a date
    assert len(text.split()) <= 900
    assert re.search("^#+ (Added|Changed|Fixed|Removed)", text, re.MULTILINE) is None
