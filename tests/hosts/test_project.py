"""``[tool.doilinks]`` of a pyproject.toml: one list of exceptions for every host of a project."""

import re

import pytest

from doilinks.core.options import InvalidOption
from doilinks.shared.project import project_of

from ..tools.check_matrix import URL
from ..tools.command import doilinks as command_line
from ..tools.projects import CHECKS, configure, page

GOOD, BAD, IGNORED = "10.1000/182", "10.1000/nope", "10.1000/skip"
WRITTEN = "{}: {}/doi-lock.json written: commit it\n"
TEXT = f"See doi:{GOOD}, doi:{BAD} and doi:{IGNORED}.\n"
HOSTS = pytest.mark.parametrize("host", CHECKS)


def run(host, folder, own, verbose=False):
    """How a host that checks ends, and what it says."""
    return CHECKS[host](folder, {"check": "error", **own}, TEXT, None, verbose)


@pytest.fixture
def project(tmp_path, handle_api):
    """Write a pyproject.toml; gives the folder of the documents, which is below."""
    handle_api.set(GOOD, URL)

    def write(**options):
        configure(tmp_path, **{"check-api": handle_api.api, **options})
        (tmp_path / "site").mkdir(exist_ok=True)
        return tmp_path / "site"

    return write


@HOSTS
def test_hosts_take_defaults_from_pyproject(host, project, handle_api):
    folder = project(check_ignore=[BAD], ignore=["10.1000/skip"], display="name", check="off")
    code, said = run(host, folder, {})
    assert (code, f"doi:{BAD}" in said) == (0, False), said
    assert handle_api.count(IGNORED) == 0
    # What concerns links is set in each host.
    assert f">doi:{GOOD}<" in re.sub("</?span[^>]*>", "", page(folder))


OWN = {"sphinx": "doi_check_ignore", "mkdocs": "check_ignore", "pandoc": "doi-check-ignore"}


@HOSTS
def test_the_host_s_own_setting_wins_and_a_message_names_it(host, project):
    folder = project(check_ignore=[BAD], ignore=["10.1000/skip"])
    code, said = run(host, folder, {"check_ignore": [GOOD]})
    assert code != 0
    assert f"not found: doi:{BAD}" in said
    assert f"doi:{IGNORED}" not in said
    assert f"(remove it from {OWN[host]})" in said


@HOSTS
def test_a_message_says_in_which_file_an_option_is(host, project):
    folder = project(check_ignore=[GOOD], ignore=[IGNORED, BAD])
    assert "(remove it from check_ignore in pyproject.toml)" in run(host, folder, {})[1]


def test_a_message_of_the_command_line_says_where_an_option_is(project):
    folder = project(check_ignore=[GOOD], ignore=[IGNORED, BAD])
    (folder / "a.md").write_text(TEXT)
    out = command_line("check", "a.md", cwd=folder)[1]
    assert "(remove it from check_ignore in pyproject.toml)" in out
    out = command_line("check", "--check-ignore", GOOD, "a.md", cwd=folder)[1]
    assert "(remove it from --check-ignore)" in out


@HOSTS
def test_the_lock_file_of_a_project_is_one(host, project, tmp_path):
    folder = project(check_ignore=[BAD, IGNORED], check_lockfile="answers.json")
    assert run(host, folder, {})[0] == 0
    assert GOOD in (tmp_path / "answers.json").read_text()
    code, out, _ = command_line("check", "--offline", "site", cwd=tmp_path)
    assert (code, "1 found (1 from answers.json)" in out) == (0, True)
    # Without the option it is at the top too.
    folder = project(check_ignore=[BAD, IGNORED])
    assert run(host, folder, {})[0] == 0
    assert [*tmp_path.rglob("doi-lock.json")] == [tmp_path / "doi-lock.json"]


@HOSTS
def test_a_wrong_value_names_the_file(host, project, tmp_path):
    folder = project(check_retries="often")
    code, said = run(host, folder, {})
    assert code != 0
    place = f"{tmp_path / 'pyproject.toml'}: tool.doilinks.check_retries: "
    assert f"{place}takes a whole number, 0 or more, got 'often'" in said


TOO_LARGE = {
    "pattern": ('[tool.doilinks]\nignore = ["10.1000/a{99999999999}"]', "the repetition number is too large"),
    "number": (f"[tool.doilinks]\ncheck-max-age = 1{'0' * 400}", "takes a number of days, 0 or more"),
    "nested": (f"[tool.other]\na = {'[' * 5000}{']' * 5000}", "values are nested too deeply"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("host", "what"),
    [*((None, what) for what in TOO_LARGE), *((host, "pattern") for host in CHECKS), ("sphinx", "nested"), ("pandoc", "nested")],
)  # fmt: skip
def test_a_value_that_is_too_large_is_a_wrong_value(host, what, tmp_path):
    toml, message = TOO_LARGE[what]
    (tmp_path / "pyproject.toml").write_text(toml)
    (tmp_path / "a.md").write_text(TEXT)
    if host:
        code, said = run(host, tmp_path, {"check": "off"})
    else:
        code, _, said = command_line("scan", ".", cwd=tmp_path)
    if (host, what) == ("pandoc", "nested"):  # the filter reads deeply nested documents too
        assert (code, said) == (0, "")
        return
    assert code == 2 or (host and code)
    assert message in " ".join(said.split())
    assert "(most recent call last)" not in said


@pytest.mark.parametrize("host", ["sphinx", "mkdocs"])
def test_v_says_where_a_value_is_from(host, project, tmp_path):
    folder = project(check_ignore=[BAD, IGNORED], check_timeout=50, display="name")
    said = run(host, folder, {"check_timeout": 57}, verbose=True)[1]
    file = tmp_path / "pyproject.toml"
    assert f"from [tool.doilinks] in {file}: check_api, check_ignore\n" in said
    assert "the fault in the check" not in said


def test_v_says_where_a_value_is_from_on_the_command_line(project, tmp_path):
    folder = project(check_ignore=[BAD], check_timeout=50, display="name")
    (folder / "a.md").write_text(f"doi:{GOOD}\n")
    words = f"from [tool.doilinks] in {tmp_path / 'pyproject.toml'}: check_api, check_ignore"
    said = command_line("check", "-v", "--check-timeout", "57", ".", cwd=folder)
    written = WRITTEN.format("doilinks", tmp_path)
    assert said == (0, "1 DOI: 1 found\n", f"doilinks: {words}, display\n{written}")
    assert command_line("check", ".", cwd=folder)[2] == ""


def test_only_the_nearest_file_counts(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.doilinks]\ncheck_retries = 1\n")
    (tmp_path / "a/b").mkdir(parents=True)
    assert project_of(tmp_path / "a/b").options == {"check_retries": 1}
    (tmp_path / "a/pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert project_of(tmp_path / "a/b").options == {}
    (tmp_path / "a/pyproject.toml").write_text("[tool.doilinks]\nexclude = 3\ndisplai = 1\n")
    with pytest.raises(InvalidOption) as raised:
        project_of(tmp_path / "a")
    assert [each.split(": ", 2)[:2] for each in raised.value.problems] == [
        [str(tmp_path / "a/pyproject.toml"), f"tool.doilinks.{key}"]
        for key in ("displai", "exclude")
    ]
