"""Elements in texts of records, as publishers send them: HTML, JATS and MathML.

An element is removed and its content stays. What stands between ``<`` and ``>`` and is none, such
as the name of a film or a part of a formula, is text.
"""

from __future__ import annotations

import re
from typing import Final

# Atomic: a text without an end is read once.
_ATTRIBUTES: Final = r"""(?>(?:\s++[\w:.-]++\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>/]++))*)"""
# A tag with its attributes, in any namespace.
_TAG: Final = re.compile(
    rf"</?(?P<prefix>[A-Za-z]\w{{0,20}}:)?(?P<name>[A-Za-z][\w.-]{{0,40}})"
    rf"(?P<attributes>{_ATTRIBUTES})\s*+/?>"
)
# These stand inside a word, such as in H<sub>2</sub>O. Any other element ends a word.
_INSIDE: Final = frozenset(str.split(
    "alternatives b bold em i inf inline-formula italic sc scp span strong sub sup tex-math tt u"
))  # fmt: skip
_OTHERS: Final = frozenset(str.split(
    "a abbr article-title big br break cite code dd del disp-formula div dl dt email"
    " ext-link fn font form h1 h2 h3 h4 h5 h6 hr iframe img inline-graphic input ins"
    " label li link list list-item meta monospace named-content object ol overline p q roman s"
    " sans-serif script sec small strike style styled-content subtitle svg table tbody td"
    " th title tr ul underline uri var xref"
))  # fmt: skip
# A formula in MathML.
_MATH: Final = re.compile(r"<(\w{1,20}:)?math\b[^<>]*>(.{0,5000}?)</\1?math>", re.DOTALL)
_IN_MATH: Final = re.compile(" ?<[^<>]*> ?")  # its tags, with the white space of the source
_TWICE: Final = re.compile(  # the same formula in TeX
    r"<((?:\w{1,20}:)?(?:tex-math|annotation))\b[^<>]*>[^<>]{0,2000}</\1>"
)
# A line between two numbers, the sign of a root, and a blank that means something.
_SIGNS: Final = (
    (re.compile(r"(<(?:\w{1,20}:)?mfrac\b[^<>]*> ?<([\w:]{1,20})\b[^<>]*>[^<>]*</\2>)"), r"\1/"),
    (re.compile(r"<(?:\w{1,20}:)?msqrt\b[^<>]*>"), "√"),
    (re.compile(r"<(?:\w{1,20}:)?(?:mspace\b[^<>]*>|mtext\b[^<>]*> )"), "\u00a0"),
)
# The signs of a section of characters, comments and declarations.
_NO_ELEMENT: Final = re.compile(r"<!\[CDATA\[|\]\]>|<[!?][^<>\[]*>")
# What stands in italics, such as the name of a species.
_ITALIC: Final = re.compile(r"<((?:\w{1,20}:)?(?:i|em|italic))>([^<>]{1,200})</\1>")
# Small words, which stand apart from what is in italics.
_SMALL: Final = re.compile("and|by|for|from|in|of|on|the|to|with")


def without_tags(text: str) -> str:
    r"""Remove elements. Blanks between those of MathML mean nothing [MathML 3, 2.1.7].

    >>> without_tags("a<b and c>d, <i>In situ</i> H<sub>2</sub>O <Nosferatu>")
    'a<b and c>d, In situ H2O <Nosferatu>'
    >>> without_tags("of<i>Larus audouinii</i>in <m:math> <m:mi>N</m:mi>\n</m:math>-body<br/>form")
    'of Larus audouinii in N-body form'
    """
    text = _NO_ELEMENT.sub("", text)
    if "math>" in text and _MATH.search(text):
        text = _MATH.sub(_formula, _TWICE.sub("", text))
    return _TAG.sub(_between, _ITALIC.sub(_apart, text))


def _formula(math: re.Match[str]) -> str:
    formula = " ".join(math[2].split())
    for pattern, sign in _SIGNS:
        formula = pattern.sub(sign, formula)
    return _IN_MATH.sub("", formula)


def _between(tag: re.Match[str]) -> str:
    name = tag["name"].lower()
    if name in _INSIDE or tag["prefix"] == "mml:":
        return ""
    is_element = name in _OTHERS or tag["prefix"] or tag["attributes"] or tag[0][1] == "/"
    return " " if is_element else tag[0]


def _apart(italic: re.Match[str]) -> str:
    """Add the blank beside words in italics that somebody has left out.

    Heuristic: several words, such as the name of a species, are no part of a word; one may be.
    """
    text = italic.string
    before = re.search("[a-z]*$", text[max(0, italic.start() - 8) : italic.start()])
    after = re.match("[a-z]*", text[italic.end() : italic.end() + 8])
    words = [each[0] if each else "" for each in (before, after)]
    is_glued = " " in italic[2].strip() or any(map(_SMALL.fullmatch, words))
    return italic[0].join(" " if is_glued and len(word) > 1 else "" for word in words)
