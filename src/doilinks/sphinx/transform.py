"""The transform that puts the links into the pages of Sphinx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from ..docutils.walk import Linker
from .found import keep_found
from .myst import hand_back
from .options import options_of

if TYPE_CHECKING:
    from ..core.found import Found
    from ..core.remarks import Remark

__all__ = ["SphinxDoiLinks"]

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
