"""Works on hover, citations and lists of references in markdown-it-py."""

from __future__ import annotations

import json
import logging

import html5lib
import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.footnote import footnote_plugin

from doilinks.markdown_it import doi_plugin

HANDBOOK = {"type": "book", "title": "DOI Handbook", "author": [["Paskin", "Norman"]], "year": 2000}
WORKS = {
    "doi:10.1000/182": HANDBOOK,
    "doi:10.1000/183": {**HANDBOOK, "title": "Another"},
    "doi:10.1000/a_b_c": {
        "title": 'The "title" -- of <b>it</b>...', "author": [["Miller"], ["Berg"]], "year": 1999,
        "container": "Names", "volume": "3", "status": "retracted",
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def lock(tmp_path, monkeypatch):
    """A current folder with a lock file; a function that writes another."""
    monkeypatch.chdir(tmp_path)

    def write(works):
        entries = {name: {"fetched": "2026-11-20", **work} for name, work in works.items()}
        text = json.dumps({"version": 1, "found": {}, "works": entries})
        (tmp_path / "doi-lock.json").write_text(text)

    write(WORKS)
    return write


def markdown(preset="commonmark", **options):
    md = MarkdownIt(preset, {"typographer": True}).enable(["table", "replacements", "smartquotes"])
    return md.use(footnote_plugin).use(attrs_plugin, spans=True).use(doi_plugin, **options)


def tree(html):
    return html5lib.parseFragment(html, namespaceHTMLElements=False)


def shown(html):
    return "".join(tree(html).itertext())


def links(html):
    return [dict(each.attrib) for each in tree(html).iter("a")]


# Hover


def test_a_link_shows_its_work_on_hover():
    [link] = links(markdown(hover=True).render("See doi:10.1000/182."))
    assert link["title"] == "Paskin (2000). DOI Handbook."


def test_links_of_the_author_get_a_title_unless_they_have_one():
    text = "[a](https://doi.org/10.1000/182) [b](https://doi.org/10.1000/182 'mine')"
    titles = [link["title"] for link in links(markdown(hover=True).render(text))]
    assert titles == ["Paskin (2000). DOI Handbook.", "mine"]


def test_a_retracted_work_says_so_first():
    [link] = links(markdown(hover=True).render("<doi:10.1000/a_b_c>"))
    assert link["title"].startswith('Retracted. Miller, Berg (1999). The "title" -- of')
    assert link["class"] == "doi doi-retracted"


@pytest.mark.parametrize("options", [{}, {"hover": False, "check_works": "warn"}])
def test_without_hover_nothing_changes(options):
    [link] = links(markdown(**options).render("See doi:10.1000/182 and @doi:10.1000/183."))
    assert link == {"class": "doi", "href": "https://doi.org/10.1000/182"}


def test_without_a_lock_file_there_is_no_hover(tmp_path, caplog):
    (tmp_path / "doi-lock.json").unlink()
    [link] = links(markdown(hover=True).render("See doi:10.1000/182."))
    assert "title" not in link
    assert caplog.messages == []


def test_a_damaged_lock_file_is_one_warning(tmp_path, caplog):
    (tmp_path / "doi-lock.json").write_text("{")
    md = markdown(hover=True)
    md.render("Nothing.")
    assert caplog.messages == []
    for _ in range(2):
        md.render("See doi:10.1000/182 and doi:10.1000/183.")
    [message] = caplog.messages
    assert message.startswith("doi-lock.json:1: damaged lock file")


def test_a_damaged_lock_file_is_one_warning_where_works_are_cited(tmp_path, caplog):
    (tmp_path / "doi-lock.json").write_text("<<<<<<< HEAD\n")
    with caplog.at_level(logging.WARNING):
        said = shown(
            markdown(cite=True).render("@doi:10.1000/182 [@doi:10.1000/183]\n\n[doi-list]")
        )
    assert said.startswith("doi:10.1000/182 (doi:10.1000/183)")
    [message] = caplog.messages
    assert message.startswith("doi-lock.json:1: damaged lock file")


def test_a_lock_file_that_has_changed_is_read_again(lock):
    md = markdown(hover=True)
    md.render("See doi:10.1000/182.")
    lock({"doi:10.1000/182": {**HANDBOOK, "title": "A much longer title"}})
    [link] = links(md.render("See doi:10.1000/182."))
    assert link["title"] == "Paskin (2000). A much longer title."


# Citations

SENTENCES = [
    ("As @doi:10.1000/182 says.", "As Paskin (2000) says."),
    ("So [see @doi:10.1000/182, p. 3].", "So (see Paskin, 2000, p. 3)."),
    ("[@doi:10.1000/183; -@doi:10.1000/182]", "(Paskin, 2000a; 2000b)"),
    ("So *[@doi:10.1000/a_b_c]* _now_", "So (Miller & Berg, 1999, retracted) now"),
    ("@{doi:10.1000/a_b_c}s", "Miller & Berg (1999, retracted)s"),
    ("two\nlines [@doi:10.1000/182,\np. 3]", "two\nlines (Paskin, 2000,\np. 3)"),
    ("[*see @doi:10.1000/182, p*. _3_]", "(see Paskin, 2000, p. 3)"),
    ("[see <b>10.1000/183, @doi:10.1000/182</b>]", "(see 10.1000/183, Paskin, 2000)"),
    ("[see `x` @doi:10.1000/182]", "[see x Paskin (2000)]"),
    ("a^[see @doi:10.1000/182]", "a[1]"),
    # These are not citations.
    ("`@doi:10.1000/182`", "@doi:10.1000/182"),
    ("    @doi:10.1000/182", "@doi:10.1000/182"),
    ('<i title="@doi:10.1000/182">x</i>', "x"),
    (r"\@doi:10.1000/182 [\@doi:10.1000/182]", "@doi:10.1000/182 [@doi:10.1000/182]"),
    ("me@doi:10.1000/182", "me@doi:10.1000/182"),
    ("[text @doi:10.1000/a_b_c *x*](u)", "text @doi:10.1000/a_b_c x"),
    ("[@doi:10.1000/182](u)", "@doi:10.1000/182"),
    ("[@doi:10.1000/182]\n\n[@doi:10.1000/182]: u", "@doi:10.1000/182"),
    # A bracket that is escaped, or of a link, is the author's.
    (r"\[see @doi:10.1000/182]", "[see Paskin (2000)]"),
    ("[@doi:10.1000/182] (x)", "(Paskin, 2000) (x)"),
]


@pytest.mark.parametrize(("text", "said"), SENTENCES)
def test_a_citation(text, said):
    html = markdown(cite=True).render(text)
    assert shown(html).strip().split("\n↩")[0].startswith(said), html


def test_a_citation_leads_to_the_work_without_a_list():
    html = markdown(cite=True).render("[see @doi:10.1000/182, p. 3]")
    assert html == (
        '<p>(see <a class="doi doi-cite" href="https://doi.org/10.1000/182">Paskin, 2000</a>, p. 3)</p>\n'
    )


def test_a_citation_shows_its_work_on_hover():
    [link] = links(markdown(cite=True, hover=True, css_class="x y").render("@doi:10.1000/a_b_c"))
    assert link["class"] == "x y doi-cite doi-retracted"
    assert link["title"].startswith("Retracted. ")


def test_a_work_that_is_not_known_shows_its_uri_and_is_reported_once(caplog):
    html = markdown(cite=True).render("[@doi:10.1000/x#1] and @doi:10.1000/x#1 [p. 3]")
    assert links(html) == [{"class": "doi", "href": "https://doi.org/10.1000/x%231"}] * 2
    assert shown(html).startswith("(doi:10.1000/x%231) and doi:10.1000/x%231")
    assert caplog.messages == [
        "the work of doi:10.1000/x%231 is not in doi-lock.json: run doilinks works --fetch [doi-cite]"
    ]


def test_names_in_citations_are_listed_with_their_lines():
    env = {}
    markdown(cite=True).render(
        "A doi:10.1000/1\nand [see @doi:10.1000/182;\n@doi:10.1000/183].", env
    )
    assert [(each.doi.name, each.line) for each in env["dois"]] == [
        ("10.1000/1", 1), ("10.1000/182", 2), ("10.1000/183", 3),
    ]  # fmt: skip


def test_the_description_of_an_image_stays():
    html = markdown(cite=True).render("![see @doi:10.1000/a_b_c [x]](u)\n\n![@doi:10.1000/182](u)")
    assert [each.get("alt") for each in tree(html).iter("img")] == [
        "see @doi:10.1000/a_b_c [x]", "@doi:10.1000/182",
    ]  # fmt: skip


def test_the_plug_in_used_again_has_the_new_options():
    md = markdown(cite=True).use(doi_plugin)
    assert md.render("@doi:10.1000/182 [doi-list]") == "<p>@doi:10.1000/182 [doi-list]</p>\n"
    assert "Paskin" in md.use(doi_plugin, cite=True).render("@doi:10.1000/182")


# Lists

PAGE = """\
# Head [@doi:10.1000/183]

See @doi:10.1000/182, doi:10.1000/182 and a note.[^1]

| a | b |
|---|---|
| [@doi:10.1000/a_b_c] | doi:10.1000/unknown |

{}

[^1]: As @doi:10.1000/183 says.
"""


def test_a_list_has_the_works_of_the_page_and_leads_back():
    html = markdown(cite=True).render(PAGE.format("[doi-list]"))
    root = tree(html)
    [div] = [each for each in root.iter("div") if each.get("class") == "doi-list"]
    assert div.get("role") == "doc-bibliography"
    said = ["".join(item.itertext()) for item in div.iter("li")]
    assert said == [
        'Retracted. Miller & Berg (1999). The "title" -- of it... Names, 3. doi:10.1000/a_b_c ↩',
        "Paskin, N. (2000a). Another. doi:10.1000/183 ↩ 1 2",
        "Paskin, N. (2000b). DOI Handbook. doi:10.1000/182 ↩ 1 2",
        "doi:10.1000/unknown ↩",
    ]
    assert "Paskin (2000b)" in shown(html)
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    targets = [link["href"][1:] for link in links(html) if link["href"].startswith("#")]
    assert set(targets) <= set(ids)
    assert "doi-10-1000-182" in targets
    assert "at-doi-10-1000-182-2" in targets
    labels = [link["aria-label"] for link in links(html) if link.get("class") == "doi-back"]
    assert labels[:3] == ["Back to the text", "Back to the text, 1", "Back to the text, 2"]


def test_a_list_may_be_by_places():
    html = markdown(cite=True).render(PAGE.format("[doi-list order=places]"))
    [items] = [each for each in tree(html).iter("ol") if "Another" in "".join(each.itertext())][:1]
    names = [each.get("id") for each in items if each.tag == "li"]
    assert names[:2] == ["doi-10-1000-183", "doi-10-1000-182"]


@pytest.mark.parametrize("text", ["[doi-list]", "> [doi-list]", "Text.\n\n[doi-list]\n"])
def test_a_list_without_works_shows_nothing(text):
    assert "doi-list" not in markdown(cite=True).render(text)


def test_an_id_of_the_author_stays_and_a_second_list_has_none():
    text = "[a](https://doi.org/10.1000/182){#mine}\n\n[doi-list]\n\n[doi-list order=places]\n"
    html = markdown(cite=True).render(text)
    assert html.count('href="#mine"') == 2
    assert html.count('id="doi-10-1000-182"') == 1
    assert html.count('class="doi-list"') == 2


def test_what_is_wrong_with_a_list_is_a_warning(caplog):
    markdown(cite=True).render("doi:10.1000/182\n\n[doi-list order=x scope=project]")
    assert caplog.messages == [
        "line 3: doi-list: order takes one of 'names', 'places', 'years', got 'x' [doi-list]",
        "line 3: doi-list: markdown-it-py knows one document, so scope is page [doi-list]",
    ]
    assert all(each.levelno == logging.WARNING for each in caplog.records)


def test_a_style_that_is_not_there_is_one_warning_and_the_plain_style_counts(caplog):
    md = markdown(cite=True, cite_style="no-such-style")
    for _ in range(2):
        html = md.render("doi:10.1000/182\n\n[doi-list]")
    assert "Paskin, N. (2000). DOI Handbook." in shown(html)
    [message] = caplog.messages
    assert message.startswith("the style 'no-such-style' is not used")


def test_a_list_has_a_style_of_its_own():
    md = markdown(cite=True)
    plain, styled = (
        md.render(f"doi:10.1000/182\n\n[doi-list{style}]")
        for style in ("", " style=harvard-cite-them-right")
    )
    assert shown(plain) != shown(styled)
    assert "DOI Handbook" in shown(styled)


def test_without_cite_the_marker_is_text():
    assert markdown(hover=True).render("[doi-list]") == "<p>[doi-list]</p>\n"


@pytest.mark.parametrize("text", ["@doi:10.1000/182 [a](b)", "@doi:10.1000/182 [a][b]\n\n[b]: b"])
def test_a_link_after_a_citation_stays(text):
    html = markdown(cite=True).render(text)
    assert shown(html).strip() == "Paskin (2000) a"
    assert [link["href"] for link in links(html)] == ["https://doi.org/10.1000/182", "b"]
