"""The MkDocs plug-in.

.. code-block:: yaml

   plugins:
     - search
     - doilinks:
         display: name

It brings the Python-Markdown extension along and keeps, for each page, the DOIs that were found.

With ``check: warn`` or ``check: error`` every name is resolved once the site is built. What there
is to say goes to MkDocs' log, so that ``--strict`` counts it; with ``error`` the build is aborted
after all of it was said. The lock file is relative to ``mkdocs.yml``.

``mkdocs serve`` keeps every answer, also the bad ones, for as long as it runs, so that a rebuild
asks for new names only; after a change of the options all are asked again. It goes on serving
where a build would be aborted.
"""

from __future__ import annotations

from .entry import DoiPlugin

__all__ = ["DoiPlugin"]
