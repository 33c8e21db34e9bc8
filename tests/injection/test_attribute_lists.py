"""A hostile attribute list after a name gives a page nothing, and stays text.

Names by their last character and in each form, with each hostile list glued to them, go through each
dialect of Markdown with doilinks and without. Each pair of a name and a list stands in one place of a document, and each
dialect gets a sample of the pairs. With ``DOILINKS_INJECT_ALL`` set, each pair stands in each place,
in each dialect.
"""

from __future__ import annotations

import pytest

from .attribute_lists import with_lists
from .builds import HTML, Host, markdown
from .corpus import ALL
from .page import CLASS, OPTIONS, differences

DIALECTS: dict[str, Host] = {
    "attr_list": Host("md", markdown("attr_list")),
    "extra": Host("md", markdown("extra")),
    "pymdown": Host("md", markdown("pymdownx.extra", "pymdownx.magiclink", "pymdownx.caret",
                                   "pymdownx.mark", "pymdownx.tilde"), autolinks=True),
    **{name: host for name, host in HTML.items() if host.reads == "md"},
}  # fmt: skip
# A name meets one list in so many, the next name others. The first three dialects together meet all pairs.
EVERY = {"attr_list": 3, "extra": 3, "pymdown": 3, "markdown_it": 7, "markdown_it_full": 3, "markdown": 11,
         "markdown_full": 7, "mkdocs": 13, "myst": 29, "myst_full": 29, "notebook": 53, "pandoc": 11,
         "pandoc_gfm": 11}  # fmt: skip
# Without doilinks this is a link of the host's own, which gets the list.
BUT = {"markdown_it_full": "^<doi:|^https:"}
# Without doilinks the host takes two of these for emphasis, which gets the list.
ODD = {"pymdown": r"\*\{.*See \{\}\*\*"}


@pytest.mark.filterwarnings("ignore:.*MystReferenceResolver.app.*")
@pytest.mark.parametrize("name", DIALECTS)
def test_nothing_is_gained(name):
    host = DIALECTS[name]
    first = list(DIALECTS).index(name)  # so that dialects get different combinations
    each = list(with_lists(every=1 if ALL else EVERY[name], first=first, but=BUT.get(name, "")))
    sources = [document.source for document in each]
    plain, linked = host.build(sources, None), host.build(sources, OPTIONS)
    wrong: list[str] = []
    compared = links = 0
    for document, with_, without in zip(each, linked, plain, strict=True):
        found, number = differences(
            document, with_, without, odd=ODD.get(name, host.odd), autolinks=host.autolinks
        )
        wrong += found
        compared += number
        links += with_.count(CLASS)
    assert not wrong, f"{len(wrong)} in {compared} cases:\n" + "\n".join(wrong[:20])
    assert compared > 0.98 * sum(len(document.cases) for document in each)
    assert links > compared / 3
