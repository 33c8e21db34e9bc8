"""The Sphinx front door: ``extensions = ["doilinks.sphinx"]`` in ``conf.py``.

Links the DOIs of reStructuredText, MyST and notebook pages and of docstrings, brings the role
``:doi:``, checks with ``doi_check`` and the builder ``doicheck`` that each one resolves, and lets
Sphinx's ``linkcheck`` ask the Handle API in place of the publisher. Options are ``doi_display`` and
the others of :class:`doilinks.core.options.Options`, and ``doi_suspicious``: warn of names that are
doubtful, with dashes that are no hyphens for example.
"""

from .entry import setup
from .found import dois_of

__all__ = ["dois_of", "setup"]
