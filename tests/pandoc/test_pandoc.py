"""The filter in the real pandoc: readers, writers, links, citeproc."""

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from doilinks import DOI
from doilinks.hosts.pandoc.text import Settings
from doilinks.pandoc import PandocError, rewrite

from ..tools.hosts import FILTER, pandoc
from ..tools.links import html_links, visible
from ..tools.modules import quick
from .filtered import links, run, tree

SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0"
SICI_URI = "doi:10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0"
SICI_URL = "https://doi.org/" + SICI_URI.removeprefix("doi:")
BASIC = ("doi:10.1000/182", "https://doi.org/10.1000/182")
HASH = ("doi:10.1000/456%23789", "https://doi.org/10.1000/456%23789")
ASEE = ("doi:10.18260/1-2--11357", "https://doi.org/10.18260/1-2--11357")


PAGES = Path(__file__).parent / "pages"
CONTAINERS, EXISTING, UNTOUCHED = (
    (PAGES / f"{name}.md").read_text(encoding="utf-8")
    for name in ("containers", "existing", "untouched")
)
SENTENCE = f"See doi:10.1000/182, 10.1000/456#789 and 10.18260/1-2--11357; {SICI}."
READERS = {
    **dict.fromkeys(("markdown", "gfm", "commonmark_x", "rst"), SENTENCE),
    "latex": SENTENCE.replace("#", r"\#"),
    "html": "<p>" + SENTENCE.replace("<", "&lt;").replace(">", "&gt;"),
}


@pytest.mark.parametrize("reader", READERS)
def test_readers(reader):
    assert links(READERS[reader], reader) == [BASIC, HASH, ASEE, (SICI_URI, SICI_URL)]


def test_docx_is_read_and_written(tmp_path):
    first, second = tmp_path / "a.docx", tmp_path / "b.docx"
    source = READERS["markdown"]
    pandoc("-f", "markdown-smart", "-o", first, given=source, doilinks=False)
    html = pandoc(first, "-t", "html").stdout.decode()
    assert html_links(html) == [BASIC, HASH, ASEE, (SICI_URI, SICI_URL)]
    pandoc("-f", "markdown", "-o", second, given=source)
    again = pandoc(second, "-t", "html", doilinks=False).stdout.decode()
    assert html_links(again) == [BASIC, HASH, ASEE, (SICI_URI, SICI_URL)]


def test_latex_target_and_text():
    made = pandoc("-f", "markdown", "-t", "latex", given=READERS["markdown"]).stdout.decode()
    assert r"\href{https://doi.org/10.1000/182}{doi:10.1000/182}" in made
    assert r"{https://doi.org/10.1000/456\%23789}{doi:10.1000/\allowbreak{}456\%23789}" in made
    # TeX makes no dash of two hyphens in boxes, and ends no line after one.
    assert r"{doi:10.18260/\allowbreak{}1\mbox{-}2\mbox{-}\mbox{-}11357}" in made


def test_bookmarks_hold_the_whole_name():
    made = pandoc(
        "-f", "markdown", "-t", "latex", given=b"# See 10.1000/1-2--3, x\n"
    ).stdout.decode()
    assert "}{See doi:10.1000/1-2-" in made
    assert re.search(r"\}\{See doi:10\.1000/1-2-(\\/|\{\})?-3, x\}", made), made


def test_what_smart_did_is_undone_in_names_alone():
    text = 'It\'s -- a "range"... 10.1000/it\'s--x...y "10.1000/a" 5--6 --- \'b\' 10.1000/x"y"z...'
    made = pandoc("-f", "markdown", "-t", "plain", given=text).stdout.decode()
    assert made.strip() == (
        "It’s – a “range”… doi:10.1000/it's--x...y “doi:10.1000/a” 5–6 — ‘b’ doi:10.1000/x%22y%22z…"
    )


def test_a_dash_that_no_reader_made_stays():
    assert links("<p>10.1000/a–b</p>", "html") == [
        ("doi:10.1000/a%E2%80%93b", "https://doi.org/10.1000/a%E2%80%93b")
    ]


def test_markup_whose_spelling_is_lost_keeps_the_text():
    texts = [
        "<p>10.1000/a<em>b</em>c</p>",
        "<p>10.1000/a<b>b c</b></p>",
        "<p>10.1000/a<code>b</code>",
    ]
    assert links("".join(texts), "html") == []
    assert links("10.1000/a*b*\n\n10.1000/(_b_)c\n\n10.1000/a~b~") == []


def test_markup_around_and_behind_a_name_stays():
    text = (
        "*10.1000/1* **doi:10.1000/2**. 10.1000/3^1^ 10.1000/4[^n] ~~10.1000/5~~\n\n[^n]: 10.1000/6"
    )
    made = pandoc("-f", "markdown", "-t", "html", given=text).stdout.decode()
    assert [DOI.parse(href).suffix for _, href in html_links(made) if "doi" in href] == list(
        "123456"
    )
    assert all(tag in made for tag in ("<em><a", "<strong><a", "</a><sup>1</sup>", "<del><a"))


def test_every_container():
    made = pandoc("-f", "markdown", "-t", "html", given=CONTAINERS).stdout.decode()
    found = [DOI.parse(href).suffix for _, href in html_links(made)]
    assert sorted(found) == sorted(["h", "l", "t", "d", "i", "c", "a", "b", "f", "s", "sc"])
    assert 'alt="Figure 10.1000/f"' in made or "alt" not in made


def test_untouched_to_the_byte():
    given = tree(UNTOUCHED)
    assert "10.1000/12" in given
    assert run(given).stdout.decode() == given


def test_a_document_without_dois_is_passed_on_as_it_is():
    given = '{ "pandoc-api-version" : [1,23,1], "meta":{},\n"blocks":[{"t":"Para","c":[{"t":"Str","c":"\\ud800 5.10.2020"}]}] }\n'
    assert run(given).stdout.decode() == given


def test_only_the_blocks_that_change_are_written_anew():
    given = '{"blocks":[ {"t":"Para", "c":[{"t":"Str","c":"a"}]},{"t":"Para","c":[{"t":"Str","c":"10.1000/1\\ud800"}]}],"meta":{},"pandoc-api-version":[1,23,1]}'
    made = run(given).stdout.decode()
    assert made.startswith('{"blocks":[ {"t":"Para", "c":[{"t":"Str","c":"a"}]},')
    assert made.endswith('],"meta":{},"pandoc-api-version":[1,23,1]}')
    link, rest = json.loads(made)["blocks"][1]["c"]
    assert (link["t"], rest) == ("Link", {"t": "Str", "c": "\ud800"})


def test_existing_links():
    made = pandoc("-f", "markdown", "-t", "html", given=EXISTING).stdout.decode()
    zenodo = ("", "https://doi.org/10.5281/zenodo.1")
    assert html_links(made) == [
        *(BASIC, ("title", BASIC[1]), BASIC, BASIC, (SICI_URI, SICI_URL), BASIC, zenodo, BASIC)
    ]
    assert 'id="i" class="own doi" data-k="v" title="t">title</a>' in " ".join(made.split())
    assert "doi: <a" not in made


def test_a_link_that_is_to_be_kept_takes_neither_label_nor_tail():
    text = "DOI: www.doi.org/10.1000/182 www.doi.org/10.1002/a<b>c"
    arguments = ("-f", "gfm", "-t", "html", "-M", "doi-urls=keep")
    plain = pandoc(*arguments, given=text, doilinks=False).stdout
    assert pandoc(*arguments, given=text).stdout == plain


@pytest.mark.parametrize(
    "reader", ["gfm", "markdown+autolink_bare_uris", "commonmark_x+autolink_bare_uris"]
)
def test_links_that_an_autolinker_cut(reader):
    text = f"See https://doi.org/{SICI}, and https://dx.doi.org/10.1000/182. 10.1000/a@b.org 10.4028/www.scientific.net/a.1."
    assert links(text, reader) == [
        (SICI_URI, SICI_URL),
        BASIC,
        ("doi:10.1000/a@b.org", "https://doi.org/10.1000/a@b.org"),
        ("doi:10.4028/www.scientific.net%2Fa.1", "https://doi.org/10.4028/www.scientific.net/a.1"),
    ]  # fmt: skip


def test_an_autolink_that_the_reader_has_encoded_ends_there_too():
    first, second = links(
        'https://doi.org/10.1000/a"b;https://doi.org/10.1000/c', "markdown+autolink_bare_uris"
    )
    assert first == ("doi:10.1000/a%22b", "https://doi.org/10.1000/a%22b")
    assert second == ("doi:10.1000/c", "https://doi.org/10.1000/c")


def test_the_rest_of_an_autolink_has_a_position():
    text = "See https://doi.org/10.1000/abc;https://doi.org/10.1000/def。"
    found = rewrite(tree(text, "gfm+sourcepos"), Settings(bare_urls=True)).dois
    assert [(each.doi.name, each.line, each.column) for each in found] == [
        ("10.1000/abc", 1, 5),
        ("10.1000/def", 1, 33),
    ]


def test_a_link_in_angle_brackets_is_whole_where_bare_urls_are_none():
    name = "10.1000/a。b"
    assert links(f"<https://doi.org/{name}>") == links(f"[](https://doi.org/{name})")


@pytest.mark.parametrize("reader", ["gfm", "commonmark", "commonmark_x", "gfm+sourcepos"])
def test_a_name_of_which_commonmark_makes_an_autolink(reader):
    name = "10.1002/(SICI)1099-1751(199706)12:1+<S29::AID-HPM465>3.0.CO;2-U"
    doi = DOI(name)
    assert links(f"See {name}, 10.1000/182<xx:y> and a<zz:1>2.", reader) == [
        (doi.uri, doi.url),
        BASIC,
        ("xx:y", "xx:y"),
        ("zz:1", "zz:1"),
    ]


@pytest.mark.parametrize("reader", ["rst", "mediawiki", "dokuwiki"])
def test_urls_that_other_readers_cut_at_two_colons(reader):
    assert links(f"See {SICI_URL} there.", reader) == [(SICI_URI, SICI_URL)]


def test_a_url_as_the_text_of_its_own_link():
    """Pandoc's reader of gfm makes a link of it, within the link."""
    url = BASIC[1]
    made = pandoc("-f", "gfm", "-t", "html", given=f"DOI: [{url}]({url}).").stdout.decode()
    assert made == f'<p><a href="{url}" class="doi">{BASIC[0]}</a>.</p>\n'


EVERYTHING = "\n\n".join(
    [
        *READERS.values(), EXISTING, CONTAINERS, UNTOUCHED.split("---", 2)[2],
        'DOI: 10.1000/a<b, doi:10.1000/a%25b, "10.1000/q" 10.1000/1;10.1000/2 10.1000/it\'s',
        "DOI: <https://doi.org/10.1000/182>, (DOI: [10.1000/182](https://doi.org/10.1000/182))",
    ]
)  # fmt: skip


@pytest.mark.parametrize("reader", ["markdown", "gfm", "commonmark_x+sourcepos"])
def test_twice_is_once(reader):
    given = tree(EVERYTHING, reader)
    for display in ("uri", "legible", "url", "name", "source"):
        meta = json.dumps({"doi-display": {"t": "MetaString", "c": display}})
        once = rewrite(given.replace('"meta":{}', f'"meta":{meta}')).text
        assert '"doi"' in once
        assert rewrite(once).text == once


BIBLIOGRAPHY = """---
references:
- {id: a, type: article-journal, title: On names, DOI: '10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0', author: [{family: A}], issued: 1998}
- {id: b, type: article-journal, title: On hashes, DOI: '10.1000/456#789', author: [{family: B}], issued: 2000}
---

See @a and [@b, doi:10.1000/182].
"""

STYLE = """<style xmlns="http://purl.org/net/xbiblio/csl" class="{kind}" version="1.0"><info><title>t</title>
<id>t</id><updated>2020-01-01T00:00:00+00:00</updated></info>
<citation><layout><text variable="title"/><text variable="DOI" prefix="{prefix}"/></layout></citation>
<bibliography><layout><text variable="title"/><text variable="DOI" prefix="{prefix}"/></layout></bibliography></style>"""


STYLES = [("in-text", " https://doi.org/"), ("in-text", " doi: "), ("note", " doi:")]


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize(("kind", "prefix"), STYLES)
def test_the_text_of_citeproc_keeps_its_style(tmp_path, kind, prefix, linked):
    style = tmp_path / "style.csl"
    style.write_text(STYLE.format(kind=kind, prefix=prefix))
    given = ["-f", "markdown", "-t", "html", f"--csl={style}", "--citeproc"]
    if not linked:
        given.append("--metadata=link-bibliography=false")
    alone, made = (
        pandoc(*given, *more, given=BIBLIOGRAPHY, doilinks=False).stdout.decode()
        for more in ((), ("--filter", quick(FILTER)))
    )
    alone, made = (text.replace("doi:10.1000/182", "") for text in (alone, made))
    assert visible(made) == visible(alone)
    found = [target for _, target in html_links(made[made.index('id="refs"') :])]
    assert SICI_URL in found
    assert ("https://doi.org/10.1000/456#789" in found) == ("https" in prefix and not linked)
    assert made.count(f'href="{SICI_URL}"') == (2 if kind == "note" else 1)


@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize(("kind", "prefix"), STYLES)
def test_citeproc_with_the_option_urls(tmp_path, kind, prefix, order):
    style = tmp_path / "style.csl"
    style.write_text(STYLE.format(kind=kind, prefix=prefix))
    filters = ["--citeproc", "--filter", quick(FILTER)]
    filters = filters if order == "after" else [*filters[1:], filters[0]]
    if order == "before":
        filters += ["--filter", quick(FILTER)]
    given = ("-f", "markdown", "-t", "html", f"--csl={style}", "-M", "doi-urls=rewrite", *filters)
    made = pandoc(*given, given=BIBLIOGRAPHY, doilinks=False).stdout.decode()
    bibliography = made[made.index('id="refs"') :]
    found = [link for link in html_links(bibliography) if "doi" in link[1]]
    assert found[:2] == [(SICI_URI, SICI_URL), HASH]
    assert "doi: <a" not in bibliography
    assert "doi.org/<a" not in bibliography
    if kind == "note":
        assert html_links(made).count(HASH) == 2


FIELDS = {
    "10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-0": (SICI_URI, SICI_URL),
    f"https://doi.org/{SICI}": (SICI_URI, SICI_URL),
    SICI: (SICI_URI, SICI_URL),
    SICI.replace("<", "&lt;").replace(">", "&gt;"): (SICI_URI, SICI_URL),
    SICI.replace("<", "$<$").replace(">", "$>$"): (SICI_URI, SICI_URL),
    SICI.replace("<", r"{\textless}").replace(">", r"\textgreater "): (SICI_URI, SICI_URL),
    SICI.replace("(", r"\%28").replace(")", r"\%29"): (SICI_URI, SICI_URL),
    "10.1000/456#789": HASH,
    r"10.1000/456\#789": HASH,
    "10.1000/a?b": ("doi:10.1000/a%3Fb", "https://doi.org/10.1000/a%3Fb"),
    r"10.1007/3-10590-1{\_}53": ("doi:10.1007/3-10590-1_53", "https://doi.org/10.1007/3-10590-1_53"),
    r"10.1007/3-10590-1\_53": ("doi:10.1007/3-10590-1_53", "https://doi.org/10.1007/3-10590-1_53"),
}  # fmt: skip


LABELS = {
    "***DOI:*** 10.1000/182": "10.1000/182",
    "**DOI**\n: 10.1000/182": "10.1000/182",
    "**DOI `:`** 10.1000/182": BASIC[0],
    "**DOI:** and 10.1000/182": BASIC[0],
    "**DOI:** `x` 10.1000/182": BASIC[0],
    "*[doi](x)*: 10.1000/182": BASIC[0],
}


@pytest.mark.parametrize(
    "reader", ["markdown-definition_lists", "commonmark_x-definition_lists+sourcepos"]
)
def test_labels_in_markup_of_their_own(reader):
    made = pandoc("-f", reader, "-t", "html", given="\n\n".join(LABELS)).stdout.decode()
    paragraphs = made.split("</p>")[:-1]
    for (text, shown), paragraph in zip(LABELS.items(), paragraphs, strict=True):
        assert html_links(paragraph)[-1] == (shown, BASIC[1]), text


@pytest.mark.parametrize("field", ["doi", "url"])
def test_what_citeproc_makes_of_a_field(tmp_path, field):
    proxy = "https://doi.org/" if field == "url" else ""
    values = [value if value.startswith("https") else proxy + value for value in FIELDS]
    entries = [
        f"@article{{k{n:02}, title={{T{n:02}}}, year={{2000}}, {field}={{{value}}}}}"
        for n, value in enumerate(values)
    ]
    path = tmp_path / "fields.bib"
    path.write_text("\n".join(entries))
    keys = "; ".join(f"@k{n:02}" for n in range(len(FIELDS)))
    given = (
        "-f", "markdown", "-t", "html", f"--bibliography={path}", "--citeproc",
        "--filter", quick(FILTER),
    )  # fmt: skip
    rewritten, kept = (
        pandoc(*given, *more, given=f"See [{keys}].", doilinks=False).stdout.decode()
        for more in (("-M", "doi-urls=rewrite"), ())
    )
    assert [link for link in html_links(rewritten) if "doi.org" in link[1]] == [*FIELDS.values()]
    # The style of citeproc shows a URL; what protects characters of the field is not shown.
    found = [link for link in html_links(kept) if "doi.org" in link[1]]
    assert [target for _, target in found] == [target for _, target in FIELDS.values()]
    for text, target in found:
        assert unquote(text) == f"https://doi.org/{DOI.parse(target).name}"


def test_positions_name_the_file(tmp_path):
    (tmp_path / "a.md").write_text("10.1000/1\n")
    (tmp_path / "b.md").write_text("\n10.1000/2\n")
    made = pandoc("-f", "gfm+sourcepos", "-t", "json", "a.md", "b.md", cwd=tmp_path, doilinks=False)
    found = rewrite(made.stdout.decode()).dois
    assert [(f.file, f.line) for f in found] == [("a.md", 1), ("b.md", 2)]


def test_rewrite_refuses_what_is_no_document():
    with pytest.raises(PandocError, match="not known"):
        rewrite('{"pandoc-api-version":[2,0],"meta":{},"blocks":[]}')
