"""Hostile names in LaTeX: no control sequence is gained, and TeX runs nothing that they hold."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from .builds import pandoc_to, sphinx
from .corpus import documents, names
from .page import OPTIONS
from .tex import differences, gained

WRITERS = {
    "sphinx": ("rst", sphinx(builder="latex"), ""),
    "pandoc": ("md", pandoc_to("latex"), r"\[{9}"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_no_control_sequence_is_gained(name):
    reads, build, but = WRITERS[name]
    each = list(documents(reads, every=13, but=but or "\x00"))
    plain = build([document.source for document in each], None)
    linked = build([document.source for document in each], {**OPTIONS, "display": "name"})
    wrong: list[str] = []
    compared = 0
    for document, with_, without in zip(each, linked, plain, strict=True):
        found, number = differences(document, with_, without)
        wrong += [] if ":doi:`" in document.source and found == [] else found
        compared += number
    print(f"{name}: {compared} cases")
    assert [each for each in wrong if ":doi:`" not in each][:20] == []
    assert compared > 500


@pytest.mark.parametrize(
    "planted",
    [r"10.1000/182\write18{id}", r"\input{x}10.1000/182", "10.1000/182}", "^^5c10.1000/182", r"\x"],
)
def test_what_is_planted_is_found(planted):
    assert gained(planted, "10.1000/182") != []
    assert gained(r"\href{https://doi.org/10.1000/a\%b}{10.1000/a\%b}", r"10.1000/a\%b") == []


def _is_for_tex(name: str) -> bool:
    """What the small preamble of the test can set; an image would be looked for."""
    return name.isascii() and name.isprintable() and len(name) < 300 and "![" not in name


def test_tex_runs_nothing_that_a_name_holds(tmp_path):
    """All names, as links, through the real pdfTeX; what it was asked to run is in its log."""
    if shutil.which("pdflatex") is None:
        reason = "pdflatex is not installed: whether it runs a name is not tried"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    printable = [name for name in names() if _is_for_tex(name)]
    source = "\n\n".join(f"See {name} there." for name in printable)
    (body,) = pandoc_to("latex", "markdown-raw_tex-raw_html-implicit_figures")(
        [source], {**OPTIONS, "display": "name"}
    )
    assert body.count(r"\href") > len(printable) / 2
    for canary, calls in (("", 0), (r"\immediate\write18{echo canary}", 1)):
        file = tmp_path / "names.tex"
        file.write_text(
            "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{textcomp}\n"
            "\\usepackage[normalem]{ulem}\\newcommand{\\st}[1]{#1}\\usepackage{hyperref}\n"
            "\\begin{document}\\raggedright\n" + canary + body + "\nTHEEND\n\\end{document}\n"
        )
        done = subprocess.run(
            ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", file.name],
            cwd=tmp_path, capture_output=True, check=False, timeout=120,
        )  # fmt: skip
        log = (tmp_path / "names.log").read_text(errors="replace")
        assert done.returncode == 0, re.findall(r"^!.*(?:\n.*){4}", log, re.MULTILINE)
        assert log.count("runsystem(") == calls
