"""The docutils front door: a parser, a role and a transform.

``docutils --parser=doilinks.docutils page.rst`` links the DOIs of a reStructuredText page. In
Python, give the parser to a publisher:

>>> from docutils.core import publish_string
>>> from docutils.writers.pseudoxml import Writer
>>> settings = {"output_encoding": "unicode", "doi_display": "name"}
>>> page = publish_string(
...     "See doi:10.1000/456#789.", parser=Parser(), writer=Writer(), settings_overrides=settings
... )
>>> print(page.splitlines()[3].strip())
<reference classes="doi" refuri="https://doi.org/10.1000/456%23789">

The parser and the transform work together. The parser reads a DOI before the markup inside it, so
the ``_`` of ``10.1000/under_score_`` does not begin a reference, and the ``<`` in an early Wiley
name does not end its URL. The transform makes the links, also in trees that another parser built.
"""

from __future__ import annotations

from .hosts.docutils.entry import DoiLinks, Parser, doi_role, link_everywhere

__all__ = ["DoiLinks", "Parser", "doi_role", "link_everywhere"]
