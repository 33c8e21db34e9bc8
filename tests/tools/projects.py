"""One document in a folder, in each host as a user runs it: how it ended, what it said, and its page."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from .hosts import pandoc
from .modules import run_module

Told = tuple[int, str]


def _run(*command: str | Path, cwd: Path) -> Told:
    done = run_module(*map(str, command), cwd=cwd, NO_COLOR="1")
    return done.returncode, done.stderr + done.stdout


def of_sphinx(
    folder: Path, options: dict[str, Any], text: str, cwd: Path | None = None, verbose: bool = False, *,
    extensions: tuple[str, ...] = ("doilinks.sphinx",), fresh: bool = True, **conf: Any,
) -> Told:  # fmt: skip
    values = {"extensions": [*extensions], "show_warning_types": True, "html_theme": "basic"}
    values |= {f"doi_{name}": value for name, value in options.items()} | conf
    (folder / "conf.py").write_text("".join(f"{name} = {value!r}\n" for name, value in values.items()))  # fmt: skip
    (folder / "index.rst").write_text(f"Title\n=====\n\n{text}\n")
    flags = ["-v" if verbose else "-q", *(["-E"] if fresh else [])]
    return _run("sphinx", *flags, folder, folder / "out", cwd=cwd or folder)


def of_mkdocs(
    folder: Path, options: dict[str, Any], text: str, cwd: Path | None = None, verbose: bool = False
) -> Told:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs/index.md").write_text(text)
    config = {"site_name": "A site", "plugins": [{"doilinks": options}]}
    (folder / "mkdocs.yml").write_text(json.dumps(config))  # which is YAML
    flags = ["-v"] * verbose
    return _run("mkdocs", "build", *flags, "-f", folder / "mkdocs.yml", cwd=cwd or folder)


def of_pandoc(
    folder: Path,
    options: dict[str, Any],
    text: str,
    cwd: Path | None = None,
    _verbose: bool = False,
) -> Told:
    meta = {f"doi-{name.replace('_', '-')}": value for name, value in options.items()}
    (folder / "meta.json").write_text(json.dumps(meta))
    (folder / "a.md").write_text(text)
    given = (f"--metadata-file={folder / 'meta.json'}", folder / "a.md", "-o", folder / "a.html")
    done = pandoc(*given, "--citeproc", cwd=cwd or folder, check=False)
    return done.returncode, done.stderr.decode()


def of_docutils(
    folder: Path,
    options: dict[str, Any],
    text: str,
    cwd: Path | None = None,
    _verbose: bool = False,
) -> Told:
    (folder / "a.rst").write_text(text)
    flags = [f"--doi-{name.replace('_', '-')}={value}" for name, value in options.items()]
    command = (
        "docutils", "--parser=doilinks.docutils", *flags, folder / "a.rst", folder / "a.html",
    )  # fmt: skip
    return _run(*command, cwd=cwd or folder)


CHECKS: dict[str, Callable[..., Told]] = {
    "sphinx": of_sphinx,
    "mkdocs": of_mkdocs,
    "pandoc": of_pandoc,
}
SHOWS: dict[str, Callable[..., Told]] = {**CHECKS, "docutils": of_docutils}
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
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "mkdocs.yml"
