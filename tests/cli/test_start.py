"""What a command imports before it does anything: a command that needs little starts quickly."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ..tools.modules import run_module
from ..tools.programs import succeeded

# What takes long to import, and not every command needs.
LARGE = {
    "asyncio", "docutils", "h2", "httpx", "markdown_it", "mdit_py_plugins", "multiprocessing",
    "pathspec", "rich", "tomllib", "traceback", "yaml",
}  # fmt: skip
# The packages of doilinks.
OWN = {"check", "cli", "core", "fix", "net", "pandoc", "sources", "works"}

COMMANDS = {
    "--version": {"cli", "core"},
    "show 10.1000/182": {"cli", "core"},
    "scan empty.txt": {"cli", "core", "sources"},
    "scan number.md": {"cli", "core", "sources"},
    "scan name.md": {"cli", "core", "sources", "markdown_it", "mdit_py_plugins", "traceback"},
    "scan name.rst": {"cli", "core", "sources", "docutils"},
    "fix empty.txt": {"cli", "core", "sources", "fix"},
}
# The patterns of doilinks.core.scan take half of the time that `doilinks show` takes to start.
PROGRAM = """
import sys
from doilinks.tools.cli.command import run
code = run(sys.argv[1:])
print(code, *sorted({name.partition(".")[0] for name in sys.modules}))
print(*sorted({part for name in sys.modules if name.startswith("doilinks.") for part in name.split(".")[1:3]}))
print("doilinks.core.scan" in sys.modules)
print("doilinks.core.options" in sys.modules)
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_imports_what_it_needs(command, tmp_path):
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "number.md").write_text("Version 10.5")
    (tmp_path / "name.md").write_text("See 10.1000/182.")
    (tmp_path / "name.rst").write_text("See 10.1000/182.")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command.split()],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    *_, packages, own, scans, options = done.stdout.splitlines()
    code, *imported = packages.split()
    assert code == "0", done.stderr
    expected = COMMANDS[command]
    assert set(imported) & LARGE == expected & LARGE - OWN
    assert set(own.split()) & OWN == expected & OWN
    assert scans == str("sources" in expected)
    assert options == str(command != "--version")


def asked_by_a_shell(instruction, **environment):
    return succeeded(run_module("doilinks", _DOILINKS_COMPLETE=instruction, **environment))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("doilinks sc", "scan"),
        ("doilinks fix --dif", "--diff"),
        ("doilinks scan --type pyx", "pyx"),
    ],
)
def test_a_shell_completes(typed, offered):
    environment = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = asked_by_a_shell("bash_complete", **environment)
    assert done.stdout.splitlines() == [f"plain,{offered}"]


@pytest.mark.parametrize(
    ("shell", "line"), [("zsh", "#compdef doilinks"), ("fish", "function _doilinks")]
)
def test_a_shell_gets_its_script(shell, line):
    done = asked_by_a_shell(f"{shell}_source")
    assert line in done.stdout
    assert "_DOILINKS_COMPLETE" in done.stdout
