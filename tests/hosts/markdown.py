from markdown import Markdown

from ..support import html_links


def links(sentences, options):
    md = Markdown(extensions=["tables", "doilinks"], extension_configs={"doilinks": options})
    return [html_links(md.reset().convert(text)) for text in sentences]
