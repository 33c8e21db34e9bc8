"""Which attribute lists a link may get."""

from __future__ import annotations

import pytest

from doilinks.core.markup import may_harm

from ..injection.corpus import entries

HARMLESS = [
    "",
    "no list",
    " {onclick=x}",
    "{.note}",
    "{: .note #a }",
    "{.a .b}{#c}",
    "{title=x lang=de hreflang='de-AT'}",
    """{title="It's <b> = 50 % &amp; more"}""",
    "{title='\"a\"'}",
    '{title="\x0242\x03"}',  # an escaped character in Python-Markdown
    "{class='a b' id=c}",
    "{rel=noopener target=_blank}",
    "{rel='external nofollow'} {onclick=x}",
]
HARMFUL = [
    "{",
    "{}",
    "{.note",
    "{note}",
    "{.note}{",
    "{.note}{onclick=x}",
    "{titleonclick=x}",
    '{title=x"y}',
    '{title="a"onclick=x}',
    '{title="a\nb"}',
    '{title="\x02wzxhzdk:0\x03"}',  # a tag in Python-Markdown
    "{rel=opener}",
    "{rel='noreferrer opener'}",
    "{rel=me}",
    "{target=a}",
    "{target='_blank a'}",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless(text):
    assert not may_harm(text)
    assert not may_harm("10.1000/a" + text, 9)


# A tag is harmless here, and Python-Markdown hands on a control character in its place.
CORPUS = [each for each in entries("lists.txt") if "<" not in each]


@pytest.mark.parametrize("text", HARMFUL + CORPUS)
def test_harmful(text):
    assert may_harm(text)
    assert may_harm("<10.1000/a>" + text, 11)
