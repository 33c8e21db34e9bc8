r"""The markdown-it-py plug-in.

>>> from markdown_it import MarkdownIt
>>> MarkdownIt().use(doi_plugin).render("See DOI: 10.1000/456#789.")
'<p>See <a class="doi" href="https://doi.org/10.1000/456%23789">doi:10.1000/456%23789</a>.</p>\n'

An inline rule that runs before all others takes each name as a whole, so that no other rule sees
the ``<``, ``*`` or ``_`` in it. A core rule then makes the links of the document canonical. To
rewrite the finished tokens would be too late, because emphasis, autolinks and raw HTML have already
split the name.
"""

from .linking.markdown_it.entry import doi_plugin

__all__ = ["doi_plugin"]
