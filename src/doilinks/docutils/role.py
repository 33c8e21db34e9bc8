"""The role ``:doi:``, with or without a title that the author gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from docutils import nodes
from docutils.parsers.rst.states import Inliner
from docutils.utils import unescape

from ..core.doi import DOI, InvalidDOI, parse_parts
from ..core.found import Found
from ..core.link import link_to
from ..core.options import InvalidOption, Options
from ..core.title import other_doi
from .link import build
from .options import options_of

__all__ = ["RoleFunction", "doi_role", "make_role"]

RoleFunction = Callable[..., tuple[list[nodes.Node], list[nodes.system_message]]]

# The target after a title begins at a "<" that is not escaped. The name may also contain a "<", so
# the target begins at the first "<" after which the text is a DOI. docutils takes the last "<".
_TARGET: Final = re.compile(r"(?<!\x00)<(?=\s*(?:10|doi|dx|urn|info|https?:|//))", re.IGNORECASE)
_TITLED: Final = re.compile(r"\s<([^<>]*)>\Z")
_TRIES: Final = 8


def make_role(options_for: Callable[[Any], Options]) -> RoleFunction:
    """A role function; ``options_for`` gives the options of a document's settings."""

    def doi(
        name: str,
        rawtext: str,
        text: str,
        lineno: int,
        inliner: Inliner,
        options: Mapping[str, Any] | None = None,
        content: Sequence[str] = (),  # noqa: ARG001  docutils' signature
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            title, doi, tail = _read(text)
        except InvalidDOI as error:
            message = inliner.reporter.error(f"role {name!r}: {error}", line=lineno)
            return [inliner.problematic(rawtext, rawtext, message)], [message]
        try:
            chosen = options_for(inliner.document.settings)
        except InvalidOption:  # the parser or the host has already reported it
            chosen = Options()
        link = link_to(doi, chosen, unescape(text), tail)
        link = link if title is None else link._replace(text=title)
        other = other_doi(title, doi) if title else None
        found = Found(doi, form="role", written=rawtext, other=other)
        # Classes of a role that the document derives from this one.
        derived = [name for key in ("class", "classes") for name in (options or {}).get(key, ())]
        node = build(link, chosen, found, derived)
        return [node], []

    return doi


def _read(text: str) -> tuple[str | None, DOI, str]:
    """The title, the DOI, and the query and fragment of the URL in the text of a role.

    :raises InvalidDOI: if the text contains no DOI
    """
    if text.endswith(">"):
        for number, found in enumerate(_TARGET.finditer(text)):
            title = text[: found.start()]
            # Without a space before it, "<" may be a character of the name itself.
            spaced = not title or title[-1].isspace()
            if number >= _TRIES:
                break
            try:
                doi, tail = parse_parts(unescape(text[found.end() : -1]))
            except InvalidDOI:
                continue
            if spaced or not _is_doi(text):
                return unescape(title).strip() or None, doi, tail
    try:
        return None, *parse_parts(unescape(text))
    except InvalidDOI:
        if titled := _TITLED.search(text):
            parse_parts(unescape(titled[1]))  # raises an error whose message names only the target
        raise


def _is_doi(text: str) -> bool:
    try:
        parse_parts(unescape(text))
    except InvalidDOI:
        return False
    return True


doi_role = make_role(options_of)
