from markdown import Markdown

from ..tools.links import html_links


def links(sentences, options):
    extensions = ["tables", "footnotes", "def_list", "doilinks"]
    md = Markdown(extensions=extensions, extension_configs={"doilinks": options})
    return [html_links(md.reset().convert(text)) for text in sentences]
