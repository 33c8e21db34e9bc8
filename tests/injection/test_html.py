"""Hostile text gains nothing by doilinks: no element, no attribute, no target but the proxy.

A corpus of hostile names, in every place where a name can stand, and of hostile surroundings goes
through each host with doilinks and without. What html5lib, which reads HTML as browsers do, finds in
the one and not in the other may be links to the configured proxy alone; text outside of links is
the same. With ``DOILINKS_PROOF=all`` no combination is left out.
"""

from __future__ import annotations

from itertools import islice

import pytest

from ..tools.proof import WHOLE, sample
from .builds import HTML
from .corpus import ALL, documents
from .page import CLASS, OPTIONS, differences, gained


@pytest.mark.filterwarnings("ignore:.*MystReferenceResolver.app.*")
@pytest.mark.parametrize("name", HTML)
def test_no_element_and_no_attribute_is_gained(name, record_property):
    setting = HTML[name]
    every = 1 if ALL else setting.every
    first = list(HTML).index(name)  # so that hosts get different combinations
    whole = list(
        documents(
            setting.reads, every=every, first=first, in_files=setting.in_files, but=setting.but
        )
    )
    each = sample("documents of hostile names", name, whole, one_in=60, turn=2 * first)
    plain = setting.host.pages([document.source for document in each], None)
    wrong: list[str] = []
    compared = links = 0
    # Shown raw, a name is the most dangerous; text is compared where it is shown as typed.
    for display in ("source", "name") if name.startswith("markdown_it") or ALL else ("source",):
        linked = setting.host.pages(
            [document.source for document in each], {**OPTIONS, "display": display}
        )
        for document, with_, without in zip(each, linked, plain, strict=True):
            found, number = differences(
                document, with_, without,
                texts=display == "source", odd=setting.odd, autolinks=setting.autolinks, loses=setting.loses,
            )  # fmt: skip
            wrong += found
            compared += number
            links += with_.count(CLASS)
    print(f"{name}: {compared} cases in {len(each)} documents, {links} links")
    record_property("compared", compared)
    assert wrong[:20] == []
    assert compared > 0.98 * sum(len(document.cases) for document in each)
    assert links > (compared / 4 if WHOLE else 0)  # in a sample, some have no name in place


PLANTED = {
    "an element": '<p>10.1000/182<img src="x"></p>',
    "an attribute": '<p onclick="x">10.1000/182</p>',
    "a link elsewhere": f'<p><a class="{CLASS}" href="https://evil.example/">10.1000/182</a></p>',
    "a script for a target": f'<p><a class="{CLASS}" href="javascript:x">10.1000/182</a></p>',
    "dots": f'<p><a class="{CLASS}" href="https://proxy.example/of/10.1000/../x">10.1000/182</a></p>',
    "no name": f'<p><a class="{CLASS}" href="https://proxy.example/of/x">10.1000/182</a></p>',
    "a sign": f"<p><a class=\"{CLASS}\" href='https://proxy.example/of/10.1000/\"'>10.1000/182</a></p>",
    "an attribute of a link": f'<p><a class="{CLASS}" href="https://proxy.example/of/10.1000/182" '
    'onclick="x">10.1000/182</a></p>',
    "a class": f'<p><a class="{CLASS} x" href="https://proxy.example/of/10.1000/182">10.1000/182</a></p>',
    "another link": '<p><a href="https://example.org/">10.1000/182</a></p>',
    "a comment's end": "<!-- --> --><p>10.1000/182</p>",
    "another link that shows where it leads": '<p>10.1000/182<a href="https://a.example/">https://a.example/</a></p>',
    "text": "<p>10.1000/182 and</p>",
    "other text": "<p>10.1000/18</p>",
    "emphasis with an attribute": '<p>10.1000/<em id="x y">182</em></p>',
    "an image": '<p><img alt="10.1000/182"></p>',
}  # fmt: skip


@pytest.mark.parametrize("html", PLANTED.values(), ids=PLANTED)
def test_what_is_planted_is_found(html):
    assert gained(html, "<p>10.1000/182</p>") != []


def test_a_link_to_the_proxy_is_none_of_it():
    link = (
        f'<a class="reference {CLASS}" href="https://proxy.example/of/10.1000/182">10.1000/182</a>'
    )
    assert gained(f"<p>{link}</p>", "<p>10.1000/182</p>") == []
    assert gained(f"<p>See <b>{link}</b>.</p>", "<p>See <b>10.1000/182</b>.</p>") == []
    assert gained(f"<p>{link}.</p>", "<p>10.1000/182</p>") != []


def test_a_link_of_the_host_is_none_of_it_if_it_shows_its_target():
    link = '10.1000/182<a class="reference external" href="doi:x">doi:x</a>'
    assert gained(f"<p>{link}</p>", "<p>10.1000/182doi:x</p>") == []
    link = link.replace("doi:", "https://")
    assert gained(f"<p>{link}</p>", "<p>10.1000/182https://x</p>", autolinks=True) == []
    assert gained(f"<p>{link}</p>", "<p>10.1000/182https://x</p>") != []
    link = link.replace("external", "external x")
    assert gained(f"<p>{link}</p>", "<p>10.1000/182https://x</p>", autolinks=True) != []


def test_a_build_with_something_planted_fails():
    """The way of the real test: one case of many, and the message names it."""
    setting = HTML["markdown_it"]
    each = list(islice(documents(setting.reads, every=7), 20))
    plain = setting.host.pages([document.source for document in each], None)
    linked = setting.host.pages([document.source for document in each], OPTIONS)
    at = next(at for at, html in enumerate(linked) if html.count(CLASS) > 3)
    spot = linked[at].index("CASE2HERE") + len("CASE2HERE")
    planted = linked[at][:spot] + "<svg onload=alert(1)>" + linked[at][spot:]
    found, _ = differences(each[at], planted, plain[at])
    assert len(found) == 1
    assert "svg" in found[0]
    assert found[0].startswith(each[at].cases[2])
    assert differences(each[at], linked[at], plain[at])[0] == []
