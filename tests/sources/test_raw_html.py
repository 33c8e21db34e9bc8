"""Raw HTML in documents of other markup: what a page of HTML has counts there too."""

import json

import pytest

from doilinks.core.options import Options
from doilinks.sources import read

from ..tools.places import assert_places, names, rows, unmarked

# A mark and the last digit of a name: what the reader of pages finds.
HTML = """<p class="a">See <a href="▸https://doi.org/10.1000/1">doi:10.1000/1</a>, ▸10.1000/2&amp;3,
  ▸doi:10.1000/4 <code>10.1000/no</code> <!-- 10.1000/no --> <script>"10.1000/no"</script>
  <a href="▸https://doi.org/10.1000/a&amp;b"><img src="https://a.org/10.1000/no.svg"></a></p>
"""
EXPECTED = [("10.1000/1", "link"), ("10.1000/2&3", "bare"), ("10.1000/4", "label"), ("10.1000/a&b", "link")]  # fmt: skip
INDENTED = HTML.replace("\n", "\n   ")
FRAMES = {
    "rst": [
        f"Title\n=====\n\n.. raw:: html\n\n   {INDENTED}\n\nAfter.\n",
        f".. raw:: HTML\n   :class: x\n\n   {INDENTED}",
        f"::\n\n   10.1000/no\n\n.. only:: html\n\n   .. raw:: html\n\n      {INDENTED}".replace("\n   ", "\n      "),
        f"* Item\n\n  .. raw:: html\n\n     {INDENTED}",
        f".. note::\n\n   .. raw:: latex html\n\n      {INDENTED}",
    ],
    "md": [
        f"# Title\n\n{HTML}\nAfter.\n",
        f"* Item\n\n   {INDENTED}",
        f"> {HTML.strip()}\n".replace("\n  ", "\n>   "),
        f"```{{=html}}\n{HTML}```\n",
        f"```{{raw}} html\n{HTML}```\n",
        f":::{{raw}} html\n{HTML}:::\n",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(k, text) for k in FRAMES for text in FRAMES[k]])
def test_raw_html_has_what_a_page_has(kind, text):
    assert [(name, form) for name, _, _, form in rows(unmarked(HTML)[0], "html")] == EXPECTED
    assert_places(text, kind, EXPECTED)


def test_in_a_notebook():
    text, _ = unmarked(HTML)
    source = json.dumps({"cells": [{"cell_type": "markdown", "source": ["# T\n", "\n", text]}]})
    assert names(source, "ipynb") == [name for name, _ in EXPECTED]


BADGE = """<p><img src="https://a.org/badge/DOI/10.1000/1.svg" title="10.1000/1"> ▸10.1000/1
<b>10.1000/1x</b> <i title="10.1000/2">10.1000/23</i> ▸10.1000/2</p>
""".replace("<b>", "<b>▸").replace('2">', '2">▸')


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("md", BADGE),
        ("md", "> " + BADGE.rstrip().replace("\n", "\n> ")),
        ("md", "A " + BADGE.replace("<p>", "").replace("</p>", "")),
        ("rst", ".. raw:: html\n\n   " + BADGE.replace("\n", "\n   ")),
        ("rst", "* .. raw:: html\n\n     " + BADGE.replace("\n", "\n     ")),
    ],
)
def test_a_name_in_an_attribute_is_not_the_place(kind, text):
    names = [f"10.1000/{number}" for number in ("1", "1x", "23", "2")]
    assert_places(text, kind, [(name, "bare") for name in names])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("rst", ".. raw:: latex\n\n   10.1000/no\n"),
        ("rst", ".. raw:: html\n   :url: https://doi.org/10.1000/no\n"),
        ("rst", ".. code:: html\n\n   <p>10.1000/no</p>\n"),
        ("md", "```html\n<p>10.1000/no</p>\n```\n"),
        ("md", "```{=latex}\n10.1000/no\n```\n"),
        ("md", "```{raw} latex\n10.1000/no\n```\n"),
        ("md", "`<p>10.1000/no</p>`\n"),
    ],
)
def test_other_raw_text_does_not_count(kind, text):
    assert names(f"{text}\n10.1000/1\n", kind) == ["10.1000/1"]


LINKS = [
    ('<a href="▸https://doi.org/10.1000/1">doi:10.1000/2</a>', ["10.1000/1"], ["text-names-another"]),
    ('<A HREF="▸">10.1000/a&amp;b</A >', ["10.1000/a&b"], ["bare-target"]),
    ('<a name="x">▸10.1000/3</a>, <a id="y">*▸10.1000/4*</a>', ["10.1000/3", "10.1000/4"], []),
    ('<a href="https://example.org">10.1000/no</a> <abbr>▸10.1000/5</abbr>', ["10.1000/5"], []),
    ('<a href="▸https://doi.org/10.1000/6">never ended', ["10.1000/6"], []),
]  # fmt: skip


@pytest.mark.parametrize(("link", "expected", "remarks"), LINKS)
@pytest.mark.parametrize("frame", ["See {}.", "> * See\n>   {}.", "# A {} title"])
def test_a_link_in_prose_is_read_with_its_text(frame, link, expected, remarks):
    text, places = unmarked(frame.format(link))
    found = [*read(text, "md", Options())]
    assert [place.doi.name for place in found] == expected
    assert [(place.line, place.column) for place in found] == places
    assert [remark.code for place in found for remark in place.remarks] == remarks
