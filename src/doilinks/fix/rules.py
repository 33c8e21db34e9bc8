"""The rules of ``doilinks fix``: what each is called, and whether it needs to know more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

__all__ = ["RULES", "UnknownRule", "chosen"]


class Rule(NamedTuple):
    """One way in which a name may be written wrongly.

    :ivar code: what messages call it; this never changes
    :ivar what: what is wrong, as a phrase
    :ivar asks: whether it needs what the check knows
    """

    code: str
    what: str
    asks: bool = False


RULES: Final = (
    Rule("doi-resolver", "an old address of the resolver: http:, dx. or www., or no scheme"),
    Rule("doi-proxy-copy", "the copy of doi.org at a library"),
    Rule("doi-doubled", "an address of the resolver or a label, twice"),
    Rule("doi-mistyped", "a mistyped address of the resolver"),
    Rule("doi-encoding", "a URL that contains what no URL may contain"),
    Rule("doi-field", "more than the name in a field for the name"),
    Rule("doi-invisible", "an invisible character inside a name"),
    Rule("doi-dash", "a dash instead of a hyphen, in a name that does not resolve", asks=True),
    Rule("doi-near", "a name that does not resolve, where the check knows another", asks=True),
    Rule("doi-alias", "a shortDOI instead of the name that it stands for", asks=True),
)


_NAMES: Final = "; to leave names as they are, set ignore in [tool.doilinks] of pyproject.toml"


class UnknownRule(ValueError):
    """A code that is not that of a rule. The message names it."""


def chosen(select: Iterable[str], ignore: Iterable[str], *, asks: bool) -> frozenset[str]:
    """The codes of the rules that a user wants.

    :param select: only these; all if there are none
    :param ignore: not these
    :param asks: whether the rules that need the check may be among them
    :raises UnknownRule: for a code that no rule has

    >>> "doi-resolver" in chosen([], ["doi-doubled"], asks=False)
    True
    """
    known = {rule.code for rule in RULES}
    select, ignore = set(select), set(ignore)
    for code in sorted((select | ignore) - known):
        # The option of the same name of the check takes names.
        names = "" if code.startswith("doi-") else _NAMES
        raise UnknownRule(
            f"there is no rule {code!r}{names} (there are {', '.join(sorted(known))})"
        )
    usable = {rule.code for rule in RULES if asks or not rule.asks}
    return frozenset((select or known) & usable - ignore)
