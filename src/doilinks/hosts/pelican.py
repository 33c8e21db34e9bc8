"""Pelican: articles in Markdown and reStructuredText. The public door is ``doilinks.pelican``."""

from __future__ import annotations

import logging
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.transforms import Transform
from pelican import signals
from pelican.readers import Readers

from ..core.options import NO_CHECK, PELICAN, InvalidOption, Options
from .docutils.cite import PLAIN, is_cite
from .docutils.entry import DoiLinks, use_parser

_logger: Final = logging.getLogger(__name__)

_EXTENSION: Final = "doilinks"


def register() -> None:
    """Connect the plug-in. Pelican calls this function of each module in ``PLUGINS``."""
    signals.readers_init.connect(_link)


def _link(readers: Readers) -> None:
    options, problems = Options(), PELICAN.slips(readers.settings)
    try:
        options = Options.read(PELICAN.named(readers.settings), PELICAN)
    except InvalidOption as error:
        problems += error.problems
    for problem in problems:
        _logger.critical("doilinks: %s", problem)
    if problems:
        raise SystemExit(1)
    if options.check != "off":
        _logger.warning("%s: %s", PELICAN("check"), NO_CHECK)
        options = options.but(check="off")  # otherwise each article would warn again
    markdown = readers.settings.get("MARKDOWN")
    if markdown is not None:
        own = {name: getattr(options, name) for name in Options.NAMES}
        # Options in the site's MARKDOWN setting win over the settings with the prefix.
        markdown.setdefault("extension_configs", {}).setdefault(_EXTENSION, own)
    use_parser(options, PlainTitle)


class PlainTitle(Transform):
    """Removes links from the title of an article, because themes make a link of the whole title."""

    default_priority: ClassVar[int] = DoiLinks.default_priority + 1

    def apply(self, **_: Any) -> None:
        """Put back the text that the author wrote."""
        title = next(iter(self.document.findall(nodes.title)), None)
        if title is None or title.parent is not self.document:
            return
        for link in list(title.findall(nodes.reference)):
            if link.rawsource and link.get("refuri"):
                link.parent.replace(link, nodes.Text(link.rawsource))
        for node in title.findall(nodes.inline):
            if is_cite(node):
                node[PLAIN] = True
