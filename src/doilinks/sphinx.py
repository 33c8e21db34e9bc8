"""The Sphinx front door: ``extensions = ["doilinks.sphinx"]`` in ``conf.py``.

The extension links the DOIs in pages of reStructuredText, MyST and notebooks and in docstrings. It
adds the role ``:doi:``. With ``doi_check`` and the builder ``doicheck`` it checks that each DOI
resolves. Sphinx's ``linkcheck`` asks the Handle API instead of the publisher. The options are those
of :class:`doilinks.core.options.Options` with the prefix ``doi_``.
"""

from .hosts.sphinx.entry import setup
from .hosts.sphinx.project import dois_of

__all__ = ["dois_of", "setup"]
