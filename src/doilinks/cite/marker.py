"""The paragraph of Markdown that asks for a list of references: ``[doi-list order=places]``."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, cast

from ..core.options import choice, no_such_option
from ..core.printable import printable
from .references import ORDERS, Order

_BEGIN: Final = "[doi-list"
Scope = Literal["page", "project", "all"]
SCOPES: Final[tuple[Scope, ...]] = ("page", "project", "all")
_CHOICES: Final = {"order": choice(*ORDERS), "scope": choice(*SCOPES)}
_NAMES: Final = ("order", "scope", "style")


class ListRequest(NamedTuple):
    """What a list of references is to be."""

    order: Order = "names"  # by the names of people, or by the first place
    scope: Scope = "page"  # of the page, of the project, or also all of cite_bib
    style: str | None = None  # None for that of the options
    trouble: tuple[str, ...] = ()  # what was wrong, in place of which the default counts
    line: int = 0


def may_ask(text: str) -> bool:
    """Tell quickly whether a document may ask for a list."""
    return _BEGIN in text


def list_request(text: str) -> ListRequest | None:
    """Read the request for a list of references in a paragraph; None if it is not the marker."""
    text = text.strip()
    if not (text.startswith(_BEGIN) and text.endswith("]")):
        return None
    name, *words = text[1:-1].split()
    if name != _BEGIN[1:]:
        return None
    values: dict[str, str] = {}
    trouble: list[str] = []
    for word in words:
        key, equals, value = word.partition("=")
        if key not in _NAMES or not equals:
            trouble.append(f"doi-list: {printable(key)}: {no_such_option(key, _NAMES)} [doi-list]")
            continue
        try:
            values[key] = str(_CHOICES[key].read(value)) if key in _CHOICES else value
        except ValueError as error:
            trouble.append(f"doi-list: {key} {error} [doi-list]")
    return ListRequest(
        cast(Order, values.get("order", "names")),
        cast(Scope, values.get("scope", "page")),
        values.get("style"),
        tuple(trouble),
    )
