"""The DOIs of a project, which are kept for each page in Sphinx's environment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from ..core.found import Found
from ..docutils.walk import Linker
from .options import options_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


# --------------------------------------------------------------------------------------------------
# The names in bibliographies of sphinxcontrib-bibtex, which fills them after all other transforms.
#
# The extension fills a bibliography when its page is written. On a page that is only read, the
# bibliography is empty, so the names are read from the citations that the extension has collected.

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


_T = TypeVar("_T")


class PerPage(Generic[_T]):
    """Something that the environment keeps for each page, also if a page is not read again.

    :param name: the attribute of the environment
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def of(self, env: BuildEnvironment) -> dict[str, _T]:
        """What is kept, by page."""
        kept: dict[str, _T] | None = getattr(env, self._name, None)
        if kept is None:
            kept = {}
            setattr(env, self._name, kept)
        return kept

    def purge(self, _app: Sphinx, env: BuildEnvironment, docname: str) -> None:
        """Forget what belongs to a page that is read again or was removed."""
        self.of(env).pop(docname, None)

    def merge(
        self, _app: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment
    ) -> None:
        """Add what belongs to the pages that a parallel process has read."""
        read = self.of(other)
        self.of(env).update({docname: read[docname] for docname in docnames if docname in read})


FOUND: Final[PerPage[list[Found]]] = PerPage("doi_found")


def dois_of(env: BuildEnvironment) -> dict[str, list[Found]]:
    """Every DOI of the project by page, also of pages that this build did not read again.

    The DOIs of bibliographies are known when all pages have been read.
    """
    found = {page: list(dois) for page, dois in FOUND.of(env).items()}
    for page, dois in dois_of_bibliographies(env).items():
        found.setdefault(page, []).extend(dois)
    return found


def relative(app: Sphinx, file: str) -> str:
    """The path of a file as messages show it."""
    path = Path(file)
    return str(path.relative_to(app.srcdir) if path.is_relative_to(app.srcdir) else path)


def keep_found(env: BuildEnvironment, docname: str, found: list[Found]) -> None:
    """Keep the DOIs of a page that was read, with the text around them."""
    if found:
        FOUND.of(env)[docname] = [replace(each, around=each.block) for each in found]
