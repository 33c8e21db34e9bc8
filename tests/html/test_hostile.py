"""Whatever a page, a name or a lock file says, a page gains links to DOIs and nothing else."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

import html5lib
import pytest

from doilinks import scan
from doilinks.core.options import Options
from doilinks.lock.known_works import KnownWorks
from doilinks.tools.pages import Edit, link_page

from ..tools.hosts import replaced
from ..tools.proof import number

OPTIONS = Options(hover=True)
MAY_CHANGE = {"class", "href", "title"}
TARGET = re.compile(r'https://doi\.org/[^\s"<>`\\]+')
# Records as nobody should have written them.
TITLES = (
    '"><script>alert(1)</script>', "' onmouseover='alert(1)", "Words</a><img src=x onerror=alert(1)>",
    "&#34; onclick=alert(1) &quot;", "&lt;script&gt; &lt", "a\nb\tc\0d", "<!-- ", "]]><b>c",
)  # fmt: skip
NAMES = (
    *(f"10.1000/t{number} " for number in range(len(TITLES))), "10.1000/", "doi:10.1000/a", "10/a",
    "https://doi.org/10.1000/a", "DOI: 10.1000/", "<b>DOI:</b> 10.1000/b", "&#49;0.1000/", "10.1000/<wbr>",
    "&ampdoi:10.1000/a", "b&nbsp10.1000/", "&#169https://doi.org/10.1000/", "10.1000/a&ltbdoi:10.1000/",
)  # fmt: skip
BREAKS = (
    '"', "'", "<", ">", "&", "&#34;", "&#x27;", "&quot;", "&lt", "&lt;", "&gt;", "&LT;", "&amp;quot;", "&#60",
    "&Tab;", "&NewLine;", "&colon;", "`", "=", "/", "\\", ";", "%22%3E", "%3Cscript%3E", "{{a}}", "${a}", "\0",
    "</a>", "<script>", "</script>", "<!--", "-->", "<img src=x onerror=alert(1)>", "</p>", "\n", "\t", " ",
    " onclick=alert(1) ", "javascript:alert(1)", "?a=b&lt=c", "#<b>", "(", ")", "é", "\u202e", "\U0001f600",
)  # fmt: skip
KEYS = (
    "href", "HREF", "Href", "class", "CLASS", "title", "id", "onclick", "data-x", "hre&#102;", '"',
    "'",
)  # fmt: skip
SPACES = (" ", "\n", "\t", "\f", "/", " / ", "  ")
EQUALS = ("=", " = ", "\n=\n", "=\t")
TARGETS = (
    "http://dx.doi.org/10.1000/", "doi:10.1000/a", " https://doi.org/10.1000/t1 ", "https://doi.org/10.1000/a",
    "\nhttp://dx.doi.org/10.1000/a\t", "javascript:alert(1)//https://doi.org/10.1000/a", "x", "a b", "",
    "java&Tab;script:10.1000/a", "&#100;oi:10.1000/a", "//doi.org/10.1000/a", "HTTPS://DOI.ORG/10.1000/A",
)  # fmt: skip


def odd_name(chance: random.Random) -> str:
    return chance.choice(NAMES) + "".join(
        chance.choices((*BREAKS, "a", "1"), k=chance.randrange(6))
    )


def odd_link(chance: random.Random) -> str:
    attributes = ""
    for _ in range(chance.randrange(1, 5)):
        value = chance.choice(TARGETS) + "".join(chance.choices(BREAKS, k=chance.randrange(3)))
        quote = chance.choice(('"', "'", ""))
        attributes += chance.choice(SPACES) + chance.choice((*KEYS, "href"))
        attributes += chance.choice((f"{chance.choice(EQUALS)}{quote}{value}{quote}", ""))
    return f"<{chance.choice('aA')}{attributes}>{odd_name(chance)}</a>"


PARTS = ("<td>", "<tr>", "<table><tr>", "<template>", "<form>", "</br>")


def odd_foreign(chance: random.Random) -> str:
    """What is raw text, or is not: after SVG or MathML, with parts of tables and templates in it."""
    root, text = chance.choice((("svg", "desc"), ("svg", "foreignObject"), ("math", "mi")))
    inner, raw = chance.choice(("b", "p")), chance.choice(("style", "title", "xmp", "textarea"))
    part = chance.choice(PARTS)
    pieces = (f"<{root}>", f"<{text}>", f"<{inner}>", part, f"</{inner}>", f"</{text}>")
    begin = "".join(each for each in pieces if chance.randrange(9))
    name, quote = chance.choice((odd_name, odd_link))(chance), chance.choice(('"', "'", "-->"))
    opened = "<!--" if quote == "-->" else f"<b title={quote}"
    return f"{begin}<{raw}>{opened}</{raw}>{name}{quote}>b</b></{raw}>"


def odd_page(seed: int) -> str:
    chance = random.Random(seed)
    kinds = (odd_name, odd_link, odd_foreign)[: chance.choice((2, 2, 3))]
    some = (chance.choice(kinds)(chance) for _ in range(chance.randrange(1, 6)))
    return "<p>" + "<p> ".join(some)


class Element(NamedTuple):
    name: str
    attributes: dict[str, str]


def elements(page: str) -> list[Element]:
    """The elements and comments of a page, in order; a link replaces the ``wbr`` of a name."""
    document = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    return [Element(str(each.tag), {str(key): value for key, value in each.items()})
            if isinstance(each.tag, str) else Element("#comment", {"": each.text or ""})
            for each in document.iter() if each.tag != "wbr"]  # fmt: skip


def is_link(element: Element, before: Element | None) -> bool:
    """Whether an element is a link as doilinks makes it, perhaps of one that was there."""
    given, old = element.attributes, before.attributes if before else {}
    hovers = {old["title"]} if "title" in old else {given.get("title", "")}
    return (
        element.name == "a"
        and {key: given[key] for key in given.keys() - MAY_CHANGE}
        == {key: old[key] for key in old.keys() - MAY_CHANGE}
        and "href" in given
        and (given["href"] == old.get("href") or bool(TARGET.fullmatch(given["href"])))
        and set(given["class"].split()) == {*old.get("class", "").split(), "doi"}
        and given.get("title", "") in hovers
    )


def assert_only_links(before: str, after: str) -> None:
    old = elements(before)
    at = 0
    for element in elements(after):
        same = old[at] if at < len(old) else None
        # An element without a target is none of the links that may have changed.
        may_change = same and same.name == "a" and "href" in same.attributes
        if same and (element == same or (may_change and is_link(element, same))):
            at += 1
        else:
            assert is_link(element, None), (element, before, after)
    assert at == len(old), (before, after)


def text_of(page: str) -> str:
    return "".join(html5lib.parse(page, treebuilder="etree").itertext())


def assert_names_are_replaced(page: str, edits: Sequence[Edit]) -> None:
    """A new link replaces a name and its label, and its place is in a text."""
    places = [each[:2] for each in edits if each[2].startswith("<a ")]
    marks = [(at, at, mark) for place in places for at, mark in zip(place, "⟦⟧", strict=True)]
    text = text_of(replaced(page, marks))
    assert re.sub("[⟦⟧]", "", text) == text_of(page)
    for seen in re.findall("⟦(.*?)⟧", text, re.DOTALL):
        assert next(scan(seen)).start == 0, (seen, page)


@pytest.fixture(scope="module")
def known_works(tmp_path_factory) -> KnownWorks:
    folder = tmp_path_factory.mktemp("hostile")
    works = {
        f"doi:10.1000/t{number}": {
            "fetched": "2026-11-22", "type": "article", "title": title, "author": [[title, title]],
        }
        for number, title in enumerate(TITLES)
    }  # fmt: skip
    lock = json.dumps({"version": 1, "found": {}, "works": works})
    (folder / "doi-lock.json").write_text(lock, encoding="utf-8")
    return KnownWorks.of(OPTIONS, folder)


def test_a_page_gains_links_and_nothing_else(known_works):
    made = changed = hovers = 0
    for seed in range(number("hostile pages", "html5lib", 20_000, one_in=40)):
        page = odd_page(seed)
        linked = link_page(page, OPTIONS, known_works)
        if linked.edits:
            after = replaced(page, linked.edits)
            assert_only_links(page, after)
            assert_names_are_replaced(page, linked.edits)
            made, changed, hovers = (
                made + linked.new, changed + linked.changed, hovers + after.count("title="),
            )  # fmt: skip
    assert min(made, changed, hovers) > 50


@pytest.mark.parametrize("title", range(len(TITLES)))
def test_a_title_cannot_end_its_attribute(known_works, title):
    for page in (
        f"<p>10.1000/t{title} b", f"<p><a href='doi:10.1000/t{title}'>it</a>",
        f"<a class=x/ href=doi:10.1000/t{title}>",
    ):  # fmt: skip
        after = replaced(page, link_page(page, OPTIONS, known_works).edits)
        assert " title=" in after
        assert_only_links(page, after)


def test_a_page_in_xml_stays_well_formed(known_works):
    for name in (
        "&lt;b&gt;",
        "&quot;&apos;",
        "&amp;lt;",
        "a&lt;b&gt;c",
        "]]",
        "&#60;script&#62;",
        "&amp;",
    ):
        for page in (
            f"<p>10.1000/a{name}b c</p>",
            f"<p><a href='https://dx.doi.org/10.1000/a{name}b'>10.1000/a{name}b</a></p>",
        ):
            linked = link_page(page, OPTIONS, known_works, xml=True)
            assert linked.edits
            root = ET.fromstring(replaced(page, linked.edits))
            assert [each.tag for each in root.iter()] == ["p", "a"]


def test_a_hostile_class_cannot_end_its_attribute():
    css_class = 'x" onclick="alert(1)'
    page = "<p>10.1000/1 <a href=doi:10.1000/2>it</a> <a class=y href=doi:10.1000/3>it</a>"
    after = replaced(page, link_page(page, Options(css_class=css_class)).edits)
    links = [each.attributes for each in elements(after) if each.name == "a"]
    assert [set(each) for each in links] == [{"class", "href"}] * 3
    assert all(set(css_class.split()) <= set(each["class"].split()) for each in links)
