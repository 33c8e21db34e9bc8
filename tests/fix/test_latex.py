r"""What a correction writes into a LaTeX document depends on the command around the name.

A command for addresses takes ``_`` as it stands, and one that sets text does not. Which of both
``\doi`` is depends on the document.
"""

import re

import pytest

from doilinks.core.doi import DOI
from doilinks.core.options import Options
from doilinks.tools.fix import Correction, Original, chosen, mend

from ..tools.programs import run, tex, tool
from ..tools.tables import tables

TABLES = tables(__file__)

RULES = chosen([], [], asks=True)
RIGHT = {DOI("10.1000/a-1"): Correction("doi-near", DOI("10.1000/a_1&2#3"), page=True)}
OPTIONS = Options(publisher_urls="link")


def corrected(text):
    mended = mend(Original(text.encode(), "tex"), "tex", OPTIONS, RULES, right=RIGHT)
    assert not mended.left
    return mended.octets.decode()


@pytest.mark.parametrize(
    ("before", "after"), TABLES["a_correction_is_escaped_as_its_place_needs_it"]
)
def test_a_correction_is_escaped_as_its_place_needs_it(before, after):
    assert corrected(f"{before}\n") == f"{after}\n"


@pytest.mark.parametrize("packages", ["hyperref", "hyperref,doi"])
def test_latex_shows_the_right_name_and_leads_to_it(tmp_path, packages):
    lost = "what LaTeX makes of a correction is not read back"
    pdflatex = tex("pdflatex", lost, "hyperref.sty", "doi.sty")
    pdftotext = tool("pdftotext", lost)
    places = [
        "10.1000/a-1", r"\url{https://doi.org/10.1000/a-1}", r"\nolinkurl{10.1000/a-1}",
        r"\path{doi:10.1000/a-1}", r"\href{https://doi.org/10.1000/a-1}{https://doi.org/10.1000/a-1}",
        r"\footnote{\url{https://doi.org/10.1000/a-1}}",
    ]  # fmt: skip
    places += [r"\doi{10.1000/a-1}"] if "doi" in packages else []
    body = "\n\n".join(places)
    text = (
        "\\pdfcompresslevel=0 \\pdfobjcompresslevel=0\n\\documentclass{article}\n"
        f"\\usepackage[T1]{{fontenc}}\n\\usepackage{{{packages}}}\n"
        f"\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    (tmp_path / "a.tex").write_text(corrected(text))
    run(pdflatex, "-halt-on-error", "a.tex", cwd=tmp_path)
    run(pdftotext, "a.pdf", cwd=tmp_path)
    shown = re.findall(r"10\.1000/\S+", (tmp_path / "a.txt").read_text())
    assert len(shown) == len(places)
    assert set(shown) <= {"10.1000/a_1&2#3", "10.1000/a_1&2%233"}
    uris = re.findall(rb"/URI\((https?://doi.org/[^)]*)\)", (tmp_path / "a.pdf").read_bytes())
    assert uris
    assert {uri.decode().replace("%23", "#") for uri in uris} == {"https://doi.org/10.1000/a_1&2#3"}
