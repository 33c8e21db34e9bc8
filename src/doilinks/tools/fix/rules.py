"""The rules of ``doilinks fix``, the corrections of the check, and changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from ...core.doi import DOI
from ...core.found import Found
from ...core.remarks import TO_HYPHENS
from ...core.text import SourceText


class Rule(NamedTuple):
    """One way in which a name may be written wrongly."""

    code: str  # what messages call it; this never changes
    what: str  # what is wrong, as a phrase
    asks: bool = False  # whether it needs what the check knows
    named: bool = False  # whether it is used only if a user names it
    house: bool = False  # whether it is a form of house style, of which a type of files has one


RULES: Final = (
    Rule("doi-resolver", "an old address of the resolver: http:, dx. or www., or no scheme"),
    Rule("doi-proxy-copy", "the copy of doi.org at a library"),
    Rule("doi-doubled", "an address of the resolver or a label, twice"),
    Rule("doi-mistyped", "a mistyped address of the resolver"),
    Rule("doi-encoding", "a URL that contains what no URL may contain"),
    Rule("doi-field", "more than the name in a field for the name"),
    Rule("doi-invisible", "an invisible character inside a name"),
    Rule("doi-bare-target", "a target of a link that is nothing but a name", named=True),
    Rule("doi-dash", "a dash instead of a hyphen, in a name that does not resolve", asks=True),
    Rule("doi-near", "a name that does not resolve, where the check knows another", asks=True),
    Rule("doi-alias", "a shortDOI instead of the name that it stands for", asks=True),
    Rule("doi-work", "a wrong name, where the check knows which was meant", asks=True, named=True),
    Rule("doi-newer", "a preprint that was published since", asks=True, named=True),
    Rule("doi-publisher", "a publisher's page instead of the name", asks=True, named=True),
    Rule("doi-missing", "a reference without the DOI that was found", asks=True, named=True),
    Rule("doi-role", "a name in reStructuredText without the role", named=True, house=True),
    Rule("doi-uri", "a name in Markdown that is no doi:", named=True, house=True),
    Rule("doi-url", "a name in Markdown that is no URL", named=True, house=True),
)
_NAMES: Final = "; to leave names as they are, set ignore in [tool.doilinks] of pyproject.toml"


class UnknownRule(ValueError):
    """A code that is not that of a rule. The message names it."""


def chosen(select: Iterable[str], ignore: Iterable[str], *, asks: bool) -> frozenset[str]:
    """Return codes of the rules wanted: those selected, else all that need not be named.

    ``asks`` says whether the rules that need the check may be among them.
    """
    known = {rule.code for rule in RULES}
    select, ignore = set(select), set(ignore)
    for code in sorted((select | ignore) - known):
        # The option of the same name of the check takes names.
        names = "" if code.startswith("doi-") else _NAMES
        rules = ", ".join(sorted(known))
        raise UnknownRule(f"there is no rule {code!r}{names} (there are {rules})")
    if {"doi-uri", "doi-url"} <= select - ignore:
        raise UnknownRule("doi-uri and doi-url: of these, a project needs one")
    usable = {rule.code for rule in RULES if asks or not rule.asks}
    unnamed = {rule.code for rule in RULES if not rule.named}
    return frozenset((select or unnamed) & usable - ignore)


# --------------------------------------------------------------------------------------------------
# Corrections that come from the check: the right name, and the rule that applies it.


class Correction(NamedTuple):
    """The right name instead of a wrong one."""

    code: str  # of the rule
    doi: DOI  # the right name
    # Where it is right: file, line and column; None: everywhere.
    places: frozenset[tuple[str | None, int | None, int | None]] | None = None
    page: bool = False  # whether it is right too instead of the publisher's page that contains it


def correction(
    doi: DOI, near: DOI | None, alias: DOI | None, newer: DOI | None = None
) -> Correction | None:
    r"""Return the right name instead of another one, if the check knows it.

    That is ``near``, if the name does not resolve; the name for which an ``alias`` stands; or the
    ``newer`` article, if the name is a preprint that no text means.
    """
    if near is not None:
        dash = doi.name.translate(TO_HYPHENS) == near.name
        return Correction("doi-dash" if dash else "doi-near", near)
    # A name may also stand for another whole name, which is no better for a reader.
    if alias is not None and doi.prefix == "10" and alias.prefix != "10":
        return Correction("doi-alias", alias)
    return Correction("doi-newer", newer) if newer is not None else None


# --------------------------------------------------------------------------------------------------
# A change of a source: of one name, in one place.

Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one name, in one place."""

    place: Found  # the name as it was found, with a span
    edits: tuple[Edit, ...]  # what is replaced: `(start, end, new)`, offsets in the source
    old: str  # the text before
    new: str  # the text after
    codes: tuple[str, ...]  # of the rules that want it
    doi: DOI  # the name that it gives

    def __str__(self) -> str:
        at = f"{self.place.file}:{self.place.line}:{self.place.column}"
        old = f"{self.old} → " if self.old else "+ "
        return f"{at}: {old}{self.new} [{', '.join(self.codes)}]"


def applied(text: str, edits: list[Edit]) -> str:
    """Apply edits, which are in order and disjoint, to a text."""
    return SourceText.of(text, edits).text
