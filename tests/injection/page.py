"""What a page with doilinks holds that the same page without it does not.

Parsed by html5lib, which reads HTML as the standard says that browsers do.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import Any
from urllib.parse import unquote, urlsplit

import html5lib

from doilinks import DOI

from ..tools.page_readers import html_page, local
from ..tools.page_walk import Walk
from ..tools.pages import Hole, Reading
from .corpus import Document, mark

PROXY = "https://proxy.example/of/"
CLASS = "doi-of-doilinks"  # so that the links of doilinks are known for certain
OPTIONS = {"proxy": PROXY, "css_class": CLASS, "display": "source"}

Attributes = dict[str, str]
Element = tuple[str, tuple[tuple[str, str], ...]]

# What the standard for URLs allows in a path, a query or a fragment (RFC 3986 §3.3 to §3.5).
_SAFE = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#]|%[0-9A-F]{2}|%)*")
# Emphasis of the author's that could not be seen before, in what linkify took for a URL.
_EMPHASIS = frozenset({"br", "code", "del", "em", "p", "s", "strong", "sub", "sup"})
_HARMLESS = _EMPHASIS | {"figcaption"}  # one that is not the description is not hidden
_SLUG = re.compile(r"#?[\w.-]+")  # of a heading's text, or counted
_PROBLEM = (("a", {"href": "SLUG"}), ("span", {"class": "problematic", "id": "SLUG"}))
_HOSTS_OWN = frozenset(
    {CLASS, "reference", "external", "uri", "image-reference"}
)  # classes of links
_AUTOLINK = "autolink"  # in place of its tag
# Without doilinks it is a mistake that the host shows as it stands.
_ROLE = re.compile(r":doi:`|\{doi\}`")
# A link of the author to a doi:, which may be no DOI. To MyST alone it is the name of a label.
_TARGET = re.compile(r"\]\(<?doi:|['\"]doi:.*\]\(")


def differences(
    document: Document, linked: str, plain: str, *, texts: bool = True, odd: str = "", **more: Any
) -> tuple[list[str], int]:  # fmt: skip
    """What the case gained that it should not, and how many cases were compared.

    :param linked: what a host made of the document with doilinks
    :param plain: without it
    :param texts: compare the text outside of links, too
    :param odd: but not of the cases that match this regular expression
    :param more: what :func:`gained` is told of the host
    """
    found, compared = [], 0
    plain_parts = _parts(plain, len(document.cases))
    linked_parts = _parts(linked, len(document.cases))
    if plain_parts.keys() - linked_parts.keys():
        return [f"{document.cases}: lost {plain_parts.keys() - linked_parts.keys()}"], 0
    for number, without in plain_parts.items():
        case = "the head" if number < 0 else document.cases[number]
        compared += number >= 0
        if without != linked_parts[number]:
            role = _ROLE.search(case) is not None
            same = texts and not role and not (odd and re.search(odd, case))
            wrong = gained(
                linked_parts[number], without, texts=same, role=role,
                target=_TARGET.search(case) is not None, **more,
            )  # fmt: skip
            found += [f"{case}: {each}" for each in wrong]
    return found, compared


def _parts(html: str, number: int) -> dict[int, str]:
    """The head of a page, and what stands after each mark that has its own place in the text."""
    places = [(html.find(mark(each)), each) for each in range(number)]
    places = [(-1, 0), *sorted(place for place in places if place[0] >= 0)]
    ends = [place for place, _ in places[1:]] + [len(html)]
    keys = [-1, *(each for _, each in places[1:])]
    return {
        key: html[max(at, 0) : end] for key, (at, _), end in zip(keys, places, ends, strict=True)
    }


def gained(
    linked: str, plain: str, *, texts: bool = True, role: bool = False, autolinks: bool = False,
    loses: frozenset[str] = frozenset(), target: bool = False,
) -> list[str]:  # fmt: skip
    """Elements, attributes and text that only the HTML with doilinks has.

    :param texts: compare the text, too
    :param role: there is a role that the host does not know by itself
    :param autolinks: the host makes links of bare URLs itself
    :param loses: attributes that the host does not give to a link that leads nowhere
    :param target: the author has a link to a ``doi:``, which may be no DOI
    """
    before, after = html5lib.parseFragment(plain), html5lib.parseFragment(linked)
    theirs = _elements(before)
    wrong = []
    for tag, attributes in (_elements(after) - theirs).elements():
        if role and (tag, dict(attributes)) in _PROBLEM:
            continue  # a name that docutils shows but does not link
        is_bare = tag == "a" and _without_hosts_own(dict(attributes)).keys() == {"href"}
        if target and is_bare and dict(attributes)["href"].startswith("doi:"):
            continue
        if tag == _AUTOLINK and (autolinks or dict(attributes)["href"].startswith("doi:")):
            # Of what stands after a name, which the host took for a part of its URL; or MyST's of
            # a doi: that names no DOI, which it does not tell from <doi:x> when both are the same.
            continue
        reason = _why_not(tag, dict(attributes), theirs, loses)
        if reason:
            wrong.append(f"<{tag} {dict(attributes)}>: {reason}")
    changed = texts and text_changed(linked, plain)
    return wrong + ([f"text: {changed}"] if changed else [])


def _elements(root: Any) -> Counter[Element]:
    return Counter(
        (
            _AUTOLINK if _is_autolink(each) else local(each),
            tuple(sorted((_key(str(k)), _value(str(k), v)) for k, v in each.attrib.items())),
        )
        for each in root.iter()
        if isinstance(each.tag, str)
    )


def _is_autolink(element: Any) -> bool:
    """Tell whether it is a host's link that shows nothing but its target."""
    given = {str(key): value for key, value in element.attrib.items()}
    shown = "".join(element.itertext())
    known = CLASS not in _classes(given) and _without_hosts_own(given) == {"href": shown}
    return known and shown.startswith(("https://", "http://", "doi:"))


def _key(name: str) -> str:
    """The name of an attribute; Python-Markdown numbers the raw HTML that it makes names of."""
    return re.sub(r"wzxhzdk:[0-9]+", "wzxhzdk:N", name)


def _value(key: str, value: str) -> str:
    is_slug = key == "id" or (key == "href" and value.startswith("#"))
    return "SLUG" if is_slug and _SLUG.fullmatch(value) else value


def _why_not(
    tag: str, given: Attributes, theirs: Counter[Element], loses: frozenset[str] = frozenset()
) -> str:
    """Why an element must not be there; empty if it may."""
    href = given.get("href", "")
    if tag in ("a", _AUTOLINK) and (CLASS in _classes(given) or href.startswith(PROXY)):
        wrong = wrong_target(given.pop("href", ""))
        left = _without_hosts_own(given)
        left = {key: value for key, value in left.items() if key not in loses}
        # What is left the author has written, on a link that has become this one.
        return wrong or ("" if not left or _had(theirs, left) else "attributes that nobody wrote")
    if not given and tag in _HARMLESS:
        return ""
    if tag == "img" and "alt" in given:  # where a name is, its description is as it was typed
        rest = {key: value for key, value in given.items() if key != "alt"}
        return "" if _had(theirs, rest, "img") else "an image that nobody wrote"
    return "an element that nobody wrote"


def _had(theirs: Counter[Element], given: Attributes, wanted: str = "a") -> bool:
    names = {"a", _AUTOLINK} if wanted == "a" else {wanted}
    return any(
        tag in names and given.items() <= _without_hosts_own(dict(attributes)).items()
        for tag, attributes in theirs
    )


def _classes(given: Attributes) -> list[str]:
    return [each for each in re.split("[ \t\n\f\r]+", given.get("class", "")) if each]


def _without_hosts_own(given: Attributes) -> Attributes:
    """Attributes without the classes that a host or doilinks gives to links."""
    classes = [each for each in _classes(given) if each not in _HOSTS_OWN]
    rest = {key: value for key, value in given.items() if key != "class"}
    return rest | ({"class": " ".join(classes)} if classes else {})


def wrong_target(href: str) -> str:
    """What is wrong with a target; empty for a DOI at the proxy, and nothing else."""
    rest = href.removeprefix(PROXY)
    parts = urlsplit(href)
    if rest == href or (parts.scheme, parts.netloc) != ("https", "proxy.example"):
        return "leads elsewhere"
    if not _SAFE.fullmatch(rest):
        return "holds signs that no URL holds"
    path = re.split("[?#]", rest)[0]
    if {".", ".."} & set(path.lower().replace("%2e", ".").split("/")):
        return "a browser removes the dots"
    try:
        DOI(unquote(path, errors="strict"))
    except ValueError as error:
        return str(error)
    return ""


def text_changed(linked: str, plain: str) -> str:
    """Where the text outside of links is another than before; empty if it is not.

    What a link shows may have been torn by markup before (``10.1000/a*b*c``, ``10.1000/a<b>c``), or
    changed by typography: of that the letters and digits are to be in the link, in order.
    """
    reading = Reading(only_text=True)
    was = "".join(
        part if isinstance(part, str) else part.inside for part in html_page(plain, reading)
    )
    found = Walk(was, (_is_same, _has_letters)).through(html_page(linked, reading))
    if found is None or (found.ours == "the end" and not found.without.strip()):
        return ""
    return f"{found.ours[:80]!r} where there was {found.without[:80]!r}"


def _is_same(text: str, link: Hole) -> bool:
    return text == link.inside


def _has_letters(text: str, link: Hole) -> bool:
    # An autolink may hold an entity, which CommonMark's implementations read or do not.
    return any(_within(each, link.inside) for each in (text, unescape(text)))


def _within(text: str, letters: str) -> bool:
    rest = iter(letters)
    return all(letter in rest for letter in text if letter.isalnum())
