"""What LaTeX with doilinks holds that the same LaTeX without it does not."""

from __future__ import annotations

import re
from collections import Counter

from .corpus import Document, mark

_CONTROL = re.compile(r"\\(?:[A-Za-z@]+|[^A-Za-z])")
# Links, as the writers make them: Sphinx's and Pandoc's.
_LINKS = frozenset(
    r"\sphinxhref \href \url \nolinkurl \sphinxAtStartPar \mbox \texorpdfstring".split()
)
# What the writers put for a character of text, and what keeps TeX from making one of two.
_CHARACTERS = frozenset(
    r"""\textbackslash \textasciitilde \textasciicircum \textquotesingle \textbar \textless \textgreater
    \textasciigrave \sphinxhyphen \PYGZus \language \allowbreak \textquotedbl \textquotedblleft
    \textquotedblright \ldots \char \relax""".split()
) | {rf"\{sign}" for sign in "#$%&_{}~^-/ ,"}


def gained(linked: str, plain: str) -> list[str]:
    """Control sequences that only the LaTeX with doilinks has, and groups that do not close."""
    # Pandoc's for a character without width.
    linked, plain = (text.replace(r"\hspace{0pt}", "") for text in (linked, plain))
    extra = Counter(_CONTROL.findall(linked)) - Counter(_CONTROL.findall(plain))
    wrong = [name for name in extra if name not in _LINKS | _CHARACTERS]
    if linked.count("^^") > plain.count("^^"):
        wrong.append("^^")
    if depth(linked) != depth(plain):
        wrong.append(f"groups: {depth(linked)} where there was {depth(plain)}")
    return wrong


def depth(text: str) -> int:
    """How many groups are open after a piece of LaTeX."""
    bare = re.sub(r"\\[^A-Za-z]|(?<!\\)%.*", "", text)
    return bare.count("{") - bare.count("}")


def differences(document: Document, linked: str, plain: str) -> tuple[list[str], int]:
    """What cases gained that they should not, and how many were compared."""
    found, compared = [], 0
    for number, case in enumerate(document.cases[:-1]):
        parts = [_between(text, number) for text in (linked, plain)]
        if all(parts):
            compared += 1
            found += [f"{case}: {each}" for each in gained(parts[0], parts[1])]
    return found, compared


def _between(text: str, number: int) -> str:
    start, end = text.find(mark(number)), text.find(mark(number + 1))
    return text[start:end] if 0 <= start < end else ""
