"""Works in markdown-it-py: images, lines, and the plug-in used again."""

from __future__ import annotations

import html5lib
import pytest

from doilinks.markdown_it import doi_plugin

from ..hosts.test_cite import by_markdown_it

pytestmark = pytest.mark.usefixtures("works_here")


def test_names_in_citations_are_listed_with_their_lines():
    env = {}
    md = by_markdown_it(cite=True).__self__
    md.render("A doi:10.1000/1\nand [see @doi:10.1000/182;\n@doi:10.1000/183].", env)
    listed = [(each.doi.suffix, each.line) for each in env["dois"]]
    assert listed == [("1", 1), ("182", 2), ("183", 3)]


def test_what_is_not_known_has_its_line_and_each_trouble_is_told_once(tmp_path, caplog):
    (tmp_path / "refs.bib").write_text("@misc{known, title={T}, year=2000}\n@misc{x, title={")
    md = by_markdown_it(cite=True, cite_bib=["refs.bib"]).__self__
    md.render("A @known\n\n- and\n  [@knwn; @doi:10.1000/none]\n\n| [@other] |\n")
    said = [each.getMessage().removesuffix(" [doi-cite]") for each in caplog.records]
    assert [each.removeprefix("doilinks: ") for each in said if each.startswith("doilinks: ")] == [
        "refs.bib:2: syntax error in line 2: premature end of file",
        "line 4: there is no work @knwn in refs.bib (did you mean @known?)",
        "line 4: the work of doi:10.1000/none is not in doi-lock.json: run doilinks works --fetch, or correct the name if it does not exist",
        "line 6: there is no work @other in refs.bib: correct or add it",
    ]


def test_the_description_of_an_image_stays():
    html = by_markdown_it(cite=True)("![see @doi:10.1000/a_b [x]](u)\n\n![@doi:10.1000/182](u)")
    alts = [
        each.get("alt")
        for each in html5lib.parseFragment(html, namespaceHTMLElements=False).iter("img")
    ]
    assert alts == ["see @doi:10.1000/a_b [x]", "@doi:10.1000/182"]


def test_the_plug_in_used_again_has_the_new_options():
    md = by_markdown_it(cite=True).__self__.use(doi_plugin, hover=True)
    text = "@doi:10.1000/182 [doi-list]"
    assert md.render(text) == f"<p>{text}</p>\n"
    assert md.render("[doi-list]") == "<p>[doi-list]</p>\n"
    assert "Paskin" in md.use(doi_plugin, cite=True).render("@doi:10.1000/182")


@pytest.mark.parametrize("text", ["[doi-list]", "> [doi-list]"])
def test_a_list_without_works_shows_nothing(text):
    assert "doi-list" not in by_markdown_it(cite=True)(text)


def test_a_list_of_a_table_and_a_note_leads_to_their_places():
    text = "| a |\n|---|\n| [@doi:10.1000/a_b] |\n\nA[^1]\n\n[doi-list]\n\n[^1]: As @doi:10.1000/183 says."
    html = by_markdown_it(cite=True)(text)
    root = html5lib.parseFragment(html, namespaceHTMLElements=False)
    ids = {each.get("id") for each in root.iter()}
    back = {each.get("href")[1:] for each in root.iter("a") if each.get("class") == "doi-back"}
    assert len(back) == 2
    assert back <= ids


def test_a_list_has_a_style_of_its_own():
    lists = ("[doi-list]", "[doi-list style=harvard-cite-them-right]")
    plain, styled = (by_markdown_it(cite=True)(f"doi:10.1000/182\n\n{each}") for each in lists)
    assert plain != styled
    assert "DOI Handbook" in styled
