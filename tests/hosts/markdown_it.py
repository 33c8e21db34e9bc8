from markdown_it import MarkdownIt

from doilinks.markdown_it import doi_plugin

from ..support import html_links


def links(sentences, options):
    md = MarkdownIt("commonmark").enable("table").use(doi_plugin, **options)
    return [html_links(md.render(text)) for text in sentences]
