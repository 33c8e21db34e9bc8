"""No page of a host for Markdown shows the word that stands for a name while the host reads.

The documents have such words of their own, which stay. Host and plug-ins read some texts twice, make
identifiers of headings and descriptions of pictures, and count, sort and quote.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from markdown.extensions.codehilite import CodeHiliteExtension
from markdown.extensions.toc import TocExtension
from pymdownx.blocks.tab import TabExtension
from pymdownx.tabbed import TabbedExtension

from ..tools.hosts import Markdown
from . import HOSTS

PYMDOWNX = """arithmatex betterem caret details emoji inlinehilite keys magiclink mark smartsymbols snippets superfences
tasklist tilde blocks.admonition blocks.details blocks.caption"""
EVERYTHING = (
    "tables", "footnotes", "def_list", "attr_list", "md_in_html", "abbr", "smarty", "admonition",
    CodeHiliteExtension(guess_lang=False),  # to guess, it imports hundreds of lexers
    "fenced_code", "sane_lists", "wikilinks", "nl2br", TocExtension(permalink=True),
    TabbedExtension(alternate_style=True, slugify=lambda text, _: text.lower()),
    TabExtension(alternate_style=True), *(f"pymdownx.{name}" for name in PYMDOWNX.split()),
)  # fmt: skip
PLACES = Path(__file__).with_name("marks.md").read_text()  # of @@
WRITTEN = [
    "10.1000/182", "https://doi.org/10.1000/a_b_c", "10.1002/x<S29::AID>3", "doi:10.1000/a&amp;b",
    "@doi:10.1000/182", "[@doi:10.1000/182]", "[see *@doi:10.1000/182*, p. 3; @doi:10.1000/1]",
    '10.1000/a"b', "zdoi0x 10.1000/182 ZDOI1X zdoi7x", "zdoi" * 40 + " 10.1000/182 zdoibbbbbbbbbbbb0x",
    "zdoi1y§ §zdoi2w &#122;doi0x 10.1000/a_b--c", "10.1000/<script>alert(1)</script>",
]  # fmt: skip
TEXTS = [PLACES.replace("@@", written) for written in WRITTEN]
MARK = re.compile("zdoi[a-z]*[0-9]*[a-z]*|§")
ALL = {
    **{name: host for name, host in HOSTS.items() if name.startswith(("markdown", "myst", "mkdocs"))},
    "usual": Markdown(("extra", "smarty", "toc"), toc=True),
    "everything": Markdown(EVERYTHING, toc=True),
}  # fmt: skip


@cache
def plain(host):
    """The pages without doilinks."""
    return ALL[host].pages(TEXTS, None)


@pytest.mark.filterwarnings("ignore:.*MystReferenceResolver.app.*")
@pytest.mark.parametrize("cite", ["on", "off"])
@pytest.mark.parametrize("host", ALL)
def test_no_page_shows_a_mark(host, cite):
    options = {"cite": cite, "display": "source", "check_lockfile": ""}
    pages = ALL[host].pages(TEXTS, options)
    for written, page, without in zip(WRITTEN, pages, plain(host), strict=True):
        marks, theirs = (MARK.findall(each.lower()) for each in (page, without))
        # The words are those of the author; a host that reads a text twice may tell them twice.
        assert set(marks) == set(theirs), written
        assert len(marks) <= 2 * len(theirs), written
        assert "\x02" not in page
        assert page.count("<script") <= without.count("<script")
        linked = "script" not in written and (cite == "on" or "@" not in written)
        assert "https://doi.org/10.100" in page or not linked, written
