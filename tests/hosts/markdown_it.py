from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from doilinks.markdown_it import doi_plugin


def pages(sentences, options):
    md = MarkdownIt("commonmark").enable("table").use(footnote_plugin).use(deflist_plugin)
    md.use(doi_plugin, **options)
    return [md.render(text) for text in sentences]
