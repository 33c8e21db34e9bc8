"""One document in a folder, in each host as a user runs it: how it ended, what it said, and its page."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from .hosts import BARE, BARE_THEME, pandoc_command
from .modules import quick
from .programs import LONGEST

Told = tuple[int, str]
Command = list[str]


def sphinx(
    folder: Path, options: dict[str, Any], text: str, verbose: bool = False, *,
    extensions: tuple[str, ...] = ("doilinks.sphinx",), fresh: bool = True, **conf: Any,
) -> Command:  # fmt: skip
    values = {"extensions": [*extensions], "show_warning_types": True, **BARE}
    values |= {f"doi_{name}": value for name, value in options.items()} | conf
    conf_py = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    write(folder, {"conf.py": conf_py, "index.rst": f"Title\n=====\n\n{text}\n", **BARE_THEME})
    flags = ["-v" if verbose else "-q", *(["-E"] if fresh else [])]
    return ["sphinx", *flags, str(folder), str(folder / "out")]


def mkdocs(folder: Path, options: dict[str, Any], text: str, verbose: bool = False) -> Command:
    theme = {"name": None, "custom_dir": "theme"}
    config = {"site_name": "A site", "plugins": [{"doilinks": options}], "theme": theme}
    file = write_site(folder, {"index.md": text}, json.dumps(config))  # which is YAML
    return ["mkdocs", "build", *["-v"] * verbose, "-f", str(file)]


def pandoc(folder: Path, options: dict[str, Any], text: str, _verbose: bool = False) -> Command:
    meta = {f"doi-{name.replace('_', '-')}": value for name, value in options.items()}
    (folder / "meta.json").write_text(json.dumps(meta))
    (folder / "a.md").write_text(text)
    given = (f"--metadata-file={folder / 'meta.json'}", folder / "a.md", "-o", folder / "a.html")
    cites = options.keys() & {"cite", "cite_bib"}  # to read a style takes longer than all the rest
    return pandoc_command(*given, *["--citeproc"] * bool(cites))


def docutils(folder: Path, options: dict[str, Any], text: str, _verbose: bool = False) -> Command:
    (folder / "a.rst").write_text(text)
    flags = [f"--doi-{name.replace('_', '-')}={value}" for name, value in options.items()]
    files = (str(folder / "a.rst"), str(folder / "a.html"))
    return ["docutils", "--parser=doilinks.docutils", *flags, *files]


# Each writes a document and its options, and gives the command that reads them.
WRITE: dict[str, Callable[..., Command]] = {
    "sphinx": sphinx, "mkdocs": mkdocs, "pandoc": pandoc, "docutils": docutils,
}  # fmt: skip


def told(
    host: str, folder: Path, options: dict[str, Any], text: str, cwd: Path | None = None, *given: bool, **more: Any
) -> Told:  # fmt: skip
    """How a host ends that is run on a text in a folder, and what it says."""
    program, *arguments = WRITE[host](folder, options, text, *given, **more)
    done = subprocess.run(
        [program if os.sep in program else quick(program), *arguments], cwd=cwd or folder,
        env={**os.environ, "NO_COLOR": "1"}, capture_output=True, encoding="utf-8", timeout=LONGEST, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr + done.stdout


of_sphinx, of_mkdocs = partial(told, "sphinx"), partial(told, "mkdocs")
SHOWS: dict[str, Callable[..., Told]] = {host: partial(told, host) for host in WRITE}
CHECKS = {host: run for host, run in SHOWS.items() if host != "docutils"}
_PAGES = ("out/index.html", "site/index.html", "a.html")


def page(folder: Path) -> str:
    """The page that a host has made last."""
    made = [folder / each for each in _PAGES if (folder / each).exists()]
    return max(made, key=os.path.getmtime).read_text(encoding="utf-8")


def configure(folder: Path, **options: Any) -> None:
    """Write the ``pyproject.toml`` of a project."""
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in options.items())
    (folder / "pyproject.toml").write_text(f"[tool.doilinks]\n{lines}")


def write_site(folder: Path, pages: dict[str, str], config: str | dict[str, Any]) -> Path:
    """Write a site of MkDocs, with a theme that shows what is on a page; returns its configuration."""
    files = {f"docs/{name}": text for name, text in pages.items()}
    files |= dict.fromkeys(("theme/main.html", "theme/404.html"), "{{ page.content }}")
    files["mkdocs.yml"] = config if isinstance(config, str) else yaml.safe_dump(config)
    return write(folder, files) / "mkdocs.yml"


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write the files of a project; returns its folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
