"""To Python-Markdown and its extensions a name is a word, and no page shows what stands for it.

A word of a text is replaced by a name. The page is the page of another word, with the link in its
place. The texts are made by chance; ``DOILINKS_SUITE`` names a folder with tests of the host, of
which the texts are taken too, such as an unpacked source distribution of Python-Markdown.
"""

import os
import re
from pathlib import Path

import pytest
from markdown import Markdown, markdown
from markdown.treeprocessors import Treeprocessor

from ..damage.documents import markdown as by_chance
from ..markdown_it.test_mask import LINK, MARKS, NAME, PLAIN, with_words

EXTRA = ["extra", "smarty", "toc", "sane_lists", "admonition", "wikilinks"]
HOSTS = {
    "alone": [],
    "extra": EXTRA,
    "PyMdown": [
        *EXTRA,
        *(
            f"pymdownx.{name}"
            for name in (
                "arithmatex", "betterem", "caret", "keys", "mark", "magiclink", "smartsymbols",
                "superfences", "tasklist", "tilde",
            )
        ),
    ],
}  # fmt: skip
TEXTS = [by_chance(seed, dois=False) for seed in range(15)]
if folder := os.environ.get("DOILINKS_SUITE"):
    TEXTS += [
        path.read_text(encoding="utf-8")
        for path in sorted(Path(folder).rglob("*.txt"))
        if path.with_suffix(".html").exists()
    ]


# Words that are no prose: those of an admonition, of a block, of a definition; code in colours.
BLOCKS = re.compile(r"(?m)^[ >]*(?:!!!|\?\?\?|///|\*\[|\[).*")
CODE = re.compile(r'<div class="(?:highlight|codehilite)">.*?</div>', re.DOTALL)


@pytest.mark.parametrize("name", HOSTS)
def test_a_name_acts_as_a_word(name):
    ours = {"doilinks": {"display": "source"}}
    md = Markdown(extensions=[*HOSTS[name], "doilinks"], extension_configs=ours)
    host = Markdown(extensions=HOSTS[name])
    compared = linked = 0
    for text in TEXTS:
        for named, worded in with_words(BLOCKS.sub("", text)):
            page = md.reset().convert(named)
            assert "zdoi" not in page.lower(), named
            shown, links = LINK.subn(r"\1", page)
            # The slug of a heading has no stop and no stroke.
            shown = shown.replace(NAME, PLAIN).replace("104999w", PLAIN)
            shown, expected = (CODE.sub("", each) for each in (shown, host.reset().convert(worded)))
            assert shown == expected, named
            compared, linked = compared + 1, linked + links
    assert linked > compared / 3 > 10


@pytest.mark.parametrize(
    "place", ["{}", "`{}`", "# {}", "[{}](u)", "[x]({})", "![{}](u '{}')", "<b {}>"]
)
def test_words_of_the_document_that_look_like_these_stay(place):
    for mark in MARKS.split():
        text = f"{place.replace('{}', mark)} and {NAME}"
        page = LINK.sub(NAME, markdown(text, extensions=["doilinks"]))
        assert page.replace("doi:", "") == markdown(text), text


@pytest.mark.parametrize(
    "text",
    [
        "<DOI: {}>", "<b {}>", "</{} >", "<{}:x y>", "<x:{}>", "[x](doi: {})",
        "[x](u '{}'y')", "*[x]*(u '{}'y') [y](u \"{}\"y\")", "![x](<doi: {}>)", "<a {}>b",
        "<b x={}<b>", "<img onerror=x src={}<b>", '[x](u "{}<b> ")', "[x]({}<b>(1)",
    ],
)  # fmt: skip
def test_a_word_makes_no_tag_and_no_link(text):
    text = text.replace("{}", NAME)
    page = markdown(f"{text} *x*", extensions=["doilinks"])
    assert re.sub("</?a[^>]*>", "", page.replace("doi:10", "10")) == re.sub(
        "</?a[^>]*>", "", markdown(f"{text} *x*").replace("doi:10", "10")
    )


def test_a_reference_whose_label_has_a_name():
    text = "[10.1000/a_b] [x][10.1000/a_b] [10.1000/a_b][] [at 10.1000/c]\n\n"
    text += "[10.1000/a_b]: u\n[at 10.1000/c]: v"
    assert markdown(text, extensions=["doilinks"]) == markdown(text)


class Copy(Treeprocessor):
    """Copies the text of a document as the navigation of Zensical does."""

    def run(self, root):
        self.text = "".join(root.itertext())


def test_a_navigation_that_zensical_copies_has_no_words():
    md = Markdown(extensions=["doilinks"])
    copy = Copy(md)
    md.treeprocessors.register(copy, "zensical_literate_nav_capture", 19)
    md.convert(f"* [{NAME}](a.md)")
    assert NAME in copy.text
