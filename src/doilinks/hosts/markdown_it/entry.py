"""The plug-in: adds the rules of doilinks in the right order."""

from __future__ import annotations

import logging
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ...core.options import Options, tell_no_check
from .find import Finder, Hidden
from .walk import Linker, Restorer

_logger: Final = logging.getLogger("doilinks.markdown_it")

_RULE: Final = "doi"


def doi_plugin(md: MarkdownIt, **options: Any) -> None:
    """Link DOI names. Use the plug-in as ``MarkdownIt().use(doi_plugin, display="name")``.

    ``env["dois"]`` lists the DOIs of the document, as objects of :class:`doilinks.Found`, in the
    order of the document. If the plug-in is used again, the new options replace the old ones.

    :param options: the options of doilinks
    :raises InvalidOption: (a ValueError) with each unknown option and each wrong value
    """
    read = Options.read(options)
    if read.check != "off":
        tell_no_check(_logger)
    finder = Finder(read)
    linker = Linker(read, finder)
    finder.enter(md)
    if _RULE in md.get_all_rules()["core"]:
        md.core.ruler.at(_RULE, linker.rule)
    else:
        # After typography, and before other plug-ins read the finished tokens.
        md.core.ruler.after("text_join", _RULE, linker.rule)


def keep_names(md: MarkdownIt, finder: Finder) -> None:
    """Keep the rules of a parser from changing names, for a program that makes the links itself.

    A hidden name becomes a text token of its own, with its record in ``meta``.
    """

    def text(item: Hidden, level: int) -> list[Token]:
        return [Token("text", "", 0, content=item.text, level=level, meta={"doi": item})]

    def show(state: StateCore) -> None:
        if masks := finder.masks(state):
            Restorer(md, masks, text).restore(state.tokens)

    finder.enter(md)
    md.core.ruler.after("text_join", _RULE, show)
