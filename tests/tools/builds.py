"""Pages that hold a given list of DOI names, made by each host for real."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pypandoc

from doilinks import DOI

from .modules import quick, run_module
from .programs import run, succeeded


def sphinx(
    folder: Path,
    names: Sequence[str],
    proxy: str,
    builder: str = "html",
    before: str = "",
    **options: object,
) -> Path:
    """A Sphinx project with one reST page; the page, or the output folder of another builder.

    :param before: words before each name
    :param options: more values for ``conf.py``
    """
    source, output = folder / "source", folder / builder
    source.mkdir(parents=True, exist_ok=True)
    settings = {
        "project": "Names",
        "copyright": "nobody",
        "version": "1",
        "extensions": ["doilinks.sphinx"],
        "doi_proxy": proxy,
        "html_theme": "basic",
        **options,
    }
    conf = "".join(f"{name} = {value!r}\n" for name, value in settings.items())
    _write(source / "conf.py", conf)
    # A reST role is no place for a backslash or a backquote; both are encoded in a URI.
    rows = "".join(f"* {before}:doi:`{DOI(name).uri}`\n" for name in names)
    _write(source / "index.rst", f"Names\n=====\n\n{rows}")
    succeeded(
        run_module("sphinx", "-q", "-W", "-b", builder, "-d", folder / "doctrees", source, output)
    )
    return output / "index.html" if builder == "html" else output


def _write(file: Path, text: str) -> None:
    """Write a file unless it holds the text already: Sphinx reads again what is new."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def run_pandoc(source: Path, *arguments: str) -> None:
    """Run the real pandoc on a file with the filter of this environment."""
    program = quick(Path(sys.executable).with_name("pandoc-doilinks"))
    run(pypandoc.get_pandoc_path(), f"--filter={program}", *arguments, str(source))
