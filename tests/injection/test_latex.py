"""Hostile names in LaTeX: no control sequence is gained, and TeX runs nothing that they hold."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ..tools.hosts import Pandoc, build
from ..tools.programs import tool
from ..tools.proof import sample
from .builds import sphinx
from .corpus import ALL, documents, names
from .page import OPTIONS
from .tex import differences, gained

WRITERS = {
    "sphinx": ("rst", sphinx(builder="latex"), ""),
    "pandoc": ("md", Pandoc(writer="latex", together=50), r"\[{9}"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_no_control_sequence_is_gained(name):
    reads, host, but = WRITERS[name]
    whole = list(documents(reads, every=1 if ALL else 13, but=but or "\x00"))
    turn = list(WRITERS).index(name)
    each = sample("documents of hostile names", f"{name}, LaTeX", whole, one_in=60, turn=30 * turn)
    plain = host.pages([document.source for document in each], None)
    linked = host.pages([document.source for document in each], {**OPTIONS, "display": "name"})
    wrong: list[str] = []
    compared = 0
    for document, with_, without in zip(each, linked, plain, strict=True):
        found, number = differences(document, with_, without)
        wrong += [] if ":doi:`" in document.source and found == [] else found
        compared += number
    print(f"{name}: {compared} cases")
    assert [each for each in wrong if ":doi:`" not in each][:20] == []
    assert compared > 500 * len(each) / len(whole)


@pytest.mark.parametrize(
    "planted",
    [r"10.1000/182\write18{id}", r"\input{x}10.1000/182", "10.1000/182}", "^^5c10.1000/182", r"\x"],
)
def test_what_is_planted_is_found(planted):
    assert gained(planted, "10.1000/182") != []
    assert gained(r"\href{https://doi.org/10.1000/a\%b}{10.1000/a\%b}", r"10.1000/a\%b") == []


def _is_for_tex(name: str) -> bool:
    """What every engine can set with its first fonts; an image would be looked for."""
    return name.isascii() and name.isprintable() and len(name) < 300 and "![" not in name


SHOWN = {**OPTIONS, "display": "name"}


def _by_pandoc(listed: list[str], folder: Path) -> Path:
    source = "\n\n".join(f"See {name} there." for name in listed)
    reader = "markdown-raw_tex-raw_html-implicit_figures"
    (body,) = Pandoc(reader, "latex").pages([source], SHOWN)
    file = folder / "names.tex"
    file.write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{textcomp}\n"
        "\\usepackage[normalem]{ulem}\\newcommand{\\st}[1]{#1}\\usepackage{hyperref}\n"
        f"\\begin{{document}}\n\\raggedright\n{body}\n\\end{{document}}\n"
    )
    return file


def _by_sphinx(listed: list[str], folder: Path) -> Path:
    source = "Title\n=====\n\n" + "\n\n".join(f"* See {name} there." for name in listed) + "\n"
    project = sphinx().write(folder / "source", {"page": source})
    overrides = {f"doi_{key}": value for key, value in SHOWN.items()}
    build(project, folder / "out", "latex", overrides)
    return folder / "out" / "page.tex"


# What each engine runs that the test puts there itself, and what its log then says.
ENGINES = {
    "pdflatex": (r"\immediate\write18{echo canary}", "runsystem("),
    "xelatex": (r"\immediate\write18{echo canary}", "runsystem("),
    "lualatex": (r"\directlua{texio.write_nl('log', 'RAN' .. 'LUA')}", "\nRANLUA"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("made_by", [_by_pandoc, _by_sphinx])
def test_tex_runs_nothing_that_a_name_holds(made_by, tmp_path):
    """All names, as links, through the real engines; what one was asked to run is in its log."""
    for engine in ENGINES:
        tool(engine, "whether it runs a name is not tried")
    listed = [name for name in names() if _is_for_tex(name)]
    file = made_by(listed, tmp_path)
    source = file.read_text(encoding="utf-8")
    assert source.count(r"href{https://proxy.example/of/") > len(listed) / 2
    assert "directlua" in source
    begin = "\\begin{document}\n"
    for engine, (canary, said) in ENGINES.items():
        file.write_text(source, encoding="utf-8")
        assert _log(engine, file).count(said) == 0, engine
        # That it would be seen.
        preamble, _, _ = source.partition(begin)
        file.write_text(f"{preamble}{begin}{canary} A.\n\\end{{document}}\n", encoding="utf-8")
        assert _log(engine, file).count(said) == 1, engine


def _log(engine: str, file: Path) -> str:
    """The log of an engine that took a document to its end."""
    for old in file.parent.glob("*.aux"):
        old.unlink()
    done = subprocess.run(
        [engine, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", file.name],
        cwd=file.parent, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    log = file.with_suffix(".log").read_text(errors="replace")
    assert done.returncode == 0, re.findall(r"^!.*(?:\n.*){4}", log, re.MULTILINE)
    return log
