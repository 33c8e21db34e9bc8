"""What readers see of works in Python-Markdown: on hover, in citations, in lists."""

import json
import logging
import re
from html import unescape

import pytest
from markdown import Markdown, markdown

from doilinks import DOI
from doilinks.linking.cite import Shelf
from doilinks.markdown import DoiExtension

WORKS = {
    "10.1000/182": {"title": "DOI Handbook", "author": [["Paskin", "Norman"]], "year": 2000},
    "10.1000/183": {"title": "Another", "author": [["Paskin", "Norman"]], "year": 2000},
    "10.1000/a_b": {"title": "Third", "author": [["Miller", "M."], ["Berg", "B."]], "year": 1999},
    "10.1000/gone": {
        "title": "Wrong", "author": [["Miller", "M."]], "year": 2001, "status": "retracted",
    },
}  # fmt: skip
HOSTILE = [
    "<script>alert(1)</script> \" ' > & &amp; &lt;b&gt;",
    "{{ 1 }} {% raw %} ]]> \\href{javascript:x}{y} $\\href{javascript:x}{y}$ \\(x\\)",
    "](javascript:alert(1)) **b** `c` [x](y) {onclick=alert(1)} *a*{onclick=alert(1)}",
    "\x02wzxhzdk:0\x03 \x02klzzwxh:0001\x03 \x02amp\x03 \x0234\x03",
    "word " * 1000,
    "שלום \u202e עולם",
    "HTML \"quoted\" -- and... 'this' [doi-list] [TOC] [^1] :smile: @doi:10.1000/182",
    "&quot; onmouseover=alert(1) x=&quot; &#34; &",
]


def lock(folder, works=WORKS):
    """Write a lock file with works."""
    entries = {
        f"doi:{name}": {"fetched": "2026-11-20", "type": "book", **work}
        for name, work in works.items()
    }
    path = folder / "doi-lock.json"
    path.write_text(json.dumps({"version": 1, "found": {}, "works": entries}))
    return path


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A lock file in the current folder."""
    monkeypatch.chdir(tmp_path)
    return lock(tmp_path)


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("text", [r"\@doi:10.1000/182 and me\@example.org", r"# \@doi:10.1000/182"])
def test_an_escaped_sign_is_shown_without_the_backslash(text):
    html = markdown(text, extensions=[DoiExtension(cite=True), "toc"])
    assert "\\" not in html
    assert "@doi:10.1000/182" in html
    assert "<a " not in html
    assert r"\@doi" in markdown(text, extensions=["doilinks"])


@pytest.mark.usefixtures("shelf")
def test_links_show_works_on_hover():
    text = (
        "10.1000/182, [x](https://dx.doi.org/10.1000/182), "
        '[y](https://doi.org/10.1000/182 "mine"), 10.1000/unknown, 10.1000/gone'
    )
    html = markdown(text, extensions=[DoiExtension(hover=True)])
    handbook = 'title="Paskin (2000). DOI Handbook."'
    assert html == (
        f'<p><a class="doi" href="https://doi.org/10.1000/182" {handbook}>doi:10.1000/182</a>, '
        f'<a class="doi" href="https://doi.org/10.1000/182" {handbook}>x</a>, '
        '<a class="doi" href="https://doi.org/10.1000/182" title="mine">y</a>, '
        '<a class="doi" href="https://doi.org/10.1000/unknown">doi:10.1000/unknown</a>, '
        '<a class="doi doi-retracted" href="https://doi.org/10.1000/gone" '
        'title="Retracted. Miller (2001). Wrong.">doi:10.1000/gone</a></p>'
    )


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("options", "hovers"),
    [
        ({}, False),
        ({"check_works": "warn"}, True),
        ({"check_works": "warn", "hover": False}, False),
    ],
)
def test_hover_is_shown_where_works_are_checked(options, hovers):
    html = markdown("10.1000/182", extensions=[DoiExtension(**options)])
    assert ("title=" in html) is hovers


@pytest.mark.usefixtures("shelf")
def test_attribute_lists_win_and_classes_stay():
    extensions = ["attr_list", DoiExtension(hover=True)]
    html = markdown('[a](doi:10.1000/gone){.note title="mine"}', extensions=extensions)
    assert html == (
        '<p><a class="note doi doi-retracted" href="https://doi.org/10.1000/gone" '
        'title="mine">a</a></p>'
    )


def test_without_a_lock_file_nothing_is_shown_and_nothing_said(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    for lockfile in ("", "none.json", "."):
        extension = DoiExtension(hover=True, check_lockfile=lockfile)
        assert "title" not in markdown("10.1000/182", extensions=[extension])
    assert [record for record in caplog.records if "Is a directory" not in record.message] == []


def test_a_damaged_lock_file_is_reported_once(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "doi-lock.json").write_text("{")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert "title" not in markdown("10.1000/182", extensions=[DoiExtension(hover=True)])
    (record,) = caplog.records
    assert record.message.startswith("doilinks: doi-lock.json")


def test_a_changed_lock_file_is_read_again(shelf):
    md = Markdown(extensions=[DoiExtension(hover=True)])
    assert "DOI Handbook" in md.convert("10.1000/182")
    lock(shelf.parent, {"10.1000/182": {"title": "Other title"}})
    assert "Other title" in md.reset().convert("10.1000/182")


COMPANIONS = ["extra", "smarty", "toc", "admonition", "sane_lists", "wikilinks"]


@pytest.mark.parametrize("title", HOSTILE)
def test_a_hostile_title_stays_text_on_hover(title, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lock(tmp_path, {"10.1000/182": {"title": title, "author": [[title, title]]}})
    html = markdown(
        "*[HTML]: Hyper\n\n# 10.1000/182\n\n<b>*</b> 10.1000/182",
        extensions=[*COMPANIONS, DoiExtension(hover=True)],
    )
    links = re.findall(r"<a[^<>]*>", html)
    assert len(links) == 2
    for link in links:
        pattern = r'<a class="doi" href="https://doi.org/10.1000/182" title="[^"<>]*"( /)?>'
        assert re.fullmatch(pattern, link), link
    assert not re.search("[\x02\x03]", html)


def shown(text, *extensions, **options):
    """The HTML of a text, in which works are cited."""
    return markdown(text, extensions=[*extensions, DoiExtension(cite=True, **options)])


def plain(html):
    return unescape(re.sub(r"<[^<>]*>", "", html)).strip()


ROWS = [
    ("As @doi:10.1000/182 says.", "As Paskin (2000) says."),
    ("As @doi:10.1000/182.", "As Paskin (2000)."),
    ("As @doi:10.1000/182 [p. 3] says.", "As Paskin (2000, p. 3) says."),
    ("Paskin -@doi:10.1000/182 says.", "Paskin (2000) says."),
    ("[see @doi:10.1000/182, p. 3; also @doi:10.1000/a\\_b]!",
     "(see Paskin, 2000, p. 3; also Miller & Berg, 1999)!"),
    ("[see *also* @{doi:10.1000/182}, p. **3**]", "(see also Paskin, 2000, p. 3)"),
    ("[see `a` @doi:10.1000/182 [x](y)]", "[see a Paskin (2000) x]"),
    ("[&lt;b&gt; @doi:10.1000/182, p. &amp;]", "(<b> Paskin, 2000, p. &)"),
    ("[@doi:10.1000/182, 10.1000/183]", "(Paskin, 2000, 10.1000/183)"),
    ("@doi:10.1000/a_b and _x_", "Miller & Berg (1999) and x"),
    ("*@doi:10.1000/182*", "Paskin (2000)"),
    ("[@doi:10.1000/unknown] 10.1000/182", "(doi:10.1000/unknown) doi:10.1000/182"),
    ("@doi:10.1000/182 [p. `3`]", "Paskin (2000) [p. 3]"),
    ("@doi:10.1000/182 [p. &lt;]", "Paskin (2000, p. <)"),
    # These are none.
    ("me@doi:10.1000/182", "me@doi:10.1000/182"),
    ("`@doi:10.1000/182`", "@doi:10.1000/182"),
    ("    @doi:10.1000/182", "@doi:10.1000/182"),
    ("[@doi:10.1000/182](x)", "@doi:10.1000/182"),
    ("<b title='@doi:10.1000/182'>b</b>", "b"),
    ("<code>@doi:10.1000/182</code>", "@doi:10.1000/182"),
    ("<a href='x'>[@doi:10.1000/182]</a>", "[@doi:10.1000/182]"),
    ("<div>@doi:10.1000/182</div>", "@doi:10.1000/182"),
    ("<me@doi:10.1000/182>", "me@doi:10.1000/182"),
    (r"\[@doi:10.1000/182\] \@doi:10.1000/182", "[@doi:10.1000/182] @doi:10.1000/182"),
]  # fmt: skip


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(("text", "says"), ROWS)
@pytest.mark.parametrize("companions", [[], ["extra", "attr_list", "smarty"]])
def test_citations(text, says, companions):
    assert plain(shown(text, *companions)) == says


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("text", [text for text, _ in ROWS] + ["[doi-list]"])
def test_without_the_option_nothing_changes(text):
    assert "doi-c" not in markdown(text, extensions=["doilinks"])
    assert "doi-list" not in markdown(text, extensions=["doilinks"]) or text == "[doi-list]"


@pytest.mark.usefixtures("shelf")
def test_a_citation_leads_to_doi_org_without_a_list():
    assert shown("[see @doi:10.1000/182, p. 3]", hover=True) == (
        '<p><span class="doi-citation">(see <a class="doi doi-cite" '
        'href="https://doi.org/10.1000/182" title="Paskin (2000). DOI Handbook.">Paskin, 2000</a>'
        ", p. 3)</span></p>"
    )


@pytest.mark.usefixtures("shelf")
def test_a_list_of_references():
    text = "@doi:10.1000/182, 10.1000/183 and @doi:10.1000/182; @doi:10.1000/x\n\n[doi-list]\n"
    html = shown(text, check_lockfile="doi-lock.json")
    assert html == (
        '<p><a class="doi doi-cite" href="#doi-10-1000-182" id="at-doi-10-1000-182-1">'
        'Paskin (2000)</a>, <a class="doi" href="https://doi.org/10.1000/183" '
        'id="at-doi-10-1000-183-1">doi:10.1000/183</a> and '
        '<a class="doi doi-cite" href="#doi-10-1000-182" id="at-doi-10-1000-182-2">'
        'Paskin (2000)</a>; <a class="doi" href="https://doi.org/10.1000/x" '
        'id="at-doi-10-1000-x-1">doi:10.1000/x</a></p>\n'
        '<div class="doi-list" role="doc-bibliography">\n<ul>\n'
        '<li id="doi-10-1000-183">Paskin, N. (2000). <i>Another</i>. '
        '<a class="doi" href="https://doi.org/10.1000/183">doi:10.1000/183</a> '
        '<a aria-label="Back to the text" class="doi-back" href="#at-doi-10-1000-183-1">↩</a>'
        '</li>\n<li id="doi-10-1000-182">Paskin, N. (2000). <i>DOI Handbook</i>. '
        '<a class="doi" href="https://doi.org/10.1000/182">doi:10.1000/182</a> ↩ '
        '<a aria-label="Back to the text, 1" class="doi-back" href="#at-doi-10-1000-182-1">1</a> '
        '<a aria-label="Back to the text, 2" class="doi-back" href="#at-doi-10-1000-182-2">2</a>'
        '</li>\n<li id="doi-10-1000-x">'
        '<a class="doi" href="https://doi.org/10.1000/x">doi:10.1000/x</a> '
        '<a aria-label="Back to the text" class="doi-back" href="#at-doi-10-1000-x-1">↩</a>'
        "</li>\n</ul>\n</div>"
    )


@pytest.mark.usefixtures("shelf")
def test_works_cited_alike_get_letters_in_text_and_list():
    text, _, entries = plain(
        shown("[@doi:10.1000/182; -@doi:10.1000/183]\n\n[doi-list]")
    ).partition("\n")
    assert text == "(Paskin, 2000b; 2000a)"
    assert "(2000b). DOI Handbook." in entries
    assert entries.index("2000a") < entries.index("2000b")


@pytest.mark.usefixtures("shelf")
def test_ids_of_an_attribute_list_are_where_links_lead_back():
    html = shown("[a](doi:10.1000/182){#mine .note}\n\n[doi-list]", "attr_list")
    assert 'id="mine"' in html
    assert 'href="#mine"' in html


@pytest.mark.usefixtures("shelf")
def test_headings_footnotes_and_tables():
    md = Markdown(extensions=["extra", "toc", "admonition", DoiExtension(cite=True)])
    html = md.convert(
        "# On @doi:10.1000/182\n\nA[^1]\n\n[^1]: [@doi:10.1000/183]\n\n"
        "!!! note\n    @doi:10.1000/a_b\n\n| a | b |\n|---|---|\n| [@doi:10.1000/182] | c |\n\n"
        "* x\n\n  [doi-list]\n"
    )
    assert md.toc_tokens[0]["name"] == "On Paskin (2000b)"
    assert md.toc_tokens[0]["id"] == "on-doi101000182"
    assert html.count("doi-cite") == 4
    assert [found.doi.name for found in md.dois] == [
        "10.1000/182", "10.1000/a_b", "10.1000/182", "10.1000/183",
    ]  # fmt: skip
    targets = set(re.findall(r'href="#([^"]*)"', html))
    assert targets <= set(re.findall(r'id="([^"]*)"', html))


@pytest.mark.usefixtures("shelf")
def test_what_is_shown_is_not_compared_with_the_work_itself():
    md = Markdown(extensions=[DoiExtension(cite=True)])
    md.convert("As @doi:10.1000/182 says, after 10.1000/183.")
    assert [found.block for found in md.dois] == [
        None, "As doi:10.1000/182 says, after doi:10.1000/183.",
    ]  # fmt: skip


@pytest.mark.usefixtures("shelf")
def test_the_place_of_a_list():
    assert shown("[doi-list]") == ""
    for text in ("a [doi-list]", "# [doi-list]", "`[doi-list]`", "    [doi-list]", "[doi-lists]"):
        html = shown(f"@doi:10.1000/182\n\n{text}")
        assert "[doi-list" in html
        assert "doc-bibliography" not in html


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@doi:10.1000/x @doi:10.1000/x @doi:10.1000/182",
         "the work of doi:10.1000/x is not in doi-lock.json: run doilinks works --fetch [doi-cite]"),
        ("[doi-list order=days]", "doi-list: order takes one of 'names', 'places', 'years', got 'days' [doi-list]"),
        ("[doi-list sort=years]", "doi-list: sort: there is no such option (there are: order, scope, style) [doi-list]"),
        ("[doi-list scope=project]",
         "doi-list: Python-Markdown knows one page, so scope is page [doi-list]"),
    ],
)  # fmt: skip
def test_warnings(text, said, caplog):
    shown(text)
    assert [record.message for record in caplog.records] == [f"doilinks: {said}"]


@pytest.mark.parametrize("title", HOSTILE)
@pytest.mark.parametrize(
    "companions",
    [[], COMPANIONS, [*COMPANIONS, *(f"pymdownx.{name}" for name in (
        "magiclink", "superfences", "arithmatex", "tilde", "betterem", "emoji", "smartsymbols"))]],
)  # fmt: skip
def test_a_hostile_work_stays_text(title, companions, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    work = {"title": title, "author": [[title, title]], "container": title, "publisher": title}
    lock(tmp_path, {"10.1000/182": work, "10.1000/183": {"title": title}})
    html = shown(
        "*[HTML]: Hyper\n*[word]: W\n\n# On @doi:10.1000/182\n\n<b>*</b> [see @doi:10.1000/182; "
        '@doi:10.1000/183]{.x} "@doi:10.1000/183"\n\n[doi-list]\n',
        *companions,
        hover=True,
    )  # fmt: skip
    assert not re.search("[\x02\x03]", html)
    tags = set(re.findall(r"<(\w+)", html))
    # Without abbreviations, the asterisks of their definitions are the author's emphasis.
    emphasis = set() if companions else {"em"}
    assert tags <= {"h1", "p", "b", "span", "a", "div", "ul", "li", "i"} | emphasis
    attributes = {name for tag in re.findall(r"<\w[^<>]*>", html) for name in re.findall(
        r' ([\w-]+)="[^"]*"', tag)}  # fmt: skip
    assert attributes <= {"class", "href", "id", "title", "aria-label", "role"}
    entry = re.search(r'<li[^<>]*id="doi-10-1000-183".*', html)[0]
    assert ("mathjax_ignore" in entry) is ("\\" in title or "$" in title)
    assert work_of(tmp_path).title in plain(entry)


def work_of(folder):
    return Shelf(folder / "doi-lock.json").work(DOI("10.1000/183"))


@pytest.mark.usefixtures("shelf")
def test_lists_of_attributes_that_could_harm_stay_text():
    for text in (
        "@doi:10.1000/182{onclick=alert(1)}",
        "[@doi:10.1000/182]{onclick=alert(1)}",
        "[@doi:10.1000/182{onclick=alert(1)}]",
        "@doi:10.1000/a_, @doi:10.1000/b_{onclick=alert(1)}",
        "[@doi:10.1000/a_], [@doi:10.1000/b_]{onclick=alert(1)}",
    ):
        html = shown(text, "attr_list", "extra")
        assert not re.search(r"<[^<>]*onclick", html), html


@pytest.mark.usefixtures("shelf")
def test_a_style_that_cannot_be_used_is_reported_once_where_there_is_a_list(caplog):
    for _ in range(2):
        shown("@doi:10.1000/182", cite_style="no-such-style")
    assert caplog.records == []
    for _ in range(2):
        html = shown("@doi:10.1000/182\n\n[doi-list]", cite_style="no-such-style")
        assert "Paskin, N. (2000)" in plain(html)
    (record,) = caplog.records
    assert record.message.startswith("doilinks: the style 'no-such-style' is not used: ")


@pytest.mark.usefixtures("shelf")
def test_a_list_without_works_shows_nothing():
    html = markdown("A\n\n[doi-list]\n\nB", extensions=[DoiExtension(cite=True)])
    assert html.split() == ["<p>A</p>", "<p>B</p>"]


@pytest.mark.usefixtures("shelf")
def test_the_id_of_a_heading_does_not_depend_on_a_record(shelf):
    text = "# On [@doi:10.1000/182]\n\n# On [@doi:10.1000/182]\n\n# Own @doi:10.1000/182 {#own}\n"
    ids = []
    for works in (WORKS, {}):
        lock(shelf.parent, works)
        html = markdown(text, extensions=["extra", "toc", DoiExtension(cite=True)])
        ids.append(re.findall('<h1 id="([^"]*)"', html))
    assert ids == [["on-doi101000182", "on-doi101000182_1", "own"]] * 2
