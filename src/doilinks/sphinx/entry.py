"""The extension: tells Sphinx which functions to call, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sphinx.util.docutils import is_role_registered

from .. import __version__
from ..docutils.role import make_role
from .bibliography import add_bibliographies
from .check import DoiCheckBuilder, check_dois, require_check
from .find import use_parsers
from .found import FOUND
from .linkcheck import DoiLinkcheckBuilder
from .myst import keep_doi_scheme
from .options import add_options, options_of_settings, require_valid_options
from .output import KeepInLatex, KeepInMan, KeepInTexinfo, KeepInText, restore_hyphens
from .silence import OF_DOCSTRINGS, keep_silences
from .transform import SphinxDoiLinks, warn_of_two_works

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.util.typing import ExtensionMetadata

__all__ = ["setup"]

# A handler with this priority runs after all other handlers of an event.
_LAST: Final = 999


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension. Sphinx calls this."""
    add_options(app)
    app.add_transform(SphinxDoiLinks)
    app.add_post_transform(KeepInLatex)
    app.add_post_transform(KeepInMan)
    app.add_post_transform(KeepInTexinfo)
    app.add_post_transform(KeepInText)
    app.connect("config-inited", require_valid_options)
    app.connect("config-inited", keep_doi_scheme)
    app.connect("builder-inited", add_bibliographies)
    app.connect("builder-inited", use_parsers, priority=_LAST)
    app.connect("builder-inited", _add_role, priority=_LAST)
    app.connect("builder-inited", restore_hyphens, priority=_LAST)
    app.add_builder(DoiCheckBuilder)
    app.add_builder(DoiLinkcheckBuilder, override=True)
    app.connect("builder-inited", require_check)
    app.connect("env-check-consistency", warn_of_two_works)
    app.connect("build-finished", check_dois, priority=_LAST)
    for kept in (FOUND, OF_DOCSTRINGS):
        app.connect("env-purge-doc", kept.purge)
        app.connect("env-merge-info", kept.merge)
    app.connect("config-inited", _read_docstrings, priority=_LAST)
    return {
        "version": __version__,
        "env_version": 4,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _read_docstrings(app: Sphinx, _config: Config) -> None:
    """Look into docstrings, after all extensions that change them."""
    if "autodoc-process-docstring" in app.events.events:  # autodoc is loaded
        app.connect("autodoc-process-docstring", keep_silences, priority=_LAST)


def _add_role(app: Sphinx) -> None:
    """Add the role, unless the project or another extension has defined a role of this name."""
    if not is_role_registered("doi"):
        app.add_role("doi", make_role(options_of_settings))
