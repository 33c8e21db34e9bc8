"""The names in bibliographies of sphinxcontrib-bibtex, which fills them after all other transforms.

The extension fills a bibliography when its page is written. On a page that is only read, the
bibliography is empty, so the names are read from the citations that the extension has collected.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from ..docutils.walk import Linker
from .options import options_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from ..core.found import Found

__all__ = ["add_bibliographies", "dois_of_bibliographies"]

_OPTION: Final = "bibtex_bibfiles"
_DOMAIN: Final = "cite"
_NODE: Final = "bibliography"

# docutils gives the classes of a node to the one that replaces it.
_MARK: Final = "doi-bibliography"


class MarkBibliographies(SphinxPostTransform):
    """Mark the bibliographies, so that they can be found again after they are filled."""

    default_priority: ClassVar[int] = 4  # before sphinxcontrib-bibtex (5)

    def run(self, **_: Any) -> None:
        """Mark the bibliographies of a page."""
        for node in self.document.findall(nodes.Element):
            if type(node).__name__ == _NODE:
                node["classes"].append(_MARK)


class LinkBibliographies(SphinxPostTransform):
    """Link the DOIs of bibliographies. All other DOIs of the page are links already."""

    default_priority: ClassVar[int] = 6  # after sphinxcontrib-bibtex

    def run(self, **_: Any) -> None:
        """Link the DOIs in the bibliographies of a page."""
        marked = [node for node in self.document.findall(nodes.Element) if _MARK in node["classes"]]
        for node in marked:
            node["classes"].remove(_MARK)
            linker = Linker(options_of(self.config))
            linker.link(node)
            for link in linker.links.shown:
                link["support_smartquotes"] = False


def add_bibliographies(app: Sphinx) -> None:
    """Add the transforms only if the project has bibliographies, because they walk every page."""
    if _OPTION in app.config:
        app.add_post_transform(MarkBibliographies)
        app.add_post_transform(LinkBibliographies)


def dois_of_bibliographies(env: BuildEnvironment) -> dict[str, list[Found]]:
    """The DOIs of the project's bibliographies by page, also if no page was written."""
    found: dict[str, list[Found]] = {}
    if _OPTION not in env.config:
        return found
    domain: Any = env.get_domain(_DOMAIN)
    for citation in domain.citations:
        linker = Linker(options_of(env.config))
        linker.link(domain.backend.paragraph(citation.formatted_entry))
        docname = citation.bibliography_key.docname
        for each in linker.dois:
            place = replace(each, file=str(env.doc2path(docname)), around=each.block)
            found.setdefault(docname, []).append(place)
    return found
