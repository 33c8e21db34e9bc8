"""The MkDocs plug-in.

.. code-block:: yaml

   plugins:
     - search
     - doilinks:
         display: name

The plug-in enables the Python-Markdown extension and keeps the DOIs of each page.

With ``check: warn`` or ``check: error``, it checks every name after the site is built. It reports
problems in MkDocs' log, so that ``--strict`` counts them. With ``error``, it aborts the build after
it has reported all problems. The path of the lock file is relative to ``mkdocs.yml``.

``mkdocs serve`` keeps every answer, even "not found", while it runs. So a rebuild asks only about
new names. When the options change, it asks about all names again. Where a build would be aborted,
``mkdocs serve`` continues.
"""

from __future__ import annotations

from .hosts.mkdocs.entry import DoiPlugin
from .sources.reading import lines_of

__all__ = ["DoiPlugin"]

# The readers of files know the hosts, and not the other way round.
DoiPlugin.lines_of = staticmethod(lines_of)
