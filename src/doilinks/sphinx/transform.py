"""The transform that puts the links into the pages of Sphinx."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final

from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from ..docutils.walk import Linker
from .check import is_on
from .found import dois_of, keep_found, relative
from .myst import hand_back
from .options import options_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from ..core.found import Found
    from ..core.remarks import Remark

__all__ = ["SphinxDoiLinks", "warn_of_two_works"]

_logger: Final = logging.getLogger(__name__)


class SphinxDoiLinks(SphinxTransform):
    """Link the DOIs of a page, and remember them."""

    # After translation (20) and the transforms that resolve targets (up to 660), before smart
    # quotes (750).
    default_priority: ClassVar[int] = 740

    def apply(self, **_: Any) -> None:
        """Link the DOIs in the tree."""
        linker = Linker(options_of(self.config), remark=self.config.doi_suspicious)
        linker.link(self.document)
        for node in linker.links.shown:
            node["support_smartquotes"] = False
        if linker.links.nameless:
            hand_back(linker.links.nameless, self.env)
        keep_found(self.env, self.env.docname, linker.dois)
        for found in linker.dois:
            for remark in found.remarks:
                if remark.code not in self._unsaid():
                    _warn(found, remark)

    def _unsaid(self) -> frozenset[str]:
        # A full stop after a name is nearly always the end of a sentence. The check says itself
        # that a text names another DOI.
        checks = options_of(self.config).check != "off"
        return frozenset({"cut-full-stop", "text-names-another"} if checks else {"cut-full-stop"})


def warn_of_two_works(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of texts about different works, when all pages are read. The check says this itself."""
    if not app.config.doi_suspicious or is_on(app):
        return
    from ..works.two import remark_on, two_works

    every = chain.from_iterable(dois_of(env).values())
    for place, other in two_works(every):
        shown = relative(app, other.file) if other.file else None
        _warn(place, remark_on(replace(other, file=shown)))


def _warn(found: Found, remark: Remark) -> None:
    place = f"{found.file}:{found.line}" if found.file and found.line else found.file
    _logger.warning(
        "suspicious: %s: %s [%s]",
        found.doi.uri,
        remark.message,
        remark.code,
        location=place,
        type="doi",
        subtype="suspicious",
    )
