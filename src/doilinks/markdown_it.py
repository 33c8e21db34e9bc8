r"""The markdown-it-py plug-in.

>>> from markdown_it import MarkdownIt
>>> MarkdownIt().use(doi_plugin).render("See DOI: 10.1000/456#789.")
'<p>See <a class="doi" href="https://doi.org/10.1000/456%23789">doi:10.1000/456%23789</a>.</p>\n'

Before the host reads inline markup, each name becomes a word that is nowhere in the document, so no
rule sees the ``<``, ``*`` or ``_`` in it. A core rule then puts the links there and makes those of
the document canonical. To rewrite the finished tokens would be too late, because emphasis,
autolinks and raw HTML would have split the name.
"""

from .hosts.markdown_it.entry import doi_plugin

__all__ = ["doi_plugin"]
