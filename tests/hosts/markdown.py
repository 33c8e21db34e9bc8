from markdown import Markdown


def pages(sentences, options):
    extensions = ["tables", "footnotes", "def_list", "doilinks"]
    md = Markdown(extensions=extensions, extension_configs={"doilinks": options})
    return [md.reset().convert(text) for text in sentences]
