"""The plug-in: adds the rules of doilinks to markdown-it-py in the right order."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt

from ..core.options import NO_CHECK, Options
from .find import Names
from .walk import Linker

_logger: Final = logging.getLogger(__package__)


def doi_plugin(md: MarkdownIt, **options: Any) -> None:
    """Link DOI names. Use the plug-in as ``MarkdownIt().use(doi_plugin, display="name")``.

    ``env["dois"]`` lists the DOIs of the document, as objects of :class:`doilinks.Found`, in the
    order of the document. If the plug-in is used again, the new options replace the old ones.

    :param options: the options of doilinks
    :raises InvalidOption: (a ValueError) with each unknown option and each wrong value
    """
    read = Options.read(options)
    if read.check != "off":
        _tell_no_check()
    names, linker = Names(read, md), Linker(read)
    if "doi" in md.get_all_rules()["core"]:
        md.inline.ruler.at("doi", names.rule)
        md.core.ruler.at("doi", linker.rule)
        return
    md.inline.ruler.before("text", "doi", names.rule)
    # The rule runs after all rules that follow "inline", such as footnotes, and before linkify and
    # typography.
    md.core.ruler.before("linkify", "doi", linker.rule)


@cache  # once, although the host may convert each page with an instance of its own
def _tell_no_check() -> None:
    _logger.warning("doilinks: check: %s", NO_CHECK)
