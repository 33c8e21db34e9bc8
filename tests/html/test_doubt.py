"""Pages in which some names cannot be linked with certainty: the others are."""

from __future__ import annotations

import random

from doilinks.core.options import Options
from doilinks.files.pages import Linked, certain, link_page

from ..tools.hosts import replaced
from ..tools.proof import number
from .trees import marked, tree

# Words that say how the text after them is read, and names that may end in one of them.
_PIECES = (
    *("10.1000/hdl[", "doi:10/abchdl:", "10.1000/182 ", "https://doi.org/10.1000/4", "10/abc"),
    *("hdl:", "\u2013hdl:", "DOI ", "DOI: ", "<b>DOI</b>: ", "URL: ", "url", "doi = {", "}"),
    *("<a href='doi:10.1000/2'>10.1000/2</a>", "<a href='http://dx.doi.org/10.1000/3' id=x>it</a>"),
    *("<a href='https://zenodo.org/record/1'>10.5281/zenodo.1</a>", "https://zenodo.org/record/1"),
    *("arXiv:2301.00001", "https://arxiv.org/abs/2301.00001", "10.48550/arXiv.2301.00001"),
    *(" ", "\n", "text ", "<p>", "<br>", "<wbr>", "<span>", "</span>", "<i>", "</i>", "<td>", "/", "."),
)  # fmt: skip
_OPTIONS = (
    Options(),
    Options(display="url"),
    Options(display="source"),
    Options(arxiv=True),
    Options(arxiv="abs"),
    Options(publisher_urls="link"),
)


def doubtful_page(seed: int) -> tuple[str, Options]:
    """A page of a few kinds of pieces, which meet one another often."""
    chance = random.Random(seed)
    few = chance.sample(_PIECES, chance.randrange(3, 12))
    page = "".join(chance.choice(few) for _ in range(chance.randrange(3, 40)))
    return f"<p>{page}", chance.choice(_OPTIONS)


def linked(page: str, options: Options) -> Linked | None:
    return certain(
        link_page(page, options), lambda edits: link_page(replaced(page, edits), options)
    )


def test_all_names_but_the_doubtful_ones_are_linked_once():
    doubtful = links = 0
    for seed in range(number("doubtful pages", "html5lib", 20_000, one_in=10)):
        page, options = doubtful_page(seed)
        result = linked(page, options)
        assert result, (seed, page)
        if not result.doubtful:
            continue
        doubtful, links = doubtful + 1, links + len(result.links)
        assert (result.made, result.changed) == (
            sum("<a " in link.edits[0][2] for link in result.links),
            sum("<a " not in link.edits[0][2] for link in result.links),
        )
        before, after = marked(page, result.edits)
        assert tree(before) == tree(after), (seed, page)
        again = linked(replaced(page, result.edits), options)
        assert again, (seed, page)
        assert (again.links, len(again.doubtful)) == ([], len(result.doubtful)), (seed, page)
    assert min(doubtful, links) > 20


def test_a_doubtful_link_leaves_the_links_beside_it():
    page = "<p>10.1000/a<p>10.1000/b 10.1000/hdl[\u2013hdl:10.1000/182<p>10.1000/c"
    result = linked(page, Options())
    assert result
    after = replaced(page, result.edits)
    assert [f">doi:10.1000/{each}</a>" in after for each in "abc"] == [True] * 3
    assert "10.1000/hdl[\u2013hdl:10.1000/182<p>" in after
    assert result.doubtful == (page.index("10.1000/hdl"), page.index("10.1000/182"))


def test_a_page_is_read_a_few_times_at_most():
    page, readings = link_page("<p>10.1000/182 " * 100, Options()), []

    def again(edits):
        readings.append(len(edits))
        return link_page("10.1000/182", Options())  # always another link before all others

    assert certain(page, again) is None
    assert readings == list(range(100, 100 - len(readings), -1))
    assert len(readings) < 10
