"""How long commands take to start, in user seconds beyond those of Python itself.

    python -m benchmarks.start

The programs run in turn, again and again, so that what else the machine does is the same for all.
The smallest of all runs counts.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_SHARE = Path(sys.executable).parent
_DOCUMENT = (
    '{"pandoc-api-version":[1,23,1],"meta":{},"blocks":[{"t":"Para","c":[{"t":"Str","c":"a"}]}]}'
)
_PROGRAMS = {
    "python": ("-c", "pass"),
    "import doilinks": ("-c", "import doilinks"),
    "from doilinks import scan": ("-c", "from doilinks import scan"),
    "import click": ("-c", "import click"),
    "doilinks --version": (str(_SHARE / "doilinks"), "--version"),
    "doilinks show": (str(_SHARE / "doilinks"), "show", "10.1000/182"),
    "doilinks scan": (str(_SHARE / "doilinks"), "scan", os.devnull),
    "pandoc-doilinks": (str(_SHARE / "pandoc-doilinks"), "html"),
}
_TURNS = 20
_WHOLE = "PYTHONDONTWRITEBYTECODE"  # with it, Python compiles every module at each start


def seconds(arguments: tuple[str, ...]) -> float:
    """The processor time that a program takes."""
    child = os.fork()
    if child == 0:
        read, write = os.pipe()
        os.write(write, _DOCUMENT.encode())
        os.close(write)
        os.dup2(read, 0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.environ.pop(_WHOLE, None)
        os.chdir("/")  # where no pyproject.toml has settings
        os.execv(sys.executable, [sys.executable, *arguments])
    _, status, used = os.wait4(child, 0)
    assert status == 0, arguments
    return used.ru_utime + used.ru_stime


def measure(turns: int = _TURNS) -> dict[str, float]:
    """For each program, its seconds beyond those of Python."""
    taken: dict[str, list[float]] = {name: [] for name in _PROGRAMS}
    for _ in range(turns):
        for name, arguments in _PROGRAMS.items():
            taken[name].append(seconds(arguments))
    least = {name: min(each) for name, each in taken.items()}
    return {name: each - (name != "python") * least["python"] for name, each in least.items()}


def main() -> None:
    """Print the table."""
    print("| program | milliseconds of the processor |\n|---|---|")
    for name, taken in measure().items():
        more = "" if name == "python" else " more"
        print(f"| `{name}` | {taken * 1000:.0f}{more} |")


if __name__ == "__main__":
    main()
