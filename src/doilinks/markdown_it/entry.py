"""The plug-in: which rules markdown-it-py gets, and in which order it runs them."""

from __future__ import annotations

import logging
from typing import Any, Final

from markdown_it import MarkdownIt

from ..core.options import NO_CHECK, Options
from .find import Names
from .walk import Links

__all__ = ["doi_plugin"]

_logger: Final = logging.getLogger(__package__)


def doi_plugin(md: MarkdownIt, **options: Any) -> None:
    """Link DOI names; use as ``MarkdownIt().use(doi_plugin, display="name")``.

    The names found are in ``env["dois"]``, a list of :class:`doilinks.Found`, in the order of the
    document.
    Used again, it takes the place of the one before.

    :param options: the options of doilinks
    :raises InvalidOption: (a ValueError) naming each unknown option and each wrong value
    """
    read = Options.read(options)
    if read.check != "off":
        _logger.warning("check: %s", NO_CHECK)
    names, links = Names(read), Links(read)
    if "doi" in md.get_all_rules()["core"]:
        md.inline.ruler.at("doi", names.rule)
        md.core.ruler.at("doi", links.rule)
        return
    md.inline.ruler.before("text", "doi", names.rule)
    # After all that comes after "inline", such as footnotes; before linkify and typography.
    md.core.ruler.before("linkify", "doi", links.rule)
