"""The Python-Markdown extension, for MkDocs, Zensical, Pelican, Nikola and others.

>>> import markdown
>>> markdown.markdown("See DOI: 10.1000/456#789.", extensions=["doilinks"])
'<p>See <a class="doi" href="https://doi.org/10.1000/456%23789">doi:10.1000/456%23789</a>.</p>'

Before the host reads inline markup, each name becomes a word that is nowhere in the document; so to
the host and its other extensions a name is an ordinary word. When they have read the document, each
word becomes a link, and the links that the author wrote are made canonical.
"""

from .hosts.markdown.entry import DoiExtension, makeExtension

__all__ = ["DoiExtension", "makeExtension"]
