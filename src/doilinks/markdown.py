"""The Python-Markdown extension, for MkDocs, Zensical, Pelican, Nikola and others.

>>> import markdown
>>> markdown.markdown("See DOI: 10.1000/456#789.", extensions=["doilinks"])
'<p>See <a class="doi" href="https://doi.org/10.1000/456%23789">doi:10.1000/456%23789</a>.</p>'

Python-Markdown runs its inline patterns one after another over the whole text, and each leaves
placeholders. An inline pattern of doilinks finds the names. It runs after the patterns for code,
escapes and links, but before those for autolinks, raw HTML and emphasis. Then a tree processor
makes the links of the document canonical.
"""

from .linking.markdown.entry import DoiExtension, makeExtension

__all__ = ["DoiExtension", "makeExtension"]
