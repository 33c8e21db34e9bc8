"""A field for a name: what its readers list, what hosts link, and what ``doilinks fix`` makes of it."""

import json
import re

import pytest

from doilinks import DOI
from doilinks.core.options import Options
from doilinks.sources import read
from doilinks.tools.fix import Original, chosen, mend

from ..tools.command import doilinks
from ..tools.hosts import FILTER, body, pandoc
from ..tools.links import html_links
from ..tools.modules import quick
from ..tools.sphinx_projects import sphinx_build, write
from ..tools.tables import tables

ROWS = tables(__file__)["fields"]
ENTRY = "@misc{{k{0:02}, title={{T{0:02}}}, author={{A, B}}, year={{2000}}, doi={{{1}}}}}\n"
BIB = "".join(ENTRY.format(number, row["field"]) for number, row in enumerate(ROWS))


WRITE = {
    "bib": lambda field: f"@misc{{k, doi = {{{field}}}}}\n",
    "cff": lambda field: f"cff-version: 1.2.0\nmessage: m\ntitle: T\ndoi: {json.dumps(field)}\n",
    "json": lambda field: json.dumps([{"id": "k", "DOI": field}], ensure_ascii=False),
    "r": lambda field: f'bibentry("Misc", doi = {json.dumps(field)})\n',
}


@pytest.mark.parametrize("kind", WRITE)
def test_every_format_reads_the_same(kind):
    for row in ROWS:
        found = list(read(WRITE[kind](row["field"]), kind, Options()))
        assert [each.doi.name for each in found] == row["names"], row["field"]
        more = ["more-than-name" in [each.code for each in one.remarks] for one in found]
        told = not row.get("alone")
        assert more == [told and not at for at in range(len(found))], row["field"]


@pytest.mark.parametrize("kind", ["bib", "json"])
def test_what_the_rule_makes_of_it(kind):
    rules = chosen(["doi-field"], [], asks=False)
    for row in ROWS:
        before, fixed = WRITE[kind](row["field"]), row.get("fixed")
        mended = mend(Original(before.encode(), kind), kind, Options(), rules)
        assert mended.octets.decode() == (WRITE[kind](fixed) if fixed else before), row["field"]


def test_pages_link_the_names_that_are_listed(tmp_path):
    conf = "extensions = ['sphinxcontrib.bibtex', 'doilinks.sphinx']\nbibtex_bibfiles = ['refs.bib']\nhtml_theme = 'basic'\n"
    pages = {"conf.py": conf, "index.rst": "T\n=\n\n.. bibliography::\n   :all:\n", "refs.bib": BIB}
    folder = write(tmp_path / "source", pages)
    sphinx_build("-q", str(folder), str(tmp_path / "out"))
    made = {
        "Sphinx": body(tmp_path / "out" / "index.html"),
        "Pandoc": pandoc(
            "-f", "markdown", "-t", "html", f"--bibliography={folder / 'refs.bib'}", "--citeproc",
            "--filter", quick(FILTER), given="---\nnocite: '@*'\n---\n", doilinks=False,
        ).stdout.decode(),
    }  # fmt: skip
    for host, page in made.items():
        entries = re.split(r"\bT(\d\d)\b", page)[1:]
        for number, entry in zip(entries[::2], entries[1::2], strict=True):
            row = ROWS[int(number)]
            links = [href for _, href in html_links(entry) if "doi.org/10" in href]
            assert links == [DOI(name).url for name in row["names"]], (host, row["field"])


def test_a_field_that_is_more_than_a_name_fails(tmp_path, handle_api):
    text = "@misc{a,\n doi = {10.1000/182 (online)}}\n@misc{b, doi = {10.1000/182}}\n"
    (tmp_path / "a.bib").write_text(text)
    handle_api.set("10.1000/182", "https://e.org/")
    (tmp_path / "pyproject.toml").write_text(f'[tool.doilinks]\ncheck-api = "{handle_api.api}"\n')
    code, said, _ = doilinks("check", "a.bib", cwd=tmp_path)
    assert code == 1
    message = "the field contains more than doi:10.1000/182: '10.1000/182 (online)' [doi-field]"
    assert said.splitlines()[0] == f"a.bib:2:9: {message}"
