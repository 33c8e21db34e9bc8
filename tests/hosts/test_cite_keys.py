"""Works of ``cite_bib``: every host cites them by key, beside works by DOI, in one list."""

from __future__ import annotations

import html5lib
import pytest

from .test_cite_styles import ROWS, text

BIB = r"""
@article{muller, author = {M{\"u}ller, Ann and Bee, B.}, title = {On {DNA} \& <b>x</b>}, journal = {J},
  year = {2001}, url = {https://example.org/a}}
@book{handbook, author = {Paskin, Norman}, title = {DOI Handbook}, year = 2000, doi = {https://doi.org/10.1000/182}}
@misc{team, author = {{Team, Inc.}}, title = {A tool}, year = 2020, url = {javascript:alert(1)}}
@misc{10.1000/182, author = {Odd, O.}, title = {A key like a name}, year = 1999}
"""
MARKDOWN = """Group [see @muller, p. 3; @doi:10.1000/182].

So @handbook [p. 4] and @team said [@10.1000/182].

Text @octocat, me@muller.org, `@team`.

Unknown [@mullr] and [@muller; @nobody].

"""
REST = """Group :doi:cite:`see muller, p. 3; 10.1000/182`.

So :doi:cite:t:`handbook, p. 4` and @team said [@10.1000/182].

Text @octocat, me@muller.org, ``@team``.

Unknown [@mullr] and [@muller; @nobody].

"""
SAID = {
    "": (
        "Group (see Müller & Bee, 2001, p. 3; Paskin, 2000).",
        "So Paskin (2000, p. 4) and Team, Inc. (2020) said (Odd, 1999).",
        "Text @octocat, me@muller.org, @team.",
        "Unknown [@mullr] and [Müller & Bee, 2001; @nobody].",
    ),
    "ieee": (
        "Group see [1, p. 3], [2].", "So Paskin [2, p. 4] and Team, Inc. [3] said [4].",
        "Text @octocat, me@muller.org, @team.", "Unknown [@mullr] and [1; @nobody].",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_works_are_cited_by_key(name, tmp_path):
    row = ROWS[name]
    (tmp_path / "refs.bib").write_text(BIB)
    page = REST if row.page.count("`") else MARKDOWN
    sources = [page + row.list(style, "names") for style in SAID]
    options = {
        "hover": "true", "cite": "true", "cite_bib": str(tmp_path / "refs.bib"),
        "check_lockfile": str(tmp_path / "no-lock.json"),
    }  # fmt: skip
    pages = row.host.pages(sources, options)
    for html, said in zip(pages, SAID.values(), strict=True):
        root = html5lib.parse(html, namespaceHTMLElements=False)
        paragraphs = [text(each).strip() for each in root.iter("p")]
        assert [
            each for each in paragraphs if each.startswith(("Group", "So", "Text", "Unknown"))
        ] == list(said)
        [items] = [
            each for div in root.iter("div") if "doi-list" in div.get("class", "").split()
            for each in div if each.tag in ("ul", "ol")
        ]  # fmt: skip
        assert len(items) == 4
        targets = {a.get("href") for a in root.iter("a")}
        assert {"https://example.org/a", "https://doi.org/10.1000/182"} <= targets
        assert not [each for each in targets if each and "javascript" in each]
        ids = [each.get("id") for each in root.iter() if each.get("id")]
        assert len(ids) == len(set(ids))
        led = [
            a.get("href")[1:] for a in root.iter("a") if "doi-cite" in a.get("class", "").split()
        ]
        assert len(led) == 6
        assert set(led) <= set(ids)
        assert "<b>" not in html
