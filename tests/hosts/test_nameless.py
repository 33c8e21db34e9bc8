"""What is for a name and has none: each host that checks says what the command says."""

import pytest

from ..tools.hosts import pandoc
from ..tools.projects import of_mkdocs, of_sphinx

OWN = {"check": "error", "check_lockfile": "", "check_offline": True, "check_unknown": "ignore"}
MARKDOWN = """# Title

[a](https://doi.org/1O.1000/182), [b](https://www.doi.org/the-identifier/), [c](https://doi.org/{doi})

[d](https://doi.org/abc) <!-- doilinks: ignore -->

Or *here*
at doi.org/j.cell.2022.03.007, [10.1000/185](#).
"""
REST = MARKDOWN.replace("[", "`").replace("](", " <").replace(")", ">`__")
REST = REST.replace("# Title", "Title\n=====").replace("<!-- doilinks: ignore -->", "")
REST = REST.replace("`d", ".. doilinks: ignore\n\n`d")
AIMED = "no DOI name: doi.org/j.cell.2022.03.007"
LEADS = "this link leads nowhere: write https://doi.org/10.1000/185"
SAID = "no DOI name: https://doi.org/1O.1000/182 (did you mean doi:10.1000/182?)"


@pytest.mark.parametrize("kind", ["rst", "md"])
def test_sphinx(kind, tmp_path):
    source = tmp_path / "site"
    source.mkdir()
    (source / f"page.{kind}").write_text(REST if kind == "rst" else MARKDOWN)
    for fresh in (True, False):  # the second time, no page is read again
        code, said = of_sphinx(
            source, OWN, "", extensions=("doilinks.sphinx", "myst_parser"), fresh=fresh
        )
        assert code == 1
        assert (said.count(f"{SAID} [doi.no_name]"), said.count("no DOI name")) == (1, 2), said
        line = 11 if kind == "rst" else 8
        assert f":{line}: WARNING: {AIMED} [doi.no_name]" in said, said
        assert f":{line}: WARNING: {LEADS} [doi.bare_target]" in said, said


def test_mkdocs(tmp_path):
    code, said = of_mkdocs(tmp_path, OWN, MARKDOWN)
    assert code == 1
    assert f"docs/index.md:3: {SAID} [doi-no-name]" in said
    assert said.count("no DOI name") == 2
    assert all(f"docs/index.md:8: {each} [doi-" in said for each in (AIMED, LEADS)), said


@pytest.mark.parametrize("reader", ["markdown", "gfm+sourcepos", "commonmark_x"])
def test_pandoc(reader, tmp_path):
    (tmp_path / "a.md").write_text(MARKDOWN)
    flags = [f"-Mdoi-{name.replace('_', '-')}={value}" for name, value in OWN.items()]
    done = pandoc("-f", reader, *flags, "-o", "a.html", "a.md", cwd=tmp_path, check=False)
    said = done.stderr.decode()
    assert done.returncode != 0
    assert (said.count(f"{SAID} [doi-no-name]"), said.count("no DOI name")) == (1, 2), said
    assert all(f"{each} [doi-" in said for each in (AIMED, LEADS)), said
