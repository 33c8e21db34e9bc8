"""The examples that users copy, built by ``make demo``."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from ..tools.handle_api import HandleServer
from ..tools.leftovers import living
from ..tools.programs import ended, wait

EXAMPLES = Path(__file__).parents[2] / "examples"


def _load():
    loader = SourceFileLoader("examples_demo", str(EXAMPLES / "demo.py"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


demo = _load()

# How many DOIs each file links, and among them those whose names are hard, as text -> href.
LINKS = {
    "sphinx/index.html": (1, ""),
    "sphinx/methods.html": (
        16,
        """
        doi:10.1175/1520-0493(1980)108%3C1046:TCOEPT%3E2.0.CO;2 -> https://doi.org/10.1175/1520-0493(1980)108%3C1046:TCOEPT%3E2.0.CO;2
        doi:10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2 -> https://doi.org/10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2
        doi:10.1098/rspa.1948.0037 -> https://doi.org/10.1098/rspa.1948.0037
        Nash and Sutcliffe -> https://doi.org/10.1016/0022-1694(70)90255-6
        doi:10.1080/01621459.1979.10481038 -> https://doi.org/10.1080/01621459.1979.10481038
        Torrence and Compo -> https://doi.org/10.1175/1520-0477(1998)079%3C0061:APGTWA%3E2.0.CO;2
        doi:10.1175/1520-0469(1963)020%3C0130:DNF%3E2.0.CO;2 -> https://doi.org/10.1175/1520-0469(1963)020%3C0130:DNF%3E2.0.CO;2
        doi:10.18260/1-2--11357 -> https://doi.org/10.18260/1-2--11357
        doi:10.1061/(asce)0899-1561(2004)16:6(597) -> https://doi.org/10.1061/(asce)0899-1561(2004)16:6(597)
        doi:10/aabbe -> https://doi.org/10/aabbe
        doi:10.3319/TAO.2009.05.25.02(IWNOP) -> https://doi.org/10.3319/TAO.2009.05.25.02(IWNOP)
        doi:10.2307/2289282 -> https://doi.org/10.2307/2289282
        """,
    ),
    "sphinx/reading.html": (
        15,
        """
        doi:10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2 -> https://doi.org/10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2
        doi:10.1641/0006-3568(2001)051%5B0933:TEOTWA%5D2.0.CO;2 -> https://doi.org/10.1641/0006-3568(2001)051%5B0933:TEOTWA%5D2.0.CO;2
        a paper on parasites -> https://doi.org/10.1890/0012-9658(2006)87%5B2832:TIOPMA%5D2.0.CO;2
        doi:10.1038/sdata.2016.18 -> https://doi.org/10.1038/sdata.2016.18
        handbook -> https://doi.org/10.1000/182
        doi:10.17487/RFC3986 -> https://doi.org/10.17487/RFC3986
        doi:10.1000/182 -> https://doi.org/10.1000/182
        """,
    ),
    "sphinx/api.html": (
        4,
        """
        doi:10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2 -> https://doi.org/10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2
        doi:10.1016/0022-1694(70)90255-6 -> https://doi.org/10.1016/0022-1694(70)90255-6
        doi:10.1175/1520-0493(1980)108%3C1046:TCOEPT%3E2.0.CO;2 -> https://doi.org/10.1175/1520-0493(1980)108%3C1046:TCOEPT%3E2.0.CO;2
        """,
    ),
    "mkdocs/index.html": (
        3,
        """
        doi:10.1641/0006-3568(2001)051%5B0933:TEOTWA%5D2.0.CO;2 -> https://doi.org/10.1641/0006-3568(2001)051%5B0933:TEOTWA%5D2.0.CO;2
        doi:10.1579/0044-7447(2007)36%5B614:TAAHNO%5D2.0.CO;2 -> https://doi.org/10.1579/0044-7447(2007)36%5B614:TAAHNO%5D2.0.CO;2
        """,
    ),
    "mkdocs/protocols.html": (
        8,
        """
        doi:10.1023/A:1010933404324 -> https://doi.org/10.1023/A:1010933404324
        doi:10.1890/0012-9658(2006)87%5B2832:TIOPMA%5D2.0.CO;2 -> https://doi.org/10.1890/0012-9658(2006)87%5B2832:TIOPMA%5D2.0.CO;2
        doi:10.1577/1548-8446(2006)31%5B590:TCFIE%5D2.0.CO;2 -> https://doi.org/10.1577/1548-8446(2006)31%5B590:TCFIE%5D2.0.CO;2
        doi:10.2307/1942661 -> https://doi.org/10.2307/1942661
        """,
    ),
    "mkdocs/reading.html": (
        9,
        """
        doi:10.1000/182 -> https://doi.org/10.1000/182
        doi:10.1021/bc030018+ -> https://doi.org/10.1021/bc030018%2B
        doi:10.24447/slc-2024-00003%2F -> https://doi.org/10.24447/slc-2024-00003/
        doi:10.18260/1-2--11357 -> https://doi.org/10.18260/1-2--11357
        PSPR, volume 2 -> https://doi.org/10.1207/s15327957pspr0203&4_1
        doi:10.1207/s15327957pspr0203&4_1 -> https://doi.org/10.1207/s15327957pspr0203&4_1
        doi:10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2 -> https://doi.org/10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2
        doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0 -> https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0
        doi:10.1098/rspa.1948.0037 -> https://doi.org/10.1098/rspa.1948.0037
        """,
    ),
    "pandoc/paper.html": (
        20,
        """
        doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0 -> https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0
        doi:10.1890/0012-9658(2006)87%5B2832:TIOPMA%5D2.0.CO;2 -> https://doi.org/10.1890/0012-9658(2006)87%5B2832:TIOPMA%5D2.0.CO;2
        doi:10.18260/1-2--11357 -> https://doi.org/10.18260/1-2--11357
        doi:10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2 -> https://doi.org/10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2
        doi:10.6338/JDA.202212%2FSP_17(4).0000 -> https://doi.org/10.6338/JDA.202212/SP_17(4).0000
        doi:10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03 -> https://doi.org/10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03
        doi:10.1021/bc030018+ -> https://doi.org/10.1021/bc030018%2B
        doi:10.3319/TAO.2009.05.25.02(IWNOP) -> https://doi.org/10.3319/TAO.2009.05.25.02(IWNOP)
        doi:10.24447/slc-2024-00003%2F -> https://doi.org/10.24447/slc-2024-00003/
        an article of 1998 -> https://doi.org/10.1207/s15327957pspr0203&4_1
        doi:10/aabbe -> https://doi.org/10/aabbe
        handbook -> https://doi.org/10.1000/182
        https://doi.org/10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2 -> https://doi.org/10.1175/1520-0469(1963)020%3C0130:DNF%3E2.0.CO;2
        doi:10.1214/ss%2F1009213286 -> https://doi.org/10.1214/ss/1009213286
        """,
    ),
    "markdown-it/notes.html": (
        15,
        """
        doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0 -> https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0
        doi:10.1021/bc030018+ -> https://doi.org/10.1021/bc030018%2B
        doi:10.6338/JDA.202212%2FSP_17(4).0000 -> https://doi.org/10.6338/JDA.202212/SP_17(4).0000
        doi:10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03 -> https://doi.org/10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03
        doi:10.1641/0006-3568(2001)051%5B0933:TEOTWA%5D2.0.CO;2 -> https://doi.org/10.1641/0006-3568(2001)051%5B0933:TEOTWA%5D2.0.CO;2
        doi:10.1207/s15327957pspr0203&4_1 -> https://doi.org/10.1207/s15327957pspr0203&4_1
        doi:10.18260/1-2--11357 -> https://doi.org/10.18260/1-2--11357
        doi:10.1061/(asce)0899-1561(2004)16:6(597) -> https://doi.org/10.1061/(asce)0899-1561(2004)16:6(597)
        doi:10/aabbe -> https://doi.org/10/aabbe
        handbook -> https://doi.org/10.1000/182
        doi:10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2 -> https://doi.org/10.1175/1520-0493(1972)100%3C0081:OTAOSH%3E2.3.CO;2
        """,
    ),
}

# What each page cites, in what order it lists works, and what a link shows on hover.
WORKS = {
    "sphinx/software.html": (
        ["Hoyer & Hamman (2017)", "Harris et al., 2020", "Virtanen et al., 2020", "Hunter, 2007"],
        ["Harris, C. R.", "Hoyer, S.", "Hunter, J. D.", "Virtanen, P."],
        "Harris, Millman, van der Walt et al. (2020). Array programming with NumPy. Nature.",
    ),
    "sphinx/reading.html": (["Wilkinson et al. (2016, p. 4)", "Harris et al., 2020"], [], ""),
    "mkdocs/software.html": (
        ["Breiman (2001)", "Harris et al., 2020", "Virtanen et al., 2020"],
        ["Breiman, L.", "Harris, C. R.", "Virtanen, P.", "Wilkinson, M. D."],
        "Breiman (2001). Random Forests. Machine Learning.",
    ),
    "pandoc/paper.html": (
        [
            "Lorenz (1963)", "(Wilkinson et al. 2016)", "Brown et al. (2001)", "(Hunter 2007)",
            "(Hoyer and Hamman 2017)",
        ],
        ["Brown, Lawrence D.", "Hoyer, Stephan", "Hunter, John D.", "Lorenz, Edward", "Wilkinson,"],
        "Hunter (2007). Matplotlib: A 2D Graphics Environment. Computing in Science & Engineering.",
    ),
    "markdown-it/talk.html": (
        ["Welch, 1967", "Brown et al. (2001)"],
        ["Brown, L. D.", "Hunter, J. D.", "Welch, P. D."],
        "Hunter (2007). Matplotlib: A 2D Graphics Environment. Computing in Science & Engineering.",
    ),
}  # fmt: skip

# Code that holds a name, as it is shown.
CODE = {
    "sphinx/methods.html": (
        'curl -LH "Accept: text/x-bibliography" https://doi.org/10.1098/rspa.1948.0037',
        'vapour.cite("doi:10.1098/rspa.1948.0037")',
    ),
    "sphinx/reading.html": ("http://dx.doi.org/10.1000/182",),
    "sphinx/api.html": (">>> round(saturation(20.0))  # doi:10.1256/qj.04.94 has 2339",),
    "mkdocs/protocols.html": (
        'cite("10.2307/1942661")',
        '"maxent": "https://doi.org/10.1016/j.ecolmodel.2005.03.026",',
    ),
    "pandoc/paper.html": (
        "curl https://doi.org/api/handles/10.1175/1520-0469(1963)020%3C0130:DNF%3E2.0.CO;2",
        "10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2",
    ),
    "markdown-it/notes.html": (
        r"\href{https://doi.org/10.1038/171737a0}{DNA}",
        "doi:10.1038/171737a0",
    ),
}


@pytest.fixture(scope="module", params=[pytest.param("demo", marks=pytest.mark.thorough)])
def built(tmp_path_factory):
    """What ``make demo`` runs, into a folder of its own."""
    into = tmp_path_factory.mktemp("examples")
    before = _digest()
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "demo.py"), str(into)],
        cwd=EXAMPLES.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
        start_new_session=True,
    )
    printed, _ = ended(process)
    return into, process, printed, before


def _digest() -> dict[str, str]:
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(EXAMPLES.rglob("*"))
        if file.is_file() and not {"_build", "__pycache__"}.intersection(file.parts)
    }


def test_the_demo_succeeds_and_names_every_example(built):
    _, process, printed, _ = built
    assert process.returncode == 0, printed
    table = printed.partition("What was linked where")[2].partition("What was cited")[0]
    for example in demo.BUILDS:
        assert f"\n{example.name} " in table
        assert example.before in table
        assert example.after in table
        for output in example.outputs:
            assert f"{example.name}/{output} " in table
    assert printed.rstrip().splitlines()[-1].startswith("All as it should be")
    assert "Traceback" not in printed


def test_the_demo_shows_a_build_that_fails(built):
    _, _, printed, _ = built
    failing = printed.partition("A build that fails")[2]
    assert failing.count("(exit code 1, as expected)") == len(demo.FAILING)
    assert (
        "software.rst:9:15: not found: doi:10.1038/s41592%E2%80%93019%E2%80%930686%E2%80%932 "
        "(did you mean doi:10.1038/s41592-019-0686-2?) [doi-not-found]" in failing
    )
    assert "13 DOIs: 12 found (12 from doi-lock.json), 1 not found" in failing


def test_the_demo_leaves_no_process_and_no_changed_file(built):
    _, process, _, before = built
    wait(lambda: not living(process.pid), said=lambda: f"runs still: {living(process.pid)}")
    assert _digest() == before


@pytest.mark.parametrize("file", LINKS)
def test_links(built, file):
    into, *_ = built
    count, listed = LINKS[file]
    expected = [tuple(row.strip().split(" -> ")) for row in listed.strip().splitlines() if row]
    links = demo.doi_links(into / file)
    assert [link for link in expected if link not in links] == []
    assert len(links) == count


def test_word_document_has_the_links_of_the_page(built):
    into, *_ = built
    page = demo.doi_links(into / "pandoc/paper.html")
    assert sorted(demo.doi_links(into / "pandoc/paper.docx")) == sorted(page)


@pytest.mark.parametrize("file", WORKS)
def test_citations_lists_and_what_a_link_shows(built, file):
    into, *_ = built
    citations, entries, title = WORKS[file]
    shown = demo.works_shown(into / file)
    assert shown.citations == citations
    assert len(shown.entries) == len(entries)
    assert all(map(str.startswith, shown.entries, entries))
    assert not title or title in shown.titles


def test_each_example_shows_what_it_cites(built):
    _, _, printed, _ = built
    table = printed.partition("What was cited")[2].partition("A build that fails")[0]
    assert "NOT" not in table
    for example in demo.BUILDS:
        assert example.citation in table
        assert f"{example.name}/{example.citing}" in table
    assert table.count("on hover: ") == len(demo.BUILDS)


@pytest.mark.parametrize("file", CODE)
def test_code_is_untouched(built, file):
    into, *_ = built
    parser = _Code()
    parser.feed((into / file).read_text(encoding="utf-8"))
    for sample in CODE[file]:
        assert any(sample in code for code in parser.code), parser.code
    assert parser.doi_links_in_code == []


class _Code(HTMLParser):
    """The text of each <pre> and <code>, and the links to DOIs in them."""

    def __init__(self):
        super().__init__()
        self.code = []
        self.doi_links_in_code = []
        self._depth = 0

    def handle_starttag(self, tag, attrs):
        if tag in ("pre", "code"):
            if self._depth == 0:
                self.code.append("")
            self._depth += 1
        elif tag == "a" and self._depth and "doi.org" in (dict(attrs).get("href") or ""):
            self.doi_links_in_code.append(attrs)

    def handle_endtag(self, tag):
        if tag in ("pre", "code"):
            self._depth -= 1

    def handle_data(self, data):
        if self._depth:
            self.code[-1] += data


def test_what_is_shown_as_before_is_in_the_source():
    for example in demo.BUILDS:
        folder = EXAMPLES / example.name
        sources = [*folder.rglob("*.md"), *folder.rglob("*.rst")]
        assert any(example.before in file.read_text(encoding="utf-8") for file in sources)


def test_every_example_says_what_to_type():
    for folder in sorted(each for each in EXAMPLES.iterdir() if (each / "README.md").exists()):
        lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
        assert 3 <= len([line for line in lines if line]) <= 12, folder
        install = ("    pip install 'doilinks[", "    pip install doilinks ")
        assert any(line.startswith(install) for line in lines), folder
    assert {each.parent.name for each in EXAMPLES.glob("*/README.md")} == {
        "check",
        "corpus",  # tests/repository/test_corpus.py
        *(example.name for example in demo.BUILDS),
    }


def test_with_the_name_corrected_the_check_succeeds(tmp_path):
    folder = tmp_path / "check"
    shutil.copytree(EXAMPLES / "check", folder, ignore=shutil.ignore_patterns("_build"))
    page = folder / "software.rst"
    text = page.read_text(encoding="utf-8")
    assert text.count("–") == 3
    page.write_text(text.replace("–", "-"), encoding="utf-8")
    with HandleServer(folder / "records.json") as server:
        for command in demo.FAILING:
            done = demo.run(command, str(folder), out=tmp_path / "out", api=server.api)
            assert done.returncode == 0, done.stdout
        # The first run keeps the answer, so that nobody has to ask again.
        assert [request.name for request in server.requests] == ["10.1038/s41592-019-0686-2"]
    assert '"doi:10.1038/s41592-019-0686-2"' in (folder / "doi-lock.json").read_text()


def test_the_demo_notices_what_goes_wrong(tmp_path, monkeypatch, capsys):
    script = demo.BUILDS[-1]
    missing = script._replace(commands=("python render.py nothing.md {out}/notes.html",))
    monkeypatch.setattr(demo, "BUILDS", (missing,))
    assert not demo.build(tmp_path)
    assert "FAILED with exit code 1" in capsys.readouterr().out
    monkeypatch.setattr(demo, "BUILDS", (script._replace(after="doi:10.1000/nowhere"),))
    assert demo.build(tmp_path)
    assert not demo.show_links(tmp_path)
    assert "NOT FOUND" in capsys.readouterr().out
    monkeypatch.setattr(demo, "BUILDS", (script._replace(citation="Nobody (1900)"),))
    assert not demo.show_works(tmp_path)
    assert "NOT FOUND: Nobody (1900)" in capsys.readouterr().out
    monkeypatch.setattr(demo, "FAILING", ("doilinks show 10.1000/182",))
    assert not demo.show_failing_builds(tmp_path)
    assert "(exit code 0, NOT as expected)" in capsys.readouterr().out
