"""The Pelican plug-in, for articles in Markdown and in reStructuredText.

.. code-block:: python

   # pelicanconf.py
   PLUGINS = ["doilinks.pelican"]
   DOI_DISPLAY = "name"

Options are settings of Pelican with the prefix ``DOI_``.
"""

from .hosts.pelican import register

__all__ = ["register"]
