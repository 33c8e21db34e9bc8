"""Pages that hold a given list of DOI names, made by each host for real."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pypandoc

from doilinks import DOI

from .modules import quick, run_module
from .programs import run, succeeded

Build = Callable[[Path, Sequence[str], str], Path]


def _angle(names: Sequence[str]) -> str:
    """A Markdown list in which each name says where it ends."""
    return "".join(f"- <{DOI(name).uri}>\n" for name in names)


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


def mkdocs(folder: Path, names: Sequence[str], proxy: str) -> Path:
    """A MkDocs site with one page."""
    (folder / "docs").mkdir(parents=True)
    (folder / "mkdocs.yml").write_text(
        f"site_name: Names\ntheme: {{name: null, custom_dir: theme}}\n"
        f"plugins:\n  - doilinks:\n      proxy: {proxy}\n",
        encoding="utf-8",
    )
    (folder / "theme").mkdir()
    (folder / "theme" / "main.html").write_text(
        '<!DOCTYPE html><meta charset="utf-8"><body>{{ page.content }}</body>', encoding="utf-8"
    )
    (folder / "docs" / "index.md").write_text(_angle(names), encoding="utf-8")
    succeeded(run_module("mkdocs", "build", "--quiet", "--strict", cwd=folder))
    return folder / "site" / "index.html"


def pandoc(folder: Path, names: Sequence[str], proxy: str) -> Path:
    """A page by the real pandoc and the filter."""
    folder.mkdir(parents=True, exist_ok=True)
    page, source = folder / "pandoc.html", folder / "pandoc.md"
    source.write_text(_angle(names), encoding="utf-8")
    run_pandoc(source, "--to=html", f"--metadata=doi-proxy:{proxy}", "--metadata=title:Names",
               "--standalone", f"--output={page}")  # fmt: skip
    return page


def markdown_it(folder: Path, names: Sequence[str], proxy: str) -> Path:
    """A page by markdown-it-py."""
    from markdown_it import MarkdownIt

    from doilinks.markdown_it import doi_plugin

    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "markdown-it.html"
    body = MarkdownIt().use(doi_plugin, proxy=proxy).render(_angle(names))
    page.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{body}</body>', encoding="utf-8")
    return page


HOSTS: dict[str, Build] = {
    "sphinx": sphinx,
    "mkdocs": mkdocs,
    "pandoc": pandoc,
    "markdown_it": markdown_it,
}


def run_pandoc(source: Path, *arguments: str) -> None:
    """Run the real pandoc on a file with the filter of this environment."""
    program = quick(Path(sys.executable).with_name("pandoc-doilinks"))
    run(pypandoc.get_pandoc_path(), f"--filter={program}", *arguments, str(source))
