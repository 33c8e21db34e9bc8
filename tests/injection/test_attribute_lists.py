"""A hostile attribute list after a name gives a page nothing, and stays text.

Names by their last character and in each form, with each hostile list glued to them, go through each
dialect of Markdown with doilinks and without. Each pair of a name and a list stands in one place of a
document. Of the pairs each dialect gets a sample, which is another one in each. With
``DOILINKS_PROOF=all`` each pair stands in each place.
"""

from __future__ import annotations

import pytest

from ..tools.hosts import Markdown
from ..tools.proof import sample
from .attribute_lists import cases, documents
from .builds import HTML, Setting
from .page import CLASS, OPTIONS, differences

DIALECTS: dict[str, Setting] = {
    "attr_list": Setting("md", Markdown(("attr_list",))),
    "extra": Setting("md", Markdown(("extra",))),
    "pymdown": Setting("md", Markdown(("pymdownx.extra", "pymdownx.magiclink", "pymdownx.caret",
                                       "pymdownx.mark", "pymdownx.tilde")), autolinks=True),
    **{name: each for name, each in HTML.items() if each.reads == "md"},
}  # fmt: skip
# A dialect gets one pair in so many.
ONE_IN = {"attr_list": 11, "extra": 11, "pymdown": 11, "markdown_it": 29, "markdown_it_full": 17, "markdown": 41,
          "markdown_full": 29, "mkdocs": 41, "myst": 83, "myst_full": 83, "notebook": 163, "pandoc": 41,
          "pandoc_gfm": 41, "quarto": 41, "pelican": 41}  # fmt: skip
# Without doilinks this is a link of the host's own, which gets the list.
BUT = {"markdown_it_full": "^<doi:|^https:", "myst_full": "^<doi:|^https:"}
# Without doilinks the host takes two of these for emphasis, which gets the list.
ODD = {"pymdown": r"\*\{.*See \{\}\*\*"}


@pytest.mark.filterwarnings("ignore:.*MystReferenceResolver.app.*")
@pytest.mark.parametrize("name", DIALECTS)
def test_nothing_is_gained(name):
    setting = DIALECTS[name]
    turn = list(DIALECTS).index(name)
    pairs = cases(first=turn, but=BUT.get(name, ""))
    pairs = sample("attribute lists after names", name, pairs, one_in=ONE_IN[name], turn=turn)
    each = documents(pairs)
    sources = [document.source for document in each]
    plain, linked = setting.host.pages(sources, None), setting.host.pages(sources, OPTIONS)
    wrong: list[str] = []
    compared = links = 0
    for document, with_, without in zip(each, linked, plain, strict=True):
        found, number = differences(
            document, with_, without, odd=ODD.get(name, setting.odd), autolinks=setting.autolinks
        )
        wrong += found
        compared += number
        links += with_.count(CLASS)
    assert not wrong, f"{len(wrong)} in {compared} cases:\n" + "\n".join(wrong[:20])
    assert compared > 0.98 * sum(len(document.cases) for document in each)
    assert links > compared / 3
