"""The script of docs/howto/migrate.md, on projects of sphinxcontrib-bibtex and mkdocs-bibtex."""

import re

import pytest

from ..tools.documents import ROOT
from ..tools.modules import run_module
from ..tools.programs import succeeded
from ..tools.works import lock

SCRIPT = (ROOT / "docs" / "howto" / "bib_to_doi.py").read_text(encoding="utf-8")
BIB = """
@book{paskin2000, title={DOI Handbook}, author={Paskin, Norman}, year=2000, doi={https://doi.org/10.1000/182}}
@book{other+2000, title={Another}, author={Paskin, Norman}, year=2000, doi={10.1000/183}}
@book{none, title={Without}, author={Nobody, A.}, year=1999, publisher={P}}
@book{wrong, title={Wrong}, author={Nobody, B.}, year=1998, publisher={P}, doi={none}}
"""
ROLES = [
    (":cite:p:`paskin2000`", ":doi:cite:p:`doi:10.1000/182`"),
    (":cite:`paskin2000`", ":doi:cite:p:`doi:10.1000/182`"),
    (":footcite:t:`paskin2000`", ":doi:cite:t:`doi:10.1000/182`"),
    (":cite:ts:`paskin2000,other+2000`", ":doi:cite:t:`doi:10.1000/182; doi:10.1000/183`"),
    (":cite:p:`{see}paskin2000{p. 3}, other+2000 {ch. 2}`", ":doi:cite:p:`see doi:10.1000/182, p. 3; doi:10.1000/183, ch. 2`"),
    (":cite:yearpar:`paskin2000`", ":doi:cite:p:`-doi:10.1000/182`"),
    (":cite:p:`paskin2000, none`", ":doi:cite:p:`doi:10.1000/182; none`"),
    (":cite:p:`wrong`", ":doi:cite:p:`wrong`"),
    (":cite:alp:`paskin2000`", ":doi:`Paskin, 2000 <doi:10.1000/182>`"),
    (":cite:alps:`{see}paskin2000{p. 3}, other+2000`", "see :doi:`Paskin, 2000 <doi:10.1000/182>`, p. 3; :doi:`Paskin, 2000 <doi:10.1000/183>`"),
    ("{cite:alp}`other+2000`", "{doi}`Paskin, 2000 <doi:10.1000/183>`"),
    (":cite:alp:`none`", None),
    (":cite:p:`paskin2000, unknown`", None),
    (":cite:author:`paskin2000`", None),
    ("me :other:cite:`paskin2000` ``:cite``", None),
    (":doi:cite:p:`10.1000/182`", None),
    ("{cite:p}`{see}paskin2000`", "{doi:cite:p}`see doi:10.1000/182`"),
    ("{cite}`other+2000`", "{doi:cite:p}`doi:10.1000/183`"),
]  # fmt: skip
KEYS = [
    ("[see @paskin2000, p. 3; @other+2000].", "[see @{doi:10.1000/182}, p. 3; @{doi:10.1000/183}]."),
    ("-@paskin2000 and me@paskin2000 @none", "-@{doi:10.1000/182} and me@paskin2000 @none"),
]  # fmt: skip


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a bibliography, a lock file, and what the guide's script does to its pages."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "refs.bib").write_text(BIB)
    lock(tmp_path)

    def move(**pages):
        for name, text in pages.items():
            (tmp_path / "docs" / name.replace("_", ".")).write_text(text)
        return succeeded(run_module("-c", SCRIPT))

    move.folder = tmp_path
    return move


def test_roles_and_keys_become_names(project):
    rst = [role for role, _ in ROLES if role[0] != "{"]
    said = project(
        a_rst="\n".join(rst),
        c_py=f'"""See {rst[0]}."""\n',
        b_md="\n".join(text for text, _ in ROLES + KEYS),
    )
    read = {
        path.name: path.read_text().splitlines() for path in (project.folder / "docs").iterdir()
    }
    expected = {text: new or text for text, new in ROLES + KEYS}
    assert read["a.rst"] == [expected[role] for role in rst]
    assert read["b.md"] == [*expected.values()]
    assert read["c.py"] == [f'"""See {expected[rst[0]]}."""']
    assert "refs.bib: none has no DOI" in said.stdout
    assert "a.rst: :cite:p:`paskin2000, unknown` stays" in said.stdout
    before = read
    project()  # a second run changes nothing
    assert before == {
        path.name: path.read_text().splitlines() for path in (project.folder / "docs").iterdir()
    }


def test_what_the_script_leaves_is_named(project):
    """Roles outside of its folders, and copies of the bibliography, of which one counts."""
    (project.folder / "docs/conf.py").write_text("bibtex_bibfiles = ['refs.bib']\n")
    (project.folder / "a").mkdir()
    old = BIB.replace("10.1000/182", "10.1000/old") + "@book{only, title={In the old one}}\n"
    (project.folder / "a/refs_old.bib").write_text(old)
    (project.folder / "build").mkdir()
    (project.folder / "build/refs.bib").write_text(old)
    (project.folder / "lib").mkdir()
    (project.folder / "lib/a.py").write_text(
        '"""See :cite:p:`paskin2000,none` and :cite:p:`x`."""\n'
    )
    said = project(a_rst=":cite:p:`paskin2000`\n").stdout.splitlines()
    assert said == [
        "docs/refs.bib: none has no DOI",
        "docs/refs.bib: wrong has no DOI",
        "a/refs_old.bib: only has no DOI",
        "a/refs_old.bib: 4 keys are in docs/refs.bib too, which counts",
        "lib/a.py: 2 works stay cited by key, because it is not below FOLDERS",
    ]
    assert (project.folder / "docs/a.rst").read_text() == ":doi:cite:p:`doi:10.1000/182`\n"


def test_sphinx_with_both_extensions(project):
    docs = project.folder / "docs"
    (docs / "conf.py").write_text(
        "extensions = ['doilinks.sphinx', 'sphinxcontrib.bibtex', 'myst_parser']\n"
        "bibtex_bibfiles = doi_cite_bib = ['refs.bib']\ndoi_cite, html_theme = True, 'basic'\n"
    )
    lists = ".. doi-list::\n   :scope: project\n\n.. bibliography::\n"
    project(
        index_rst=f"A\n=\n\nAs :cite:t:`paskin2000` :cite:p:`{{see}}other+2000{{p. 3}}` :cite:p:`none` :cite:author:`wrong`.\n\n{lists}\n.. toctree::\n\n   b\n",
        b_md="# B\n\nSo {cite:t}`paskin2000`, {cite:p}`none`.\n",
    )
    succeeded(run_module("sphinx", "-q", "-W", "docs", "out"))
    html = (project.folder / "out" / "index.html").read_text()
    text = re.sub("<[^>]*>", "", html)
    assert "As Paskin (2000b) (see Paskin, 2000a, p. 3) (Nobody, 1999) Nobody." in text
    assert text.count("DOI Handbook") == 1
    assert "Without" in text
    ids = set(re.findall(r'\sid="([^"]*)"', html))
    assert set(re.findall(r'href="#(at-|doi-)([^"]*)"', html))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= ids


@pytest.mark.parametrize("plugins", ["doilinks, bibtex", "bibtex, doilinks"])
def test_mkdocs_with_both_plugins(project, plugins):
    options = {"doilinks": "doilinks: {cite: true}", "bibtex": "bibtex: {bib_file: docs/refs.bib}"}
    lines = "".join(f"  - {options[each]}\n" for each in plugins.split(", "))
    (project.folder / "mkdocs.yml").write_text(
        f"site_name: A\nmarkdown_extensions: [footnotes]\nplugins:\n{lines}"
    )
    project(
        index_md="# A\n\nAs @paskin2000 says [see @other+2000, p. 3], and [@none].\n\n[doi-list]\n\n\\bibliography\n"
    )
    succeeded(run_module("mkdocs", "build", "-q"))
    html = (project.folder / "site" / "index.html").read_text()
    text = " ".join(re.sub("<[^>]*>", "", html).split())
    assert "As Paskin (2000b) says (see Paskin, 2000a, p. 3), and 1." in text
    assert "Paskin, N. (2000b). DOI Handbook" in text
    assert "Without" in text
    assert {*re.findall(r'href="#((?:at-)?doi-[^"]*)"', html)} <= {
        *re.findall(r'\sid="([^"]*)"', html)
    }
